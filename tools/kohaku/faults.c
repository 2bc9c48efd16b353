// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku faults: how often which fault happened, from sysfs.
 */
#include <stdio.h>
#include <string.h>

#include "sysfs.h"

/* A line of the attribute: code, count, name. */
static int add_fault(const struct sysfs *mesh, const char *line, struct json_object *list)
{
	struct json_object *fault;
	unsigned long long count;
	unsigned int code;
	char name[80];

	if (strspn(line, "0123456789") == 0 ||
	    sscanf(line, "%9u %19llu %79[^\n]", &code, &count, name) != 3)
		return cli_fail(mesh->cli, "%s/faults: '%.40s' is no fault; load the right driver",
				mesh->path, line);
	fault = json_object_new_object();
	cli_add_number(fault, "code", code);
	cli_add_number(fault, "count", count);
	cli_add_text(fault, "name", name);
	json_object_array_add(list, fault);
	return CLI_OK;
}

static int add_faults(const struct sysfs *mesh, struct json_object *list)
{
	char text[SYSFS_TEXT], *rest = text, *line;
	int status = sysfs_read(mesh, "faults", text);

	while (!status && (line = strsep(&rest, "\n"))) {
		if (*line)
			status = add_fault(mesh, line, list);
	}
	return status;
}

static int add_mesh(const struct sysfs *node, unsigned int index, struct json_object *object)
{
	struct json_object *list = json_object_new_array();
	struct sysfs mesh;
	char name[16];
	int status;

	snprintf(name, sizeof(name), "mesh%u", index);
	status = sysfs_folder(node, name, &mesh);
	if (!status)
		status = sysfs_add_number(&mesh, "last_fault", object);
	if (!status)
		status = sysfs_add_text(&mesh, "last_fault_name", object);
	json_object_object_add(object, "fault", list);
	return status ? status : add_faults(&mesh, list);
}

static int add_meshes(const struct sysfs *node, struct json_object *list)
{
	uint64_t meshes, i;
	int status = sysfs_number(node, "meshes", KOHAKU_MAX_MESHES, &meshes);

	for (i = 0; !status && i < meshes; i++) {
		struct json_object *mesh = json_object_new_object();

		json_object_array_add(list, mesh);
		status = add_mesh(node, i, mesh);
	}
	return status;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct json_object *object, *list;
	struct sysfs node;

	if (cli_no_arguments(cli, argc, argv))
		return CLI_USAGE;
	if (sysfs_node(cli, &node))
		return CLI_FAILED;
	object = json_object_new_object();
	list = json_object_new_array();
	json_object_object_add(object, "mesh", list);
	if (!add_meshes(&node, list))
		return cli_print(cli, object);
	json_object_put(object);
	return CLI_FAILED;
}

const struct cli_command cli_faults = {
	.name = "faults",
	.run = run,
	.usage = "",
	.help = "Count the faults of each mesh, and name the last one.\n\n"
		"Reads sysfs.  The whole record of a fault is shown by the command whose job it\n"
		"ended.",
};
