/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The simulated node: what a host sees of it, and the knobs only a model has.
 *
 * A node is 1..4 meshes.  Registers are reached through each mesh's control
 * window, memory through the 43-bit host address.  A move does not run inside
 * the register write that starts it: sim_mesh_run() advances it, a bounded
 * number of words a call, and reading a status word advances it by
 * SIM_POLL_WORDS.  So whoever polls also pays for the work, nothing runs while
 * nobody looks, and the order of events depends on nothing but the calls.
 *
 * Locking is the caller's: calls that name the same mesh must not overlap.
 * Calls that name different meshes may: meshes share only each other's memory,
 * whose chunks are published atomically.
 */
#ifndef SIM_NODE_H
#define SIM_NODE_H

#include "hw/regs.h"

struct sim_node;

/* Words a status read moves at most: 1 MiB, well under a scheduler tick. */
#define SIM_POLL_WORDS 32768

/* Hops that words on the interlink make when one of its status words is read. */
#define SIM_POLL_HOPS 16

/* Silicon that differs from its documentation. */
#define SIM_QUIRK_GATHER	KOHAKU_BIT(0)	/* index late at rows 8, 16, .. */

/* The processor complex in front of a mesh's mover. */
enum sim_complex { SIM_COMPLEX_NONE, SIM_COMPLEX_RV32, SIM_COMPLEX_RV64 };

/* What a node is made of; fixed for its life. */
struct sim_config {
	u32 meshes;		/* 1..KOHAKU_MESHES_MAX */
	u32 quirks;		/* SIM_QUIRK_* */
	enum sim_complex complex;
	u32 slot_depth;		/* entries in flight in the transform slot: 1, 2 */
};

/* Misbehaviour on request, for tests; all zero is a healthy node. */
struct sim_knobs {
	u64 error_at_beat;	/* n-th beat of each move or round answers an error; 0 off */
	bool hang;		/* a started move or round never ends */
	bool no_motion;		/* moves and rounds count as done and do nothing */
	bool gone;		/* every read answers all ones */
	bool ecc;		/* a read of a never-written word is an error */
};

/* Counters of one mesh; ours, no register shows them. */
struct sim_counters {
	u64 moves;		/* moves started */
	u64 read_bursts;	/* AR, index fetches included */
	u64 read_beats;
	u64 write_bursts;	/* AW */
	u64 write_beats;
	u64 cycles;		/* cost model, Documentation/hardware/node.rst */
};

/* Watches the bus of one mesh; any member may be NULL. */
struct sim_probe {
	void (*read)(void *ctx, u64 addr, u32 beats, bool index);
	void (*write)(void *ctx, u64 addr, u32 beats);
	/* The data of consecutive written beats, in bus order. */
	void (*data)(void *ctx, u64 addr, const void *bytes, u32 beats);
	void *ctx;
};

/* What people call them; quirks by their value. */
extern const char *const sim_complex_names[SIM_COMPLEX_RV64 + 1];
extern const char *const sim_quirk_names[SIM_QUIRK_GATHER + 1];

/* One mesh behind an RV32 complex, without quirks. */
void sim_config_default(struct sim_config *config);
bool sim_config_valid(const struct sim_config *config);
struct sim_node *sim_node_create(const struct sim_config *config);
void sim_node_destroy(struct sim_node *node);
/* Back to power-up register values; memory keeps its contents. */
void sim_mesh_reset(struct sim_node *node, u32 mesh);

struct sim_knobs *sim_mesh_knobs(struct sim_node *node, u32 mesh);
const struct sim_counters *sim_mesh_counters(const struct sim_node *node, u32 mesh);
void sim_mesh_probe(struct sim_node *node, u32 mesh, const struct sim_probe *probe);

/* The control window; strobes has a bit for each of the eight bytes. */
u64 sim_window_read(struct sim_node *node, u32 mesh, u32 offset);
void sim_window_write(struct sim_node *node, u32 mesh, u32 offset, u64 value, u8 strobes);

/*
 * The 32-bit registers of the transform slot, at the offsets of an occupant.
 * Writes are lost while a transform holds the slot.
 */
u32 sim_bank_read(struct sim_node *node, u32 mesh, u32 id, u32 offset);
void sim_bank_write(struct sim_node *node, u32 mesh, u32 id, u32 offset, u32 value);

/*
 * The processor's side of the front door: loads and stores of size bytes (1, 2,
 * 4, 8) at the processor's own addresses.  What is not there reads as 0.
 */
u64 sim_port_load(struct sim_node *node, u32 mesh, u64 addr, u32 size);
void sim_port_store(struct sim_node *node, u32 mesh, u64 addr, u32 size, u64 value);
/*
 * A store and a write to the control window in one and the same cycle.  Where
 * both name a register of the mover, the processor's is used and the host's lost.
 */
void sim_port_collide(struct sim_node *node, u32 mesh, u64 addr, u32 size, u64 value,
		      u32 offset, u64 host_value);

/*
 * Advances the mover of a mesh by up to words, then its vector core by about what
 * is left of them, a list of the front door by as many items, and what the mesh
 * has on the interlink by as many hops; true while the mover is busy.
 */
bool sim_mesh_run(struct sim_node *node, u32 mesh, u64 words);

/*
 * Memory by 43-bit host address.  Reads of absent chunks give zeros.
 * -EINVAL when the range leaves a mesh's DRAM or staging, -ENOMEM, -EIO when the
 * ecc knob is on and a word to be read was never written.
 */
int sim_mem_read(struct sim_node *node, u64 addr, void *bytes, size_t size);
int sim_mem_write(struct sim_node *node, u64 addr, const void *bytes, size_t size);
/* Backs a range with chunks, so that no later access to it can fail. */
int sim_mem_commit(struct sim_node *node, u64 addr, u64 size);
/* Forgets every chunk that lies whole within a range. */
void sim_mem_discard(struct sim_node *node, u64 addr, u64 size);
/* The chunk that holds an address, NULL when absent. */
void *sim_mem_chunk(struct sim_node *node, u64 addr);

#endif
