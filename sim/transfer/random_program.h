/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test code: random programs on random fabrics against a flat, sequential reference.
 *
 * The reference knows elements, pages and masks and nothing of lanes' caches,
 * tables or messages.  What a faulting operation leaves open (stores past the
 * fault to idempotent memory, loads past the fault) is tracked byte by byte, and
 * later operations keep away from it.
 */
#ifndef SIM_TRANSFER_RANDOM_PROGRAM_H
#define SIM_TRANSFER_RANDOM_PROGRAM_H

#include <stdio.h>

#include "sim/transfer/transfer.h"

#define PAGES		12
#define PAGE_MAX	4096
#define LANES_MAX	64
#define REGS		FABRIC_REGISTERS
#define OPS_MAX		12
#define BASE		(9ULL << 28)	/* a multiple of every page size drawn */

/* Registers 0..15 are data; the others keep indexes and masks. */
#define DATA_REGS	16
#define INDEX_REGS	16
#define MASK_REG	30

/* Choices: of a fuzzer while there are any, then what follows from a seed. */
struct bits {
	const u8 *bytes;
	size_t left;
	u64 state;
};

/* Any number: contents, of which a fuzzer need not choose each byte. */
static u64 churn(struct bits *bits)
{
	u64 x = bits->state += 0x9E3779B97F4A7C15;

	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

static u32 draw(struct bits *bits, u32 below)
{
	u32 limit = below - 1;
	u64 x = 0;

	if (!bits->left)
		return churn(bits) % below;
	for (; limit && bits->left; limit >>= 8, bits->left--)
		x = x << 8 | *bits->bytes++;
	return x % below;
}

static bool one_in(struct bits *bits, u32 n)
{
	return !draw(bits, n);
}

/* The reference's world. */
struct flat {
	u32 lanes, page_bytes;
	struct fabric_page pages[PAGES];
	bool mapped[PAGES];
	u8 memory[PAGES * PAGE_MAX];
	u8 other[PAGES * PAGE_MAX];	/* what may be there instead, if open */
	bool open[PAGES * PAGE_MAX];
	u64 regs[REGS][LANES_MAX];
	u64 reg_open[REGS][LANES_MAX];	/* bits of unknown value */
	u64 once;
};

struct program {
	struct bits bits;
	struct fabric_config config;
	u8 widths[PAGES][PAGE_MAX / 8], orders[PAGES][PAGE_MAX / 8];
	struct fabric_op ops[OPS_MAX];
	struct fabric_result results[OPS_MAX];
	u32 count;
	u32 sharing;			/* how many operations name a writeset, in fifths */
	/* Bytes read and written by the operations of each writeset. */
	bool read[2][PAGES * PAGE_MAX], written[2][PAGES * PAGE_MAX];
};

static u64 span(const struct flat *flat)
{
	return (u64)PAGES * flat->page_bytes;
}

static u32 page_fault(const struct flat *flat, u64 at, bool store)
{
	u32 n = at / flat->page_bytes;

	if (at >= span(flat) || !flat->mapped[n])
		return FABRIC_NO_PAGE;
	if (store)
		return flat->pages[n].writable ? 0 : FABRIC_NOT_WRITABLE;
	return flat->pages[n].readable ? 0 : FABRIC_NOT_READABLE;
}

struct where {
	u32 reg, lane, bit;
};

static struct where element_at(const struct flat *flat, u32 reg, u32 width, u32 e)
{
	u32 each = flat->lanes * 64 / width;

	return (struct where) { reg + e / each, e % flat->lanes, e % each / flat->lanes * width };
}

static u64 ones(u32 width)
{
	return ~0ULL >> (64 - width);
}

static u64 element(const struct flat *flat, u32 reg, u32 width, u32 e)
{
	struct where w = element_at(flat, reg, width, e);

	return flat->regs[w.reg][w.lane] >> w.bit & ones(width);
}

static bool active(const struct flat *flat, const struct fabric_op *op, u32 e)
{
	return op->mask < 0 || (flat->regs[op->mask][e % flat->lanes] >> (e / flat->lanes) & 1);
}

/* Relative to BASE; whatever lies below or above the pages is absent. */
static u64 address(const struct flat *flat, const struct fabric_op *op, u32 e)
{
	u64 at = op->base - BASE;

	if (op->mode == FABRIC_UNIT)
		return at + (u64)e * (op->width / 8);
	if (op->mode == FABRIC_STRIDE)
		return at + (u64)e * (u64)op->stride;
	return at + element(flat, op->index, op->index_width, e);
}

static bool precise(const struct fabric_op *op)
{
	return op->mode == FABRIC_UNIT ||
	       (op->mode == FABRIC_STRIDE && op->stride == op->width / 8);
}

static void find_fault(const struct flat *flat, const struct fabric_op *op,
		       struct fabric_result *result)
{
	u32 e, i, code;
	u64 at;

	memset(result, 0, sizeof(*result));
	for (e = op->first; e < op->count; e++) {
		at = address(flat, op, e);
		for (i = 0; active(flat, op, e) && i < op->width / 8; i++) {
			code = page_fault(flat, at + i, op->store);
			if (!code)
				continue;
			*result = (struct fabric_result) { .fault = code, .element = e,
				.element_address = BASE + at, .address = BASE + at + i };
			return;
		}
	}
}

static bool touches_once(const struct flat *flat, u64 at, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++)
		if (flat->pages[(at + i) / flat->page_bytes].memory == FABRIC_SCALAR_ONCE)
			return true;
	return false;
}

