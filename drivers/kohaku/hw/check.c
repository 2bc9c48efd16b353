// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * May the node be asked for a move?  Whatever the mover would wrap, trap or
 * hang on is refused here.
 */
#include "check.h"

#define OCCUPANT_MAX 15
#define OCCUPANT_MODE_MAX 15
#define ENTRY_SIZE 128
/* No address is longer; it keeps the arithmetic of spans far from overflow. */
#define OFFSET_LIMIT (1LL << 40)

int kohaku_refuse(struct kohaku_check *check, enum kohaku_refusal refusal, int walker, int dim)
{
	*check->verdict = (struct kohaku_verdict){ refusal, walker, dim };
	return kohaku_refusal_errno(refusal);
}

static const struct kohaku_walker *walker_of(const struct kohaku_check *check, int which)
{
	return which == KOHAKU_WALKER_SRC ? &check->move->src : &check->move->dst;
}

static const struct kohaku_region *region_of(const struct kohaku_check *check, int which)
{
	return which == KOHAKU_WALKER_SRC ? check->context->src : check->context->dst;
}

/* Compares the destination's count, or that of entries, with the source's. */
static int check_elements(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;
	u64 src = kohaku_walk_elements(&move->src), dst = kohaku_walk_elements(&move->dst);
	u32 beats = check->context->entry_beats;
	bool xform = move->mode == KOHAKU_MOVE_XFORM;

	check->src_elements = dst;
	check->dst_elements = dst;
	check->facts->elements = xform ? src : dst;
	/* A move of 2^64 words ends in no life time: nobody means it. */
	if (check->facts->elements == U64_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_COUNT,
				     xform ? KOHAKU_WALKER_SRC : KOHAKU_WALKER_DST, -1);
	if (move->mode == KOHAKU_MOVE_COPY && src < dst)
		return kohaku_refuse(check, KOHAKU_REFUSAL_SHORT_SOURCE, KOHAKU_WALKER_SRC, -1);
	if (!xform)
		return 0;
	if (src % beats)
		return kohaku_refuse(check, KOHAKU_REFUSAL_ENTRY, KOHAKU_WALKER_SRC, -1);
	if (dst < src / beats)
		return kohaku_refuse(check, KOHAKU_REFUSAL_ENTRY, KOHAKU_WALKER_DST, -1);
	check->src_elements = src;
	check->dst_elements = src / beats;
	return 0;
}

/* Are the walk's start and every stride that it takes multiples of granule? */
static int check_aligned(struct kohaku_check *check, int which, u32 granule,
			 enum kohaku_refusal refusal)
{
	const struct kohaku_walker *walker = walker_of(check, which);
	const struct kohaku_region *region = region_of(check, which);
	u32 i;

	if ((region->addr + walker->offset) & (granule - 1))
		return kohaku_refuse(check, refusal, which, -1);
	for (i = 0; i < walker->ndim; i++)
		if (walker->dims[i].count > 1 && walker->dims[i].stride & (granule - 1))
			return kohaku_refuse(check, refusal, which, i);
	return 0;
}

/* Is a walker's buffer in reach of this mesh, and the start of the walk a number? */
static int check_region(struct kohaku_check *check, int which)
{
	const struct kohaku_walker *walker = walker_of(check, which);
	const struct kohaku_region *region = region_of(check, which);
	bool own = KOHAKU_GET(KOHAKU_ADDR_MESH, region->addr) == check->context->mesh;

	/* Reads never cross meshes, writes do where meshes are linked. */
	if (!own && (which == KOHAKU_WALKER_SRC || !check->context->remote))
		return kohaku_refuse(check, KOHAKU_REFUSAL_REMOTE, which, -1);
	if (walker->offset <= -OFFSET_LIMIT || walker->offset >= OFFSET_LIMIT)
		return kohaku_refuse(check, KOHAKU_REFUSAL_OFFSET, which, -1);
	return 0;
}

/* unit: bytes touched at each element. */
static int check_span(struct kohaku_check *check, int which, u64 elements, u32 unit,
		      struct kohaku_span *span)
{
	const struct kohaku_walker *walker = walker_of(check, which);
	const struct kohaku_region *region = region_of(check, which);
	s64 offset = walker->offset;
	int error;

	error = kohaku_walk_span(walker, elements, check->context->scratch, span);
	if (error)
		return error;
	if (span->empty)
		return 0;
	if (offset + span->lo < 0 || offset + span->hi + unit > (s64)region->size)
		return kohaku_refuse(check, KOHAKU_REFUSAL_BOUNDS, which, -1);
	if (span->lo < S32_MIN || span->hi > S32_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_REACH, which, -1);
	return 0;
}

/* The mover reads a misaligned source from somewhere else, without a fault. */
static int check_source_place(struct kohaku_check *check)
{
	int error = check_region(check, KOHAKU_WALKER_SRC);

	if (error)
		return error;
	return check_aligned(check, KOHAKU_WALKER_SRC, KOHAKU_WORD, KOHAKU_REFUSAL_SOURCE_ALIGN);
}

/* Row r of a gather is words of the source from offset + index[r] * pitch on. */
static int check_rows(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;
	struct kohaku_span *span = &check->facts->src;
	s64 room = (s64)check->context->src->size - move->src.offset;
	u64 words = check->dst_elements;
	u32 row;

	for (row = 0; words; row++) {
		u64 start = (u64)check->context->indices[row] * move->pitch;
		u64 length = min_t(u64, words, move->row_words) * KOHAKU_WORD;

		/* The mover cuts the product to 32 bits. */
		if (start > U32_MAX || move->src.offset + (s64)start < 0 ||
		    (s64)(start + length) > room)
			return kohaku_refuse(check, KOHAKU_REFUSAL_BOUNDS, KOHAKU_WALKER_SRC, -1);
		span->lo = span->empty ? (s64)start : min(span->lo, (s64)start);
		span->hi = max(span->hi, (s64)(start + length - KOHAKU_WORD));
		span->empty = false;
		words -= length / KOHAKU_WORD;
	}
	return 0;
}

