// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The first elements of a walk as boxes.
 */
#include "box.h"

void kohaku_prefix_first(const struct kohaku_walker *walker, u64 elements,
			 struct kohaku_prefix *prefix)
{
	u64 rest = elements;
	u32 i = walker->ndim;

	*prefix = (struct kohaku_prefix){ .dim = 0 };
	while (i--) {
		prefix->digits[i] = rest % walker->dims[i].count;
		rest /= walker->dims[i].count;
		prefix->box.counts[i] = walker->dims[i].count;
	}
	for (i = 0; i < 2; i++)
		prefix->box.bases[i] = walker->windows[i].base;
	prefix->whole = rest > 0;
}

/* Fixes dimension i of the boxes to come at its digit. */
static void prefix_fix(const struct kohaku_walker *walker, struct kohaku_prefix *prefix, u32 i)
{
	const struct kohaku_dim *dim = &walker->dims[i];
	u32 digit = prefix->digits[i];

	prefix->box.counts[i] = 1;
	prefix->box.offset += dim->stride * digit;
	if (dim->axis)
		prefix->box.bases[dim->axis - 1] += (s64)dim->step * digit;
}

bool kohaku_prefix_next(const struct kohaku_walker *walker, struct kohaku_prefix *prefix,
			struct kohaku_box *box)
{
	if (prefix->whole) {
		prefix->whole = false;
		prefix->dim = walker->ndim;
		*box = prefix->box;
		return true;
	}
	while (prefix->dim < walker->ndim) {
		u32 i = prefix->dim++;

		*box = prefix->box;
		box->counts[i] = prefix->digits[i];
		prefix_fix(walker, prefix, i);
		if (box->counts[i])
			return true;
	}
	return false;
}