static bool faults(const struct flat *flat, u64 at, u32 size, bool store)
{
	u32 i;

	for (i = 0; i < size; i++)
		if (page_fault(flat, at + i, store))
			return true;
	return false;
}

static void load_element(struct flat *flat, const struct fabric_op *op, u32 e, u64 at, bool certain)
{
	struct where w = element_at(flat, op->reg, op->width, e);
	u64 mask = ones(op->width) << w.bit, value = 0;
	u32 i;

	if (!certain) {
		flat->reg_open[w.reg][w.lane] |= mask;
		return;
	}
	for (i = 0; i < op->width / 8; i++)
		value |= (u64)flat->memory[at + i] << (8 * i);
	flat->regs[w.reg][w.lane] = (flat->regs[w.reg][w.lane] & ~mask) | value << w.bit;
}

static void store_element(struct flat *flat, const struct fabric_op *op, u32 e, u64 at,
			  bool certain)
{
	u64 value = element(flat, op->reg, op->width, e);
	u32 i;

	for (i = 0; i < op->width / 8; i++, value >>= 8) {
		if (certain)
			flat->memory[at + i] = value;
		else
			flat->other[at + i] = value;
		flat->open[at + i] |= !certain;
	}
}

static void apply(struct flat *flat, const struct fabric_op *op, struct fabric_result *result)
{
	u32 size = op->width / 8, e;
	bool certain, once;
	u64 at;

	find_fault(flat, op, result);
	for (e = op->first; e < op->count; e++) {
		at = address(flat, op, e);
		certain = !result->fault || e < result->element;
		if (!active(flat, op, e) || (!certain && precise(op)))
			continue;
		if (faults(flat, at, size, op->store))
			continue;
		once = touches_once(flat, at, size);
		flat->once += certain && once;
		if (!certain && once)
			continue;
		if (op->store)
			store_element(flat, op, e, at, certain);
		else
			load_element(flat, op, e, at, certain);
	}
}

/* ---- making programs ---- */

