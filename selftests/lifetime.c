// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a file: close and death with jobs in flight, sharing, isolation,
 * and a module that stays while it is used.
 */
#include <sys/syscall.h>

#include "node_fs.h"
#include "pass_fd.h"

FIXTURE(lifetime)
{
	long long buffers, dram, staging;
};

FIXTURE_SETUP(lifetime)
{
	close(open_node(_metadata));
	self->buffers = sysfs_number(node_path(), "buffers");
	self->dram = sysfs_number(node_path(), "dram_bytes");
	self->staging = sysfs_number(node_path(), "staging_bytes");
}

/* Everything comes back, if not at once. */
FIXTURE_TEARDOWN(lifetime)
{
	for (int i = 0; i < 100 && sysfs_number(node_path(), "buffers") != self->buffers; i++)
		sleep_ms(20);
	EXPECT_EQ(self->buffers, sysfs_number(node_path(), "buffers"));
	EXPECT_EQ(self->dram, sysfs_number(node_path(), "dram_bytes"));
	EXPECT_EQ(self->staging, sysfs_number(node_path(), "staging_bytes"));
}

/* Opens the node and leaves it with that many jobs in flight. */
static int open_busy(struct __test_metadata *_metadata, unsigned int jobs, __u32 words)
{
	int fd = open_node(_metadata);
	struct kohaku_submit submit;
	struct kohaku_op op;
	__u32 dram, staging;

	test_alloc(fd, KOHAKU_TIER_DRAM, words * WORD, &dram);
	test_alloc(fd, KOHAKU_TIER_STAGING, 4096, &staging);
	op = op_fill(walk_linear(dram, 0, words), 0xdeadbeef);
	for (unsigned int i = 0; i < jobs; i++)
		test_submit(fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
	return fd;
}

/* D01  E06 */
TEST_F_TIMEOUT(lifetime, close_with_jobs_in_flight, 300)
{
	for (unsigned int i = 0; i < 1000; i++)
		close(open_busy(_metadata, 64, 8));
}

TEST_F_TIMEOUT(lifetime, close_with_long_jobs_in_flight, 120)
{
	for (unsigned int i = 0; i < 20; i++)
		close(open_busy(_metadata, 64, 32768));
}

/* Nobody writes to memory that its owner has given back.  C11 */
TEST_F_TIMEOUT(lifetime, no_late_writes, 120)
{
	static unsigned char seen[1 << 20];

	for (unsigned int i = 0; i < 20; i++) {
		int fd = open_busy(_metadata, 32, 32768);
		int other = open_node(_metadata);
		__u32 buffer;

		close(fd);
		test_alloc(other, KOHAKU_TIER_DRAM, sizeof(seen), &buffer);
		test_read(other, buffer, 0, sizeof(seen), seen);
		ASSERT_TRUE(all_bytes(seen, 0, sizeof(seen)));
		sleep_ms(5);
		test_read(other, buffer, 0, sizeof(seen), seen);
		ASSERT_TRUE(all_bytes(seen, 0, sizeof(seen)));
		close(other);
	}
}

/* Somewhere between the open and the end of the last job.  D01, D06 */
TEST_F_TIMEOUT(lifetime, killed, 3600)
{
	unsigned int kills = times("KOHAKU_KILLS", 200);
	__u64 seed = random_seed();

	TH_LOG("KOHAKU_SEED=%#llx", seed);
	for (unsigned int i = 0; i < kills; i++) {
		int status;
		pid_t pid = fork();

		ASSERT_LE(0, pid);
		if (!pid) {
			open_busy(_metadata, 200, 1024);
			for (;;)
				pause();
		}
		usleep(random_below(&seed, 10000));
		ASSERT_EQ(0, kill(pid, SIGKILL));
		ASSERT_EQ(pid, waitpid(pid, &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	}
}

/* The last descriptor counts: dup() and fork() share the file. */
TEST_F(lifetime, shared_descriptors)
{
	int fd = open_node(_metadata), copy, status;
	unsigned char word[WORD];
	__u32 buffer;
	pid_t pid;

	test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &buffer);
	memset(word, 0x31, WORD);
	test_write(fd, buffer, 0, WORD, word);
	copy = dup(fd);
	close(fd);
	memset(word, 0xcc, WORD);
	test_read(copy, buffer, 0, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0x31, WORD));

	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		memset(word, 0x32, WORD);
		_exit(_test_write(copy, buffer, WORD, WORD, word));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	test_read(copy, buffer, WORD, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0x32, WORD));
	close(copy);
}

