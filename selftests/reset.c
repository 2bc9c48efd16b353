// SPDX-License-Identifier: GPL-2.0
/*
 * RESET: who may, what it does to the caller's file and to the others.
 */
#include <grp.h>
#include <sys/stat.h>

#include "node_fs.h"
#include "sleeper.h"

FIXTURE(reset)
{
	struct sim_node node;
	int fd, other;
	__u32 buffer, foreign;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
};

FIXTURE_SETUP(reset)
{
	make_node(_metadata, &self->node, "kselftest-reset", 2);
	self->fd = open_sim(_metadata, &self->node);
	self->other = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	test_alloc(self->other, KOHAKU_TIER_DRAM, 4096, &self->foreign);
	self->op = op_fill(walk_linear(self->buffer, 0, 1), 0x11111111);
}

FIXTURE_TEARDOWN(reset)
{
	close(self->fd);
	close(self->other);
	sim_destroy(&self->node);
}

/* G01: root and its group, nobody else; the administrator says who is in the group. */
TEST_F(reset, strangers_stay_out)
{
	struct stat st;
	int status;
	pid_t pid;

	ASSERT_EQ(0, stat(node_path(), &st));
	EXPECT_EQ(0660, st.st_mode & 07777);
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
			_exit(1);
		_exit(open(node_path(), O_RDWR | O_CLOEXEC) < 0 ? errno : 0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(EACCES, WEXITSTATUS(status));
}

/* G01 */
TEST_F(reset, needs_a_privilege)
{
	struct kohaku_info info;
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		if (setgroups(0, NULL) || setgid(65534) || setuid(65534))
			_exit(1);
		_exit(_test_reset(self->fd));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(EPERM, WEXITSTATUS(status));
	/* Nothing happened. */
	test_info(self->other, &info);
}

/* The caller's file goes on, buffers and all. */
TEST_F(reset, own_file)
{
	unsigned char word[WORD];
	struct kohaku_info info;

	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	for (unsigned int i = 0; i < 3; i++) {
		ASSERT_EQ(0, _test_reset(self->fd));
		test_read(self->fd, self->buffer, 0, WORD, word);
		EXPECT_TRUE(all_bytes(word, 0x11, WORD));
		test_submit(self->fd, &self->op, 1, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, 1);
		test_info(self->fd, &info);
		EXPECT_EQ(KOHAKU_NODE_OK, info.out_state);
	}
	test_free(self->fd, self->buffer);
}

/* D05: other files are stale, for good and for every command. */
TEST_F(reset, other_files)
{
	struct pollfd p = { .fd = self->other, .events = POLLIN };
	unsigned char word[WORD];
	struct kohaku_info info;
	__u32 id;
	int fd;

	ASSERT_EQ(0, _test_reset(self->fd));
	for (unsigned int i = 0; i < 2; i++) {
		EXPECT_EQ(ECANCELED, _test_info(self->other, &info));
		test_err_read(ECANCELED, self->other, self->foreign, 0, WORD, word);
		test_err_alloc(ECANCELED, self->other, KOHAKU_TIER_DRAM, 4096, &id);
		test_err_submit(ECANCELED, self->other, NULL, 0, 0, &self->submit);
		test_err_wait(ECANCELED, self->other, 1, FOREVER, &self->completion);
		EXPECT_EQ(ECANCELED, _test_reset(self->other));
		EXPECT_EQ(-1, read(self->other, &self->completion, sizeof(self->completion)));
		EXPECT_EQ(ECANCELED, errno);
		poll(&p, 1, 0);
	}
	fd = open_sim(_metadata, &self->node);
	test_info(fd, &info);
	close(fd);
}

/* D06: what they held is free again, and their close frees nobody else's. */
TEST_F(reset, frees_what_others_held)
{
	unsigned char word[WORD], seen[WORD];
	struct kohaku_buf_alloc alloc;
	unsigned char *map;
	__u32 id;

	while (!_test_alloc(self->other, KOHAKU_TIER_STAGING, 128 * 1024, &id))
		;
	test_err_alloc(ENOSPC, self->fd, KOHAKU_TIER_STAGING, 128 * 1024, &id);
	test_alloc_on(self->other, 0, KOHAKU_TIER_DRAM, 0, 4096, &alloc);
	map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->other, alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, map);

	ASSERT_EQ(0, _test_reset(self->fd));
	test_alloc(self->fd, KOHAKU_TIER_STAGING, 128 * 1024, &id);
	memset(word, 0x51, WORD);
	test_write(self->fd, id, 0, WORD, word);
	close(self->other);
	test_read(self->fd, id, 0, WORD, seen);
	EXPECT_EQ(0, memcmp(word, seen, WORD));
	test_err_alloc(ENOSPC, self->fd, KOHAKU_TIER_STAGING, 2 << 20, &self->foreign);
	self->other = open_sim(_metadata, &self->node);
}

