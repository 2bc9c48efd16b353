// SPDX-License-Identifier: GPL-2.0
/*
 * RELAYOUT on the vector core: plans against a model of their own, what is
 * refused, how a fault of the core is reported.  The golden conversions have a
 * program of their own.
 */
#include "node_fs.h"

#define WORDS 512
#define SIZE (WORDS * WORD)
#define RUNS_MAX 16

FIXTURE(relayout)
{
	struct sim_node node;
	int fd;
	__u32 src, dst, staging, far;
	unsigned char bytes[WORDS][WORD], expected[WORDS][WORD], seen[WORDS][WORD];
	__u32 starts[RUNS_MAX];
	struct kohaku_submit submit;
};

FIXTURE_SETUP(relayout)
{
	struct kohaku_buf_alloc alloc;
	struct kohaku_info info;
	__u64 seed = 0x7e1a;

	make_node(_metadata, &self->node, "kselftest-relayout", 2);
	self->fd = open_sim(_metadata, &self->node);
	test_info(self->fd, &info);
	ASSERT_NE(0, info.out_caps & KOHAKU_CAP_VECTOR);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->dst);
	test_alloc(self->fd, KOHAKU_TIER_STAGING, SIZE, &self->staging);
	test_alloc_on(self->fd, 1, KOHAKU_TIER_DRAM, 0, SIZE, &alloc);
	self->far = alloc.out_buffer;
	random_bytes(&seed, self->bytes, SIZE);
	test_write(self->fd, self->src, 0, SIZE, self->bytes);
}

FIXTURE_TEARDOWN(relayout)
{
	close(self->fd);
	sim_destroy(&self->node);
}

/* Four runs of 32 words, each written with its words in four rows of eight turned. */
static struct kohaku_op op_turn(FIXTURE_DATA(relayout) *self)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_RELAYOUT };

	op.relayout = (struct kohaku_relayout){
		.mode = KOHAKU_RELAYOUT_DRAIN,
		.words = 32,
		.runs = 4,
		.count = 1,
		.starts = user_address(self->starts),
		.ndim = 2,
		.dims = { { WORD, 4 }, { 4 * WORD, 8 } },
		.src_buffer = self->src,
		.dst_buffer = self->dst,
	};
	for (__u32 run = 0; run < 4; run++)
		self->starts[run] = (3 - run) * 32;
	return op;
}

/* The word of the walked side that word i of a run is paired with. */
static __u32 walk_at(const struct kohaku_relayout *plan, const __u32 *starts, __u32 run, __u32 i)
{
	long at = plan->starts ? starts[run] : run * plan->words;

	for (int dim = plan->ndim - 1; dim >= 0; dim--) {
		at += plan->dims[dim].stride / WORD * (long)(i % plan->dims[dim].count);
		i /= plan->dims[dim].count;
	}
	return at;
}

static void transpose_fours(unsigned char (*words)[WORD], __u32 count)
{
	unsigned char from[4][WORD];

	for (; count; count -= 4, words += 4) {
		memcpy(from, words, sizeof(from));
		for (int i = 0; i < 4; i++)
			for (int j = 0; j < 4; j++)
				memcpy(words[i] + 8 * j, from[j] + 8 * i, 8);
	}
}

/* What a plan writes, from self->bytes to self->expected. */
static void expect_plan(FIXTURE_DATA(relayout) *self, const struct kohaku_relayout *plan)
{
	bool fill = plan->mode == KOHAKU_RELAYOUT_FILL;
	unsigned char words[256][WORD];

	for (__u32 block = 0; block < plan->count; block++)
		for (__u32 run = 0; run < plan->runs; run++) {
			__u64 src = (plan->src_offset + block * plan->src_stride) / WORD;
			__u64 dst = (plan->dst_offset + block * plan->dst_stride) / WORD;

			for (__u32 i = 0; i < plan->words; i++)
				memcpy(words[i], self->bytes[src + (fill ?
				       walk_at(plan, self->starts, run, i) :
				       run * plan->words + i)], WORD);
			if (plan->flags & KOHAKU_RELAYOUT_TRANSPOSE)
				transpose_fours(words, plan->words);
			for (__u32 i = 0; i < plan->words; i++)
				memcpy(self->expected[dst + (fill ? run * plan->words + i :
				       walk_at(plan, self->starts, run, i))], words[i], WORD);
		}
}

