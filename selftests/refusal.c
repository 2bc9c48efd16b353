// SPDX-License-Identifier: GPL-2.0
/*
 * One wrong thing at a time: each refused by SUBMIT, with the index of the
 * operation, and with nothing of the job having run.
 */
#include "kohaku_test.h"

#define SIZE 4096

FIXTURE(refusal)
{
	int fd;
	__u32 src, dst;
	struct kohaku_op ops[3];
	struct kohaku_submit submit;
};

FIXTURE_SETUP(refusal)
{
	self->fd = open_node(_metadata);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->dst);
}

FIXTURE_TEARDOWN(refusal)
{
	close(self->fd);
}

/* A field of an operation and a value it must not have; error 0: either will do. */
struct wrong {
	const char *what;
	size_t offset, size;
	__u64 value;
	int error;
};

#define FIELD_SIZE(member) sizeof(((struct kohaku_op *)0)->member)
#define WRONG(member, value, error) \
	{ #member " = " #value, offsetof(struct kohaku_op, member), FIELD_SIZE(member), \
	  (__u64)(value), error }

static void poke(struct kohaku_op *op, const struct wrong *wrong)
{
	/* Little endian, as everything that has such a card. */
	memcpy((char *)op + wrong->offset, &wrong->value, wrong->size);
}

/*
 * Runs {fill, op with one wrong field, fill}: it must be refused as number 1, and
 * neither fill may have happened.
 */
static void expect_wrong(struct __test_metadata *_metadata, FIXTURE_DATA(refusal) *self,
			 const struct kohaku_op *good, const struct wrong *wrong)
{
	unsigned char seen[SIZE];
	int err;

	self->ops[0] = op_fill(walk_linear(self->dst, 0, 8), 0x11111111);
	self->ops[1] = *good;
	self->ops[2] = op_fill(walk_linear(self->dst, 256, 8), 0x22222222);
	poke(&self->ops[1], wrong);
	err = _test_submit(self->fd, self->ops, 3, 0, &self->submit);
	if (wrong->error)
		EXPECT_EQ(wrong->error, err)
			TH_LOG("%s", wrong->what);
	if (!wrong->error)
		EXPECT_TRUE(err == EINVAL || err == EOPNOTSUPP)
			TH_LOG("%s: %d", wrong->what, err);
	EXPECT_EQ(1, self->submit.out_index)
		TH_LOG("%s", wrong->what);
	test_read(self->fd, self->dst, 0, SIZE, seen);
	EXPECT_TRUE(all_bytes(seen, 0, SIZE))
		TH_LOG("%s: something ran", wrong->what);
}

#define EXPECT_ALL_WRONG(good, table) do {					\
	test_submit(self->fd, good, 1, 0, &self->submit);			\
	ASSERT_EQ(0, self->submit.completion.status);				\
	clear_destination(_metadata, self);					\
	for (unsigned int _i = 0; _i < ARRAY_SIZE(table); _i++)			\
		expect_wrong(_metadata, self, good, &(table)[_i]);		\
} while (0)

static void clear_destination(struct __test_metadata *_metadata, FIXTURE_DATA(refusal) *self)
{
	static const unsigned char zeros[SIZE];

	test_write(self->fd, self->dst, 0, SIZE, zeros);
}

TEST_F(refusal, operation)
{
	static const struct wrong wrongs[] = {
		WRONG(opcode, 0, EOPNOTSUPP),
		WRONG(opcode, 0x4000, EOPNOTSUPP),
		WRONG(opcode, 0x8002, EOPNOTSUPP),
		WRONG(opcode, 0xffff, EOPNOTSUPP),
		WRONG(mesh, 4, 0),
		WRONG(mesh, 0x100, 0),
		WRONG(mesh, 0xffff, 0),
		WRONG(flags, 1U << 2, EOPNOTSUPP),
		WRONG(flags, 1U << 31, EOPNOTSUPP),
	};
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));

	EXPECT_ALL_WRONG(&op, wrongs);
}

