// SPDX-License-Identifier: GPL-2.0
/*
 * The node goes away under an open file: whatever one does then ends with ENODEV,
 * POLLHUP or SIGBUS, and the close is clean.
 */
#include "node_fs.h"
#include "sleeper.h"

/* Longer than the busiest machine needs to get to the unplugging. */
#define SLOW_NS "5000000000"

FIXTURE(unplug)
{
	struct sim_node node;
	int fd;
	struct kohaku_buf_alloc alloc;
	unsigned char *map;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
};

FIXTURE_SETUP(unplug)
{
	make_node(_metadata, &self->node, "kselftest-unplug", 2);
	self->fd = open_sim(_metadata, &self->node);
	test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, 4096, &self->alloc);
	self->map = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd,
			 self->alloc.out_map_offset);
	ASSERT_NE(MAP_FAILED, self->map);
	self->op = op_fill(walk_linear(self->alloc.out_buffer, 0, 1), 0x11111111);
}

FIXTURE_TEARDOWN(unplug)
{
	munmap(self->map, 4096);
	close(self->fd);
	sim_destroy(&self->node);
}

/* Every command, twice: the answer does not change.  D02 */
TEST_F(unplug, commands)
{
	struct kohaku_fault_read fault;
	unsigned char word[WORD];
	struct kohaku_info info;
	__u32 id;

	test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	ASSERT_EQ(0, sim_unplug(&self->node));
	for (unsigned int i = 0; i < 2; i++) {
		EXPECT_EQ(ENODEV, _test_info(self->fd, &info));
		test_err_alloc(ENODEV, self->fd, KOHAKU_TIER_DRAM, 4096, &id);
		test_err_read(ENODEV, self->fd, self->alloc.out_buffer, 0, WORD, word);
		test_err_write(ENODEV, self->fd, self->alloc.out_buffer, 0, WORD, word);
		test_err_free(ENODEV, self->fd, self->alloc.out_buffer);
		test_err_submit(ENODEV, self->fd, &self->op, 1, 0, &self->submit);
		test_err_submit(ENODEV, self->fd, NULL, 0, 0, &self->submit);
		test_err_wait(ENODEV, self->fd, 1, FOREVER, &self->completion);
		EXPECT_EQ(ENODEV, _test_eventfd(self->fd, -1));
		EXPECT_EQ(ENODEV, _test_fault_read(self->fd, 0, &fault));
		EXPECT_EQ(ENODEV, _test_reset(self->fd));
	}
}

TEST_F(unplug, poll_and_read)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };

	ASSERT_EQ(0, poll(&p, 1, 0));
	ASSERT_EQ(0, sim_unplug(&self->node));
	ASSERT_EQ(1, poll(&p, 1, 0));
	EXPECT_EQ(POLLHUP | POLLERR, p.revents & (POLLHUP | POLLERR));
	EXPECT_EQ(-1, read(self->fd, &self->completion, sizeof(self->completion)));
	EXPECT_EQ(ENODEV, errno);
}

TEST_F_SIGNAL(unplug, mapping, SIGBUS)
{
	self->map[0] = 1;
	ASSERT_EQ(0, sim_unplug(&self->node));
	self->map[0] = 2;
}

TEST_F(unplug, no_new_mapping)
{
	ASSERT_EQ(0, sim_unplug(&self->node));
	EXPECT_EQ(MAP_FAILED, mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd,
				   self->alloc.out_map_offset));
	EXPECT_EQ(ENODEV, errno);
}

TEST_F(unplug, device_file_is_gone)
{
	ASSERT_EQ(0, sim_unplug(&self->node));
	EXPECT_EQ(-1, open(self->node.path, O_RDWR));
	EXPECT_TRUE(errno == ENOENT || errno == ENXIO || errno == ENODEV);
	EXPECT_EQ(-1, sysfs_number(self->node.path, "meshes"));
}

