// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conversions of a program, dead ones, placement, and periodic tables. */
#include "relayout_testing.h"

static struct kohaku_layout layout_of(const char *name)
{
	struct kohaku_layout layout;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	return layout;
}

static void test_only_changes_convert(void **state)
{
	const struct kohaku_use uses[] = {
		{ 0, layout_of("tile:2x2:8x8") }, { 1, layout_of("tile:2x2:8x8") },
		{ 2, layout_of("flat") },	  { 4, layout_of("flat") },
		{ 5, layout_of("tile:2x2:8x8") },
	};
	struct kohaku_conversion conversions[4];

	(void)state;
	assert_int_equal(kohaku_conversions(uses, 1, conversions), 0);
	assert_int_equal(kohaku_conversions(uses, 5, conversions), 2);
	assert_int_equal(conversions[0].stage, 2);
	assert_int_equal(conversions[0].from.kind, KOHAKU_LAYOUT_TILE);
	assert_int_equal(conversions[1].stage, 5);
	assert_int_equal(conversions[1].to.kind, KOHAKU_LAYOUT_TILE);
}

static void test_tiles_that_cover(void **state)
{
	struct kohaku_write writes[4];

	(void)state;
	for (u32 i = 0; i < 4; i++)
		writes[i] = (struct kohaku_write){ .kind = KOHAKU_WRITE_TILE, .row = 1 - i / 2,
						   .col = i % 2,
						   .layout = layout_of("tile:2x2:8x8") };
	assert_true(kohaku_conversion_dead(false, writes, 4, 4096));
	assert_false(kohaku_conversion_dead(true, writes, 4, 4096));
	assert_false(kohaku_conversion_dead(false, writes, 3, 4096));
	assert_false(kohaku_conversion_dead(false, writes, 4, 4097));
	assert_false(kohaku_conversion_dead(false, writes, 0, 0));
	writes[2].peer = true;
	assert_false(kohaku_conversion_dead(false, writes, 4, 4096));
	writes[2].peer = false;
	writes[2].kind = KOHAKU_WRITE_OTHER;
	assert_false(kohaku_conversion_dead(false, writes, 4, 4096));
}

static void test_parts_with_a_gap(void **state)
{
	struct kohaku_write writes[2] = {
		{ .kind = KOHAKU_WRITE_PART, .part = 1, .stride = 64, .span = 64 },
		{ .kind = KOHAKU_WRITE_PART, .part = 0, .stride = 64, .span = 64 },
	};

	(void)state;
	assert_true(kohaku_conversion_dead(false, writes, 2, 128));
	writes[0].offset = 1;
	assert_false(kohaku_conversion_dead(false, writes, 2, 128));
}

static void test_placement(void **state)
{
	(void)state;
	assert_int_equal(kohaku_placement(KOHAKU_WISH_NONE, 0), KOHAKU_TIER_DRAM);
	assert_int_equal(kohaku_placement(KOHAKU_WISH_NONE, 1), KOHAKU_TIER_STAGING);
	assert_int_equal(kohaku_placement(KOHAKU_WISH_DRAM, 3), KOHAKU_TIER_DRAM);
	assert_int_equal(kohaku_placement(KOHAKU_WISH_STAGING, 0), KOHAKU_TIER_STAGING);
}

static void test_periodic(void **state)
{
	struct kohaku_reason reason;
	struct kohaku_loops loops;

	(void)state;
	assert_int_equal(kohaku_periodic_walk(6, 24, &loops, NULL), 0);
	for (u64 i = 0; i < 24; i++)
		assert_int_equal(kohaku_affine_at(&loops, i), i % 6);
	assert_int_equal(kohaku_periodic_walk(1, 24, &loops, NULL), 0);
	assert_int_equal(loops.count, 1);
	assert_int_equal(loops.dims[0].stride, 0);
	assert_int_equal(kohaku_periodic_walk(7, 24, &loops, &reason), -EDOM);
	assert_int_equal(kohaku_periodic_walk(48, 24, &loops, &reason), -EDOM);
	assert_int_equal(kohaku_periodic_walk(0, 24, &loops, &reason), -EDOM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_changes_convert),
		cmocka_unit_test(test_tiles_that_cover),
		cmocka_unit_test(test_parts_with_a_gap),
		cmocka_unit_test(test_placement),
		cmocka_unit_test(test_periodic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
