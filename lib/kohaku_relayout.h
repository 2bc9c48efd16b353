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
 * kohaku_convert() - change a layout on the host
 * @before: how the source is packed
 * @after: how the destination shall be packed
 * @src: before->bytes bytes
 * @dst: receives after->bytes bytes; must not overlap @src
 *
 * It converts anything, at the price of a round trip if the array is on a node.
 *
 * Return: -EINVAL: the two are not the same array; -ENOMEM.
 */
int kohaku_convert(const struct kohaku_packing *before, const struct kohaku_packing *after,
		   const void *src, void *dst);

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

/** enum kohaku_plan_mode - which side of a pass is walked */
enum kohaku_plan_mode {
	/** @KOHAKU_PLAN_DRAIN: read in order, written where the walk says */
	KOHAKU_PLAN_DRAIN,
	/** @KOHAKU_PLAN_FILL: read where the walk says, written in order */
	KOHAKU_PLAN_FILL,
};

/** define KOHAKU_PLAN_DIMS - dimensions of a descriptor of the vector core */
#define KOHAKU_PLAN_DIMS 4

/**
 * struct kohaku_plan - a conversion as runs of the vector core
 * @mode: which side is walked
 * @transpose: the granules of each four words are transposed on the way
 * @words: words of a run
 * @runs: runs of a block
 * @total: words of a block
 * @count: blocks
 * @stride_before: bytes from one block of the source to the next
 * @stride_after: bytes from one block of the destination to the next
 * @in_place: every run writes the words it read, so source and destination may
 *	be the same
 * @stepped: every run starts at the same word on both sides
 * @loops: the walk of a run
 * @offsets: word at which the walk of each run starts; the other side of run r
 *	starts at r * @words
 */
struct kohaku_plan {
	enum kohaku_plan_mode mode;
	bool transpose;
	uint32_t words;
	uint64_t runs;
	uint64_t total;
	uint64_t count;
	uint64_t stride_before, stride_after;
	bool in_place;
	bool stepped;
	struct kohaku_loops loops;
	uint32_t *offsets;
};

/** enum kohaku_plan_verdict - what became of a run width */
enum kohaku_plan_verdict {
	/** @KOHAKU_PLAN_OK: possible */
	KOHAKU_PLAN_OK,
	/** @KOHAKU_PLAN_NO_PERMUTATION: words are taken apart, at any width */
	KOHAKU_PLAN_NO_PERMUTATION,
	/** @KOHAKU_PLAN_NO_FOURS: the words do not come in fours, at any width */
	KOHAKU_PLAN_NO_FOURS,
	/** @KOHAKU_PLAN_NO_WIDTH: no width divides the words of a block */
	KOHAKU_PLAN_NO_WIDTH,
	/** @KOHAKU_PLAN_UNEVEN: runs walk differently */
	KOHAKU_PLAN_UNEVEN,
	/** @KOHAKU_PLAN_NOT_AFFINE: a run is not nested loops */
	KOHAKU_PLAN_NOT_AFFINE,
	/** @KOHAKU_PLAN_DIMS_EXCEEDED: it needs more dimensions than a descriptor has */
	KOHAKU_PLAN_DIMS_EXCEEDED,
	/** @KOHAKU_PLAN_STRIDE_EXCEEDED: a stride or bound does not fit a descriptor */
	KOHAKU_PLAN_STRIDE_EXCEEDED,
};

/**
 * struct kohaku_plan_candidate - something the planner looked at
 * @mode: mode it would have
 * @transpose: with granule transpose
 * @verdict: what became of it
 * @words: run width, 0 when the verdict is about all widths
 * @in_place: it could run in place
 * @flits: estimated flits, by which widths are compared
 * @loops: the walk, as far as there is one
 */
struct kohaku_plan_candidate {
	enum kohaku_plan_mode mode;
	bool transpose;
	enum kohaku_plan_verdict verdict;
	uint32_t words;
	bool in_place;
	uint64_t flits;
	struct kohaku_loops loops;
};

/** struct kohaku_plan_observer - sees every candidate */
struct kohaku_plan_observer {
	/** @candidate: called in the order in which the planner looks */
	void (*candidate)(void *ctx, const struct kohaku_plan_candidate *candidate);
	/** @ctx: passed to it */
	void *ctx;
};

/**
 * kohaku_plan_verdict_text() - a verdict in words
 * @verdict: the verdict
 *
 * Return: half a sentence, never NULL.
 */
const char *kohaku_plan_verdict_text(enum kohaku_plan_verdict verdict);

