// SPDX-License-Identifier: GPL-2.0
/*
 * COPY and FILL against the model in move_model.h: windows, padding,
 * suppression, bursts, and what a misaligned destination leaves behind.
 */
#include "move_model.h"

#define SIZE (64 * 1024)
#define WORDS (SIZE / WORD)

FIXTURE(move)
{
	int fd;
	struct kohaku_info info;
	__u32 src, dst;
	unsigned char *src_model, *dst_model, *seen;
	struct kohaku_submit submit;
	__u64 seed;
};

FIXTURE_VARIANT(move)
{
	__u32 src_tier, dst_tier;
};

FIXTURE_VARIANT_ADD(move, dram) {
	.src_tier = KOHAKU_TIER_DRAM, .dst_tier = KOHAKU_TIER_DRAM,
};
FIXTURE_VARIANT_ADD(move, into_staging) {
	.src_tier = KOHAKU_TIER_DRAM, .dst_tier = KOHAKU_TIER_STAGING,
};
FIXTURE_VARIANT_ADD(move, out_of_staging) {
	.src_tier = KOHAKU_TIER_STAGING, .dst_tier = KOHAKU_TIER_DRAM,
};

FIXTURE_SETUP(move)
{
	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
	self->seed = random_seed();
	TH_LOG("KOHAKU_SEED=%#llx", self->seed);
	test_alloc(self->fd, variant->src_tier, SIZE, &self->src);
	test_alloc(self->fd, variant->dst_tier, SIZE, &self->dst);
	self->src_model = malloc(SIZE);
	self->dst_model = malloc(SIZE);
	self->seen = malloc(SIZE);
	random_bytes(&self->seed, self->src_model, SIZE);
	memset(self->dst_model, 0xcc, SIZE);
	test_write(self->fd, self->src, 0, SIZE, self->src_model);
	test_write(self->fd, self->dst, 0, SIZE, self->dst_model);
}

FIXTURE_TEARDOWN(move)
{
	free(self->src_model);
	free(self->dst_model);
	free(self->seen);
	close(self->fd);
}

/* Runs a move in both worlds and compares every byte of both buffers. */
#define run_and_compare(op) do {						\
	struct model_result _model = model_move(&(op)->move, self->src_model,	\
						self->dst_model);		\
	test_submit(self->fd, op, 1, 0, &self->submit);				\
	ASSERT_EQ(_model.misaligned ? -EIO : 0, self->submit.completion.status);\
	ASSERT_EQ(_model.words, self->submit.completion.words);			\
	test_read(self->fd, self->dst, 0, SIZE, self->seen);			\
	ASSERT_EQ(0, memcmp(self->dst_model, self->seen, SIZE));		\
	test_read(self->fd, self->src, 0, SIZE, self->seen);			\
	ASSERT_EQ(0, memcmp(self->src_model, self->seen, SIZE));		\
	if (self->info.out_caps & KOHAKU_CAP_COUNTERS && !_model.misaligned) {	\
		ASSERT_EQ(_model.reads, self->submit.completion.read_beats);	\
		ASSERT_EQ(_model.words, self->submit.completion.write_beats);	\
	}									\
} while (0)

/* F04, B09: exact lengths, and offsets on both sides of a page end.  F02 */
TEST_F(move, lengths_and_offsets)
{
	static const __u32 words[] = { 1, 2, 3, 31, 32, 33, 127, 128, 129 };
	static const __u32 offsets[] = { 0, 32, 4064, 4096, 4096 + 32, 8192 - 64 };

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		for (unsigned int j = 0; j < ARRAY_SIZE(offsets); j++) {
			__u32 back = offsets[ARRAY_SIZE(offsets) - 1 - j];
			struct kohaku_op op = op_copy(walk_linear(self->src, offsets[j], words[i]),
						      walk_linear(self->dst, back, words[i]));

			run_and_compare(&op);
			EXPECT_EQ(1, self->submit.completion.ops_done);
		}
	}
}

