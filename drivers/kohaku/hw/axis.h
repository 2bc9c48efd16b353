/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * One window of a walk and the dimensions that it constrains.
 *
 * A dimension is on one axis at most, so what a walk does on axis A, on axis B
 * and on neither are three independent questions.
 */
#ifndef KOHAKU_HW_AXIS_H
#define KOHAKU_HW_AXIS_H

#include "box.h"

/* A dimension that moves on the axis; its index goes from 0 to last. */
struct kohaku_term {
	s64 stride;
	s32 step;		/* never 0 */
	s32 last;
};

/* Coordinates 0..extent-1 are inside; extent 0: all are, and there is no term. */
struct kohaku_axis {
	s32 base, extent;
	s32 min, max;		/* coordinates over all indices */
	u32 count;
	struct kohaku_term terms[KOHAKU_MAX_DIMS];
};

void kohaku_axis_init(struct kohaku_axis *axis, const struct kohaku_walker *walker,
		      const struct kohaku_box *box, u32 which);
/* Does a window constrain dimension i? */
bool kohaku_dim_bound(const struct kohaku_walker *walker, u32 i);

static inline bool kohaku_axis_all_inside(const struct kohaku_axis *axis)
{
	return !axis->extent || (axis->min >= 0 && axis->max < axis->extent);
}

static inline bool kohaku_axis_all_outside(const struct kohaku_axis *axis)
{
	return axis->extent && (axis->max < 0 || axis->min >= axis->extent);
}

/* Which indices of a term are inside, counted from a coordinate; false: none. */
bool kohaku_term_inside(const struct kohaku_term *term, s32 base, s32 extent, s32 *first,
			s32 *last);
/* Of two terms, which one has fewer indices? */
static inline u32 kohaku_axis_shorter(const struct kohaku_axis *axis)
{
	return axis->terms[0].last > axis->terms[1].last;
}

#endif
