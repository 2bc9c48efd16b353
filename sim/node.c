// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A node: its meshes, from creation to destruction.
 */
#include "sim/node.h"

#include "sim/mesh.h"

const char *const sim_complex_names[SIM_COMPLEX_RV64 + 1] = {
	[SIM_COMPLEX_NONE] = "none",
	[SIM_COMPLEX_RV32] = "rv32",
	[SIM_COMPLEX_RV64] = "rv64",
};

const char *const sim_quirk_names[SIM_QUIRK_GATHER + 1] = {
	[0] = "none",
	[SIM_QUIRK_GATHER] = "gather",
};

void sim_config_default(struct sim_config *config)
{
	*config = (struct sim_config){
		.meshes = 1, .complex = SIM_COMPLEX_RV32, .slot_depth = 1,
	};
}

bool sim_config_valid(const struct sim_config *config)
{
	return config->meshes >= 1 && config->meshes <= KOHAKU_MESHES_MAX &&
	       !(config->quirks & ~(u32)SIM_QUIRK_GATHER) &&
	       config->complex <= SIM_COMPLEX_RV64 &&
	       config->slot_depth >= 1 && config->slot_depth <= 2;
}

static int mesh_init(struct sim_mesh *mesh, struct sim_node *node, u32 id)
{
	int err;

	mesh->node = node;
	mesh->id = id;
	err = sim_memory_init(&mesh->dram, KOHAKU_DRAM_SIZE, ENV_CHUNK_SHIFT);
	if (!err)
		err = sim_memory_init(&mesh->staging, KOHAKU_STAGING_SIZE, ENV_CHUNK_SHIFT);
	if (!err)
		err = sim_dispatch_init(mesh);
	if (!err)
		sim_mesh_reset(node, id);
	return err;
}

struct sim_node *sim_node_create(const struct sim_config *config)
{
	struct sim_node *node;
	u32 id;

	if (!sim_config_valid(config))
		return NULL;
	node = env_alloc(sizeof(*node) + config->meshes * sizeof(node->meshes[0]));
	if (!node)
		return NULL;
	node->config = *config;
	for (id = 0; id < config->meshes; id++) {
		if (mesh_init(&node->meshes[id], node, id)) {
			sim_node_destroy(node);
			return NULL;
		}
	}
	return node;
}

void sim_node_destroy(struct sim_node *node)
{
	u32 id;

	if (!node)
		return;
	for (id = 0; id < node->config.meshes; id++) {
		sim_memory_destroy(&node->meshes[id].dram);
		sim_memory_destroy(&node->meshes[id].staging);
		sim_dispatch_destroy(&node->meshes[id]);
	}
	env_free(node);
}

void sim_mesh_reset(struct sim_node *node, u32 mesh)
{
	struct sim_mesh *self = &node->meshes[mesh];

	sim_mover_reset(self);
	sim_bank_reset(&self->bank);
	sim_interlink_reset(self);
	sim_frontdoor_reset(self);
	sim_dispatch_reset(self);
	self->window = (struct sim_window){ 0 };
}

struct sim_knobs *sim_mesh_knobs(struct sim_node *node, u32 mesh)
{
	return &node->meshes[mesh].knobs;
}

const struct sim_counters *sim_mesh_counters(const struct sim_node *node, u32 mesh)
{
	return &node->meshes[mesh].counters;
}

void sim_mesh_probe(struct sim_node *node, u32 mesh, const struct sim_probe *probe)
{
	node->meshes[mesh].probe = *probe;
}

bool sim_mesh_run(struct sim_node *node, u32 mesh, u64 words)
{
	struct sim_mesh *self = &node->meshes[mesh];

	/* First what was on its way: what a call posts does not land within it. */
	sim_interlink_run(self, words);
	words = sim_frontdoor_run(self, words);
	words = sim_mover_run(self, words);
	sim_dispatch_run(self, words);
	return self->mover.busy;
}

u32 sim_bank_read(struct sim_node *node, u32 mesh, u32 id, u32 offset)
{
	return sim_bank_register(&node->meshes[mesh].bank, id, offset);
}

void sim_bank_write(struct sim_node *node, u32 mesh, u32 id, u32 offset, u32 value)
{
	sim_bank_store(&node->meshes[mesh].bank, id, offset, value);
}

void sim_mesh_read_closed(void *ctx, u64 addr, u32 beats)
{
	const struct sim_mesh *mesh = ctx;

	mesh->probe.read(mesh->probe.ctx, addr, beats, false);
}

void sim_mesh_write_closed(void *ctx, u64 addr, u32 beats)
{
	const struct sim_mesh *mesh = ctx;

	mesh->probe.write(mesh->probe.ctx, addr, beats);
}

bool sim_mesh_tracks(struct sim_mesh *mesh)
{
	if (mesh->knobs.ecc && !mesh->staging.written &&
	    (sim_memory_track(&mesh->dram) || sim_memory_track(&mesh->staging)))
		return false;
	return mesh->staging.written;
}
