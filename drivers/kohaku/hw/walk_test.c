// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Elements in order, and where a misaligned move stops.
 */
#include "hw/testing.h"

#include "hw/move.h"

static const struct kohaku_walker example = {
	.ndim = 2,
	.dims = { { -64, 3, -1, 1 }, { 32, 2, 1, 2 } },
	.windows = { { 1, 9 }, { -1, 1 } },
};

static void test_elements(void **unused)
{
	struct kohaku_walker walker = { .ndim = 2, .dims = { { 0, 3, 0, 0 }, { 0, 5, 0, 0 } } };
	u32 i;

	(void)unused;
	assert_int_equal(kohaku_walk_elements(&walker), 15);
	walker.ndim = 0;
	assert_int_equal(kohaku_walk_elements(&walker), 1);
	walker.ndim = 4;
	for (i = 0; i < 6; i++)
		walker.dims[i].count = 65535;
	assert_true(kohaku_walk_elements(&walker) == 65535ULL * 65535 * 65535 * 65535);
	walker.ndim = 5;
	assert_true(kohaku_walk_elements(&walker) == U64_MAX);
}

static void test_order(void **unused)
{
	static const s64 offsets[] = { 0, 32, -64, -32, -128, -96 };
	/* Axis A goes 1, 0, -1 outside; axis B goes -1, 0 inside. */
	static const bool inside[] = { false, true, false, true, false, false };
	struct kohaku_element element;
	u32 i;

	(void)unused;
	kohaku_walk_first(&example, &element);
	for (i = 0; i < 6; i++) {
		assert_int_equal(element.number, i);
		assert_int_equal(element.indices[0], i / 2);
		assert_int_equal(element.indices[1], i % 2);
		assert_true(element.offset == offsets[i]);
		assert_int_equal(element.inside, inside[i]);
		assert_int_equal(kohaku_walk_next(&example, &element), i < 5);
	}
}

static void test_misaligned(void **unused)
{
	struct kohaku_move move = { .mode = KOHAKU_MOVE_FILL, .dst = example };
	struct kohaku_element element;
	u64 words;

	(void)unused;
	assert_false(kohaku_move_misaligned(&move, 0x1000, 100, &element, &words));
	/* Element 0 is outside, and so is no fault; 1 is the first. */
	assert_true(kohaku_move_misaligned(&move, 0x1008, 100, &element, &words));
	assert_int_equal(element.number, 1);
	assert_int_equal(words, 0);
	move.dst.offset = 128 + 24;
	assert_false(kohaku_move_misaligned(&move, 0x1008, 100, &element, &words));
	move.dst.offset = 128;
	move.dst.dims[0].stride = -72;
	assert_true(kohaku_move_misaligned(&move, 0x1000, 100, &element, &words));
	assert_int_equal(element.number, 3);
	assert_int_equal(element.indices[0], 1);
	assert_int_equal(element.indices[1], 1);
	assert_true(element.offset == -40);
	assert_int_equal(words, 1);
	/* The limit counts elements looked at. */
	assert_true(kohaku_move_misaligned(&move, 0x1000, 4, &element, &words));
	assert_false(kohaku_move_misaligned(&move, 0x1000, 3, &element, &words));
	assert_false(kohaku_move_misaligned(&move, 0x1000, 0, &element, &words));
	/* Every misaligned element is outside. */
	move.dst.windows[0].base = 0;
	move.dst.windows[0].extent = 1;
	assert_false(kohaku_move_misaligned(&move, 0x1000, 100, &element, &words));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elements),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_misaligned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
