// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Sparse memory: a two-level table of chunks.  Tables and chunks are published
 * atomically and never move, so meshes may touch one memory side by side.
 */
#include "sim/memory.h"

#include "hw/regs.h"

/* A byte of the record of written words stands for eight words. */
#define RECORD_SHIFT (KOHAKU_WORD_SHIFT + 3)
/* The record of a chunk lies in one chunk of the record. */
#define RECORD_CHUNK_SHIFT 13

static u32 root_entries(const struct sim_memory *memory)
{
	u64 chunks = memory->size >> memory->chunk_shift;

	return (chunks + (1ULL << memory->leaf_bits) - 1) >> memory->leaf_bits;
}

int sim_memory_init(struct sim_memory *memory, u64 size, u32 chunk_shift)
{
	u32 bits = 0;

	while (size >> chunk_shift >> bits > 1)
		bits++;
	*memory = (struct sim_memory){
		.size = size,
		.chunk_shift = chunk_shift,
		.leaf_bits = (bits + 1) / 2,
	};
	memory->root = env_alloc(root_entries(memory) * sizeof(*memory->root));
	return memory->root ? 0 : -ENOMEM;
}

static void chunk_free(const struct sim_memory *memory, void *chunk)
{
	if (memory->chunk_shift == ENV_CHUNK_SHIFT)
		env_chunk_free(chunk);
	else
		env_free(chunk);
}

static void *chunk_alloc(const struct sim_memory *memory, u64 offset)
{
	size_t size = sim_memory_chunk_size(memory);
	void *chunk;

	chunk = memory->chunk_shift == ENV_CHUNK_SHIFT ? env_chunk_alloc() : env_alloc(size);
	if (chunk && memory->fill)
		memory->fill(memory->fill_ctx, offset & ~(u64)(size - 1), chunk, size);
	return chunk;
}

void sim_memory_destroy(struct sim_memory *memory)
{
	u32 i, k;

	for (i = 0; memory->root && i < root_entries(memory); i++) {
		void **leaf = memory->root[i];

		for (k = 0; leaf && k < 1U << memory->leaf_bits; k++) {
			if (leaf[k])
				chunk_free(memory, leaf[k]);
		}
		env_free(leaf);
	}
	env_free(memory->root);
	if (memory->written) {
		sim_memory_destroy(memory->written);
		env_free(memory->written);
	}
	memory->root = NULL;
	memory->written = NULL;
}

/* The place that holds the pointer to a chunk; NULL when there is no leaf table. */
static void **find_slot(const struct sim_memory *memory, u64 offset)
{
	u64 number = offset >> memory->chunk_shift;
	void **leaf = env_load(&memory->root[number >> memory->leaf_bits]);

	return leaf ? &leaf[number & ((1U << memory->leaf_bits) - 1)] : NULL;
}

static void **make_slot(struct sim_memory *memory, u64 offset)
{
	void ***root = &memory->root[offset >> memory->chunk_shift >> memory->leaf_bits];
	void **leaf;

	if (!env_load(root)) {
		leaf = env_alloc(sizeof(*leaf) << memory->leaf_bits);
		if (!leaf)
			return NULL;
		if (env_publish(root, leaf))
			env_free(leaf);
	}
	return find_slot(memory, offset);
}

static void *in_chunk(const struct sim_memory *memory, void *chunk, u64 offset)
{
	return (u8 *)chunk + (offset & (sim_memory_chunk_size(memory) - 1));
}

void *sim_memory_peek(const struct sim_memory *memory, u64 offset)
{
	void **slot = find_slot(memory, offset);
	void *chunk = slot ? env_load(slot) : NULL;

	return chunk ? in_chunk(memory, chunk, offset) : NULL;
}

void *sim_memory_get(struct sim_memory *memory, u64 offset)
{
	void **slot = make_slot(memory, offset);
	void *chunk, *other;

	if (!slot)
		return NULL;
	chunk = env_load(slot);
	if (!chunk) {
		/* The record first: what is written can then be recorded. */
		if (memory->written && !sim_memory_get(memory->written, offset >> RECORD_SHIFT))
			return NULL;
		chunk = chunk_alloc(memory, offset);
		if (!chunk)
			return NULL;
		other = env_publish(slot, chunk);
		if (other) {
			chunk_free(memory, chunk);
			chunk = other;
		}
	}
	return in_chunk(memory, chunk, offset);
}

