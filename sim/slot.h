/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The transform slot: a bank of occupants and the arbiter in front of it.
 */
#ifndef SIM_SLOT_H
#define SIM_SLOT_H

#include "hw/regs.h"

/* Every entry leaves as four words, whatever went in. */
#define SIM_ENTRY_WORDS		4
#define SIM_ENTRY_BYTES		(SIM_ENTRY_WORDS * KOHAKU_WORD)
#define SIM_ENTRY_BEATS_MAX	8

#define SIM_BANK_FAULT		0x00
#define SIM_BANK_GEOMETRY	0x04
#define SIM_BANK_FAULT_ID	KOHAKU_BIT(0)	/* an entry named no occupant */

enum sim_requester {
	SIM_REQUESTER_MOVER,
	SIM_REQUESTER_HOST,
	SIM_REQUESTER_PROCESSOR,
	SIM_REQUESTERS,
};

/* One owner at a time, for as long as it asks. */
struct sim_arbiter {
	u32 asking;		/* a bit for each requester */
	u32 served;		/* those whose turn is over */
	u32 owner;		/* SIM_REQUESTERS: nobody */
};

struct sim_palette {
	u16 colours[256];	/* fp16 */
	u32 index;
};

struct sim_bank {
	struct sim_arbiter arbiter;
	u32 fault;		/* sticky */
	struct sim_palette palette;
};

void sim_bank_reset(struct sim_bank *bank);
/* Takes part in the arbitration, or leaves it. */
void sim_bank_ask(struct sim_bank *bank, enum sim_requester who, bool want);
bool sim_bank_granted(const struct sim_bank *bank, enum sim_requester who);

/* The occupants' registers, 32 bits; writes are lost while the bank is granted. */
u32 sim_bank_register(const struct sim_bank *bank, u32 id, u32 offset);
void sim_bank_store(struct sim_bank *bank, u32 id, u32 offset, u32 value);

/* Source words of an entry; an unknown id takes the bypass. */
u32 sim_bank_beats(u32 id);
/* Sends entries through an occupant; an unknown id leaves its mark. */
void sim_bank_convert(struct sim_bank *bank, u32 id, u32 mode, const u8 *in, u8 *out,
		      u32 entries);

#endif
