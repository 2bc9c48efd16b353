/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loops over words as walkers of the mover. */
#ifndef LIB_WALKER_H
#define LIB_WALKER_H

#include "kohaku_relayout.h"

/* The words of a walk one after the other. */
struct kohaku_loops walk_in_order(uint64_t words);
/*
 * Splits what is longer than a walker's count.  false: it does not fit its
 * dimensions, or reaches too far.
 */
bool walk_fit(struct kohaku_loops *loops);
/* Adds an outermost loop over blocks, stride bytes apart. */
void walk_add_blocks(struct kohaku_loops *loops, uint64_t count, uint64_t stride);
/* Sets the dimensions of a walker; loops must fit. */
void walk_set(struct kohaku_walker *walker, const struct kohaku_loops *loops);
/* One unit after the other? */
bool walk_is_in_order(const struct kohaku_loops *loops, uint64_t unit);

#endif
