/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What a move costs, in cycles of the node's clock.
 *
 * Fitted to recordings with a memory that answers in 8 cycles: within a few
 * per cent for long moves, coarse for short ones, and never part of what is
 * promised bit for bit.
 */
#ifndef SIM_COST_H
#define SIM_COST_H

#include "hw/regs.h"

#define SIM_COST_MOVE		20	/* from GO to idle, with nothing moved */
#define SIM_COST_ELEMENT	1	/* skipped ones too */
#define SIM_COST_BURST		4	/* a long burst; one of a single word costs one */
#define SIM_COST_GENERATE	86	/* more than an element, for random numbers */
#define SIM_COST_GATHER		5	/* more than an element, for its address */
#define SIM_COST_INDEX		11	/* a read of eight indices */
/* An entry of so many source words through the slot; the next one waits for it. */
#define SIM_COST_ENTRY(beats)	(6 + 4 * (beats))
/* The same when the next one is read meanwhile. */
#define SIM_COST_ENTRY_OVERLAPPED(beats) max_t(u32, 2 * (beats), 8)

/* What a move did. */
struct sim_effort {
	u32 mode;		/* KOHAKU_MODE_* */
	u64 elements;		/* XFORM: entries */
	u64 index_reads;
	u32 entry_beats;	/* XFORM: source words of an entry */
	u32 slot_depth;
	u64 reads, read_words;	/* bursts and words, without index reads */
	u64 writes, write_words;
};

u64 sim_cost(const struct sim_effort *effort);

#endif
