/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Sparse memory: a range of bytes backed by chunks when they are first touched.
 */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "sim/env.h"

/* Gives a fresh chunk other contents than zeros. */
typedef void (*sim_memory_fill)(void *ctx, u64 offset, void *chunk, size_t size);

struct sim_memory {
	u64 size;		/* bytes */
	u32 chunk_shift;
	u32 leaf_bits;		/* chunks of one leaf table, log2 */
	void ***root;		/* leaf tables, themselves made on first touch */
	sim_memory_fill fill;
	void *fill_ctx;
	/* One bit a word that was ever written; NULL while nobody wants to know. */
	struct sim_memory *written;
};

/**
 * sim_memory_init - make an empty memory
 * @memory: to be initialised
 * @size: bytes, a multiple of the chunk
 * @chunk_shift: log2 of the bytes of a chunk
 *
 * Return: 0 or -ENOMEM.
 */
int sim_memory_init(struct sim_memory *memory, u64 size, u32 chunk_shift);
void sim_memory_destroy(struct sim_memory *memory);

/* The byte at offset, valid up to the end of its chunk; NULL when absent. */
void *sim_memory_peek(const struct sim_memory *memory, u64 offset);
/* The same, made when absent; NULL when the host has no memory. */
void *sim_memory_get(struct sim_memory *memory, u64 offset);
/* Absent chunks read as zeros. */
void sim_memory_read(const struct sim_memory *memory, u64 offset, void *bytes, u64 size);
/* Return: 0 or -ENOMEM, after having written what came before. */
int sim_memory_write(struct sim_memory *memory, u64 offset, const void *bytes, u64 size);
/* Frees the chunks that lie whole within a range. */
void sim_memory_discard(struct sim_memory *memory, u64 offset, u64 size);

/*
 * Starts to record which words are written; those in chunks that are present
 * count as written.  Return: 0 or -ENOMEM.
 */
int sim_memory_track(struct sim_memory *memory);
/* Records that the words of a range were written, when tracking. */
void sim_memory_mark(struct sim_memory *memory, u64 offset, u64 size);
/* Were all words of a range written?  Always true without tracking. */
bool sim_memory_marked(const struct sim_memory *memory, u64 offset, u64 size);

static inline u64 sim_memory_chunk_size(const struct sim_memory *memory)
{
	return 1ULL << memory->chunk_shift;
}

#endif
