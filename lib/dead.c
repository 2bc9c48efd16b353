// SPDX-License-Identifier: LGPL-2.1-or-later
/* Conversions that a program implies, and those of them that are for nothing. */
#include "kohaku_relayout.h"

#include <stdlib.h>
#include <string.h>

static bool same_layout(const struct kohaku_layout *a, const struct kohaku_layout *b)
{
	return a->kind == b->kind && a->batch == b->batch && a->groups == b->groups &&
	       a->blocks == b->blocks && a->grid_rows == b->grid_rows &&
	       a->grid_cols == b->grid_cols && a->tile_rows == b->tile_rows &&
	       a->tile_cols == b->tile_cols;
}

size_t kohaku_conversions(const struct kohaku_use *uses, size_t count,
			  struct kohaku_conversion *conversions)
{
	size_t found = 0;

	for (size_t i = 1; i < count; i++) {
		if (same_layout(&uses[i - 1].layout, &uses[i].layout))
			continue;
		conversions[found++] = (struct kohaku_conversion){
			.stage = uses[i].stage,
			.from = uses[i - 1].layout,
			.to = uses[i].layout,
		};
	}
	return found;
}

bool kohaku_write_extent(const struct kohaku_write *write, struct kohaku_extent *span)
{
	uint64_t tile;

	if (write->peer)
		return false;
	switch (write->kind) {
	case KOHAKU_WRITE_TILE:
		tile = (uint64_t)write->layout.tile_rows * write->layout.tile_cols * 16;
		span->start = (write->row * write->layout.grid_cols + write->col) * tile;
		span->end = span->start + tile;
		return true;
	case KOHAKU_WRITE_PART:
		span->start = write->part * write->stride + write->offset;
		span->end = span->start + write->span;
		return true;
	default:
		return false;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct kohaku_extent *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

bool kohaku_extents_cover(struct kohaku_extent *spans, size_t count, uint64_t held)
{
	uint64_t reach = 0;

	if (!held || !count)
		return false;
	qsort(spans, count, sizeof(*spans), by_start);
	for (size_t i = 0; i < count; i++) {
		if (spans[i].start > reach)
			return false;
		if (spans[i].end > reach)
			reach = spans[i].end;
	}
	return reach >= held;
}

bool kohaku_conversion_dead(bool read, const struct kohaku_write *writes, size_t count,
			    uint64_t held)
{
	struct kohaku_extent *spans;
	bool dead = true;

	if (read || !count)
		return false;
	spans = malloc(count * sizeof(*spans));
	if (!spans)
		return false;
	for (size_t i = 0; dead && i < count; i++)
		dead = kohaku_write_extent(&writes[i], &spans[i]);
	dead = dead && kohaku_extents_cover(spans, count, held);
	free(spans);
	return dead;
}
