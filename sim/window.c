// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The host control window of a mesh.
 */
#include "sim/window.h"

#include "sim/mesh.h"

/* What CAPS says of the on-chip network: positions of 4 bits on a 4 x 4 grid. */
#define POSITION_WIDTH	4
#define GRID_LO		1
#define GRID_HI		4

#define AUX_CFG_SIZE	0x100

static u64 read_caps(void)
{
	return KOHAKU_PUT(KOHAKU_CAPS_FLIT, KOHAKU_FLIT_WIDTH) |
	       KOHAKU_PUT(KOHAKU_CAPS_POSITION, POSITION_WIDTH) |
	       KOHAKU_PUT(KOHAKU_CAPS_GRID_LO, GRID_LO) |
	       KOHAKU_PUT(KOHAKU_CAPS_GRID_HI, GRID_HI);
}

/*
 * The two traffic counters stay 0: they count the ports of the on-chip network,
 * never the mover.
 */
static u64 read_aux_stat(struct sim_mesh *mesh)
{
	const struct sim_mover *mover = &mesh->mover;

	sim_mesh_run(mesh->node, mesh->id, SIM_POLL_WORDS);
	return KOHAKU_PUT(KOHAKU_STAT_BUSY, mover->busy) |
	       KOHAKU_PUT(KOHAKU_STAT_FAULT, mover->fault) |
	       KOHAKU_PUT(KOHAKU_STAT_DONE, mover->done);
}

/* Looking at the interlink moves it along, as looking at the mover does. */
static u64 read_aux_statw(struct sim_mesh *mesh, u32 word)
{
	sim_interlink_run(mesh, SIM_POLL_HOPS);
	return sim_interlink_status(mesh, word);
}

/* Looking at a round moves it along as well. */
static u64 read_status(struct sim_mesh *mesh)
{
	sim_mesh_run(mesh->node, mesh->id, SIM_POLL_WORDS);
	return KOHAKU_STATUS_READY | KOHAKU_PUT(KOHAKU_STATUS_BUSY, mesh->dispatch.busy);
}

static u64 read_dispatch(struct sim_mesh *mesh, u32 offset)
{
	if (offset == KOHAKU_CTL_STAT)
		sim_mesh_run(mesh->node, mesh->id, SIM_POLL_WORDS);
	return sim_dispatch_read(mesh, offset);
}

u64 sim_window_read(struct sim_node *node, u32 mesh, u32 offset)
{
	struct sim_mesh *self = &node->meshes[mesh];

	if (self->knobs.gone)
		return KOHAKU_ALL_ONES;
	switch (offset & ~7U) {
	case KOHAKU_CTL_STATUS:
		return read_status(self);
	case KOHAKU_CTL_CAPS:
		return read_caps();
	case KOHAKU_CTL_IRQ_STAT:
		return self->window.irq_stat;
	case KOHAKU_CTL_IRQ_EN:
		return self->window.irq_en;
	case KOHAKU_CTL_AUX_STAT:
		return read_aux_stat(self);
	}
	offset &= ~7U;
	if (offset >= KOHAKU_CTL_DST && offset <= KOHAKU_CTL_SIG_DONE)
		return read_dispatch(self, offset);
	if (sim_dispatch_word(self, offset))
		return *sim_dispatch_word(self, offset);
	if (offset >= KOHAKU_CTL_AUX_STATW &&
	    offset < KOHAKU_CTL_AUX_STATW + 8 * KOHAKU_LINK_WORDS)
		return read_aux_statw(self, (offset - KOHAKU_CTL_AUX_STATW) / 8);
	return 0;
}

static u64 merge(u64 old, u64 value, u8 strobes)
{
	u64 mask = 0;
	u32 i;

	if (strobes == 0xFF)
		return value;
	for (i = 0; i < 8; i++) {
		if (strobes >> i & 1)
			mask |= 0xFFULL << 8 * i;
	}
	return (old & ~mask) | (value & mask);
}

/* Every beat writes the register: two halves are two writes. */
static void write_aux_cfg(struct sim_mesh *mesh, u32 offset, u64 value, u8 strobes)
{
	struct sim_window *window = &mesh->window;

	if (window->shadow_offset != offset)
		window->shadow = 0;
	window->shadow_offset = offset;
	window->shadow = merge(window->shadow, value, strobes);
	if (offset < KOHAKU_CTL_INTERLINK)
		sim_mover_write(mesh, offset - KOHAKU_CTL_AUX_CFG, window->shadow);
	else
		sim_interlink_write(mesh, offset - KOHAKU_CTL_AUX_CFG, window->shadow);
}

void sim_window_write(struct sim_node *node, u32 mesh, u32 offset, u64 value, u8 strobes)
{
	struct sim_mesh *self = &node->meshes[mesh];
	struct sim_window *window = &self->window;
	u64 *flit = sim_dispatch_word(self, offset & ~7U);

	offset &= ~7U;
	if (self->knobs.gone || !strobes)
		return;
	if (offset >= KOHAKU_CTL_AUX_CFG && offset < KOHAKU_CTL_AUX_CFG + AUX_CFG_SIZE)
		write_aux_cfg(self, offset, value, strobes);
	else if (offset == KOHAKU_CTL_IRQ_STAT)
		window->irq_stat = merge(window->irq_stat, value, strobes);
	else if (offset == KOHAKU_CTL_IRQ_EN)
		window->irq_en = merge(window->irq_en, value, strobes);
	else if (offset >= KOHAKU_CTL_DST && offset <= KOHAKU_CTL_SIG_DONE)
		sim_dispatch_write(self, offset, merge(sim_dispatch_read(self, offset), value,
						       strobes));
	else if (flit)
		*flit = merge(*flit, value, strobes);
}
