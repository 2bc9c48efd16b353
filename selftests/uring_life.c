// SPDX-License-Identifier: GPL-2.0
/*
 * Commands by io_uring that wait: who ends them, and what becomes of them when
 * the ring, its task, the node or the job goes away.
 */
#include <grp.h>

#include "uring_test.h"

#define SLOW_NS "200000000"
#define WAITS 32

FIXTURE(uring_life)
{
	struct sim_node node;
	int fd;
	struct ring ring;
	__u32 buffer;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_wait waits[WAITS];
	struct kohaku_completion completion;
};

FIXTURE_VARIANT(uring_life)
{
	unsigned int setup;
	unsigned int sqe_flags;
};

FIXTURE_VARIANT_ADD(uring_life, plain) { };
FIXTURE_VARIANT_ADD(uring_life, worker) { .sqe_flags = IOSQE_ASYNC };
FIXTURE_VARIANT_ADD(uring_life, sqpoll) { .setup = IORING_SETUP_SQPOLL };
FIXTURE_VARIANT_ADD(uring_life, deferred) {
	.setup = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
};

FIXTURE_SETUP(uring_life)
{
	make_node(_metadata, &self->node, "kselftest-uring", 2);
	if (knob_write(self->node.path, 0, "ns_per_move", SLOW_NS)) {
		sim_destroy(&self->node);
		SKIP_SETUP("no debugfs knobs");
	}
	self->fd = open_sim(_metadata, &self->node);
	make_ring(_metadata, &self->ring, self->fd, variant->setup, false);
	self->ring.sqe_flags |= variant->sqe_flags;
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	self->op = op_fill(walk_linear(self->buffer, 0, 128), 0x11111111);
}

FIXTURE_TEARDOWN(uring_life)
{
	ring_close(&self->ring);
	close(self->fd);
	sim_destroy(&self->node);
}

static __u64 start(struct __test_metadata *_metadata, FIXTURE_DATA(uring_life) *self)
{
	EXPECT_EQ(0, _test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit));
	return self->submit.out_job;
}

/* A job that never ends by itself, but for its timeout. */
static __u64 start_hung(struct __test_metadata *_metadata, FIXTURE_DATA(uring_life) *self,
			unsigned int timeout_ms)
{
	EXPECT_EQ(0, knob_write(self->node.path, 0, "hang", "1"));
	submit_init(&self->submit, &self->op, 1, KOHAKU_SUBMIT_ASYNC);
	self->submit.timeout_ns = timeout_ms * 1000000ULL;
	EXPECT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	return self->submit.out_job;
}

/* The node after that: its timeout has wedged it. */
static void heal(struct __test_metadata *_metadata, FIXTURE_DATA(uring_life) *self)
{
	ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "0"));
	ASSERT_EQ(0, _test_reset(self->fd));
}

static struct io_uring_sqe *send_wait(FIXTURE_DATA(uring_life) *self, unsigned int i, __u64 job,
				      __u64 deadline_ns)
{
	wait_init(&self->waits[i], job, deadline_ns);
	return ring_cmd(&self->ring, KOHAKU_WAIT, &self->waits[i], i);
}

TEST_F(uring_life, deadlines_that_come_first)
{
	const __u64 deadlines[] = { 0, 1, 1000000, in_ms(50) };
	struct kohaku_wait *wait = &self->waits[0];
	__u64 job;

	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "5000000000"));
	job = start(_metadata, self);
	for (unsigned int i = 0; i < ARRAY_SIZE(deadlines); i++) {
		wait_init(wait, job, deadlines[i]);
		EXPECT_EQ(ETIMEDOUT, _test_ring(&self->ring, KOHAKU_WAIT, wait));
		EXPECT_LE(deadlines[i], now_ns());
		EXPECT_TRUE(all_bytes(&wait->completion, 0xcc, sizeof(wait->completion)));
	}
	wait_init(wait, job, FOREVER);
	EXPECT_EQ(0, _test_ring(&self->ring, KOHAKU_WAIT, wait));
	ASSERT_DONE(&wait->completion, 128);
}

TEST_F(uring_life, deadlines_that_never_come)
{
	static const __u64 deadlines[] = { INT64_MAX, INT64_MAX + 1ULL, FOREVER };
	struct kohaku_wait *wait = &self->waits[0];

	for (unsigned int i = 0; i < ARRAY_SIZE(deadlines); i++) {
		__u64 job = start(_metadata, self);

		wait_init(wait, job, deadlines[i]);
		EXPECT_EQ(0, _test_ring(&self->ring, KOHAKU_WAIT, wait));
		ASSERT_DONE(&wait->completion, 128);
		EXPECT_EQ(job, wait->completion.job);
		wait_init(wait, job, deadlines[i]);
		EXPECT_EQ(ENOENT, _test_ring(&self->ring, KOHAKU_WAIT, wait));
	}
}

