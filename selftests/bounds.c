// SPDX-License-Identifier: GPL-2.0
/*
 * The exact bounds of a walk: what leaves its buffer by one word is refused, what
 * only seems to is not, and no arithmetic wraps.  A neighbour's bytes on either
 * side stay what they were.
 */
#include "move_model.h"

#define SIZE 4096
#define WORDS (SIZE / WORD)

FIXTURE(bounds)
{
	int fd;
	__u32 ids[5];		/* neighbours of each other in the node's memory */
	__u32 src, dst;
	struct kohaku_submit submit;
	__u64 seed;
};

FIXTURE_VARIANT(bounds)
{
	__u32 tier;
};

FIXTURE_VARIANT_ADD(bounds, dram) { .tier = KOHAKU_TIER_DRAM };
FIXTURE_VARIANT_ADD(bounds, staging) { .tier = KOHAKU_TIER_STAGING };

FIXTURE_SETUP(bounds)
{
	unsigned char canary[SIZE];

	self->fd = open_node(_metadata);
	for (unsigned int i = 0; i < ARRAY_SIZE(self->ids); i++) {
		test_alloc(self->fd, variant->tier, SIZE, &self->ids[i]);
		memset(canary, 0xa0 + i, SIZE);
		test_write(self->fd, self->ids[i], 0, SIZE, canary);
	}
	self->src = self->ids[1];
	self->dst = self->ids[3];
	self->seed = random_seed();
}

/* Whatever a test did: only dst may have changed. */
FIXTURE_TEARDOWN(bounds)
{
	unsigned char seen[SIZE];

	for (unsigned int i = 0; i < ARRAY_SIZE(self->ids); i++) {
		if (self->ids[i] == self->dst)
			continue;
		EXPECT_EQ(0, _test_read(self->fd, self->ids[i], 0, SIZE, seen));
		EXPECT_TRUE(all_bytes(seen, 0xa0 + i, SIZE)) {
			TH_LOG("buffer %u was touched", i);
		}
	}
	close(self->fd);
}

#define LEGAL(op, words) do {							\
	test_submit(self->fd, op, 1, 0, &self->submit);				\
	ASSERT_DONE(&self->submit.completion, words);				\
} while (0)
#define ILLEGAL(op) do {							\
	EXPECT_EQ(EINVAL, _test_submit(self->fd, op, 1, 0, &self->submit));	\
	EXPECT_EQ(0, self->submit.out_index);					\
} while (0)

/* A10: the last word of the buffer, and every byte beyond it. */
TEST_F(bounds, last_word)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, SIZE - WORD, 1), 0x11111111);

	LEGAL(&op, 1);
	for (unsigned int off = 1; off < WORD; off++) {
		op.move.dst.offset = SIZE - WORD + off;
		ILLEGAL(&op);
	}
	op = op_copy(walk_linear(self->src, SIZE - WORD, 1), walk_linear(self->dst, 0, 1));
	LEGAL(&op, 1);
	op.move.src.dims[0].count = 2;	/* never stepped to */
	LEGAL(&op, 1);
	op.move.dst.dims[0].count = 2;
	ILLEGAL(&op);
}

/* A02 */
TEST_F(bounds, either_end)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, 0, WORDS), 0x22222222);

	LEGAL(&op, WORDS);
	op.move.dst.offset = WORD;
	ILLEGAL(&op);
	op.move.dst.offset = 0;
	op.move.dst.dims[0].count = WORDS + 1;
	ILLEGAL(&op);
	/* Backwards. */
	op.move.dst.offset = SIZE - WORD;
	op.move.dst.dims[0] = (struct kohaku_dim){ .stride = -WORD, .count = WORDS };
	LEGAL(&op, WORDS);
	op.move.dst.offset = SIZE - 2 * WORD;
	ILLEGAL(&op);
	op.move.dst.offset = SIZE - WORD;
	op.move.dst.dims[0].count = WORDS + 1;
	ILLEGAL(&op);
}