TEST_F(relayout, turns_words)
{
	struct kohaku_op op = op_turn(self);

	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
	expect_plan(self, &op.relayout);
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, SIZE));
	/* 8 instructions, 16 descriptor fields, 3 packets a run; 14 cycles a run. */
	EXPECT_EQ(8 + 16 + 3 * 4, self->submit.completion.flits);
	EXPECT_EQ(4 * 14 + 36 - 4, self->submit.completion.core_cycles);
	EXPECT_EQ(128, self->submit.completion.read_beats);
	EXPECT_LT(self->submit.completion.core_cycles, self->submit.completion.cycles);
}

/* A plan of random shape, which permutes the words of each of its blocks. */
static struct kohaku_op op_random(FIXTURE_DATA(relayout) *self, __u64 *seed)
{
	struct kohaku_op op = op_turn(self);
	struct kohaku_relayout *plan = &op.relayout;
	__u32 rows = 1 << random_below(seed, 4), cols = 16 / rows << random_below(seed, 2);

	plan->mode = random_below(seed, 2);
	plan->flags = random_below(seed, 2) ? KOHAKU_RELAYOUT_TRANSPOSE : 0;
	plan->words = rows * cols;
	plan->runs = 1 + random_below(seed, 4);
	plan->count = 1 + random_below(seed, 2);
	plan->dims[0] = (struct kohaku_relayout_dim){ WORD, rows };
	plan->dims[1] = (struct kohaku_relayout_dim){ rows * WORD, cols };
	plan->src_offset = WORD * random_below(seed, 16);
	plan->dst_offset = WORD * random_below(seed, 16);
	plan->src_stride = (__u64)plan->words * plan->runs * WORD;
	plan->dst_stride = plan->src_stride + WORD * random_below(seed, 8);
	for (__u32 run = 0; run < plan->runs; run++)
		self->starts[run] = (plan->runs - 1 - run) * plan->words;
	return op;
}

TEST_F(relayout, random_plans)
{
	__u64 seed = random_seed();

	TH_LOG("KOHAKU_SEED=%llu", (unsigned long long)seed);
	memset(self->expected, 0, SIZE);
	for (int round = 0; round < 300; round++) {
		struct kohaku_op op = op_random(self, &seed);

		op.relayout.dst_buffer = round % 2 ? self->staging : self->dst;
		if (round < 2)
			memset(self->expected, 0, SIZE);
		test_read(self->fd, op.relayout.dst_buffer, 0, SIZE, self->expected);
		expect_plan(self, &op.relayout);
		test_submit(self->fd, &op, 1, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion,
			    op.relayout.words * op.relayout.runs * op.relayout.count);
		test_read(self->fd, op.relayout.dst_buffer, 0, SIZE, self->seen);
		ASSERT_EQ(0, memcmp(self->seen, self->expected, SIZE));
	}
}

TEST_F(relayout, in_place_and_back_by_a_copy)
{
	struct kohaku_op ops[2] = { op_turn(self), op_turn(self) };

	/* Into staging, and from there over the source as it is. */
	ops[0].relayout.dst_buffer = self->staging;
	ops[1].relayout = (struct kohaku_relayout){
		.words = 128, .runs = 1, .count = 1, .ndim = 1, .dims = { { WORD, 128 } },
		.src_buffer = self->staging, .dst_buffer = self->src,
	};
	memcpy(self->expected, self->bytes, SIZE);
	expect_plan(self, &ops[0].relayout);
	test_submit(self->fd, ops, 2, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 256);
	test_read(self->fd, self->src, 0, SIZE, self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, SIZE));

	/* Without moving runs it works in the buffer itself. */
	memcpy(self->bytes, self->seen, SIZE);
	ops[0] = op_turn(self);
	ops[0].relayout.starts = 0;
	ops[0].relayout.flags = KOHAKU_RELAYOUT_IN_PLACE;
	ops[0].relayout.dst_buffer = self->src;
	expect_plan(self, &ops[0].relayout);
	test_submit(self->fd, ops, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
	test_read(self->fd, self->src, 0, SIZE, self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, SIZE));
}