/* Of many that wait for a job, one gets the completion. */
TEST_F(uring_life, many_waits_for_a_job)
{
	__u64 job = start(_metadata, self), tag;
	unsigned int got = 0;

	for (unsigned int i = 0; i < 8; i++)
		send_wait(self, i, job, FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, 8));
	for (unsigned int i = 0; i < 8; i++) {
		int res = ring_take(&self->ring, &tag);

		EXPECT_TRUE(res == 0 || res == -ENOENT);
		if (!res)
			ASSERT_DONE(&self->waits[tag].completion, 128);
		got += !res;
	}
	EXPECT_EQ(1, got);
}

/* What a chain waits for, it sees; read() does not take what is waited for. */
TEST_F(uring_life, wait_in_a_chain)
{
	static unsigned char seen[4096];
	struct kohaku_buf_io io = {
		.size = sizeof(io), .length = 4096, .data = user_address(seen),
		.buffer = self->buffer,
	};
	struct kohaku_completion record;
	__u64 second, tag;

	memset(seen, 0xcc, sizeof(seen));
	send_wait(self, 0, start(_metadata, self), FOREVER)->flags |= IOSQE_IO_LINK;
	ring_cmd(&self->ring, KOHAKU_BUF_READ, &io, 1);
	ASSERT_EQ(0, ring_submit(&self->ring, 2));
	sleep_ms(30);
	second = start(_metadata, self);
	ASSERT_EQ(sizeof(record), read(self->fd, &record, sizeof(record)));
	EXPECT_EQ(second, record.job);
	EXPECT_EQ(0, ring_take(&self->ring, &tag));
	EXPECT_EQ(0, tag);
	EXPECT_EQ(0, ring_take(&self->ring, &tag));
	EXPECT_EQ(1, tag);
	EXPECT_TRUE(all_bytes(seen, 0x11, sizeof(seen)));
}

/* More WAITs in flight than anything has threads for, and each ends once. */
TEST_F_TIMEOUT(uring_life, many_in_flight, 120)
{
	__u64 jobs[WAITS], seen = 0, tag;

	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "3000000"));
	for (unsigned int round = 0; round < 5; round++) {
		for (unsigned int i = 0; i < WAITS; i++) {
			jobs[i] = start(_metadata, self);
			send_wait(self, i, jobs[i], FOREVER);
		}
		ASSERT_EQ(0, ring_submit(&self->ring, WAITS));
		for (unsigned int i = 0; i < WAITS; i++) {
			ASSERT_EQ(0, ring_take(&self->ring, &tag));
			seen ^= 1ULL << tag;
			ASSERT_DONE(&self->waits[tag].completion, 128);
			EXPECT_EQ(jobs[tag], self->waits[tag].completion.job);
		}
		ASSERT_EQ(round % 2 ? 0 : (1ULL << WAITS) - 1, seen);
	}
	EXPECT_EQ(0U, io_uring_cq_ready(&self->ring.io));
}

/* Deadlines that come while the jobs end: all WAITs end, no completion is lost. */
TEST_F_TIMEOUT(uring_life, deadline_against_end, 120)
{
	unsigned int done = 0, late = 0;
	__u64 tag;

	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "4000000"));
	for (unsigned int i = 0; i < 50; i++) {
		__u64 job = start(_metadata, self);
		int res;

		send_wait(self, 0, job, now_ns() + 1000000 + i * 100000);
		ASSERT_EQ(0, ring_submit(&self->ring, 1));
		res = ring_take(&self->ring, &tag);
		ASSERT_TRUE(res == 0 || res == -ETIMEDOUT) {
			TH_LOG("round %u: %d", i, res);
		}
		self->completion = self->waits[0].completion;
		if (res)
			test_wait(self->fd, job, FOREVER, &self->completion);
		ASSERT_DONE(&self->completion, 128);
		done += !res;
		late += !!res;
	}
	TH_LOG("%u done, %u late", done, late);
}

/* A ring that goes leaves the completions of its WAITs to others. */
TEST_F(uring_life, ring_closed)
{
	__u64 job = start_hung(_metadata, self, 1000), other;

	for (unsigned int i = 0; i < 4; i++)
		send_wait(self, i, job, FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, 4));
	sleep_ms(50);
	ring_close(&self->ring);
	test_wait(self->fd, job, FOREVER, &self->completion);
	EXPECT_EQ(-ETIMEDOUT, self->completion.status);
	heal(_metadata, self);
	make_ring(_metadata, &self->ring, self->fd, variant->setup, false);
	/* Nor do they keep read() from one that comes later. */
	other = start_hung(_metadata, self, 300);
	send_wait(self, 0, other, FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, 1));
	sleep_ms(50);
	ring_close(&self->ring);
	ASSERT_EQ(sizeof(self->completion),
		  read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(other, self->completion.job);
	heal(_metadata, self);
	make_ring(_metadata, &self->ring, self->fd, variant->setup, false);
}

