// SPDX-License-Identifier: GPL-2.0
/*
 * The options of a subcommand, as a table, and the values that several take.
 */
#include <string.h>

#include "cli.h"

#define OPTIONS_MOST 16
/* Above every character that getopt_long() answers by itself. */
#define FIRST_VALUE 256

int cli_take_text(const struct cli *cli, const char *text, void *into)
{
	(void)cli;
	*(const char **)into = text;
	return CLI_OK;
}

int cli_take_mesh(const struct cli *cli, const char *text, void *into)
{
	if (!cli_number_below(text, KOHAKU_MAX_MESHES, into))
		return cli_usage(cli, "'%s' is no mesh", text);
	return CLI_OK;
}

int cli_take_tier(const struct cli *cli, const char *text, void *into)
{
	uint32_t *tier = into;

	if (!strcmp(text, "dram"))
		*tier = KOHAKU_TIER_DRAM;
	else if (!strcmp(text, "staging"))
		*tier = KOHAKU_TIER_STAGING;
	else
		return cli_usage(cli, "'%s' is neither dram nor staging", text);
	return CLI_OK;
}

int cli_take_size(const struct cli *cli, const char *text, void *into)
{
	uint64_t *size = into;

	if (!cli_number(text, size) || !*size || *size % KOHAKU_WORD_SIZE || *size > 4ULL << 30)
		return cli_usage(cli, "'%s' is no multiple of 32 up to 4G", text);
	return CLI_OK;
}

static void long_options(const struct cli_option *options, struct option *table)
{
	int i;

	for (i = 0; options[i].name; i++) {
		table[i].name = options[i].name;
		table[i].has_arg = options[i].take ? required_argument : no_argument;
		table[i].val = FIRST_VALUE + i;
	}
}

int cli_options(const struct cli *cli, int argc, char **argv, const struct cli_option *options)
{
	struct option table[OPTIONS_MOST + 1] = { 0 };
	int value, status = CLI_OK;

	long_options(options, table);
	opterr = 0;
	while (!status && (value = getopt_long(argc, argv, ":", table, NULL)) != -1) {
		const struct cli_option *option = options + value - FIRST_VALUE;

		if (value == '?')
			status = cli_usage(cli, "option '%s' is not known", argv[optind - 1]);
		else if (value == ':')
			status = cli_usage(cli, "option '%s' needs a value", argv[optind - 1]);
		else if (option->take)
			status = option->take(cli, optarg, option->into);
		else
			*(bool *)option->into = true;
	}
	return status;
}

int cli_no_arguments(const struct cli *cli, int argc, char **argv)
{
	const struct cli_option none[] = { { 0 } };
	int status = cli_options(cli, argc, argv, none);

	if (!status && optind != argc)
		status = cli_usage(cli, "'%s' is one argument too many", argv[optind]);
	return status;
}
