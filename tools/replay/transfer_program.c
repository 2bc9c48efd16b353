// SPDX-License-Identifier: GPL-2.0
/* Recordings of programs: memory, registers, faults and work of loads and stores. */
#include "transfer.h"

#include "sim/transfer/transfer.h"

#include <stdlib.h>
#include <string.h>

#define LANES	16
#define STRIPES	4
#define PAGE	512
#define OPS	8
#define REGS	32

struct program {
	struct fabric_config config;
	u64 seed;
	size_t begin;			/* line of the record after "geom" */
	struct fabric_page pages[FABRIC_PAGES_MAX];
	u8 widths[FABRIC_PAGES_MAX][STRIPES];
	u8 memory[FABRIC_PAGES_MAX][PAGE];	/* what is expected */
	u8 either[FABRIC_PAGES_MAX][PAGE];	/* what may be there as well */
	u8 may[FABRIC_PAGES_MAX][PAGE];
	u32 page_count;
	u64 regs[REGS][LANES], expected[REGS][LANES], ignore[REGS][LANES];
	u32 reg_widths[REGS];
	bool compared[REGS];
	struct fabric_op ops[OPS];
	struct fabric_result faults[OPS];
	u64 work[OPS][6];
	u32 op_count;
};

static u64 mix(u64 x)
{
	x += 0x9E3779B97F4A7C15;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
	x = (x ^ x >> 27) * 0x94D049BB133111EB;
	return x ^ x >> 31;
}

static void take_geometry(const struct recording *recording, struct program *program)
{
	fabric_config_default(&program->config);
	program->config.order = token_number(recording, 5);
	program->config.slots = token_number(recording, 6);
	program->config.page_bytes = token_number(recording, 8);
	program->seed = token_number(recording, 10);
}

static void take_page(const struct recording *recording, struct program *program)
{
	u32 n = program->page_count++;
	struct fabric_page *page = &program->pages[n];

	page->address = token_hex(recording, 1);
	page->memory = token_is(recording, 2, "vpu") ? FABRIC_VECTOR :
		       token_is(recording, 2, "sidem") ? FABRIC_SCALAR : FABRIC_SCALAR_ONCE;
	page->readable = token_number(recording, 3);
	page->writable = token_number(recording, 4);
	for (int i = 0; i < STRIPES; i++)
		program->widths[n][i] = token_number(recording, 5 + i);
	for (int i = 0; i < PAGE; i++)
		program->memory[n][i] = mix(program->seed << 40 ^ (page->address + i) >> 3) >>
					8 * (i % 8);
}

static void take_words(const struct recording *recording, size_t first, u64 *words)
{
	for (int lane = 0; lane < LANES; lane++)
		words[lane] = token_hex(recording, first + lane);
}

static void take_op(const struct recording *recording, struct program *program)
{
	bool index = token_is(recording, 3, "index");

	program->ops[program->op_count++] = (struct fabric_op) {
		.store = token_is(recording, 2, "store"),
		.mode = index ? FABRIC_INDEX :
			token_is(recording, 3, "stride") ? FABRIC_STRIDE : FABRIC_UNIT,
		.width = token_number(recording, 4),
		.index_width = index ? token_number(recording, 5) : 0,
		.count = token_number(recording, 6),
		.first = token_number(recording, 7),
		.group = token_number(recording, 8),
		.reg = token_number(recording, 9),
		.index = token_number(recording, 10),
		.mask = token_number(recording, 11),
		.base = token_hex(recording, 12),
		.stride = token_number(recording, 13),
		.writeset = token_number(recording, 14),
		.wait = token_number(recording, 15),
	};
}

static void take_fault(const struct recording *recording, struct program *program)
{
	if (token_is(recording, 2, "none"))
		return;
	program->faults[token_number(recording, 1)] = (struct fabric_result) {
		.element = token_number(recording, 2),
		.fault = token_number(recording, 3),
		.element_address = token_hex(recording, 4),
		.address = token_hex(recording, 5),
	};
}

static u8 *byte_at(struct program *program, u8 bytes[][PAGE], u64 address)
{
	u32 n = 0;

	while (address - program->pages[n].address >= PAGE)
		n++;
	return &bytes[n][address - program->pages[n].address];
}

static void take_bytes(const struct recording *recording, struct program *program, bool either)
{
	u64 address = token_hex(recording, 1);
	const char *digits = token(recording, 2);
	unsigned int byte;

	for (; sscanf(digits, "%2x", &byte) == 1; digits += 2, address++) {
		*byte_at(program, either ? program->either : program->memory, address) = byte;
		if (either)
			*byte_at(program, program->may, address) = 1;
	}
}

static void take_widths(const struct recording *recording, struct program *program)
{
	u64 address = token_hex(recording, 1);
	u32 n = 0;

	while (program->pages[n].address != address)
		n++;
	for (int i = 0; i < STRIPES; i++)
		program->widths[n][i] = token_number(recording, 2 + i);
}

