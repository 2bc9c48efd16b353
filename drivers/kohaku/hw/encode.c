// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A move as the register program that asks for it.
 *
 * Nothing in the mover is cleared between moves, so every program writes all
 * that it depends on.  Windows come first: a window or header write between the
 * two halves of a dimension would send that dimension to the wrong walker.
 */
#include "move.h"

static void emit(struct kohaku_program *program, u32 offset, u64 value)
{
	program->writes[program->length++] = (struct kohaku_reg_write){
		.offset = offset,
		.value = value,
	};
}

static void emit_windows(struct kohaku_program *program, const struct kohaku_walker *walker,
			 u32 which)
{
	u32 axis;

	for (axis = 0; axis < 2; axis++)
		emit(program, KOHAKU_REG_WINDOW,
		     KOHAKU_PUT(KOHAKU_WALKER, which) |
		     KOHAKU_PUT(KOHAKU_WINDOW_AXIS, axis) |
		     KOHAKU_PUT(KOHAKU_WINDOW_BASE, walker->windows[axis].base) |
		     KOHAKU_PUT(KOHAKU_WINDOW_EXTENT, walker->windows[axis].extent));
}

static void emit_dim(struct kohaku_program *program, const struct kohaku_dim *dim, u32 index,
		     u32 which)
{
	emit(program, KOHAKU_REG_DIM_STAGE,
	     KOHAKU_PUT(KOHAKU_WALKER, which) |
	     KOHAKU_PUT(KOHAKU_DIM_INDEX, index) |
	     KOHAKU_PUT(KOHAKU_DIM_COUNT, dim->count) |
	     KOHAKU_PUT(KOHAKU_DIM_STRIDE, dim->stride));
	emit(program, KOHAKU_REG_DIM_LATCH,
	     KOHAKU_PUT(KOHAKU_DIM_AXIS, dim->axis) |
	     KOHAKU_PUT(KOHAKU_DIM_STEP, dim->step));
}

/* extra: the fields that only a source header has. */
static void emit_walker(struct kohaku_program *program, const struct kohaku_walker *walker,
			u64 addr, u32 which, u64 extra)
{
	u32 i;

	emit(program, KOHAKU_REG_HEADER,
	     KOHAKU_PUT(KOHAKU_WALKER, which) |
	     KOHAKU_PUT(KOHAKU_HEADER_BASE, addr + walker->offset) |
	     KOHAKU_PUT(KOHAKU_HEADER_NDIM, walker->ndim) | extra);
	for (i = 0; i < walker->ndim; i++)
		emit_dim(program, &walker->dims[i], i, which);
}

static void emit_go(struct kohaku_program *program, const struct kohaku_move *move)
{
	u64 coalesce = move->flags & KOHAKU_MOVE_COALESCE ? KOHAKU_CTRL_COALESCE : 0;

	emit(program, KOHAKU_REG_CTRL,
	     KOHAKU_PUT(KOHAKU_CTRL_MODE, move->mode) |
	     KOHAKU_PUT(KOHAKU_CTRL_WIDTH, move->width) |
	     KOHAKU_PUT(KOHAKU_CTRL_CAP, move->burst_cap) |
	     coalesce | KOHAKU_CTRL_GO);
}

void kohaku_move_encode(const struct kohaku_move *move, u64 src_addr, u64 dst_addr,
			u64 index_addr, struct kohaku_program *program)
{
	program->length = 0;
	emit_windows(program, &move->src, KOHAKU_WALKER_SRC);
	emit_windows(program, &move->dst, KOHAKU_WALKER_DST);
	emit_walker(program, &move->src, src_addr, KOHAKU_WALKER_SRC,
		    KOHAKU_PUT(KOHAKU_HEADER_XFORM, move->xform) |
		    KOHAKU_PUT(KOHAKU_HEADER_XMODE, move->xform_mode));
	emit_walker(program, &move->dst, dst_addr, KOHAKU_WALKER_DST, 0);
	emit(program, KOHAKU_REG_IMM, move->imm);
	emit(program, KOHAKU_REG_SEED, move->seed);
	emit(program, KOHAKU_REG_INDEX,
	     KOHAKU_PUT(KOHAKU_INDEX_BASE, index_addr) |
	     KOHAKU_PUT(KOHAKU_INDEX_COUNT, move->index_count));
	emit(program, KOHAKU_REG_GATHER,
	     KOHAKU_PUT(KOHAKU_GATHER_PITCH, move->pitch) |
	     KOHAKU_PUT(KOHAKU_GATHER_WORDS, move->row_words));
	emit_go(program, move);
}

/* Two dimensions of these words make the 2 GiB that a walk reaches. */
#define ZERO_ROW_WORDS	32768U
#define ZERO_ROWS_MAX	2048U

u64 kohaku_zero_encode(u64 addr, u64 size, struct kohaku_program *program)
{
	u64 words = size >> KOHAKU_WORD_SHIFT;
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_FILL,
		.flags = KOHAKU_MOVE_COALESCE,
		.dst.ndim = 2,
	};
	struct kohaku_dim *rows = &move.dst.dims[0], *row = &move.dst.dims[1];

	row->count = min_t(u64, words, ZERO_ROW_WORDS);
	row->stride = KOHAKU_WORD;
	rows->count = min_t(u64, words / ZERO_ROW_WORDS, ZERO_ROWS_MAX);
	rows->count = max(rows->count, 1U);
	rows->stride = (s64)ZERO_ROW_WORDS * KOHAKU_WORD;
	kohaku_move_encode(&move, 0, addr, 0, program);
	return (u64)rows->count * row->count * KOHAKU_WORD;
}
