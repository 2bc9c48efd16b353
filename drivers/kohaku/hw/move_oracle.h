/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Whether a move is legal, by its definition: enumerates elements, in 128 bits.
 * For tests and fuzzers of kohaku_move_check(), and deliberately unlike it.
 */
#ifndef KOHAKU_HW_MOVE_ORACLE_H
#define KOHAKU_HW_MOVE_ORACLE_H

#include "move.h"

/* Longer walks are not judged. */
#define ORACLE_ELEMENTS 20000

enum oracle_answer { ORACLE_ILLEGAL, ORACLE_LEGAL, ORACLE_TOO_LONG };

struct oracle_element {
	__int128 offset;		/* from the walker's offset */
	__int128 coordinates[2];
	bool inside;
};

static __int128 oracle_elements(const struct kohaku_walker *walker)
{
	__int128 elements = 1;
	u32 i;

	for (i = 0; i < walker->ndim; i++)
		elements *= walker->dims[i].count;
	return elements;
}

static struct oracle_element oracle_element(const struct kohaku_walker *walker, u64 number)
{
	struct oracle_element element = {
		.coordinates = { walker->windows[0].base, walker->windows[1].base },
		.inside = true,
	};
	u32 i, a;

	for (i = walker->ndim; i--; number /= walker->dims[i].count) {
		const struct kohaku_dim *dim = &walker->dims[i];
		__int128 index = number % dim->count;

		element.offset += index * dim->stride;
		if (dim->axis)
			element.coordinates[dim->axis - 1] += index * dim->step;
	}
	for (a = 0; a < 2; a++)
		if (walker->windows[a].extent &&
		    (element.coordinates[a] < 0 ||
		     element.coordinates[a] >= walker->windows[a].extent))
			element.inside = false;
	return element;
}

static bool oracle_zero(const void *bytes, size_t size)
{
	const u8 *p = bytes;
	u8 any = 0;

	while (size--)
		any |= *p++;
	return !any;
}

static bool oracle_fits(__int128 value, __int128 lo, __int128 hi)
{
	return value >= lo && value <= hi;
}

static bool oracle_walker_fields(const struct kohaku_walker *walker)
{
	u32 i;

	if (!oracle_fits(walker->ndim, 1, KOHAKU_MAX_DIMS))
		return false;
	for (i = 0; i < KOHAKU_MAX_DIMS; i++) {
		const struct kohaku_dim *dim = &walker->dims[i];

		if (i >= walker->ndim && !oracle_zero(dim, sizeof(*dim)))
			return false;
		if (i < walker->ndim &&
		    (!oracle_fits(dim->count, 1, 65535) || dim->axis > 2 ||
		     !oracle_fits(dim->stride, -(1LL << 31), (1LL << 31) - 1)))
			return false;
	}
	for (i = 0; i < 2; i++)
		if (!oracle_fits(walker->windows[i].base, -32768, 32767) ||
		    walker->windows[i].extent > 65535)
			return false;
	return true;
}

static bool oracle_coordinates(const struct kohaku_walker *walker)
{
	u64 n, total = oracle_elements(walker);
	u32 a;

	for (n = 0; n < total; n++) {
		struct oracle_element element = oracle_element(walker, n);

		for (a = 0; a < 2; a++)
			if (walker->windows[a].extent &&
			    !oracle_fits(element.coordinates[a], -32768, 32767))
				return false;
	}
	return true;
}

/* No source at all, a buffer and an offset, or a walk? */
enum oracle_source { ORACLE_SOURCE_NONE, ORACLE_SOURCE_ROWS, ORACLE_SOURCE_WALK };

static enum oracle_source oracle_source(const struct kohaku_move *move)
{
	switch (move->mode) {
	case KOHAKU_MOVE_COPY:
	case KOHAKU_MOVE_XFORM:
		return ORACLE_SOURCE_WALK;
	case KOHAKU_MOVE_GATHER:
		return ORACLE_SOURCE_ROWS;
	default:
		return ORACLE_SOURCE_NONE;
	}
}

