/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Test code: the mover one element at a time, straight from its description.
 *
 * It shares with the model neither walks nor bursts; memory it has of its own.
 */
#ifndef SIM_MOVER_ORACLE_H
#define SIM_MOVER_ORACLE_H

#include "sim/memory.h"
#include "sim/philox.h"
#include "sim/registers.h"
#include "sim/slot.h"

#define ORACLE_MASK ((1ULL << 40) - 1)
#define ORACLE_BURSTS 20000

struct oracle_burst {
	u64 addr;
	u32 beats;
};

struct oracle_bursts {
	struct oracle_burst list[ORACLE_BURSTS];
	u32 count;
	bool open;
	u64 next;
	u32 room;
	int kind;
};

struct oracle {
	struct sim_memory memory;
	struct sim_bank bank;
	u32 indices[2048];
	u32 fault;
	struct oracle_bursts reads, writes;
};

/* A walker, and the loop indices of its current element. */
struct oracle_walker {
	const struct sim_walker_regs *regs;
	u32 index[6];
	bool done;
};

static u32 oracle_ndim(const struct oracle_walker *walker)
{
	return walker->regs->ndim > 6 ? 6 : walker->regs->ndim;
}

static u32 oracle_count(const struct oracle_walker *walker, u32 dim)
{
	return walker->regs->dims[dim].count ? walker->regs->dims[dim].count : 1;
}

static u64 oracle_addr(const struct oracle_walker *walker)
{
	u32 offset = 0;
	u32 i;

	for (i = 0; i < oracle_ndim(walker); i++)
		offset += walker->index[i] * (u32)walker->regs->dims[i].stride;
	return (walker->regs->base + (u64)(s64)(s32)offset) & ORACLE_MASK;
}

static bool oracle_inside(const struct oracle_walker *walker)
{
	u32 axis, i;

	for (axis = 0; axis < 2; axis++) {
		const struct sim_window_regs *window = &walker->regs->windows[axis];
		u32 at = (u16)window->base;

		for (i = 0; i < oracle_ndim(walker); i++) {
			if (walker->regs->dims[i].axis == axis + 1)
				at += walker->index[i] * (u32)(s32)walker->regs->dims[i].step;
		}
		at &= 0xFFFF;
		if (window->extent && (at >= 0x8000 || at >= window->extent))
			return false;
	}
	return true;
}

/* To the next element; the last one stays. */
static void oracle_step(struct oracle_walker *walker)
{
	struct oracle_walker next = *walker;
	int i;

	for (i = (int)oracle_ndim(walker) - 1; i >= 0; i--) {
		if (++next.index[i] < oracle_count(walker, i)) {
			*walker = next;
			return;
		}
		next.index[i] = 0;
	}
	walker->done = true;
}

static void oracle_close(struct oracle_bursts *bursts)
{
	bursts->open = false;
}

static void oracle_add(struct oracle_bursts *bursts, u64 addr, u32 cap, int kind, bool folds)
{
	if (folds && bursts->open && bursts->kind == kind && bursts->next == addr && bursts->room) {
		bursts->list[bursts->count - 1].beats++;
		bursts->room--;
	} else {
		u32 page = 127 - (addr >> 5 & 127);

		bursts->list[bursts->count++] = (struct oracle_burst){ addr, 1 };
		bursts->room = page < cap - 1 ? page : cap - 1;
		bursts->open = true;
		bursts->kind = kind;
	}
	bursts->next = addr + 32;
}

static u8 *oracle_word(struct oracle *oracle, u64 addr)
{
	return sim_memory_get(&oracle->memory, addr & ORACLE_MASK & ~31ULL);
}

static u32 oracle_cap(const struct sim_registers *regs)
{
	u32 code = regs->flags >> 13 & 7;

	return code ? 1 << (code - 1) : 128;
}

static u64 oracle_gather(const struct oracle *oracle, const struct sim_registers *regs, u64 element)
{
	u32 words = regs->row_words ? regs->row_words : 65536;
	u32 row = (element / words) & 0xFFFF;
	u32 offset = oracle->indices[row % 2048] * regs->pitch;

	return (regs->gather_base + offset + 32 * (element % words)) & ORACLE_MASK;
}

