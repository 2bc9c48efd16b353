// SPDX-License-Identifier: GPL-2.0
/*
 * What one user may have of a node: the user_* attributes, and who they hold for.
 */
#include "node_fs.h"

#define USER_A 64001
#define USER_B 64002

FIXTURE(limits)
{
	struct sim_node node;
	struct kohaku_info info;
	int fd;			/* root's */
};

FIXTURE_SETUP(limits)
{
	if (geteuid())
		SKIP_SETUP("needs root");
	make_node(_metadata, &self->node, "kselftest-limits", 2);
	self->fd = open_sim(_metadata, &self->node);
	test_info(self->fd, &self->info);
	ASSERT_EQ(0, chmod(self->node.path, 0666));
}

FIXTURE_TEARDOWN(limits)
{
	close(self->fd);
	sim_destroy(&self->node);
}

static int set_limit(const struct sim_node *node, const char *name, __u64 value)
{
	char file[256], text[32];

	snprintf(file, sizeof(file), SYSFS_KOHAKU "/%s/%s", node_name(node->path), name);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	return text_write(file, text);
}

/*
 * Opens the node as a user without privileges and comes back: what counts is who
 * opened it.
 */
static int open_as(const struct sim_node *node, uid_t uid)
{
	int fd, err;

	if (seteuid(uid))
		return -1;
	fd = open(node->path, O_RDWR | O_CLOEXEC);
	err = errno;
	if (seteuid(0))
		return -1;
	errno = err;
	return fd;
}

static int open_user(struct __test_metadata *_metadata, const struct sim_node *node, uid_t uid)
{
	int fd = open_as(node, uid);

	ASSERT_LE(0, fd);
	return fd;
}

TEST_F(limits, defaults)
{
	EXPECT_EQ((long long)(self->info.out_dram_size / 4 * 3),
		  sysfs_number(self->node.path, "user_dram_bytes"));
	EXPECT_EQ((long long)(self->info.out_staging_size / 4 * 3),
		  sysfs_number(self->node.path, "user_staging_bytes"));
	EXPECT_EQ(256, sysfs_number(self->node.path, "user_files"));
	EXPECT_EQ(4LL * self->info.out_max_jobs, sysfs_number(self->node.path, "user_jobs"));
}

/* One user cannot take all of a memory, over as many files as there may be. */
TEST_F(limits, something_is_left_for_others)
{
	const __u64 part = self->info.out_staging_size / 8;
	int a[2], b = open_user(_metadata, &self->node, USER_B);
	struct kohaku_buf_alloc alloc;
	unsigned int got = 0;
	__u32 buffer;

	a[0] = open_user(_metadata, &self->node, USER_A);
	a[1] = open_user(_metadata, &self->node, USER_A);
	while (got < 8 && !_test_alloc(a[got % 2], KOHAKU_TIER_STAGING, part, &buffer))
		got++;
	EXPECT_EQ(6, got);
	test_err_alloc(EDQUOT, a[0], KOHAKU_TIER_STAGING, part, &buffer);
	test_err_alloc(EDQUOT, a[1], KOHAKU_TIER_STAGING, part, &buffer);
	test_alloc(b, KOHAKU_TIER_STAGING, 2 * part, &buffer);
	/* Full is full, whoever asks. */
	test_err_alloc(ENOSPC, b, KOHAKU_TIER_STAGING, part, &buffer);
	test_err_alloc(ENOSPC, a[0], KOHAKU_TIER_STAGING, part, &buffer);
	/* Each mesh has its own. */
	test_alloc_on(a[0], 1, KOHAKU_TIER_STAGING, 0, part, &alloc);
	close(a[0]);
	close(a[1]);
	close(b);
}

TEST_F(limits, bytes_come_back)
{
	int fd = open_user(_metadata, &self->node, USER_A);
	__u32 first, second;

	ASSERT_EQ(0, set_limit(&self->node, "user_dram_bytes", 64 << 10));
	test_alloc(fd, KOHAKU_TIER_DRAM, 60 << 10, &first);
	test_err_alloc(EDQUOT, fd, KOHAKU_TIER_DRAM, 8 << 10, &second);
	test_alloc(fd, KOHAKU_TIER_DRAM, 4 << 10, &second);
	test_free(fd, first);
	test_alloc(fd, KOHAKU_TIER_DRAM, 60 << 10, &first);
	close(fd);
	fd = open_user(_metadata, &self->node, USER_A);
	test_alloc(fd, KOHAKU_TIER_DRAM, 64 << 10, &first);
	/* What is there stays when the limit sinks. */
	ASSERT_EQ(0, set_limit(&self->node, "user_dram_bytes", 0));
	test_write(fd, first, 0, WORD, (char[WORD]){ 1 });
	test_free(fd, first);
	test_err_alloc(EDQUOT, fd, KOHAKU_TIER_DRAM, 1, &first);
	close(fd);
}

/* A refused allocation takes nothing, or the next one would be refused as well. */
TEST_F(limits, refusals_cost_nothing)
{
	int fd = open_user(_metadata, &self->node, USER_A);
	__u32 buffer;

	ASSERT_EQ(0, set_limit(&self->node, "user_staging_bytes", 4096));
	for (unsigned int i = 0; i < 100; i++)
		test_err_alloc(EDQUOT, fd, KOHAKU_TIER_STAGING, 4097, &buffer);
	EXPECT_EQ(0, sysfs_number(self->node.path, "staging_bytes"));
	EXPECT_EQ(0, sysfs_number(self->node.path, "buffers"));
	test_alloc(fd, KOHAKU_TIER_STAGING, 4096, &buffer);
	close(fd);
}

