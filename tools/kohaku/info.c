// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku info: what a node is and how much of everything it takes.
 */
#include "cli.h"

static const char *backend_name(uint32_t backend)
{
	switch (backend) {
	case KOHAKU_BACKEND_SIM:
		return "sim";
	case KOHAKU_BACKEND_PCI:
		return "pci";
	default:
		return "unknown";
	}
}

static const char *state_name(uint32_t state)
{
	switch (state) {
	case KOHAKU_NODE_OK:
		return "ok";
	case KOHAKU_NODE_WEDGED:
		return "wedged";
	default:
		return "unknown";
	}
}

static const char *complex_name(uint32_t complex)
{
	switch (complex) {
	case KOHAKU_COMPLEX_NONE:
		return "none";
	case KOHAKU_COMPLEX_RV32:
		return "rv32";
	case KOHAKU_COMPLEX_RV64:
		return "rv64";
	default:
		return "unknown";
	}
}

static struct json_object *describe(const char *name, const struct kohaku_info *info)
{
	struct json_object *object = json_object_new_object();

	cli_add_text(object, "device", name);
	cli_add_text(object, "backend", backend_name(info->out_backend));
	cli_add_text(object, "state", state_name(info->out_state));
	cli_add_number(object, "node", info->out_node);
	cli_add_number(object, "meshes", info->out_meshes);
	json_object_object_add(object, "capabilities",
			       cli_capabilities(info->out_caps));
	cli_add_text(object, "complex", complex_name(info->out_complex));
	cli_add_number(object, "slot_depth", info->out_slot_depth);
	cli_add_number(object, "dram_bytes", info->out_dram_size);
	cli_add_number(object, "staging_bytes", info->out_staging_size);
	cli_add_number(object, "dram_alignment", info->out_alignment);
	cli_add_number(object, "staging_alignment", info->out_staging_alignment);
	cli_add_number(object, "max_operations", info->out_max_ops);
	cli_add_number(object, "max_jobs", info->out_max_jobs);
	cli_add_number(object, "max_buffers", info->out_max_buffers);
	cli_add_number(object, "max_indices", info->out_max_indices);
	cli_add_number(object, "default_timeout_ns", info->out_default_timeout_ns);
	cli_add_number(object, "max_timeout_ns", info->out_max_timeout_ns);
	return object;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct kohaku_device *device;
	struct kohaku_info info;
	int status;

	if (cli_no_arguments(cli, argc, argv))
		return CLI_USAGE;
	device = cli_open(cli);
	if (!device)
		return CLI_FAILED;
	status = kohaku_device_info(device, &info);
	if (status)
		status = cli_refused(cli, device, status);
	else
		status = cli_print(cli, describe(kohaku_device_name(device), &info));
	kohaku_close(device);
	return status;
}

const struct cli_command cli_info = {
	.name = "info",
	.run = run,
	.usage = "",
	.help = "Tell what a node is and how much of everything it takes.\n\n"
		"Sizes are bytes; DRAM and staging are those of each mesh.",
};
