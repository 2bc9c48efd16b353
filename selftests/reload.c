// SPDX-License-Identifier: GPL-2.0
/*
 * The module and its nodes come and go while programs open whatever appears, as
 * udev does.  $KOHAKU_RELOADS says how often (20), $KOHAKU_NODES how many nodes (200).
 */
#include <pthread.h>

#include "module_load.h"

#define OPENERS 4

FIXTURE(reload)
{
	int file;
	pid_t openers[OPENERS];
	bool failed;
};

/* Opens, asks and reads attributes, as fast as leaves a moment to unload in. */
static void hammer(void)
{
	for (;; sleep_ms(3)) {
		int fd = open("/dev/kohaku", O_RDWR | O_CLOEXEC);
		struct kohaku_info info;
		__u32 buffer;

		sysfs_number("/dev/kohaku", "mesh0/done");
		sysfs_number("/dev/kohaku", "capabilities");
		if (fd < 0)
			continue;
		/* D09: what can be opened works. */
		if (!_test_info(fd, &info) && info.out_state != KOHAKU_NODE_OK)
			_exit(1);
		_test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &buffer);
		close(fd);
	}
}

FIXTURE_SETUP(reload)
{
	self->file = module_under_test(_metadata);
	for (unsigned int i = 0; i < OPENERS; i++) {
		self->openers[i] = fork();
		ASSERT_LE(0, self->openers[i]);
		if (!self->openers[i])
			hammer();
	}
}

FIXTURE_TEARDOWN(reload)
{
	int status;

	for (unsigned int i = 0; i < OPENERS; i++) {
		kill(self->openers[i], SIGKILL);
		EXPECT_EQ(self->openers[i], waitpid(self->openers[i], &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
			TH_LOG("an opener saw a node that does not work: %#x", status);
		}
	}
	if (!module_loaded())
		EXPECT_EQ(0, module_load(self->file, ""));
	close(self->file);
}

/* D09 */
TEST_F_TIMEOUT(reload, module, 3600)
{
	unsigned int count = times("KOHAKU_RELOADS", 20);

	for (unsigned int i = 0; i < count; i++) {
		ASSERT_EQ(0, module_unload());
		EXPECT_NE(0, access("/sys/class/kohaku", F_OK));
		ASSERT_EQ(0, module_load(self->file, ""));
		EXPECT_EQ(0, access("/dev/kohaku", F_OK));
	}
}

TEST_F_TIMEOUT(reload, nodes, 3600)
{
	unsigned int count = times("KOHAKU_NODES", 200);
	struct sim_node node;

	if (access(CONFIGFS_KOHAKU, W_OK))
		SKIP(return, "no simulated nodes");
	for (unsigned int i = 0; i < count; i++) {
		ASSERT_EQ(0, sim_create(&node, "kselftest-reload", 1 + i % 4));
		sim_destroy(&node);
	}
}

TEST_HARNESS_MAIN