/* What the program starts from: the same lines are read once more for its end. */
static void take_line(const struct recording *recording, struct program *program)
{
	int64_t n = token_number(recording, 1);

	if (token_is(recording, 0, "geom")) {
		take_geometry(recording, program);
	} else if (token_is(recording, 0, "page")) {
		take_page(recording, program);
	} else if (token_is(recording, 0, "reg")) {
		program->reg_widths[n] = token_number(recording, 2);
		take_words(recording, 3, program->regs[n]);
	} else if (token_is(recording, 0, "op")) {
		take_op(recording, program);
	} else if (token_is(recording, 0, "fault")) {
		take_fault(recording, program);
	} else if (token_is(recording, 0, "work")) {
		for (int i = 0; i < 6; i++)
			program->work[n][i] = token_number(recording, 2 + i);
	}
}

static void take_outcome(const struct recording *recording, struct program *program)
{
	int64_t n = token_number(recording, 1);

	if (token_is(recording, 0, "memdiff")) {
		take_bytes(recording, program, false);
	} else if (token_is(recording, 0, "either")) {
		take_bytes(recording, program, true);
	} else if (token_is(recording, 0, "outreg")) {
		take_words(recording, 2, program->expected[n]);
		program->compared[n] = true;
	} else if (token_is(recording, 0, "anyreg")) {
		take_words(recording, 2, program->ignore[n]);
	} else if (token_is(recording, 0, "ewafter")) {
		take_widths(recording, program);
	}
}

/* A fabric in the state that the program starts from. */
static struct fabric *set_up(const struct recording *recording, const struct program *program,
			     const struct fabric_config *config)
{
	struct fabric *fabric = fabric_create(config);

	if (!fabric) {
		fail(recording, "no fabric");
		return NULL;
	}
	for (u32 n = 0; n < program->page_count; n++) {
		const struct fabric_page *page = &program->pages[n];

		if (fabric_map(fabric, page, program->widths[n], NULL) ||
		    fabric_write(fabric, page->address, program->memory[n], PAGE)) {
			fail(recording, "cannot map %llx", page->address);
			fabric_destroy(fabric);
			return NULL;
		}
	}
	for (u32 n = 0; n < REGS; n++)
		if (program->reg_widths[n])
			fabric_register_write(fabric, n, program->regs[n],
					      program->reg_widths[n]);
	return fabric;
}

static bool same_faults(const struct recording *recording, const struct program *program,
			const struct fabric *fabric)
{
	const struct fabric_result *ours = fabric_results(fabric);

	for (u32 n = 0; n < program->op_count; n++, ours++) {
		const struct fabric_result *wanted = &program->faults[n];

		if (!same(recording, "fault", ours->fault, wanted->fault) ||
		    !same(recording, "fault element", ours->element, wanted->element) ||
		    !same(recording, "element address", ours->element_address,
			  wanted->element_address) ||
		    !same(recording, "fault address", ours->address, wanted->address))
			return false;
	}
	return true;
}

static bool same_registers(const struct recording *recording, const struct program *program,
			   struct fabric *fabric)
{
	u64 words[LANES];
	u32 width;

	for (u32 n = 0; n < REGS; n++) {
		if (!program->compared[n])
			continue;
		fabric_register_read(fabric, n, words, &width);
		for (int lane = 0; lane < LANES; lane++) {
			u64 differ = (words[lane] ^ program->expected[n][lane]) &
					  ~program->ignore[n][lane];

			if (differ) {
				fail(recording, "register %u lane %d: %llx, recorded %llx", n, lane,
				     words[lane], program->expected[n][lane]);
				return false;
			}
		}
	}
	return true;
}

static bool same_page(const struct recording *recording, const struct program *program,
		      struct fabric *fabric, u32 n)
{
	u64 address = program->pages[n].address;
	u8 bytes[PAGE];

	fabric_read(fabric, address, bytes, PAGE);
	for (int i = 0; i < PAGE; i++) {
		if (bytes[i] == program->memory[n][i] ||
		    (program->may[n][i] && bytes[i] == program->either[n][i]))
			continue;
		fail(recording, "memory %llx: %02x, recorded %02x", address + i, bytes[i],
		     program->memory[n][i]);
		return false;
	}
	for (int i = 0; program->pages[n].memory == FABRIC_VECTOR && i < STRIPES; i++) {
		u32 width, order;

		fabric_stripe(fabric, address + i * PAGE / STRIPES, &width, &order);
		if (!same(recording, "stripe width", width, program->widths[n][i]))
			return false;
	}
	return true;
}

/* Seen through the caches, then from DRAM alone. */
static bool same_memory(const struct recording *recording, const struct program *program,
			struct fabric *fabric)
{
	for (int pass = 0; pass < 2; pass++) {
		for (u32 n = 0; n < program->page_count; n++)
			if (!same_page(recording, program, fabric, n))
				return false;
		fabric_flush(fabric);
	}
	return true;
}