/* D01: the file is closed first, and the WAIT in flight holds it. */
TEST_F(uring_life, file_closed)
{
	__u64 job = start(_metadata, self), tag;

	send_wait(self, 0, job, FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, 1));
	sleep_ms(30);
	close(self->fd);
	EXPECT_EQ(0, ring_take(&self->ring, &tag));
	ASSERT_DONE(&self->waits[0].completion, 128);
	while (sysfs_number(self->node.path, "buffers"))
		sleep_ms(10);
	self->fd = open_sim(_metadata, &self->node);
}

static int cancel(struct __test_metadata *_metadata, FIXTURE_DATA(uring_life) *self, __u64 tag,
		  int *res)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&self->ring.io);
	int answer = 0, got;
	bool waits = true;
	__u64 whose;

	io_uring_prep_cancel64(sqe, tag, 0);
	sqe->user_data = 0xca;
	EXPECT_EQ(0, ring_submit(&self->ring, 1));
	for (bool asked = true; asked || waits;) {
		got = ring_take(&self->ring, &whose);
		if (got == RING_SILENT)
			break;
		if (whose == 0xca) {
			asked = false;
			answer = got;
		} else {
			waits = false;
			*res = got;
		}
	}
	return answer;
}

/*
 * IORING_OP_ASYNC_CANCEL ends what has a worker of io_uring.  A WAIT that has none
 * may not be found; then it ends with its job, the same as if nobody had asked.
 */
TEST_F(uring_life, cancelled)
{
	__u64 job = start_hung(_metadata, self, 1500);
	int answer, res = 1;

	send_wait(self, 7, job, FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, 1));
	sleep_ms(100);
	answer = cancel(_metadata, self, 7, &res);
	if (variant->sqe_flags & IOSQE_ASYNC)
		EXPECT_NE(-ENOENT, answer);
	if (answer == -ENOENT) {
		EXPECT_EQ(0, res);
		self->completion = self->waits[7].completion;
	} else {
		EXPECT_TRUE(answer == 0 || answer == -EALREADY);
		EXPECT_TRUE(res == -ECANCELED || res == -EINTR) {
			TH_LOG("answer %d, result %d", answer, res);
		}
		test_wait(self->fd, job, FOREVER, &self->completion);
	}
	EXPECT_EQ(-ETIMEDOUT, self->completion.status);
}

/* C02: a task with all kinds of commands in flight can be killed. */
static void die_waiting(FIXTURE_DATA(uring_life) *self, unsigned int setup, __u64 job, bool exits)
{
	struct kohaku_submit sync;
	struct kohaku_buf_alloc alloc = {
		.size = sizeof(alloc), .tier = KOHAKU_TIER_DRAM, .length = 4096,
	};
	struct ring ring;

	if (ring_open(&ring, self->fd, setup, false))
		_exit(1);
	for (unsigned int i = 0; i < 8; i++) {
		wait_init(&self->waits[i], job, FOREVER);
		ring_cmd(&ring, KOHAKU_WAIT, &self->waits[i], i)->flags |= i % 2 ? IOSQE_ASYNC : 0;
	}
	submit_init(&sync, &self->op, 1, 0);
	sync.timeout_ns = 500000000;
	ring_cmd(&ring, KOHAKU_SUBMIT, &sync, 8);
	ring_cmd(&ring, KOHAKU_BUF_ALLOC, &alloc, 9);
	if (ring_submit(&ring, 10))
		_exit(1);
	sleep_ms(50);
	if (exits)
		_exit(0);
	pause();
}

/* C02, as said above. */
TEST_F_TIMEOUT(uring_life, task_gone, 120)
{
	for (unsigned int round = 0; round < 4; round++) {
		__u64 job = start_hung(_metadata, self, 1000);
		int status;
		pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid)
			die_waiting(self, variant->setup, job, round % 2);
		sleep_ms(200);
		kill(pid, SIGKILL);
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
		/* What nobody fetched is there for whoever shares the file. */
		test_wait(self->fd, job, FOREVER, &self->completion);
		EXPECT_EQ(-ETIMEDOUT, self->completion.status);
		heal(_metadata, self);
		/* Nothing of it is left. */
		while (sysfs_number(self->node.path, "jobs"))
			sleep_ms(10);
	}
}

