// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the subcommand, and reads what all of them understand.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

static const struct cli_command *const commands[] = {
	&cli_info, &cli_status, &cli_copy, &cli_fill, &cli_generate, &cli_gather, &cli_relayout,
	&cli_plan, &cli_slot, &cli_quantise, &cli_dequantise, &cli_swizzle, &cli_palette,
	&cli_transfer, &cli_faults, &cli_reset, &cli_sim, &cli_load, &cli_unload,
};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void print_help(void)
{
	size_t i;

	puts("usage: kohaku [-d DEVICE] [--json] COMMAND ...\n\n"
	     "Use a Kohaku system node: a card, or a simulated one.\n\ncommands:");
	for (i = 0; i < COMMANDS; i++)
		printf("  %-10s %.*s\n", commands[i]->name,
		       (int)strcspn(commands[i]->help, "\n"), commands[i]->help);
	puts("\noptions of every command:\n"
	     "  -d, --device DEVICE  a device file, or \"sim:\" for a node in this process,\n"
	     "                       as in sim:meshes=4; default: $KOHAKU_NODE, /dev/kohaku\n"
	     "  --json               print JSON\n"
	     "  -h, --help           explain the command\n"
	     "  --version            print the version\n\n"
	     "exit status: 0 done, 1 failed, 2 wrong usage");
}

static void print_command_help(const struct cli_command *command)
{
	printf("usage: kohaku %s %s\n\n%s\n", command->name, command->usage, command->help);
}

static const struct cli_command *find_command(const char *name)
{
	size_t i;

	for (i = 0; i < COMMANDS; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}

/* What stands on the command line beside the subcommand and its arguments. */
struct common {
	struct cli cli;
	bool help;
	bool version;
	int argc;
	char **argv;			/* the rest, the subcommand first */
};

/* Takes the common options out, wherever they stand before "--". */
static int take_common(struct common *common, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		const char *arg = argv[i];

		if (!strcmp(arg, "--"))
			break;
		if (!strcmp(arg, "--json")) {
			common->cli.json = true;
		} else if (!strcmp(arg, "-h") || !strcmp(arg, "--help")) {
			common->help = true;
		} else if (!strcmp(arg, "--version")) {
			common->version = true;
		} else if (!strncmp(arg, "--device=", 9)) {
			common->cli.device = arg + 9;
		} else if (!strcmp(arg, "-d") || !strcmp(arg, "--device")) {
			if (++i == argc)
				return cli_usage(&common->cli, "%s needs a device", arg);
			common->cli.device = argv[i];
		} else {
			common->argv[common->argc++] = argv[i];
		}
	}
	while (i < argc)
		common->argv[common->argc++] = argv[i++];
	return CLI_OK;
}

static int dispatch(struct common *common)
{
	const struct cli_command *command;

	if (common->version) {
		puts("kohaku " KOHAKU_VERSION);
		return CLI_OK;
	}
	if (!common->argc) {
		print_help();
		return common->help ? CLI_OK : CLI_USAGE;
	}
	command = find_command(common->argv[0]);
	if (!command)
		return cli_usage(&common->cli, "there is no command '%s'", common->argv[0]);
	if (common->help) {
		print_command_help(command);
		return CLI_OK;
	}
	common->cli.command = command->name;
	optind = 0;
	return command->run(&common->cli, common->argc, common->argv);
}

int cli_main(int argc, char **argv)
{
	struct common common = { 0 };
	int status;

	common.argv = calloc(argc + 1, sizeof(*argv));
	if (!common.argv)
		return cli_fail(&common.cli, "out of memory");
	status = take_common(&common, argc, argv);
	if (!status)
		status = dispatch(&common);
	free(common.argv);
	return status;
}

static unsigned int shift_of(char suffix)
{
	switch (suffix) {
	case 'K':
		return 10;
	case 'M':
		return 20;
	case 'G':
		return 30;
	default:
		return 0;
	}
}

bool cli_number(const char *text, uint64_t *value)
{
	unsigned int shift;
	char *end;

	/* strtoull() would take spaces and signs. */
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, text[0] == '0' && text[1] == 'x' ? 16 : 10);
	if (errno)
		return false;
	shift = shift_of(*end);
	if (shift)
		end++;
	if (*end || *value > UINT64_MAX >> shift)
		return false;
	*value <<= shift;
	return true;
}

bool cli_number_below(const char *text, uint64_t limit, uint32_t *value)
{
	uint64_t number;

	if (!cli_number(text, &number) || number >= limit)
		return false;
	*value = (uint32_t)number;
	return true;
}
