// SPDX-License-Identifier: GPL-2.0
/*
 * GATHER: rows of a source in the order of a list of numbers, how long that list
 * may be and where it may lie.
 */
#include "kohaku_test.h"

#include <sys/mman.h>

/* A page, so that a buffer of them ends with the last row. */
#define ROWS 128
#define SIZE (ROWS * WORD)
/* What the mover's store holds. */
#define MOST 2048

FIXTURE(gather)
{
	int fd;
	__u32 src, dst;
	unsigned char bytes[SIZE], seen[MOST * WORD];
	__u32 list[MOST + 1];
	struct kohaku_op op;
	struct kohaku_submit submit;
};

/* Rows of one word, as the first words of the destination. */
static void set_list(FIXTURE_DATA(gather) *self, const void *list, __u32 count)
{
	struct kohaku_move *move = &self->op.move;

	self->op = op_copy((struct kohaku_walker){ .buffer = self->src },
			   walk_linear(self->dst, 0, count));
	move->mode = KOHAKU_MOVE_GATHER;
	move->indices = user_address(list);
	move->index_count = count;
	move->pitch = WORD;
	move->row_words = 1;
}

FIXTURE_SETUP(gather)
{
	__u64 seed = 0x6a7e;

	self->fd = open_node(_metadata);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, MOST * WORD, &self->dst);
	random_bytes(&seed, self->bytes, SIZE);
	test_write(self->fd, self->src, 0, SIZE, self->bytes);
	for (unsigned int i = 0; i <= MOST; i++)
		self->list[i] = random_below(&seed, ROWS);
	set_list(self, self->list, 8);
}

FIXTURE_TEARDOWN(gather)
{
	close(self->fd);
}

static int refused(FIXTURE_DATA(gather) *self)
{
	int err = _test_submit(self->fd, &self->op, 1, 0, &self->submit);

	set_list(self, self->list, 8);
	return err;
}

/* F09: the last number of the longest list counts like the first. */
TEST_F(gather, longest_list)
{
	set_list(self, self->list, MOST);
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, MOST);
	test_read(self->fd, self->dst, 0, MOST * WORD, self->seen);
	for (unsigned int i = 0; i < MOST; i++) {
		const void *row = self->bytes + self->list[i] * WORD;

		ASSERT_EQ(0, memcmp(self->seen + i * WORD, row, WORD)) {
			TH_LOG("row %u", i);
		}
	}
}

/* A03, F09: lists that are none, or longer than the mover's store. */
TEST_F(gather, list_lengths)
{
	static const __u32 wrong[] = {
		0, MOST + 1, 65536, 1U << 28, (1U << 30) + 1, 0x55555556, UINT32_MAX - 7,
		UINT32_MAX,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++) {
		self->op.move.index_count = wrong[i];
		EXPECT_EQ(EINVAL, refused(self)) {
			TH_LOG("%u indices", wrong[i]);
		}
	}
	/* Nothing of such a list is read: a bad address does not matter. */
	set_list(self, NULL, MOST + 1);
	EXPECT_EQ(EINVAL, refused(self));
}

/* A01: addresses that no list can have, and lists that end where memory does. */
TEST_F(gather, list_addresses)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	__u32 *list = (__u32 *)(pages + page) - 8;
	static const __u64 wrong[] = { 0, UINT64_MAX, UINT64_MAX - 31, 1ULL << 63 };

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + page, page));
	memcpy(list, self->list, 8 * sizeof(*list));
	set_list(self, list, 8);
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 8);
	set_list(self, list + 1, 8);
	EXPECT_EQ(EFAULT, refused(self));
	for (unsigned int i = 0; i < ARRAY_SIZE(wrong); i++) {
		self->op.move.indices = wrong[i];
		EXPECT_EQ(EFAULT, refused(self));
	}
	munmap(pages, page);
}

/* A01, A02: rows outside the source, by every product that a list can make. */
TEST_F(gather, rows_outside)
{
	static const __u32 rows[] = {
		ROWS, 1U << 26, 1U << 27, (1U << 27) + 1, INT32_MAX, 1U << 31, UINT32_MAX,
	};
	__u32 list[8];

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		for (unsigned int at = 0; at < 8; at++) {
			memcpy(list, self->list, sizeof(list));
			list[at] = rows[i];
			set_list(self, list, 8);
			EXPECT_EQ(EINVAL, refused(self));
		}
	}
	memcpy(list, self->list, sizeof(list));
	list[3] = 0;
	set_list(self, list, 8);
	self->op.move.src.offset = -WORD;
	EXPECT_EQ(EINVAL, refused(self));
	self->op.move.row_words = ROWS + 1;
	self->op.move.dst = walk_linear(self->dst, 0, ROWS + 1);
	EXPECT_EQ(EINVAL, refused(self));
}

/* F05: the mover would read from somewhere else. */
TEST_F(gather, rows_must_be_aligned)
{
	static const __u32 off[] = { 1, 2, 4, 8, 16, 31 };

	for (unsigned int i = 0; i < ARRAY_SIZE(off); i++) {
		self->op.move.pitch = WORD + off[i];
		EXPECT_EQ(EINVAL, refused(self));
		self->op.move.src.offset = off[i];
		EXPECT_EQ(EINVAL, refused(self));
	}
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 8);
}

TEST_HARNESS_MAIN
