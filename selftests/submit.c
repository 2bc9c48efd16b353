// SPDX-License-Identifier: GPL-2.0
/*
 * SUBMIT as a whole: batches, all or nothing, growth of operations, limits, and
 * memory that changes while it is read.  Barriers have a file of their own.
 */
#include <pthread.h>

#include "kohaku_test.h"

#define SIZE 8192

FIXTURE(submit)
{
	int fd;
	struct kohaku_info info;
	__u32 buffer;
	struct kohaku_submit submit;
	unsigned char seen[SIZE];
};

FIXTURE_SETUP(submit)
{
	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->buffer);
}

FIXTURE_TEARDOWN(submit)
{
	close(self->fd);
}

/* Operation i of a batch fills word i with i. */
static void fill_batch(struct kohaku_op *ops, unsigned int count, __u32 buffer)
{
	for (unsigned int i = 0; i < count; i++) {
		ops[i] = op_fill(walk_linear(buffer, i % (SIZE / WORD) * WORD, 1), i & 0xff);
		ops[i].move.width = 0;
	}
}

TEST_F(submit, completion)
{
	struct kohaku_op ops[5];
	__u64 before = now_ns(), last = 0;

	fill_batch(ops, 5, self->buffer);
	for (unsigned int i = 0; i < 3; i++) {
		test_submit(self->fd, ops, 5, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, 5);
		EXPECT_EQ(5, self->submit.completion.ops_done);
		EXPECT_EQ(0x1122334455667788, self->submit.completion.cookie);
		EXPECT_NE(0, self->submit.out_job);
		EXPECT_NE(last, self->submit.out_job);
		EXPECT_EQ(self->submit.out_job, self->submit.completion.job);
		EXPECT_GE(now_ns() - before, self->submit.completion.duration_ns);
		/* The struct's inputs come back as they were. */
		EXPECT_EQ(5, self->submit.count);
		EXPECT_EQ(sizeof(ops[0]), self->submit.stride);
		EXPECT_EQ(user_address(ops), self->submit.ops);
		last = self->submit.out_job;
	}
	test_read(self->fd, self->buffer, 0, 5 * WORD, self->seen);
	for (unsigned int i = 0; i < 5; i++)
		EXPECT_TRUE(all_bytes(self->seen + i * WORD, i, WORD));
}

/* Repeated jobs never accumulate.  F01 */
TEST_F(submit, counters_start_over)
{
	struct kohaku_op op = op_fill(walk_linear(self->buffer, 0, 128), 0);
	struct kohaku_completion first;

	test_submit(self->fd, &op, 1, 0, &self->submit);
	first = self->submit.completion;
	ASSERT_DONE(&first, 128);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
	EXPECT_EQ(first.write_bursts, self->submit.completion.write_bursts);
	EXPECT_EQ(first.write_beats, self->submit.completion.write_beats);
	EXPECT_EQ(first.cycles, self->submit.completion.cycles);
	EXPECT_EQ(self->info.out_caps & KOHAKU_CAP_COUNTERS ? 128 : 0, first.write_beats);
}

TEST_F(submit, nothing_to_do)
{
	struct kohaku_completion completion;

	test_submit(self->fd, NULL, 0, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 0);
	EXPECT_EQ(0, self->submit.completion.ops_done);
	EXPECT_NE(0, self->submit.out_job);
	test_submit(self->fd, NULL, 0, KOHAKU_SUBMIT_ASYNC, &self->submit);
	test_wait(self->fd, self->submit.out_job, FOREVER, &completion);
	ASSERT_DONE(&completion, 0);
}

TEST_F(submit, markers)
{
	struct kohaku_op ops[3] = { op_marker(0), op_marker(KOHAKU_OP_BARRIER), op_marker(0) };

	test_submit(self->fd, ops, 3, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 0);
	EXPECT_EQ(3, self->submit.completion.ops_done);
}

/* A03, A04: the most there may be, and everything beyond, before ops is read.  E09 */
TEST_F(submit, counts)
{
	static const __u32 wild[] = {
		1U << 28, (1U << 30) + 1, 0x55555556, UINT32_MAX - 7, UINT32_MAX,
	};
	__u32 most = self->info.out_max_ops;
	struct kohaku_op *ops = calloc(most, sizeof(*ops));

	ASSERT_NE(NULL, ops);
	fill_batch(ops, most, self->buffer);
	test_submit(self->fd, ops, most, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, most);
	EXPECT_EQ(most, self->submit.completion.ops_done);

	test_err_submit(EINVAL, self->fd, ops, most + 1, 0, &self->submit);
	test_err_submit(EINVAL, self->fd, NULL, most + 1, 0, &self->submit);
	for (unsigned int i = 0; i < ARRAY_SIZE(wild); i++)
		test_err_submit(EINVAL, self->fd, NULL, wild[i], 0, &self->submit);
	free(ops);
}

