// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Allocator of one memory of the node.
 */
#include "arena.h"

void kohaku_arena_init(struct kohaku_arena *arena, u64 size, u64 granule)
{
	*arena = (struct kohaku_arena){
		.size = size & ~(granule - 1),
		.granule = granule,
	};
}

static u64 block_end(const struct kohaku_block *block)
{
	return block ? block->start + block->size : 0;
}

/* Where the free bytes after a block end: the next block, or the bump. */
static u64 gap_end(const struct kohaku_arena *arena, const struct kohaku_block *next)
{
	return next ? next->start : arena->top;
}

/* A place for a block: between which blocks, and the free bytes there. */
struct place {
	struct kohaku_block *prev, *next;
	u64 room;
};

/* The smallest freed span that holds size bytes, of equals the lowest; else the bump. */
static bool best_fit(const struct kohaku_arena *arena, u64 size, struct place *best)
{
	struct kohaku_block *prev = NULL, *next = arena->first;

	*best = (struct place){ .room = U64_MAX };
	for (;;) {
		u64 room = gap_end(arena, next) - block_end(prev);

		if (room >= size && room < best->room)
			*best = (struct place){ prev, next, room };
		if (!next)
			break;
		prev = next;
		next = next->next;
	}
	if (best->room != U64_MAX)
		return true;
	best->prev = prev;
	return false;
}

static void link_block(struct kohaku_arena *arena, struct kohaku_block *block,
		       const struct place *place)
{
	block->prev = place->prev;
	block->next = place->next;
	if (block->prev)
		block->prev->next = block;
	else
		arena->first = block;
	if (block->next)
		block->next->prev = block;
}

int kohaku_arena_alloc(struct kohaku_arena *arena, struct kohaku_block *block, u64 size)
{
	struct place place;

	if (!size)
		return -EINVAL;
	/* Before rounding up, which could wrap. */
	if (size > arena->size)
		return -ENOSPC;
	size = (size + arena->granule - 1) & ~(arena->granule - 1);
	if (best_fit(arena, size, &place)) {
		block->start = block_end(place.prev);
	} else if (size <= arena->size - arena->top) {
		block->start = arena->top;
		arena->top += size;
	} else {
		return -ENOSPC;
	}
	block->size = size;
	link_block(arena, block, &place);
	arena->used += size;
	return 0;
}

void kohaku_arena_free(struct kohaku_arena *arena, struct kohaku_block *block)
{
	if (block->prev)
		block->prev->next = block->next;
	else
		arena->first = block->next;
	if (block->next)
		block->next->prev = block->prev;
	arena->used -= block->size;
	*block = (struct kohaku_block){ 0 };
}

void kohaku_arena_trim(struct kohaku_arena *arena)
{
	const struct kohaku_block *last = arena->first;

	while (last && last->next)
		last = last->next;
	arena->top = block_end(last);
}

u64 kohaku_arena_largest_free(const struct kohaku_arena *arena)
{
	const struct kohaku_block *prev = NULL, *next = arena->first;
	u64 largest = arena->size - arena->top;

	for (;;) {
		largest = max(largest, gap_end(arena, next) - block_end(prev));
		if (!next)
			return largest;
		prev = next;
		next = next->next;
	}
}