/* Refused with err, and no word of the destination changes. */
static void refuse(struct __test_metadata *_metadata, FIXTURE_DATA(relayout) *self, int err,
		   const struct kohaku_op *op)
{
	struct kohaku_op ops[2] = { op_fill(walk_linear(self->dst, 0, WORDS), 0x12345678), *op };

	test_err_submit(err, self->fd, ops, 2, 0, &self->submit);
	EXPECT_EQ(1, self->submit.out_index);
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0, SIZE));
}

#define REFUSED(err, change) do {			\
	struct kohaku_op op = op_turn(self);		\
	struct kohaku_relayout *plan = &op.relayout;	\
	(void)plan;					\
	change;						\
	refuse(_metadata, self, err, &op);		\
} while (0)

TEST_F(relayout, unknown_fields)
{
	REFUSED(EOPNOTSUPP, plan->mode = 2);
	REFUSED(EOPNOTSUPP, plan->flags = 1 << 2);
	REFUSED(EOPNOTSUPP, plan->flags = 1 << 15);
	REFUSED(EOPNOTSUPP, op.flags = KOHAKU_OP_VERIFY);
	/* What lies behind it in the union. */
	REFUSED(EOPNOTSUPP, ((unsigned char *)&op)[sizeof(op) - 1] = 1);
	REFUSED(EOPNOTSUPP, ((unsigned char *)plan)[sizeof(*plan)] = 1);
}

TEST_F(relayout, plans_that_are_none)
{
	REFUSED(EINVAL, plan->words = 0);
	REFUSED(EINVAL, plan->words = 33);
	REFUSED(EINVAL, plan->words = 31);
	REFUSED(EINVAL, plan->runs = 0);
	REFUSED(EINVAL, plan->runs = KOHAKU_RELAYOUT_RUNS + 1);
	REFUSED(EINVAL, plan->runs = ~0U);
	REFUSED(EINVAL, plan->count = 0);
	REFUSED(EINVAL, plan->ndim = 1);
	REFUSED(EINVAL, plan->ndim = 3);
	REFUSED(EINVAL, plan->ndim = 5);
	REFUSED(EINVAL, plan->dims[3].stride = WORD);
	REFUSED(EINVAL, plan->dims[0].count = 0);
	REFUSED(EINVAL, plan->dims[0].count = 1U << 31);
	REFUSED(EINVAL, plan->dims[1].stride = 4 * WORD + 8);
	/* One beyond what a descriptor of the core can say. */
	REFUSED(EINVAL, plan->dims[1].stride = 131072);
	REFUSED(EINVAL, plan->dims[1].stride = -131072 - WORD);
	REFUSED(EINVAL, (plan->words = 512, plan->dims[1].count = 128, plan->runs = 1));
	/* The transpose takes words in fours, 16 at a time. */
	REFUSED(EINVAL, (plan->words = 8, plan->dims[1].count = 2,
			 plan->flags = KOHAKU_RELAYOUT_TRANSPOSE));
	REFUSED(EFAULT, plan->starts = 8);
}

TEST_F(relayout, bounds)
{
	REFUSED(EINVAL, self->starts[3] = 97);
	REFUSED(EINVAL, self->starts[0] = 97);
	REFUSED(EINVAL, self->starts[2] = ~0U);
	REFUSED(EINVAL, (plan->dims[1].stride = -WORD, self->starts[3] = 6));
	REFUSED(EINVAL, plan->src_offset = SIZE - 127 * WORD);
	REFUSED(EINVAL, plan->dst_offset = SIZE - 127 * WORD);
	REFUSED(EINVAL, plan->dst_offset = 8);
	REFUSED(EINVAL, plan->src_offset = -(__u64)WORD);
	REFUSED(EINVAL, plan->dst_offset = 1ULL << 63);
	REFUSED(EINVAL, (plan->count = 2, plan->src_stride = SIZE - 127 * WORD,
			 plan->dst_stride = 128 * WORD));
	REFUSED(EINVAL, (plan->count = 2, plan->dst_stride = SIZE - 127 * WORD));
	REFUSED(EINVAL, (plan->count = 2, plan->dst_stride = 127 * WORD));
	REFUSED(EINVAL, (plan->count = ~0U, plan->dst_stride = 128 * WORD));
	REFUSED(EINVAL, (plan->count = 3, plan->dst_stride = 1ULL << 63));
	REFUSED(EINVAL, (plan->count = 2, plan->src_stride = -128ULL * WORD,
			 plan->dst_stride = 128 * WORD));
}