static void oracle_fetch(struct oracle *oracle, const struct sim_registers *regs)
{
	u32 i;

	for (i = 0; i == 0 || 8 * i < regs->index_count; i++) {
		u64 addr = (regs->index_base + 32 * i) & ORACLE_MASK;

		memcpy(&oracle->indices[8 * i], oracle_word(oracle, addr), 32);
		oracle_add(&oracle->reads, addr, 1, 0, false);
	}
	oracle_close(&oracle->reads);
}

static void oracle_pattern(const struct sim_registers *regs, u8 *word)
{
	u32 i;

	for (i = 0; i < 32; i++)
		word[i] = regs->imm >> 8 * (i & ((1 << regs->width) - 1));
}

/* One element of COPY, GATHER, GENERATE or FILL; false when the move ends. */
static bool oracle_element(struct oracle *oracle, const struct sim_registers *regs,
			   const struct oracle_walker *src, const struct oracle_walker *dst,
			   u64 element)
{
	u64 to = oracle_addr(dst), from = oracle_addr(src);
	bool coalesce = regs->flags >> 11 & 1;
	u8 word[32];
	int kind = 'r';

	if (regs->mode == 2)
		from = oracle_gather(oracle, regs, element);
	if (!oracle_inside(dst) || to & 31) {
		oracle_close(&oracle->reads);
		oracle_close(&oracle->writes);
		if (oracle_inside(dst))
			oracle->fault = 6;
		return !oracle->fault;
	}
	if (regs->mode == 3) {
		kind = 'g';
		sim_philox_word(regs->seed, to, word);
	} else if (regs->mode == 4 || (regs->mode != 2 && !oracle_inside(src))) {
		kind = 'f';
		oracle_pattern(regs, word);
	} else {
		memcpy(word, oracle_word(oracle, from), 32);
	}
	if (kind == 'r')
		oracle_add(&oracle->reads, from, oracle_cap(regs), 0, true);
	else
		oracle_close(&oracle->reads);
	oracle_add(&oracle->writes, to, oracle_cap(regs), kind, coalesce && kind != 'g');
	memcpy(oracle_word(oracle, to), word, 32);
	return true;
}

/* One entry of XFORM; false when the move ends. */
static bool oracle_entry(struct oracle *oracle, const struct sim_registers *regs,
			 struct oracle_walker *src, const struct oracle_walker *dst)
{
	u32 beats = sim_bank_beats(regs->xform);
	u8 in[256], out[128];
	u64 to = oracle_addr(dst);
	bool wanted = oracle_inside(dst);
	u32 i;

	if (wanted && to & 31) {
		oracle->fault = 6;
		return false;
	}
	for (i = 0; i < beats; i++, oracle_step(src)) {
		if (src->done)
			oracle->fault = 2;
		else if (wanted && !oracle_inside(src))
			oracle->fault = 7;
		if (oracle->fault)
			return false;
		if (!wanted)
			continue;
		oracle_add(&oracle->reads, oracle_addr(src), oracle_cap(regs), 0, true);
		memcpy(in + 32 * i, oracle_word(oracle, oracle_addr(src)), 32);
	}
	oracle_close(&oracle->reads);
	if (!wanted)
		return true;
	sim_bank_convert(&oracle->bank, regs->xform, regs->xform_mode, in, out, 1);
	oracle->writes.list[oracle->writes.count++] = (struct oracle_burst){ to, 4 };
	for (i = 0; i < 4; i++)
		memcpy(oracle_word(oracle, to + 32 * i), out + 32 * i, 32);
	return true;
}

/* Runs the move that the registers describe. */
static void oracle_run(struct oracle *oracle, const struct sim_registers *regs)
{
	struct oracle_walker src = { .regs = &regs->walkers[0] };
	struct oracle_walker dst = { .regs = &regs->walkers[1] };
	u64 element;

	oracle->fault = regs->width == 3 ? 5 : regs->mode == 1 ? 4 :
			regs->mode == 2 && regs->index_count > 2048 ? 1 : 0;
	oracle->reads.count = 0;
	oracle->writes.count = 0;
	oracle_close(&oracle->reads);
	oracle_close(&oracle->writes);
	if (oracle->fault)
		return;
	if (regs->mode == 2)
		oracle_fetch(oracle, regs);
	if (regs->mode == 5) {
		for (; !src.done && oracle_entry(oracle, regs, &src, &dst); oracle_step(&dst))
			;
		return;
	}
	for (element = 0; !dst.done; element++) {
		if (!oracle_element(oracle, regs, &src, &dst, element))
			break;
		oracle_step(&src);
		oracle_step(&dst);
	}
}

#endif
