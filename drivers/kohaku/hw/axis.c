// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * One window of a walk and the dimensions that it constrains.
 *
 * Coordinates of a walk that was checked stay in 16 bits: nothing overflows.
 */
#include "axis.h"

static bool dim_on_axis(const struct kohaku_walker *walker, u32 i, u32 a)
{
	return walker->windows[a].extent && walker->dims[i].axis == a + 1 && walker->dims[i].step;
}

bool kohaku_dim_bound(const struct kohaku_walker *walker, u32 i)
{
	return dim_on_axis(walker, i, 0) || dim_on_axis(walker, i, 1);
}

void kohaku_axis_init(struct kohaku_axis *axis, const struct kohaku_walker *walker,
		      const struct kohaku_box *box, u32 which)
{
	u32 i;

	*axis = (struct kohaku_axis){ .extent = walker->windows[which].extent };
	if (!axis->extent)
		return;
	axis->base = box->bases[which];
	axis->min = axis->base;
	axis->max = axis->base;
	for (i = 0; i < walker->ndim; i++) {
		const struct kohaku_dim *dim = &walker->dims[i];
		s32 last = box->counts[i] - 1;

		if (!dim_on_axis(walker, i, which) || !last)
			continue;
		axis->terms[axis->count++] = (struct kohaku_term){ dim->stride, dim->step, last };
		if (dim->step < 0)
			axis->min += last * dim->step;
		else
			axis->max += last * dim->step;
	}
}

bool kohaku_term_inside(const struct kohaku_term *term, s32 base, s32 extent, s32 *first,
			s32 *last)
{
	s32 step = term->step;

	/* Seen from the window's other end a step back is a step forward. */
	if (step < 0) {
		step = -step;
		base = extent - 1 - base;
	}
	if (base >= extent)
		return false;
	*first = base < 0 ? (-base + step - 1) / step : 0;
	*last = min((extent - 1 - base) / step, term->last);
	return *first <= *last;
}
