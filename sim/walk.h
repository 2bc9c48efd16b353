/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A walker in motion: the addresses of one side of a move, a stretch at a time.
 */
#ifndef SIM_WALK_H
#define SIM_WALK_H

#include "sim/registers.h"

/* One loop of a walk; neighbours that step as one are merged. */
struct sim_walk_dim {
	u64 count;
	u64 index;
	u32 stride;		/* bytes, modulo 2^32 */
	u16 step[2];		/* of axis A and B, modulo 2^16 */
};

struct sim_walk {
	struct sim_walk_dim dims[KOHAKU_DIMS_MAX];	/* dims[0] innermost */
	u32 ndim;
	bool done;		/* stepped past its last element, and stays on it */
	bool linear;		/* no offset and no address wraps */
	bool windowed;
	bool regular;		/* linear, not windowed, and every word is aligned */
	u16 extent[2];
	u64 base;
	u32 offset, last_offset;	/* modulo 2^32, of this and the last element */
	u16 coord[2], last_coord[2];
};

/* Elements ahead that lie at addr, addr + stride, .. and are alike. */
struct sim_stretch {
	u64 addr;		/* 40-bit, bytes */
	s64 stride;		/* bytes */
	u64 count;		/* at least 1 */
	bool inside;		/* the windows */
};

void sim_walk_start(struct sim_walk *walk, const struct sim_walker_regs *regs);
/* Describes the stretch that begins at the current element. */
void sim_walk_ahead(const struct sim_walk *walk, struct sim_stretch *stretch);
/* Steps over count elements, at most those of the stretch ahead. */
void sim_walk_skip(struct sim_walk *walk, u64 count);
/*
 * How many rows of count elements, at most those of the stretch ahead, follow one
 * another at equal distances; step says at which.  The walk is a regular one.
 */
u64 sim_walk_rows(const struct sim_walk *walk, u64 count, s64 *step);
/* Steps over rows, at most those that sim_walk_rows() said. */
void sim_walk_skip_rows(struct sim_walk *walk, u64 count, u64 rows);

#endif
