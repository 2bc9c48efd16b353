// SPDX-License-Identifier: GPL-2.0
/*
 * Making simulated nodes: what a configuration accepts, when, and that a failed
 * attempt leaves the name usable.
 */
#include "node_fs.h"

FIXTURE(configfs)
{
	struct sim_node node;
};

FIXTURE_SETUP(configfs)
{
	make_node(_metadata, &self->node, "kselftest-configfs", 1);
}

FIXTURE_TEARDOWN(configfs)
{
	sim_destroy(&self->node);
}

/* An attribute's text; what was there before when it cannot be read. */
static const char *shows(const struct sim_node *node, const char *attribute)
{
	static char text[64];
	char file[256];

	snprintf(file, sizeof(file), "%s/%s", node->folder, attribute);
	return text_read(file, text, sizeof(text)) ? "(unreadable)" : text;
}

TEST_F(configfs, defaults)
{
	EXPECT_STREQ("1", shows(&self->node, "meshes"));
	EXPECT_STRNE("(unreadable)", shows(&self->node, "quirks"));
	EXPECT_STRNE("(unreadable)", shows(&self->node, "complex"));
	EXPECT_STRNE("(unreadable)", shows(&self->node, "slot_depth"));
	EXPECT_STREQ("1", shows(&self->node, "live"));
	EXPECT_STREQ(node_name(self->node.path), shows(&self->node, "node"));
}

TEST_F(configfs, busy_while_live)
{
	EXPECT_EQ(EBUSY, sim_attribute(&self->node, "meshes", "2"));
	EXPECT_EQ(EBUSY, sim_attribute(&self->node, "complex", "rv64"));
	EXPECT_EQ(EBUSY, sim_attribute(&self->node, "slot_depth", "2"));
	EXPECT_EQ(EBUSY, sim_attribute(&self->node, "quirks", "gather"));
	EXPECT_STREQ("1", shows(&self->node, "meshes"));
	ASSERT_EQ(0, sim_unplug(&self->node));
	EXPECT_EQ(0, sim_attribute(&self->node, "meshes", "2"));
	EXPECT_EQ(0, sim_attribute(&self->node, "complex", "rv64"));
	EXPECT_EQ(0, sim_attribute(&self->node, "complex", "rv32"));
	EXPECT_EQ(0, sim_attribute(&self->node, "complex", "none"));
	EXPECT_EQ(0, sim_attribute(&self->node, "slot_depth", "2"));
	EXPECT_EQ(0, sim_attribute(&self->node, "quirks", "gather"));
	EXPECT_STREQ("2", shows(&self->node, "meshes"));
	EXPECT_STREQ("gather", shows(&self->node, "quirks"));
}

TEST_F(configfs, garbage)
{
	static const struct { const char *attribute, *value; } bad[] = {
		{ "meshes", "0" }, { "meshes", "5" }, { "meshes", "-1" }, { "meshes", "x" },
		{ "meshes", "99999999999999999999" }, { "meshes", "1 1" },
		{ "complex", "rv128" }, { "complex", "rv" }, { "complex", "rv644" },
		{ "quirks", "gather,nonsense" }, { "quirks", "x" },
		{ "slot_depth", "0" }, { "slot_depth", "3" }, { "slot_depth", "one" },
		{ "live", "maybe" },
	};

	ASSERT_EQ(0, sim_unplug(&self->node));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_NE(0, sim_attribute(&self->node, bad[i].attribute, bad[i].value)) {
			TH_LOG("%s accepts '%s'", bad[i].attribute, bad[i].value);
		}
	}
	/* G08: and none of it got in the way of a good one. */
	EXPECT_STREQ("1", shows(&self->node, "meshes"));
	ASSERT_EQ(0, sim_plug(&self->node));
	EXPECT_EQ(0, access(self->node.path, R_OK | W_OK));
}

TEST_F(configfs, live_twice)
{
	struct kohaku_info info;
	int fd = open_sim(_metadata, &self->node);

	sim_attribute(&self->node, "live", "1");
	test_info(fd, &info);
	ASSERT_EQ(0, sim_unplug(&self->node));
	sim_unplug(&self->node);
	EXPECT_EQ(ENODEV, _test_info(fd, &info));
	close(fd);
	ASSERT_EQ(0, sim_plug(&self->node));
}

/* Removing the folder of a live node unplugs it. */
TEST_F(configfs, removed_while_live)
{
	struct kohaku_info info;
	int fd = open_sim(_metadata, &self->node);

	ASSERT_EQ(0, rmdir(self->node.folder));
	EXPECT_EQ(ENODEV, _test_info(fd, &info));
	close(fd);
	EXPECT_NE(0, access(self->node.path, F_OK));
}

/* Many at once, each with a number and a memory of its own.  D08, G05 */
TEST_F(configfs, many_nodes)
{
	struct sim_node nodes[8];
	int fds[8];

	for (unsigned int i = 0; i < 8; i++) {
		char name[32];

		snprintf(name, sizeof(name), "kselftest-many%u", i);
		ASSERT_EQ(0, sim_create(&nodes[i], name, 1 + i % 4));
		fds[i] = open_sim(_metadata, &nodes[i]);
	}
	for (unsigned int i = 0; i < 8; i++) {
		struct kohaku_info info;

		test_info(fds[i], &info);
		EXPECT_EQ(1 + i % 4, info.out_meshes);
		EXPECT_EQ((__u32)atoi(node_name(nodes[i].path) + strlen("kohaku")), info.out_node);
		for (unsigned int j = 0; j < i; j++)
			EXPECT_STRNE(nodes[j].path, nodes[i].path);
	}
	for (unsigned int i = 0; i < 8; i++) {
		sim_destroy(&nodes[i]);
		close(fds[i]);
	}
}

/* D09: as soon as the file is there it works. */
/* G05: a node is found by the name that it was given, whatever comes and goes. */
TEST_F(configfs, found_by_name)
{
	struct sim_node first, second;
	struct kohaku_info info;
	char path[sizeof(second.path)];
	int fd;

	ASSERT_EQ(0, sim_create(&first, "kselftest-first", 1));
	ASSERT_EQ(0, sim_create(&second, "kselftest-second", 2));
	strcpy(path, second.path);
	sim_destroy(&first);
	ASSERT_EQ(0, sim_create(&first, "kselftest-first", 3));
	EXPECT_STREQ(path, second.path);
	EXPECT_STREQ(node_name(path), shows(&second, "node"));
	EXPECT_STREQ(node_name(first.path), shows(&first, "node"));
	fd = open_sim(_metadata, &first);
	test_info(fd, &info);
	EXPECT_EQ(3, info.out_meshes);
	close(fd);
	fd = open_sim(_metadata, &second);
	test_info(fd, &info);
	EXPECT_EQ(2, info.out_meshes);
	close(fd);
	sim_destroy(&second);
	sim_destroy(&first);
}

/* D09 */
TEST_F_TIMEOUT(configfs, ready_at_once, 120)
{
	for (unsigned int i = 0; i < 200; i++) {
		struct kohaku_info info;
		int fd;

		ASSERT_EQ(0, sim_unplug(&self->node));
		ASSERT_EQ(0, sim_plug(&self->node));
		fd = open_sim(_metadata, &self->node);
		test_info(fd, &info);
		EXPECT_EQ(KOHAKU_NODE_OK, info.out_state);
		close(fd);
	}
}

TEST_HARNESS_MAIN
