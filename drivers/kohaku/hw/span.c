// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The exact span of a walk.
 *
 * Its offsets are the sums of three independent parts: dimensions that no window
 * constrains, those of axis A and those of axis B.  The first part is extreme at
 * its ends; for an axis the question is which sum of strides is the best among
 * the indices whose sum of steps stays inside the window.
 *
 * Nothing here overflows: a count is at most 65535 and a stride 32 bits, so a
 * sum over six dimensions takes 51 bits.
 */
#include "axis.h"

static void span_include(struct kohaku_span *span, s64 lo, s64 hi)
{
	if (span->empty) {
		*span = (struct kohaku_span){ .lo = lo, .hi = hi };
		return;
	}
	span->lo = min(span->lo, lo);
	span->hi = max(span->hi, hi);
}

static void span_add_term(struct kohaku_span *span, s64 stride, u32 first, u32 last)
{
	s64 a = stride * first, b = stride * last;

	span->lo += min(a, b);
	span->hi += max(a, b);
}

static void span_one_term(const struct kohaku_axis *axis, struct kohaku_span *span)
{
	const struct kohaku_term *term = &axis->terms[0];
	s32 first, last;

	if (!kohaku_term_inside(term, axis->base, axis->extent, &first, &last))
		return;
	span->empty = false;
	span_add_term(span, term->stride, first, last);
}

/* Tries every index of the shorter term: at most 32768, as both of them step. */
static void span_two_terms(const struct kohaku_axis *axis, struct kohaku_span *span)
{
	u32 shorter = kohaku_axis_shorter(axis);
	const struct kohaku_term *outer = &axis->terms[shorter], *inner = &axis->terms[!shorter];
	s32 i, first, last;

	for (i = 0; i <= outer->last; i++) {
		struct kohaku_span here = { .lo = outer->stride * i, .hi = outer->stride * i };
		s32 base = axis->base + outer->step * i;

		if (!kohaku_term_inside(inner, base, axis->extent, &first, &last))
			continue;
		span_add_term(&here, inner->stride, first, last);
		span_include(span, here.lo, here.hi);
	}
}

/*
 * The general case is dynamic programming over coordinates: best[c] is the
 * largest sum of strides by which the terms so far reach coordinate c.
 */
#define UNREACHED S64_MIN

/* Coordinates that one term connects: start, start + step, ... */
struct chain {
	const s64 *from;
	s64 *to;
	u32 *queue;
	s32 start, step;
	s32 length, last;
	s64 stride;
};

/* What reaching position p from position q is worth, but for p * stride. */
static s64 chain_worth(const struct chain *chain, s32 q)
{
	return chain->from[chain->start + q * chain->step] - q * chain->stride;
}

/*
 * to[p] = max of from[q] + (p - q) * stride for q in p-last..p: the maximum in
 * a sliding window, by a queue of the positions that can still become it.
 */
static void chain_slide(const struct chain *chain)
{
	u32 *queue = chain->queue;
	u32 head = 0, tail = 0;
	s32 p;

	for (p = 0; p < chain->length; p++) {
		s32 c = chain->start + p * chain->step;

		if (chain->from[c] != UNREACHED) {
			s64 worth = chain_worth(chain, p);

			while (tail > head && chain_worth(chain, queue[tail - 1]) <= worth)
				tail--;
			queue[tail++] = p;
		}
		if (head < tail && p - (s32)queue[head] > chain->last)
			head++;
		chain->to[c] = UNREACHED;
		if (head < tail)
			chain->to[c] = chain_worth(chain, queue[head]) + p * chain->stride;
	}
}

/* Carries best[] over one term, a chain for each residue class of its step. */
static void spread_term(const struct kohaku_term *term, s64 sign, s32 size, const s64 *from,
			s64 *to, u32 *queue)
{
	s32 distance = term->step < 0 ? -term->step : term->step;
	s32 r;

	for (r = 0; r < min(distance, size); r++) {
		struct chain chain = {
			.from = from, .to = to, .queue = queue,
			.start = term->step < 0 ? size - 1 - r : r,
			.step = term->step,
			.length = (size - r + distance - 1) / distance,
			.last = term->last,
			.stride = sign * term->stride,
		};

		chain_slide(&chain);
	}
}

