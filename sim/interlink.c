// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The interlink.
 */
#include "sim/interlink.h"

#include "sim/mesh.h"

/* The meshes in the order in which they are strung together. */
static const u8 path[KOHAKU_MESHES_MAX] = { 0, 1, 3, 2 };

/* How far along the path a mesh is; those that a node lacks are left out. */
static u32 position(const struct sim_node *node, u32 mesh)
{
	u32 at = 0;
	u32 i;

	for (i = 0; path[i] != mesh; i++)
		at += path[i] < node->config.meshes;
	return at;
}

static bool is_built(const struct sim_mesh *mesh)
{
	return mesh->node->config.meshes > 1 && !mesh->flat;
}

void sim_interlink_reset(struct sim_mesh *mesh)
{
	struct sim_interlink *link = &mesh->link;

	/* What others have sent here is theirs to count. */
	link->fault = 0;
	link->links[0].count = 0;
	link->links[1].count = 0;
	memset(link->posted, 0, sizeof(link->posted));
	memset(link->landed, 0, sizeof(link->landed));
	memset(link->marker_tag, 0, sizeof(link->marker_tag));
	memset(link->markers, 0, sizeof(link->markers));
}

bool sim_interlink_takes(const struct sim_mesh *mesh, u64 addr)
{
	return is_built(mesh) && KOHAKU_GET(KOHAKU_ADDR_MESH, addr) != mesh->id;
}

static void land_word(struct sim_mesh *mesh, const struct sim_parcel *parcel)
{
	struct sim_mesh *far = &mesh->node->meshes[parcel->mesh];
	struct sim_place place;

	if (sim_map_landing(far, parcel->addr, &place) != SIM_REACH_LOCAL ||
	    sim_memory_write(place.memory, place.offset, parcel->bytes, KOHAKU_WORD)) {
		mesh->link.fault |= KOHAKU_LINK_FAULT_AXI;
		return;
	}
	mesh->link.landed[parcel->mesh]++;
	env_store(&far->link.arrived[mesh->id], far->link.arrived[mesh->id] + 1);
}

static void land(struct sim_mesh *mesh, const struct sim_parcel *parcel)
{
	struct sim_interlink *link = &mesh->link;
	struct sim_interlink *far = &mesh->node->meshes[parcel->mesh].link;

	switch (parcel->kind) {
	case SIM_PARCEL_WORD:
		land_word(mesh, parcel);
		break;
	case SIM_PARCEL_DOORBELL:
		env_store(&far->rung[mesh->id], far->rung[mesh->id] + 1);
		break;
	case SIM_PARCEL_MARKER:
		link->marker_tag[parcel->mesh] = parcel->tag;
		link->markers[parcel->mesh]++;
		break;
	}
}

static void run_link(struct sim_mesh *mesh, struct sim_link *link, u64 hops)
{
	while (link->count && hops--) {
		struct sim_parcel *parcel = &link->parcels[link->first];

		if (--parcel->hops)
			continue;
		land(mesh, parcel);
		link->first = (link->first + 1) % SIM_LINK_DEPTH;
		link->count--;
	}
}

void sim_interlink_run(struct sim_mesh *mesh, u64 hops)
{
	run_link(mesh, &mesh->link.links[0], hops);
	run_link(mesh, &mesh->link.links[1], hops);
}

/* Queues a parcel; its way is found here. */
static void send(struct sim_mesh *mesh, struct sim_parcel parcel)
{
	u32 from = position(mesh->node, mesh->id);
	u32 to = position(mesh->node, parcel.mesh);
	struct sim_link *link = &mesh->link.links[to > from];

	parcel.hops = to > from ? to - from : from - to;
	/* A marker comes all the way back. */
	if (parcel.kind == SIM_PARCEL_MARKER)
		parcel.hops *= 2;
	while (link->count == SIM_LINK_DEPTH)
		run_link(mesh, link, 1);
	link->parcels[(link->first + link->count) % SIM_LINK_DEPTH] = parcel;
	link->count++;
}