/* Each ends with the errno or with a completion that says it. */
static void take_all(struct __test_metadata *_metadata, FIXTURE_DATA(uring_life) *self,
		     unsigned int n, int reason)
{
	for (unsigned int i = 0; i < n; i++) {
		__u64 tag = WAITS;
		int res = ring_take(&self->ring, &tag);

		ASSERT_GT(WAITS, tag) {
			TH_LOG("%u of %u ended", i, n);
		}
		EXPECT_TRUE(res == reason ||
			    (!res && self->waits[tag].completion.status == reason)) {
			TH_LOG("WAIT %llu: %d, status %d", (unsigned long long)tag, res,
			       self->waits[tag].completion.status);
		}
	}
}

/* D01 */
TEST_F(uring_life, unplugged)
{
	union cmd_arg arg;

	start_hung(_metadata, self, 30000);
	send_wait(self, 0, self->submit.out_job, FOREVER);
	for (unsigned int i = 1; i < WAITS; i++)
		send_wait(self, i, start(_metadata, self), FOREVER);
	ASSERT_EQ(0, ring_submit(&self->ring, WAITS));
	sleep_ms(50);
	ASSERT_EQ(0, sim_unplug(&self->node));
	take_all(_metadata, self, WAITS, -ENODEV);
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		cmd_idle(&cmd_table[i], &arg, cmd_table[i].size);
		EXPECT_EQ(ENODEV, _test_ring(&self->ring, cmd_table[i].nr, &arg));
	}
}

/* WAITs of the file that resets, and of one that is stale afterwards. */
TEST_F(uring_life, reset)
{
	struct kohaku_reset reset = { .size = sizeof(reset) };
	int other = open_sim(_metadata, &self->node);
	struct kohaku_info info;

	for (unsigned int turn = 0; turn < 2; turn++) {
		start_hung(_metadata, self, 30000);
		send_wait(self, 0, self->submit.out_job, FOREVER);
		for (unsigned int i = 1; i < 8; i++)
			send_wait(self, i, start(_metadata, self), FOREVER);
		ASSERT_EQ(0, ring_submit(&self->ring, 8));
		sleep_ms(50);
		ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "0"));
		ASSERT_EQ(0, _test_cmd(turn ? other : self->fd, KOHAKU_RESET, &reset));
		take_all(_metadata, self, 8, -ECANCELED);
		/* The first reset made the other file stale. */
		if (!turn) {
			close(other);
			other = open_sim(_metadata, &self->node);
		}
	}
	info.size = sizeof(info);
	info.flags = 0;
	EXPECT_EQ(ECANCELED, _test_ring(&self->ring, KOHAKU_INFO, &info));
	EXPECT_EQ(ECANCELED, _test_ring(&self->ring, KOHAKU_RESET, &reset));
	close(other);
}

/* RESET by the ring works, and asks for the same privilege. */
TEST_F(uring_life, reset_by_ring)
{
	struct kohaku_reset reset = { .size = sizeof(reset) };
	struct ring ring;
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
			_exit(1);
		if (ring_open(&ring, self->fd, 0, false))
			_exit(2);
		_exit(_test_ring(&ring, KOHAKU_RESET, &reset));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "0"));
	ASSERT_EQ(0, _test_ring(&self->ring, KOHAKU_RESET, &reset));
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 128);
}

/* Nodes come and go while WAITs, jobs and rings do. */
TEST_F_TIMEOUT(uring_life, storm, 120)
{
	__u64 seed = random_seed(), tag;

	TH_LOG("seed %llu", (unsigned long long)seed);
	for (unsigned int round = 0; round < 25; round++) {
		unsigned int ends = random_below(&seed, 4), n = 1 + random_below(&seed, WAITS);

		ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "1000000"));
		for (unsigned int i = 0; i < n; i++) {
			__u64 job = start(_metadata, self);

			send_wait(self, i, job, now_ns() + random_below(&seed, 30000000));
			ASSERT_EQ(0, ring_submit(&self->ring, 1));
		}
		sleep_ms(random_below(&seed, 10));
		if (ends == 0)
			ASSERT_EQ(0, sim_unplug(&self->node));
		if (ends == 1)
			ASSERT_EQ(0, _test_reset(self->fd));
		for (unsigned int i = 0; ends != 2 && i < n; i++)
			ASSERT_NE(RING_SILENT, ring_take(&self->ring, &tag));
		ring_close(&self->ring);
		close(self->fd);
		if (ends == 0)
			ASSERT_EQ(0, sim_plug(&self->node));
		self->fd = open_sim(_metadata, &self->node);
		make_ring(_metadata, &self->ring, self->fd, variant->setup, false);
		self->ring.sqe_flags = variant->sqe_flags;
		test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
		self->op.move.dst.buffer = self->buffer;
	}
}

TEST_HARNESS_MAIN