static void make_config(struct program *program)
{
	static const u32 depths[] = { 1, 1, 2, 3, 16 };
	struct bits *bits = &program->bits;
	struct fabric_config *c = &program->config;
	u32 lanes;

	fabric_config_default(c);
	if (one_in(bits, 3)) {
		c->kamlet_columns = 1 + draw(bits, 3);
		c->kamlet_rows = 1 + draw(bits, 2);
		c->jamlet_columns = 1 + draw(bits, 3);
		c->jamlet_rows = 1 + draw(bits, 2);
		c->line_words = 1 << draw(bits, 4);
	}
	lanes = c->kamlet_columns * c->kamlet_rows * c->jamlet_columns * c->jamlet_rows;
	c->page_bytes = c->line_words * 8 * lanes;
	while (c->page_bytes < 256)
		c->page_bytes *= 2;
	c->rows = depths[draw(bits, 5)];
	c->waits = one_in(bits, 3) ? 32 : depths[draw(bits, 5)];
	c->slots = one_in(bits, 2) ? 4 : 4 + draw(bits, 8);
	c->idents = one_in(bits, 4) ? 2 + draw(bits, 4) : 128;
	c->syncs = one_in(bits, 4) ? 2 + draw(bits, 3) : 8;
	c->push_ack = one_in(bits, 3);
	do
		c->order = draw(bits, FABRIC_ORDERS);
	while (!fabric_config_valid(c));
}

static bool order_usable(const struct program *program, u32 order)
{
	struct fabric_config c = program->config;

	c.order = order;
	return fabric_config_valid(&c);
}

static void make_pages(struct program *program, struct flat *flat)
{
	struct bits *bits = &program->bits;
	bool bad = one_in(bits, 2), scalar = one_in(bits, 2), orders = one_in(bits, 3);
	u32 n, i, uniform, kind;

	for (n = 0; n < PAGES; n++) {
		kind = scalar && one_in(bits, 3) ? 1 + draw(bits, 2) : FABRIC_VECTOR;
		flat->mapped[n] = !(bad && one_in(bits, 8));
		flat->pages[n] = (struct fabric_page) {
			.address = BASE + (u64)n * flat->page_bytes,
			.memory = kind,
			.readable = !(bad && one_in(bits, 12)),
			.writable = !(bad && one_in(bits, 12)),
		};
		uniform = one_in(bits, 2) ? 8 << draw(bits, 4) : 0;
		for (i = 0; i < PAGE_MAX / 8; i++) {
			program->widths[n][i] = uniform ? uniform : 8U << churn(bits) % 4;
			program->orders[n][i] = program->config.order;
			while (orders && churn(bits) % 3 == 0 &&
			       !order_usable(program, program->orders[n][i] =
					     churn(bits) % FABRIC_ORDERS))
				program->orders[n][i] = program->config.order;
		}
		for (i = 0; i < flat->page_bytes; i++)
			flat->memory[n * flat->page_bytes + i] = churn(bits);
	}
}

/* Indexes of each width that mostly reach pages, half of them all different. */
static void make_indexes(struct program *program, struct flat *flat)
{
	struct bits *bits = &program->bits;
	bool different = one_in(bits, 2);
	u32 width, reg = INDEX_REGS, regs = 4, e, count, step;
	struct where w;
	u64 value;

	for (width = 16; width <= 64; width *= 2) {
		count = regs * flat->lanes * 64 / width;
		step = max((u32)(span(flat) / count), 1U);
		for (e = 0; e < count; e++) {
			value = different ? (u64)((e * 7 + 3) % count) * step :
					    churn(bits) % span(flat);
			w = element_at(flat, reg, width, e);
			flat->regs[w.reg][w.lane] &= ~(ones(width) << w.bit);
			flat->regs[w.reg][w.lane] |= (value & ones(width)) << w.bit;
		}
		reg += regs;
	}
}

static void make_registers(struct program *program, struct flat *flat)
{
	u32 reg, lane;

	for (reg = 0; reg < REGS; reg++)
		for (lane = 0; lane < flat->lanes; lane++)
			flat->regs[reg][lane] = churn(&program->bits);
	make_indexes(program, flat);
}

static void make_index(struct program *program, struct fabric_op *op)
{
	struct bits *bits = &program->bits;

	op->index_width = 8 << draw(bits, 4);
	if (op->index_width == 8)
		op->index = draw(bits, DATA_REGS);
	else
		op->index = INDEX_REGS + 4 * (__builtin_ctz(op->index_width) - 4);
}

