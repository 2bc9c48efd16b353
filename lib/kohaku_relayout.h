/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layouts of tensors in the node's memory, and how to get from one to another.
 *
 * Every function returns 0 or a negative errno unless it says otherwise, and
 * explains a failure in a &struct kohaku_reason when it is given one (NULL is
 * fine).  Nothing here needs a device or keeps state; different threads may
 * call anything at once.
 *
 * Units: an element is one 16-bit number, a word 32 bytes or 16 elements.
 * Dimensions of a walk are listed innermost first and count words, unlike those
 * of &struct kohaku_walker.
 */
#ifndef KOHAKU_RELAYOUT_H
#define KOHAKU_RELAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/kohaku.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct kohaku_reason - why something was refused, for a person
 * @text: one line without a full stop or newline
 * @position: character of the name that is wrong, from 0; -1 if it is not about
 *	a name
 */
struct kohaku_reason {
	char text[160];
	int position;
};

/** define KOHAKU_SHAPE_DIMS - dimensions of an array */
#define KOHAKU_SHAPE_DIMS 8

/**
 * struct kohaku_shape - the size of an array
 * @ndim: dimensions in use, 1..KOHAKU_SHAPE_DIMS
 * @dims: elements along each, the last one varies fastest
 */
struct kohaku_shape {
	uint32_t ndim;
	uint64_t dims[KOHAKU_SHAPE_DIMS];
};

/**
 * kohaku_shape_parse() - read a shape as people write it: ``64x256``
 * @text: decimal numbers with an x between them
 * @shape: receives it
 * @reason: why not
 *
 * Return: -EINVAL: not a shape, a dimension is 0, or the product is no size.
 */
int kohaku_shape_parse(const char *text, struct kohaku_shape *shape, struct kohaku_reason *reason);

/** enum kohaku_layout_kind - the orders that the card knows */
enum kohaku_layout_kind {
	/** @KOHAKU_LAYOUT_FLAT: row major, any shape */
	KOHAKU_LAYOUT_FLAT,
	/** @KOHAKU_LAYOUT_ENTRY: blocks of 4 rows by 32 columns, what the matrix unit reads */
	KOHAKU_LAYOUT_ENTRY,
	/** @KOHAKU_LAYOUT_TILE: blocks of 4 rows by 4 columns, what the matrix unit writes */
	KOHAKU_LAYOUT_TILE,
};

/**
 * struct kohaku_layout - a layout's name, taken apart
 * @kind: which family
 * @batch: blocks of a batch, 0 when the name has no ``batchN:``
 * @groups: entry: 4-row groups of a tile
 * @blocks: entry: 32-column blocks of a chunk
 * @grid_rows: tile: rows of the grid of tiles
 * @grid_cols: tile: columns of that grid
 * @tile_rows: tile: rows of 4x4 sub-tiles in a tile
 * @tile_cols: tile: columns of them
 *
 * The fields that @kind does not use are 0.
 */
struct kohaku_layout {
	enum kohaku_layout_kind kind;
	uint32_t batch;
	uint32_t groups, blocks;
	uint32_t grid_rows, grid_cols, tile_rows, tile_cols;
};

/** define KOHAKU_LAYOUT_NAME - room for any layout's name and its NUL */
#define KOHAKU_LAYOUT_NAME 80

/**
 * kohaku_layout_parse() - read a layout's name
 * @name: ``flat``, ``entry:GxB`` or ``tile:GIxGJ:GMxGN``, perhaps after
 *	``batchN:``; numbers are positive and have no leading zeros
 * @layout: receives it
 * @reason: what is wrong, and at which character
 *
 * Return: -EINVAL: no such name.
 */
int kohaku_layout_parse(const char *name, struct kohaku_layout *layout,
			struct kohaku_reason *reason);

/**
 * kohaku_layout_format() - the name of a layout
 * @layout: the layout
 * @name: receives it; kohaku_layout_parse() reads it back
 */
void kohaku_layout_format(const struct kohaku_layout *layout, char name[KOHAKU_LAYOUT_NAME]);

/**
 * struct kohaku_packing - a layout on a shape
 * @layout: the layout
 * @count: blocks, 1 when there is no batch
 * @rows: rows of a block
 * @cols: columns of a block
 * @padded_rows: rows that the layout makes room for
 * @padded_cols: columns that it makes room for
 * @slots: places for elements in a packed block
 * @stride: bytes from one packed block to the next
 * @bytes: the whole packed buffer
 *
 * A flat block of other than two dimensions counts as rows of its last one.
 */