TEST_F(limits, fallback_serves_who_has_enough_staging)
{
	int fd = open_user(_metadata, &self->node, USER_A);
	struct kohaku_buf_alloc alloc = {
		.size = sizeof(alloc),
		.flags = KOHAKU_BUF_FALLBACK,
		.tier = KOHAKU_TIER_STAGING,
		.length = 4096,
	};

	ASSERT_EQ(0, set_limit(&self->node, "user_staging_bytes", 0));
	ASSERT_EQ(0, _test_cmd(fd, KOHAKU_BUF_ALLOC, &alloc));
	EXPECT_EQ(KOHAKU_TIER_DRAM, alloc.out_tier);
	EXPECT_EQ(1, sysfs_number(self->node.path, "mesh0/staging_fallbacks"));
	close(fd);
}

TEST_F(limits, files)
{
	int fds[4];

	ASSERT_EQ(0, set_limit(&self->node, "user_files", 4));
	for (unsigned int i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = open_user(_metadata, &self->node, USER_A);
	EXPECT_EQ(-1, open_as(&self->node, USER_A));
	EXPECT_EQ(EDQUOT, errno);
	close(open_user(_metadata, &self->node, USER_B));
	close(fds[3]);
	fds[3] = open_user(_metadata, &self->node, USER_A);
	for (unsigned int i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	/* None is none, also for one who has no file yet. */
	ASSERT_EQ(0, set_limit(&self->node, "user_files", 0));
	EXPECT_EQ(-1, open_as(&self->node, USER_A));
	EXPECT_EQ(EDQUOT, errno);
}

/* Submits jobs without collecting them: how many went, then the errno. */
static unsigned int submit_until(int fd, unsigned int most, int *err)
{
	const struct kohaku_op op = op_marker(0);
	struct kohaku_submit submit;
	unsigned int done;

	*err = 0;
	for (done = 0; done < most && !*err; done += !*err)
		*err = _test_submit(fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
	return done;
}

TEST_F(limits, jobs)
{
	int a = open_user(_metadata, &self->node, USER_A), err;
	int b = open_user(_metadata, &self->node, USER_B);
	int more = open_user(_metadata, &self->node, USER_A);
	struct kohaku_completion records[64];

	ASSERT_EQ(0, set_limit(&self->node, "user_jobs", 20));
	EXPECT_EQ(12, submit_until(a, 12, &err));
	EXPECT_EQ(8, submit_until(more, 100, &err));
	EXPECT_EQ(EDQUOT, err);
	EXPECT_EQ(0, submit_until(a, 1, &err));
	EXPECT_EQ(EDQUOT, err);
	EXPECT_EQ(20, submit_until(b, 100, &err));
	EXPECT_EQ(EDQUOT, err);
	/* Collecting makes room, and so does closing. */
	for (unsigned int got = 0; got < 8;) {
		ssize_t size = read(more, records, sizeof(records));

		ASSERT_LT(0, size);
		got += size / sizeof(records[0]);
	}
	EXPECT_EQ(8, submit_until(a, 8, &err));
	close(a);
	EXPECT_EQ(20, submit_until(more, 100, &err));
	EXPECT_EQ(EDQUOT, err);
	close(more);
	close(b);
}

/* CAP_SYS_RESOURCE at open() is the administrator's consent; it stays with the file. */
TEST_F(limits, privileged_files)
{
	int fd;
	__u32 buffer;

	ASSERT_EQ(0, set_limit(&self->node, "user_staging_bytes", 0));
	ASSERT_EQ(0, set_limit(&self->node, "user_files", 0));
	ASSERT_EQ(0, set_limit(&self->node, "user_jobs", 0));
	fd = open_sim(_metadata, &self->node);
	ASSERT_EQ(0, seteuid(USER_A));
	EXPECT_EQ(0, _test_alloc(fd, KOHAKU_TIER_STAGING, self->info.out_staging_size, &buffer));
	ASSERT_EQ(0, seteuid(0));
	close(fd);
}

/* Whoever is handed a file uses what its opener may, not his own. */
TEST_F(limits, opener_pays)
{
	int fd = open_user(_metadata, &self->node, USER_A);
	__u32 buffer;

	ASSERT_EQ(0, set_limit(&self->node, "user_dram_bytes", 4096));
	test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &buffer);
	test_err_alloc(EDQUOT, fd, KOHAKU_TIER_DRAM, 1, &buffer);
	close(fd);
}

/* The figures in debugfs are those that the limits are compared with. */
TEST_F(limits, shown)
{
	int fd = open_user(_metadata, &self->node, USER_A), err;
	char file[256], text[1024], line[128];
	struct kohaku_buf_alloc alloc;
	__u32 buffer;

	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/users", node_name(self->node.path));
	if (access(file, R_OK))
		SKIP(return, "%s: %s", file, strerror(errno));
	test_alloc(fd, KOHAKU_TIER_DRAM, 8192, &buffer);
	test_alloc_on(fd, 1, KOHAKU_TIER_DRAM, 0, 4096, &alloc);
	test_alloc(fd, KOHAKU_TIER_STAGING, 256, &buffer);
	ASSERT_EQ(3, submit_until(fd, 3, &err));
	snprintf(line, sizeof(line), "uid %u files 1 jobs 3 dram 12288 staging 256", USER_A);
	ASSERT_EQ(0, text_read(file, text, sizeof(text)));
	EXPECT_NE(NULL, strstr(text, line)) {
		TH_LOG("%s", text);
	}
	close(fd);
	/* With the last file the user is gone. */
	ASSERT_EQ(0, text_read(file, text, sizeof(text)));
	EXPECT_EQ(NULL, strstr(text, "uid 64001"));
}

TEST_HARNESS_MAIN
