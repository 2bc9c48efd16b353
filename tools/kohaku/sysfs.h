/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes in /sys/class/kohaku.  What is read is believed only as far as it
 * looks like what the driver writes.
 */
#ifndef KOHAKU_TOOL_SYSFS_H
#define KOHAKU_TOOL_SYSFS_H

#include "cli.h"

/* A folder of attributes; errors name the whole path. */
struct sysfs {
	const struct cli *cli;
	char path[256];
};

/* Longest text of an attribute. */
#define SYSFS_TEXT 4096

/*
 * All of these return CLI_OK or complain and return CLI_FAILED.
 */
/* The folder of the node that -d names; $KOHAKU_SYSFS replaces /sys/class/kohaku. */
int sysfs_node(const struct cli *cli, struct sysfs *node);
int sysfs_folder(const struct sysfs *parent, const char *name, struct sysfs *folder);
/* Reads an attribute without its last newline: printable ASCII, or lines of it. */
int sysfs_read(const struct sysfs *folder, const char *name, char text[SYSFS_TEXT]);
int sysfs_number(const struct sysfs *folder, const char *name, uint64_t limit, uint64_t *value);
int sysfs_add_text(const struct sysfs *folder, const char *name, struct json_object *object);
int sysfs_add_number(const struct sysfs *folder, const char *name, struct json_object *object);

#endif
