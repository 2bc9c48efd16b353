// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Address decode, and the host's way into memory.
 */
#include "sim/map.h"

#include "sim/mesh.h"

static enum sim_reach decode(struct sim_mesh *mesh, u64 addr, u64 dram, struct sim_place *place)
{
	if (addr & KOHAKU_ADDR_RESERVED)
		return SIM_REACH_NOWHERE;
	if (addr & KOHAKU_ADDR_ONCHIP) {
		if (KOHAKU_GET(KOHAKU_ADDR_APERTURE, addr) != KOHAKU_APERTURE_STAGING)
			return SIM_REACH_NOWHERE;
		place->memory = &mesh->staging;
		place->offset = addr & (KOHAKU_STAGING_SIZE - 1);
	} else {
		if (dram >= KOHAKU_DRAM_SIZE)
			return SIM_REACH_NOWHERE;
		place->memory = &mesh->dram;
		place->offset = dram;
	}
	return SIM_REACH_LOCAL;
}

enum sim_reach sim_map_local(struct sim_mesh *mesh, u64 addr, struct sim_place *place)
{
	if (mesh->flat) {
		*place = (struct sim_place){ mesh->flat, addr };
		return SIM_REACH_LOCAL;
	}
	if (KOHAKU_GET(KOHAKU_ADDR_MESH, addr) != mesh->id)
		return SIM_REACH_NOWHERE;
	return decode(mesh, addr, KOHAKU_GET(KOHAKU_ADDR_LOCAL, addr), place);
}

enum sim_reach sim_map_landing(struct sim_mesh *mesh, u64 addr, struct sim_place *place)
{
	return decode(mesh, addr, KOHAKU_GET(KOHAKU_ADDR_OFFSET, addr), place);
}

void sim_view_init(struct sim_view *view, const struct sim_mesh *mesh, bool write)
{
	*view = (struct sim_view){
		.tag = U64_MAX,
		.shift = mesh->flat ? mesh->flat->chunk_shift : mesh->dram.chunk_shift,
		.write = write,
	};
}

u8 *sim_view_find(struct sim_view *view, struct sim_mesh *mesh, u64 addr)
{
	struct sim_place place = { 0 };
	u8 *byte;

	view->reach = sim_map_local(mesh, addr, &place);
	if (view->write && view->reach == SIM_REACH_NOWHERE && sim_interlink_takes(mesh, addr))
		view->reach = SIM_REACH_REMOTE;
	if (view->reach != SIM_REACH_LOCAL)
		return NULL;
	byte = sim_memory_get(place.memory, place.offset);
	if (!byte) {
		view->reach = SIM_REACH_NO_MEMORY;
		return NULL;
	}
	view->tag = addr >> view->shift;
	view->base = byte - (addr & ((1ULL << view->shift) - 1));
	return byte;
}

/* The memory behind a range of host addresses, which must lie in one store. */
static struct sim_mesh *find_range(struct sim_node *node, u64 addr, u64 size,
				   struct sim_place *place)
{
	u64 id = (addr >> 40) - 1;
	u64 last = addr + size - 1;
	struct sim_mesh *mesh;
	u64 start;

	if (id >= node->config.meshes || !size || last < addr || last >> 40 != addr >> 40)
		return NULL;
	mesh = &node->meshes[id];
	if (sim_map_local(mesh, last & KOHAKU_ADDR_MASK, place) != SIM_REACH_LOCAL ||
	    sim_map_local(mesh, addr & KOHAKU_ADDR_MASK, place) != SIM_REACH_LOCAL)
		return NULL;
	start = place->offset;
	/* Staging repeats, and a range must not run through two of its copies. */
	if (addr & KOHAKU_ADDR_ONCHIP && KOHAKU_GET(KOHAKU_ADDR_OFFSET, addr) != start)
		return NULL;
	return size <= place->memory->size - start ? mesh : NULL;
}

int sim_mem_read(struct sim_node *node, u64 addr, void *bytes, size_t size)
{
	struct sim_place place;
	struct sim_mesh *mesh;

	if (!size)
		return 0;
	mesh = find_range(node, addr, size, &place);
	if (!mesh)
		return -EINVAL;
	if (mesh->knobs.gone) {
		memset(bytes, 0xFF, size);
		return 0;
	}
	if (sim_mesh_tracks(mesh) && mesh->knobs.ecc &&
	    !sim_memory_marked(place.memory, place.offset, size))
		return -EIO;
	sim_memory_read(place.memory, place.offset, bytes, size);
	return 0;
}

int sim_mem_write(struct sim_node *node, u64 addr, const void *bytes, size_t size)
{
	struct sim_place place;
	struct sim_mesh *mesh;

	if (!size)
		return 0;
	mesh = find_range(node, addr, size, &place);
	if (!mesh)
		return -EINVAL;
	if (mesh->knobs.gone)
		return 0;
	sim_mesh_tracks(mesh);
	return sim_memory_write(place.memory, place.offset, bytes, size);
}

int sim_mem_commit(struct sim_node *node, u64 addr, u64 size)
{
	struct sim_place place;
	u64 chunk, end;

	if (!size)
		return 0;
	if (!find_range(node, addr, size, &place))
		return -EINVAL;
	chunk = sim_memory_chunk_size(place.memory);
	end = place.offset + size;
	for (place.offset &= ~(chunk - 1); place.offset < end; place.offset += chunk) {
		if (!sim_memory_get(place.memory, place.offset))
			return -ENOMEM;
	}
	return 0;
}

void sim_mem_discard(struct sim_node *node, u64 addr, u64 size)
{
	struct sim_place place;

	if (find_range(node, addr, size, &place))
		sim_memory_discard(place.memory, place.offset, size);
}

void *sim_mem_chunk(struct sim_node *node, u64 addr)
{
	struct sim_place place;

	if (!find_range(node, addr, 1, &place))
		return NULL;
	return sim_memory_peek(place.memory,
			       place.offset & ~(sim_memory_chunk_size(place.memory) - 1));
}
