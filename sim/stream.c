// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * COPY, GATHER, GENERATE and FILL: every element of the destination walk is one
 * word that is skipped, filled, generated or read.
 *
 * Elements are taken a stretch at a time.  All of a stretch are of one kind, so
 * that its bursts are computed and its bytes are moved in plain loops.  The
 * result is that of going word by word, in order, also when the sides overlap.
 */
#include "sim/mesh.h"
#include "sim/philox.h"

enum kind { KIND_SKIP, KIND_READ, KIND_FILL, KIND_GENERATE };

/* The next elements, and what becomes of them. */
struct piece {
	enum kind kind;
	struct sim_stretch src, dst;
	u64 count;
};

/* Through registers, since both may be the same word. */
static inline void copy_word(u8 *to, const u8 *from)
{
	u64 word[KOHAKU_WORD / sizeof(u64)];

	memcpy(word, from, sizeof(word));
	memcpy(to, word, sizeof(word));
}

static void copy_block(u8 *to, s64 to_stride, const u8 *from, s64 from_stride, u64 count)
{
	u64 size = count << KOHAKU_WORD_SHIFT;

	if (to_stride == KOHAKU_WORD && from_stride == KOHAKU_WORD &&
	    (to + size <= from || from + size <= to)) {
		memcpy(to, from, size);
		return;
	}
	for (; count >= 4; count -= 4) {
		copy_word(to, from);
		copy_word(to + to_stride, from + from_stride);
		copy_word(to + 2 * to_stride, from + 2 * from_stride);
		copy_word(to + 3 * to_stride, from + 3 * from_stride);
		to += 4 * to_stride;
		from += 4 * from_stride;
	}
	for (; count; count--, to += to_stride, from += from_stride)
		copy_word(to, from);
}

/* Copied again and again from the start, so it had better stay in the cache. */
#define FILL_BLOCK 16384

static void fill_adjacent(u8 *to, const u8 *pattern, u64 size)
{
	u64 ready = KOHAKU_WORD;

	if (!memcmp(pattern, pattern + 1, KOHAKU_WORD - 1)) {
		memset(to, pattern[0], size);
		return;
	}
	memcpy(to, pattern, KOHAKU_WORD);
	while (ready < size) {
		u64 part = min_t(u64, min(ready, size - ready), FILL_BLOCK);

		memcpy(to + ready, to, part);
		ready += part;
	}
}

static void fill_block(u8 *to, s64 stride, const u8 *pattern, u64 count)
{
	if (stride == KOHAKU_WORD) {
		fill_adjacent(to, pattern, count << KOHAKU_WORD_SHIFT);
		return;
	}
	for (; count; count--, to += stride)
		memcpy(to, pattern, KOHAKU_WORD);
}

static void generate_block(u8 *to, s64 stride, u64 seed, u64 addr, u64 count)
{
	for (; count; count--, to += stride, addr += stride)
		sim_philox_word(seed, addr, to);
}

static void show_block(struct sim_mesh *mesh, u64 addr, const u8 *bytes, s64 stride, u64 count)
{
	if (stride == KOHAKU_WORD) {
		mesh->probe.data(mesh->probe.ctx, addr, bytes, count);
		return;
	}
	for (; count; count--, bytes += stride, addr += stride)
		mesh->probe.data(mesh->probe.ctx, addr, bytes, 1);
}

static void write_block(struct sim_mesh *mesh, const struct piece *piece, u8 *to,
			const u8 *from, u64 count)
{
	const struct sim_stretch *dst = &piece->dst;

	if (piece->kind == KIND_READ)
		copy_block(to, dst->stride, from, piece->src.stride, count);
	else if (piece->kind == KIND_FILL)
		fill_block(to, dst->stride, mesh->mover.pattern, count);
	else
		generate_block(to, dst->stride, mesh->mover.seed, dst->addr, count);
	if (mesh->probe.data)
		show_block(mesh, dst->addr, to, dst->stride, count);
}

/* Finds the memory of the source; how many words of it lie in one place. */
static const u8 *find_source(struct sim_mesh *mesh, const struct piece *piece, u64 *count)
{
	const struct sim_stretch *src = &piece->src;
	struct sim_view *view = &mesh->mover.from;
	/* The bus drops the low address bits. */
	u64 addr = src->addr & ~(u64)(KOHAKU_WORD - 1);
	const u8 *from = sim_view_at(view, mesh, addr);

	if (src->stride & (KOHAKU_WORD - 1))
		*count = 1;
	else if (from)
		*count = sim_view_count(view, addr, src->stride, *count);
	return from;
}

/* Finds the memory of the destination; for another mesh's, room for one word. */
static u8 *find_destination(struct sim_mesh *mesh, const struct piece *piece, u8 *bounce,
			    u64 *count)
{
	struct sim_view *view = &mesh->mover.to;
	u8 *to = sim_view_at(view, mesh, piece->dst.addr);

	if (to) {
		*count = sim_view_count(view, piece->dst.addr, piece->dst.stride, *count);
		/* A word written over and over is to be seen every time. */
		if (mesh->probe.data && !piece->dst.stride)
			*count = 1;
	} else if (view->reach == SIM_REACH_REMOTE) {
		*count = 1;
		to = bounce;
	}
	return to;
}

