/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * How the mover's words fold into bursts of the memory bus.
 */
#ifndef SIM_BURST_H
#define SIM_BURST_H

#include "sim/node.h"

/* One direction of the bus; at most one burst is open. */
struct sim_channel {
	u64 start;		/* of the open burst, bytes */
	u64 next;		/* address that would continue it */
	u32 beats;		/* 0: none is open */
	u32 room;		/* beats it may still grow by */
	u32 kind;		/* only words of one kind share a burst */
	u64 *bursts;		/* counters */
	u64 *words;
	/* Told of every burst when it closes; NULL: nobody listens. */
	void (*closed)(void *ctx, u64 addr, u32 beats);
	void *ctx;
};

/* The longest burst that the flags of a move allow, in beats. */
u32 sim_burst_cap(u32 flags);

/**
 * sim_channel_add - account for words that follow one another on the bus
 * @channel: the direction
 * @addr: byte address of the first
 * @stride: bytes from one to the next
 * @count: how many
 * @cap: longest burst they may be part of, beats; 1 folds nothing
 * @kind: what they are
 */
void sim_channel_add(struct sim_channel *channel, u64 addr, s64 stride, u64 count, u32 cap,
		     u32 kind);
/* Ends the open burst, if any. */
void sim_channel_close(struct sim_channel *channel);

#endif