/* Dimensions that leave only together. */
TEST_F(bounds, sum_of_dimensions)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, 0, 1), 0x33333333);
	struct kohaku_walker *dst = &op.move.dst;

	dst->ndim = 3;
	dst->dims[0] = (struct kohaku_dim){ .stride = 2048, .count = 2 };
	dst->dims[1] = (struct kohaku_dim){ .stride = 512, .count = 4 };
	dst->dims[2] = (struct kohaku_dim){ .stride = WORD, .count = 16 };
	LEGAL(&op, 128);
	dst->dims[2].count = 17;
	ILLEGAL(&op);
	dst->dims[2].count = 16;
	dst->dims[1].stride = -512;
	dst->offset = 1536;
	LEGAL(&op, 128);
	dst->offset = 1536 - WORD;
	ILLEGAL(&op);
	dst->offset = 1536 + WORD;
	ILLEGAL(&op);
}

/* A02: sums of products far beyond 2^31, 2^32, 2^40, and about 2^50. */
TEST_F(bounds, extreme_strides)
{
	static const __s64 strides[] = { INT32_MAX - 31, INT32_MIN, 1LL << 30, -(1LL << 30) };

	for (unsigned int i = 0; i < ARRAY_SIZE(strides); i++) {
		struct kohaku_op op = op_fill(walk_linear(self->dst, 0, 1), 0);
		struct kohaku_walker *dst = &op.move.dst;

		/* Never taken: the stride of a single index means nothing. */
		dst->dims[0] = (struct kohaku_dim){ .stride = strides[i], .count = 1 };
		LEGAL(&op, 1);
		dst->dims[0].count = 2;
		ILLEGAL(&op);
		dst->ndim = 6;
		for (int k = 0; k < 6; k++)
			dst->dims[k] = (struct kohaku_dim){ .stride = strides[i], .count = 65535 };
		ILLEGAL(&op);
		/* Sums that are 0 modulo 2^32. */
		memset(dst->dims, 0, sizeof(dst->dims));
		dst->ndim = 1;
		dst->dims[0] = (struct kohaku_dim){ .stride = strides[i], .count = 5 };
		ILLEGAL(&op);
		dst->ndim = 2;
		dst->dims[0] = (struct kohaku_dim){ .stride = INT32_MIN, .count = 2 };
		dst->dims[1] = (struct kohaku_dim){ .stride = INT32_MIN, .count = 2 };
		ILLEGAL(&op);
	}
}

/* A01, A11: offsets at which offset + length or the card's address wraps. */
TEST_F(bounds, extreme_offsets)
{
	for (unsigned int bit = 12; bit < 64; bit++) {
		for (int words = -1; words <= 1; words++) {
			__u64 offset = (1ULL << bit) + words * WORD;
			struct kohaku_op op;

			if (offset < SIZE)
				continue;
			op = op_fill(walk_linear(self->dst, offset, 1), 0);
			ILLEGAL(&op);
			op.move.dst.dims[0].count = 2;
			op.move.dst.dims[0].stride = -WORD;
			ILLEGAL(&op);
			op = op_copy(walk_linear(self->src, offset, 1),
				     walk_linear(self->dst, 0, 1));
			ILLEGAL(&op);
			op = op_fill(walk_linear(self->dst, 0 - offset, 1), 0);
			ILLEGAL(&op);
		}
	}
}

/* F08: a count is 1..65535, and nothing else. */
TEST_F(bounds, counts)
{
	static const __u32 bad[] = { 0, 65536, 65537, 1U << 28, (1U << 30) + 1, UINT32_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		struct kohaku_op op = op_fill(walk_linear(self->dst, 0, bad[i]), 0);

		op.move.dst.dims[0].stride = 0;
		ILLEGAL(&op);
		op.move.dst.ndim = 2;
		op.move.dst.dims[1].count = 1;
		ILLEGAL(&op);
	}
	for (unsigned int i = 1; i <= 65535; i = i * 2 + 1) {
		struct kohaku_op op = op_fill(walk_linear(self->dst, 0, i), 0);

		op.move.dst.dims[0].stride = 0;
		LEGAL(&op, i);
	}
}

