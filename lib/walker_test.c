// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "perm.h"
#include "walker.h"

static void long_loops_are_split_where_they_divide(void **state)
{
	struct kohaku_loops loops = walk_in_order(3 * 65536);
	struct kohaku_walker walker = { 0 };

	(void)state;
	assert_true(walk_fit(&loops));
	assert_int_equal(loops.count, 2);
	assert_int_equal(loops.dims[0].bound * loops.dims[1].bound, 3 * 65536);
	assert_in_range(loops.dims[0].bound, 1, 65535);
	assert_int_equal(loops.dims[1].stride, loops.dims[0].bound);
	walk_set(&walker, &loops);
	assert_int_equal(walker.ndim, 2);
	assert_int_equal(walker.dims[1].stride, 32);
	assert_int_equal(walker.dims[0].stride, 32 * (int64_t)walker.dims[1].count);
	assert_int_equal(walker.dims[0].count * walker.dims[1].count, 3 * 65536);
}

/* Outer loops move up and keep their strides. */
static void splitting_keeps_the_loops_outside(void **state)
{
	struct kohaku_loops loops = walk_in_order(131072);

	(void)state;
	walk_add_blocks(&loops, 5, 32 * 200000ULL);
	assert_true(walk_fit(&loops));
	assert_int_equal(loops.count, 3);
	assert_int_equal(loops.dims[2].stride, 200000);
	assert_int_equal(loops.dims[2].bound, 5);
}

static void primes_and_full_walks_cannot_be_split(void **state)
{
	struct kohaku_loops prime = walk_in_order(65537), full = walk_in_order(131072);
	uint32_t i;

	(void)state;
	assert_false(walk_fit(&prime));
	for (i = 1; i < KOHAKU_MAX_DIMS; i++)
		walk_add_blocks(&full, 2, 32ULL * (140000 + i));
	assert_int_equal(full.count, KOHAKU_MAX_DIMS);
	assert_false(walk_fit(&full));
}

static void walks_stay_within_two_gib(void **state)
{
	struct kohaku_loops near = walk_in_order(2), far = walk_in_order(2);

	(void)state;
	walk_add_blocks(&near, 2, (1ULL << 31) - 64);
	assert_true(walk_fit(&near));
	walk_add_blocks(&far, 2, 1ULL << 31);
	assert_false(walk_fit(&far));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(long_loops_are_split_where_they_divide),
		cmocka_unit_test(splitting_keeps_the_loops_outside),
		cmocka_unit_test(primes_and_full_walks_cannot_be_split),
		cmocka_unit_test(walks_stay_within_two_gib),
	};

	return cmocka_run_group_tests_name("lib/walker", tests, NULL, NULL);
}
