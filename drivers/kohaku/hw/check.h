/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A check of a move on its way: what it is about and what is known so far.
 */
#ifndef KOHAKU_HW_CHECK_H
#define KOHAKU_HW_CHECK_H

#include "move.h"

struct kohaku_check {
	const struct kohaku_move *move;
	const struct kohaku_move_context *context;
	struct kohaku_move_facts *facts;
	struct kohaku_verdict *verdict;
	u64 src_elements;	/* of the source walk that the move uses */
	u64 dst_elements;
};

/* Fills the verdict; returns the refusal's errno.  walker, dim: -1 is none. */
int kohaku_refuse(struct kohaku_check *check, enum kohaku_refusal refusal, int walker, int dim);

/* Does each field, taken by itself, hold what its mode allows? */
int kohaku_check_fields(struct kohaku_check *check);

#endif