void sim_interlink_post(struct sim_mesh *mesh, u64 addr, const u8 bytes[KOHAKU_WORD])
{
	struct sim_parcel parcel = {
		.kind = SIM_PARCEL_WORD,
		.addr = addr,
		.mesh = KOHAKU_GET(KOHAKU_ADDR_MESH, addr),
	};

	if (parcel.mesh >= mesh->node->config.meshes) {
		mesh->link.fault |= KOHAKU_LINK_FAULT_AXI;
		return;
	}
	memcpy(parcel.bytes, bytes, KOHAKU_WORD);
	mesh->link.posted[parcel.mesh]++;
	send(mesh, parcel);
}

/* Doorbells and markers travel behind the words that were posted before. */
static void send_signal(struct sim_mesh *mesh, enum sim_parcel_kind kind, u32 to, u32 tag)
{
	if (to == mesh->id || to >= mesh->node->config.meshes)
		mesh->link.fault |= KOHAKU_LINK_FAULT_MESH;
	else
		send(mesh, (struct sim_parcel){ .kind = kind, .mesh = to, .tag = tag });
}

void sim_interlink_write(struct sim_mesh *mesh, u32 offset, u64 value)
{
	struct sim_interlink *link = &mesh->link;

	if (!is_built(mesh))
		return;
	switch (offset) {
	case KOHAKU_LINK_CONTROL:
		if (value & KOHAKU_LINK_CLEAR)
			link->fault = 0;
		if (value & KOHAKU_LINK_MARK)
			send_signal(mesh, SIM_PARCEL_MARKER,
				    KOHAKU_GET(KOHAKU_LINK_MARK_MESH, value),
				    KOHAKU_GET(KOHAKU_LINK_MARK_TAG, value));
		break;
	case KOHAKU_LINK_MESH_ID:
		if (KOHAKU_GET(KOHAKU_LINK_MESH, value) != mesh->id)
			link->fault |= KOHAKU_LINK_FAULT_ID;
		break;
	case KOHAKU_LINK_DOORBELL:
		send_signal(mesh, SIM_PARCEL_DOORBELL, KOHAKU_GET(KOHAKU_LINK_MESH, value), 0);
		break;
	}
}

static u64 first_status(const struct sim_mesh *mesh)
{
	const struct sim_interlink *link = &mesh->link;

	return KOHAKU_LINK_PRESENT | KOHAKU_PUT(KOHAKU_LINK_OWN, mesh->id) |
	       KOHAKU_PUT(KOHAKU_LINK_FAULT, link->fault) |
	       KOHAKU_PUT(KOHAKU_LINK_MESHES, mesh->node->config.meshes) |
	       KOHAKU_PUT(KOHAKU_LINK_IN_FLIGHT, link->links[0].count + link->links[1].count);
}

u64 sim_interlink_status(const struct sim_mesh *mesh, u32 word)
{
	const struct sim_interlink *link = &mesh->link;
	u32 other = word % KOHAKU_MESHES_MAX;

	if (!is_built(mesh))
		return 0;
	switch (word - other) {
	case KOHAKU_LINK_STATUS:
		return other ? 0 : first_status(mesh);
	case KOHAKU_LINK_SENT:
		return KOHAKU_PUT(KOHAKU_LINK_POSTED, link->posted[other]) |
		       KOHAKU_PUT(KOHAKU_LINK_LANDED, link->landed[other]);
	case KOHAKU_LINK_RECEIVED:
		return KOHAKU_PUT(KOHAKU_LINK_ARRIVED, env_load(&link->arrived[other])) |
		       KOHAKU_PUT(KOHAKU_LINK_RUNG, env_load(&link->rung[other]));
	case KOHAKU_LINK_MARKED:
		return KOHAKU_PUT(KOHAKU_LINK_TAG, link->marker_tag[other]) |
		       KOHAKU_PUT(KOHAKU_LINK_COUNT, link->markers[other]);
	}
	return 0;
}