/**
 * kohaku_plan_init() - plan a conversion for the vector core
 * @plan: receives the plan; free it with kohaku_plan_fini()
 * @before: how the source lies
 * @after: how the destination shall lie
 * @observer: sees every candidate, also those after the plan is found; or NULL
 * @reason: the last thing that was in the way
 *
 * Return: -EDOM: the core cannot; -EINVAL: the two are not the same array;
 * -ENOMEM.
 */
int kohaku_plan_init(struct kohaku_plan *plan, const struct kohaku_packing *before,
		     const struct kohaku_packing *after,
		     const struct kohaku_plan_observer *observer, struct kohaku_reason *reason);

/**
 * kohaku_plan_fini() - free what a plan owns
 * @plan: from kohaku_plan_init()
 */
void kohaku_plan_fini(struct kohaku_plan *plan);

/**
 * kohaku_plan_at() - the word that a plan pairs with a word
 * @plan: the plan
 * @word: word of the side that is not walked
 *
 * Return: word of the side that is walked.
 */
uint64_t kohaku_plan_at(const struct kohaku_plan *plan, uint64_t word);

/**
 * struct kohaku_pass_cost - what one program of the vector core costs
 * @words: words of a run
 * @runs: runs of a block
 * @flits: flits of the program, all blocks
 * @run_cycles: cycles of one run, moving data not counted
 * @cycles: cycles of the program, moving data not counted
 */
struct kohaku_pass_cost {
	uint32_t words;
	uint64_t runs;
	uint64_t flits;
	uint64_t run_cycles;
	uint64_t cycles;
};

/**
 * struct kohaku_plan_cost - what a plan costs
 * @convert: the program that converts
 * @copy: the program that copies a block as it is, to come home from staging
 * @image_words: instruction words of the converting program
 * @lanes: vector length it sets, 0 for a plan without transpose
 * @estimate: flits as the planner estimates them to compare widths
 * @cycles: the conversion, and the copy when it cannot be in place; moving data
 *	not counted
 */
struct kohaku_plan_cost {
	struct kohaku_pass_cost convert;
	struct kohaku_pass_cost copy;
	uint32_t image_words;
	uint32_t lanes;
	uint64_t estimate;
	uint64_t cycles;
};

/**
 * kohaku_plan_cost() - price a plan as the node's own tables do
 * @plan: the plan
 * @cost: receives the prices
 */
void kohaku_plan_cost(const struct kohaku_plan *plan, struct kohaku_plan_cost *cost);

/**
 * struct kohaku_sharding - a conversion spread over meshes
 * @divides: the words of a block divide evenly; the rest is 0 if not
 * @local: no word changes its mesh
 * @crossing: bytes that cross links, each as often as it crosses one
 */
struct kohaku_sharding {
	bool divides;
	bool local;
	uint64_t crossing;
};

/**
 * kohaku_plan_shard() - what spreading a block over meshes would move
 * @plan: the plan
 * @shards: meshes in a row, at least 1; each holds an equal part of the words
 * @sharding: receives the answer
 */
void kohaku_plan_shard(const struct kohaku_plan *plan, uint32_t shards,
		       struct kohaku_sharding *sharding);

/** enum kohaku_home - the memory that a buffer is in */
enum kohaku_home {
	KOHAKU_HOME_DRAM,
	KOHAKU_HOME_STAGING,
};

/** enum kohaku_pass_route - how a plan runs in one buffer */
enum kohaku_pass_route {
	KOHAKU_PASS_IN_PLACE,
	/** @KOHAKU_PASS_VIA_STAGING: into staging, and copied back */
	KOHAKU_PASS_VIA_STAGING,
	/** @KOHAKU_PASS_VIA_DRAM: into other DRAM, and copied back */
	KOHAKU_PASS_VIA_DRAM,
};

/**
 * kohaku_plan_credits() - credits of one block on a route
 * @plan: the plan
 * @route: the route
 * @home: where the buffer is
 *
 * A credit is what one byte of ordered traffic to staging costs.
 *
 * Return: credits.
 */
uint64_t kohaku_plan_credits(const struct kohaku_plan *plan, enum kohaku_pass_route route,
			     enum kohaku_home home);

/**
 * kohaku_plan_route() - the cheapest way to run a plan in one buffer
 * @plan: the plan
 * @room: bytes of staging that are free in one piece
 * @home: where the buffer is
 *
 * Return: the route.
 */
enum kohaku_pass_route kohaku_plan_route(const struct kohaku_plan *plan, uint64_t room,
					 enum kohaku_home home);

/**
 * struct kohaku_use - a stage that wants a buffer in an order
 * @stage: number of the stage
 * @layout: the order it wants
 */
struct kohaku_use {
	uint32_t stage;
	struct kohaku_layout layout;
};

