// SPDX-License-Identifier: GPL-2.0
/* kohaku plan: the figures that it says, what it refuses, and the picture. */
#include "cli_testing.h"

static void it_chooses_and_tells_why(void **state)
{
	(void)state;
	assert_int_equal(kohaku("plan --json --from flat --to tile:32x2:8x8 --shape 1024x64"),
			 CLI_OK);
	assert_int_equal(json_number("core_cycles"), 26534);
	assert_int_equal(json_number("words_a_block"), 4096);
	assert_int_equal(json_number("flits"), 262);
	assert_non_null(strstr(output, "\"route\": \"slot\""));
	assert_non_null(strstr(output, "it takes words apart"));
	assert_int_equal(kohaku("plan --from flat --to tile:32x2:8x8 --shape 1024x64 --depth 0"),
			 CLI_OK);
	assert_non_null(strstr(output, "route                   vector\n"));
	assert_int_equal(kohaku("plan --from flat --to entry:8x2 --shape 64x64"), CLI_OK);
	assert_non_null(strstr(output, "route                   mover\n"));
	assert_int_equal(kohaku("plan --from flat --to entry:8x2 --shape 8x24"), CLI_OK);
	assert_non_null(strstr(output, "route                   host\n"));
	assert_non_null(strstr(output, "padding: the layouts differ in size"));
}

static void it_counts_batches_and_shards(void **state)
{
	(void)state;
	assert_int_equal(kohaku("plan --json --from entry:2x2 --to entry:8x2 --shape 64x128,4 "
				"--shards 4"), CLI_OK);
	assert_int_equal(json_number("blocks"), 4);
	assert_int_equal(json_number("runs"), 8);
	assert_int_equal(json_number("crossing_bytes"), 8192);
	assert_non_null(strstr(output, "\"shard_local\": false"));
}

static void it_explains_widths(void **state)
{
	(void)state;
	assert_int_equal(kohaku("plan --explain --from entry:8x2 --to flat --shape 64x128"),
			 CLI_OK);
	assert_non_null(strstr(output, "the walk needs more than 4 dimensions"));
	assert_non_null(strstr(output, "walk                  2 at 1, 4 at 8, 2 at 2, 8 at 32\n"));
}

static void it_refuses(void **state)
{
	(void)state;
	assert_refused("plan --from flat --to flat", CLI_USAGE, "--from, --to and --shape");
	assert_refused("plan --from flat --to entry:8x --shape 4x4", CLI_FAILED,
		       "entry:8x: expected a positive number, at character 9");
	assert_refused("plan --from flat --to flat --shape 4xx4", CLI_FAILED,
		       "4xx4: expected a positive number, at character 3");
	assert_refused("plan --from flat --to flat --shape 4x4,0", CLI_FAILED,
		       "'0' is no number of blocks");
	assert_refused("plan --from flat --to tile:1x1:1x1 --shape 8x4", CLI_FAILED,
		       "the tiles have 4 rows, the array 8, at character 6");
	assert_refused("plan --from flat --to flat --shape 4x4 --shards 0", CLI_USAGE,
		       "no number of shards");
	assert_refused("plan --from flat --to flat --shape 4x4 --svg /nowhere/x", CLI_FAILED,
		       "/nowhere/x: No such file");
}

static void it_draws(void **state)
{
	static char picture[65536];
	size_t length;

	(void)state;
	assert_int_equal(kohaku("plan --from flat --to tile:1x1:4x4 --shape 16x16 --svg picture"),
			 CLI_OK);
	length = read_at("picture", (uint8_t *)picture, sizeof(picture) - 1);
	picture[length] = 0;
	assert_non_null(strstr(picture, "<title>word 0: granule 0 of word 1<"));
	assert_non_null(strstr(picture, "</svg>\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_chooses_and_tells_why),
		cmocka_unit_test(it_counts_batches_and_shards),
		cmocka_unit_test(it_explains_widths),
		cmocka_unit_test(it_refuses),
		cmocka_unit_test(it_draws),
	};

	return cmocka_run_group_tests_name("tools/kohaku plan", tests, enter_folder, leave_folder);
}