/* The largest sum of sign * stride inside the window; UNREACHED if none. */
static s64 axis_best(const struct kohaku_axis *axis, s64 sign, struct kohaku_walk_scratch *scratch)
{
	s32 size = axis->max - axis->min + 1;
	s64 best = UNREACHED;
	u32 i, now = 0;
	s32 c;

	for (c = 0; c < size; c++)
		scratch->best[0][c] = UNREACHED;
	scratch->best[0][axis->base - axis->min] = 0;
	for (i = 0; i < axis->count; i++, now ^= 1)
		spread_term(&axis->terms[i], sign, size, scratch->best[now],
			    scratch->best[!now], scratch->queue);
	for (c = max(axis->min, 0); c <= min(axis->max, axis->extent - 1); c++)
		best = max(best, scratch->best[now][c - axis->min]);
	return best;
}

static int span_many_terms(const struct kohaku_axis *axis, struct kohaku_walk_scratch *scratch,
			   struct kohaku_span *span)
{
	s64 hi;

	if (!scratch)
		return -ENOBUFS;
	hi = axis_best(axis, 1, scratch);
	if (hi != UNREACHED)
		span_include(span, -axis_best(axis, -1, scratch), hi);
	return 0;
}

/* The span of the dimensions on one axis; empty when nothing is inside. */
static int axis_span(const struct kohaku_axis *axis, struct kohaku_walk_scratch *scratch,
		     struct kohaku_span *span)
{
	u32 i;

	*span = (struct kohaku_span){ .empty = true };
	if (kohaku_axis_all_inside(axis)) {
		span->empty = false;
		for (i = 0; i < axis->count; i++)
			span_add_term(span, axis->terms[i].stride, 0, axis->terms[i].last);
		return 0;
	}
	if (kohaku_axis_all_outside(axis))
		return 0;
	if (axis->count == 1)
		span_one_term(axis, span);
	else if (axis->count == 2)
		span_two_terms(axis, span);
	else
		return span_many_terms(axis, scratch, span);
	return 0;
}

static int box_span(const struct kohaku_walker *walker, const struct kohaku_box *box,
		    struct kohaku_walk_scratch *scratch, struct kohaku_span *span)
{
	struct kohaku_span part;
	struct kohaku_axis axis;
	u32 i, a;
	int error;

	*span = (struct kohaku_span){ .lo = box->offset, .hi = box->offset };
	for (i = 0; i < walker->ndim; i++)
		if (!kohaku_dim_bound(walker, i))
			span_add_term(span, walker->dims[i].stride, 0, box->counts[i] - 1);
	for (a = 0; a < 2; a++) {
		kohaku_axis_init(&axis, walker, box, a);
		error = axis_span(&axis, scratch, &part);
		if (error)
			return error;
		span->empty |= part.empty;
		span->lo += part.lo;
		span->hi += part.hi;
	}
	return 0;
}

int kohaku_walk_span(const struct kohaku_walker *walker, u64 elements,
		     struct kohaku_walk_scratch *scratch, struct kohaku_span *span)
{
	struct kohaku_prefix prefix;
	struct kohaku_span part;
	struct kohaku_box box;
	int error;

	*span = (struct kohaku_span){ .empty = true };
	kohaku_prefix_first(walker, elements, &prefix);
	while (kohaku_prefix_next(walker, &prefix, &box)) {
		error = box_span(walker, &box, scratch, &part);
		if (error)
			return error;
		if (!part.empty)
			span_include(span, part.lo, part.hi);
	}
	return 0;
}

bool kohaku_walk_all_inside(const struct kohaku_walker *walker, u64 elements)
{
	struct kohaku_prefix prefix;
	struct kohaku_box box;
	struct kohaku_axis axis;
	u32 a;

	kohaku_prefix_first(walker, elements, &prefix);
	while (kohaku_prefix_next(walker, &prefix, &box))
		for (a = 0; a < 2; a++) {
			kohaku_axis_init(&axis, walker, &box, a);
			if (!kohaku_axis_all_inside(&axis))
				return false;
		}
	return true;
}