/* Moves words until the first that finds no memory; returns how many. */
static u64 move_words(struct sim_mesh *mesh, const struct piece *whole)
{
	struct sim_mover *mover = &mesh->mover;
	struct piece piece = *whole;
	u64 left = piece.count;
	u8 bounce[KOHAKU_WORD];

	while (left) {
		const u8 *from = NULL;
		u64 count = left;
		u8 *to;

		if (piece.kind == KIND_READ) {
			from = find_source(mesh, &piece, &count);
			if (!from) {
				sim_mover_fail(mesh, mover->from.reach);
				break;
			}
		}
		to = find_destination(mesh, &piece, bounce, &count);
		if (!to) {
			sim_mover_fail(mesh, mover->to.reach);
			break;
		}
		write_block(mesh, &piece, to, from, count);
		if (to == bounce)
			sim_interlink_post(mesh, piece.dst.addr, bounce);
		piece.src.addr += piece.src.stride * (s64)count;
		piece.dst.addr += piece.dst.stride * (s64)count;
		left -= count;
	}
	return piece.count - left;
}

static void account(struct sim_mesh *mesh, const struct piece *piece, u64 count)
{
	struct sim_mover *mover = &mesh->mover;
	bool generate = piece->kind == KIND_GENERATE;

	if (piece->kind == KIND_READ)
		sim_channel_add(&mover->read, piece->src.addr, piece->src.stride, count,
				mover->read_cap, KIND_READ);
	else
		sim_channel_close(&mover->read);
	if (piece->kind == KIND_SKIP)
		sim_channel_close(&mover->write);
	else
		sim_channel_add(&mover->write, piece->dst.addr, piece->dst.stride, count,
				generate ? 1 : mover->write_cap, piece->kind);
	mover->elements += count;
}

/* One element of a move that is watched for errors; true when one came. */
static bool errors(struct sim_mesh *mesh, const struct piece *piece)
{
	bool error = false;

	if (piece->kind == KIND_SKIP)
		return false;
	if (piece->kind == KIND_READ) {
		error = sim_mover_beat_fails(mesh);
		error |= sim_mover_read_fails(mesh, piece->src.addr);
	}
	error |= sim_mover_beat_fails(mesh);
	sim_mover_mark_written(mesh, piece->dst.addr);
	return error;
}

static void source_ahead(const struct sim_mover *mover, struct sim_stretch *stretch)
{
	if (mover->mode == KOHAKU_MODE_GATHER)
		sim_gather_ahead(&mover->gather, stretch);
	else
		sim_walk_ahead(&mover->src, stretch);
}

static bool has_source(const struct sim_mover *mover)
{
	return mover->mode != KOHAKU_MODE_FILL && mover->mode != KOHAKU_MODE_GENERATE;
}

static enum kind classify(const struct sim_mover *mover, const struct piece *piece)
{
	if (!piece->dst.inside)
		return KIND_SKIP;
	if (mover->mode == KOHAKU_MODE_FILL)
		return KIND_FILL;
	if (mover->mode == KOHAKU_MODE_GENERATE)
		return KIND_GENERATE;
	return piece->src.inside ? KIND_READ : KIND_FILL;
}

static void look_ahead(const struct sim_mover *mover, u64 words, struct piece *piece)
{
	sim_walk_ahead(&mover->dst, &piece->dst);
	piece->count = min(piece->dst.count, words);
	if (has_source(mover)) {
		source_ahead(mover, &piece->src);
		piece->count = min(piece->count, piece->src.count);
	}
	piece->kind = classify(mover, piece);
	if (mover->careful || (piece->dst.inside && piece->dst.stride & (KOHAKU_WORD - 1)))
		piece->count = 1;
}

static void step_over(struct sim_mover *mover, u64 count)
{
	sim_walk_skip(&mover->dst, count);
	if (mover->mode == KOHAKU_MODE_GATHER)
		sim_gather_skip(&mover->gather, count);
	else if (has_source(mover))
		sim_walk_skip(&mover->src, count);
}

u64 sim_stream_run(struct sim_mesh *mesh, u64 words)
{
	struct sim_mover *mover = &mesh->mover;
	struct piece piece = { 0 };

	while (words && mover->busy && !mover->hung) {
		u64 count;

		look_ahead(mover, words, &piece);
		if (piece.dst.inside && piece.dst.addr & (KOHAKU_WORD - 1)) {
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_ALIGN);
			break;
		}
		count = piece.kind == KIND_SKIP ? piece.count : move_words(mesh, &piece);
		account(mesh, &piece, count);
		step_over(mover, count);
		words -= count;
		if (count < piece.count)
			break;
		if (mover->careful && errors(mesh, &piece))
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_AXI);
		else if (mover->dst.done)
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_NONE);
	}
	return words;
}
