// SPDX-License-Identifier: GPL-2.0
/*
 * Asynchronous jobs: WAIT, read(), poll(), eventfd, and how many there may be.
 */
#include <pthread.h>
#include <sys/eventfd.h>

#include "kohaku_test.h"

FIXTURE(wait)
{
	int fd;
	struct kohaku_info info;
	__u32 buffer;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
};

FIXTURE_SETUP(wait)
{
	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	self->op = op_fill(walk_linear(self->buffer, 0, 1), 0x11111111);
}

FIXTURE_TEARDOWN(wait)
{
	close(self->fd);
}

/* Starts an asynchronous job with that cookie; its id. */
static __u64 start(struct __test_metadata *_metadata, FIXTURE_DATA(wait) *self, __u64 cookie)
{
	submit_init(&self->submit, &self->op, 1, KOHAKU_SUBMIT_ASYNC);
	self->submit.cookie = cookie;
	EXPECT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	EXPECT_NE(0, self->submit.out_job);
	return self->submit.out_job;
}

static void nonblocking(struct __test_metadata *_metadata, int fd)
{
	EXPECT_EQ(0, fcntl(fd, F_SETFL, O_NONBLOCK));
}

static int poll_now(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, timeout_ms) == 1 ? p.revents : 0;
}

TEST_F(wait, collects_once)
{
	__u64 job = start(_metadata, self, 42);

	test_wait(self->fd, job, FOREVER, &self->completion);
	ASSERT_DONE(&self->completion, 1);
	EXPECT_EQ(42, self->completion.cookie);
	EXPECT_EQ(job, self->completion.job);
	test_err_wait(ENOENT, self->fd, job, 0, &self->completion);
	nonblocking(_metadata, self->fd);
	EXPECT_EQ(-1, read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(EAGAIN, errno);
}

TEST_F(wait, no_such_job)
{
	int other = open_node(_metadata);
	__u64 job = start(_metadata, self, 0);

	test_err_wait(ENOENT, self->fd, 0, 0, &self->completion);
	test_err_wait(ENOENT, self->fd, job + 1, FOREVER, &self->completion);
	test_err_wait(ENOENT, self->fd, UINT64_MAX, FOREVER, &self->completion);
	test_err_wait(ENOENT, other, job, FOREVER, &self->completion);
	test_wait(self->fd, job, FOREVER, &self->completion);
	/* A synchronous job is collected by its SUBMIT. */
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	test_err_wait(ENOENT, self->fd, self->submit.out_job, 0, &self->completion);
	close(other);
}

/* A job that is done is found whatever the deadline.  C10 */
TEST_F(wait, deadlines_of_a_done_job)
{
	static const __u64 deadlines[] = { 0, 1, INT64_MAX, INT64_MAX + 1ULL, FOREVER };

	for (unsigned int i = 0; i < ARRAY_SIZE(deadlines); i++) {
		__u64 job = start(_metadata, self, 0);

		ASSERT_EQ(POLLIN, poll_now(self->fd, 10000));
		test_wait(self->fd, job, deadlines[i], &self->completion);
		ASSERT_DONE(&self->completion, 1);
		EXPECT_EQ(0, poll_now(self->fd, 0));
	}
}

TEST_F(wait, records_in_order)
{
	struct kohaku_completion records[5];
	__u64 jobs[5];

	for (unsigned int i = 0; i < 5; i++)
		jobs[i] = start(_metadata, self, 100 + i);
	for (unsigned int i = 0; i < 5; i++) {
		ASSERT_EQ(sizeof(records[0]), read(self->fd, &records[i], sizeof(records[0])));
		ASSERT_DONE(&records[i], 1);
		EXPECT_EQ(jobs[i], records[i].job);
		EXPECT_EQ(100 + i, records[i].cookie);
		test_err_wait(ENOENT, self->fd, jobs[i], 0, &self->completion);
	}
}

/* As many whole records as fit, and nothing behind them. */
TEST_F(wait, whole_records)
{
	struct kohaku_completion records[6];
	char *bytes = (char *)records;
	size_t size = sizeof(records[0]);

	for (unsigned int i = 0; i < 5; i++)
		start(_metadata, self, i);
	sleep_ms(200);
	memset(records, 0xcc, sizeof(records));
	ASSERT_EQ((ssize_t)(2 * size), read(self->fd, records, 3 * size - 1));
	EXPECT_TRUE(all_bytes(bytes + 2 * size, 0xcc, 4 * size));
	ASSERT_EQ((ssize_t)(3 * size), read(self->fd, records, sizeof(records)));
	EXPECT_EQ(4, records[2].cookie);
	EXPECT_TRUE(all_bytes(bytes + 3 * size, 0xcc, 3 * size));
}

TEST_F(wait, read_refused)
{
	char bytes[sizeof(struct kohaku_completion)];

	start(_metadata, self, 7);
	for (size_t size = 0; size < sizeof(bytes); size++) {
		EXPECT_EQ(-1, read(self->fd, bytes, size));
		EXPECT_EQ(EINVAL, errno);
	}
	EXPECT_EQ(-1, read(self->fd, (void *)-4096L, sizeof(bytes)));
	EXPECT_EQ(EFAULT, errno);
	nonblocking(_metadata, self->fd);
	EXPECT_EQ(-1, write(self->fd, bytes, sizeof(bytes)));
}

TEST_F(wait, nothing_to_read)
{
	nonblocking(_metadata, self->fd);
	EXPECT_EQ(0, poll_now(self->fd, 0));
	EXPECT_EQ(-1, read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(EAGAIN, errno);
	/* A synchronous job leaves nothing to read either. */
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_EQ(0, poll_now(self->fd, 0));
	EXPECT_EQ(-1, read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(EAGAIN, errno);
}

static __u64 eventfd_take(int event)
{
	__u64 value = 0;

	return read(event, &value, sizeof(value)) == sizeof(value) ? value : 0;
}

TEST_F(wait, eventfd)
{
	int first = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	int second = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	ASSERT_EQ(0, _test_eventfd(self->fd, first));
	for (unsigned int i = 0; i < 3; i++) {
		start(_metadata, self, i);
		ASSERT_EQ(POLLIN, poll_now(first, 10000));
		read(self->fd, &self->completion, sizeof(self->completion));
		EXPECT_EQ(1, eventfd_take(first));
	}
	/* Not by a synchronous job; nor after another took its place. */
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_EQ(0, eventfd_take(first));
	ASSERT_EQ(0, _test_eventfd(self->fd, second));
	start(_metadata, self, 0);
	ASSERT_EQ(POLLIN, poll_now(second, 10000));
	EXPECT_EQ(0, eventfd_take(first));
	EXPECT_EQ(1, eventfd_take(second));
	ASSERT_EQ(0, _test_eventfd(self->fd, -1));
	start(_metadata, self, 0);
	sleep_ms(100);
	EXPECT_EQ(0, eventfd_take(second));
	close(first);
	close(second);
}

TEST_F(wait, eventfd_refused)
{
	int event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);

	ASSERT_EQ(0, _test_eventfd(self->fd, event));
	EXPECT_EQ(EBADF, _test_eventfd(self->fd, 9999));
	EXPECT_EQ(EBADF, _test_eventfd(self->fd, INT32_MAX));
	EXPECT_EQ(EINVAL, _test_eventfd(self->fd, self->fd));
	/* The one named before is still there. */
	start(_metadata, self, 0);
	EXPECT_EQ(POLLIN, poll_now(event, 10000));
	/* It may be closed first. */
	close(event);
	start(_metadata, self, 0);
}

/* C12, A06: the documented depth and not one more; collecting makes room. */
TEST_F(wait, depth)
{
	__u32 most = self->info.out_max_jobs;
	__u64 first = start(_metadata, self, 0);

	for (__u32 i = 1; i < most; i++)
		ASSERT_NE(0, start(_metadata, self, i));
	for (unsigned int i = 0; i < 100; i++) {
		test_err_submit(EAGAIN, self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC,
				&self->submit);
		test_err_submit(EAGAIN, self->fd, &self->op, 1, 0, &self->submit);
	}
	test_wait(self->fd, first, FOREVER, &self->completion);
	start(_metadata, self, most);
	test_err_submit(EAGAIN, self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	for (__u32 i = 1; i <= most; i++) {
		ASSERT_EQ(sizeof(self->completion),
			  read(self->fd, &self->completion, sizeof(self->completion)));
		EXPECT_EQ(i, self->completion.cookie);
	}
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
}

/* C04: many waiters, none of which oversleeps. */
struct worker {
	int fd;
	__u32 buffer, index, rounds;
	__u64 slowest;
	int err;
};

static void *submit_and_wait(void *arg)
{
	struct worker *worker = arg;
	struct kohaku_op op = op_fill(walk_linear(worker->buffer, worker->index * WORD, 1),
				      worker->index);

	for (__u32 i = 0; i < worker->rounds && !worker->err; i++) {
		struct kohaku_completion completion = { 0 };
		struct kohaku_submit submit;
		__u64 begin = now_ns(), took;

		worker->err = _test_submit(worker->fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
		if (!worker->err)
			worker->err = _test_wait(worker->fd, submit.out_job, begin + 9000000000,
						 &completion);
		if (!worker->err && (completion.status || completion.words != 1))
			worker->err = EIO;
		took = now_ns() - begin;
		if (took > worker->slowest)
			worker->slowest = took;
	}
	return NULL;
}

/* C04 */
TEST_F_TIMEOUT(wait, many_threads, 300)
{
	__u32 rounds = getenv("KOHAKU_SLOW") ? 125000 : 2000;
	struct worker workers[8] = { 0 };
	pthread_t threads[8];

	for (unsigned int i = 0; i < 8; i++) {
		workers[i] = (struct worker){
			.fd = self->fd, .buffer = self->buffer, .index = i, .rounds = rounds,
		};
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, submit_and_wait, &workers[i]));
	}
	for (unsigned int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		EXPECT_EQ(0, workers[i].err);
		/* Missed wake-ups would sleep until the deadline. */
		EXPECT_LT(workers[i].slowest, 8000000000ULL);
	}
	EXPECT_EQ(0, poll_now(self->fd, 0));
}

/* Descriptors of one file share its jobs. */
TEST_F(wait, dup_and_fork)
{
	__u64 job = start(_metadata, self, 5);
	int copy = dup(self->fd), status;
	pid_t pid;

	test_wait(copy, job, FOREVER, &self->completion);
	EXPECT_EQ(5, self->completion.cookie);
	close(copy);
	job = start(_metadata, self, 6);
	pid = fork();
	if (!pid)
		_exit(_test_wait(self->fd, job, FOREVER, &self->completion));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	test_err_wait(ENOENT, self->fd, job, 0, &self->completion);
}

TEST_HARNESS_MAIN
