/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The mover's registers: nine write-only windows onto a larger hidden state.
 */
#ifndef SIM_REGISTERS_H
#define SIM_REGISTERS_H

#include "hw/regs.h"

struct sim_dim_regs {
	u32 count;		/* 0 is taken as 1 */
	s32 stride;		/* bytes */
	s16 step;
	u8 axis;		/* 1 axis A, 2 axis B, else none */
};

struct sim_window_regs {
	s16 base;
	u16 extent;		/* 0: off */
};

struct sim_walker_regs {
	u64 base;
	u32 ndim;		/* as written, 0..7 */
	struct sim_dim_regs dims[KOHAKU_DIMS_MAX];
	struct sim_window_regs windows[2];
};

/* Everything that persists from one move to the next. */
struct sim_registers {
	u32 mode, width, flags;
	u32 imm;
	u64 seed;
	u64 gather_base;
	u64 index_base;
	u32 index_count;
	u32 pitch;
	u32 row_words;
	u32 xform, xform_mode;
	struct sim_walker_regs walkers[2];
	/* The latch of the dimension registers. */
	u32 selected;		/* walker named by the last header, stage or window write */
	u32 staged_dim;
	u32 staged_count;
	s32 staged_stride;
};

void sim_registers_reset(struct sim_registers *regs);
/* Applies one 64-bit write; offset is masked.  Return: it carried GO. */
bool sim_registers_write(struct sim_registers *regs, u32 offset, u64 value);

#endif
