// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku sim: simulated nodes of the driver, through configfs.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

#define CONFIGFS_ROOT "/sys/kernel/config/kohaku"

static const char *const attributes[] = { "meshes", "complex", "quirks", "slot_depth",
					   "fabric" };

#define ATTRIBUTES (sizeof(attributes) / sizeof(attributes[0]))

/* $KOHAKU_CONFIGFS replaces /sys/kernel/config/kohaku. */
static const char *root(void)
{
	const char *path = getenv("KOHAKU_CONFIGFS");

	return path ? path : CONFIGFS_ROOT;
}

static int no_configfs(const struct cli *cli)
{
	return cli_fail(cli, "%s: %m; load the driver (kohaku load) and mount configfs "
			"(mount -t configfs none /sys/kernel/config)", root());
}

static bool name_ok(const char *name)
{
	return *name && *name != '.' && strlen(name) <= 64 && !strchr(name, '/');
}

static int write_attribute(const struct cli *cli, const char *name, const char *attribute,
			   const char *value)
{
	char path[PATH_MAX];
	ssize_t length;
	int fd, error;

	snprintf(path, sizeof(path), "%s/%s/%s", root(), name, attribute);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return cli_fail(cli, "%s: %m", path);
	length = write(fd, value, strlen(value));
	error = errno;
	close(fd);
	if (length >= 0)
		return CLI_OK;
	errno = error;
	return cli_fail(cli, "%s: cannot set it to '%s': %m", path, value);
}

/* One line of an attribute; empty when it cannot be read. */
static void read_attribute(const char *name, const char *attribute, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t length = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/%s/%s", root(), name, attribute);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		length = read(fd, text, size - 1);
		close(fd);
	}
	text[length > 0 ? length : 0] = 0;
	text[strcspn(text, "\n")] = 0;
}

static struct json_object *describe(const char *name)
{
	static const char *const shown[] = {
		"live", "node", "meshes", "complex", "quirks", "slot_depth", "fabric",
	};
	struct json_object *object = json_object_new_object();
	char text[160];
	size_t i;

	cli_add_text(object, "name", name);
	for (i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		read_attribute(name, shown[i], text, sizeof(text));
		cli_add_text(object, shown[i], text);
	}
	return object;
}

/* "meshes=4": splits it in place. */
static bool split_setting(char *setting, char **value)
{
	size_t i;

	*value = strchr(setting, '=');
	if (!*value)
		return false;
	*(*value)++ = 0;
	for (i = 0; i < ATTRIBUTES; i++) {
		if (!strcmp(setting, attributes[i]))
			return true;
	}
	return false;
}

static int set_up(const struct cli *cli, const char *name, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		char *value;

		if (!split_setting(argv[i], &value))
			return cli_usage(cli, "'%s' is no setting; meshes=, complex=, quirks=, "
					 "slot_depth= and fabric= are", argv[i]);
		if (write_attribute(cli, name, argv[i], value))
			return CLI_FAILED;
	}
	return write_attribute(cli, name, "live", "1");
}

static int create_node(const struct cli *cli, int argc, char **argv)
{
	char path[PATH_MAX];
	int status;

	if (argc < 1 || !name_ok(argv[0]))
		return cli_usage(cli, "create needs the name of a node");
	if (access(root(), F_OK))
		return no_configfs(cli);
	snprintf(path, sizeof(path), "%s/%s", root(), argv[0]);
	if (mkdir(path, 0755))
		return cli_fail(cli, "%s: %m", path);
	status = set_up(cli, argv[0], argc - 1, argv + 1);
	if (status) {
		rmdir(path);
		return status;
	}
	return cli_print(cli, describe(argv[0]));
}

static int destroy_node(const struct cli *cli, int argc, char **argv)
{
	struct json_object *object;
	char path[PATH_MAX];

	if (argc != 1 || !name_ok(argv[0]))
		return cli_usage(cli, "destroy needs the name of a node");
	snprintf(path, sizeof(path), "%s/%s", root(), argv[0]);
	if (access(path, F_OK))
		return cli_fail(cli, "%s: %m; see sim list", path);
	if (write_attribute(cli, argv[0], "live", "0"))
		return CLI_FAILED;
	if (rmdir(path))
		return cli_fail(cli, "%s: %m", path);
	object = json_object_new_object();
	cli_add_text(object, "destroyed", argv[0]);
	return cli_print(cli, object);
}

static int list_nodes(const struct cli *cli, int argc, char **argv)
{
	struct json_object *object, *nodes;
	struct dirent *entry;
	DIR *dir;

	if (argc)
		return cli_usage(cli, "'%s' is one argument too many", argv[0]);
	dir = opendir(root());
	if (!dir)
		return no_configfs(cli);
	object = json_object_new_object();
	nodes = json_object_new_array();
	json_object_object_add(object, "node", nodes);
	while ((entry = readdir(dir))) {
		if (name_ok(entry->d_name) && entry->d_type == DT_DIR)
			json_object_array_add(nodes, describe(entry->d_name));
	}
	closedir(dir);
	return cli_print(cli, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	const struct cli_option none[] = { { 0 } };
	const char *verb;

	if (cli_options(cli, argc, argv, none))
		return CLI_USAGE;
	if (optind == argc)
		return cli_usage(cli, "create, destroy or list?");
	verb = argv[optind++];
	argc -= optind;
	argv += optind;
	if (!strcmp(verb, "create"))
		return create_node(cli, argc, argv);
	if (!strcmp(verb, "destroy"))
		return destroy_node(cli, argc, argv);
	if (!strcmp(verb, "list"))
		return list_nodes(cli, argc, argv);
	return cli_usage(cli, "'%s' is neither create, destroy nor list", verb);
}

const struct cli_command cli_sim = {
	.name = "sim",
	.run = run,
	.usage = "create NAME [SETTING=VALUE]... | destroy NAME | list",
	.help = "Create, destroy and list simulated nodes of the driver.\n\n"
		"Settings: meshes=1..4, complex=none|rv32|rv64, quirks=none|gather,\n"
		"slot_depth=1|2, fabric=none|2x2:2x2 (kamlets and jamlets of the transfer fabric).\n"
		"Needs root, and configfs mounted at /sys/kernel/config.  Open files of a node\n"
		"that is destroyed answer ENODEV.  For a node without the driver see -d sim:.",
};
