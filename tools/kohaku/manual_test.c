// SPDX-License-Identifier: GPL-2.0
/*
 * The manual and the shell completion know every command and option that --help does.
 */
#include <ctype.h>

#include "cli_testing.h"

static const struct cli_command *const all[] = {
	&cli_info, &cli_status, &cli_copy, &cli_fill, &cli_generate, &cli_gather, &cli_relayout,
	&cli_plan, &cli_slot, &cli_quantise, &cli_dequantise, &cli_swizzle, &cli_palette,
	&cli_transfer, &cli_faults, &cli_reset, &cli_sim, &cli_load, &cli_unload,
};

static char manual[65536], completion[16384];

/* The manual's text without its markup: "\-\-json" is "--json". */
static void read_manual(const char *path)
{
	char *to = manual, *from = manual;

	manual[read_at(path, manual, sizeof(manual) - 1)] = 0;
	for (; *from; from++) {
		if (*from != '\\')
			*to++ = *from;
	}
	*to = 0;
}

static int read_texts(void **state)
{
	(void)state;
	read_manual("Documentation/man/kohaku.1");
	completion[read_at("tools/kohaku/completion.bash", completion,
			   sizeof(completion) - 1)] = 0;
	return 0;
}

static void every_command_is_there(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_non_null(strstr(manual, all[i]->name));
		assert_non_null(strstr(completion, all[i]->name));
	}
}

static void assert_known(const char *option)
{
	if (!strstr(manual, option) || !strstr(completion, option))
		print_error("%s is not documented\n", option);
	assert_non_null(strstr(manual, option));
	assert_non_null(strstr(completion, option));
}

static void every_option_is_there(void **state)
{
	unsigned int found = 0;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const char *at = all[i]->usage;

		while ((at = strstr(at, "--"))) {
			char option[32] = "--";
			size_t length = 2;

			while (islower((unsigned char)at[length]) && length < sizeof(option) - 1) {
				option[length] = at[length];
				length++;
			}
			assert_known(option);
			at += length;
			found++;
		}
	}
	assert_true(found > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_is_there),
		cmocka_unit_test(every_option_is_there),
	};

	return cmocka_run_group_tests_name("tools/kohaku/manual", tests, read_texts, NULL);
}