/* Puts zeros where the mode looks; what is left over should have been zero. */
static bool oracle_unused_zero(const struct kohaku_move *move)
{
	struct kohaku_move rest = *move;

	rest.mode = 0;
	rest.flags = 0;
	rest.burst_cap = 0;
	memset(&rest.dst, 0, sizeof(rest.dst));
	switch (move->mode) {
	case KOHAKU_MOVE_GATHER:
		rest.indices = 0;
		rest.index_count = 0;
		rest.pitch = 0;
		rest.row_words = 0;
		rest.src.buffer = 0;
		rest.src.offset = 0;
		rest.width = 0;
		rest.imm = 0;
		break;
	case KOHAKU_MOVE_COPY:
		memset(&rest.src, 0, sizeof(rest.src));
		rest.width = 0;
		rest.imm = 0;
		break;
	case KOHAKU_MOVE_FILL:
		rest.width = 0;
		rest.imm = 0;
		break;
	case KOHAKU_MOVE_GENERATE:
		rest.seed = 0;
		break;
	case KOHAKU_MOVE_XFORM:
		memset(&rest.src, 0, sizeof(rest.src));
		rest.xform = 0;
		rest.xform_mode = 0;
		break;
	}
	return oracle_zero(&rest, sizeof(rest));
}

static bool oracle_fields(const struct kohaku_move *move)
{
	static const bool modes[] = { [0] = true, [2] = true, [3] = true, [4] = true, [5] = true };

	if (move->mode >= ARRAY_SIZE(modes) || !modes[move->mode] || move->flags > 1 ||
	    move->width > 2 || move->burst_cap > 7 || !oracle_unused_zero(move))
		return false;
	if (oracle_source(move) == ORACLE_SOURCE_WALK && !oracle_walker_fields(&move->src))
		return false;
	return oracle_walker_fields(&move->dst);
}

static bool oracle_stepped_aligned(const struct kohaku_walker *walker, u64 addr, u32 granule)
{
	u32 i;

	for (i = 0; i < walker->ndim; i++)
		if (walker->dims[i].count > 1 && walker->dims[i].stride % (s64)granule)
			return false;
	return !((addr + walker->offset) % granule);
}

/* Is the element within its buffer, and within the mover's reach? */
static bool oracle_element_fits(const struct oracle_element *element,
				const struct kohaku_walker *walker,
				const struct kohaku_region *region, u32 unit)
{
	__int128 byte = element->offset + walker->offset;

	return oracle_fits(byte, 0, (__int128)region->size - unit) &&
	       oracle_fits(element->offset, -(1LL << 31), (1LL << 31) - 1);
}

static void oracle_touch(struct kohaku_span *span, s64 offset)
{
	if (span->empty || offset < span->lo)
		span->lo = offset;
	if (span->empty || offset > span->hi)
		span->hi = offset;
	span->empty = false;
}

/* unit: bytes an element touches; cut: whether an element may be outside. */
static bool oracle_walk(const struct kohaku_walker *walker, const struct kohaku_region *region,
			u64 elements, u32 unit, bool cut, struct kohaku_span *span, u64 *touched)
{
	u64 n;

	*touched = 0;
	for (n = 0; n < elements; n++) {
		struct oracle_element element = oracle_element(walker, n);

		if (!element.inside && !cut)
			return false;
		if (!element.inside)
			continue;
		if (!oracle_element_fits(&element, walker, region, unit))
			return false;
		oracle_touch(span, element.offset);
		*touched += 1;
	}
	return true;
}

static bool oracle_rows(const struct kohaku_move *move, const struct kohaku_move_context *context,
			u64 elements, struct kohaku_span *span)
{
	u64 n;

	if (!oracle_fits(move->index_count, 1, 2048) || !oracle_fits(move->row_words, 1, 65535) ||
	    move->pitch % 32)
		return false;
	for (n = 0; n < elements; n++) {
		u64 row = n / move->row_words, word = n % move->row_words;
		__int128 product;

		if (row >= move->index_count)
			return false;
		product = (__int128)context->indices[row] * move->pitch;
		if (!oracle_fits(product, 0, (1LL << 32) - 1))
			return false;
		product += 32 * word;
		if (!oracle_fits(product + move->src.offset, 0, (__int128)context->src->size - 32))
			return false;
		oracle_touch(span, product);
	}
	return true;
}

