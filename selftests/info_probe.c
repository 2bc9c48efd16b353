// SPDX-License-Identifier: GPL-2.0
/*
 * INFO and PROBE: what the node says of itself is consistent and true.
 */
#include "cmd_table.h"
#include "node_fs.h"

#define ALL_CAPS (KOHAKU_CAP_MMAP | KOHAKU_CAP_COUNTERS | KOHAKU_CAP_RESET | \
		  KOHAKU_CAP_SLOT | KOHAKU_CAP_LINK | KOHAKU_CAP_FABRIC | KOHAKU_CAP_VECTOR | \
		  KOHAKU_CAP_URING)

FIXTURE(info)
{
	int fd;
	struct kohaku_info info;
};

FIXTURE_SETUP(info)
{
	self->fd = open_node(_metadata);
	test_info(self->fd, &self->info);
}

FIXTURE_TEARDOWN(info)
{
	close(self->fd);
}

static bool power_of_two(__u64 n)
{
	return n && !(n & (n - 1));
}

TEST_F(info, fields)
{
	const struct kohaku_info *info = &self->info;

	EXPECT_EQ(sizeof(*info), info->size);
	EXPECT_EQ(0, info->flags);
	EXPECT_EQ(KOHAKU_NODE_OK, info->out_state);
	EXPECT_TRUE(info->out_backend == KOHAKU_BACKEND_SIM ||
		    info->out_backend == KOHAKU_BACKEND_PCI);
	EXPECT_TRUE(info->out_meshes >= 1 && info->out_meshes <= KOHAKU_MAX_MESHES);
	EXPECT_EQ(0, info->out_caps & ~ALL_CAPS);
	EXPECT_GE(KOHAKU_COMPLEX_RV64, info->out_complex);
	EXPECT_EQ(!(info->out_caps & KOHAKU_CAP_SLOT), !info->out_slot_depth);
	EXPECT_EQ(4ULL << 30, info->out_dram_size);
	EXPECT_EQ(2ULL << 20, info->out_staging_size);
}

TEST_F(info, limits)
{
	const struct kohaku_info *info = &self->info;

	EXPECT_LE(1, info->out_max_ops);
	EXPECT_LE(1, info->out_max_jobs);
	EXPECT_LE(1, info->out_max_buffers);
	EXPECT_EQ(2048, info->out_max_indices);
	EXPECT_TRUE(power_of_two(info->out_alignment));
	EXPECT_TRUE(power_of_two(info->out_staging_alignment));
	EXPECT_LE(WORD, info->out_staging_alignment);
	EXPECT_LT(0, info->out_default_timeout_ns);
	EXPECT_LE(info->out_default_timeout_ns, info->out_max_timeout_ns);
	if (info->out_caps & KOHAKU_CAP_MMAP)
		EXPECT_EQ(0, info->out_alignment % sysconf(_SC_PAGESIZE));
}

/* What every simulated node has. */
TEST_F(info, simulated)
{
	__u64 caps = KOHAKU_CAP_MMAP | KOHAKU_CAP_COUNTERS | KOHAKU_CAP_RESET;

	if (self->info.out_backend != KOHAKU_BACKEND_SIM)
		SKIP(return, "not a simulated node");
	EXPECT_EQ(caps, self->info.out_caps & caps);
}

/* The index is the one in the name of the device file. */
TEST_F(info, index_and_name)
{
	const char *digits = node_name(node_path()) + strlen("kohaku");

	if (strncmp(node_name(node_path()), "kohaku", 6))
		SKIP(return, "%s is not the node's own name", node_path());
	EXPECT_EQ((__u32)(*digits ? atoi(digits) : 0), self->info.out_node);
}

TEST_F(info, short_answer)
{
	struct kohaku_probe probe;
	struct kohaku_info info;

	ASSERT_EQ(0, _test_probe(self->fd, KOHAKU_INFO, &probe));
	memset(&info, 0xcc, sizeof(info));
	info.size = probe.out_min_size;
	info.flags = 0;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_INFO, &info));
	EXPECT_EQ(probe.out_min_size, info.size);
	EXPECT_EQ(self->info.out_caps, info.out_caps);
	EXPECT_TRUE(all_bytes((char *)&info + probe.out_min_size, 0xcc,
			      sizeof(info) - probe.out_min_size));
}

TEST_F(info, probe_all)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		struct kohaku_probe probe;

		if (!cmd_exists(self->fd, row))
			continue;
		ASSERT_EQ(0, _test_probe(self->fd, row->nr, &probe));
		EXPECT_EQ(row->nr, probe.cmd);
		EXPECT_EQ(row->size, probe.out_size) {
			TH_LOG("%s", row->name);
		}
		EXPECT_LE(4, probe.out_min_size);
		EXPECT_LE(probe.out_min_size, probe.out_size);
		EXPECT_EQ(row->known_flags, probe.out_flags) {
			TH_LOG("%s", row->name);
		}
		EXPECT_EQ(self->info.out_caps & KOHAKU_CAP_URING, probe.out_caps);
	}
}

TEST_F(info, probe_unknown)
{
	static const unsigned int numbers[] = {
		0, 1, KOHAKU_INFO - 1, KOHAKU_FABRIC_TRACE + 1, KOHAKU_NR_INFO, UINT_MAX,
		_IOWR(KOHAKU_TYPE, KOHAKU_NR_SUBMIT, struct kohaku_submit),
		_IO(KOHAKU_TYPE, 0xff), _IO(KOHAKU_TYPE ^ 1, KOHAKU_NR_INFO),
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct kohaku_probe probe;

		EXPECT_EQ(ENOTTY, _test_probe(self->fd, numbers[i], &probe)) {
			TH_LOG("command %#x", numbers[i]);
		}
	}
}

/* Opening for reading only is no way around anything: same commands, same answers. */
TEST_F(info, read_only_open)
{
	int fd = open(node_path(), O_RDONLY | O_CLOEXEC);
	struct kohaku_info info;

	ASSERT_LE(0, fd);
	test_info(fd, &info);
	EXPECT_EQ(0, memcmp(&info, &self->info, sizeof(info)));
	close(fd);
}

TEST_HARNESS_MAIN