/* F02: what starts or ends at, or a word or two beside, a page of 4 KiB. */
TEST_F(move, page_edges)
{
	static const __u32 words[] = { 1, 2, 3, 126, 127, 128, 129, 130, 255 };

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++) {
		for (__u32 from = 4096 - 2 * WORD; from <= 4096 + 2 * WORD; from += WORD) {
			struct kohaku_op op = op_copy(walk_linear(self->src, from, words[i]),
						      walk_linear(self->dst, 0, words[i]));

			op.move.dst.offset = 8192 - from;
			op.move.flags = i % 2 ? KOHAKU_MOVE_COALESCE : 0;
			run_and_compare(&op);
		}
	}
}

TEST_F(move, fill_widths)
{
	for (unsigned int width = 0; width < 3; width++) {
		struct kohaku_op op = op_fill(walk_linear(self->dst, width * 4096, 100),
					      0x89abcdef);

		op.move.width = width;
		run_and_compare(&op);
	}
}

/* One window of the destination suppresses, one of the source pads. */
TEST_F(move, windows_by_hand)
{
	struct kohaku_walker src = walk_linear(self->src, 0, 10);
	struct kohaku_walker dst = walk_linear(self->dst, 0, 10);
	struct kohaku_op op;

	src.dims[0].axis = 1;
	src.dims[0].step = 1;
	src.windows[0] = (struct kohaku_window){ .base = -2, .extent = 5 };
	dst.dims[0].axis = 2;
	dst.dims[0].step = 1;
	dst.windows[1] = (struct kohaku_window){ .base = 0, .extent = 9 };
	op = op_copy(src, dst);
	op.move.width = 0;
	op.move.imm = 0xffffff5a;
	run_and_compare(&op);

	/* Words 0, 1 and 7, 8 are padding, 2..6 data, 9 is left alone. */
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0x5a, 2 * WORD));
	EXPECT_EQ(0, memcmp(self->seen + 2 * WORD, self->src_model + 2 * WORD, 5 * WORD));
	EXPECT_TRUE(all_bytes(self->seen + 7 * WORD, 0x5a, 2 * WORD));
	EXPECT_TRUE(all_bytes(self->seen + 9 * WORD, 0xcc, WORD));
	EXPECT_EQ(9, self->submit.completion.words);
}

/* From 32768 on an extent only says "not negative". */
TEST_F(move, large_extent)
{
	static const __u32 extents[] = { 1, 5, 32767, 32768, 65535 };

	for (unsigned int i = 0; i < ARRAY_SIZE(extents); i++) {
		struct kohaku_walker dst = walk_linear(self->dst, 0, 8);
		struct kohaku_op op;

		dst.dims[0].axis = 1;
		dst.dims[0].step = 1;
		dst.windows[0] = (struct kohaku_window){ .base = -3, .extent = extents[i] };
		op = op_fill(dst, i * 0x01010101);
		run_and_compare(&op);
		EXPECT_EQ(extents[i] < 5 ? extents[i] : 5, self->submit.completion.words);
	}
}

static void random_walker(__u64 *seed, struct kohaku_walker *walker, __u32 buffer, bool windows)
{
	memset(walker, 0, sizeof(*walker));
	walker->buffer = buffer;
	walker->ndim = 1 + random_below(seed, KOHAKU_MAX_DIMS);
	for (__u32 k = 0; k < walker->ndim; k++) {
		struct kohaku_dim *dim = &walker->dims[k];
		__s32 reach = random_below(seed, 4) ? 40 : 3;

		dim->count = 1 + random_below(seed, walker->ndim > 3 ? 4 : 9);
		dim->stride = ((__s32)random_below(seed, 2 * reach + 1) - reach) * WORD;
		if (windows) {
			dim->axis = random_below(seed, 3);
			dim->step = (__s32)random_below(seed, 7) - 3;
		}
	}
	for (int axis = 0; windows && axis < 2; axis++) {
		walker->windows[axis].base = (__s32)random_below(seed, 13) - 6;
		walker->windows[axis].extent = random_below(seed, 12);
	}
	walker->offset = random_below(seed, WORDS) * WORD;
}

/* A random walk whose first elements stay in the buffer. */
static void legal_walker(__u64 *seed, struct kohaku_walker *walker, __u32 buffer, bool windows,
			 __u64 elements)
{
	do
		random_walker(seed, walker, buffer, windows);
	while (model_elements(walker) < elements || model_elements(walker) > 1024 ||
	       !model_bounded(walker, elements ? elements : model_elements(walker), SIZE));
}