/* What waits when it happens is woken. */
static void unplug_under(struct __test_metadata *_metadata, FIXTURE_DATA(unplug) *self,
			 enum waiting kind, bool busy)
{
	struct sleeper sleeper = { .kind = kind, .fd = self->fd, .op = &self->op };
	pthread_t thread;
	__u64 begin;

	if (busy && knob_write(self->node.path, 0, "ns_per_move", SLOW_NS))
		SKIP(return, "no debugfs knobs");
	if (busy)
		test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	sleeper.job = self->submit.out_job;
	ASSERT_EQ(0, pthread_create(&thread, NULL, sleeper_run, &sleeper));
	sleep_ms(50);
	begin = now_ns();
	ASSERT_EQ(0, sim_unplug(&self->node));
	pthread_join(thread, NULL);
	EXPECT_GT(2000000000LL, (__s64)(sleeper.woken - begin));
	EXPECT_TRUE(sleeper_woken_by(&sleeper, ENODEV)) {
		TH_LOG("errno %d, status %d", sleeper.err, sleeper.status);
	}
}

TEST_F(unplug, wakes_wait) { unplug_under(_metadata, self, IN_WAIT, true); }
TEST_F(unplug, wakes_submit) { unplug_under(_metadata, self, IN_SUBMIT, true); }
TEST_F(unplug, wakes_read) { unplug_under(_metadata, self, IN_READ, false); }
TEST_F(unplug, wakes_poll) { unplug_under(_metadata, self, IN_POLL, false); }

/* A hung mesh does not keep its node from being taken away.  C07, D01 */
TEST_F(unplug, while_hung)
{
	__u64 begin;

	if (knob_write(self->node.path, 0, "hang", "1"))
		SKIP(return, "no debugfs knobs");
	for (unsigned int i = 0; i < 8; i++)
		test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	begin = now_ns();
	ASSERT_EQ(0, sim_unplug(&self->node));
	EXPECT_GT(2000000000ULL, now_ns() - begin);
}

/* D02, D08: the next node of the name is another one. */
TEST_F(unplug, plugged_again)
{
	struct kohaku_info info;
	int fd;

	for (unsigned int i = 0; i < 20; i++) {
		ASSERT_EQ(0, sim_unplug(&self->node));
		ASSERT_EQ(0, sim_plug(&self->node));
		EXPECT_EQ(ENODEV, _test_info(self->fd, &info));
		fd = open_sim(_metadata, &self->node);
		test_info(fd, &info);
		EXPECT_EQ(2, info.out_meshes);
		close(self->fd);
		self->fd = fd;
	}
}

/* Threads use the node all the while it comes and goes. */
static void *hammer(void *arg)
{
	struct sim_node *node = arg;
	struct kohaku_info info;

	for (__u64 end = in_ms(2000); now_ns() < end;) {
		struct kohaku_submit submit;
		int fd = open(node->path, O_RDWR | O_CLOEXEC);
		struct kohaku_op op;
		__u32 buffer;

		if (fd < 0)
			continue;
		if (!_test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &buffer)) {
			op = op_fill(walk_linear(buffer, 0, 128), 0);
			while (!_test_info(fd, &info) && now_ns() < end)
				_test_submit(fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
		}
		sysfs_number(node->path, "mesh0/done");
		sysfs_number(node->path, "jobs");
		close(fd);
	}
	return NULL;
}

/* C06, D04, D14 */
TEST_F_TIMEOUT(unplug, under_traffic, 120)
{
	unsigned int rounds = 0;
	pthread_t threads[4];

	for (unsigned int i = 0; i < 4; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, hammer, &self->node));
	for (__u64 end = in_ms(1800); now_ns() < end; rounds++) {
		sleep_ms(5);
		ASSERT_EQ(0, sim_unplug(&self->node));
		ASSERT_EQ(0, sim_plug(&self->node));
	}
	for (unsigned int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	EXPECT_LT(1, rounds);
}

TEST_HARNESS_MAIN