/* An operation that is wrong at any place: its index, and nothing ran. */
TEST_F(submit, all_or_nothing)
{
	struct kohaku_op ops[8];

	for (unsigned int bad = 0; bad < 8; bad++) {
		fill_batch(ops, 8, self->buffer);
		for (unsigned int i = 0; i < 8; i++)
			ops[i].move.imm = 0xee;
		ops[bad].move.dst.offset = SIZE;
		test_err_submit(EINVAL, self->fd, ops, 8, 0, &self->submit);
		EXPECT_EQ(bad, self->submit.out_index);
		test_err_submit(EINVAL, self->fd, ops, 8, KOHAKU_SUBMIT_ASYNC, &self->submit);
		EXPECT_EQ(bad, self->submit.out_index);
	}
	test_read(self->fd, self->buffer, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0, SIZE));
}

/* A fault at k: before it done, the rest not started, the record about k.  C13 */
TEST_F(submit, fault_in_the_middle)
{
	struct kohaku_fault_read fault;
	struct kohaku_op ops[8];

	for (unsigned int bad = 0; bad < 8; bad++) {
		static const unsigned char zeros[SIZE];

		test_write(self->fd, self->buffer, 0, SIZE, zeros);
		fill_batch(ops, 8, self->buffer);
		for (unsigned int i = 0; i < 8; i++)
			ops[i].move.imm = 0xee;
		ops[bad].move.dst.offset = 4096 + 8;
		test_submit(self->fd, ops, 8, 0, &self->submit);
		EXPECT_EQ(-EIO, self->submit.completion.status);
		EXPECT_EQ(KOHAKU_FAULT_ALIGN, self->submit.completion.fault);
		EXPECT_EQ(bad, self->submit.completion.fault_index);
		EXPECT_EQ(bad, self->submit.completion.ops_done);
		EXPECT_EQ(bad, self->submit.completion.words);
		test_read(self->fd, self->buffer, 0, SIZE, self->seen);
		EXPECT_TRUE(all_bytes(self->seen, 0xee, bad * WORD));
		EXPECT_TRUE(all_bytes(self->seen + bad * WORD, 0, SIZE - bad * WORD));
		test_fault_read(self->fd, 0, &fault);
		EXPECT_EQ(bad, fault.out_index);
		EXPECT_EQ(bad + 1, fault.out_count);
		EXPECT_EQ(self->submit.out_job, fault.out_job);
	}
}

/* Operations of one mesh run in order, also when each undoes the one before. */
TEST_F(submit, program_order)
{
	struct kohaku_op ops[9];

	fill_batch(ops, 1, self->buffer);
	ops[0].move.imm = 0x99;
	for (unsigned int i = 1; i < 9; i++)
		ops[i] = op_copy(walk_linear(self->buffer, (i - 1) * WORD, 1),
				 walk_linear(self->buffer, i * WORD, 1));
	test_submit(self->fd, ops, 9, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 9);
	test_read(self->fd, self->buffer, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0x99, 9 * WORD));
}

