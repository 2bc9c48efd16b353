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

/* Words from addr, part of one included, to the end of its page. */
static inline u32 sim_burst_page_room(u64 addr)
{
	return (KOHAKU_BURST_PAGE - (addr & (KOHAKU_BURST_PAGE - 1)) + KOHAKU_WORD - 1) >>
	       KOHAKU_WORD_SHIFT;
}

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
/**
 * sim_channel_add_rows - account for rows of words that follow one another
 * @channel: the direction
 * @addr: byte address of the first word
 * @stride: bytes from a word to the next of its row
 * @count: words of a row, at least one
 * @step: bytes from a row to the next
 * @rows: how many rows, at least one; no address wraps
 * @cap: as for sim_channel_add()
 * @kind: likewise
 */
void sim_channel_add_rows(struct sim_channel *channel, u64 addr, s64 stride, u64 count, s64 step,
			  u64 rows, u32 cap, u32 kind);
/* The same for one word, in line; only where nobody listens. */
static inline void sim_channel_add_word(struct sim_channel *channel, u64 addr, u32 cap, u32 kind)
{
	*channel->words += 1;
	if (channel->beats && channel->next == addr && channel->kind == kind && channel->room) {
		channel->beats++;
		channel->room--;
	} else {
		channel->start = addr;
		channel->kind = kind;
		channel->beats = 1;
		channel->room = min(sim_burst_page_room(addr), cap) - 1;
		*channel->bursts += 1;
	}
	channel->next = addr + KOHAKU_WORD;
}

/* Ends the open burst, if any. */
void sim_channel_close(struct sim_channel *channel);

#endif
