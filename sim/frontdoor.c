// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The front door.
 */
#include "sim/frontdoor.h"

#include "sim/mesh.h"

/* An item of a list takes 6 cycles; meanwhile a mover at work moves about as much. */
#define ITEM_WORDS 6

#define RV64_BUSY	KOHAKU_BIT(32)
#define RV64_FAULT	KOHAKU_BITS(31, 28)
#define RV64_DONE	KOHAKU_BITS(27, 0)

#define RV32_BUSY	KOHAKU_BIT(0)
#define RV32_FAULT	KOHAKU_BITS(7, 4)
#define RV32_BANK	KOHAKU_BITS(11, 8)

#define LIST_LENGTH	KOHAKU_BITS(15, 0)
#define LIST_OFFSET	KOHAKU_BITS(7, 0)
#define SLOT_ID		KOHAKU_BITS(11, 8)
#define SLOT_OFFSET	KOHAKU_BITS(7, 0)

void sim_frontdoor_reset(struct sim_mesh *mesh)
{
	mesh->door.fetcher = SIM_FETCHER_IDLE;
}

static u32 next_word(struct sim_frontdoor *door)
{
	u32 word = door->scratchpad[door->at];

	door->at = (door->at + 1) % SIM_SCRATCHPAD_WORDS;
	return word;
}

static void replay_item(struct sim_mesh *mesh)
{
	struct sim_frontdoor *door = &mesh->door;
	u32 offset = KOHAKU_GET(LIST_OFFSET, next_word(door));
	u64 value = next_word(door);

	value |= (u64)next_word(door) << 32;
	door->moves = mesh->counters.moves;
	sim_mover_write(mesh, offset, value);
	if (--door->left)
		return;
	/* A GO that was refused started a move too, if a short one. */
	if (mesh->mover.busy || mesh->counters.moves != door->moves)
		door->fetcher = SIM_FETCHER_IDLE;
	else
		door->fetcher = SIM_FETCHER_WAITS;
}

u64 sim_frontdoor_run(struct sim_mesh *mesh, u64 words)
{
	struct sim_frontdoor *door = &mesh->door;

	while (words && door->fetcher == SIM_FETCHER_LIST) {
		replay_item(mesh);
		words--;
		if (door->fetcher == SIM_FETCHER_LIST)
			sim_mover_run(mesh, ITEM_WORDS);
	}
	if (door->fetcher == SIM_FETCHER_WAITS && mesh->counters.moves != door->moves)
		door->fetcher = SIM_FETCHER_IDLE;
	return words;
}

static void start_list(struct sim_frontdoor *door, u32 word)
{
	if (door->fetcher != SIM_FETCHER_IDLE)
		return;
	door->at = word % SIM_SCRATCHPAD_WORDS;
	door->left = KOHAKU_GET(LIST_LENGTH, next_word(door));
	if (door->left)
		door->fetcher = SIM_FETCHER_LIST;
}

static u64 rv32_status(struct sim_mesh *mesh)
{
	bool busy = sim_mesh_run(mesh->node, mesh->id, SIM_POLL_WORDS);

	return KOHAKU_PUT(RV32_BUSY, busy || mesh->door.fetcher != SIM_FETCHER_IDLE) |
	       KOHAKU_PUT(RV32_FAULT, mesh->mover.fault) |
	       KOHAKU_PUT(RV32_BANK, mesh->bank.fault);
}

static u64 rv64_status(struct sim_mesh *mesh)
{
	bool busy = sim_mesh_run(mesh->node, mesh->id, SIM_POLL_WORDS);

	return KOHAKU_PUT(RV64_BUSY, busy) | KOHAKU_PUT(RV64_FAULT, mesh->mover.fault) |
	       KOHAKU_PUT(RV64_DONE, mesh->mover.done);
}

static bool in_scratchpad(u64 addr, u32 size)
{
	return size <= sizeof(u32) &&
	       addr + size <= SIM_SCRATCHPAD_WORDS * sizeof(u32) && !(addr & (size - 1));
}

static u64 rv32_load(struct sim_mesh *mesh, u64 addr, u32 size)
{
	u32 shift = 8 * (addr & 3);

	if (in_scratchpad(addr, size))
		return mesh->door.scratchpad[addr / 4] >> shift & (~0U >> (32 - 8 * size));
	if (addr < SIM_RV32_NODE || addr > U32_MAX)
		return 0;
	if (addr & SIM_RV32_SLOT)
		return sim_bank_register(&mesh->bank, KOHAKU_GET(SLOT_ID, addr),
					 KOHAKU_GET(SLOT_OFFSET, addr));
	return rv32_status(mesh);
}

static void rv32_store(struct sim_mesh *mesh, u64 addr, u32 size, u64 value)
{
	if (in_scratchpad(addr, size)) {
		u32 *word = &mesh->door.scratchpad[addr / 4];
		u32 mask = (~0U >> (32 - 8 * size)) << 8 * (addr & 3);

		*word = (*word & ~mask) | ((u32)value << 8 * (addr & 3) & mask);
	} else if (addr < SIM_RV32_NODE || addr > U32_MAX) {
		return;
	} else if (addr & SIM_RV32_SLOT) {
		sim_bank_store(&mesh->bank, KOHAKU_GET(SLOT_ID, addr),
			       KOHAKU_GET(SLOT_OFFSET, addr), (u32)value);
	} else if (!(addr & 0xFFFF)) {
		start_list(&mesh->door, (u32)value);
	}
}

/* The mover register that an RV64 store names; false when it names none. */
static bool rv64_register(u64 addr, u32 size, u32 *offset)
{
	u64 at = addr - SIM_RV64_CONTROL;

	if (size != sizeof(u64) || at < SIM_RV64_MOVER || at > SIM_RV64_MOVER_LAST)
		return false;
	*offset = at - SIM_RV64_MOVER;
	return true;
}

u64 sim_port_load(struct sim_node *node, u32 mesh, u64 addr, u32 size)
{
	struct sim_mesh *self = &node->meshes[mesh];

	if (self->knobs.gone)
		return KOHAKU_ALL_ONES;
	if (node->config.complex == SIM_COMPLEX_RV32)
		return rv32_load(self, addr, size);
	if (node->config.complex == SIM_COMPLEX_RV64 &&
	    addr == SIM_RV64_CONTROL + SIM_RV64_STATUS && size == sizeof(u64))
		return rv64_status(self);
	return 0;
}

void sim_port_store(struct sim_node *node, u32 mesh, u64 addr, u32 size, u64 value)
{
	struct sim_mesh *self = &node->meshes[mesh];
	u32 offset;

	if (self->knobs.gone)
		return;
	if (node->config.complex == SIM_COMPLEX_RV32)
		rv32_store(self, addr, size, value);
	else if (node->config.complex == SIM_COMPLEX_RV64 && rv64_register(addr, size, &offset))
		sim_mover_write(self, offset, value);
}

void sim_port_collide(struct sim_node *node, u32 mesh, u64 addr, u32 size, u64 value,
		      u32 offset, u64 host_value)
{
	bool theirs = offset >= KOHAKU_CTL_AUX_CFG && offset < KOHAKU_CTL_INTERLINK;
	u32 ours;

	sim_port_store(node, mesh, addr, size, value);
	if (theirs && node->config.complex == SIM_COMPLEX_RV64 &&
	    rv64_register(addr, size, &ours))
		return;
	sim_window_write(node, mesh, offset, host_value, 0xFF);
}
