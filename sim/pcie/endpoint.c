// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The card as a PCIe endpoint: who answers an access, and what goes on meanwhile.
 */
#include "sim/pcie/endpoint.h"

#include <unistd.h>

#include "sim/env.h"

#define RUN_WORDS 4096	/* that a mover moves at most between two messages */

static void apply_ecc(struct pcie_endpoint *endpoint)
{
	u32 mesh;

	for (mesh = 0; mesh < endpoint->meshes; mesh++)
		sim_mesh_knobs(endpoint->node, mesh)->ecc = endpoint->inject.ecc;
}

struct pcie_endpoint *pcie_endpoint_create(u32 meshes, const struct pcie_inject *inject)
{
	struct sim_config config = {
		.meshes = meshes, .complex = SIM_COMPLEX_RV32, .slot_depth = 1,
	};
	struct pcie_endpoint *endpoint = env_alloc(sizeof(*endpoint));

	if (!endpoint)
		return NULL;
	endpoint->node = sim_node_create(&config);
	if (!endpoint->node) {
		env_free(endpoint);
		return NULL;
	}
	endpoint->meshes = meshes;
	endpoint->inject = *inject;
	apply_ecc(endpoint);
	pcie_endpoint_reset(endpoint);
	return endpoint;
}

void pcie_endpoint_destroy(struct pcie_endpoint *endpoint)
{
	if (!endpoint)
		return;
	pcie_guest_clear(&endpoint->guest);
	sim_node_destroy(endpoint->node);
	env_free(endpoint);
}

void pcie_endpoint_reset(struct pcie_endpoint *endpoint)
{
	u32 i;

	pcie_config_init(endpoint);
	for (i = 0; i < PCIE_ENGINES; i++)
		endpoint->engines[i] = (struct pcie_engine){ .direction = i };
	endpoint->irq_enabled = 0;
	endpoint->irq_pending = 0;
	endpoint->irq_vectors = 0;
	memset(endpoint->msix, 0, sizeof(endpoint->msix));
	for (i = 0; i < endpoint->meshes; i++) {
		sim_mesh_reset(endpoint->node, i);
		sim_mesh_knobs(endpoint->node, i)->hang = false;
	}
}

u64 pcie_space_size(u32 space)
{
	switch (space) {
	case PCIE_USER_BAR:
		return XDMA_USER_SIZE;
	case PCIE_CONFIG_BAR:
		return XDMA_CONFIG_SIZE;
	case PCIE_SPACE_CONFIG:
		return PCIE_CONFIG_SIZE;
	}
	return 0;
}

static bool inside(u32 space, u64 offset, u32 count)
{
	u64 size = pcie_space_size(space);

	return offset <= size && count <= size - offset;
}

static bool gone(const struct pcie_endpoint *endpoint)
{
	return endpoint->inject.gone && endpoint->accesses >= endpoint->inject.gone;
}

/* Counts an access to a register; false: there is no card any more. */
static bool answers(struct pcie_endpoint *endpoint, u32 space)
{
	if (space != PCIE_SPACE_CONFIG)
		endpoint->accesses++;
	return !gone(endpoint);
}

/* The mesh whose control window holds an offset of the user BAR, and where in it. */
static bool find_window(const struct pcie_endpoint *endpoint, u64 offset, u32 *mesh, u32 *at)
{
	if (offset < XDMA_USER_MESH(0) || offset >= XDMA_USER_MESH(endpoint->meshes))
		return false;
	*mesh = (offset - XDMA_USER_MESH(0)) / KOHAKU_CTL_SIZE;
	*at = offset % KOHAKU_CTL_SIZE;
	return true;
}

static void hang_mover(struct pcie_endpoint *endpoint, u32 mesh, u32 at, u64 value)
{
	if (at != KOHAKU_CTL_AUX_CFG + KOHAKU_REG_CTRL || !(value & KOHAKU_CTRL_GO))
		return;
	if (++endpoint->moves == endpoint->inject.mover_hang)
		sim_mesh_knobs(endpoint->node, mesh)->hang = true;
}

