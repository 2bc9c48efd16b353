/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A mesh of the model from the inside.
 */
#ifndef SIM_MESH_H
#define SIM_MESH_H

#include "sim/dispatch.h"
#include "sim/frontdoor.h"
#include "sim/interlink.h"
#include "sim/memory.h"
#include "sim/mover.h"
#include "sim/node.h"
#include "sim/slot.h"
#include "sim/window.h"

struct sim_mesh {
	struct sim_node *node;
	u32 id;
	struct sim_memory dram;
	struct sim_memory staging;
	/* Stands in for the whole 40-bit map: the bed of the recordings. */
	struct sim_memory *flat;
	struct sim_mover mover;
	struct sim_bank bank;
	struct sim_interlink link;
	struct sim_frontdoor door;
	struct sim_dispatch dispatch;
	struct sim_window window;
	struct sim_knobs knobs;
	struct sim_counters counters;
	struct sim_probe probe;
};

/* For a channel's closed(): pass the burst on to the probe of mesh ctx. */
void sim_mesh_read_closed(void *ctx, u64 addr, u32 beats);
void sim_mesh_write_closed(void *ctx, u64 addr, u32 beats);
/* Is it recorded which words were written?  From when knobs.ecc was first seen on. */
bool sim_mesh_tracks(struct sim_mesh *mesh);

struct sim_node {
	struct sim_config config;
	struct sim_mesh meshes[];
};

#endif