TEST_F(refusal, copy_fields)
{
	static const struct wrong wrongs[] = {
		WRONG(move.mode, 1, 0),
		WRONG(move.mode, 6, 0),
		WRONG(move.mode, 7, 0),
		WRONG(move.mode, 8, 0),
		WRONG(move.mode, 0x100, 0),
		WRONG(move.width, 3, 0),
		WRONG(move.width, 4, 0),
		WRONG(move.width, 0xffff, 0),
		WRONG(move.flags, 2, EOPNOTSUPP),
		WRONG(move.flags, 1 << 3, EOPNOTSUPP),
		WRONG(move.flags, 1U << 31, EOPNOTSUPP),
		WRONG(move.burst_cap, 8, EINVAL),
		WRONG(move.burst_cap, 0x100, EINVAL),
		WRONG(move.burst_cap, 0xffffffff, EINVAL),
		WRONG(move.seed, 1, 0),
		WRONG(move.seed, 1ULL << 63, 0),
		WRONG(move.indices, 4096, 0),
		WRONG(move.index_count, 1, 0),
		WRONG(move.pitch, 32, 0),
		WRONG(move.row_words, 1, 0),
		WRONG(move.xform, 1, 0),
		WRONG(move.xform_mode, 1, 0),
	};
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));

	EXPECT_ALL_WRONG(&op, wrongs);
}

/* Both walkers of a COPY obey the same rules. */
#define WALKER_WRONGS(w)							\
	WRONG(move.w.buffer, 0, ENOENT),					\
	WRONG(move.w.buffer, 0xffffffff, ENOENT),				\
	WRONG(move.w.ndim, 0, EINVAL),						\
	WRONG(move.w.ndim, 7, EINVAL),						\
	WRONG(move.w.ndim, 8, EINVAL),						\
	WRONG(move.w.ndim, 0x80000001, EINVAL),					\
	WRONG(move.w.dims[0].count, 0, EINVAL),					\
	WRONG(move.w.dims[0].count, 65536, EINVAL),				\
	WRONG(move.w.dims[0].count, 65536 + 4, EINVAL),				\
	WRONG(move.w.dims[0].count, 0x80000004, EINVAL),			\
	WRONG(move.w.dims[0].count, 0xffffffff, EINVAL),			\
	WRONG(move.w.dims[0].stride, 1LL << 31, EINVAL),			\
	WRONG(move.w.dims[0].stride, (1LL << 32) + 32, EINVAL),			\
	WRONG(move.w.dims[0].stride, INT64_MAX - 31, EINVAL),			\
	WRONG(move.w.dims[0].stride, INT64_MIN, EINVAL),			\
	WRONG(move.w.dims[0].stride, INT64_MIN + 32, EINVAL),			\
	WRONG(move.w.dims[0].axis, 3, 0),					\
	WRONG(move.w.dims[0].axis, 0x8001, 0),					\
	WRONG(move.w.windows[0].base, 32768, EINVAL),				\
	WRONG(move.w.windows[0].base, -32769, EINVAL),				\
	WRONG(move.w.windows[1].base, INT32_MIN, EINVAL),			\
	WRONG(move.w.windows[1].base, 65536, EINVAL),				\
	WRONG(move.w.windows[0].extent, 65536, EINVAL),				\
	WRONG(move.w.windows[1].extent, 65537, EINVAL),				\
	WRONG(move.w.windows[1].extent, 0xffffffff, EINVAL),			\
	WRONG(move.w.dims[1].count, 1, 0),					\
	WRONG(move.w.dims[1].stride, 32, 0),					\
	WRONG(move.w.dims[5].step, 1, 0),					\
	WRONG(move.w.dims[5].axis, 1, 0),					\
	WRONG(move.w.offset, SIZE, EINVAL),					\
	WRONG(move.w.offset, SIZE - 32, EINVAL),				\
	WRONG(move.w.offset, 1ULL << 32, EINVAL),				\
	WRONG(move.w.offset, 1ULL << 36, EINVAL),				\
	WRONG(move.w.offset, 1ULL << 38, EINVAL),				\
	WRONG(move.w.offset, 1ULL << 40, EINVAL),				\
	WRONG(move.w.offset, 1ULL << 63, EINVAL),				\
	WRONG(move.w.offset, 0 - 32ULL, EINVAL)

/* A11 */
TEST_F(refusal, walkers)
{
	static const struct wrong wrongs[] = {
		WALKER_WRONGS(src),
		WALKER_WRONGS(dst),
	};
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));

	EXPECT_ALL_WRONG(&op, wrongs);
}

