/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What a walker touches, exactly: the arithmetic behind every bounds check.
 */
#ifndef KOHAKU_HW_WALK_H
#define KOHAKU_HW_WALK_H

#include "types.h"
#include <linux/kohaku.h>

/*
 * Offsets of the first bytes of the lowest and the highest element inside,
 * relative to walker.offset.
 */
struct kohaku_span {
	s64 lo;
	s64 hi;
	bool empty;		/* no element is inside */
};

/*
 * Room for the general case, three and more dimensions on one bound axis: for
 * each value that an axis coordinate can take, the best offset or how many ways
 * lead there.
 */
struct kohaku_walk_scratch {
	union {
		s64 best[2][65536];
		u64 ways[2][65536];
	};
	u32 queue[65536];
};

/* Elements of a walk, product of its counts; U64_MAX when it is no u64. */
u64 kohaku_walk_elements(const struct kohaku_walker *walker);

/*
 * The span of the first elements of a walk whose fields are in range
 * (see kohaku_move_check()).  Returns -ENOBUFS when it needs scratch and has
 * none.  Time is bounded whatever the walk.
 */
int kohaku_walk_span(const struct kohaku_walker *walker, u64 elements,
		     struct kohaku_walk_scratch *scratch, struct kohaku_span *span);
/* How many of the first elements of such a walk are inside; likewise. */
int kohaku_walk_count(const struct kohaku_walker *walker, u64 elements,
		      struct kohaku_walk_scratch *scratch, u64 *count);
/* Are the first elements of such a walk inside both windows, every one? */
bool kohaku_walk_all_inside(const struct kohaku_walker *walker, u64 elements);

/* An element, by number and by loop indices, and where it lies. */
struct kohaku_element {
	u64 number;
	u32 indices[KOHAKU_MAX_DIMS];
	s64 offset;		/* relative to walker.offset */
	bool inside;
};

void kohaku_walk_first(const struct kohaku_walker *walker, struct kohaku_element *element);
/* Steps to the next element; false when there is none. */
bool kohaku_walk_next(const struct kohaku_walker *walker, struct kohaku_element *element);

#endif
