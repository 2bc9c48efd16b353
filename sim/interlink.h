/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The interlink: posted writes of a mover to the memory of other meshes.
 *
 * Every mesh keeps what it has posted until it lands, and moves it along itself;
 * so a mesh touches nothing of another one but its memory and the counters that
 * are its own there.
 */
#ifndef SIM_INTERLINK_H
#define SIM_INTERLINK_H

#include "hw/regs.h"

struct sim_mesh;

enum sim_parcel_kind { SIM_PARCEL_WORD, SIM_PARCEL_DOORBELL, SIM_PARCEL_MARKER };

/* One thing on its way. */
struct sim_parcel {
	u64 addr;		/* WORD: as the mover wrote it */
	u32 tag;		/* MARKER */
	u8 kind;
	u8 mesh;		/* where it goes */
	u8 hops;		/* still to go */
	u8 bytes[KOHAKU_WORD];
};

#define SIM_LINK_DEPTH 64

/* What goes one way along the path, in order. */
struct sim_link {
	struct sim_parcel parcels[SIM_LINK_DEPTH];
	u32 first, count;
};

struct sim_interlink {
	u32 fault;
	struct sim_link links[2];	/* down and up the path */
	/* By destination. */
	u32 posted[KOHAKU_MESHES_MAX], landed[KOHAKU_MESHES_MAX];
	u32 marker_tag[KOHAKU_MESHES_MAX], markers[KOHAKU_MESHES_MAX];
	/* By source, and written by it alone, atomically. */
	u32 arrived[KOHAKU_MESHES_MAX], rung[KOHAKU_MESHES_MAX];
};

void sim_interlink_reset(struct sim_mesh *mesh);
/* Does the interlink carry a write to this address? */
bool sim_interlink_takes(const struct sim_mesh *mesh, u64 addr);
/* Posts a word; when the link is full, its oldest parcel lands first. */
void sim_interlink_post(struct sim_mesh *mesh, u64 addr, const u8 bytes[KOHAKU_WORD]);
/* Moves what is on its way along, by up to hops in each direction. */
void sim_interlink_run(struct sim_mesh *mesh, u64 hops);

void sim_interlink_write(struct sim_mesh *mesh, u32 offset, u64 value);
/* Status word i of KOHAKU_LINK_WORDS. */
u64 sim_interlink_status(const struct sim_mesh *mesh, u32 word);

#endif
