// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffers of the embedded node.
 *
 * Memory that is not in a buffer is zero: what a buffer leaves behind is wiped
 * when it is freed.
 */
#include <errno.h>
#include <stdlib.h>

#include "embedded.h"
#include "hw/argument.h"
#include "sim/env.h"

#define ZERO_PIECE 65536

static u64 base_address(u32 mesh, u32 tier)
{
	return KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) |
	       (tier == KOHAKU_TIER_STAGING ? KOHAKU_ADDR_ONCHIP : 0);
}

u64 embedded_host_address(u64 addr)
{
	return KOHAKU_HOST_WINDOW(KOHAKU_GET(KOHAKU_ADDR_MESH, addr)) + addr;
}

void embedded_memory_init(struct embedded *node)
{
	u32 mesh;

	for (mesh = 0; mesh < node->config.meshes; mesh++) {
		struct embedded_mesh *m = &node->mesh[mesh];

		kohaku_arena_init(&m->memory[0], KOHAKU_DRAM_SIZE, EMBEDDED_DRAM_GRANULE);
		kohaku_arena_init(&m->memory[1], KOHAKU_STAGING_SIZE, KOHAKU_STAGING_GRANULE);
		/* The first block of an empty memory always fits. */
		kohaku_arena_alloc(&m->memory[0], &m->indices, KOHAKU_INDEX_MAX * sizeof(u32));
	}
}

void embedded_memory_exit(struct embedded *node)
{
	u32 i;

	for (i = 0; i < KOHAKU_MAX_BUFFERS; i++)
		free(node->buffers[i]);
}

static struct embedded_buffer *find(const struct embedded *node, u32 id)
{
	return id && id <= KOHAKU_MAX_BUFFERS ? node->buffers[id - 1] : NULL;
}

static u64 address_of(const struct embedded_buffer *buffer)
{
	return base_address(buffer->mesh, buffer->tier) + buffer->block.start;
}

bool embedded_region(const struct embedded *node, u32 id, struct kohaku_region *region)
{
	const struct embedded_buffer *buffer = find(node, id);

	if (buffer)
		*region = (struct kohaku_region){ address_of(buffer), buffer->block.size };
	return buffer;
}

static int place(struct embedded *node, struct embedded_buffer *buffer, u64 length)
{
	return kohaku_arena_alloc(&node->mesh[buffer->mesh].memory[buffer->tier - 1],
				  &buffer->block, length);
}

static u32 free_slot(const struct embedded *node)
{
	u32 i;

	for (i = 0; i < KOHAKU_MAX_BUFFERS; i++) {
		if (!node->buffers[i])
			break;
	}
	return i;
}

/* Memory with error correction answers an error until it was written once. */
static int write_zeros(struct embedded *node, const struct embedded_buffer *buffer)
{
	static const u8 zeros[ZERO_PIECE];
	u64 addr = embedded_host_address(address_of(buffer)), left = buffer->block.size;
	int err = 0;

	while (left && !err) {
		u64 piece = min_t(u64, left, ZERO_PIECE);

		err = sim_mem_write(node->node, addr, zeros, piece);
		addr += piece;
		left -= piece;
	}
	return err;
}

/* Back to zero; whole chunks are given back instead. */
static void wipe(struct embedded *node, const struct embedded_buffer *buffer)
{
	u64 addr = embedded_host_address(address_of(buffer));
	u64 end = addr + buffer->block.size;

	sim_mem_discard(node->node, addr, buffer->block.size);
	while (addr < end) {
		u64 within = addr & (ENV_CHUNK_SIZE - 1);
		u64 piece = min_t(u64, end - addr, ENV_CHUNK_SIZE - within);
		u8 *chunk = sim_mem_chunk(node->node, addr);

		if (chunk)
			memset(chunk + within, 0, piece);
		addr += piece;
	}
}

/* Its memory is there before anybody moves something into it, as in the kernel. */
static int ready(struct embedded *node, struct embedded_buffer *buffer)
{
	int err = sim_mem_commit(node->node, embedded_host_address(address_of(buffer)),
				 buffer->block.size);

	return err || !node->ecc ? err : write_zeros(node, buffer);
}

static void forget(struct embedded *node, struct embedded_buffer *buffer)
{
	struct kohaku_arena *arena = &node->mesh[buffer->mesh].memory[buffer->tier - 1];

	wipe(node, buffer);
	kohaku_arena_free(arena, &buffer->block);
	kohaku_arena_trim(arena);
	free(buffer);
}

static int build(struct embedded *node, const struct kohaku_buf_alloc *alloc,
		 struct embedded_buffer *buffer)
{
	int err;

	buffer->mesh = alloc->mesh;
	buffer->tier = alloc->tier;
	err = place(node, buffer, alloc->length);
	if (err == -ENOSPC && alloc->tier == KOHAKU_TIER_STAGING &&
	    alloc->flags & KOHAKU_BUF_FALLBACK) {
		buffer->tier = KOHAKU_TIER_DRAM;
		err = place(node, buffer, alloc->length);
	}
	return err;
}

int embedded_buf_alloc(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_buf_alloc *alloc = &arg->buf_alloc;
	struct embedded_buffer *buffer;
	u32 slot = free_slot(node);
	int err;

	err = kohaku_buf_alloc_check(alloc, node->config.meshes);
	if (err)
		return err;
	if (slot == KOHAKU_MAX_BUFFERS)
		return -ENOSPC;
	buffer = calloc(1, sizeof(*buffer));
	if (!buffer)
		return -ENOMEM;
	err = build(node, alloc, buffer);
	if (err) {
		free(buffer);
		return err;
	}
	err = ready(node, buffer);
	if (err) {
		forget(node, buffer);
		return err;
	}
	buffer->id = slot + 1;
	node->buffers[slot] = buffer;
	alloc->out_length = buffer->block.size;
	alloc->out_map_offset = 0;
	alloc->out_buffer = buffer->id;
	alloc->out_tier = buffer->tier;
	return 0;
}

int embedded_buf_free(struct embedded *node, union kohaku_command_arg *arg)
{
	struct embedded_buffer *buffer = find(node, arg->buf_free.buffer);

	if (!buffer)
		return -ENOENT;
	node->buffers[buffer->id - 1] = NULL;
	forget(node, buffer);
	return 0;
}

/* The host address of the bytes that a command names. */
static int locate(struct embedded *node, const struct kohaku_buf_io *io, u64 *addr)
{
	struct kohaku_region region;
	int err;

	if (!embedded_region(node, io->buffer, &region))
		return -ENOENT;
	err = kohaku_buf_io_check(io, region.size);
	if (err)
		return err;
	*addr = embedded_host_address(region.addr + io->offset);
	return io->length && !io->data ? -EFAULT : 0;
}

int embedded_buf_read(struct embedded *node, union kohaku_command_arg *arg)
{
	void *data = (void *)(uintptr_t)arg->buf_io.data;
	u64 addr;
	int err = locate(node, &arg->buf_io, &addr);

	if (err || !arg->buf_io.length)
		return err;
	return sim_mem_read(node->node, addr, data, arg->buf_io.length);
}

int embedded_buf_write(struct embedded *node, union kohaku_command_arg *arg)
{
	const void *data = (const void *)(uintptr_t)arg->buf_io.data;
	u64 addr;
	int err = locate(node, &arg->buf_io, &addr);

	if (err || !arg->buf_io.length)
		return err;
	return sim_mem_write(node->node, addr, data, arg->buf_io.length);
}
