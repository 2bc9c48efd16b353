// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * GATHER: the index fetch and the addresses of rows.
 */
#include "sim/gather.h"

#include "sim/mesh.h"

#define INDICES_PER_WORD (KOHAKU_WORD / sizeof(u32))

/* One single-beat read of eight indices; false when the move ends with it. */
static bool fetch(struct sim_mesh *mesh, u64 addr, u32 *indices)
{
	struct sim_mover *mover = &mesh->mover;
	const u8 *word = sim_view_at(&mover->from, mesh, addr & ~(u64)(KOHAKU_WORD - 1));

	if (!word) {
		sim_mover_fail(mesh, mover->from.reach);
		return false;
	}
	mesh->counters.read_bursts++;
	mesh->counters.read_beats++;
	mover->index_reads++;
	if (mesh->probe.read)
		mesh->probe.read(mesh->probe.ctx, addr, 1, true);
	memcpy(indices, word, KOHAKU_WORD);
	if (mover->careful && (sim_mover_beat_fails(mesh) || sim_mover_read_fails(mesh, addr))) {
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_AXI);
		return false;
	}
	return true;
}

void sim_gather_start(struct sim_mesh *mesh)
{
	const struct sim_registers *regs = &mesh->mover.regs;
	struct sim_gather *gather = &mesh->mover.gather;
	u64 addr = regs->index_base;
	u32 first = 0;

	gather->base = regs->gather_base;
	gather->pitch = regs->pitch;
	gather->row_words = regs->row_words ? regs->row_words : 65536;
	gather->row = 0;
	gather->word = 0;
	gather->late = mesh->node->config.quirks & SIM_QUIRK_GATHER;
	gather->regular = !gather->late && !((gather->base | gather->pitch) & (KOHAKU_WORD - 1));
	/* A count of zero fetches one word all the same. */
	do {
		if (!fetch(mesh, addr, &gather->indices[first]))
			return;
		addr = (addr + KOHAKU_WORD) & KOHAKU_ADDR_MASK;
		first += INDICES_PER_WORD;
	} while (first < regs->index_count);
}

/*
 * Silicon reads its index buffer a cycle late when a row begins a new word of
 * it, and so takes the index of eight rows before for the row's first word.
 */
static bool index_is_late(const struct sim_gather *gather)
{
	return gather->late && !gather->word && gather->row && !(gather->row % INDICES_PER_WORD);
}

void sim_gather_ahead(const struct sim_gather *gather, struct sim_stretch *stretch)
{
	u32 row = gather->row;

	if (index_is_late(gather))
		row -= INDICES_PER_WORD;
	stretch->addr = sim_gather_addr(gather, row, gather->word);
	stretch->stride = KOHAKU_WORD;
	stretch->inside = true;
	stretch->count = min_t(u64, gather->row_words - gather->word,
			       ((KOHAKU_ADDR_MASK - stretch->addr) >> KOHAKU_WORD_SHIFT) + 1);
	if (index_is_late(gather))
		stretch->count = 1;
}

void sim_gather_skip(struct sim_gather *gather, u64 count)
{
	gather->word += count;
	if (gather->word == gather->row_words) {
		gather->word = 0;
		gather->row = (gather->row + 1) & 0xFFFF;
	}
}
