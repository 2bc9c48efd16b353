/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The memory mover: one move at a time, from GO to idle.
 */
#ifndef SIM_MOVER_H
#define SIM_MOVER_H

#include "sim/burst.h"
#include "sim/gather.h"
#include "sim/map.h"
#include "sim/registers.h"
#include "sim/walk.h"

/* What becomes of an element; words of one kind share bursts. */
enum sim_kind { SIM_KIND_SKIP, SIM_KIND_READ, SIM_KIND_FILL, SIM_KIND_GENERATE };

struct sim_mover {
	struct sim_registers regs;
	bool busy;
	bool hung;		/* busy until reset */
	u32 fault;		/* of the last move started */
	u32 done;		/* moves retired without a fault, modulo 2^32 */

	/* The move in flight; latched at GO. */
	u32 mode;
	struct sim_walk src, dst;
	struct sim_gather gather;
	u32 xform, xform_mode;
	u64 seed;
	u8 pattern[KOHAKU_WORD];
	u32 read_cap, write_cap;	/* beats */
	struct sim_channel read, write;
	struct sim_view from, to;
	u64 beats;		/* so far, for errors on request */
	u64 elements;		/* gone through so far; XFORM: entries */
	u64 index_reads;
	struct sim_counters at_go;
	bool careful;		/* word by word: somebody wants errors */
};

/* Power-up; the index buffer keeps what it holds. */
void sim_mover_reset(struct sim_mesh *mesh);
/* A register write, from whichever side. */
void sim_mover_write(struct sim_mesh *mesh, u32 offset, u64 value);
/* Advances the move in flight by up to words elements; returns those left over. */
u64 sim_mover_run(struct sim_mesh *mesh, u64 words);

/* For the engines of the modes: */

/* Ends the move with a fault, or well. */
void sim_mover_retire(struct sim_mesh *mesh, u32 fault);
/* An access failed: hangs, or ends the move. */
void sim_mover_fail(struct sim_mesh *mesh, enum sim_reach reach);
/* Accounts for one beat of a careful move; is it to answer an error? */
bool sim_mover_beat_fails(struct sim_mesh *mesh);
/* A careful move reads or writes the word at addr: does the ECC object? */
bool sim_mover_read_fails(struct sim_mesh *mesh, u64 addr);
void sim_mover_mark_written(struct sim_mesh *mesh, u64 addr);

/* COPY, GATHER, GENERATE and FILL: one element is one word. */
u64 sim_stream_run(struct sim_mesh *mesh, u64 words);
/* XFORM: an element of the destination walk is an entry of four words. */
u64 sim_transform_run(struct sim_mesh *mesh, u64 words);

#endif
