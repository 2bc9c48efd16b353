/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Allocator of one memory of the node: best fit over freed spans, else a bump.
 *
 * It allocates nothing itself.  A block is embedded in what it belongs to, and
 * the blocks in use, linked by address, are all the state there is: the gaps
 * between them are the freed spans, merged by construction.
 */
#ifndef KOHAKU_HW_ARENA_H
#define KOHAKU_HW_ARENA_H

#include "types.h"

/* One span in use; zero before kohaku_arena_alloc() and after _free(). */
struct kohaku_block {
	struct kohaku_block *prev, *next;
	u64 start;		/* bytes from the arena's base */
	u64 size;		/* bytes, a multiple of the granule */
};

struct kohaku_arena {
	struct kohaku_block *first;
	u64 size;		/* bytes */
	u64 granule;		/* power of two; sizes are rounded up to it */
	u64 top;		/* nothing above was ever handed out since the last trim */
	u64 used;		/* bytes in blocks */
};

void kohaku_arena_init(struct kohaku_arena *arena, u64 size, u64 granule);
/* Places size bytes (at least 1). -ENOSPC; -EINVAL for size 0. */
int kohaku_arena_alloc(struct kohaku_arena *arena, struct kohaku_block *block, u64 size);
void kohaku_arena_free(struct kohaku_arena *arena, struct kohaku_block *block);
/* Lowers the bump to the end of the last block. */
void kohaku_arena_trim(struct kohaku_arena *arena);
/* The largest size that alloc would place now; counts the untouched top. */
u64 kohaku_arena_largest_free(const struct kohaku_arena *arena);

#endif
