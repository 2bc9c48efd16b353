// SPDX-License-Identifier: GPL-2.0
/* Recordings of programs: memory, registers, faults and work of loads and stores. */
#include "transfer_program.h"

#include <stdlib.h>
#include <string.h>

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

static bool same_faults(const struct recording *recording, const struct program *program,
			const struct seen *seen)
{
	const struct fabric_result *ours = seen->results;

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
			   const struct seen *seen)
{
	for (u32 n = 0; n < REGS; n++) {
		if (!program->compared[n])
			continue;
		for (int lane = 0; lane < LANES; lane++) {
			u64 differ = (seen->regs[n][lane] ^ program->expected[n][lane]) &
				     ~program->ignore[n][lane];

			if (differ) {
				fail(recording, "register %u lane %d: %llx, recorded %llx", n, lane,
				     seen->regs[n][lane], program->expected[n][lane]);
				return false;
			}
		}
	}
	return true;
}

static bool same_page(const struct recording *recording, const struct program *program,
		      const struct seen *seen, u32 n)
{
	for (int i = 0; i < PAGE; i++) {
		u8 byte = seen->memory[n][i];

		if (byte == program->memory[n][i] ||
		    (program->may[n][i] && byte == program->either[n][i]))
			continue;
		fail(recording, "memory %llx: %02x, recorded %02x",
		     program->pages[n].address + i, byte, program->memory[n][i]);
		return false;
	}
	for (int i = 0; program->pages[n].memory == FABRIC_VECTOR && i < STRIPES; i++)
		if (!same(recording, "stripe width", seen->widths[n][i], program->widths[n][i]))
			return false;
	return true;
}

static bool same_memory(const struct recording *recording, const struct program *program,
			const struct seen *seen)
{
	for (u32 n = 0; n < program->page_count; n++)
		if (!same_page(recording, program, seen, n))
			return false;
	return true;
}

static bool same_work(const struct recording *recording, const struct program *program,
		      const struct fabric_counters *c)
{
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
static bool laws_hold(const struct recording *recording, const struct fabric_counters *c)
{
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

/* Seen through the caches, then from DRAM alone, where that can be had. */
static bool run_with(const struct recording *recording, const struct program *before,
		     const struct program *after, const struct fabric_config *config)
{
	static struct seen seen, flushed;
	const char *why = transfer_node ? program_run_node(before, &seen) :
					  program_run_model(before, config, &seen, &flushed);
	bool good = false;

	if (why)
		fail(recording, "%s", why);
	else
		good = same_faults(recording, after, &seen) &&
		       same_registers(recording, after, &seen) &&
		       same_work(recording, after, &seen.counters) &&
		       laws_hold(recording, &seen.counters) &&
		       same_memory(recording, after, &seen) &&
		       (transfer_node || same_memory(recording, after, &flushed));
	if (!good)
		fprintf(stderr, "  with rows %u waits %u slots %u idents %u syncs %u push_ack %d\n",
			config->rows, config->waits, config->slots, config->idents, config->syncs,
			config->push_ack);
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
	if (transfer_node && !program_fits_node(&before))
		return SKIPPED;
	good = run_with(recording, &before, &after, &before.config);
	if (good && transfer_every_setting && !transfer_node)
		good = run_settings(recording, &before, &after);
	return good ? PASSED : FAILED;
}
