// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A walker in motion.
 *
 * Offsets are kept modulo 2^32 and coordinates modulo 2^16, as the hardware
 * does.  A stretch ends where either of them wraps, so that inside it plain
 * arithmetic holds.
 */
#include "sim/walk.h"

/* Keeps products of merged counts far from overflow. */
#define MERGED_MAX (1ULL << 40)

/* Can the loop around the innermost one so far be taken as its continuation? */
static bool merges(const struct sim_walk_dim *inner, const struct sim_walk_dim *outer)
{
	return inner->count * outer->count <= MERGED_MAX &&
	       outer->stride == (u32)(inner->stride * inner->count) &&
	       outer->step[0] == (u16)(inner->step[0] * inner->count) &&
	       outer->step[1] == (u16)(inner->step[1] * inner->count);
}

static void add_dim(struct sim_walk *walk, const struct sim_walk_dim *dim)
{
	struct sim_walk_dim *inner = walk->ndim ? &walk->dims[walk->ndim - 1] : NULL;

	if (inner && merges(inner, dim))
		inner->count *= dim->count;
	else
		walk->dims[walk->ndim++] = *dim;
}

/* Loops up to here are worth the question whether they wrap. */
#define LINEAR_MAX (1ULL << 24)

/* Where the last element lies, and whether any on the way there wraps. */
static void find_extremes(struct sim_walk *walk)
{
	s64 lo = 0, hi = 0;
	u32 i;

	for (i = 0; i < walk->ndim; i++) {
		const struct sim_walk_dim *dim = &walk->dims[i];
		s64 reach = 0;

		if (dim->count <= LINEAR_MAX)
			reach = (s64)(dim->count - 1) * (s32)dim->stride;
		else
			walk->linear = false;
		walk->last_offset += (u32)(dim->count - 1) * dim->stride;
		walk->last_coord[0] += (u16)((dim->count - 1) * dim->step[0]);
		walk->last_coord[1] += (u16)((dim->count - 1) * dim->step[1]);
		lo += min_t(s64, reach, 0);
		hi += max_t(s64, reach, 0);
	}
	if (lo < S32_MIN || hi > S32_MAX || (s64)walk->base + lo < 0 ||
	    walk->base + hi > KOHAKU_ADDR_MASK)
		walk->linear = false;
}

static bool is_aligned(const struct sim_walk *walk)
{
	u64 bits = walk->base;
	u32 i;

	for (i = 0; i < walk->ndim; i++)
		bits |= walk->dims[i].stride;
	return !(bits & (KOHAKU_WORD - 1));
}

void sim_walk_start(struct sim_walk *walk, const struct sim_walker_regs *regs)
{
	u32 ndim = min_t(u32, regs->ndim, KOHAKU_DIMS_MAX);
	u32 axis;

	*walk = (struct sim_walk){ .base = regs->base, .linear = true };
	for (axis = 0; axis < 2; axis++) {
		walk->extent[axis] = regs->windows[axis].extent;
		walk->coord[axis] = regs->windows[axis].base;
		walk->last_coord[axis] = walk->coord[axis];
		walk->windowed |= walk->extent[axis] != 0;
	}
	while (ndim--) {
		const struct sim_dim_regs *from = &regs->dims[ndim];
		struct sim_walk_dim dim = { .count = from->count, .stride = from->stride };

		/* An axis that is off must not keep loops from merging. */
		if ((from->axis == 1 || from->axis == 2) && walk->extent[from->axis - 1])
			dim.step[from->axis - 1] = from->step;
		if (dim.count > 1)
			add_dim(walk, &dim);
	}
	if (!walk->ndim)
		walk->dims[walk->ndim++].count = 1;
	find_extremes(walk);
	walk->regular = walk->linear && !walk->windowed && is_aligned(walk);
}

/* Elements until base + k * stride leaves lo..hi, where it is now. */
static u64 until_leaves(s64 at, s64 stride, s64 lo, s64 hi)
{
	if (stride > 0)
		return (u64)(hi - at) / stride + 1;
	if (stride < 0)
		return (u64)(at - lo) / -stride + 1;
	return U64_MAX;
}

