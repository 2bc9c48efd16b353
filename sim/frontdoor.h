/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The front door: how a processor of the mesh reaches mover and slot.
 *
 * RV64: stores to a control region go straight to the mover's registers.  RV32:
 * a list of register writes in the scratchpad, started by a store of its place.
 */
#ifndef SIM_FRONTDOOR_H
#define SIM_FRONTDOOR_H

#include "hw/types.h"

struct sim_mesh;

#define SIM_SCRATCHPAD_WORDS	2048	/* of 32 bits, from address 0 */

/* RV32: everything from here on is the node. */
#define SIM_RV32_NODE		0xF0000000
#define SIM_RV32_SLOT		0x00010000	/* address bit: registers of the slot */

/* RV64: the control region. */
#define SIM_RV64_CONTROL	0x20000
#define SIM_RV64_STATUS		0x20
#define SIM_RV64_MOVER		0x80
#define SIM_RV64_MOVER_LAST	0xB8		/* IMM and GATHER are out of reach */

enum sim_fetcher {
	SIM_FETCHER_IDLE,
	SIM_FETCHER_LIST,	/* replays its list */
	SIM_FETCHER_WAITS,	/* for a move to start: its list did not */
};

struct sim_frontdoor {
	u32 scratchpad[SIM_SCRATCHPAD_WORDS];
	enum sim_fetcher fetcher;
	u32 at;			/* next word of the list */
	u32 left;		/* register writes left in it */
	u64 moves;		/* started so far when the list ended */
};

void sim_frontdoor_reset(struct sim_mesh *mesh);
/* Replays the list in hand, an item for each word allowed; returns words left. */
u64 sim_frontdoor_run(struct sim_mesh *mesh, u64 words);

#endif
