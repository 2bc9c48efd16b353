// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The life of a move: the checks at GO, what is latched, and how it ends.
 */
#include "sim/mover.h"

#include "sim/cost.h"
#include "sim/mesh.h"

void sim_mover_reset(struct sim_mesh *mesh)
{
	struct sim_mover *mover = &mesh->mover;

	sim_registers_reset(&mover->regs);
	mover->busy = false;
	mover->hung = false;
	mover->fault = KOHAKU_HW_FAULT_NONE;
	mover->done = 0;
}

static u64 cost(const struct sim_mesh *mesh)
{
	const struct sim_mover *mover = &mesh->mover;
	const struct sim_counters *now = &mesh->counters, *then = &mover->at_go;
	struct sim_effort effort = {
		.mode = mover->mode,
		.elements = mover->elements,
		.index_reads = mover->index_reads,
		.entry_beats = sim_bank_beats(mover->xform),
		.slot_depth = mesh->node->config.slot_depth,
		.reads = now->read_bursts - then->read_bursts - mover->index_reads,
		.read_words = now->read_beats - then->read_beats - mover->index_reads,
		.writes = now->write_bursts - then->write_bursts,
		.write_words = now->write_beats - then->write_beats,
	};

	return sim_cost(&effort);
}

void sim_mover_retire(struct sim_mesh *mesh, u32 fault)
{
	struct sim_mover *mover = &mesh->mover;

	sim_channel_close(&mover->read);
	sim_channel_close(&mover->write);
	sim_bank_ask(&mesh->bank, SIM_REQUESTER_MOVER, false);
	mover->busy = false;
	mover->fault = fault;
	if (!fault)
		mover->done++;
	mesh->counters.cycles += cost(mesh);
}

void sim_mover_fail(struct sim_mesh *mesh, enum sim_reach reach)
{
	if (reach == SIM_REACH_NO_MEMORY)
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_AXI);
	else
		mesh->mover.hung = true;
}

bool sim_mover_beat_fails(struct sim_mesh *mesh)
{
	return ++mesh->mover.beats == mesh->knobs.error_at_beat;
}

bool sim_mover_read_fails(struct sim_mesh *mesh, u64 addr)
{
	struct sim_place place;

	return mesh->knobs.ecc && sim_map_local(mesh, addr, &place) == SIM_REACH_LOCAL &&
	       !sim_memory_marked(place.memory, place.offset, KOHAKU_WORD);
}

void sim_mover_mark_written(struct sim_mesh *mesh, u64 addr)
{
	struct sim_place place;

	if (sim_map_local(mesh, addr, &place) == SIM_REACH_LOCAL)
		sim_memory_mark(place.memory, place.offset, KOHAKU_WORD);
}

static void make_pattern(u8 pattern[KOHAKU_WORD], u32 imm, u32 width)
{
	u32 size = 1U << width;
	u32 i;

	for (i = 0; i < KOHAKU_WORD; i++)
		pattern[i] = (u8)(imm >> 8 * (i % size));
}

static void connect(struct sim_mesh *mesh)
{
	struct sim_mover *mover = &mesh->mover;

	mover->read = (struct sim_channel){
		.bursts = &mesh->counters.read_bursts,
		.words = &mesh->counters.read_beats,
		.ctx = mesh,
		.closed = mesh->probe.read ? sim_mesh_read_closed : NULL,
	};
	mover->write = (struct sim_channel){
		.bursts = &mesh->counters.write_bursts,
		.words = &mesh->counters.write_beats,
		.ctx = mesh,
		.closed = mesh->probe.write ? sim_mesh_write_closed : NULL,
	};
	sim_view_init(&mover->from, mesh, false);
	sim_view_init(&mover->to, mesh, true);
}

/* What the registers say now is what the move will do, whatever is written later. */
static void latch(struct sim_mesh *mesh)
{
	struct sim_mover *mover = &mesh->mover;
	const struct sim_registers *regs = &mover->regs;

	mover->mode = regs->mode;
	mover->xform = regs->xform;
	mover->xform_mode = regs->xform_mode;
	mover->seed = regs->seed;
	mover->read_cap = sim_burst_cap(regs->flags);
	mover->write_cap = regs->flags & KOHAKU_CTRL_COALESCE ? mover->read_cap : 1;
	make_pattern(mover->pattern, regs->imm, regs->width);
	sim_walk_start(&mover->src, &regs->walkers[KOHAKU_WALKER_SRC]);
	sim_walk_start(&mover->dst, &regs->walkers[KOHAKU_WALKER_DST]);
	mover->beats = 0;
	mover->elements = 0;
	mover->index_reads = 0;
	mover->at_go = mesh->counters;
	/* Asked first, since what is written is recorded from then on. */
	mover->careful = sim_mesh_tracks(mesh) || mesh->knobs.error_at_beat;
	connect(mesh);
}

static u32 check(const struct sim_registers *regs)
{
	if (regs->width == 3)
		return KOHAKU_HW_FAULT_WIDTH;
	if (regs->mode == KOHAKU_MODE_TRANSPOSE)
		return KOHAKU_HW_FAULT_MODE;
	if (regs->mode == KOHAKU_MODE_GATHER && regs->index_count > KOHAKU_INDEX_MAX)
		return KOHAKU_HW_FAULT_INDEX;
	return KOHAKU_HW_FAULT_NONE;
}

static void go(struct sim_mesh *mesh)
{
	struct sim_mover *mover = &mesh->mover;

	mesh->counters.moves++;
	mover->fault = check(&mover->regs);
	/* A transform asks for the slot even when it is refused. */
	if (mover->regs.mode == KOHAKU_MODE_XFORM)
		sim_bank_ask(&mesh->bank, SIM_REQUESTER_MOVER, true);
	if (mover->fault) {
		sim_bank_ask(&mesh->bank, SIM_REQUESTER_MOVER, false);
		return;
	}
	mover->busy = true;
	mover->hung = mesh->knobs.hang;
	latch(mesh);
	if (mover->hung)
		return;
	if (mesh->knobs.no_motion)
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_NONE);
	else if (mover->mode == KOHAKU_MODE_GATHER)
		sim_gather_start(mesh);
}

void sim_mover_write(struct sim_mesh *mesh, u32 offset, u64 value)
{
	/* A GO while a move is in flight is lost. */
	if (sim_registers_write(&mesh->mover.regs, offset, value) && !mesh->mover.busy)
		go(mesh);
}

u64 sim_mover_run(struct sim_mesh *mesh, u64 words)
{
	struct sim_mover *mover = &mesh->mover;

	if (!mover->busy || mover->hung)
		return words;
	/* Chunks may have come and gone since the last call. */
	mover->from.tag = U64_MAX;
	mover->to.tag = U64_MAX;
	return mover->mode == KOHAKU_MODE_XFORM ? sim_transform_run(mesh, words) :
						  sim_stream_run(mesh, words);
}