static void limit_to_wrap(const struct sim_walk *walk, struct sim_stretch *stretch)
{
	u64 count = until_leaves((s32)walk->offset, stretch->stride, S32_MIN, S32_MAX);

	count = min(count, until_leaves(stretch->addr, stretch->stride, 0, KOHAKU_ADDR_MASK));
	stretch->count = min(stretch->count, count);
}

/* Cuts the stretch where it enters or leaves the window of an axis. */
static void limit_to_window(const struct sim_walk *walk, u32 axis, struct sim_stretch *stretch)
{
	s32 at = (s16)walk->coord[axis];
	s32 step = (s16)walk->dims[0].step[axis];
	s32 end = walk->extent[axis];
	bool inside = at >= 0 && at < end;
	u64 count;

	if (inside)
		count = until_leaves(at, step, 0, min(end - 1, S16_MAX));
	else if (at < 0)
		count = until_leaves(at, step, S16_MIN, -1);
	else
		count = until_leaves(at, step, end, S16_MAX);
	if (!inside)
		stretch->inside = false;
	stretch->count = min(stretch->count, count);
}

void sim_walk_ahead(const struct sim_walk *walk, struct sim_stretch *stretch)
{
	u32 axis;

	stretch->addr = (walk->base + (s32)walk->offset) & KOHAKU_ADDR_MASK;
	stretch->inside = true;
	if (walk->done) {
		stretch->stride = 0;
		stretch->count = U64_MAX;
	} else {
		stretch->stride = (s32)walk->dims[0].stride;
		stretch->count = walk->dims[0].count - walk->dims[0].index;
		if (!walk->linear)
			limit_to_wrap(walk, stretch);
	}
	if (!walk->windowed)
		return;
	for (axis = 0; axis < 2; axis++) {
		if (walk->extent[axis])
			limit_to_window(walk, axis, stretch);
	}
	if (walk->done)
		stretch->count = U64_MAX;
}

/* Moves an element by count steps of one loop; count may be "negative". */
static void move_by(struct sim_walk *walk, const struct sim_walk_dim *dim, u64 count)
{
	walk->offset += (u32)count * dim->stride;
	walk->coord[0] += (u16)(count * dim->step[0]);
	walk->coord[1] += (u16)(count * dim->step[1]);
}

/* The innermost loop is through: rewinds it and steps the ones around it. */
static void carry(struct sim_walk *walk)
{
	u32 i;

	for (i = 1; i < walk->ndim; i++) {
		struct sim_walk_dim *dim = &walk->dims[i];

		if (dim->index + 1 < dim->count) {
			dim->index++;
			move_by(walk, dim, 1);
			return;
		}
		move_by(walk, dim, -dim->index);
		dim->index = 0;
	}
	walk->done = true;
	walk->offset = walk->last_offset;
	walk->coord[0] = walk->last_coord[0];
	walk->coord[1] = walk->last_coord[1];
}

void sim_walk_skip(struct sim_walk *walk, u64 count)
{
	struct sim_walk_dim *inner = &walk->dims[0];

	if (walk->done)
		return;
	if (inner->index + count < inner->count) {
		inner->index += count;
		move_by(walk, inner, count);
		return;
	}
	move_by(walk, inner, -inner->index);
	inner->index = 0;
	carry(walk);
}

u64 sim_walk_rows(const struct sim_walk *walk, u64 count, s64 *step)
{
	const struct sim_walk_dim *inner = &walk->dims[0], *outer = &walk->dims[1];
	u64 left = inner->count - inner->index;

	*step = 0;
	if (walk->done)
		return U64_MAX;
	if (left > count) {
		*step = (s64)(s32)inner->stride * (s64)count;
		return left / count;
	}
	/* The first row may not be the rest of one. */
	if (inner->index || walk->ndim == 1)
		return 1;
	*step = (s32)outer->stride;
	return outer->count - outer->index;
}

void sim_walk_skip_rows(struct sim_walk *walk, u64 count, u64 rows)
{
	struct sim_walk_dim *inner = &walk->dims[0], *outer = &walk->dims[1];

	if (walk->done || inner->count - inner->index > count) {
		sim_walk_skip(walk, count * rows);
		return;
	}
	if (rows > 1) {
		outer->index += rows - 1;
		move_by(walk, outer, rows - 1);
	}
	sim_walk_skip(walk, count);
}
