// SPDX-License-Identifier: GPL-2.0
/*
 * sysfs and debugfs: every attribute can be read and agrees with INFO; none takes
 * garbage.
 */
#include "node_fs.h"

FIXTURE(sysfs)
{
	int fd;
	struct kohaku_info info;
	char folder[256];
};

FIXTURE_SETUP(sysfs)
{
	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
	snprintf(self->folder, sizeof(self->folder), SYSFS_KOHAKU "/%s", node_name(node_path()));
	if (access(self->folder, R_OK))
		SKIP_SETUP("%s: %s", self->folder, strerror(errno));
}

FIXTURE_TEARDOWN(sysfs)
{
	close(self->fd);
}

static long long number(FIXTURE_DATA(sysfs) *self, const char *attribute)
{
	return sysfs_number(node_path(), attribute);
}

TEST_F(sysfs, all_there)
{
	static const char *const node[] = {
		"backend", "state", "meshes", "capabilities", "jobs", "buffers", "dram_bytes",
		"staging_bytes", "user_dram_bytes", "user_staging_bytes", "user_files", "user_jobs",
	};
	static const char *const mesh[] = {
		"busy", "last_fault", "last_fault_name", "faults", "done", "staging_total",
		"staging_free", "staging_largest_free", "staging_fallbacks",
	};
	char path[512], text[4096];

	for (unsigned int i = 0; i < ARRAY_SIZE(node); i++) {
		snprintf(path, sizeof(path), "%s/%s", self->folder, node[i]);
		EXPECT_EQ(0, text_read(path, text, sizeof(text))) {
			TH_LOG("%s", path);
		}
		EXPECT_NE('\0', text[0]);
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(mesh); i++) {
		for (__u32 m = 0; m < self->info.out_meshes; m++) {
			snprintf(path, sizeof(path), "%s/mesh%u/%s", self->folder, m, mesh[i]);
			EXPECT_EQ(0, text_read(path, text, sizeof(text))) {
				TH_LOG("%s", path);
			}
		}
	}
	snprintf(path, sizeof(path), "%s/mesh%u", self->folder, self->info.out_meshes);
	EXPECT_NE(0, access(path, F_OK));
}

TEST_F(sysfs, agrees_with_info)
{
	char path[512], text[64];

	EXPECT_EQ((long long)self->info.out_meshes, number(self, "meshes"));
	EXPECT_EQ((long long)self->info.out_staging_size, number(self, "mesh0/staging_total"));
	snprintf(path, sizeof(path), "%s/backend", self->folder);
	ASSERT_EQ(0, text_read(path, text, sizeof(text)));
	EXPECT_STREQ(self->info.out_backend == KOHAKU_BACKEND_SIM ? "sim" : "pci", text);
	snprintf(path, sizeof(path), "%s/state", self->folder);
	ASSERT_EQ(0, text_read(path, text, sizeof(text)));
	EXPECT_STREQ("ok", text);
}

TEST_F(sysfs, counts_buffers)
{
	long long buffers = number(self, "buffers"), dram = number(self, "dram_bytes");
	long long staging = number(self, "staging_bytes");
	long long free = number(self, "mesh0/staging_free");
	__u32 a, b;

	test_alloc(self->fd, KOHAKU_TIER_DRAM, 3 * self->info.out_alignment, &a);
	test_alloc(self->fd, KOHAKU_TIER_STAGING, 5 * self->info.out_staging_alignment, &b);
	EXPECT_EQ(buffers + 2, number(self, "buffers"));
	EXPECT_EQ(dram + 3 * self->info.out_alignment, number(self, "dram_bytes"));
	EXPECT_EQ(staging + 5 * self->info.out_staging_alignment, number(self, "staging_bytes"));
	EXPECT_EQ(free - 5 * self->info.out_staging_alignment,
		  number(self, "mesh0/staging_free"));
	EXPECT_LE(number(self, "mesh0/staging_largest_free"), number(self, "mesh0/staging_free"));
	test_free(self->fd, a);
	test_free(self->fd, b);
	EXPECT_EQ(buffers, number(self, "buffers"));
	EXPECT_EQ(dram, number(self, "dram_bytes"));
	EXPECT_EQ(staging, number(self, "staging_bytes"));
	EXPECT_EQ(free, number(self, "mesh0/staging_free"));
}

