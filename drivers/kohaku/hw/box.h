/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The first elements of a walk as boxes: in each box some leading dimensions
 * stand still and all others run from 0.
 */
#ifndef KOHAKU_HW_BOX_H
#define KOHAKU_HW_BOX_H

#include "walk.h"

struct kohaku_box {
	u32 counts[KOHAKU_MAX_DIMS];
	s64 offset;			/* of its first element, from walker.offset */
	s64 bases[2];			/* coordinates of its first element */
};

/* Hands out the boxes; the digits are the number of elements in mixed radix. */
struct kohaku_prefix {
	u32 digits[KOHAKU_MAX_DIMS];
	u32 dim;
	bool whole;
	struct kohaku_box box;		/* all that comes after dim - 1 */
};

void kohaku_prefix_first(const struct kohaku_walker *walker, u64 elements,
			 struct kohaku_prefix *prefix);
/* The next of at most ndim boxes; false when there is none. */
bool kohaku_prefix_next(const struct kohaku_walker *walker, struct kohaku_prefix *prefix,
			struct kohaku_box *box);

#endif
