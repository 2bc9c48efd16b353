// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The cost model.
 */
#include "sim/cost.h"

static u64 cost_of_entries(const struct sim_effort *effort)
{
	u32 beats = effort->entry_beats;

	return effort->elements * (effort->slot_depth > 1 ? SIM_COST_ENTRY_OVERLAPPED(beats) :
							    SIM_COST_ENTRY(beats));
}

u64 sim_cost(const struct sim_effort *effort)
{
	u64 cycles = SIM_COST_MOVE;

	if (effort->mode == KOHAKU_MODE_XFORM)
		return cycles + cost_of_entries(effort);
	cycles += effort->elements * SIM_COST_ELEMENT;
	cycles += min(effort->writes * SIM_COST_BURST, effort->write_words);
	if (effort->mode == KOHAKU_MODE_GENERATE)
		return cycles + effort->write_words * SIM_COST_GENERATE;
	if (effort->mode == KOHAKU_MODE_GATHER)
		return cycles + effort->elements * SIM_COST_GATHER +
		       effort->index_reads * SIM_COST_INDEX;
	/* Reads run ahead of writes; only full-length ones make themselves felt. */
	return cycles + min(effort->reads * SIM_COST_BURST, effort->read_words / 32);
}
