// SPDX-License-Identifier: GPL-2.0
/*
 * Signals during waits: EINTR or a transparent restart, a process that can always
 * be killed, and never the kernel's own ERESTARTSYS (512).
 */
#include <sys/time.h>

#include "node_fs.h"

FIXTURE(signals)
{
	struct sim_node node;
	int fd;
	__u32 buffer;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
};

FIXTURE_SETUP(signals)
{
	make_node(_metadata, &self->node, "kselftest-signals", 1);
	if (knob_write(self->node.path, 0, "ns_per_move", "300000000")) {
		sim_destroy(&self->node);
		SKIP_SETUP("no debugfs knobs");
	}
	self->fd = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	self->op = op_fill(walk_linear(self->buffer, 0, 1), 0x11111111);
}

FIXTURE_TEARDOWN(signals)
{
	close(self->fd);
	sim_destroy(&self->node);
}

static volatile sig_atomic_t signals_seen;

static void on_alarm(int sig)
{
	signals_seen++;
}

/* A SIGALRM in 50 ms, and every interval_us from then on. */
static void alarm_in_50ms(int sa_flags, unsigned int interval_us)
{
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = sa_flags };
	struct itimerval timer = {
		.it_value = { .tv_usec = 50000 },
		.it_interval = { .tv_usec = interval_us },
	};

	signals_seen = 0;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void alarm_off(void)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

static __u64 start(struct __test_metadata *_metadata, FIXTURE_DATA(signals) *self)
{
	EXPECT_EQ(0, _test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit));
	return self->submit.out_job;
}

/* C01 */
TEST_F(signals, wait_interrupted)
{
	__u64 job = start(_metadata, self);

	alarm_in_50ms(0, 0);
	test_err_wait(EINTR, self->fd, job, FOREVER, &self->completion);
	EXPECT_EQ(1, signals_seen);
	test_wait(self->fd, job, FOREVER, &self->completion);
	ASSERT_DONE(&self->completion, 1);
}

/* The deadline is absolute, so a restarted WAIT ends when it should.  C01 */
TEST_F(signals, wait_restarted)
{
	__u64 job = start(_metadata, self), begin = now_ns();

	alarm_in_50ms(SA_RESTART, 20000);
	test_err_wait(ETIMEDOUT, self->fd, job, begin + 150000000, &self->completion);
	EXPECT_LE(150000000ULL, now_ns() - begin);
	EXPECT_LE(1, signals_seen);
	test_wait(self->fd, job, FOREVER, &self->completion);
	alarm_off();
	ASSERT_DONE(&self->completion, 1);
}

/* C01 */
TEST_F(signals, read)
{
	start(_metadata, self);
	alarm_in_50ms(0, 0);
	EXPECT_EQ(-1, read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(EINTR, errno);
	alarm_in_50ms(SA_RESTART, 0);
	EXPECT_EQ((ssize_t)sizeof(self->completion),
		  read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(1, signals_seen);
	ASSERT_DONE(&self->completion, 1);
}

/*
 * A job that was accepted is not submitted again: SUBMIT says EINTR whatever the
 * handler's flags, names the job, and the job goes on.  C01
 */
TEST_F(signals, submit_interrupted)
{
	static const int flags[] = { 0, SA_RESTART };

	long long done = sysfs_number(self->node.path, "mesh0/done");

	for (unsigned int i = 0; i < 2; i++) {
		alarm_in_50ms(flags[i], 0);
		test_err_submit(EINTR, self->fd, &self->op, 1, 0, &self->submit);
		ASSERT_NE(0, self->submit.out_job);
		ASSERT_NE(0xcccccccccccccccc, self->submit.out_job);
		test_wait(self->fd, self->submit.out_job, FOREVER, &self->completion);
		ASSERT_DONE(&self->completion, 1);
		EXPECT_EQ(0x1122334455667788, self->completion.cookie);
		EXPECT_EQ(done + i + 1, sysfs_number(self->node.path, "mesh0/done"));
	}
}

/* Everything goes on under a rain of signals.  C01 */
TEST_F_TIMEOUT(signals, rain, 120)
{
	unsigned char bytes[4096];

	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "3000000"));
	alarm_in_50ms(0, 1000);
	for (unsigned int i = 0; i < 100; i++) {
		int err = _test_submit(self->fd, &self->op, 1, 0, &self->submit);

		ASSERT_TRUE(err == 0 || err == EINTR) {
			TH_LOG("SUBMIT: errno %d", err);
		}
		if (err) {
			while ((err = _test_wait(self->fd, self->submit.out_job, FOREVER,
						 &self->completion)) == EINTR)
				;
			ASSERT_EQ(0, err);
			ASSERT_DONE(&self->completion, 1);
		}
		err = _test_read(self->fd, self->buffer, 0, sizeof(bytes), bytes);
		ASSERT_TRUE(err == 0 || err == EINTR);
	}
	alarm_off();
	EXPECT_LE(1, signals_seen);
}

/* C02: whoever waits for a job that never ends can be killed all the same. */
static void kill_a_waiter(struct __test_metadata *_metadata, FIXTURE_DATA(signals) *self,
			  int sig, bool sync)
{
	__u64 begin;
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		_test_submit(self->fd, &self->op, 1, sync ? 0 : KOHAKU_SUBMIT_ASYNC, &self->submit);
		_test_wait(self->fd, self->submit.out_job, FOREVER, &self->completion);
		_exit(0);
	}
	sleep_ms(100);
	begin = now_ns();
	ASSERT_EQ(0, kill(pid, sig));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == sig);
	EXPECT_GT(1000000000ULL, now_ns() - begin);
}

/* C02 */
TEST_F_TIMEOUT(signals, killed_while_hung, 120)
{
	int fd;

	ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "1"));
	kill_a_waiter(_metadata, self, SIGKILL, true);
	kill_a_waiter(_metadata, self, SIGINT, true);
	kill_a_waiter(_metadata, self, SIGKILL, false);
	kill_a_waiter(_metadata, self, SIGTERM, false);
	ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "0"));
	ASSERT_EQ(0, knob_write(self->node.path, 0, "ns_per_move", "0"));
	ASSERT_EQ(0, _test_reset(self->fd));
	fd = open_sim(_metadata, &self->node);
	test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	self->op = op_fill(walk_linear(self->buffer, 0, 1), 0x22222222);
	test_submit(fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
	close(fd);
}

TEST_HARNESS_MAIN
