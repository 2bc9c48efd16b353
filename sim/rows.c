// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Many short rows of a move in one go.
 *
 * Looking ahead, decoding addresses and counting bursts cost as much as moving a
 * kilobyte.  Where two loops of each walk run in step, or where a gather picks
 * row after row, that is paid once for all of them.
 */
#include "sim/rows.h"

#include "sim/mesh.h"
#include "sim/words.h"

/* Rows of count words each, and where they lie on both sides. */
struct block {
	bool read;		/* else they are filled */
	u64 count, rows;
	u64 src_addr, dst_addr;
	struct sim_grid src, dst;
};

/* May words go unseen, and be moved before those of the row before? */
static bool unobserved(const struct sim_mesh *mesh)
{
	const struct sim_mover *mover = &mesh->mover;

	return !mover->careful && !mover->read.closed && !mover->write.closed &&
	       !mesh->probe.data && mover->dst.regular;
}

/* Finds rows of one stretch each; false when there are fewer than two. */
static bool look_ahead(const struct sim_mover *mover, u64 words, struct block *block)
{
	struct sim_stretch src, dst;

	sim_walk_ahead(&mover->dst, &dst);
	block->count = dst.count;
	if (block->read) {
		sim_walk_ahead(&mover->src, &src);
		block->count = min(block->count, src.count);
		block->src_addr = src.addr;
		block->src.stride = src.stride;
	}
	if (block->count > words / 2)
		return false;
	block->dst_addr = dst.addr;
	block->dst.stride = dst.stride;
	block->rows = min(words / block->count,
			  sim_walk_rows(&mover->dst, block->count, &block->dst.step));
	if (block->read)
		block->rows = min(block->rows,
				  sim_walk_rows(&mover->src, block->count, &block->src.step));
	return block->rows > 1;
}

/* How many of the rows lie in the chunk of the first word. */
static u64 rows_in_view(const struct sim_view *view, u64 addr, const struct sim_grid *grid,
			u64 count, u64 rows)
{
	s64 reach = grid->stride * (s64)(count - 1);
	bool onward = reach > 0, upward = grid->step > 0;

	if (sim_view_count(view, addr, grid->stride, count) < count)
		return 0;
	/* The word of the first row that leaves it first. */
	if (onward == upward)
		addr += reach;
	return sim_view_count(view, addr, grid->step, rows);
}

static void move_block(struct sim_mesh *mesh, const struct block *block, u8 *to, const u8 *from)
{
	const struct sim_grid *grid = &block->dst;
	u64 row;

	if (block->read) {
		sim_words_copy_rows(to, grid, from, &block->src, block->count, block->rows);
		return;
	}
	for (row = 0; row < block->rows; row++, to += grid->step)
		sim_words_fill(to, grid->stride, mesh->mover.pattern, block->count);
}

static void account(struct sim_mesh *mesh, const struct block *block)
{
	struct sim_mover *mover = &mesh->mover;

	if (block->read)
		sim_channel_add_rows(&mover->read, block->src_addr, block->src.stride,
				     block->count, block->src.step, block->rows, mover->read_cap,
				     SIM_KIND_READ);
	else
		sim_channel_close(&mover->read);
	sim_channel_add_rows(&mover->write, block->dst_addr, block->dst.stride, block->count,
			     block->dst.step, block->rows, mover->write_cap,
			     block->read ? SIM_KIND_READ : SIM_KIND_FILL);
	mover->elements += block->count * block->rows;
}

/* Rows at equal distances on both sides. */
static u64 run_block(struct sim_mesh *mesh, u64 words)
{
	struct sim_mover *mover = &mesh->mover;
	struct block block = { .read = mover->mode != KOHAKU_MODE_FILL };
	const u8 *from = NULL;
	u8 *to;

	if (!look_ahead(mover, words, &block))
		return 0;
	block.rows = rows_in_view(&mover->to, block.dst_addr, &block.dst, block.count, block.rows);
	if (block.rows && block.read)
		block.rows = rows_in_view(&mover->from, block.src_addr, &block.src, block.count,
					  block.rows);
	if (block.rows < 2)
		return 0;
	if (block.read)
		from = sim_view_at(&mover->from, mesh, block.src_addr);
	to = sim_view_at(&mover->to, mesh, block.dst_addr);
	if (!to || (block.read && !from))
		return 0;
	move_block(mesh, &block, to, from);
	account(mesh, &block);
	sim_walk_skip_rows(&mover->dst, block.count, block.rows);
	if (block.read)
		sim_walk_skip_rows(&mover->src, block.count, block.rows);
	return block.count * block.rows;
}

/* Picks rows that lie in one chunk each; returns how many. */
static u64 pick_rows(struct sim_mesh *mesh, u8 *to, s64 stride, u64 rows)
{
	struct sim_mover *mover = &mesh->mover;
	struct sim_gather *gather = &mover->gather;
	u64 count = gather->row_words;
	u64 row;

	for (row = 0; row < rows; row++, to += stride * (s64)count) {
		u64 addr = sim_gather_addr(gather, gather->row, 0);
		const u8 *from = sim_view_at(&mover->from, mesh, addr);

		if (!from || sim_view_count(&mover->from, addr, KOHAKU_WORD, count) < count)
			break;
		if (count == 1) {
			sim_word_copy(to, from);
			sim_channel_add_word(&mover->read, addr, mover->read_cap, SIM_KIND_READ);
		} else {
			sim_words_copy(to, stride, from, KOHAKU_WORD, count);
			sim_channel_add(&mover->read, addr, KOHAKU_WORD, count, mover->read_cap,
					SIM_KIND_READ);
		}
		sim_gather_skip(gather, count);
	}
	return row;
}

/* Rows of a gather that come to lie in one stretch of the destination. */
static u64 run_gather(struct sim_mesh *mesh, u64 words)
{
	struct sim_mover *mover = &mesh->mover;
	u64 count = mover->gather.row_words;
	struct sim_stretch dst;
	u64 rows;
	u8 *to;

	if (mover->gather.word || !mover->gather.regular)
		return 0;
	sim_walk_ahead(&mover->dst, &dst);
	rows = sim_view_count(&mover->to, dst.addr, dst.stride, min(dst.count, words)) / count;
	to = rows ? sim_view_at(&mover->to, mesh, dst.addr) : NULL;
	if (!to)
		return 0;
	words = count * pick_rows(mesh, to, dst.stride, rows);
	if (!words)
		return 0;
	sim_channel_add(&mover->write, dst.addr, dst.stride, words, mover->write_cap,
			SIM_KIND_READ);
	mover->elements += words;
	sim_walk_skip(&mover->dst, words);
	return words;
}

u64 sim_rows_run(struct sim_mesh *mesh, u64 words)
{
	const struct sim_mover *mover = &mesh->mover;

	if (!unobserved(mesh))
		return 0;
	switch (mover->mode) {
	case KOHAKU_MODE_GATHER:
		return run_gather(mesh, words);
	case KOHAKU_MODE_FILL:
		return run_block(mesh, words);
	case KOHAKU_MODE_COPY:
		return mover->src.regular ? run_block(mesh, words) : 0;
	default:
		return 0;
	}
}
