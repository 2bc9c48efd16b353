/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * GATHER: rows of words at addresses picked by an index vector.
 */
#ifndef SIM_GATHER_H
#define SIM_GATHER_H

#include "sim/walk.h"

struct sim_mesh;

struct sim_gather {
	u64 base;
	u32 pitch;		/* bytes */
	u32 row_words;		/* 1..65536 */
	u32 row, word;		/* of the current element; row modulo 2^16 */
	bool late;		/* silicon: SIM_QUIRK_GATHER */
	bool regular;		/* not late, and every word is aligned */
	/* Never reset: entries that nobody fetched keep what they held. */
	u32 indices[KOHAKU_INDEX_MAX];
};

/* Begins a gather: latches its registers and fetches the indices. */
void sim_gather_start(struct sim_mesh *mesh);
/* The source words from the current element on. */
void sim_gather_ahead(const struct sim_gather *gather, struct sim_stretch *stretch);
/* The address of a word of a row. */
static inline u64 sim_gather_addr(const struct sim_gather *gather, u32 row, u32 word)
{
	u32 offset = gather->indices[row % KOHAKU_INDEX_MAX] * gather->pitch;

	return (gather->base + offset + ((u64)word << KOHAKU_WORD_SHIFT)) & KOHAKU_ADDR_MASK;
}

/* Steps over count words, at most those of the stretch ahead. */
void sim_gather_skip(struct sim_gather *gather, u64 count);

#endif