static bool oracle_verify(const struct kohaku_move *move, const struct kohaku_move_context *context,
			  const struct kohaku_move_facts *facts)
{
	u32 last = move->mode == KOHAKU_MOVE_XFORM ? 96 : 0;
	s64 byte, word, src;

	if (!context->verify || facts->src.empty || facts->dst.empty)
		return true;
	word = context->dst->addr + move->dst.offset + facts->dst.hi + last;
	src = context->src->addr + move->src.offset;
	for (byte = word; byte < word + 32; byte++)
		if (byte >= src + facts->src.lo && byte < src + facts->src.hi + 32)
			return false;
	return true;
}

static bool oracle_region(const struct kohaku_walker *walker, const struct kohaku_region *region,
			  u32 mesh, bool remote)
{
	return (remote || (region->addr >> 36 & 3) == mesh) && walker->offset > -(1LL << 40) &&
	       walker->offset < 1LL << 40;
}

static enum oracle_answer oracle_transform(const struct kohaku_move *move,
					   const struct kohaku_move_context *context,
					   struct kohaku_move_facts *facts)
{
	u32 beats = context->entry_beats;
	u64 src = oracle_elements(&move->src), dst = oracle_elements(&move->dst), read;

	if (!beats || move->xform > 15 || move->xform_mode > 15 || src % beats || src / beats > dst)
		return ORACLE_ILLEGAL;
	facts->elements = src;
	if (!oracle_stepped_aligned(&move->dst, context->dst->addr, 128) ||
	    !oracle_walk(&move->src, context->src, src, 32, false, &facts->src, &read) ||
	    !oracle_walk(&move->dst, context->dst, src / beats, 128, false, &facts->dst,
			 &facts->words))
		return ORACLE_ILLEGAL;
	facts->words *= 4;
	return ORACLE_LEGAL;
}

static enum oracle_answer oracle_words(const struct kohaku_move *move,
				       const struct kohaku_move_context *context,
				       struct kohaku_move_facts *facts)
{
	u64 dst = oracle_elements(&move->dst), read;

	facts->elements = dst;
	if (!oracle_walk(&move->dst, context->dst, dst, 32, true, &facts->dst, &facts->words))
		return ORACLE_ILLEGAL;
	if (move->mode == KOHAKU_MOVE_COPY &&
	    (oracle_elements(&move->src) < dst ||
	     !oracle_walk(&move->src, context->src, dst, 32, true, &facts->src, &read)))
		return ORACLE_ILLEGAL;
	if (move->mode == KOHAKU_MOVE_GATHER && !oracle_rows(move, context, dst, &facts->src))
		return ORACLE_ILLEGAL;
	return ORACLE_LEGAL;
}

static enum oracle_answer oracle_move(const struct kohaku_move *move,
				      const struct kohaku_move_context *context,
				      struct kohaku_move_facts *facts)
{
	enum oracle_source source = oracle_source(move);
	enum oracle_answer answer;

	*facts = (struct kohaku_move_facts){ .src.empty = true, .dst.empty = true };
	if (!oracle_fields(move))
		return ORACLE_ILLEGAL;
	if (oracle_elements(&move->dst) > ORACLE_ELEMENTS ||
	    (source == ORACLE_SOURCE_WALK && oracle_elements(&move->src) > ORACLE_ELEMENTS))
		return ORACLE_TOO_LONG;
	if (source == ORACLE_SOURCE_WALK && !oracle_coordinates(&move->src))
		return ORACLE_ILLEGAL;
	if (source != ORACLE_SOURCE_NONE &&
	    (!oracle_region(&move->src, context->src, context->mesh, false) ||
	     !oracle_stepped_aligned(&move->src, context->src->addr, 32)))
		return ORACLE_ILLEGAL;
	if (!oracle_coordinates(&move->dst) ||
	    !oracle_region(&move->dst, context->dst, context->mesh, context->remote))
		return ORACLE_ILLEGAL;
	if (move->mode == KOHAKU_MOVE_XFORM)
		answer = oracle_transform(move, context, facts);
	else
		answer = oracle_words(move, context, facts);
	if (answer == ORACLE_LEGAL && !oracle_verify(move, context, facts))
		return ORACLE_ILLEGAL;
	return answer;
}

#endif