struct kohaku_packing {
	struct kohaku_layout layout;
	uint64_t count;
	uint64_t rows, cols;
	uint64_t padded_rows, padded_cols;
	uint64_t slots;
	uint64_t stride;
	uint64_t bytes;
};

/**
 * kohaku_packing_init() - put a layout on a shape
 * @packing: receives the result
 * @layout: the layout
 * @shape: shape of the array; with a batch its first dimension is the batch
 * @pad: least bytes from one block to the next, 0 if they may touch; only for
 *	a batch
 * @reason: why not; the position is in the layout's name
 *
 * Return: -EINVAL: the array does not fit the layout; -EOVERFLOW: it would take
 * more than the node can address.
 */
int kohaku_packing_init(struct kohaku_packing *packing, const struct kohaku_layout *layout,
			const struct kohaku_shape *shape, uint64_t pad,
			struct kohaku_reason *reason);

/**
 * kohaku_packing_slot() - where an element lies
 * @packing: from kohaku_packing_init()
 * @row: row in the block
 * @col: column in the block
 *
 * Return: the slot, counted from the start of the packed block.
 */
uint64_t kohaku_packing_slot(const struct kohaku_packing *packing, uint64_t row, uint64_t col);

/**
 * kohaku_pack() - bring an array into its layout
 * @packing: from kohaku_packing_init()
 * @elements: count * rows * cols 16-bit elements, row major
 * @packed: receives packing->bytes bytes; places of no element become 0
 */
void kohaku_pack(const struct kohaku_packing *packing, const void *elements, void *packed);

/**
 * kohaku_unpack() - bring an array out of its layout
 * @packing: from kohaku_packing_init()
 * @packed: packing->bytes bytes
 * @elements: receives count * rows * cols 16-bit elements, row major
 */
void kohaku_unpack(const struct kohaku_packing *packing, const void *packed, void *elements);

/**
 * struct kohaku_loop - one dimension of a walk over words
 * @stride: words from one index to the next
 * @bound: number of indices
 */
struct kohaku_loop {
	int64_t stride;
	uint64_t bound;
};

/** define KOHAKU_LOOPS_MAX - more dimensions than any factorisation here has */
#define KOHAKU_LOOPS_MAX 32

/**
 * struct kohaku_loops - an affine walk
 * @count: dimensions in use; none for a single word
 * @dims: the dimensions, innermost first
 */
struct kohaku_loops {
	uint32_t count;
	struct kohaku_loop dims[KOHAKU_LOOPS_MAX];
};

/**
 * kohaku_affine_factor() - write a list of offsets as nested loops
 * @walk: the offsets, in words; all relative to the first
 * @length: how many, at least 1
 * @limit: most dimensions allowed
 * @loops: receives the loops, of which there is only one set
 *
 * Return: -EDOM: not affine; -E2BIG: it takes more than @limit dimensions, and
 * @loops has them.
 */
int kohaku_affine_factor(const int64_t *walk, uint64_t length, uint32_t limit,
			 struct kohaku_loops *loops);

/**
 * kohaku_affine_at() - an offset of a walk
 * @loops: the walk
 * @index: number of the offset
 *
 * Return: words from the walk's first one.
 */
int64_t kohaku_affine_at(const struct kohaku_loops *loops, uint64_t index);

/**
 * struct kohaku_mover_form - a word permutation as one COPY of the mover
 * @words: words it moves
 * @scatter_ok: @scatter is valid
 * @gather_ok: @gather is valid
 * @scatter: destination walk while the source is read in order
 * @gather: source walk while the destination is written in order
 */
struct kohaku_mover_form {
	uint64_t words;
	bool scatter_ok, gather_ok;
	struct kohaku_loops scatter, gather;
};

/**
 * kohaku_mover_form() - can the mover alone convert one block?
 * @before: how the source lies
 * @after: how the destination shall lie
 * @form: receives the walks, each of at most KOHAKU_MAX_DIMS dimensions
 * @reason: why not
 *
 * The mover streams, so source and destination must not overlap.
 *
 * Return: -EDOM: no; -EINVAL: the two do not describe the same array; -ENOMEM.
 */
int kohaku_mover_form(const struct kohaku_packing *before, const struct kohaku_packing *after,
		      struct kohaku_mover_form *form, struct kohaku_reason *reason);

#ifdef __cplusplus
}
#endif

#endif
