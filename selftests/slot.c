// SPDX-License-Identifier: GPL-2.0
/*
 * The transform slot: who sits in it, XFORM, and tables that belong to one file.
 */
#include "node_fs.h"

#define SIZE 4096
#define WORDS (SIZE / WORD)
#define QUANTISE 1
#define PALETTE 5

FIXTURE(slot)
{
	int fd;
	__u32 src, dst;
	unsigned char bytes[SIZE], seen[SIZE];
	struct kohaku_submit submit;
};

FIXTURE_SETUP(slot)
{
	struct kohaku_info info;
	__u64 seed = 0x5107;

	self->fd = open_node(_metadata);
	test_info(self->fd, &info);
	if (!(info.out_caps & KOHAKU_CAP_SLOT))
		SKIP_SETUP("this node has no transform slot");
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 2 * SIZE, &self->dst);
	random_bytes(&seed, self->bytes, SIZE);
	test_write(self->fd, self->src, 0, SIZE, self->bytes);
}

FIXTURE_TEARDOWN(slot)
{
	close(self->fd);
}

static int query(int fd, __u32 occupant, __u16 *table, __u32 count,
		 struct kohaku_slot_query *query)
{
	memset(query, 0xcc, sizeof(*query));
	query->size = sizeof(*query);
	query->flags = 0;
	query->mesh = 0;
	query->occupant = occupant;
	query->table = user_address(table);
	query->table_count = count;
	return _test_cmd(fd, KOHAKU_SLOT_QUERY, query);
}

static struct kohaku_op op_xform(FIXTURE_DATA(slot) *self, __u32 occupant, __u32 words,
				 __u32 entries)
{
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, words),
				      walk_linear(self->dst, 0, entries));

	op.move.mode = KOHAKU_MOVE_XFORM;
	op.move.xform = occupant;
	op.move.dst.dims[0].stride = 4 * WORD;
	return op;
}

static struct kohaku_op op_load(__u32 first, __u32 count, const __u16 *values)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_SLOT_LOAD };

	op.slot_load = (struct kohaku_slot_load){
		.occupant = PALETTE, .first = first, .count = count,
		.values = user_address(values),
	};
	return op;
}

TEST_F(slot, occupants)
{
	static const __u32 in_words[] = { 4, 8, 4, 2, 4, 2 };
	struct kohaku_slot_query answer;

	for (__u32 id = 0; id < 16; id++) {
		int err = query(self->fd, id, NULL, 0, &answer);

		if (id >= ARRAY_SIZE(in_words)) {
			EXPECT_EQ(ENOENT, err);
			continue;
		}
		ASSERT_EQ(0, err);
		EXPECT_EQ(in_words[id], answer.out_in_words);
		EXPECT_EQ(4, answer.out_out_words);
		EXPECT_EQ(0, answer.out_bank_fault);
		EXPECT_EQ(id == PALETTE ? 256 : 0, answer.table_count);
		EXPECT_NE(0, answer.out_name[0]);
		EXPECT_EQ(0, answer.out_name[sizeof(answer.out_name) - 1]);
	}
	EXPECT_NE(0, query(self->fd, 16, NULL, 0, &answer));
	EXPECT_NE(0, query(self->fd, UINT32_MAX, NULL, 0, &answer));
}

/* Granule i of word w trades places with granule w of word i. */
TEST_F(slot, gt4)
{
	enum { ENTRIES = WORDS / 4 };
	struct kohaku_op op = op_xform(self, 2, WORDS, ENTRIES);

	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, WORDS);
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	for (int e = 0; e < ENTRIES; e++)
		for (int i = 0; i < 4; i++)
			for (int w = 0; w < 4; w++)
				ASSERT_EQ(0, memcmp(self->seen + 128 * e + 32 * i + 8 * w,
						    self->bytes + 128 * e + 32 * w + 8 * i, 8));
}

TEST_F(slot, bypass)
{
	struct kohaku_op op = op_xform(self, 0, WORDS, WORDS / 4);

	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, WORDS);
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->bytes, SIZE));
}