/**
 * struct kohaku_conversion - a change of order between two uses
 * @stage: the stage before which it has to happen
 * @from: order so far
 * @to: order wanted
 */
struct kohaku_conversion {
	uint32_t stage;
	struct kohaku_layout from, to;
};

/**
 * kohaku_conversions() - the conversions that a buffer's uses imply
 * @uses: its uses by stage, at least one
 * @count: how many
 * @conversions: receives one for every change of order; room for @count - 1
 *
 * Return: how many conversions.
 */
size_t kohaku_conversions(const struct kohaku_use *uses, size_t count,
			  struct kohaku_conversion *conversions);

/** enum kohaku_write_kind - how a statement writes a buffer */
enum kohaku_write_kind {
	/** @KOHAKU_WRITE_TILE: one tile of a tiled block */
	KOHAKU_WRITE_TILE,
	/** @KOHAKU_WRITE_PART: one part of an elementwise result */
	KOHAKU_WRITE_PART,
	/** @KOHAKU_WRITE_OTHER: any other way */
	KOHAKU_WRITE_OTHER,
};

/**
 * struct kohaku_write - a write to a buffer
 * @kind: which kind
 * @peer: it goes to another node
 * @row: TILE: row of the tile in the grid
 * @col: TILE: its column
 * @layout: TILE: the tiles
 * @part: PART: number of the part
 * @stride: PART: elements from one part to the next
 * @offset: PART: elements before part 0
 * @span: PART: elements written
 */
struct kohaku_write {
	enum kohaku_write_kind kind;
	bool peer;
	uint64_t row, col;
	struct kohaku_layout layout;
	uint64_t part, stride, offset, span;
};

/**
 * struct kohaku_extent - elements of a block
 * @start: the first
 * @end: one past the last
 */
struct kohaku_extent {
	uint64_t start, end;
};

/**
 * kohaku_write_extent() - the elements that a write covers
 * @write: the write
 * @span: receives them
 *
 * Return: false when one cannot tell.
 */
bool kohaku_write_extent(const struct kohaku_write *write, struct kohaku_extent *span);

/**
 * kohaku_extents_cover() - do writes cover a block without a gap?
 * @spans: what is written, in any order; sorted on return
 * @count: how many
 * @held: elements of the block, padding included
 *
 * Return: whether every element is written; false for an empty block.
 */
bool kohaku_extents_cover(struct kohaku_extent *spans, size_t count, uint64_t held);

/**
 * kohaku_conversion_dead() - is a conversion for nothing?
 * @read: a statement of its stage reads the buffer
 * @writes: what the stage writes to the buffer
 * @count: how many writes
 * @held: elements that the block occupied in its first order, padding included
 *
 * A conversion is dead when its stage overwrites every element before anybody
 * reads one.  Short of memory the answer is no, which is always safe.
 *
 * Return: whether it is dead.
 */
bool kohaku_conversion_dead(bool read, const struct kohaku_write *writes, size_t count,
			    uint64_t held);

/** enum kohaku_wish - what the author of a program said about a buffer's memory */
enum kohaku_wish {
	KOHAKU_WISH_NONE,
	KOHAKU_WISH_DRAM,
	KOHAKU_WISH_STAGING,
};

/**
 * kohaku_placement() - the memory to ask for
 * @wish: the author's wish, which wins
 * @conversions: conversions of the buffer, dead ones included
 *
 * Staging is for exactly the buffers that change their order.
 *
 * Return: the tier.
 */
enum kohaku_tier kohaku_placement(enum kohaku_wish wish, size_t conversions);

/**
 * kohaku_periodic_walk() - read a short table again and again
 * @period: words of the table
 * @words: words to read from it
 * @loops: receives the walk, in which the repetition has stride 0
 * @reason: why not
 *
 * Return: -EDOM: the table does not fit a whole number of times.
 */
int kohaku_periodic_walk(uint64_t period, uint64_t words, struct kohaku_loops *loops,
			 struct kohaku_reason *reason);

/** enum kohaku_engine - what can convert */
enum kohaku_engine {
	/** @KOHAKU_ENGINE_AUTO: the cheapest one of the node */
	KOHAKU_ENGINE_AUTO,
	/** @KOHAKU_ENGINE_MOVER: the mover alone; whole words only */
	KOHAKU_ENGINE_MOVER,
	/** @KOHAKU_ENGINE_VECTOR: the vector core */
	KOHAKU_ENGINE_VECTOR,
	/** @KOHAKU_ENGINE_SLOT: the mover, through GT4 in its transform slot */
	KOHAKU_ENGINE_SLOT,
	/** @KOHAKU_ENGINE_HOST: a round trip to the host; only when asked for */
	KOHAKU_ENGINE_HOST,
	KOHAKU_ENGINES
};

