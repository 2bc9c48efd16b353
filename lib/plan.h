/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the planner and the price list share. */
#ifndef LIB_PLAN_H
#define LIB_PLAN_H

#include "perm.h"

#include "hw/vector.h"

/* Run widths are multiples of this many words. */
uint32_t plan_grain(bool transpose);
/* Flits of count blocks at a run width: the measure that widths are compared by. */
uint64_t plan_estimate(uint32_t words, uint64_t total, uint64_t count, bool transpose);
/* The plan as the core's programs want it; it borrows the plan's offsets. */
void plan_pass(const struct kohaku_plan *plan, struct kohaku_vector_pass *pass);
/* Credits of a byte read or written, one word here and one there if ragged. */
uint64_t plan_access(enum kohaku_home home, bool ragged);
/* -EINVAL when two packings do not hold the same blocks. */
int plan_same_array(const struct kohaku_packing *before, const struct kohaku_packing *after,
		    struct kohaku_reason *reason);

#endif
