// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The planner against identity images.
 *
 * The oracle plans by the letter of the rules: it numbers the elements, looks
 * every word up, and tries every width on the list of offsets.  The planner
 * takes short cuts; for any conversion the two must agree in every field or
 * both refuse, and what was planned, carried out word by word, must be the
 * packed array.
 */
#include "plan_oracle.h"

#define CONVERSIONS 20000
#define ELEMENTS_MAX 8192

static void test_random_conversions(void **state)
{
	u32 planned = 0, refused = 0;
	struct ways ways = { 0 };

	(void)state;
	testing_seed("plan");
	while (planned + refused < CONVERSIONS) {
		struct kohaku_packing before, after;

		random_conversion(random_once_in(8) ? ELEMENTS_MAX : 1024, &before, &after);
		if (before.slots > WORDS_MAX * 16 || after.slots > WORDS_MAX * 16)
			continue;
		check_short_cuts(&before, &after, &ways);
		if (check_conversion(&before, &after))
			planned++;
		else
			refused++;
	}
	print_message("%u planned, %u refused by both; permutations by loops %u, by words %u\n",
		      planned, refused, ways.loops, ways.words);
	assert_true(planned > CONVERSIONS / 5 && refused > CONVERSIONS / 20);
}

static struct kohaku_packing packing_of(const char *name, const char *shape)
{
	struct kohaku_packing packing;
	struct kohaku_layout layout;
	struct kohaku_shape s;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	assert_int_equal(kohaku_shape_parse(shape, &s, NULL), 0);
	assert_int_equal(kohaku_packing_init(&packing, &layout, &s, 0, NULL), 0);
	return packing;
}

static void assert_refused(const char *from, const char *to, const char *shape, int error,
			   const char *text)
{
	struct kohaku_packing before = packing_of(from, shape), after = packing_of(to, shape);
	struct kohaku_reason reason = { .text = "" };
	struct kohaku_plan plan;

	assert_int_equal(kohaku_plan_init(&plan, &before, &after, NULL, &reason), error);
	assert_non_null(strstr(reason.text, text));
}

static void test_refusals(void **state)
{
	(void)state;
	assert_refused("flat", "flat", "1x16", -EDOM, "no run width");
	assert_refused("flat", "flat", "3x5", -EDOM, "whole words");
	assert_refused("flat", "entry:8x2", "8x24", -EDOM, "padding");
	assert_refused("tile:1x1:5x4", "flat", "20x16", -EDOM, "no run width");
	assert_refused("tile:2x2:15x12", "tile:2x24:15x1", "120x96", -EDOM, "run");
	assert_refused("tile:4x8:3x2", "tile:3x16:4x1", "48x64", -EDOM, "differ");
}

static void test_mismatches(void **state)
{
	struct kohaku_packing block = packing_of("flat", "64x64");
	struct kohaku_packing batch = packing_of("batch4:flat", "4x64x64");
	struct kohaku_packing fewer = packing_of("batch2:flat", "2x64x64");
	struct kohaku_packing other = packing_of("batch4:entry:8x2", "4x64x128");
	struct kohaku_plan plan;

	(void)state;
	assert_int_equal(kohaku_plan_init(&plan, &block, &batch, NULL, NULL), -EINVAL);
	assert_int_equal(kohaku_plan_init(&plan, &batch, &fewer, NULL, NULL), -EINVAL);
	assert_int_equal(kohaku_plan_init(&plan, &batch, &other, NULL, NULL), -EINVAL);
	assert_int_equal(kohaku_plan_init(&plan, &batch, &batch, NULL, NULL), 0);
	assert_int_equal(plan.count, 4);
	kohaku_plan_fini(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_mismatches),
		cmocka_unit_test(test_random_conversions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