/* F07: no partial entries, none that is not aligned, none with a window. */
TEST_F(slot, refused)
{
	struct kohaku_op good = op_xform(self, 1, 64, 8), op;

	test_submit(self->fd, &good, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 32);
	for (__u32 words = 57; words < 64; words++) {
		op = op_xform(self, 1, words, 8);
		test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	}
	op = good;
	op.move.dst.offset = WORD;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = good;
	op.move.dst.dims[0].stride = 3 * WORD;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = good;
	/* All of it padding: a fault in hardware. */
	op.move.src.windows[0] = (struct kohaku_window){ .base = 1, .extent = 1 };
	EXPECT_REFUSED(_test_submit(self->fd, &op, 1, 0, &self->submit));
	op = good;
	op.move.xform = 6;
	EXPECT_NE(0, _test_submit(self->fd, &op, 1, 0, &self->submit));
	op.move.xform = 16;
	EXPECT_NE(0, _test_submit(self->fd, &op, 1, 0, &self->submit));
	/* The last entry would end behind the buffer. */
	op = good;
	op.move.dst.offset = 2 * SIZE - 7 * 128;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	/* And the next job is as good as the first. */
	test_submit(self->fd, &good, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 32);
}

static void check_palette(struct __test_metadata *_metadata, FIXTURE_DATA(slot) *self, int fd,
			  __u32 src, __u32 dst, const __u16 *table)
{
	struct kohaku_op op = op_xform(self, PALETTE, 64, 32);
	__u16 out[64 * WORD];

	op.move.src.buffer = src;
	op.move.dst.buffer = dst;
	test_submit(fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
	test_read(fd, dst, 0, sizeof(out), out);
	for (int n = 0; n < 64 * WORD; n++)
		ASSERT_EQ(table[self->bytes[n]], out[n]);
}

TEST_F(slot, palette)
{
	struct kohaku_slot_query answer;
	__u16 table[256], seen[256];
	struct kohaku_op op;

	ASSERT_EQ(0, query(self->fd, PALETTE, table, 256, &answer));
	EXPECT_EQ(0x0000, table[0]);
	EXPECT_EQ(0x1c04, table[1]);
	EXPECT_EQ(0x3804, table[128]);
	EXPECT_EQ(0x3c00, table[255]);
	check_palette(_metadata, self, self->fd, self->src, self->dst, table);
	for (int i = 0; i < 256; i++)
		table[i] = i < 16 ? table[i] : 0x4000 + i;
	op = op_load(16, 240, table + 16);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_EQ(0, self->submit.completion.status);
	ASSERT_EQ(0, query(self->fd, PALETTE, seen, 256, &answer));
	EXPECT_EQ(0, memcmp(table, seen, sizeof(table)));
	check_palette(_metadata, self, self->fd, self->src, self->dst, table);
	EXPECT_EQ(EMSGSIZE, query(self->fd, PALETTE, seen, 255, &answer));
	EXPECT_EQ(256, answer.table_count);
	EXPECT_EQ(EFAULT, query(self->fd, PALETTE, (void *)-4096L, 256, &answer));
}

/* What was loaded since the last transform is what the next one finds. */
TEST_F(slot, tables_change_between_transforms)
{
	__u16 table[256];
	struct kohaku_op op;

	for (unsigned int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 256; i++)
			table[i] = 0x100 * round + i;
		op = op_load(0, 256, table);
		test_submit(self->fd, &op, 1, 0, &self->submit);
		ASSERT_EQ(0, self->submit.completion.status);
		check_palette(_metadata, self, self->fd, self->src, self->dst, table);
	}
}