/* B02 */
TEST_F(submit, stride)
{
	enum { LONG = sizeof(struct kohaku_op) + 24 };
	unsigned char longer[4 * LONG] = { 0 };
	struct kohaku_op ops[4];

	fill_batch(ops, 4, self->buffer);
	for (unsigned int i = 0; i < 4; i++)
		memcpy(longer + i * LONG, &ops[i], sizeof(ops[i]));
	submit_init(&self->submit, (void *)longer, 4, 0);
	self->submit.stride = LONG;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	ASSERT_DONE(&self->submit.completion, 4);

	for (unsigned int i = 0; i < 4; i++) {
		for (unsigned int at = sizeof(ops[0]); at < LONG; at++) {
			longer[i * LONG + at] = 1;
			EXPECT_EQ(E2BIG, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
			EXPECT_EQ(i, self->submit.out_index);
			longer[i * LONG + at] = 0;
		}
	}
	for (__u32 stride = 0; stride < sizeof(ops[0]); stride++) {
		submit_init(&self->submit, ops, 4, 0);
		self->submit.stride = stride;
		ASSERT_EQ(EINVAL, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	}
	submit_init(&self->submit, ops, 4, 0);
	self->submit.stride = UINT32_MAX - 7;
	EXPECT_NE(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
}

/* A05: operations up to the end of a page, and one that is only partly there.  E02 */
TEST_F(submit, ops_at_the_end_of_a_page)
{
	long page = sysconf(_SC_PAGESIZE);
	struct kohaku_op ops[3];
	unsigned char *pages;

	pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + page, page));
	fill_batch(ops, 3, self->buffer);
	memcpy(pages + page - sizeof(ops), ops, sizeof(ops));
	test_submit(self->fd, (void *)(pages + page - sizeof(ops)), 3, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 3);
	test_err_submit(EFAULT, self->fd, (void *)(pages + page - sizeof(ops)), 4, 0,
			&self->submit);
	/* Two that are good and eight bytes of a third. */
	memcpy(pages + page - 2 * sizeof(ops[0]) - 8, ops, 2 * sizeof(ops[0]) + 8);
	test_err_submit(EFAULT, self->fd, (void *)(pages + page - 2 * sizeof(ops[0]) - 8), 3, 0,
			&self->submit);
	memcpy(pages + page - sizeof(ops), ops, sizeof(ops));
	test_err_submit(EFAULT, self->fd, NULL, 1, 0, &self->submit);
	/* Read-only operations are good enough. */
	ASSERT_EQ(0, mprotect(pages, page, PROT_READ));
	test_submit(self->fd, (void *)(pages + page - sizeof(ops)), 3, 0, &self->submit);
}

/* B10: a thread changes the operation while the kernel reads it. */
struct flipper {
	struct kohaku_op *op;
	volatile bool stop;
};

static void *flip(void *arg)
{
	struct flipper *flipper = arg;
	volatile struct kohaku_walker *dst = &flipper->op->move.dst;

	while (!flipper->stop) {
		/* Whichever bytes of these are seen, the value is 1 or illegal. */
		dst->dims[0].count = 65537;
		dst->ndim = 257;
		dst->offset = 1ULL << 39;
		dst->offset = 0;
		dst->ndim = 1;
		dst->dims[0].count = 1;
	}
	return NULL;
}

/* B10 */
TEST_F_TIMEOUT(submit, operations_that_change, 120)
{
	struct kohaku_op op = op_fill(walk_linear(self->buffer, 0, 1), 0x11111111);
	struct flipper flipper = { .op = &op };
	unsigned int good = 0;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, flip, &flipper));
	for (unsigned int i = 0; i < 20000; i++) {
		int err = _test_submit(self->fd, &op, 1, 0, &self->submit);

		ASSERT_TRUE(err == 0 || err == EINVAL);
		if (err)
			continue;
		ASSERT_DONE(&self->submit.completion, 1);
		good++;
	}
	flipper.stop = true;
	pthread_join(thread, NULL);
	test_read(self->fd, self->buffer, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, good ? 0x11 : 0, WORD));
	EXPECT_TRUE(all_bytes(self->seen + WORD, 0, SIZE - WORD));
}

/* What the record says, and that it can be forgotten. */
TEST_F(submit, fault_record)
{
	struct kohaku_op op = op_fill(walk_linear(self->buffer, 1, 1), 0);
	struct kohaku_fault_read fault;

	EXPECT_EQ(ENOENT, _test_fault_read(self->fd, 0, &fault));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	test_fault_read(self->fd, KOHAKU_FAULT_CLEAR, &fault);
	EXPECT_EQ(sizeof(fault), fault.size);
	EXPECT_EQ(1, fault.out_count);
	EXPECT_EQ(0, fault.out_mesh);
	EXPECT_EQ(0, fault.out_bank_fault);
	EXPECT_EQ(0, fault.out_element);
	EXPECT_EQ(0, fault.__reserved);
	EXPECT_LT(0, fault.out_program_length);
	EXPECT_GE(KOHAKU_MAX_PROGRAM, fault.out_program_length);
	/* The last write is CTRL with mode 4, width 2, coalescing and GO. */
	EXPECT_EQ(0, fault.out_program[fault.out_program_length - 1].offset & 0x7f);
	EXPECT_EQ(4 | 2 << 3 | 1 << 11 | 1 << 16,
		  fault.out_program[fault.out_program_length - 1].value);
	for (__u32 i = fault.out_program_length; i < KOHAKU_MAX_PROGRAM; i++)
		EXPECT_TRUE(all_bytes(&fault.out_program[i], 0, sizeof(fault.out_program[i])));
	EXPECT_EQ(ENOENT, _test_fault_read(self->fd, 0, &fault));
}

TEST_HARNESS_MAIN
