// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The mover's registers.
 */
#include "sim/registers.h"

void sim_registers_reset(struct sim_registers *regs)
{
	*regs = (struct sim_registers){
		.width = 1,
		.row_words = 1,
		.staged_count = 1,
		.walkers = { { .ndim = 1 }, { .ndim = 1 } },
	};
}

static void write_header(struct sim_registers *regs, u64 value)
{
	struct sim_walker_regs *walker;

	regs->selected = KOHAKU_GET(KOHAKU_WALKER, value);
	walker = &regs->walkers[regs->selected];
	walker->base = KOHAKU_GET(KOHAKU_HEADER_BASE, value);
	walker->ndim = KOHAKU_GET(KOHAKU_HEADER_NDIM, value);
	if (regs->selected == KOHAKU_WALKER_SRC) {
		regs->gather_base = walker->base;
		regs->xform = KOHAKU_GET(KOHAKU_HEADER_XFORM, value);
		regs->xform_mode = KOHAKU_GET(KOHAKU_HEADER_XMODE, value);
	}
}

static void stage_dim(struct sim_registers *regs, u64 value)
{
	regs->selected = KOHAKU_GET(KOHAKU_WALKER, value);
	regs->staged_dim = KOHAKU_GET(KOHAKU_DIM_INDEX, value);
	regs->staged_count = KOHAKU_GET(KOHAKU_DIM_COUNT, value);
	regs->staged_stride = (s32)KOHAKU_GET(KOHAKU_DIM_STRIDE, value);
}

static void latch_dim(struct sim_registers *regs, u64 value)
{
	struct sim_walker_regs *walker = &regs->walkers[regs->selected];

	if (regs->staged_dim >= KOHAKU_DIMS_MAX)
		return;
	walker->dims[regs->staged_dim] = (struct sim_dim_regs){
		.count = regs->staged_count,
		.stride = regs->staged_stride,
		.step = (s16)KOHAKU_GET(KOHAKU_DIM_STEP, value),
		.axis = KOHAKU_GET(KOHAKU_DIM_AXIS, value),
	};
}

static void write_window(struct sim_registers *regs, u64 value)
{
	struct sim_window_regs *window;

	regs->selected = KOHAKU_GET(KOHAKU_WALKER, value);
	window = &regs->walkers[regs->selected].windows[KOHAKU_GET(KOHAKU_WINDOW_AXIS, value)];
	window->base = (s16)KOHAKU_GET(KOHAKU_WINDOW_BASE, value);
	window->extent = KOHAKU_GET(KOHAKU_WINDOW_EXTENT, value);
}

bool sim_registers_write(struct sim_registers *regs, u32 offset, u64 value)
{
	switch (offset & KOHAKU_REG_MASK) {
	case KOHAKU_REG_CTRL:
		regs->mode = KOHAKU_GET(KOHAKU_CTRL_MODE, value);
		regs->width = KOHAKU_GET(KOHAKU_CTRL_WIDTH, value);
		regs->flags = value & KOHAKU_CTRL_FLAGS;
		return value & KOHAKU_CTRL_GO;
	case KOHAKU_REG_HEADER:
		write_header(regs, value);
		break;
	case KOHAKU_REG_DIM_STAGE:
		stage_dim(regs, value);
		break;
	case KOHAKU_REG_DIM_LATCH:
		latch_dim(regs, value);
		break;
	case KOHAKU_REG_WINDOW:
		write_window(regs, value);
		break;
	case KOHAKU_REG_INDEX:
		regs->index_base = KOHAKU_GET(KOHAKU_INDEX_BASE, value);
		regs->index_count = KOHAKU_GET(KOHAKU_INDEX_COUNT, value);
		break;
	case KOHAKU_REG_SEED:
		regs->seed = value;
		break;
	case KOHAKU_REG_IMM:
		regs->imm = (u32)value;
		break;
	case KOHAKU_REG_GATHER:
		regs->pitch = KOHAKU_GET(KOHAKU_GATHER_PITCH, value);
		regs->row_words = KOHAKU_GET(KOHAKU_GATHER_WORDS, value);
		break;
	}
	return false;
}
