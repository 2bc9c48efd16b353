// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for jobs that take their time: deadlines, who gets the completion, and
 * what may be done meanwhile.
 */
#include <pthread.h>

#include "node_fs.h"

#define MOVE_MS 200

FIXTURE(slow)
{
	struct sim_node node;
	int fd;
	__u32 buffer;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
};

FIXTURE_SETUP(slow)
{
	make_node(_metadata, &self->node, "kselftest-slow", 1);
	if (knob_write(self->node.path, 0, "ns_per_move", "200000000")) {
		sim_destroy(&self->node);
		SKIP_SETUP("no debugfs knobs");
	}
	self->fd = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	self->op = op_fill(walk_linear(self->buffer, 0, 1), 0x11111111);
}

FIXTURE_TEARDOWN(slow)
{
	close(self->fd);
	sim_destroy(&self->node);
}

static __u64 start(struct __test_metadata *_metadata, FIXTURE_DATA(slow) *self)
{
	EXPECT_EQ(0, _test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit));
	return self->submit.out_job;
}

static unsigned int since_ms(__u64 begin)
{
	return (now_ns() - begin) / 1000000;
}

TEST_F(slow, submit_returns_at_once)
{
	__u64 begin = now_ns();
	__u64 job = start(_metadata, self);

	EXPECT_GT(MOVE_MS / 2, since_ms(begin));
	test_wait(self->fd, job, FOREVER, &self->completion);
	ASSERT_DONE(&self->completion, 1);
	EXPECT_LE(MOVE_MS * 9 / 10, since_ms(begin));
	EXPECT_LE(MOVE_MS * 900000ULL, self->completion.duration_ns);
}

TEST_F(slow, submit_waits)
{
	__u64 begin = now_ns();

	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
	EXPECT_LE(MOVE_MS * 9 / 10, since_ms(begin));
}

/* C09, C10: 0 and the past look once, the far future waits. */
TEST_F(slow, deadlines)
{
	static const __u64 past[] = { 0, 1, 1000000 };
	static const __u64 future[] = { INT64_MAX, INT64_MAX + 1ULL, UINT64_MAX - 1, UINT64_MAX };

	for (unsigned int i = 0; i < ARRAY_SIZE(past); i++) {
		__u64 job = start(_metadata, self), begin = now_ns();

		test_err_wait(ETIMEDOUT, self->fd, job, past[i], &self->completion);
		EXPECT_GT(MOVE_MS / 2, since_ms(begin));
		test_wait(self->fd, job, future[i], &self->completion);
		ASSERT_DONE(&self->completion, 1);
		EXPECT_LE(MOVE_MS / 2, since_ms(begin));
	}
	test_wait(self->fd, start(_metadata, self), future[3], &self->completion);
	ASSERT_DONE(&self->completion, 1);
}

TEST_F(slow, deadline_in_the_middle)
{
	__u64 job = start(_metadata, self), begin = now_ns();

	test_err_wait(ETIMEDOUT, self->fd, job, in_ms(50), &self->completion);
	EXPECT_LE(49, since_ms(begin));
	EXPECT_GT(MOVE_MS, since_ms(begin));
	test_wait(self->fd, job, in_ms(10000), &self->completion);
	ASSERT_DONE(&self->completion, 1);
}

TEST_F(slow, read_and_poll_wait)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };
	__u64 begin = now_ns();

	start(_metadata, self);
	EXPECT_EQ(0, poll(&p, 1, 20));
	ASSERT_EQ(1, poll(&p, 1, 10000));
	EXPECT_EQ(POLLIN, p.revents);
	EXPECT_LE(MOVE_MS * 9 / 10, since_ms(begin));
	ASSERT_EQ(sizeof(self->completion),
		  read(self->fd, &self->completion, sizeof(self->completion)));
	begin = now_ns();
	start(_metadata, self);
	ASSERT_EQ(sizeof(self->completion),
		  read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_LE(MOVE_MS * 9 / 10, since_ms(begin));
}

/* D07: a buffer in use cannot be freed, and is none the worse for the attempt. */
TEST_F(slow, busy_buffer)
{
	unsigned char word[WORD] = { 0 };
	__u64 job = start(_metadata, self);

	test_err_free(EBUSY, self->fd, self->buffer);
	test_wait(self->fd, job, FOREVER, &self->completion);
	ASSERT_DONE(&self->completion, 1);
	test_read(self->fd, self->buffer, 0, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0x11, WORD));
	test_free(self->fd, self->buffer);
}

/* C07: a busy mesh does not keep anybody from asking. */
TEST_F(slow, questions_meanwhile)
{
	struct kohaku_info info;
	__u64 begin, job;

	job = start(_metadata, self);
	begin = now_ns();
	test_info(self->fd, &info);
	EXPECT_LE(1, sysfs_number(self->node.path, "jobs"));
	EXPECT_LE(0, sysfs_number(self->node.path, "mesh0/done"));
	EXPECT_GT(MOVE_MS / 2, since_ms(begin));
	test_wait(self->fd, job, FOREVER, &self->completion);
	EXPECT_EQ(0, sysfs_number(self->node.path, "jobs"));
}

/* Jobs of one mesh follow each other, whoever submitted them. */
TEST_F(slow, jobs_queue_up)
{
	struct kohaku_op other_op;
	int other = open_sim(_metadata, &self->node);
	__u64 begin = now_ns();
	__u32 buffer;

	test_alloc(other, KOHAKU_TIER_DRAM, 4096, &buffer);
	other_op = op_fill(walk_linear(buffer, 0, 1), 0x22222222);
	begin = now_ns();
	start(_metadata, self);
	test_submit(other, &other_op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
	EXPECT_LE(2 * MOVE_MS * 9 / 10, since_ms(begin));
	/* Only its own time counts. */
	EXPECT_GT(2 * MOVE_MS * 900000ULL, self->submit.completion.duration_ns);
	close(other);
}

struct waiter {
	int fd, err;
	__u64 job;
	struct kohaku_completion completion;
};

static void *wait_forever(void *arg)
{
	struct waiter *waiter = arg;

	waiter->err = _test_wait(waiter->fd, waiter->job, FOREVER, &waiter->completion);
	return NULL;
}

/* Of two that wait for a job, one gets the completion. */
TEST_F(slow, two_waiters)
{
	struct waiter waiters[2];
	pthread_t threads[2];

	waiters[0] = (struct waiter){ .fd = self->fd, .job = start(_metadata, self) };
	waiters[1] = waiters[0];
	for (unsigned int i = 0; i < 2; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, wait_forever, &waiters[i]));
	for (unsigned int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(ENOENT, waiters[0].err + waiters[1].err);
	EXPECT_TRUE(!waiters[0].err || !waiters[1].err);
}

/* What somebody waits for is not read away. */
TEST_F(slow, waiter_comes_before_reader)
{
	struct waiter waiter = { .fd = self->fd, .job = start(_metadata, self) };
	struct kohaku_completion record;
	pthread_t thread;
	__u64 second;

	ASSERT_EQ(0, pthread_create(&thread, NULL, wait_forever, &waiter));
	sleep_ms(30);
	second = start(_metadata, self);
	ASSERT_EQ(sizeof(record), read(self->fd, &record, sizeof(record)));
	pthread_join(thread, NULL);
	EXPECT_EQ(0, waiter.err);
	EXPECT_EQ(waiter.job, waiter.completion.job);
	EXPECT_EQ(second, record.job);
}

TEST_HARNESS_MAIN
