// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The transform slot.
 */
#include "sim/slot.h"

#include "sim/occupant/occupant.h"

static const struct sim_occupant *const occupants[] = {
	[0] = &sim_occupant_bypass,
	[1] = &sim_occupant_quantise,
	[2] = &sim_occupant_gt4,
	[3] = &sim_occupant_dequantise,
	[4] = &sim_occupant_swizzle,
	[5] = &sim_occupant_palette,
};

static const struct sim_occupant *find(u32 id)
{
	return id < ARRAY_SIZE(occupants) ? occupants[id] : NULL;
}

void sim_bank_reset(struct sim_bank *bank)
{
	u32 id;

	*bank = (struct sim_bank){ .arbiter.owner = SIM_REQUESTERS };
	for (id = 0; id < ARRAY_SIZE(occupants); id++) {
		if (occupants[id]->reset)
			occupants[id]->reset(bank);
	}
}

/* The lowest number among those whose turn is not over, else among all. */
static void decide(struct sim_arbiter *arbiter)
{
	u32 candidates = arbiter->asking & ~arbiter->served;

	if (!candidates)
		candidates = arbiter->asking;
	if (!candidates) {
		arbiter->owner = SIM_REQUESTERS;
		return;
	}
	arbiter->owner = __builtin_ctz(candidates);
	arbiter->served |= 1U << arbiter->owner;
	if (arbiter->served == (1U << SIM_REQUESTERS) - 1)
		arbiter->served = 0;
}

void sim_bank_ask(struct sim_bank *bank, enum sim_requester who, bool want)
{
	struct sim_arbiter *arbiter = &bank->arbiter;

	if (want)
		arbiter->asking |= 1U << who;
	else
		arbiter->asking &= ~(1U << who);
	if (arbiter->owner == SIM_REQUESTERS || !(arbiter->asking >> arbiter->owner & 1))
		decide(arbiter);
}

bool sim_bank_granted(const struct sim_bank *bank, enum sim_requester who)
{
	return bank->arbiter.owner == who;
}

u32 sim_bank_register(const struct sim_bank *bank, u32 id, u32 offset)
{
	const struct sim_occupant *occupant = find(id);

	if (offset == SIM_BANK_FAULT)
		return bank->fault;
	if (!occupant)
		return 0;
	if (offset == SIM_BANK_GEOMETRY)
		return SIM_ENTRY_WORDS << 16 | occupant->beats * KOHAKU_WORD * 8;
	return occupant->load ? occupant->load(bank, offset) : 0;
}

void sim_bank_store(struct sim_bank *bank, u32 id, u32 offset, u32 value)
{
	const struct sim_occupant *occupant = find(id);

	if (bank->arbiter.owner != SIM_REQUESTERS)
		return;
	if (offset == SIM_BANK_FAULT)
		bank->fault = 0;
	else if (occupant && occupant->store)
		occupant->store(bank, offset, value);
}

u32 sim_bank_beats(u32 id)
{
	const struct sim_occupant *occupant = find(id);

	return occupant ? occupant->beats : sim_occupant_bypass.beats;
}

void sim_bank_convert(struct sim_bank *bank, u32 id, u32 mode, const u8 *in, u8 *out,
		      u32 entries)
{
	const struct sim_occupant *occupant = find(id);

	if (!occupant) {
		bank->fault |= SIM_BANK_FAULT_ID;
		occupant = &sim_occupant_bypass;
	}
	occupant->convert(bank, mode, in, out, entries);
}
