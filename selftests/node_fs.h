/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files around a node: sysfs attributes, debugfs knobs, and simulated nodes made
 * and unplugged through configfs.
 */
#ifndef SELFTESTS_NODE_FS_H
#define SELFTESTS_NODE_FS_H

#include "kohaku_test.h"

#include <dirent.h>

#define CONFIGFS_KOHAKU "/sys/kernel/config/kohaku"
#define DEBUGFS_KOHAKU "/sys/kernel/debug/kohaku"
#define SYSFS_KOHAKU "/sys/class/kohaku"

/* Reads a small text file without its last newline: 0 or errno. */
static inline int text_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	if (fd < 0)
		return errno;
	n = read(fd, text, size - 1);
	err = n < 0 ? errno : 0;
	close(fd);
	if (n > 0 && text[n - 1] == '\n')
		n--;
	text[n > 0 ? n : 0] = '\0';
	return err;
}

static inline int text_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return errno;
	err = write(fd, text, strlen(text)) < 0 ? errno : 0;
	close(fd);
	return err;
}

static inline bool user_mode_linux(void)
{
	char text[4096];

	return !text_read("/proc/cpuinfo", text, sizeof(text)) && strstr(text, "User Mode Linux");
}

/* "kohaku" of "/dev/kohaku". */
static inline const char *node_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* A number in the sysfs folder of a node; -1 when it is not there. */
static inline long long sysfs_number(const char *path, const char *attribute)
{
	char file[256], text[64];

	snprintf(file, sizeof(file), SYSFS_KOHAKU "/%s/%s", node_name(path), attribute);
	return text_read(file, text, sizeof(text)) ? -1 : strtoll(text, NULL, 0);
}

static inline int knob_write(const char *path, unsigned int mesh, const char *knob,
			     const char *value)
{
	char file[256];

	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/mesh%u/%s", node_name(path), mesh, knob);
	return text_write(file, value);
}

/* A simulated node of a test's own. */
struct sim_node {
	char folder[128];	/* in configfs */
	char path[64];		/* of its device file */
};

static inline int sim_attribute(const struct sim_node *node, const char *attribute,
				const char *value)
{
	char file[256];

	if (snprintf(file, sizeof(file), "%s/%s", node->folder, attribute) >= (int)sizeof(file))
		return ENAMETOOLONG;
	return text_write(file, value);
}

/* Pulls the node out, as if its card were removed. */
static inline int sim_unplug(const struct sim_node *node)
{
	return sim_attribute(node, "live", "0");
}

static inline void sim_destroy(const struct sim_node *node)
{
	sim_unplug(node);
	rmdir(node->folder);
}

/* Makes the node of that name live; 0 or errno. */
static inline int sim_plug(struct sim_node *node)
{
	char file[256], name[32];
	int err = sim_attribute(node, "live", "1");

	if (err)
		return err;
	snprintf(file, sizeof(file), "%s/node", node->folder);
	err = text_read(file, name, sizeof(name));
	snprintf(node->path, sizeof(node->path), "/dev/%s", name);
	return err;
}

/* What an earlier, killed run left under the same name goes first. */
static inline int sim_create(struct sim_node *node, const char *name, unsigned int meshes)
{
	char count[16];
	int err;

	snprintf(node->folder, sizeof(node->folder), CONFIGFS_KOHAKU "/%s", name);
	sim_destroy(node);
	if (mkdir(node->folder, 0755))
		return errno;
	snprintf(count, sizeof(count), "%u", meshes);
	err = sim_attribute(node, "meshes", count);
	if (!err)
		err = sim_plug(node);
	if (err)
		sim_destroy(node);
	return err;
}

/* A test that died has left its nodes: the program takes them with it at its end. */
static void __attribute__((destructor)) sim_sweep(void)
{
	DIR *dir = opendir(CONFIGFS_KOHAKU);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct sim_node node;

		if (strncmp(entry->d_name, "kselftest-", 10))
			continue;
		snprintf(node.folder, sizeof(node.folder), CONFIGFS_KOHAKU "/%.80s",
			 entry->d_name);
		sim_destroy(&node);
	}
	if (dir)
		closedir(dir);
}

/* A node of the test's own, for a fixture's setup. */
static inline void make_node(struct __test_metadata *_metadata, struct sim_node *node,
			     const char *name, unsigned int meshes)
{
	int err;

	if (access(CONFIGFS_KOHAKU, W_OK))
		SKIP_SETUP("no simulated nodes: %s: %s", CONFIGFS_KOHAKU, strerror(errno));
	err = sim_create(node, name, meshes);
	ASSERT_EQ(0, err);
}

/* Opens it; closed by the teardown. */
static inline int open_sim(struct __test_metadata *_metadata, const struct sim_node *node)
{
	int fd = open(node->path, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, fd);
	return fd;
}

#endif
