/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The cost model behind sim_counters.cycles, in cycles of the node's clock.
 */
#ifndef SIM_COST_H
#define SIM_COST_H

#define SIM_COST_MOVE		20	/* from GO to idle, without a word moved */
#define SIM_COST_WORD		1	/* an element, skipped ones too */
#define SIM_COST_BURST		4
#define SIM_COST_GENERATE	87	/* a word of random numbers */
/* An entry of that many source words through the slot; the next one waits for it. */
#define SIM_COST_ENTRY(beats)	(6 + 4 * (beats))
/* The same when the next one is read meanwhile. */
#define SIM_COST_ENTRY_OVERLAPPED(beats) max_t(u32, 2 * (beats), 8)

#endif
