// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Burst folding.  Counts are found by arithmetic; only when somebody listens is
 * every single burst spelled out.
 */
#include "sim/burst.h"

u32 sim_burst_cap(u32 flags)
{
	u32 code = KOHAKU_GET(KOHAKU_CTRL_CAP, flags);

	return code ? 1U << (code - 1) : KOHAKU_BURST_MAX;
}

void sim_channel_close(struct sim_channel *channel)
{
	if (channel->beats && channel->closed)
		channel->closed(channel->ctx, channel->start, channel->beats);
	channel->beats = 0;
}

static void open_burst(struct sim_channel *channel, u64 addr, u32 cap, u32 kind)
{
	sim_channel_close(channel);
	channel->start = addr;
	channel->next = addr;
	channel->kind = kind;
	channel->room = min(sim_burst_page_room(addr), cap);
	*channel->bursts += 1;
}

#define PAGE_WORDS (KOHAKU_BURST_PAGE / KOHAKU_WORD)

/* Whole pages, but for the last one of a row, are all alike; returns their words. */
static u64 skip_pages(struct sim_channel *channel, u64 addr, u64 count, u32 cap)
{
	u64 pages = (count - 1) / PAGE_WORDS;

	if (channel->closed || addr & (KOHAKU_BURST_PAGE - 1))
		return 0;
	*channel->bursts += pages * (PAGE_WORDS / cap);
	return pages * PAGE_WORDS;
}

/* Words that lie one behind the other. */
static void add_adjacent(struct sim_channel *channel, u64 addr, u64 count, u32 cap, u32 kind)
{
	bool follows = channel->beats && channel->next == addr && channel->kind == kind && cap > 1;

	for (;;) {
		u64 pages = count > PAGE_WORDS ? skip_pages(channel, addr, count, cap) : 0;
		u64 part;

		addr += pages << KOHAKU_WORD_SHIFT;
		count -= pages;
		if (!follows || !channel->room || pages)
			open_burst(channel, addr, cap, kind);
		part = min_t(u64, count, channel->room);
		channel->beats += part;
		channel->room -= part;
		addr += part << KOHAKU_WORD_SHIFT;
		channel->next = addr;
		count -= part;
		if (!count)
			return;
		follows = cap > 1;
	}
}

void sim_channel_add(struct sim_channel *channel, u64 addr, s64 stride, u64 count, u32 cap,
		     u32 kind)
{
	*channel->words += count;
	if (cap == 1 && !channel->closed) {
		/* Nothing ever folds with these. */
		channel->beats = 0;
		*channel->bursts += count;
	} else if (stride == KOHAKU_WORD) {
		add_adjacent(channel, addr, count, cap, kind);
	} else if (channel->closed) {
		for (; count; count--, addr += stride)
			add_adjacent(channel, addr, 1, cap, kind);
	} else {
		/* Only the ends of a strided run can touch a neighbour. */
		add_adjacent(channel, addr, 1, cap, kind);
		if (count > 2) {
			*channel->bursts += count - 2;
			channel->beats = 0;
		}
		if (count > 1)
			add_adjacent(channel, addr + stride * (s64)(count - 1), 1, cap, kind);
	}
}

/* Bursts of that many beats at most that words make. */
static u64 folded(u64 words, u32 cap)
{
	return (words + cap - 1) >> __builtin_ctz(cap);
}

/* Bursts of adjacent words of which the first continues none. */
static u64 bursts_of_row(u64 addr, u64 count, u32 cap)
{
	u64 first = min_t(u64, count, sim_burst_page_room(addr));
	u64 rest = count - first;

	return folded(first, cap) + rest / PAGE_WORDS * folded(PAGE_WORDS, cap) +
	       folded(rest % PAGE_WORDS, cap);
}

/* The same of rows.  Where they begin in their pages repeats before long. */
static u64 bursts_of_rows(u64 addr, u64 count, s64 step, u64 rows, u32 cap)
{
	u64 words = (u64)step >> KOHAKU_WORD_SHIFT;
	u64 period = PAGE_WORDS >> __builtin_ctz((u32)words | PAGE_WORDS);
	u64 over = rows & (period - 1);
	u64 whole = rows / period;
	u64 bursts = 0;
	u64 i;

	for (i = 0; i < period && (whole || i < over); i++, addr += step)
		bursts += bursts_of_row(addr, count, cap) * (whole + (i < over));
	return bursts;
}

void sim_channel_add_rows(struct sim_channel *channel, u64 addr, s64 stride, u64 count, s64 step,
			  u64 rows, u32 cap, u32 kind)
{
	s64 gap = step - stride * (s64)(count - 1);

	if (step == stride * (s64)count) {
		sim_channel_add(channel, addr, stride, count * rows, cap, kind);
		return;
	}
	if (rows <= 2 || channel->closed || gap == KOHAKU_WORD ||
	    (addr | (u64)step) & (KOHAKU_WORD - 1)) {
		for (; rows; rows--, addr += step)
			sim_channel_add(channel, addr, stride, count, cap, kind);
		return;
	}
	/* Only the first row can continue what was before, and none another one. */
	sim_channel_add(channel, addr, stride, count, cap, kind);
	addr += step;
	*channel->words += count * (rows - 2);
	if (stride == KOHAKU_WORD)
		*channel->bursts += bursts_of_rows(addr, count, step, rows - 2, cap);
	else
		*channel->bursts += count * (rows - 2);
	channel->beats = 0;
	addr += step * (s64)(rows - 2);
	sim_channel_add(channel, addr, stride, count, cap, kind);
}