/** enum kohaku_place - a buffer that a step reads or writes */
enum kohaku_place {
	KOHAKU_PLACE_SOURCE,
	KOHAKU_PLACE_DESTINATION,
	KOHAKU_PLACE_STAGING,
};

/** enum kohaku_step_kind - who runs a step */
enum kohaku_step_kind {
	/** @KOHAKU_STEP_MOVE: the mover runs @move */
	KOHAKU_STEP_MOVE,
	/** @KOHAKU_STEP_CONVERT: the vector core runs the route's plan */
	KOHAKU_STEP_CONVERT,
	/** @KOHAKU_STEP_COPY: the vector core copies as it is */
	KOHAKU_STEP_COPY,
	/** @KOHAKU_STEP_HOST: the host unpacks and packs */
	KOHAKU_STEP_HOST,
};

/**
 * struct kohaku_step - a part of a route
 * @kind: who runs it
 * @from: what it reads
 * @to: what it writes
 * @move: MOVE: the command; buffers and offsets are the caller's to add
 */
struct kohaku_step {
	enum kohaku_step_kind kind;
	enum kohaku_place from, to;
	struct kohaku_move move;
};

/** define KOHAKU_STEPS_MAX - steps of a route */
#define KOHAKU_STEPS_MAX 2

/**
 * struct kohaku_route - how to convert an array
 * @engine: what converts
 * @rounds: how often the steps run
 * @steps: run one after the other in each round
 * @step_count: steps in use
 * @blocks: blocks that a round converts
 * @stride_before: bytes from one round's source to the next one's
 * @stride_after: bytes from one round's destination to the next one's
 * @staging: bytes of staging it needs, used again in every round
 * @cycles: all rounds, moving data included
 * @core_cycles: VECTOR: the same with moving data not counted
 * @credits: all rounds
 * @flits: VECTOR: packets of its programs, all rounds
 * @plan: VECTOR: the plan
 */
struct kohaku_route {
	enum kohaku_engine engine;
	uint64_t rounds;
	struct kohaku_step steps[KOHAKU_STEPS_MAX];
	uint32_t step_count;
	uint64_t blocks;
	uint64_t stride_before, stride_after;
	uint64_t staging;
	uint64_t cycles;
	uint64_t core_cycles;
	uint64_t credits;
	uint64_t flits;
	struct kohaku_plan plan;
};

/**
 * struct kohaku_terms - what a route has to do with
 * @engine: the engine to use
 * @in_place: source and destination are the same bytes
 * @home: where they are
 * @room: bytes of staging free in one piece
 * @vector: there is a vector core
 * @slot_depth: entries that the transform slot takes at once, 0 without GT4
 */
struct kohaku_terms {
	enum kohaku_engine engine;
	bool in_place;
	enum kohaku_home home;
	uint64_t room;
	bool vector;
	uint32_t slot_depth;
};

/**
 * struct kohaku_option - an engine that was considered
 * @possible: it could
 * @cycles: of the route it would take
 * @credits: of that route
 * @flits: of that route
 * @staging: of that route
 * @reason: why it could not
 */
struct kohaku_option {
	bool possible;
	uint64_t cycles;
	uint64_t credits;
	uint64_t flits;
	uint64_t staging;
	struct kohaku_reason reason;
};

/**
 * kohaku_route_init() - find the cheapest way to convert an array
 * @route: receives it; free it with kohaku_route_fini()
 * @before: how the source lies
 * @after: how the destination shall lie
 * @terms: what there is to do it with
 * @options: receives what became of each engine, by its number; or NULL
 * @reason: why there is none
 *
 * The route with the fewest cycles wins, then the one with the fewest credits.
 * The host is taken only when @terms names it.
 *
 * Return: -EDOM: no engine of the node can, or not the one named; -EINVAL: the
 * two are not the same array; -ENOMEM.
 */
int kohaku_route_init(struct kohaku_route *route, const struct kohaku_packing *before,
		      const struct kohaku_packing *after, const struct kohaku_terms *terms,
		      struct kohaku_option options[KOHAKU_ENGINES], struct kohaku_reason *reason);

/**
 * kohaku_route_fini() - free what a route owns
 * @route: from kohaku_route_init()
 */
void kohaku_route_fini(struct kohaku_route *route);

/**
 * kohaku_engine_name() - the name of an engine
 * @engine: the engine
 *
 * Return: auto, mover, vector, slot or host.
 */
const char *kohaku_engine_name(enum kohaku_engine engine);

#ifdef __cplusplus
}
#endif

#endif