/* F05: a source must be aligned; so must each stride that is ever taken. */
TEST_F(refusal, source_alignment)
{
	static const struct wrong wrongs[] = {
		WRONG(move.src.offset, 1, EINVAL),
		WRONG(move.src.offset, 2, EINVAL),
		WRONG(move.src.offset, 16, EINVAL),
		WRONG(move.src.offset, 31, EINVAL),
		WRONG(move.src.offset, 33, EINVAL),
		WRONG(move.src.dims[0].stride, 1, EINVAL),
		WRONG(move.src.dims[0].stride, 4, EINVAL),
		WRONG(move.src.dims[0].stride, 8, EINVAL),
		WRONG(move.src.dims[0].stride, 48, EINVAL),
		WRONG(move.src.dims[0].stride, 63, EINVAL),
	};
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));

	EXPECT_ALL_WRONG(&op, wrongs);
}

TEST_F(refusal, short_source)
{
	static const struct wrong wrongs[] = {
		WRONG(move.src.dims[0].count, 3, EINVAL),
		WRONG(move.src.dims[0].count, 1, EINVAL),
		WRONG(move.dst.dims[0].count, 5, EINVAL),
	};
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));

	EXPECT_ALL_WRONG(&op, wrongs);
	/* A longer one is fine: the destination says how much is moved. */
	op.move.src.dims[0].count = 100;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 4);
}

TEST_F(refusal, fill_fields)
{
	static const struct wrong wrongs[] = {
		WRONG(move.src.buffer, 1, 0),
		WRONG(move.src.ndim, 1, 0),
		WRONG(move.src.offset, 32, 0),
		WRONG(move.src.dims[0].count, 1, 0),
		WRONG(move.src.dims[5].stride, 1, 0),
		WRONG(move.src.windows[0].base, 1, 0),
		WRONG(move.src.windows[1].extent, 1, 0),
		WRONG(move.width, 3, 0),
		WRONG(move.seed, 1, 0),
		WRONG(move.index_count, 1, 0),
		WRONG(move.xform, 1, 0),
		WRONG(move.flags, 4, EOPNOTSUPP),
	};
	struct kohaku_op op = op_fill(walk_linear(self->dst, 0, 4), 0);

	EXPECT_ALL_WRONG(&op, wrongs);
}

TEST_F(refusal, marker_fields)
{
	static const struct wrong wrongs[] = {
		WRONG(move.mode, 4, 0),
		WRONG(move.width, 1, 0),
		WRONG(move.imm, 1, 0),
		WRONG(move.dst.buffer, 1, 0),
		WRONG(move.dst.windows[1].extent, 1, 0),
		WRONG(move.src.ndim, 1, 0),
	};
	struct kohaku_op op = op_marker(0);

	EXPECT_ALL_WRONG(&op, wrongs);
}

/* Coordinates that leave 16 bits would wrap in hardware. */
TEST_F(refusal, coordinates)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, 0, 3), 0);
	struct kohaku_walker *dst = &op.move.dst;

	dst->dims[0].axis = 1;
	dst->dims[0].step = 16384;
	dst->windows[0] = (struct kohaku_window){ .base = 0, .extent = 1 };
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	dst->windows[0].base = -2;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 0);
	dst->dims[0].step = -16384;
	dst->windows[0].base = 0;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
	dst->windows[0].base = -1;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
}

/* Nobody else's buffers, whatever their id.  E08 */
TEST_F(refusal, foreign_buffers)
{
	int other = open_node(_metadata);
	struct kohaku_op op;
	__u32 spare;

	for (unsigned int i = 0; i < 8; i++)
		test_alloc(other, KOHAKU_TIER_DRAM, SIZE, &spare);
	op = op_copy(walk_linear(self->src, 0, 4), walk_linear(spare, 0, 4));
	test_err_submit(ENOENT, self->fd, &op, 1, 0, &self->submit);
	op = op_copy(walk_linear(spare, 0, 4), walk_linear(self->dst, 0, 4));
	test_err_submit(ENOENT, self->fd, &op, 1, 0, &self->submit);
	test_free(self->fd, self->src);
	op = op_copy(walk_linear(self->src, 0, 4), walk_linear(self->dst, 0, 4));
	test_err_submit(ENOENT, self->fd, &op, 1, 0, &self->submit);
	close(other);
}

TEST_HARNESS_MAIN