static bool same_work(const struct recording *recording, const struct program *program,
		      const struct fabric *fabric)
{
	const struct fabric_counters *c = fabric_counters(fabric);
	u64 sum[6] = { 0 };

	for (u32 n = 0; n < program->op_count; n++)
		for (int i = 0; i < 6; i++)
			sum[i] += program->work[n][i];
	/* Lines of several operations may be the same ones. */
	if (program->op_count == 1 && c->fetches < sum[5]) {
		fail(recording, "%llu lines fetched, at least %llu recorded", c->fetches, sum[5]);
		return false;
	}
	return same(recording, "local", c->local, sum[0]) &&
	       same(recording, "nonlocal", c->nonlocal, sum[1]) &&
	       same(recording, "vector segments", c->segments[0], sum[2]) &&
	       /* A push from vector memory goes out whatever the mask; this one need not. */
	       same(recording, "scalar segments", c->segments[1] + c->masked, sum[3]) &&
	       same(recording, "non-idempotent accesses", c->once, sum[4]);
}

/* What has to balance after every program. */
static bool laws_hold(const struct recording *recording, const struct fabric *fabric)
{
	const struct fabric_counters *c = fabric_counters(fabric);
	const u64 *m = c->messages;
	u32 jamlets = 4;

	return same(recording, "protocol errors", c->protocol_errors, 0) &&
	       same(recording, "reads", m[FABRIC_RD_REQ], m[FABRIC_RD_RESP] + m[FABRIC_RD_DROP]) &&
	       same(recording, "writes", m[FABRIC_WR_REQ],
		    m[FABRIC_WR_RESP] + m[FABRIC_WR_DROP] + m[FABRIC_WR_RETRY]) &&
	       same(recording, "segments", c->segments[0] + c->segments[1],
		    m[FABRIC_RD_RESP] + m[FABRIC_WR_RESP] + m[FABRIC_PUSH] - m[FABRIC_PUSH_DROP]) &&
	       same(recording, "retries", c->retries, m[FABRIC_WR_RETRY]) &&
	       same(recording, "lines in", m[FABRIC_LINE_IN], jamlets * c->fetches) &&
	       same(recording, "lines out", m[FABRIC_LINE_OUT],
		    jamlets * c->evictions + m[FABRIC_LINE_OUT_DROP]) &&
	       same(recording, "barriers", c->done_syncs, c->nonlocal);
}

static bool run_with(const struct recording *recording, const struct program *before,
		     const struct program *after, const struct fabric_config *config)
{
	struct fabric *fabric = set_up(recording, before, config);
	bool good = false;
	u32 bad;
	int err;

	if (!fabric)
		return false;
	err = fabric_submit(fabric, before->ops, before->op_count, &bad);
	if (!err)
		err = fabric_run(fabric, U64_MAX);
	if (err)
		fail(recording, "%s at operation %u", strerror(-err), bad);
	else
		good = same_faults(recording, after, fabric) &&
		       same_registers(recording, after, fabric) &&
		       same_work(recording, after, fabric) && laws_hold(recording, fabric) &&
		       same_memory(recording, after, fabric);
	if (!good)
		fprintf(stderr, "  with rows %u waits %u slots %u idents %u syncs %u push_ack %d\n",
			config->rows, config->waits, config->slots, config->idents, config->syncs,
			config->push_ack);
	fabric_destroy(fabric);
	return good;
}

/* Results do not depend on the depth of any table. */
static bool run_settings(const struct recording *recording, const struct program *before,
			 const struct program *after)
{
	static const u32 rows[] = { 1, 2, 16 }, waits[] = { 1, 2, 32 }, slots[] = { 4, 8, 64 };
	struct fabric_config config = before->config;
	bool good = true;

	for (int i = 0; i < 54 && good; i++) {
		config.rows = rows[i % 3];
		config.waits = waits[i / 3 % 3];
		config.slots = slots[i / 9 % 3];
		config.push_ack = i / 27;
		config.idents = i % 5 ? FABRIC_IDENTS_MAX : 2;
		config.syncs = i % 7 ? FABRIC_SYNCS_MAX : 2;
		good = run_with(recording, before, after, &config);
	}
	return good;
}

enum outcome transfer_program(struct recording *recording)
{
	static struct program before, after;
	bool good;

	memset(&before, 0, sizeof(before));
	while (recording_next(recording) && !token_is(recording, 0, "end") &&
	       !token_is(recording, 0, "memdiff") && !token_is(recording, 0, "outreg"))
		take_line(recording, &before);
	after = before;
	do
		take_outcome(recording, &after);
	while (!token_is(recording, 0, "end") && recording_next(recording));
	good = run_with(recording, &before, &after, &before.config);
	if (good && transfer_every_setting)
		good = run_settings(recording, &before, &after);
	return good ? PASSED : FAILED;
}