static void make_base(struct program *program, const struct flat *flat, struct fabric_op *op)
{
	struct bits *bits = &program->bits;
	u32 stripe = flat->lanes * 8;
	u64 at = draw(bits, span(flat));

	if (op->mode == FABRIC_INDEX)
		at = one_in(bits, 3) ? draw(bits, 64) : 0;
	else if (op->mode == FABRIC_UNIT && one_in(bits, 2))
		at -= at % stripe;
	else if (one_in(bits, 3))
		at -= at % 8;
	if (op->mode == FABRIC_STRIDE) {
		op->stride = one_in(bits, 2) ? (s64)draw(bits, 64) : (s64)draw(bits, 512) - 256;
		if (op->stride < 0)
			at = span(flat) - 1 - at / 4;
		else
			at /= 4;
	}
	op->base = BASE + at - (one_in(bits, 16) ? 8 : 0);
}

static void make_op(struct program *program, const struct flat *flat, struct fabric_op *op)
{
	struct bits *bits = &program->bits;
	u32 most;

	*op = (struct fabric_op) {
		.store = one_in(bits, 2),
		.wait = one_in(bits, 16),
		.mode = draw(bits, FABRIC_MODES),
		.width = 8 << draw(bits, 4),
		.group = 1 << draw(bits, 3),
		.index = FABRIC_NONE,
		.mask = FABRIC_NONE,
		.writeset = draw(bits, 5) < program->sharing ? (s32)draw(bits, 2) : FABRIC_NONE,
	};
	op->reg = draw(bits, DATA_REGS - op->group + 1);
	if (one_in(bits, 3))
		op->mask = one_in(bits, 2) ? MASK_REG + draw(bits, 2) : draw(bits, DATA_REGS);
	if (op->mode == FABRIC_INDEX)
		make_index(program, op);
	most = op->group * flat->lanes * 64 / op->width;
	op->count = one_in(bits, 3) ? most : draw(bits, most + 1);
	op->first = one_in(bits, 4) ? draw(bits, op->count + 1) : 0;
	make_base(program, flat, op);
}

/* Would the operation read or write what an earlier fault left open? */
static bool uses_open_registers(const struct flat *flat, const struct fabric_op *op)
{
	u32 reg, lane, group = op->group;
	bool open;

	for (reg = 0; reg < DATA_REGS; reg++) {
		for (open = false, lane = 0; lane < flat->lanes; lane++)
			open |= flat->reg_open[reg][lane] != 0;
		if (open && ((reg >= (u32)op->reg && reg < op->reg + group) ||
			     (s32)reg == op->mask || (op->index >= 0 && op->index < DATA_REGS)))
			return true;
	}
	return false;
}

/*
 * Marks what an operation accesses.  False: it is not a good one, since its
 * outcome would depend on chance: it stores a byte twice, touches what is open,
 * or breaks its writeset's promise.
 */
static bool claim(struct program *program, const struct flat *flat, const struct fabric_op *op)
{
	static bool mine[PAGES * PAGE_MAX];
	bool good = true;
	u32 e, i, size = op->width / 8;
	u64 at;

	memset(mine, 0, sizeof(mine));
	for (e = op->first; e < op->count; e++) {
		at = address(flat, op, e);
		for (i = 0; active(flat, op, e) && i < size; i++) {
			if (at + i >= span(flat))
				continue;
			good &= !flat->open[at + i] && !(op->store && mine[at + i]);
			mine[at + i] = true;
			if (op->writeset >= 0)
				good &= !program->written[op->writeset][at + i] &&
					!(op->store && program->read[op->writeset][at + i]);
		}
	}
	for (i = 0; good && op->writeset >= 0 && i < span(flat); i++) {
		program->written[op->writeset][i] |= mine[i] && op->store;
		program->read[op->writeset][i] |= mine[i] && !op->store;
	}
	return good;
}

static void make_ops(struct program *program, struct flat *flat, const struct fabric *fabric)
{
	u32 wanted = 1 + draw(&program->bits, OPS_MAX), tries;
	struct fabric_op op;

	program->sharing = draw(&program->bits, 6);
	for (tries = 0; program->count < wanted && tries < 10 * OPS_MAX; tries++) {
		make_op(program, flat, &op);
		if (fabric_check(fabric, &op) || uses_open_registers(flat, &op) ||
		    !claim(program, flat, &op))
			continue;
		program->ops[program->count] = op;
		apply(flat, &op, &program->results[program->count]);
		program->count++;
	}
}

