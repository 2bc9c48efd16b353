// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Permutations by composing loops.
 *
 * A layout without padding visits its elements slot by slot in nested loops,
 * whose strides count elements in row-major order.  Sorted by stride, the loops
 * of the other layout say how an element's number splits into digits, and each
 * digit where its slot is.
 */
#include "perm.h"

#include <errno.h>
#include <stdlib.h>

/* The elements of a block in the order of its slots. */
static bool slot_loops(const struct kohaku_packing *packing, struct kohaku_loops *loops)
{
	const struct kohaku_layout *l = &packing->layout;
	uint64_t rows = packing->rows, cols = packing->cols;

	loops->count = 0;
	if (rows != packing->padded_rows || cols != packing->padded_cols)
		return false;
	switch (l->kind) {
	case KOHAKU_LAYOUT_FLAT:
		loops_append(loops, 1, packing->slots);
		break;
	case KOHAKU_LAYOUT_ENTRY:
		loops_append(loops, 1, 32);
		loops_append(loops, cols, 4);
		loops_append(loops, 32, l->blocks);
		loops_append(loops, 4 * cols, l->groups);
		loops_append(loops, 32 * (int64_t)l->blocks, cols / 32 / l->blocks);
		loops_append(loops, 4 * cols * l->groups, rows / 4 / l->groups);
		break;
	case KOHAKU_LAYOUT_TILE:
		loops_append(loops, 1, 4);
		loops_append(loops, cols, 4);
		loops_append(loops, 4, l->tile_cols);
		loops_append(loops, 4 * cols, l->tile_rows);
		loops_append(loops, 4 * (int64_t)l->tile_cols, l->grid_cols);
		loops_append(loops, 4 * cols * l->tile_rows, l->grid_rows);
		break;
	}
	return true;
}

static void append_all(struct kohaku_loops *loops, const struct kohaku_loops *more)
{
	for (uint32_t i = 0; i < more->count; i++)
		loops_append(loops, more->dims[i].stride, more->dims[i].bound);
}

/* Exchanges the two digits of a slot that number granules and words in four words. */
static int transpose_loops(struct kohaku_loops *loops, uint64_t slots)
{
	struct kohaku_loops granule, granules, words, rest, tail;

	if (slots % (4 * PERM_WORD))
		return -EDOM;
	if (!loops_split(loops, PERM_GRANULE, &granule, &rest) ||
	    !loops_split(&rest, 4, &granules, &tail) || !loops_split(&tail, 4, &words, &rest))
		return -EAGAIN;
	*loops = granule;
	append_all(loops, &words);
	append_all(loops, &granules);
	append_all(loops, &rest);
	return 0;
}

/* One digit of an element's number, and how far it moves the slot. */
struct digit {
	uint64_t weight;
	uint64_t bound;
	uint64_t slots;
};

static int by_weight(const void *a, const void *b)
{
	const struct digit *x = a, *y = b;

	return (x->weight > y->weight) - (x->weight < y->weight);
}

static uint32_t digits_of(const struct kohaku_loops *loops, struct digit *digits)
{
	uint64_t slots = 1;

	for (uint32_t i = 0; i < loops->count; i++) {
		digits[i] = (struct digit){ loops->dims[i].stride, loops->dims[i].bound, slots };
		slots *= loops->dims[i].bound;
	}
	qsort(digits, loops->count, sizeof(*digits), by_weight);
	return loops->count;
}

/*
 * Appends where bound elements, stride apart, lie.  false when a digit ends in
 * the middle of them.
 */
static bool append_slots(const struct digit *digits, uint32_t count, uint64_t stride,
			 uint64_t bound, struct kohaku_loops *out)
{
	uint32_t i = 0;

	while (bound > 1) {
		uint64_t from, left, take;

		while (i < count && digits[i].weight * digits[i].bound <= stride)
			i++;
		if (i == count || stride % digits[i].weight)
			return false;
		from = stride / digits[i].weight;
		left = digits[i].bound / from;
		take = bound < left ? bound : left;
		if (digits[i].bound % from || bound % take || left % take ||
		    out->count == KOHAKU_LOOPS_MAX)
			return false;
		loops_append(out, from * digits[i].slots, take);
		stride *= take;
		bound /= take;
	}
	return true;
}

/* Where the slots of one layout are in another, in the other's slots. */
static bool compose(const struct kohaku_loops *from, const struct kohaku_loops *to,
		    struct kohaku_loops *out)
{
	struct digit digits[KOHAKU_LOOPS_MAX];
	uint32_t count = digits_of(to, digits);

	out->count = 0;
	for (uint32_t i = 0; i < from->count; i++)
		if (!append_slots(digits, count, from->dims[i].stride, from->dims[i].bound, out))
			return false;
	return true;
}

/* From slots to words; -EDOM when the slots of a word do not stay together. */
static int slots_to_words(const struct kohaku_loops *slots, struct kohaku_loops *words)
{
	struct kohaku_loops inner, outer;

	if (!loops_split(slots, PERM_WORD, &inner, &outer))
		return -EAGAIN;
	if (inner.count != 1 || inner.dims[0].stride != 1)
		return -EDOM;
	words->count = 0;
	for (uint32_t i = 0; i < outer.count; i++)
		loops_append(words, outer.dims[i].stride / PERM_WORD, outer.dims[i].bound);
	return 0;
}

int perm_by_loops(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, struct kohaku_loops *loops)
{
	struct kohaku_loops a, b, slots;
	int error = 0;

	if (from->slots != to->slots || from->slots % PERM_WORD)
		return -EDOM;
	if (!slot_loops(from, &a) || !slot_loops(to, &b))
		return -EAGAIN;
	if (transpose == PERM_TRANSPOSE_FROM)
		error = transpose_loops(&a, from->slots);
	else if (transpose == PERM_TRANSPOSE_TO)
		error = transpose_loops(&b, to->slots);
	if (error)
		return error;
	return compose(&a, &b, &slots) ? slots_to_words(&slots, loops) : -EAGAIN;
}