/* A padded walk may lie outside as far as it likes: those words are not touched. */
TEST_F(bounds, padding_outside)
{
	struct kohaku_op op = op_copy(walk_linear(self->src, 0, 3), walk_linear(self->dst, 0, 3));
	struct kohaku_walker *src = &op.move.src;
	unsigned char seen[3 * WORD];

	op.move.width = 2;
	op.move.imm = 0x5a5a5a5a;
	src->dims[0] = (struct kohaku_dim){ .stride = WORD, .count = 3, .step = 1, .axis = 1 };
	/* The second and the third element lie behind the end, outside the window. */
	src->offset = SIZE - WORD;
	src->windows[0] = (struct kohaku_window){ .base = 0, .extent = 1 };
	LEGAL(&op, 3);
	test_read(self->fd, self->dst, 0, sizeof(seen), seen);
	EXPECT_TRUE(all_bytes(seen, 0xa1, WORD));
	EXPECT_TRUE(all_bytes(seen + WORD, 0x5a, 2 * WORD));
	src->windows[0].extent = 2;
	ILLEGAL(&op);
	/* Likewise 1 GiB before the beginning. */
	src->windows[0].extent = 1;
	src->dims[0].stride = -(1LL << 30);
	LEGAL(&op, 3);
	src->windows[0].extent = 2;
	ILLEGAL(&op);
	/* The first two outside, the last one inside. */
	src->offset = 0;
	src->dims[0].stride = SIZE / 2 - WORD;
	src->windows[0] = (struct kohaku_window){ .base = -2, .extent = 1 };
	LEGAL(&op, 3);
	src->dims[0].stride = SIZE / 2;
	ILLEGAL(&op);
}

/* The walk may even begin outside, as long as that element is padding. */
TEST_F(bounds, begins_outside)
{
	struct kohaku_op op = op_copy(walk_linear(self->src, -2 * WORD, 4),
				      walk_linear(self->dst, -2 * WORD, 4));
	struct kohaku_walker *src = &op.move.src, *dst = &op.move.dst;
	unsigned char seen[3 * WORD];

	ILLEGAL(&op);
	for (struct kohaku_walker *walker = src; walker; walker = walker == src ? dst : NULL) {
		walker->dims[0].axis = 1;
		walker->dims[0].step = 1;
		walker->windows[0] = (struct kohaku_window){ .base = -2, .extent = 2 };
	}
	LEGAL(&op, 2);
	test_read(self->fd, self->dst, 0, sizeof(seen), seen);
	EXPECT_TRUE(all_bytes(seen, 0xa1, 2 * WORD));
	EXPECT_TRUE(all_bytes(seen + 2 * WORD, 0xa3, WORD));
	dst->windows[0].base = -1;
	ILLEGAL(&op);
	dst->windows[0].base = -2;
	src->windows[0].base = -1;
	ILLEGAL(&op);
	/* Backwards from behind the end. */
	src->windows[0].base = -2;
	src->offset = SIZE + WORD;
	src->dims[0].stride = -WORD;
	LEGAL(&op, 2);
	/* Not from anywhere, though. */
	src->windows[0] = (struct kohaku_window){ .base = -32768, .extent = 1 };
	src->offset = -(1LL << 39);
	LEGAL(&op, 2);
	src->offset = -(1LL << 40);
	ILLEGAL(&op);
	src->offset = 1LL << 40;
	ILLEGAL(&op);
	src->offset = INT64_MIN;
	ILLEGAL(&op);
	src->offset = INT64_MAX - 31;
	ILLEGAL(&op);
}

