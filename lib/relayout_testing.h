/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random conversions, for the tests of planner and routes. */
#ifndef LIB_RELAYOUT_TESTING_H
#define LIB_RELAYOUT_TESTING_H

#include "hw/testing.h"

#include "kohaku_relayout.h"

static inline u64 random_divisor(u64 number)
{
	u64 divisor;

	do
		divisor = random_between(1, number);
	while (number % divisor);
	return divisor;
}

/* A layout that fits rows by cols; often one that fits exactly. */
static inline void random_layout(u64 rows, u64 cols, struct kohaku_layout *layout)
{
	memset(layout, 0, sizeof(*layout));
	layout->kind = random_between(KOHAKU_LAYOUT_FLAT, KOHAKU_LAYOUT_TILE);
	if (layout->kind == KOHAKU_LAYOUT_ENTRY) {
		layout->groups = random_divisor(random_once_in(4) ? 12 : (rows + 3) / 4);
		layout->blocks = random_divisor(random_once_in(4) ? 6 : (cols + 31) / 32);
	} else if (layout->kind == KOHAKU_LAYOUT_TILE) {
		layout->tile_rows = random_divisor((rows + 3) / 4);
		layout->tile_cols = random_divisor((cols + 3) / 4);
		layout->grid_rows = (rows + 3) / 4 / layout->tile_rows;
		layout->grid_cols = (cols + 3) / 4 / layout->tile_cols;
	}
}

/* A multiple of 4, more often a power of two. */
static inline u64 random_side(u32 shift_max)
{
	if (random_once_in(3))
		return 4ULL * random_between(1, 24);
	return 4ULL << random_between(0, shift_max);
}

/* Now and then more bytes from block to block than some blocks need. */
static inline u64 random_pad(u32 batch)
{
	return batch && random_once_in(2) ? 32 * random_between(0, 200) : 0;
}

/* Two layouts of an array of at most max elements a block, perhaps in a batch. */
static inline void random_conversion(u64 max, struct kohaku_packing *before,
				     struct kohaku_packing *after)
{
	struct kohaku_shape shape = { .ndim = 2 };
	struct kohaku_layout from, to;
	u64 rows, cols;
	u32 batch = random_once_in(4) ? random_between(1, 3) : 0;

	do {
		rows = random_side(5);
		cols = random_side(6);
	} while (rows * cols > max);
	if (random_once_in(8))
		rows -= random_between(0, 3);
	if (random_once_in(8))
		cols -= random_between(0, 3);
	random_layout(rows, cols, &from);
	random_layout(rows, cols, &to);
	from.batch = batch;
	to.batch = batch;
	if (batch) {
		shape.ndim = 3;
		shape.dims[0] = batch;
	}
	shape.dims[shape.ndim - 2] = rows;
	shape.dims[shape.ndim - 1] = cols;
	assert_int_equal(kohaku_packing_init(before, &from, &shape, random_pad(batch), NULL), 0);
	assert_int_equal(kohaku_packing_init(after, &to, &shape, random_pad(batch), NULL), 0);
}

/* A test array packed both ways; the caller frees all three. */
struct packed_pair {
	u16 *array;
	u8 *before;
	u8 *after;
};

static inline void pack_both(const struct kohaku_packing *before,
			     const struct kohaku_packing *after, struct packed_pair *pair)
{
	size_t elements = before->count * before->rows * before->cols;

	pair->array = malloc(elements * sizeof(*pair->array));
	pair->before = malloc(before->bytes);
	pair->after = malloc(after->bytes);
	assert_true(pair->array && pair->before && pair->after);
	for (size_t i = 0; i < elements; i++)
		pair->array[i] = random_bits();
	kohaku_pack(before, pair->array, pair->before);
	kohaku_pack(after, pair->array, pair->after);
}

static inline void free_both(struct packed_pair *pair)
{
	free(pair->array);
	free(pair->before);
	free(pair->after);
}

#endif
