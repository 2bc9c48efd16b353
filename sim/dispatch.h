/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The dispatcher of a mesh: it sends rounds of packets from its own memory to the
 * vector core, see Documentation/hardware/vector.rst.
 */
#ifndef SIM_DISPATCH_H
#define SIM_DISPATCH_H

#include "sim/vector/vector.h"

struct sim_mesh;

struct sim_dispatch {
	struct sim_vector *core;
	struct kohaku_flit flits[KOHAKU_FLITS_MAX];
	/* As written. */
	u64 destination, length, base;
	u32 done;			/* rounds that ended, modulo 2^32 */

	/* The round in flight, or the last one. */
	bool busy;
	bool hung;			/* busy until reset */
	u32 next, end;			/* packets in flits[] */
	struct sim_vector_result round;
	u64 beats;			/* so far, for errors on request */
};

/* -ENOMEM. */
int sim_dispatch_init(struct sim_mesh *mesh);
void sim_dispatch_destroy(struct sim_mesh *mesh);
/* Power-up; the packets stay. */
void sim_dispatch_reset(struct sim_mesh *mesh);

/* The registers, by their offsets in the control window. */
u64 sim_dispatch_read(struct sim_mesh *mesh, u32 offset);
void sim_dispatch_write(struct sim_mesh *mesh, u32 offset, u64 value);
/* A word of the packets, by its offset in the control window; NULL: none there. */
u64 *sim_dispatch_word(struct sim_mesh *mesh, u32 offset);

/*
 * Sends packets until about so many words have been moved, a packet counting as
 * one; returns those left over.
 */
u64 sim_dispatch_run(struct sim_mesh *mesh, u64 words);

#endif
