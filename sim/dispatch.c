// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The dispatcher of a mesh.
 */
#include "sim/dispatch.h"

#include "sim/mesh.h"

/* The memory a core of this mesh reaches: its own.  Bits below a word are dropped. */
static int find(struct sim_mesh *mesh, u64 addr, struct sim_place *place)
{
	if (++mesh->dispatch.beats == mesh->knobs.error_at_beat)
		return -EIO;
	addr &= ~(u64)(KOHAKU_WORD - 1);
	return sim_map_local(mesh, addr, place) == SIM_REACH_LOCAL ? 0 : -EIO;
}

static int read_memory(void *ctx, u64 addr, void *bytes, size_t size)
{
	struct sim_mesh *mesh = ctx;
	struct sim_place place;

	if (find(mesh, addr, &place))
		return -EIO;
	if (mesh->knobs.ecc && !sim_memory_marked(place.memory, place.offset, size))
		return -EIO;
	sim_memory_read(place.memory, place.offset, bytes, size);
	return 0;
}

static int write_memory(void *ctx, u64 addr, const void *bytes, size_t size)
{
	struct sim_mesh *mesh = ctx;
	struct sim_place place;

	if (find(mesh, addr, &place))
		return -EIO;
	sim_memory_mark(place.memory, place.offset, size);
	return sim_memory_write(place.memory, place.offset, bytes, size);
}

int sim_dispatch_init(struct sim_mesh *mesh)
{
	const struct sim_vector_memory memory = { read_memory, write_memory, mesh };

	mesh->dispatch.core = sim_vector_create(&memory);
	return mesh->dispatch.core ? 0 : -ENOMEM;
}

void sim_dispatch_destroy(struct sim_mesh *mesh)
{
	sim_vector_destroy(mesh->dispatch.core);
}

void sim_dispatch_reset(struct sim_mesh *mesh)
{
	struct sim_dispatch *dispatch = &mesh->dispatch;

	sim_vector_reset(dispatch->core);
	dispatch->destination = 0;
	dispatch->length = 0;
	dispatch->base = 0;
	dispatch->done = 0;
	dispatch->busy = false;
	dispatch->hung = false;
	memset(&dispatch->round, 0, sizeof(dispatch->round));
}

static u64 read_stat(const struct sim_dispatch *dispatch)
{
	const struct sim_vector_result *round = &dispatch->round;

	return KOHAKU_PUT(KOHAKU_DISPATCH_BUSY, dispatch->busy) |
	       KOHAKU_PUT(KOHAKU_DISPATCH_FAULT, round->fault) |
	       KOHAKU_PUT(KOHAKU_DISPATCH_AT, round->fault_flit) |
	       KOHAKU_PUT(KOHAKU_DISPATCH_TAKEN, round->flits) |
	       KOHAKU_PUT(KOHAKU_DISPATCH_CYCLES, round->cycles);
}

u64 sim_dispatch_read(struct sim_mesh *mesh, u32 offset)
{
	const struct sim_dispatch *dispatch = &mesh->dispatch;

	switch (offset) {
	case KOHAKU_CTL_DST:
		return dispatch->destination;
	case KOHAKU_CTL_LEN:
		return dispatch->length;
	case KOHAKU_CTL_BASE:
		return dispatch->base;
	case KOHAKU_CTL_STAT:
		return read_stat(dispatch);
	case KOHAKU_CTL_CRED:
		return dispatch->busy ? 0 : KOHAKU_FLITS_MAX;
	case KOHAKU_CTL_SIG_DONE:
		return dispatch->done;
	default:
		return 0;
	}
}

static void retire(struct sim_mesh *mesh)
{
	struct sim_dispatch *dispatch = &mesh->dispatch;

	dispatch->busy = false;
	dispatch->done++;
	mesh->counters.cycles += dispatch->round.cycles +
				 sim_vector_traffic_cycles(&dispatch->round);
}

/* Packets that no core takes end their round, even if a program faulted before. */
static void refuse(struct sim_mesh *mesh)
{
	struct sim_vector_result *round = &mesh->dispatch.round;

	round->faults++;
	round->fault = SIM_VECTOR_PACKET;
	round->fault_flit = round->flits;
	retire(mesh);
}

static void kick(struct sim_mesh *mesh)
{
	struct sim_dispatch *dispatch = &mesh->dispatch;

	if (dispatch->busy)
		return;
	memset(&dispatch->round, 0, sizeof(dispatch->round));
	dispatch->beats = 0;
	sim_mesh_tracks(mesh);
	if (dispatch->destination != KOHAKU_DST_VECTOR || dispatch->base > KOHAKU_FLITS_MAX ||
	    dispatch->length > KOHAKU_FLITS_MAX - dispatch->base) {
		refuse(mesh);
		return;
	}
	dispatch->busy = true;
	dispatch->hung = mesh->knobs.hang;
	dispatch->next = dispatch->base;
	dispatch->end = dispatch->base + dispatch->length;
	if (!dispatch->hung && mesh->knobs.no_motion)
		retire(mesh);
}

void sim_dispatch_write(struct sim_mesh *mesh, u32 offset, u64 value)
{
	struct sim_dispatch *dispatch = &mesh->dispatch;

	switch (offset) {
	case KOHAKU_CTL_DST:
		dispatch->destination = value;
		break;
	case KOHAKU_CTL_LEN:
		dispatch->length = value;
		break;
	case KOHAKU_CTL_BASE:
		dispatch->base = value;
		break;
	case KOHAKU_CTL_KICK:
		kick(mesh);
		break;
	}
}

u64 *sim_dispatch_word(struct sim_mesh *mesh, u32 offset)
{
	u32 at = offset - KOHAKU_CTL_FLITS;

	if (at >= KOHAKU_FLITS_MAX * KOHAKU_FLIT_SIZE)
		return NULL;
	return &mesh->dispatch.flits[at / KOHAKU_FLIT_SIZE].words[at % KOHAKU_FLIT_SIZE / 8];
}

/* Adds what one packet did to its round. */
static void account(struct sim_mesh *mesh, const struct sim_vector_result *packet)
{
	struct sim_vector_result *round = &mesh->dispatch.round;

	if (packet->faults && !round->faults) {
		round->fault = packet->fault;
		round->fault_flit = round->flits;
	}
	round->flits += packet->flits;
	round->runs += packet->runs;
	round->faults += packet->faults;
	round->cycles += packet->cycles;
	round->retired += packet->retired;
	round->words_read += packet->words_read;
	round->read_bursts += packet->read_bursts;
	round->words_written += packet->words_written;
	round->write_bursts += packet->write_bursts;
	mesh->counters.read_beats += packet->words_read;
	mesh->counters.read_bursts += packet->read_bursts;
	mesh->counters.write_beats += packet->words_written;
	mesh->counters.write_bursts += packet->write_bursts;
}

u64 sim_dispatch_run(struct sim_mesh *mesh, u64 words)
{
	struct sim_dispatch *dispatch = &mesh->dispatch;
	struct sim_vector_result packet;
	u64 effort;

	if (!dispatch->busy || dispatch->hung)
		return words;
	while (words && dispatch->next < dispatch->end) {
		if (sim_vector_take(dispatch->core, &dispatch->flits[dispatch->next], 1, &packet)) {
			refuse(mesh);
			return words;
		}
		dispatch->next++;
		account(mesh, &packet);
		effort = 1 + packet.words_read + packet.words_written;
		words -= min(words, effort);
	}
	if (dispatch->next == dispatch->end)
		retire(mesh);
	return words;
}
