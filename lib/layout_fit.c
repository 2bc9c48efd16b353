// SPDX-License-Identifier: LGPL-2.1-or-later
/* Layouts on shapes: sizes, padding, and where each element lies. */
#include "reason.h"

#include <errno.h>
#include <string.h>

/* Elements are numbered in 32 bits, buffers addressed in 40. */
#define SLOTS_MAX (UINT64_C(1) << 31)
#define BYTES_MAX (UINT64_C(1) << 40)

/* Where in the layout's name number k stands, counted from the kind's first. */
static int position_of(const struct kohaku_layout *layout, int k)
{
	char name[KOHAKU_LAYOUT_NAME];
	const char *at = name;

	kohaku_layout_format(layout, name);
	if (layout->batch)
		at = strchr(at, ':') + 1;
	for (at = strchr(at, ':') + 1; k; k--)
		at = strpbrk(at, "x:") + 1;
	return at - name;
}

static int too_large(struct kohaku_reason *reason)
{
	return reason_set(reason, -EOVERFLOW, -1, "the array is too large for the node");
}

static int fit_flat(struct kohaku_packing *packing, const struct kohaku_shape *block)
{
	packing->cols = block->dims[block->ndim - 1];
	packing->rows = 1;
	for (uint32_t i = 0; i + 1 < block->ndim; i++)
		packing->rows *= block->dims[i];
	packing->padded_rows = packing->rows;
	packing->padded_cols = packing->cols;
	return 0;
}

static uint64_t round_up(uint64_t value, uint64_t multiple)
{
	return (value + multiple - 1) / multiple * multiple;
}

static int fit_entry(struct kohaku_packing *packing)
{
	packing->padded_rows = round_up(packing->rows, 4 * (uint64_t)packing->layout.groups);
	packing->padded_cols = round_up(packing->cols, 32 * (uint64_t)packing->layout.blocks);
	return 0;
}

static int fit_tile(struct kohaku_packing *packing, struct kohaku_reason *reason)
{
	const struct kohaku_layout *layout = &packing->layout;
	uint64_t rows, cols;

	if (__builtin_mul_overflow(4 * (uint64_t)layout->grid_rows, layout->tile_rows, &rows) ||
	    __builtin_mul_overflow(4 * (uint64_t)layout->grid_cols, layout->tile_cols, &cols))
		return too_large(reason);
	if (packing->rows > rows)
		return reason_set(reason, -EINVAL, position_of(layout, 0),
				  "the tiles have %llu rows, the array %llu",
				  (unsigned long long)rows, (unsigned long long)packing->rows);
	if (packing->cols > cols)
		return reason_set(reason, -EINVAL, position_of(layout, 1),
				  "the tiles have %llu columns, the array %llu",
				  (unsigned long long)cols, (unsigned long long)packing->cols);
	packing->padded_rows = rows;
	packing->padded_cols = cols;
	return 0;
}

static int fit_block(struct kohaku_packing *packing, const struct kohaku_shape *block,
		     struct kohaku_reason *reason)
{
	const struct kohaku_layout *layout = &packing->layout;
	uint64_t elements = 1;

	for (uint32_t i = 0; i < block->ndim; i++) {
		if (!block->dims[i])
			return reason_set(reason, -EINVAL, -1, "dimension %u is zero", i + 1);
		if (__builtin_mul_overflow(elements, block->dims[i], &elements) ||
		    elements > SLOTS_MAX)
			return too_large(reason);
	}
	if (layout->kind == KOHAKU_LAYOUT_FLAT)
		return fit_flat(packing, block);
	if (block->ndim != 2)
		return reason_set(reason, -EINVAL, layout->batch ? position_of(layout, 0) : 0,
				  "this layout takes blocks of 2 dimensions, not %u", block->ndim);
	packing->rows = block->dims[0];
	packing->cols = block->dims[1];
	return layout->kind == KOHAKU_LAYOUT_ENTRY ? fit_entry(packing)
						   : fit_tile(packing, reason);
}

static int measure(struct kohaku_packing *packing, uint64_t pad, struct kohaku_reason *reason)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(packing->padded_rows, packing->padded_cols, &packing->slots) ||
	    packing->slots > SLOTS_MAX)
		return too_large(reason);
	bytes = packing->slots * 2;
	packing->stride = bytes > pad ? bytes : pad;
	if (__builtin_mul_overflow(packing->stride, packing->count, &packing->bytes) ||
	    packing->bytes > BYTES_MAX)
		return too_large(reason);
	return 0;
}

int kohaku_packing_init(struct kohaku_packing *packing, const struct kohaku_layout *layout,
			const struct kohaku_shape *shape, uint64_t pad,
			struct kohaku_reason *reason)
{
	struct kohaku_packing result = { .layout = *layout, .count = 1 };
	struct kohaku_shape block = *shape;
	int error;

	if (!shape->ndim || shape->ndim > KOHAKU_SHAPE_DIMS)
		return reason_set(reason, -EINVAL, -1, "a shape has 1 to 8 dimensions");
	if (!layout->batch && pad)
		return reason_set(reason, -EINVAL, -1, "only a batch can be padded");
	if (pad % 2)
		return reason_set(reason, -EINVAL, -1, "padding must be whole elements");
	if (layout->batch) {
		if (shape->ndim < 2 || shape->dims[0] != layout->batch)
			return reason_set(reason, -EINVAL, 5,
					  "the batch must be the first of the shape's dimensions");
		result.count = layout->batch;
		block.ndim--;
		memmove(block.dims, block.dims + 1, block.ndim * sizeof(block.dims[0]));
	}
	error = fit_block(&result, &block, reason);
	if (!error)
		error = measure(&result, pad, reason);
	if (!error)
		*packing = result;
	return error;
}

static uint64_t entry_slot(const struct kohaku_packing *packing, uint64_t row, uint64_t col)
{
	uint64_t groups = packing->layout.groups, blocks = packing->layout.blocks;
	uint64_t chunks = packing->padded_cols / (32 * blocks);
	uint64_t group = row / 4, block = col / 32;
	uint64_t slot = group / groups * chunks + block / blocks;

	slot = slot * groups + group % groups;
	slot = slot * blocks + block % blocks;
	return slot * 128 + row % 4 * 32 + col % 32;
}

static uint64_t tile_slot(const struct kohaku_packing *packing, uint64_t row, uint64_t col)
{
	uint64_t tile_rows = packing->layout.tile_rows, tile_cols = packing->layout.tile_cols;
	uint64_t slot = row / 4 / tile_rows * packing->layout.grid_cols + col / 4 / tile_cols;

	slot = slot * tile_rows + row / 4 % tile_rows;
	slot = slot * tile_cols + col / 4 % tile_cols;
	return slot * 16 + row % 4 * 4 + col % 4;
}

uint64_t kohaku_packing_slot(const struct kohaku_packing *packing, uint64_t row, uint64_t col)
{
	switch (packing->layout.kind) {
	case KOHAKU_LAYOUT_ENTRY:
		return entry_slot(packing, row, col);
	case KOHAKU_LAYOUT_TILE:
		return tile_slot(packing, row, col);
	default:
		return row * packing->cols + col;
	}
}
