/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What lies behind a 40-bit address of a mesh.
 */
#ifndef SIM_MAP_H
#define SIM_MAP_H

#include "sim/memory.h"

struct sim_mesh;

enum sim_reach {
	SIM_REACH_LOCAL,	/* memory of this mesh */
	SIM_REACH_REMOTE,	/* memory of another one, over the interlink */
	SIM_REACH_NOWHERE,	/* nobody answers: the access hangs */
	SIM_REACH_NO_MEMORY,	/* the host has none left */
};

struct sim_place {
	struct sim_memory *memory;
	u64 offset;		/* bytes */
};

/**
 * sim_map_local - decode an address of a mesh's own
 * @mesh: the mesh
 * @addr: 40-bit byte address
 * @place: where it lies
 *
 * Return: SIM_REACH_LOCAL or SIM_REACH_NOWHERE.
 */
enum sim_reach sim_map_local(struct sim_mesh *mesh, u64 addr, struct sim_place *place);
/* The place of a remote write where it lands: DRAM by its low 32 bits. */
enum sim_reach sim_map_landing(struct sim_mesh *mesh, u64 addr, struct sim_place *place);

/* The chunk looked at last, so that neighbours are found without a look-up. */
struct sim_view {
	u64 tag;		/* addr >> shift of what base shows */
	u32 shift;
	bool write;
	u8 *base;
	enum sim_reach reach;	/* why the last look-up failed */
};

void sim_view_init(struct sim_view *view, const struct sim_mesh *mesh, bool write);
u8 *sim_view_find(struct sim_view *view, struct sim_mesh *mesh, u64 addr);

/* The byte at addr, valid to the end of its chunk, or NULL and view->reach. */
static inline u8 *sim_view_at(struct sim_view *view, struct sim_mesh *mesh, u64 addr)
{
	if (addr >> view->shift == view->tag)
		return view->base + (addr & ((1ULL << view->shift) - 1));
	return sim_view_find(view, mesh, addr);
}

/* Elements at addr, addr + stride, .. that lie in the chunk of the first. */
static inline u64 sim_view_count(const struct sim_view *view, u64 addr, s64 stride, u64 count)
{
	u64 size = 1ULL << view->shift;
	u64 at = addr & (size - 1);

	if ((addr + stride * (s64)(count - 1)) >> view->shift == addr >> view->shift)
		return count;
	if (stride >= (s64)size || stride <= -(s64)size)
		return 1;
	return stride > 0 ? (size - 1 - at) / stride + 1 : at / -stride + 1;
}

#endif