/*
 * A control port that ignores strobes: the write comes as four of 64 bits, those
 * of the aligned 32 bytes around it, and the bytes that nobody wrote are 0.
 */
static void write_unstrobed(struct pcie_endpoint *endpoint, u32 mesh, u32 at, u64 value)
{
	u32 beat;

	for (beat = at & ~(KOHAKU_WORD - 1); beat < (at | (KOHAKU_WORD - 1)); beat += 8)
		sim_window_write(endpoint->node, mesh, beat, beat == at ? value : 0, 0xFF);
}

/* Up to eight bytes that lie in one register; strobes says which. */
static void write_user(struct pcie_endpoint *endpoint, u64 offset, u64 value, u8 strobes)
{
	u32 mesh, at;

	if (!find_window(endpoint, offset, &mesh, &at))
		return;
	hang_mover(endpoint, mesh, at, value);
	if (endpoint->inject.pre_strobe)
		write_unstrobed(endpoint, mesh, at, value);
	else
		sim_window_write(endpoint->node, mesh, at, value, strobes);
}

static u64 read_user(struct pcie_endpoint *endpoint, u64 offset)
{
	u32 mesh, at;

	if (endpoint->inject.slow)
		usleep(endpoint->inject.slow);
	return find_window(endpoint, offset, &mesh, &at) ?
	       sim_window_read(endpoint->node, mesh, at) : 0;
}

/* The bytes of [offset, offset + count) that lie in the unit at its beginning. */
static u32 unit_part(u64 offset, u32 count, u32 unit)
{
	return min(count, unit - (u32)(offset % unit));
}

int pcie_space_read(struct pcie_endpoint *endpoint, u32 space, u64 offset, void *bytes,
		    u32 count)
{
	u8 *to = bytes;

	if (!inside(space, offset, count))
		return -EINVAL;
	if (!answers(endpoint, space)) {
		memset(bytes, 0xFF, count);
		return 0;
	}
	if (space == PCIE_SPACE_CONFIG) {
		memcpy(bytes, &endpoint->config[offset], count);
		return 0;
	}
	while (count) {
		u32 unit = space == PCIE_USER_BAR ? 8 : 4;
		u32 part = unit_part(offset, count, unit), skip = offset % unit;
		u64 value = space == PCIE_USER_BAR ? read_user(endpoint, offset - skip) :
			    pcie_xdma_read(endpoint, offset - skip);

		memcpy(to, (u8 *)&value + skip, part);
		to += part;
		offset += part;
		count -= part;
	}
	return 0;
}

int pcie_space_write(struct pcie_endpoint *endpoint, u32 space, u64 offset, const void *bytes,
		     u32 count)
{
	const u8 *from = bytes;

	if (!inside(space, offset, count))
		return -EINVAL;
	if (!answers(endpoint, space))
		return 0;
	while (count) {
		u32 unit = space == PCIE_SPACE_CONFIG ? 1 : space == PCIE_USER_BAR ? 8 : 4;
		u32 part = unit_part(offset, count, unit), skip = offset % unit;
		u64 value = 0;

		memcpy((u8 *)&value + skip, from, part);
		if (space == PCIE_SPACE_CONFIG)
			pcie_config_write(endpoint, offset, value);
		else if (space == PCIE_USER_BAR)
			write_user(endpoint, offset - skip, value,
				   (u8)(((1U << part) - 1) << skip));
		else if (part == unit)
			pcie_xdma_write(endpoint, offset, value);
		from += part;
		offset += part;
		count -= part;
	}
	return 0;
}

bool pcie_endpoint_run(struct pcie_endpoint *endpoint)
{
	bool more = false;
	u32 i;

	if (gone(endpoint))
		return false;
	for (i = 0; i < PCIE_ENGINES; i++)
		more |= pcie_engine_run(endpoint, &endpoint->engines[i]);
	for (i = 0; i < endpoint->meshes; i++) {
		if (!sim_mesh_knobs(endpoint->node, i)->hang)
			more |= sim_mesh_run(endpoint->node, i, RUN_WORDS);
	}
	return more;
}