/* A table of one file never reaches another, in whatever order they run. */
TEST_F(slot, tables_are_private)
{
	struct kohaku_slot_query answer;
	int other = open_node(_metadata);
	__u16 mine[256], theirs[256];
	struct kohaku_op op;
	__u32 src, dst;

	test_alloc(other, KOHAKU_TIER_DRAM, SIZE, &src);
	test_alloc(other, KOHAKU_TIER_DRAM, 2 * SIZE, &dst);
	test_write(other, src, 0, SIZE, self->bytes);
	for (int i = 0; i < 256; i++)
		mine[i] = 0x1000 + i;
	ASSERT_EQ(0, query(other, PALETTE, theirs, 256, &answer));
	op = op_load(0, 256, mine);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	for (unsigned int i = 0; i < 3; i++) {
		check_palette(_metadata, self, other, src, dst, theirs);
		check_palette(_metadata, self, self->fd, self->src, self->dst, mine);
	}
	close(self->fd);
	check_palette(_metadata, self, other, src, dst, theirs);
	self->fd = other;
}

/* A03 */
TEST_F(slot, load_refused)
{
	static const __u16 values[257];
	struct kohaku_op good = op_load(0, 256, values), op;

	op = good;
	op.slot_load.count = 0;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op.slot_load.count = 257;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op.slot_load.count = UINT32_MAX;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = good;
	op.slot_load.first = 1;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op.slot_load.first = UINT32_MAX;
	op.slot_load.count = 2;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	for (__u32 occupant = 0; occupant < 17; occupant++) {
		op = good;
		op.slot_load.occupant = occupant;
		if (occupant != PALETTE)
			EXPECT_NE(0, _test_submit(self->fd, &op, 1, 0, &self->submit));
	}
	op = good;
	op.slot_load.values = 0;
	test_err_submit(EFAULT, self->fd, &op, 1, 0, &self->submit);
	op = good;
	op.slot_load.__reserved = 1;
	test_err_submit(EOPNOTSUPP, self->fd, &op, 1, 0, &self->submit);
	op = good;
	op.move.dst.ndim = 1;
	EXPECT_REFUSED(_test_submit(self->fd, &op, 1, 0, &self->submit));
}

/* F06: a transform that stops in the middle of an entry leaves nothing of it behind. */
FIXTURE(half_entry)
{
	struct sim_node node;
	int fd;
	__u32 src, dst;
	unsigned char bytes[SIZE], good[SIZE], seen[SIZE];
	struct kohaku_submit submit;
};

FIXTURE_SETUP(half_entry)
{
	__u64 seed = 0x4a1f;

	make_node(_metadata, &self->node, "kselftest-half", 1);
	if (knob_write(self->node.path, 0, "error_at_beat", "0")) {
		sim_destroy(&self->node);
		SKIP_SETUP("no debugfs knobs");
	}
	self->fd = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->dst);
	random_bytes(&seed, self->bytes, SIZE);
	test_write(self->fd, self->src, 0, SIZE, self->bytes);
}

FIXTURE_TEARDOWN(half_entry)
{
	close(self->fd);
	sim_destroy(&self->node);
}

/* F06 */
TEST_F(half_entry, is_forgotten)
{
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 64), walk_linear(self->dst, 0, 8));

	op.move.mode = KOHAKU_MOVE_XFORM;
	op.move.xform = QUANTISE;
	op.move.dst.dims[0].stride = 4 * WORD;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 32);
	test_read(self->fd, self->dst, 0, SIZE, self->good);
	for (unsigned int beat = 1; beat <= 24; beat++) {
		char text[12];

		snprintf(text, sizeof(text), "%u", beat);
		ASSERT_EQ(0, knob_write(self->node.path, 0, "error_at_beat", text));
		test_submit(self->fd, &op, 1, 0, &self->submit);
		EXPECT_EQ(KOHAKU_FAULT_AXI, self->submit.completion.fault);
		ASSERT_EQ(0, knob_write(self->node.path, 0, "error_at_beat", "0"));
		test_submit(self->fd, &op, 1, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, 32);
		test_read(self->fd, self->dst, 0, SIZE, self->seen);
		ASSERT_EQ(0, memcmp(self->seen, self->good, SIZE)) {
			TH_LOG("after an error at beat %u", beat);
		}
	}
}

TEST_HARNESS_MAIN
