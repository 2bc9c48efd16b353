// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku reset: bring a node back to work.
 */
#include "cli.h"

static int run(struct cli *cli, int argc, char **argv)
{
	struct kohaku_device *device;
	struct json_object *object;
	int status;

	if (cli_no_arguments(cli, argc, argv))
		return CLI_USAGE;
	device = cli_open(cli);
	if (!device)
		return CLI_FAILED;
	status = kohaku_device_reset(device);
	if (status) {
		status = cli_refused(cli, device, status);
	} else {
		object = json_object_new_object();
		cli_add_text(object, "reset", kohaku_device_name(device));
		status = cli_print(cli, object);
	}
	kohaku_close(device);
	return status;
}

const struct cli_command cli_reset = {
	.name = "reset",
	.run = run,
	.usage = "",
	.help = "Reset a node: jobs of every program are dropped.\n\n"
		"Other programs lose their buffers and must open the node again.  A wedged\n"
		"node works again if it passes its self-test.  Needs CAP_SYS_ADMIN.",
};
