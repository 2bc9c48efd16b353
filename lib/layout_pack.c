// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Packing and unpacking.  Both directions walk the array in the pieces that stay
 * together in a layout: four rows of 32 columns, or of 4.  Everything below the
 * loops over rows is compiled twice, once for each direction.
 */
#include "kohaku_relayout.h"

#include <string.h>
#include <sys/cdefs.h>

#define SIZE 2			/* of an element, bytes */
#define ENTRY_COLS 32
#define ENTRY_BYTES (4 * ENTRY_COLS * SIZE)
#define SUBTILE_BYTES (4 * 4 * SIZE)

/* Two granules: 4 elements each of two neighbouring sub-tiles. */
typedef uint64_t granules __attribute__((vector_size(16)));

/* A block to move. */
struct move {
	const struct kohaku_packing *packing;
	char *elements;
	char *packed;
	size_t pitch;		/* from row to row of the array, bytes */
};

static __always_inline void copy(char *element, char *slot, size_t bytes, bool pack)
{
	if (pack)
		memcpy(slot, element, bytes);
	else
		memcpy(element, slot, bytes);
}

/* Some rows of an entry, of at most four. */
static __always_inline void move_entry(const struct move *move, char *element, char *slot,
				       uint64_t rows, uint64_t cols, bool pack)
{
	for (uint64_t lane = 0; lane < rows; lane++)
		copy(element + lane * move->pitch, slot + lane * ENTRY_COLS * SIZE, cols * SIZE,
		     pack);
}

static __always_inline void move_entry_rows(const struct move *move, uint64_t row, bool pack)
{
	const struct kohaku_packing *packing = move->packing;
	uint64_t blocks = packing->layout.blocks;
	/* From the end of a chunk's blocks to those of the next. */
	uint64_t jump = (packing->layout.groups - 1) * blocks * ENTRY_BYTES;
	uint64_t rows = packing->rows - row < 4 ? packing->rows - row : 4;
	uint64_t left = packing->cols;
	char *element = move->elements + row * move->pitch;
	char *slot = move->packed + kohaku_packing_slot(packing, row, 0) * SIZE;

	for (;; slot += jump) {
		for (uint64_t block = 0; block < blocks; block++) {
			if (left < ENTRY_COLS) {
				move_entry(move, element, slot, rows, left, pack);
				return;
			}
			if (rows == 4)
				move_entry(move, element, slot, 4, ENTRY_COLS, pack);
			else
				move_entry(move, element, slot, rows, ENTRY_COLS, pack);
			left -= ENTRY_COLS;
			element += ENTRY_COLS * SIZE;
			slot += ENTRY_BYTES;
		}
	}
}

static __always_inline granules load(const char *from)
{
	granules value;

	memcpy(&value, from, sizeof(value));
	return value;
}

static __always_inline void store(char *to, granules value)
{
	memcpy(to, &value, sizeof(value));
}

/* The first granules of two rows, and the second ones. */
static __always_inline granules firsts(granules a, granules b)
{
	return __builtin_shufflevector(a, b, 0, 2);
}

static __always_inline granules seconds(granules a, granules b)
{
	return __builtin_shufflevector(a, b, 1, 3);
}

/* Rows 0 and 1, or 2 and 3, of two neighbouring sub-tiles. */
static __always_inline void move_pair(char *element, char *slot, size_t pitch, bool pack)
{
	char *upper = pack ? element : slot, *lower = upper + (pack ? pitch : SUBTILE_BYTES);
	granules a = load(upper), b = load(lower);

	if (pack) {
		store(slot, firsts(a, b));
		store(slot + SUBTILE_BYTES, seconds(a, b));
	} else {
		store(element, firsts(a, b));
		store(element + pitch, seconds(a, b));
	}
}

/* Four rows of sub-tiles side by side. */
static __always_inline void move_subtiles(const struct move *move, char *element, char *slot,
					  uint64_t count, bool pack)
{
	size_t pitch = move->pitch;

	for (; count >= 2; count -= 2) {
		move_pair(element, slot, pitch, pack);
		move_pair(element + 2 * pitch, slot + SUBTILE_BYTES / 2, pitch, pack);
		element += 4 * 2 * SIZE;
		slot += 2 * SUBTILE_BYTES;
	}
	for (uint64_t lane = 0; count && lane < 4; lane++)
		copy(element + lane * pitch, slot + lane * 4 * SIZE, 4 * SIZE, pack);
}

/* What is left of a row after whole sub-tiles. */
static void move_tile_tail(const struct move *move, uint64_t row, uint64_t col, bool pack)
{
	const struct kohaku_packing *packing = move->packing;

	for (; col < packing->cols; col += 4) {
		uint64_t left = packing->cols - col;

		copy(move->elements + row * move->pitch + col * SIZE,
		     move->packed + kohaku_packing_slot(packing, row, col) * SIZE,
		     (left < 4 ? left : 4) * SIZE, pack);
	}
}

static __always_inline void move_tile_rows(const struct move *move, uint64_t row, bool pack)
{
	const struct kohaku_packing *packing = move->packing;
	const struct kohaku_layout *layout = &packing->layout;
	uint64_t left = packing->rows - row < 4 ? 0 : packing->cols / 4, whole = left * 4;
	uint64_t tile = (uint64_t)layout->tile_rows * layout->tile_cols * SUBTILE_BYTES;
	char *element = move->elements + row * move->pitch;
	char *slot = move->packed + kohaku_packing_slot(packing, row, 0) * SIZE;

	while (left) {
		uint64_t count = left < layout->tile_cols ? left : layout->tile_cols;

		move_subtiles(move, element, slot, count, pack);
		element += count * 4 * SIZE;
		slot += tile;
		left -= count;
	}
	if (whole == packing->cols)
		return;
	for (uint64_t r = row; r < row + 4 && r < packing->rows; r++)
		move_tile_tail(move, r, whole, pack);
}

static __always_inline void move_block(const struct move *move, bool pack)
{
	const struct kohaku_packing *packing = move->packing;

	switch (packing->layout.kind) {
	case KOHAKU_LAYOUT_ENTRY:
		for (uint64_t row = 0; row < packing->rows; row += 4)
			move_entry_rows(move, row, pack);
		break;
	case KOHAKU_LAYOUT_TILE:
		for (uint64_t row = 0; row < packing->rows; row += 4)
			move_tile_rows(move, row, pack);
		break;
	default:
		copy(move->elements, move->packed, packing->slots * SIZE, pack);
	}
}

static struct move move_of(const struct kohaku_packing *packing, char *elements, char *packed,
			   uint64_t block)
{
	size_t pitch = packing->cols * SIZE;

	return (struct move){ packing, elements + block * packing->rows * pitch,
			      packed + block * packing->stride, pitch };
}

void kohaku_pack(const struct kohaku_packing *packing, const void *elements, void *packed)
{
	bool full = packing->rows * packing->cols * SIZE == packing->stride;

	for (uint64_t i = 0; i < packing->count; i++) {
		struct move move = move_of(packing, (char *)elements, packed, i);

		/* Padding, and the gap up to the next block. */
		if (!full)
			memset(move.packed, 0, packing->stride);
		move_block(&move, true);
	}
}

void kohaku_unpack(const struct kohaku_packing *packing, const void *packed, void *elements)
{
	for (uint64_t i = 0; i < packing->count; i++) {
		struct move move = move_of(packing, elements, (char *)packed, i);

		move_block(&move, false);
	}
}