TEST_F(sysfs, counts_moves)
{
	long long done = number(self, "mesh0/done");
	struct kohaku_submit submit;
	struct kohaku_op op;
	__u32 buffer;

	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &buffer);
	op = op_fill(walk_linear(buffer, 0, 1), 0);
	done = number(self, "mesh0/done");
	for (unsigned int i = 0; i < 10; i++)
		test_submit(self->fd, &op, 1, 0, &submit);
	EXPECT_EQ(done + 10, number(self, "mesh0/done"));
	EXPECT_EQ(0, number(self, "mesh0/busy"));
	EXPECT_EQ(0, number(self, "jobs"));
}

/* Calls visit() with every regular file below a folder. */
static void each_file(const char *folder, int depth, void (*visit)(const char *path, void *ctx),
		      void *ctx)
{
	DIR *dir = depth ? opendir(folder) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct stat st;
		char path[600];

		if (entry->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name) >=
		    (int)sizeof(path) || lstat(path, &st))
			continue;
		if (S_ISDIR(st.st_mode))
			each_file(path, depth - 1, visit, ctx);
		else if (S_ISREG(st.st_mode))
			visit(path, ctx);
	}
	if (dir)
		closedir(dir);
}

struct tally {
	unsigned int seen, failed;
};

/*
 * A whole attribute is at most a page; reading it must work wherever it may be
 * read.  What is in power/ is the kernel's.
 */
static void read_file(const char *path, void *ctx)
{
	struct tally *tally = ctx;
	struct stat st;
	char text[8192];
	int err;

	if (stat(path, &st) || !(st.st_mode & 0444) || strstr(path, "/power/"))
		return;
	tally->seen++;
	err = text_read(path, text, sizeof(text));
	if (err) {
		fprintf(stderr, "# %s: %s\n", path, strerror(err));
		tally->failed++;
	}
}

/* G04 */
TEST_F(sysfs, everything_readable)
{
	struct tally tally = { 0 };

	each_file(self->folder, 3, read_file, &tally);
	EXPECT_LE(17, tally.seen);
	EXPECT_EQ(0, tally.failed);
}

TEST_F(sysfs, debugfs_readable)
{
	struct tally tally = { 0 };
	char folder[256];

	snprintf(folder, sizeof(folder), DEBUGFS_KOHAKU "/%s", node_name(node_path()));
	if (access(folder, R_OK))
		SKIP(return, "%s: %s", folder, strerror(errno));
	each_file(folder, 3, read_file, &tally);
	EXPECT_LE(3, tally.seen);
	EXPECT_EQ(0, tally.failed);
}

/* G04: what a garbage write does: an error, and nothing to the node. */
static void write_garbage(const char *path, void *ctx)
{
	static const char *const garbage[] = {
		"garbage", "-1x", "99999999999999999999999", "\x01\x02\xff", " ", "1 2 3",
	};
	struct tally *tally = ctx;
	struct stat st;

	/* uevent is the kernel's as well. */
	if (stat(path, &st) || !(st.st_mode & 0222) || strstr(path, "/power/") ||
	    strstr(path, "/uevent"))
		return;
	for (unsigned int i = 0; i < ARRAY_SIZE(garbage); i++) {
		tally->seen++;
		if (!text_write(path, garbage[i])) {
			fprintf(stderr, "# %s accepts '%s'\n", path, garbage[i]);
			tally->failed++;
		}
	}
}

/* G04 */
TEST_F(sysfs, garbage)
{
	struct tally tally = { 0 };
	struct kohaku_info info;

	if (geteuid())
		SKIP(return, "needs root");
	each_file(self->folder, 3, write_garbage, &tally);
	EXPECT_EQ(0, tally.failed);
	test_info(self->fd, &info);
	EXPECT_EQ(0, memcmp(&info, &self->info, sizeof(info)));
}

TEST_HARNESS_MAIN