TEST_F(relayout, the_last_words_of_a_buffer)
{
	struct kohaku_op op = op_turn(self);

	op.relayout.src_offset = SIZE - 128 * WORD;
	op.relayout.dst_offset = SIZE - 128 * WORD;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
	expect_plan(self, &op.relayout);
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_EQ(0, memcmp(self->seen, self->expected, SIZE));
}

TEST_F(relayout, places)
{
	/* Source and destination meet. */
	REFUSED(EINVAL, (plan->src_buffer = self->dst, plan->dst_offset = 127 * WORD));
	/* They are the same, but a run does not stay in its words. */
	REFUSED(EINVAL, (plan->src_buffer = self->dst, plan->flags = KOHAKU_RELAYOUT_IN_PLACE));
	REFUSED(EINVAL, (plan->src_buffer = self->dst, plan->flags = KOHAKU_RELAYOUT_IN_PLACE,
			 plan->starts = 0, plan->dims[0].stride = 0));
	/* They are said to be the same and are not. */
	REFUSED(EINVAL, (plan->flags = KOHAKU_RELAYOUT_IN_PLACE, plan->starts = 0));
	/* Another mesh's memory, as either side. */
	REFUSED(EINVAL, plan->src_buffer = self->far);
	REFUSED(EINVAL, plan->dst_buffer = self->far);
	REFUSED(EINVAL, op.mesh = 1);
	REFUSED(EINVAL, op.mesh = 2);
	REFUSED(ENOENT, plan->src_buffer = 0);
	REFUSED(ENOENT, plan->dst_buffer = 12345);
}

/* Buffers are known by the file that owns them only. */
TEST_F(relayout, other_files)
{
	int other = open_sim(_metadata, &self->node);
	struct kohaku_op op = op_turn(self);
	__u32 own;

	do {
		test_alloc(other, KOHAKU_TIER_DRAM, SIZE, &own);
	} while (own <= self->far);
	op.relayout.src_buffer = own;
	test_err_submit(ENOENT, self->fd, &op, 1, 0, &self->submit);
	op.relayout.src_buffer = self->src;
	op.relayout.dst_buffer = own;
	test_err_submit(ENOENT, self->fd, &op, 1, 0, &self->submit);
	close(other);
}

TEST_F(relayout, a_fault_of_the_core)
{
	struct kohaku_op op = op_turn(self);
	struct kohaku_fault_read fault;

	if (knob_write(self->node.path, 0, "error_at_beat", "0"))
		SKIP(return, "no debugfs knobs");
	/* The fifth word that the third run writes: two whole runs lie before it. */
	ASSERT_EQ(0, knob_write(self->node.path, 0, "error_at_beat", "165"));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_EQ(0, knob_write(self->node.path, 0, "error_at_beat", "0"));
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_VECTOR_MEMORY, self->submit.completion.fault);
	EXPECT_EQ(0, self->submit.completion.ops_done);
	test_fault_read(self->fd, 0, &fault);
	EXPECT_EQ(KOHAKU_FAULT_VECTOR_MEMORY, fault.out_code);
	EXPECT_EQ(2, fault.out_element);
	EXPECT_EQ(0, fault.out_indices[0]);
	EXPECT_EQ(2, fault.out_indices[1]);
	EXPECT_EQ(2 * 32 * WORD, fault.out_src_offset);
	EXPECT_EQ(1 * 32 * WORD, fault.out_dst_offset);
	EXPECT_EQ(0, fault.out_program_length);

	/* The core goes on with the next one. */
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
}

TEST_F(relayout, a_core_that_hangs_is_reset)
{
	struct kohaku_op op = op_turn(self);

	if (knob_write(self->node.path, 0, "hang", "1"))
		SKIP(return, "no debugfs knobs");
	submit_init(&self->submit, &op, 1, 0);
	self->submit.timeout_ns = 20000000;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	EXPECT_EQ(-ETIMEDOUT, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_TIMEOUT, self->submit.completion.fault);
	ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "0"));
	EXPECT_EQ(0, _test_reset(self->fd));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
}

TEST_HARNESS_MAIN
