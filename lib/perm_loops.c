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

/* Both blocks as loops over their slots.  -EAGAIN: one of them is padded. */
static int both_loops(const struct kohaku_packing *from, const struct kohaku_packing *to,
		      enum perm_transpose transpose, struct kohaku_loops *a,
		      struct kohaku_loops *b)
{
	if (from->slots != to->slots || from->slots % PERM_WORD)
		return -EDOM;
	if (!slot_loops(from, a) || !slot_loops(to, b))
		return -EAGAIN;
	if (transpose == PERM_TRANSPOSE_FROM)
		return transpose_loops(a, from->slots);
	if (transpose == PERM_TRANSPOSE_TO)
		return transpose_loops(b, to->slots);
	return 0;
}

int perm_by_loops(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, struct kohaku_loops *loops)
{
	struct kohaku_loops a, b, slots;
	int error = both_loops(from, to, transpose, &a, &b);

	if (error)
		return error;
	return compose(&a, &b, &slots) ? slots_to_words(&slots, loops) : -EAGAIN;
}

static bool same_loops(const struct kohaku_loops *a, const struct kohaku_loops *b)
{
	if (a->count != b->count)
		return false;
	for (uint32_t i = 0; i < a->count; i++)
		if (a->dims[i].stride != b->dims[i].stride || a->dims[i].bound != b->dims[i].bound)
			return false;
	return true;
}

/* The slot of an element after a granule transpose of its block, or without one. */
static uint64_t slot_of(const struct kohaku_packing *packing, uint64_t element, bool transpose)
{
	uint64_t slot = kohaku_packing_slot(packing, element / packing->cols,
					    element % packing->cols);
	uint64_t granule = slot / PERM_GRANULE % 4, word = slot / PERM_WORD % 4;

	if (!transpose)
		return slot;
	return slot / (4 * PERM_WORD) * (4 * PERM_WORD) + granule * PERM_WORD +
	       word * PERM_GRANULE + slot % PERM_GRANULE;
}

/*
 * The words of a layout all look alike inside.  If those of the other look the
 * same, the first element of a word tells where the word is: unless it is in the
 * middle of one, and then no word has the same elements.
 */
int perm_by_words(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, int64_t **list)
{
	struct kohaku_loops a, b, inside_a, inside_b, words, rest;
	int error = both_loops(from, to, transpose, &a, &b);
	uint64_t count = from->slots / PERM_WORD;

	if (error)
		return error;
	if (!loops_split(&a, PERM_WORD, &inside_a, &words) ||
	    !loops_split(&b, PERM_WORD, &inside_b, &rest))
		return -EAGAIN;
	/* Element 0 is first in the first word of both. */
	if (!same_loops(&inside_a, &inside_b))
		return -EDOM;
	*list = malloc(count * sizeof(**list));
	if (!*list)
		return -ENOMEM;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t slot = slot_of(to, kohaku_affine_at(&words, i),
					transpose == PERM_TRANSPOSE_TO);

		if (slot % PERM_WORD) {
			free(*list);
			*list = NULL;
			return -EDOM;
		}
		(*list)[i] = slot / PERM_WORD;
	}
	return 0;
}