static struct kohaku_op random_move(__u64 *seed, __u32 src, __u32 dst, bool windows)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_MOVE };
	struct kohaku_move *move = &op.move;

	move->mode = random_below(seed, 4) ? KOHAKU_MOVE_COPY : KOHAKU_MOVE_FILL;
	move->width = random_below(seed, 3);
	move->imm = random_next(seed);
	move->flags = random_below(seed, 2) ? KOHAKU_MOVE_COALESCE : 0;
	move->burst_cap = random_below(seed, 8);
	legal_walker(seed, &move->dst, dst, windows, 0);
	if (move->mode == KOHAKU_MOVE_COPY)
		legal_walker(seed, &move->src, src, windows, model_elements(&move->dst));
	return op;
}

TEST_F_TIMEOUT(move, random_plain, 120)
{
	for (unsigned int i = 0; i < 150; i++) {
		struct kohaku_op op = random_move(&self->seed, self->src, self->dst, false);

		run_and_compare(&op);
	}
}

TEST_F_TIMEOUT(move, random_windows, 120)
{
	for (unsigned int i = 0; i < 300; i++) {
		struct kohaku_op op = random_move(&self->seed, self->src, self->dst, true);

		run_and_compare(&op);
	}
}

/* Nothing of a move's configuration reaches the next: the stale window trap. */
TEST_F(move, nothing_stays_behind)
{
	struct kohaku_walker narrow = walk_linear(self->dst, 0, 64);
	struct kohaku_op ops[2];

	narrow.dims[0].axis = 1;
	narrow.dims[0].step = 1;
	narrow.windows[0] = (struct kohaku_window){ .base = -60, .extent = 2 };
	narrow.windows[1] = (struct kohaku_window){ .base = 5, .extent = 3 };
	ops[0] = op_fill(narrow, 0x11111111);
	ops[1] = op_fill(walk_linear(self->dst, 0, 64), 0x22222222);
	ops[1].move.dst.dims[0].axis = 1;
	ops[1].move.dst.dims[0].step = 1;
	test_submit(self->fd, ops, 2, 0, &self->submit);
	/* The first: axis B has no dimension, 5 is outside 0..2, so nothing. */
	ASSERT_DONE(&self->submit.completion, 64);
	EXPECT_EQ(2, self->submit.completion.ops_done);
	test_read(self->fd, self->dst, 0, 65 * WORD, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0x22, 64 * WORD));
	EXPECT_TRUE(all_bytes(self->seen + 64 * WORD, 0xcc, WORD));
}

/* Bursts that hardware is known to make of these moves. */
TEST_F(move, bursts)
{
	static const struct {
		__u32 words, flags, cap, reads, writes;
	} cases[] = {
		{ 1000, KOHAKU_MOVE_COALESCE, 0, 8, 8 },
		{ 2048, KOHAKU_MOVE_COALESCE, 0, 16, 16 },
		{ 2048, KOHAKU_MOVE_COALESCE, 1, 2048, 2048 },
		{ 128, KOHAKU_MOVE_COALESCE, 4, 16, 16 },
		{ 100, 0, 0, 1, 100 },
	};

	if (!(self->info.out_caps & KOHAKU_CAP_COUNTERS))
		SKIP(return, "this node does not count bursts");
	if (variant->src_tier != variant->dst_tier)
		SKIP(return, "page ends of staging buffers are not known");
	for (unsigned int i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kohaku_op op = op_copy(walk_linear(self->src, 0, cases[i].words),
					      walk_linear(self->dst, 0, cases[i].words));

		op.move.flags = cases[i].flags;
		op.move.burst_cap = cases[i].cap;
		run_and_compare(&op);
		EXPECT_EQ(cases[i].reads, self->submit.completion.read_bursts);
		EXPECT_EQ(cases[i].writes, self->submit.completion.write_bursts);
		EXPECT_LT(0, self->submit.completion.cycles);
	}
}

/* Written words are proven where VERIFY is set, and the bytes stay the move's.  B08 */
TEST_F(move, verify)
{
	for (unsigned int i = 0; i < 100; i++) {
		struct kohaku_op op = random_move(&self->seed, self->src, self->dst, true);

		op.flags = KOHAKU_OP_VERIFY;
		run_and_compare(&op);
	}
}

