// SPDX-License-Identifier: GPL-2.0
/* Lane orders and byte places on many geometries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/transfer/layout.h"

static void make(struct tf_layout *layout, u32 kc, u32 kr, u32 jc, u32 jr)
{
	struct fabric_config config;

	fabric_config_default(&config);
	config.kamlet_columns = kc;
	config.kamlet_rows = kr;
	config.jamlet_columns = jc;
	config.jamlet_rows = jr;
	tf_layout_init(layout, &config);
}

static void assert_permutation(const struct tf_layout *layout, u32 order)
{
	bool seen[FABRIC_LANES_MAX] = { false };
	u32 lane, g;

	for (lane = 0; lane < layout->lanes; lane++) {
		g = layout->jamlet[order][lane];
		assert_true(g < layout->lanes);
		assert_false(seen[g]);
		assert_int_equal(layout->lane[order][g], lane);
		seen[g] = true;
	}
}

static void orders_are_permutations(void **state)
{
	struct tf_layout layout;
	u32 i, order;

	(void)state;
	for (i = 0; i < 256; i++) {
		make(&layout, 1 + i % 4, 1 + i / 4 % 4, 1 + i / 16 % 4, 1 + i / 64);
		assert_false(layout.valid[1]);
		for (order = 0; order < FABRIC_ORDERS; order++)
			if (layout.valid[order])
				assert_permutation(&layout, order);
	}
}

static u32 apart(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

/* Each lane is next to the one before it, and the last one to the first. */
static void moore_is_a_closed_curve(void **state)
{
	static const u32 grids[][2] = { { 1, 2 }, { 2, 2 }, { 2, 4 }, { 4, 4 } };
	struct tf_layout layout;
	u32 i, lane, a, b;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(grids); i++) {
		make(&layout, grids[i][0], grids[i][0], grids[i][1], grids[i][1]);
		assert_true(layout.valid[FABRIC_ORDER_MOORE]);
		for (lane = 0; lane < layout.lanes; lane++) {
			a = layout.jamlet[FABRIC_ORDER_MOORE][lane];
			b = layout.jamlet[FABRIC_ORDER_MOORE][(lane + 1) % layout.lanes];
			assert_int_equal(apart(layout.x[a], layout.x[b]) +
					 apart(layout.y[a], layout.y[b]), 1);
		}
	}
}

static void places_invert(void **state)
{
	struct tf_layout layout;
	struct tf_place place;
	u32 size, offset, i;

	(void)state;
	for (i = 0; i < 16; i++) {
		make(&layout, 1 + i % 4, 1 + i / 4, 3, 2);
		for (size = 1; size <= 8; size *= 2) {
			for (offset = 0; offset < layout.stripe; offset++) {
				place = tf_layout_place(&layout, size, offset);
				assert_true(place.lane < layout.lanes && place.byte < 8);
				assert_int_equal(tf_layout_offset(&layout, size, place.lane,
								  place.byte), offset);
			}
		}
	}
}

static void segments_end_at_edges(void **state)
{
	(void)state;
	assert_int_equal(tf_segment_bytes(0, 8, 8), 8);
	assert_int_equal(tf_segment_bytes(3, 8, 8), 5);
	assert_int_equal(tf_segment_bytes(3, 8, 2), 2);
	assert_int_equal(tf_segment_bytes(7, 1, 8), 1);
	assert_int_equal(tf_segment_bytes(1, 2, 2), 1);
	assert_int_equal(tf_segment_bytes(3, 0, 8), 8);
	assert_int_equal(tf_segment_bytes(~0ULL, 8, 4), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(orders_are_permutations),
		cmocka_unit_test(moore_is_a_closed_curve),
		cmocka_unit_test(places_invert),
		cmocka_unit_test(segments_end_at_edges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