TEST_F_SIGNAL(reset, stale_mapping, SIGBUS)
{
	struct kohaku_buf_alloc alloc;
	volatile unsigned char *map;

	test_alloc_on(self->other, 0, KOHAKU_TIER_DRAM, 0, 4096, &alloc);
	map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, self->other,
		   alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, map);
	map[0] = 1;
	ASSERT_EQ(0, _test_reset(self->fd));
	map[0] = 2;
}

/* Jobs of the caller's file end as cancelled; one hung does not stop the reset. */
TEST_F(reset, cancels_jobs)
{
	__u64 jobs[8], begin;

	if (knob_write(self->node.path, 0, "hang", "1"))
		SKIP(return, "no debugfs knobs");
	for (unsigned int i = 0; i < 8; i++) {
		test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
		jobs[i] = self->submit.out_job;
	}
	ASSERT_EQ(0, knob_write(self->node.path, 0, "hang", "0"));
	begin = now_ns();
	ASSERT_EQ(0, _test_reset(self->fd));
	EXPECT_GT(2000000000ULL, now_ns() - begin);
	for (unsigned int i = 0; i < 8; i++) {
		test_wait(self->fd, jobs[i], in_ms(1000), &self->completion);
		EXPECT_EQ(-ECANCELED, self->completion.status);
		EXPECT_EQ(0, self->completion.ops_done);
	}
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
}

/* Whoever waits on another file is woken and told that it is stale. */
static void reset_under(struct __test_metadata *_metadata, FIXTURE_DATA(reset) *self,
			enum waiting kind, bool busy)
{
	struct kohaku_op op = op_fill(walk_linear(self->foreign, 0, 1), 0x11111111);
	struct sleeper sleeper = { .kind = kind, .fd = self->other, .op = &op };
	pthread_t thread;

	if (busy && knob_write(self->node.path, 0, "hang", "1"))
		SKIP(return, "no debugfs knobs");
	if (busy)
		test_submit(self->other, &op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	sleeper.job = self->submit.out_job;
	ASSERT_EQ(0, pthread_create(&thread, NULL, sleeper_run, &sleeper));
	sleep_ms(50);
	/* For the self-test of the reset. */
	ASSERT_EQ(0, busy ? knob_write(self->node.path, 0, "hang", "0") : 0);
	ASSERT_EQ(0, _test_reset(self->fd));
	pthread_join(thread, NULL);
	EXPECT_TRUE(sleeper_woken_by(&sleeper, ECANCELED)) {
		TH_LOG("errno %d, status %d", sleeper.err, sleeper.status);
	}
}

TEST_F(reset, wakes_wait) { reset_under(_metadata, self, IN_WAIT, true); }
TEST_F(reset, wakes_submit) { reset_under(_metadata, self, IN_SUBMIT, true); }
TEST_F(reset, wakes_read) { reset_under(_metadata, self, IN_READ, false); }
TEST_F(reset, wakes_poll) { reset_under(_metadata, self, IN_POLL, false); }

/* Resets and jobs at the same time: each job ends in one of the known ways.  C06 */
TEST_F_TIMEOUT(reset, under_traffic, 60)
{
	unsigned int done = 0, cancelled = 0;
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		for (unsigned int i = 0; i < 50; i++) {
			if (_test_reset(self->fd))
				_exit(1);
			sleep_ms(5);
		}
		_exit(0);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		test_submit(self->fd, &self->op, 1, 0, &self->submit);
		done += self->submit.completion.status == 0;
		cancelled += self->submit.completion.status == -ECANCELED;
		ASSERT_TRUE(self->submit.completion.status == 0 ||
			    self->submit.completion.status == -ECANCELED);
	}
	EXPECT_EQ(0, status);
	EXPECT_LT(0, done);
	TH_LOG("%u done, %u cancelled", done, cancelled);
}

/* Keeps the queue full, with a new file whenever a reset made the old one stale. */
static void flood(const struct sim_node *node)
{
	struct kohaku_submit submit;
	struct kohaku_op op;
	__u32 buffer;
	int err;

	for (;;) {
		struct kohaku_completion done[16];
		int fd = open(node->path, O_RDWR | O_CLOEXEC);

		if (fd < 0 || _test_alloc(fd, KOHAKU_TIER_DRAM, 1 << 16, &buffer))
			_exit(1);
		op = op_fill(walk_linear(buffer, 0, (1 << 16) / WORD), 0);
		do {
			do {
				err = _test_submit(fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
			} while (!err);
		} while (err == EAGAIN && read(fd, done, sizeof(done)) > 0);
		close(fd);
	}
}

/* Whoever floods the queue does not keep the administrator waiting. */
TEST_F_TIMEOUT(reset, under_a_flood, 60)
{
	pid_t pids[3];
	__u64 begin;

	for (unsigned int i = 0; i < 3; i++) {
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i])
			flood(&self->node);
	}
	for (unsigned int i = 0; i < 10; i++) {
		sleep_ms(20);
		begin = now_ns();
		EXPECT_EQ(0, _test_reset(self->fd));
		EXPECT_GT(5000000000ULL, now_ns() - begin);
	}
	for (unsigned int i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		ASSERT_EQ(pids[i], waitpid(pids[i], NULL, 0));
	}
}

TEST_HARNESS_MAIN