/* ---- comparing ---- */

static bool map_pages(const struct program *program, const struct flat *flat, struct fabric *fabric)
{
	u32 n, reg;

	for (n = 0; n < PAGES; n++) {
		if (!flat->mapped[n])
			continue;
		if (fabric_map(fabric, &flat->pages[n], program->widths[n], program->orders[n]) ||
		    fabric_write(fabric, flat->pages[n].address,
				 &flat->memory[n * flat->page_bytes], flat->page_bytes))
			return false;
	}
	for (reg = 0; reg < REGS; reg++)
		if (fabric_register_write(fabric, reg, flat->regs[reg], 64))
			return false;
	return true;
}

static bool same_memory(const struct flat *flat, struct fabric *fabric)
{
	static u8 bytes[PAGE_MAX];
	u32 n, i, at;

	for (n = 0; n < PAGES; n++) {
		if (!flat->mapped[n])
			continue;
		fabric_read(fabric, flat->pages[n].address, bytes, flat->page_bytes);
		for (i = 0; i < flat->page_bytes; i++) {
			at = n * flat->page_bytes + i;
			if (bytes[i] == flat->memory[at] ||
			    (flat->open[at] && bytes[i] == flat->other[at]))
				continue;
			printf("memory %llx is %02x, not %02x\n", BASE + at, bytes[i],
			       flat->memory[at]);
			return false;
		}
	}
	return true;
}

static bool same_registers(const struct flat *flat, struct fabric *fabric)
{
	u64 words[LANES_MAX];
	u32 reg, lane, width;

	for (reg = 0; reg < REGS; reg++) {
		fabric_register_read(fabric, reg, words, &width);
		for (lane = 0; lane < flat->lanes; lane++) {
			if (!((words[lane] ^ flat->regs[reg][lane]) & ~flat->reg_open[reg][lane]))
				continue;
			printf("register %u lane %u is %llx, not %llx\n", reg, lane,
			       words[lane], flat->regs[reg][lane]);
			return false;
		}
	}
	return true;
}

static bool same_results(const struct program *program, const struct fabric *fabric)
{
	const struct fabric_result *ours = fabric_results(fabric), *wanted = program->results;
	u32 i;

	for (i = 0; i < program->count; i++) {
		if (ours[i].fault == wanted[i].fault && ours[i].element == wanted[i].element &&
		    ours[i].address == wanted[i].address &&
		    ours[i].element_address == wanted[i].element_address)
			continue;
		printf("operation %u: fault %u at %u (%llx), not %u at %u (%llx)\n", i,
		       ours[i].fault, ours[i].element, ours[i].address, wanted[i].fault,
		       wanted[i].element, wanted[i].address);
		return false;
	}
	return true;
}

static bool idle(const struct fabric *fabric)
{
	const struct fabric_config *c = fabric_config(fabric);
	struct fabric_slot_view slots[FABRIC_SLOTS_MAX];
	struct fabric_wait_view wait;
	struct fabric_row_view row;
	u32 k, i, count;

	for (k = 0; k < c->kamlet_columns * c->kamlet_rows; k++) {
		if (fabric_dump_rows(fabric, k, &row, 1) || fabric_dump_waits(fabric, k, &wait, 1))
			return false;
		count = fabric_dump_slots(fabric, k, slots, FABRIC_SLOTS_MAX);
		for (i = 0; i < count; i++)
			if (slots[i].pins || slots[i].waits || slots[i].state > FABRIC_LINE_DIRTY)
				return false;
	}
	return true;
}

