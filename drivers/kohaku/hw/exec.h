/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Runs one register program on one mesh: program, GO, poll, check.
 */
#ifndef KOHAKU_HW_EXEC_H
#define KOHAKU_HW_EXEC_H

#include "move.h"

/* What a backend gives to a mesh: its control window. */
struct kohaku_bus {
	u64 (*read64)(void *ctx, u32 mesh, u32 offset);
	void (*write64)(void *ctx, u32 mesh, u32 offset, u64 value);
	/* Loads and stores of an RV32 processor; NULL when there is none in reach. */
	u32 (*load32)(void *ctx, u32 mesh, u32 addr);
	void (*store32)(void *ctx, u32 mesh, u32 addr, u32 value);
	void *ctx;
};

/* A decoded AUX_STAT. */
struct kohaku_status {
	bool busy;
	bool gone;		/* all ones: nobody answered */
	u32 fault;		/* KOHAKU_HW_FAULT_* */
	u32 done;		/* 24 bits of the done counter */
};

struct kohaku_status kohaku_status_decode(u64 aux_stat);

/* One program in flight. */
struct kohaku_exec {
	const struct kohaku_bus *bus;
	u32 mesh;
	u32 done_before;
	u32 far;		/* mesh that is written to */
	u32 tag;		/* of the marker behind the move, 0: none sent yet */
};

/*
 * Writes the program, GO included.  -EBUSY: the mover was not idle and nothing
 * was written; -ENODEV: the device is gone.
 */
int kohaku_exec_start(struct kohaku_exec *exec, const struct kohaku_bus *bus, u32 mesh,
		      const struct kohaku_program *program);
/*
 * Tells a started program's exec that it writes to mesh far: then it has not ended
 * before all of it has landed there.  Posted writes have no other fence than a
 * marker behind them.
 */
void kohaku_exec_land(struct kohaku_exec *exec, u32 far);
/* Are the meshes linked, so that a mover can write to another one's memory? */
bool kohaku_link_present(const struct kohaku_bus *bus, u32 mesh);

/*
 * -EINPROGRESS while the mover is busy, -ENODEV, else how it ended: 0 and
 * *fault = KOHAKU_FAULT_*.  A move that ended without a fault and without the
 * done counter going up by exactly one is KOHAKU_FAULT_NO_MOTION.
 */
int kohaku_exec_poll(struct kohaku_exec *exec, u32 *fault);

/* Does a control window answer as one should? (spec: discovery by CAPS) */
bool kohaku_caps_valid(u64 caps);

#endif
