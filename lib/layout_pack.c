// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Packing and unpacking.  Both directions walk the array in pieces that stay
 * together in the layout: whole blocks, 32 columns of a row, or 4 columns of
 * four rows.
 */
#include "kohaku_relayout.h"

#include <string.h>

#define SIZE 2			/* of an element, bytes */

/* A block to move; pack tells which way. */
struct move {
	const struct kohaku_packing *packing;
	char *elements;
	char *packed;
	bool pack;
};

/* Inlined with a constant length, it is a few vector instructions. */
static inline __attribute__((always_inline)) void copy(char *element, char *slot, size_t bytes,
						       bool pack)
{
	if (pack)
		memcpy(slot, element, bytes);
	else
		memcpy(element, slot, bytes);
}

static void move_entry_row(const struct move *move, uint64_t row)
{
	const struct kohaku_packing *packing = move->packing;
	uint64_t blocks = packing->layout.blocks;
	/* From the last block of a chunk to the first of the next. */
	uint64_t jump = (packing->layout.groups - 1) * blocks * 128 * SIZE;
	char *element = move->elements + row * packing->cols * SIZE;
	char *slot = move->packed + kohaku_packing_slot(packing, row, 0) * SIZE;
	uint64_t left = packing->cols, block = 0;

	for (; left >= 32; left -= 32) {
		if (block == blocks) {
			block = 0;
			slot += jump;
		}
		copy(element, slot, 32 * SIZE, move->pack);
		element += 32 * SIZE;
		slot += 128 * SIZE;
		block++;
	}
	if (left)
		copy(element, slot + (block == blocks ? jump : 0), left * SIZE, move->pack);
}

/* Four rows of whole sub-tiles, columns first to first + count * 4. */
static inline __attribute__((always_inline)) void
move_subtiles(const struct move *move, uint64_t row, uint64_t first, uint64_t count, bool pack)
{
	size_t pitch = move->packing->cols * SIZE;
	char *element = move->elements + row * pitch + first * SIZE;
	char *slot = move->packed + kohaku_packing_slot(move->packing, row, first) * SIZE;

	for (uint64_t i = 0; i < count; i++) {
		copy(element, slot, 8, pack);
		copy(element + pitch, slot + 8, 8, pack);
		copy(element + 2 * pitch, slot + 16, 8, pack);
		copy(element + 3 * pitch, slot + 24, 8, pack);
		element += 8;
		slot += 32;
	}
}

static void move_tile_row(const struct move *move, uint64_t row, uint64_t first)
{
	const struct kohaku_packing *packing = move->packing;

	for (uint64_t col = first; col < packing->cols; col += 4) {
		uint64_t left = packing->cols - col;

		copy(move->elements + (row * packing->cols + col) * SIZE,
		     move->packed + kohaku_packing_slot(packing, row, col) * SIZE,
		     (left < 4 ? left : 4) * SIZE, move->pack);
	}
}

static void move_tile_rows(const struct move *move, uint64_t row)
{
	const struct kohaku_packing *packing = move->packing;
	uint64_t width = 4 * (uint64_t)packing->layout.tile_cols;
	uint64_t whole = packing->cols / 4 * 4;

	if (packing->rows - row < 4)
		whole = 0;
	for (uint64_t col = 0; col < whole; col += width) {
		uint64_t count = (whole - col < width ? whole - col : width) / 4;

		if (move->pack)
			move_subtiles(move, row, col, count, true);
		else
			move_subtiles(move, row, col, count, false);
	}
	for (uint64_t r = row; r < row + 4 && r < packing->rows; r++)
		move_tile_row(move, r, whole);
}

static void move_block(const struct move *move)
{
	const struct kohaku_packing *packing = move->packing;

	switch (packing->layout.kind) {
	case KOHAKU_LAYOUT_ENTRY:
		for (uint64_t row = 0; row < packing->rows; row++)
			move_entry_row(move, row);
		break;
	case KOHAKU_LAYOUT_TILE:
		for (uint64_t row = 0; row < packing->rows; row += 4)
			move_tile_rows(move, row);
		break;
	default:
		copy(move->elements, move->packed, packing->slots * SIZE, move->pack);
	}
}

static void move_all(const struct kohaku_packing *packing, char *elements, char *packed, bool pack)
{
	uint64_t block = packing->rows * packing->cols * SIZE;

	for (uint64_t i = 0; i < packing->count; i++) {
		struct move move = { packing, elements + i * block,
				     packed + i * packing->stride, pack };

		/* Padding, and the gap up to the next block. */
		if (pack && block != packing->stride)
			memset(move.packed, 0, packing->stride);
		move_block(&move);
	}
}

void kohaku_pack(const struct kohaku_packing *packing, const void *elements, void *packed)
{
	move_all(packing, (char *)elements, packed, true);
}

void kohaku_unpack(const struct kohaku_packing *packing, const void *packed, void *elements)
{
	move_all(packing, elements, (char *)packed, false);
}