/* A file goes on in another process when the one that opened it has ended. */
TEST_F(lifetime, passed_descriptor)
{
	unsigned char word[WORD];
	int ends[2], fd, status;
	__u32 id = 0;
	pid_t pid;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
		ASSERT_EQ(ENOSYS, errno);
		SKIP(return, "no sockets");
	}
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		fd = open_node(_metadata);
		memset(word, 0x33, WORD);
		if (_test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &id) ||
		    _test_write(fd, id, 0, WORD, word) || pass_send(ends[0], fd) ||
		    write(ends[0], &id, sizeof(id)) != sizeof(id))
			_exit(1);
		_exit(0);
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	/* In the socket it is open. */
	EXPECT_EQ(self->buffers + 1, sysfs_number(node_path(), "buffers"));
	fd = pass_receive(ends[1]);
	ASSERT_LE(0, fd);
	ASSERT_EQ((ssize_t)sizeof(id), read(ends[1], &id, sizeof(id)));
	test_read(fd, id, 0, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0x33, WORD));
	/* And it goes with a socket that nobody reads. */
	ASSERT_EQ(0, pass_send(ends[0], fd));
	close(fd);
	EXPECT_EQ(self->buffers + 1, sysfs_number(node_path(), "buffers"));
	close(ends[0]);
	close(ends[1]);
}

/* F11: two files have nothing in common but the node. */
TEST_F(lifetime, isolated_files)
{
	int a = open_node(_metadata), b = open_node(_metadata);
	struct kohaku_fault_read fault;
	struct kohaku_submit submit;
	unsigned char word[WORD];
	__u32 in_a, in_b;
	struct kohaku_op op;

	test_alloc(a, KOHAKU_TIER_STAGING, 4096, &in_a);
	test_alloc(b, KOHAKU_TIER_STAGING, 4096, &in_b);
	op = op_fill(walk_linear(in_a, 0, 4096 / WORD), 0x41414141);
	test_submit(a, &op, 1, 0, &submit);
	ASSERT_DONE(&submit.completion, 4096 / WORD);
	test_read(b, in_b, 0, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0, WORD));
	/* Faults of one are not shown to the other. */
	op.move.dst.offset = 1;
	op.move.dst.dims[0].count = 1;
	test_submit(a, &op, 1, 0, &submit);
	EXPECT_EQ(-EIO, submit.completion.status);
	test_fault_read(a, 0, &fault);
	EXPECT_EQ(ENOENT, _test_fault_read(b, 0, &fault));
	close(a);
	test_read(b, in_b, 0, WORD, word);
	close(b);
}

/* C06, D13 */
TEST_F_TIMEOUT(lifetime, open_and_close_storm, 120)
{
	pid_t pids[16];
	int status;

	for (unsigned int i = 0; i < 16; i++) {
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i]) {
			for (unsigned int j = 0; j < 200; j++)
				close(open_node(_metadata));
			_exit(0);
		}
	}
	for (unsigned int i = 0; i < 16; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_EQ(0, status);
	}
}

/* The module cannot be unloaded under an open file. */
TEST_F(lifetime, module_in_use)
{
	int fd = open_node(_metadata);
	struct kohaku_info info;
	long rc;

	if (geteuid() || access("/sys/module/kohaku/refcnt", R_OK))
		SKIP(return, "needs root and the driver as a module");
	rc = syscall(SYS_delete_module, "kohaku", O_NONBLOCK);
	EXPECT_EQ(-1, rc);
	EXPECT_TRUE(errno == EWOULDBLOCK || errno == EBUSY);
	test_info(fd, &info);
	close(fd);
}

TEST_HARNESS_MAIN
