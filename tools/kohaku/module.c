// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku load, kohaku unload: the driver.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libkmod.h>

#include "cli.h"

#define MODULE "kohaku"
#define OPTIONS_SIZE 1024

static bool is_path(const char *text)
{
	size_t length = strlen(text);

	return strchr(text, '/') || (length > 3 && !strcmp(text + length - 3, ".ko"));
}

static const char *advice(int error)
{
	switch (error) {
	case -EPERM:
	case -EACCES:
		return "; do it as root";
	case -ENOENT:
		return "; install it (make install) or name the .ko file";
	case -ENOEXEC:
		return "; it was built for another kernel";
	case -EBUSY:
	case -EAGAIN:
		return "; a program has a node open, or a simulated node is left";
	default:
		return "";
	}
}

static int report(const struct cli *cli, const char *what, const char *module, int error)
{
	struct json_object *object;

	if (error)
		return cli_fail(cli, "%s: %s%s", module, strerror(-error), advice(error));
	object = json_object_new_object();
	cli_add_text(object, what, module);
	return cli_print(cli, object);
}

/* Configfs is a module of its own where it is not built in. */
static void load_configfs(struct kmod_ctx *kmod)
{
	struct kmod_module *module;

	if (kmod_module_new_from_name(kmod, "configfs", &module) < 0)
		return;
	kmod_module_probe_insert_module(module, 0, NULL, NULL, NULL, NULL);
	kmod_module_unref(module);
}

static int load_file(struct kmod_ctx *kmod, const char *path, const char *options)
{
	struct kmod_module *module;
	int err = kmod_module_new_from_path(kmod, path, &module);

	if (err < 0)
		return err;
	load_configfs(kmod);
	err = kmod_module_insert_module(module, 0, options);
	kmod_module_unref(module);
	return err;
}

static int load_name(struct kmod_ctx *kmod, const char *options)
{
	struct kmod_module *module;
	struct kmod_list *list = NULL;
	int err = kmod_module_new_from_lookup(kmod, MODULE, &list);

	if (err < 0)
		return err;
	if (!list)
		return -ENOENT;
	module = kmod_module_get_module(list);
	err = kmod_module_probe_insert_module(module, KMOD_PROBE_FAIL_ON_LOADED, options, NULL,
					      NULL, NULL);
	kmod_module_unref(module);
	kmod_module_unref_list(list);
	return err > 0 ? -ENOENT : err;
}

/* The parameters in one text. */
static bool join(char text[OPTIONS_SIZE], int argc, char **argv)
{
	size_t length = 0;
	int i;

	text[0] = 0;
	for (i = 0; i < argc; i++) {
		length += snprintf(text + length, OPTIONS_SIZE - length, "%s%s", i ? " " : "",
				   argv[i]);
		if (length >= OPTIONS_SIZE || !strchr(argv[i], '='))
			return false;
	}
	return true;
}

static int run_load(struct cli *cli, int argc, char **argv)
{
	const struct cli_option none[] = { { 0 } };
	const char *path = NULL;
	char parameters[OPTIONS_SIZE];
	struct kmod_ctx *kmod;
	int err;

	if (cli_options(cli, argc, argv, none))
		return CLI_USAGE;
	if (optind < argc && is_path(argv[optind]) && !strchr(argv[optind], '='))
		path = argv[optind++];
	if (!join(parameters, argc - optind, argv + optind))
		return cli_usage(cli, "a parameter is NAME=VALUE");
	kmod = kmod_new(NULL, NULL);
	if (!kmod)
		return cli_fail(cli, "cannot set up libkmod");
	kmod_set_log_priority(kmod, 0);
	err = path ? load_file(kmod, path, parameters) : load_name(kmod, parameters);
	kmod_unref(kmod);
	return report(cli, "loaded", path ? path : MODULE, err);
}

const struct cli_command cli_load = {
	.name = "load",
	.run = run_load,
	.usage = "[FILE.ko] [PARAMETER=VALUE]...",
	.help = "Load the driver.\n\n"
		"Without a file the installed module is taken.  Parameters: nodes=N simulated nodes\n"
		"to begin with (default 1), meshes=N meshes of each.  Needs root.",
};

static int run_unload(struct cli *cli, int argc, char **argv)
{
	struct kmod_module *module;
	struct kmod_ctx *kmod;
	int err;

	if (cli_no_arguments(cli, argc, argv))
		return CLI_USAGE;
	kmod = kmod_new(NULL, NULL);
	if (!kmod)
		return cli_fail(cli, "cannot set up libkmod");
	kmod_set_log_priority(kmod, 0);
	err = kmod_module_new_from_name(kmod, MODULE, &module);
	if (err >= 0) {
		err = kmod_module_remove_module(module, KMOD_REMOVE_NOWAIT);
		kmod_module_unref(module);
	}
	kmod_unref(kmod);
	if (err == -ENOENT)
		return cli_fail(cli, MODULE ": not loaded");
	return report(cli, "unloaded", MODULE, err);
}

const struct cli_command cli_unload = {
	.name = "unload",
	.run = run_unload,
	.usage = "",
	.help = "Unload the driver.\n\n"
		"Refused while a program has a node open or a simulated node is left.  Needs root.",
};