/* Sets or clears the record of a range of words. */
static void record(struct sim_memory *memory, u64 offset, u64 size, bool written)
{
	u64 word = offset >> KOHAKU_WORD_SHIFT;
	u64 last = (offset + size - 1) >> KOHAKU_WORD_SHIFT;

	while (word <= last) {
		u8 *byte = written ? sim_memory_get(memory->written, word >> 3) :
				     sim_memory_peek(memory->written, word >> 3);
		u64 stop = min_t(u64, last, word | 7);
		u8 mask = (0xFF << (word & 7)) & (0xFF >> (7 - (stop & 7)));

		if (byte)
			*byte = written ? *byte | mask : *byte & ~mask;
		word = stop + 1;
	}
}

/* Bytes of a range that lie in its first chunk. */
static u64 first_part(const struct sim_memory *memory, u64 offset, u64 size)
{
	u64 chunk_size = sim_memory_chunk_size(memory);

	return min(size, chunk_size - (offset & (chunk_size - 1)));
}

void sim_memory_read(const struct sim_memory *memory, u64 offset, void *bytes, u64 size)
{
	while (size) {
		u64 part = first_part(memory, offset, size);
		const void *from = sim_memory_peek(memory, offset);

		if (from)
			memcpy(bytes, from, part);
		else
			memset(bytes, 0, part);
		bytes = (u8 *)bytes + part;
		offset += part;
		size -= part;
	}
}

int sim_memory_write(struct sim_memory *memory, u64 offset, const void *bytes, u64 size)
{
	while (size) {
		u64 part = first_part(memory, offset, size);
		void *to = sim_memory_get(memory, offset);

		if (!to)
			return -ENOMEM;
		memcpy(to, bytes, part);
		sim_memory_mark(memory, offset, part);
		bytes = (const u8 *)bytes + part;
		offset += part;
		size -= part;
	}
	return 0;
}

void sim_memory_discard(struct sim_memory *memory, u64 offset, u64 size)
{
	u64 chunk_size = sim_memory_chunk_size(memory);
	u64 end = offset + size;

	for (offset = (offset + chunk_size - 1) & ~(chunk_size - 1);
	     offset + chunk_size <= end; offset += chunk_size) {
		void **slot = find_slot(memory, offset);
		void *chunk = slot ? env_load(slot) : NULL;

		if (!chunk)
			continue;
		env_store(slot, NULL);
		chunk_free(memory, chunk);
		if (memory->written)
			record(memory, offset, chunk_size, false);
	}
}

/* Makes the records of all chunks that are present; false: no memory for them. */
static bool record_chunks(const struct sim_memory *memory, struct sim_memory *written)
{
	u64 bytes = sim_memory_chunk_size(memory) >> RECORD_SHIFT, offset;
	void *part;

	for (offset = 0; offset < memory->size; offset += sim_memory_chunk_size(memory)) {
		if (!sim_memory_peek(memory, offset))
			continue;
		part = sim_memory_get(written, offset >> RECORD_SHIFT);
		if (!part)
			return false;
		memset(part, 0xFF, bytes);
	}
	return true;
}

int sim_memory_track(struct sim_memory *memory)
{
	struct sim_memory *written;

	if (memory->written)
		return 0;
	written = env_alloc(sizeof(*written));
	if (!written)
		return -ENOMEM;
	if (sim_memory_init(written, memory->size >> RECORD_SHIFT, RECORD_CHUNK_SHIFT) ||
	    !record_chunks(memory, written)) {
		sim_memory_destroy(written);
		env_free(written);
		return -ENOMEM;
	}
	memory->written = written;
	return 0;
}

void sim_memory_mark(struct sim_memory *memory, u64 offset, u64 size)
{
	if (memory->written && size)
		record(memory, offset, size, true);
}

bool sim_memory_marked(const struct sim_memory *memory, u64 offset, u64 size)
{
	u64 word = offset >> KOHAKU_WORD_SHIFT;
	u64 end = (offset + size + KOHAKU_WORD - 1) >> KOHAKU_WORD_SHIFT;

	if (!memory->written)
		return true;
	for (; word < end; word++) {
		const u8 *byte = sim_memory_peek(memory->written, word >> 3);

		if (!byte || !(*byte >> (word & 7) & 1))
			return false;
	}
	return true;
}