static int check_gather_source(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;
	int error;

	if (!move->row_words || move->row_words > U16_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_ROW, -1, -1);
	error = check_source_place(check);
	if (error)
		return error;
	if (move->pitch % KOHAKU_WORD)
		return kohaku_refuse(check, KOHAKU_REFUSAL_SOURCE_ALIGN, KOHAKU_WALKER_SRC, -1);
	if ((u64)move->index_count * move->row_words < check->dst_elements)
		return kohaku_refuse(check, KOHAKU_REFUSAL_SHORT_SOURCE, KOHAKU_WALKER_SRC, -1);
	return check_rows(check);
}

static int check_occupant(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;

	if (move->mode != KOHAKU_MOVE_XFORM)
		return 0;
	if (move->xform > OCCUPANT_MAX || move->xform_mode > OCCUPANT_MODE_MAX ||
	    !check->context->entry_beats)
		return kohaku_refuse(check, KOHAKU_REFUSAL_OCCUPANT, -1, -1);
	return 0;
}

/* The mover cannot cut entries: a window that does would fault or hang it. */
static int check_entry_windows(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;

	if (!kohaku_walk_all_inside(&move->src, check->src_elements))
		return kohaku_refuse(check, KOHAKU_REFUSAL_ENTRY_WINDOW, KOHAKU_WALKER_SRC, -1);
	if (!kohaku_walk_all_inside(&move->dst, check->dst_elements))
		return kohaku_refuse(check, KOHAKU_REFUSAL_ENTRY_WINDOW, KOHAKU_WALKER_DST, -1);
	return 0;
}

static int check_source(struct kohaku_check *check)
{
	struct kohaku_span *span = &check->facts->src;
	int error;

	*span = (struct kohaku_span){ .empty = true };
	switch (check->move->mode) {
	case KOHAKU_MOVE_GATHER:
		return check_gather_source(check);
	case KOHAKU_MOVE_COPY:
	case KOHAKU_MOVE_XFORM:
		error = check_source_place(check);
		if (!error)
			error = check_span(check, KOHAKU_WALKER_SRC, check->src_elements,
					   KOHAKU_WORD, span);
		return error;
	default:
		return 0;
	}
}

/* Bytes that a move writes at an element of its destination. */
static u32 write_size(const struct kohaku_move *move)
{
	return move->mode == KOHAKU_MOVE_XFORM ? ENTRY_SIZE : KOHAKU_WORD;
}

/* A misaligned word is a fault of the mover, a misaligned entry upsets the bus. */
static int check_destination(struct kohaku_check *check)
{
	u32 unit = write_size(check->move);
	int error = check_region(check, KOHAKU_WALKER_DST);

	if (!error && unit == ENTRY_SIZE)
		error = check_aligned(check, KOHAKU_WALKER_DST, ENTRY_SIZE,
				      KOHAKU_REFUSAL_ENTRY_ALIGN);
	if (!error)
		error = check_span(check, KOHAKU_WALKER_DST, check->dst_elements, unit,
				   &check->facts->dst);
	return error;
}

/* How much is written if the move ends well. */
static int count_words(struct kohaku_check *check)
{
	struct kohaku_move_facts *facts = check->facts;
	u32 words = write_size(check->move) / KOHAKU_WORD;
	int error = kohaku_walk_count(&check->move->dst, check->dst_elements,
				      check->context->scratch, &facts->words);

	facts->words *= words;
	return error;
}

/* To verify, the last word is overwritten beforehand: it must not be a source. */
static int check_verify(struct kohaku_check *check)
{
	const struct kohaku_move_context *context = check->context;
	const struct kohaku_move_facts *facts = check->facts;
	s64 first, last, word;

	if (!context->verify || facts->src.empty || facts->dst.empty)
		return 0;
	first = context->src->addr + check->move->src.offset + facts->src.lo;
	last = context->src->addr + check->move->src.offset + facts->src.hi;
	word = context->dst->addr + check->move->dst.offset + facts->dst.hi +
	       write_size(check->move) - KOHAKU_WORD;
	if (word > first - KOHAKU_WORD && word < last + KOHAKU_WORD)
		return kohaku_refuse(check, KOHAKU_REFUSAL_VERIFY, -1, -1);
	return 0;
}

int kohaku_move_check(const struct kohaku_move *move, const struct kohaku_move_context *context,
		      struct kohaku_move_facts *facts, struct kohaku_verdict *verdict)
{
	struct kohaku_check check = {
		.move = move, .context = context, .facts = facts, .verdict = verdict,
	};
	int error;

	*verdict = (struct kohaku_verdict){ KOHAKU_REFUSAL_NONE, -1, -1 };
	error = kohaku_check_fields(&check);
	if (!error)
		error = check_occupant(&check);
	if (!error)
		error = check_elements(&check);
	if (!error && move->mode == KOHAKU_MOVE_XFORM)
		error = check_entry_windows(&check);
	if (!error)
		error = check_source(&check);
	if (!error)
		error = check_destination(&check);
	if (!error)
		error = count_words(&check);
	if (!error)
		error = check_verify(&check);
	return error;
}
