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
#include "sim/rows.h"
#include "sim/words.h"

/* The next elements, and what becomes of them. */
struct piece {
	enum sim_kind kind;
	struct sim_stretch src, dst;
	u64 count;
};

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

	if (piece->kind == SIM_KIND_READ)
		sim_words_copy(to, dst->stride, from, piece->src.stride, count);
	else if (piece->kind == SIM_KIND_FILL)
		sim_words_fill(to, dst->stride, mesh->mover.pattern, count);
	else
		sim_words_generate(to, dst->stride, mesh->mover.seed, dst->addr, count);
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

		if (piece.kind == SIM_KIND_READ) {
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
	bool generate = piece->kind == SIM_KIND_GENERATE;

	if (piece->kind == SIM_KIND_READ)
		sim_channel_add(&mover->read, piece->src.addr, piece->src.stride, count,
				mover->read_cap, SIM_KIND_READ);
	else
		sim_channel_close(&mover->read);
	if (piece->kind == SIM_KIND_SKIP)
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

	if (piece->kind == SIM_KIND_SKIP)
		return false;
	if (piece->kind == SIM_KIND_READ) {
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

static enum sim_kind classify(const struct sim_mover *mover, const struct piece *piece)
{
	if (!piece->dst.inside)
		return SIM_KIND_SKIP;
	if (mover->mode == KOHAKU_MODE_FILL)
		return SIM_KIND_FILL;
	if (mover->mode == KOHAKU_MODE_GENERATE)
		return SIM_KIND_GENERATE;
	return piece->src.inside ? SIM_KIND_READ : SIM_KIND_FILL;
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
		u64 count = sim_rows_run(mesh, words);

		words -= count;
		if (count) {
			if (mover->dst.done)
				sim_mover_retire(mesh, KOHAKU_HW_FAULT_NONE);
			continue;
		}
		look_ahead(mover, words, &piece);
		if (piece.dst.inside && piece.dst.addr & (KOHAKU_WORD - 1)) {
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_ALIGN);
			break;
		}
		count = piece.kind == SIM_KIND_SKIP ? piece.count : move_words(mesh, &piece);
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
