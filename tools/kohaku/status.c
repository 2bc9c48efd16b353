// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku status: how a node is doing, from sysfs.
 */
#include <stdio.h>

#include "sysfs.h"

static int add_numbers(const struct sysfs *folder, const char *const *names,
		       struct json_object *object)
{
	int status = CLI_OK;

	for (; *names && !status; names++)
		status = sysfs_add_number(folder, *names, object);
	return status;
}

static int add_mesh(const struct sysfs *node, unsigned int index, struct json_object *object)
{
	static const char *const numbers[] = {
		"busy", "done", "staging_total", "staging_free", "staging_largest_free",
		"staging_fallbacks", "last_fault", NULL,
	};
	struct sysfs mesh;
	char name[16];
	int status;

	snprintf(name, sizeof(name), "mesh%u", index);
	status = sysfs_folder(node, name, &mesh);
	if (!status)
		status = add_numbers(&mesh, numbers, object);
	return status ? status : sysfs_add_text(&mesh, "last_fault_name", object);
}

static int add_meshes(const struct sysfs *node, struct json_object *object)
{
	struct json_object *list = json_object_new_array();
	uint64_t meshes, i;
	int status;

	json_object_object_add(object, "mesh", list);
	status = sysfs_number(node, "meshes", KOHAKU_MAX_MESHES, &meshes);
	for (i = 0; !status && i < meshes; i++) {
		struct json_object *mesh = json_object_new_object();

		json_object_array_add(list, mesh);
		status = add_mesh(node, i, mesh);
	}
	return status;
}

/* The driver writes them as one number. */
static int add_capabilities(const struct sysfs *node, struct json_object *object)
{
	char text[SYSFS_TEXT];
	uint64_t caps;

	if (sysfs_read(node, "capabilities", text))
		return CLI_FAILED;
	if (!cli_number(text, &caps))
		return cli_fail(node->cli, "%s/capabilities: '%.40s' is no number; "
				"load the right driver", node->path, text);
	json_object_object_add(object, "capabilities", cli_capabilities(caps));
	return CLI_OK;
}

static int add_node(const struct sysfs *node, struct json_object *object)
{
	static const char *const numbers[] = {
		"meshes", "jobs", "buffers", "dram_bytes", "staging_bytes", "user_dram_bytes",
		"user_staging_bytes", "user_files", "user_jobs", NULL,
	};
	int status = sysfs_add_text(node, "backend", object);

	if (!status)
		status = sysfs_add_text(node, "state", object);
	if (!status)
		status = add_capabilities(node, object);
	if (!status)
		status = add_numbers(node, numbers, object);
	return status ? status : add_meshes(node, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct json_object *object;
	struct sysfs node;

	if (cli_no_arguments(cli, argc, argv))
		return CLI_USAGE;
	if (sysfs_node(cli, &node))
		return CLI_FAILED;
	object = json_object_new_object();
	if (!add_node(&node, object))
		return cli_print(cli, object);
	json_object_put(object);
	return CLI_FAILED;
}

const struct cli_command cli_status = {
	.name = "status",
	.run = run,
	.usage = "",
	.help = "Tell how a node is doing: jobs, memory, faults.\n\n"
		"Reads sysfs, so it needs no access to the device, and shows what all programs\n"
		"together use.",
};
