// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * How many elements of a walk are inside its windows.
 *
 * The same question as for its span, with sums in place of extremes: the number
 * is the product of what each axis admits and of all other counts.
 */
#include "axis.h"

static u64 count_one_term(const struct kohaku_term *term, s32 base, s32 extent)
{
	s32 first, last;

	if (!kohaku_term_inside(term, base, extent, &first, &last))
		return 0;
	return last - first + 1;
}

static u64 count_two_terms(const struct kohaku_axis *axis)
{
	u32 shorter = kohaku_axis_shorter(axis);
	const struct kohaku_term *outer = &axis->terms[shorter];
	u64 count = 0;
	s32 i;

	for (i = 0; i <= outer->last; i++)
		count += count_one_term(&axis->terms[!shorter], axis->base + outer->step * i,
					axis->extent);
	return count;
}

/*
 * ways[c] is the number of ways in which the terms so far reach coordinate c.
 * One more term adds up those of its last + 1 predecessors: a sliding sum.
 */
static void spread_ways(const struct kohaku_term *term, s32 size, const u64 *from, u64 *to)
{
	s32 distance = term->step < 0 ? -term->step : term->step;
	s32 far = (term->last + 1) * distance;
	s32 i;

	for (i = 0; i < size; i++) {
		s32 c = term->step < 0 ? size - 1 - i : i;
		s32 sign = term->step < 0 ? -1 : 1;

		to[c] = from[c];
		if (i >= distance)
			to[c] += to[c - sign * distance];
		if (i >= far)
			to[c] -= from[c - sign * far];
	}
}

static u64 count_many_terms(const struct kohaku_axis *axis, struct kohaku_walk_scratch *scratch)
{
	s32 size = axis->max - axis->min + 1;
	u64 count = 0;
	u32 i, now = 0;
	s32 c;

	memset(scratch->ways[0], 0, size * sizeof(scratch->ways[0][0]));
	scratch->ways[0][axis->base - axis->min] = 1;
	for (i = 0; i < axis->count; i++, now ^= 1)
		spread_ways(&axis->terms[i], size, scratch->ways[now], scratch->ways[!now]);
	for (c = max(axis->min, 0); c <= min(axis->max, axis->extent - 1); c++)
		count += scratch->ways[now][c - axis->min];
	return count;
}

static int axis_count(const struct kohaku_axis *axis, struct kohaku_walk_scratch *scratch,
		      u64 *count)
{
	u32 i;

	*count = 0;
	if (kohaku_axis_all_outside(axis))
		return 0;
	if (kohaku_axis_all_inside(axis)) {
		*count = 1;
		for (i = 0; i < axis->count; i++)
			*count *= axis->terms[i].last + 1;
		return 0;
	}
	if (axis->count > 2 && !scratch)
		return -ENOBUFS;
	if (axis->count > 2)
		*count = count_many_terms(axis, scratch);
	else if (axis->count == 2)
		*count = count_two_terms(axis);
	else
		*count = count_one_term(&axis->terms[0], axis->base, axis->extent);
	return 0;
}

static int box_count(const struct kohaku_walker *walker, const struct kohaku_box *box,
		     struct kohaku_walk_scratch *scratch, u64 *count)
{
	struct kohaku_axis axis;
	u32 i, a;

	*count = 1;
	for (i = 0; i < walker->ndim; i++)
		if (!kohaku_dim_bound(walker, i))
			*count *= box->counts[i];
	for (a = 0; a < 2; a++) {
		u64 part;
		int error;

		kohaku_axis_init(&axis, walker, box, a);
		error = axis_count(&axis, scratch, &part);
		if (error)
			return error;
		*count *= part;
	}
	return 0;
}

int kohaku_walk_count(const struct kohaku_walker *walker, u64 elements,
		      struct kohaku_walk_scratch *scratch, u64 *count)
{
	struct kohaku_prefix prefix;
	struct kohaku_box box;

	*count = 0;
	kohaku_prefix_first(walker, elements, &prefix);
	while (kohaku_prefix_next(walker, &prefix, &box)) {
		u64 part;
		int error = box_count(walker, &box, scratch, &part);

		if (error)
			return error;
		*count += part;
	}
	return 0;
}