/* The same of a destination: suppressed words may lie anywhere. */
TEST_F(bounds, suppressed_outside)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, SIZE - WORD, 65535), 0x44444444);
	struct kohaku_walker *dst = &op.move.dst;

	dst->dims[0].axis = 2;
	dst->dims[0].step = 1;
	dst->windows[1] = (struct kohaku_window){ .base = -32768, .extent = 1 };
	dst->dims[0].count = 32768;
	LEGAL(&op, 0);
	dst->windows[1].base = 0;
	LEGAL(&op, 1);
	dst->windows[1].extent = 2;
	ILLEGAL(&op);
	/* An axis that no dimension steps: all inside, or none. */
	dst->dims[0].axis = 0;
	dst->dims[0].step = 0;
	dst->windows[1] = (struct kohaku_window){ .base = 7, .extent = 7 };
	LEGAL(&op, 0);
	dst->windows[1].extent = 8;
	ILLEGAL(&op);
}

/* Two dimensions on one axis: inside only where their sum is. */
TEST_F(bounds, coupled_dimensions)
{
	struct kohaku_op op = op_fill(walk_linear(self->dst, 0, 1), 0x55555555);
	struct kohaku_walker *dst = &op.move.dst;

	dst->ndim = 2;
	dst->dims[0] = (struct kohaku_dim){ .stride = 1024, .count = 100, .step = 8, .axis = 1 };
	dst->dims[1] = (struct kohaku_dim){ .stride = WORD, .count = 32, .step = 1, .axis = 1 };
	/* 8 i + j < 32: at most i = 3, j = 7: byte 3 * 1024 + 7 * 32. */
	dst->windows[0] = (struct kohaku_window){ .base = 0, .extent = 32 };
	LEGAL(&op, 32 + 24 + 16 + 8);
	dst->windows[0].extent = 33;	/* i = 4, j = 0 comes in */
	ILLEGAL(&op);
}

static void any_walker(__u64 *seed, struct kohaku_walker *walker, __u32 buffer)
{
	memset(walker, 0, sizeof(*walker));
	walker->buffer = buffer;
	walker->ndim = 1 + random_below(seed, 4);
	for (__u32 k = 0; k < walker->ndim; k++) {
		struct kohaku_dim *dim = &walker->dims[k];

		dim->count = 1 + random_below(seed, 6);
		dim->stride = ((__s32)random_below(seed, 33) - 16) * WORD;
		if (!random_below(seed, 8))
			dim->stride *= 1 << random_below(seed, 20);
		dim->axis = random_below(seed, 3);
		dim->step = (__s32)random_below(seed, 9) - 4;
	}
	for (int axis = 0; axis < 2; axis++) {
		walker->windows[axis].base = (__s32)random_below(seed, 17) - 8;
		walker->windows[axis].extent = random_below(seed, 10);
	}
	walker->offset = ((__s32)random_below(seed, 3 * WORDS) - WORDS) * WORD;
}

/* Any walk at all: accepted if and only if every element inside is in the buffer.  A02 */
TEST_F_TIMEOUT(bounds, random_walks, 200)
{
	unsigned int accepted = 0, refused = 0;

	TH_LOG("KOHAKU_SEED=%#llx", self->seed);
	for (unsigned int i = 0; i < 4000; i++) {
		struct kohaku_op op = op_copy(walk_linear(self->src, 0, 1),
					      walk_linear(self->dst, 0, 1));
		__u64 elements;
		bool legal;
		int err;

		any_walker(&self->seed, &op.move.dst, self->dst);
		any_walker(&self->seed, &op.move.src, self->src);
		elements = model_elements(&op.move.dst);
		legal = model_elements(&op.move.src) >= elements &&
			model_bounded(&op.move.src, elements, SIZE) &&
			model_bounded(&op.move.dst, elements, SIZE);
		err = _test_submit(self->fd, &op, 1, 0, &self->submit);
		ASSERT_EQ(legal ? 0 : EINVAL, err) {
			TH_LOG("walk number %u", i);
		}
		if (legal)
			ASSERT_EQ(0, self->submit.completion.status);
		accepted += legal;
		refused += !legal;
	}
	/* Both kinds came up. */
	EXPECT_LT(100, accepted);
	EXPECT_LT(100, refused);
}

TEST_HARNESS_MAIN
