/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Runs one program on the vector core of one mesh: round after round of packets
 * through the dispatcher.
 */
#ifndef KOHAKU_HW_DISPATCH_H
#define KOHAKU_HW_DISPATCH_H

#include "exec.h"
#include "vector.h"

/* One program in flight. */
struct kohaku_dispatch {
	const struct kohaku_bus *bus;
	u32 mesh;
	u32 done_before;	/* rounds, when the one in flight began */
	const struct kohaku_vector_program *program;
	u64 next;		/* first flit that was not sent yet */
	u32 sent;		/* flits of the round in flight */
	u64 fault_flit;		/* of the program; where it faulted */
	u64 flits;		/* that the core has taken */
	u64 cycles;		/* of the core, moving data not counted */
};

/* Is there a dispatcher, and a vector core behind it? */
bool kohaku_vector_present(const struct kohaku_bus *bus, u32 mesh);

/*
 * Sends the first round of a program, which must stay in place until it ends.
 * -EBUSY: the core was not idle and nothing was written; -ENODEV: the device is
 * gone.
 */
int kohaku_dispatch_start(struct kohaku_dispatch *dispatch, const struct kohaku_bus *bus,
			  u32 mesh, const struct kohaku_vector_program *program);
/*
 * -EINPROGRESS while rounds are left, -ENODEV, else how it ended: 0 and *fault =
 * KOHAKU_FAULT_*.  After a fault no further round is sent.  A round that did not
 * take every packet is KOHAKU_FAULT_NO_MOTION.
 */
int kohaku_dispatch_poll(struct kohaku_dispatch *dispatch, u32 *fault);

#endif