static bool lawful(const struct program *program, const struct fabric *fabric)
{
	const struct fabric_counters *c = fabric_counters(fabric);
	const struct fabric_config *config = &program->config;
	const u64 *m = c->messages;
	u64 jamlets = config->jamlet_columns * config->jamlet_rows;
	u64 pushed = m[FABRIC_PUSH] - m[FABRIC_PUSH_DROP];

	return !c->protocol_errors && c->rows <= config->rows && c->waits <= config->waits &&
	       c->pinned <= config->slots && c->idents < config->idents &&
	       c->syncs <= config->syncs && c->done_syncs == c->nonlocal &&
	       m[FABRIC_RD_REQ] == m[FABRIC_RD_RESP] + m[FABRIC_RD_DROP] &&
	       m[FABRIC_WR_REQ] == m[FABRIC_WR_RESP] + m[FABRIC_WR_DROP] + m[FABRIC_WR_RETRY] &&
	       m[FABRIC_PUSH_ACK] == (config->push_ack ? pushed : 0) &&
	       c->segments[0] + c->segments[1] == m[FABRIC_RD_RESP] + m[FABRIC_WR_RESP] + pushed &&
	       c->resends == m[FABRIC_RD_DROP] + m[FABRIC_WR_DROP] + m[FABRIC_WR_RETRY] +
			     m[FABRIC_PUSH_DROP] &&
	       m[FABRIC_LINE_IN] == jamlets * c->fetches &&
	       m[FABRIC_LINE_FETCH] + m[FABRIC_LINE_SWAP] == c->fetches + m[FABRIC_LINE_DROP] &&
	       m[FABRIC_LINE_OUT] == jamlets * c->evictions + m[FABRIC_LINE_OUT_DROP];
}

static void show(const struct program *program, u64 seed)
{
	const struct fabric_config *c = &program->config;
	const struct fabric_op *op;

	printf("seed %llu: %ux%u kamlets of %ux%u, line %u, page %u, order %u, ack %d\n",
	       seed, c->kamlet_columns, c->kamlet_rows, c->jamlet_columns, c->jamlet_rows,
	       c->line_words, c->page_bytes, c->order, c->push_ack);
	printf("  rows %u waits %u slots %u idents %u syncs %u\n", c->rows, c->waits,
	       c->slots, c->idents, c->syncs);
	for (op = program->ops; op < program->ops + program->count; op++)
		printf("  store %d mode %u width %u/%u elements %u..%u group %u reg %d/%d/%d at %llx + %lld writeset %d wait %d\n",
		       op->store, op->mode, op->width, op->index_width, op->first,
		       op->count, op->group, op->reg, op->index, op->mask, op->base,
		       op->stride, op->writeset, op->wait);
}

/* In one go, or in slices of random length: it must not matter. */
static int run(struct program *program, struct fabric *fabric)
{
	bool slices = one_in(&program->bits, 2);
	int err;

	do
		err = fabric_run(fabric, slices ? 1 + draw(&program->bits, 50) : U64_MAX);
	while (err == -EINPROGRESS);
	if (err)
		printf("ended with %d at tick %llu\n", err, fabric_tick(fabric));
	return err;
}

/* Makes and runs a program; counters are those of its fabric.  seed is for show(). */
static bool good_program(struct bits bits, u64 seed, struct fabric_counters *counters)
{
	static struct program program;
	static struct flat flat;
	struct fabric *fabric;
	u64 once;
	u32 bad;
	bool good;

	memset(&program, 0, sizeof(program));
	memset(&flat, 0, sizeof(flat));
	program.bits = bits;
	make_config(&program);
	fabric = fabric_create(&program.config);
	if (!fabric)
		return false;
	flat.page_bytes = program.config.page_bytes;
	flat.lanes = program.config.kamlet_columns * program.config.kamlet_rows *
		     program.config.jamlet_columns * program.config.jamlet_rows;
	make_pages(&program, &flat);
	make_registers(&program, &flat);
	good = map_pages(&program, &flat, fabric);
	make_ops(&program, &flat, fabric);
	once = flat.once;
	good = good && !fabric_submit(fabric, program.ops, program.count, &bad) &&
	       !run(&program, fabric) && same_results(&program, fabric) &&
	       same_registers(&flat, fabric) && same_memory(&flat, fabric) &&
	       lawful(&program, fabric) && idle(fabric) &&
	       fabric_counters(fabric)->once == once && !fabric_flush(fabric) &&
	       same_memory(&flat, fabric);
	*counters = *fabric_counters(fabric);
	if (!good)
		show(&program, seed);
	fabric_destroy(fabric);
	return good;
}

#endif