/* F01, F05: fault 6 at the element, everything before it done, nothing after. */
TEST_F(move, misaligned_destination)
{
	static const __u32 off[] = { 1, 2, 4, 8, 16, 31 };

	for (unsigned int i = 0; i < ARRAY_SIZE(off); i++) {
		struct kohaku_op op = op_copy(walk_linear(self->src, 0, 24),
					      walk_linear(self->dst, 4096, 8));
		struct kohaku_fault_read fault;

		/* 3 x 8; the first element of the second row is misaligned. */
		op.move.dst.ndim = 2;
		op.move.dst.dims[1] = op.move.dst.dims[0];
		op.move.dst.dims[0] = (struct kohaku_dim){ .stride = 1024 + off[i], .count = 3 };
		run_and_compare(&op);
		EXPECT_EQ(8, self->submit.completion.words);
		EXPECT_EQ(KOHAKU_FAULT_ALIGN, self->submit.completion.fault);
		EXPECT_EQ(0, self->submit.completion.fault_index);
		EXPECT_EQ(0, self->submit.completion.ops_done);

		test_fault_read(self->fd, 0, &fault);
		EXPECT_EQ(KOHAKU_FAULT_ALIGN, fault.out_code);
		EXPECT_EQ(i + 1, fault.out_count);
		EXPECT_EQ(self->submit.out_job, fault.out_job);
		EXPECT_EQ(8, fault.out_element);
		EXPECT_EQ(1, fault.out_indices[0]);
		EXPECT_EQ(0, fault.out_indices[1]);
		EXPECT_EQ(8 * WORD, fault.out_src_offset);
		EXPECT_EQ(4096 + 1024 + off[i], fault.out_dst_offset);
		EXPECT_EQ(8, fault.out_words);
	}
}

/* Misaligned from the first element on: no word at all.  F05 */
TEST_F(move, misaligned_at_once)
{
	for (unsigned int off = 1; off < WORD; off++) {
		struct kohaku_op op = op_fill(walk_linear(self->dst, off, 4), 0);

		run_and_compare(&op);
		EXPECT_EQ(0, self->submit.completion.words);
		EXPECT_EQ(KOHAKU_FAULT_ALIGN, self->submit.completion.fault);
	}
}

/* Where it is suppressed, a misaligned element does no harm. */
TEST_F(move, misaligned_outside)
{
	struct kohaku_walker dst = walk_linear(self->dst, 0, 4);
	struct kohaku_op op;

	/* Elements 0, 1, 2, 3 at 0, 33, 66, 99; only the first is inside. */
	dst.dims[0].stride = WORD + 1;
	dst.dims[0].axis = 1;
	dst.dims[0].step = 1;
	dst.windows[0].extent = 1;
	op = op_fill(dst, 0x77777777);
	run_and_compare(&op);
	EXPECT_EQ(1, self->submit.completion.words);
	EXPECT_EQ(0, self->submit.completion.fault);
}

/* A07: four GiB moved, though only one page is there. */
TEST_F_TIMEOUT(move, more_than_4gib, 300)
{
	struct kohaku_walker dst = walk_linear(self->dst, 0, 2);
	struct kohaku_op op;

	if (!getenv("KOHAKU_SLOW"))
		SKIP(return, "takes long: set KOHAKU_SLOW");
	dst.ndim = 3;
	dst.dims[0] = (struct kohaku_dim){ .stride = 0, .count = 2049 };
	dst.dims[1] = (struct kohaku_dim){ .stride = 0, .count = 32768 };
	dst.dims[2] = (struct kohaku_dim){ .stride = WORD, .count = 2 };
	op = op_fill(dst, 0x12345678);
	submit_init(&self->submit, &op, 1, 0);
	self->submit.timeout_ns = UINT64_MAX;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	ASSERT_DONE(&self->submit.completion, 2049ULL * 65536);
	if (self->info.out_caps & KOHAKU_CAP_COUNTERS)
		EXPECT_EQ(2049ULL * 65536, self->submit.completion.write_beats);
}

TEST_HARNESS_MAIN
