// SPDX-License-Identifier: GPL-2.0
/* Recordings of what programs do with memory: dead conversions, staging. */
#include "relayout.h"

#include "hw/address.h"
#include "hw/arena.h"

#include <stdlib.h>

/* "K lo hi .." as spans; the caller frees them. */
static struct kohaku_extent *take_spans(const struct recording *recording, size_t at, size_t *count)
{
	struct kohaku_extent *spans;

	*count = token_number(recording, at);
	spans = calloc(*count + 1, sizeof(*spans));
	for (size_t i = 0; spans && i < *count; i++) {
		spans[i].start = token_number(recording, at + 1 + 2 * i);
		spans[i].end = token_number(recording, at + 2 + 2 * i);
	}
	return spans;
}

enum outcome relayout_whole(struct recording *recording)
{
	size_t count;
	struct kohaku_extent *spans = take_spans(recording, 2, &count);
	bool covered = spans && kohaku_extents_cover(spans, count, token_number(recording, 1));

	free(spans);
	if (!same(recording, "covered", covered, token_number(recording, 3 + 2 * count)))
		return FAILED;
	return PASSED;
}

/* One conversion: its stage's writes are recorded as spans. */
static bool same_conversion(const struct recording *recording, bool *dead)
{
	size_t at = after(recording, "spans"), count = token_number(recording, at);
	struct kohaku_write *writes = calloc(count + 1, sizeof(*writes));

	if (!writes)
		return false;
	for (size_t i = 0; i < count; i++) {
		uint64_t start = token_number(recording, at + 1 + 2 * i);

		writes[i] = (struct kohaku_write){
			.kind = KOHAKU_WRITE_PART,
			.offset = start,
			.span = token_number(recording, at + 2 + 2 * i) - start,
		};
	}
	*dead = kohaku_conversion_dead(number_after(recording, "reads"), writes, count,
				       number_after(recording, "held"));
	free(writes);
	return same(recording, "dead", *dead, number_after(recording, "dead"));
}

enum outcome relayout_dead(struct recording *recording)
{
	uint64_t conversions = number_after(recording, "conversions"), found = 0;
	uint64_t dead = number_after(recording, "dead"), found_dead = 0;
	bool ok = true, one = false;

	while (recording_next_if(recording, "conv")) {
		ok = same_conversion(recording, &one) && ok;
		found++;
		found_dead += one;
	}
	return ok && same(recording, "conversions", found, conversions) &&
	       same(recording, "dead conversions", found_dead, dead) ? PASSED : FAILED;
}

#define BLOCKS_MAX 256

/* An allocator and what was allocated; a free block has no size. */
struct trace {
	struct kohaku_arena arena;
	struct kohaku_block blocks[BLOCKS_MAX];
	u64 base;
};

static struct kohaku_block *find_block(struct trace *trace, u64 size, u64 start)
{
	for (size_t i = 0; i < BLOCKS_MAX; i++)
		if (!size == !trace->blocks[i].size && (!size || trace->blocks[i].start == start))
			return &trace->blocks[i];
	return NULL;
}

static bool replay_alloc(const struct recording *recording, struct trace *trace)
{
	struct kohaku_block *block = find_block(trace, 0, 0);
	bool full = token_is(recording, 2, "full");

	if (kohaku_arena_alloc(&trace->arena, block, token_number(recording, 1)))
		return full || (fail(recording, "it does not fit"), false);
	return !full ? same(recording, "address", trace->base + block->start,
			    token_hex(recording, 2))
		     : (fail(recording, "it fits"), false);
}

static bool replay_free(const struct recording *recording, struct trace *trace)
{
	struct kohaku_block *block =
		find_block(trace, 1, token_hex(recording, 1) - trace->base);

	if (!block)
		return fail(recording, "nothing is there"), false;
	kohaku_arena_free(&trace->arena, block);
	return true;
}

static bool replay_query(const struct recording *recording, const struct trace *trace)
{
	return same(recording, "used", trace->arena.used, number_after(recording, "used")) &&
	       same(recording, "largest", kohaku_arena_largest_free(&trace->arena),
		    number_after(recording, "largest"));
}

enum outcome relayout_arena(struct recording *recording)
{
	struct trace *trace = calloc(1, sizeof(*trace));
	bool ok = trace;

	if (trace) {
		trace->base = token_hex(recording, 1);
		kohaku_arena_init(&trace->arena, token_number(recording, 2),
				  token_number(recording, 3));
	}
	for (;;) {
		if (recording_next_if(recording, "a"))
			ok = ok && replay_alloc(recording, trace);
		else if (recording_next_if(recording, "r"))
			ok = ok && replay_free(recording, trace);
		else if (recording_next_if(recording, "q"))
			ok = ok && replay_query(recording, trace);
		else
			break;
	}
	free(trace);
	return ok ? PASSED : FAILED;
}

static bool same_address(const struct recording *recording, int error, u64 addr, size_t at)
{
	if (token_is(recording, at, "refused"))
		return error || (fail(recording, "not refused"), false);
	return !error ? same(recording, "address", addr, token_hex(recording, at))
		      : (fail(recording, "refused"), false);
}

static bool same_hops(const struct recording *recording)
{
	u32 from = token_number(recording, 1);

	for (u32 to = 0; to < KOHAKU_MESHES_MAX; to++)
		if (!same(recording, "hops", kohaku_address_hops(from, to),
			  token_number(recording, 2 + to)))
			return false;
	return true;
}

enum outcome relayout_address(struct recording *recording)
{
	u64 addr = token_hex(recording, 1);
	bool ok;
	int error;

	if (token_is(recording, 0, "stage")) {
		error = kohaku_address_onchip(token_number(recording, 1), 0,
					      token_number(recording, 2), &addr);
		ok = same_address(recording, error, addr, 3);
	} else if (token_is(recording, 0, "aperture")) {
		error = kohaku_address_onchip(0, token_number(recording, 1), 0, &addr);
		ok = same_address(recording, error, addr, 2);
	} else if (token_is(recording, 0, "dec")) {
		ok = same(recording, "aperture", kohaku_address_aperture(addr),
			  number_after(recording, "aperture")) &&
		     same(recording, "mesh", kohaku_address_mesh(addr),
			  number_after(recording, "mesh"));
	} else if (token_is(recording, 0, "wrap")) {
		ok = same(recording, "offset", kohaku_address_staging_offset(addr),
			  number_after(recording, "offset"));
	} else {
		ok = same_hops(recording);
	}
	return ok ? PASSED : FAILED;
}
