// SPDX-License-Identifier: GPL-2.0

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sysfs.h"

#define SYSFS_ROOT "/sys/class/kohaku"

static int set_path(const struct cli *cli, struct sysfs *folder, const char *parent,
		    const char *name)
{
	folder->cli = cli;
	if (snprintf(folder->path, sizeof(folder->path), "%s/%s", parent, name) >=
	    (int)sizeof(folder->path))
		return cli_fail(cli, "%s/%s: the name is too long", parent, name);
	return CLI_OK;
}

int sysfs_node(const struct cli *cli, struct sysfs *node)
{
	const char *root = getenv("KOHAKU_SYSFS"), *device = cli->device, *name;
	int status;

	if (!device)
		device = getenv("KOHAKU_NODE");
	if (!device || !*device)
		device = "/dev/kohaku";
	if (!strncmp(device, "sim:", 4))
		return cli_fail(cli, "%s: a node in this process has no sysfs; use info", device);
	name = strrchr(device, '/');
	name = name ? name + 1 : device;
	if (!*name || *name == '.')
		return cli_fail(cli, "%s: not a device; name a /dev/kohaku*", device);
	status = set_path(cli, node, root ? root : SYSFS_ROOT, name);
	if (!status && access(node->path, X_OK))
		return cli_fail(cli, "%s: %m; load the driver (kohaku load)", node->path);
	return status;
}

int sysfs_folder(const struct sysfs *parent, const char *name, struct sysfs *folder)
{
	return set_path(parent->cli, folder, parent->path, name);
}

static ssize_t read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t length;

	if (fd < 0)
		return -1;
	length = read(fd, text, size);
	close(fd);
	return length;
}

static bool is_text(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i < length; i++) {
		if (text[i] != '\n' && !isprint((unsigned char)text[i]))
			return false;
	}
	return true;
}

int sysfs_read(const struct sysfs *folder, const char *name, char text[SYSFS_TEXT])
{
	struct sysfs file;
	ssize_t length;

	if (set_path(folder->cli, &file, folder->path, name))
		return CLI_FAILED;
	length = read_text(file.path, text, SYSFS_TEXT);
	if (length < 0)
		return cli_fail(folder->cli, "%s: %m; is the driver of this version?", file.path);
	if (length == SYSFS_TEXT || !is_text(text, length))
		return cli_fail(folder->cli, "%s: not what the driver writes; load the right one",
				file.path);
	if (length && text[length - 1] == '\n')
		length--;
	text[length] = 0;
	return CLI_OK;
}

/* No suffixes here: cli_number() takes more than the driver writes. */
static bool is_number(const char *text, uint64_t *value)
{
	return strspn(text, "0123456789") == strlen(text) && cli_number(text, value);
}

int sysfs_number(const struct sysfs *folder, const char *name, uint64_t limit, uint64_t *value)
{
	char text[SYSFS_TEXT];

	if (sysfs_read(folder, name, text))
		return CLI_FAILED;
	if (!is_number(text, value) || *value > limit)
		return cli_fail(folder->cli, "%s/%s: '%.40s' is no number up to %llu; "
				"load the right driver", folder->path, name, text,
				(unsigned long long)limit);
	return CLI_OK;
}

int sysfs_add_text(const struct sysfs *folder, const char *name, struct json_object *object)
{
	char text[SYSFS_TEXT];

	if (sysfs_read(folder, name, text))
		return CLI_FAILED;
	if (strchr(text, '\n'))
		return cli_fail(folder->cli, "%s/%s: more than one line; load the right driver",
				folder->path, name);
	cli_add_text(object, name, text);
	return CLI_OK;
}

int sysfs_add_number(const struct sysfs *folder, const char *name, struct json_object *object)
{
	uint64_t value = 0;

	if (sysfs_number(folder, name, UINT64_MAX, &value))
		return CLI_FAILED;
	cli_add_number(object, name, value);
	return CLI_OK;
}
