// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: the vector core.  Programs of any instructions keep to their
 * memory and their state, however their packets are cut into rounds; a pass is
 * accepted when a look at every word says so, and then moves words as it should.
 */
#include "fuzz.h"

#include "sim/vector/vector.h"

#define WORDS 512			/* of each of the two memories */
#define BASE 0x8000040000ULL
#define INDEX (BASE - KOHAKU_WORD)	/* where a transposing program finds its constant */
#define FLITS 96

/* A core, what it sees, and what it did there. */
struct bench {
	struct sim_vector *core;
	u8 memory[WORDS][KOHAKU_WORD];
	u64 reads, writes;
	bool strict;			/* nothing but words of the memory is touched */
};

static struct bench benches[2];

static int reach(struct bench *bench, u64 addr, size_t size, u8 **word)
{
	u64 at = (addr - BASE) / KOHAKU_WORD;

	REQUIRE(size == KOHAKU_WORD);
	if (addr < BASE || at >= WORDS) {
		REQUIRE(!bench->strict);
		return -EINVAL;
	}
	*word = bench->memory[at];
	return 0;
}

static int read_memory(void *ctx, u64 addr, void *bytes, size_t size)
{
	struct bench *bench = ctx;
	u8 *word;

	if (addr == INDEX) {
		memcpy(bytes, kohaku_vector_index, size);
		bench->reads++;
		return 0;
	}
	if (reach(bench, addr, size, &word))
		return -EINVAL;
	memcpy(bytes, word, size);
	bench->reads++;
	return 0;
}

static int write_memory(void *ctx, u64 addr, const void *bytes, size_t size)
{
	struct bench *bench = ctx;
	u8 *word;

	if (reach(bench, addr, size, &word))
		return -EINVAL;
	memcpy(word, bytes, size);
	bench->writes++;
	return 0;
}

static void set_up(struct bench *bench, bool strict)
{
	const struct sim_vector_memory memory = { read_memory, write_memory, bench };
	u32 i;

	sim_vector_destroy(bench->core);
	bench->core = sim_vector_create(&memory);
	REQUIRE(bench->core);
	bench->reads = 0;
	bench->writes = 0;
	bench->strict = strict;
	for (i = 0; i < sizeof(bench->memory); i++)
		bench->memory[i / KOHAKU_WORD][i % KOHAKU_WORD] = i * 7 + i / 251;
}

/* Mostly what relayout is made of, near where there is memory. */
static u32 draw_instruction(void)
{
	static const u8 ops[] = {
		KOHAKU_VFILL, KOHAKU_VDRAIN, KOHAKU_VLD, KOHAKU_VST, KOHAKU_VSHUF, KOHAKU_VCMPEQ,
		KOHAKU_VSETVL, KOHAKU_VSETI, KOHAKU_VSETMODE, KOHAKU_VBAR, KOHAKU_VHALT,
	};
	u32 op = random_once_in(16) ? random_below(32) : ops[random_below(sizeof(ops))];
	u32 instruction = random_below(1U << 27);

	if ((op == KOHAKU_VLD || op == KOHAKU_VST) && !random_once_in(8))
		instruction = (instruction & ~(u32)KOHAKU_V_DTYPE) | KOHAKU_PUT(KOHAKU_V_DTYPE, 1);
	return KOHAKU_PUT(KOHAKU_V_OP, op) | instruction;
}

static void draw_fields(struct kohaku_flit_fields *fields)
{
	*fields = (struct kohaku_flit_fields){ .kind = random_between(KOHAKU_FLIT_IMEM,
								      KOHAKU_FLIT_RUN) };
	switch (fields->kind) {
	case KOHAKU_FLIT_IMEM:
		fields->index = random_once_in(8) ? random_below(KOHAKU_VECTOR_IMEM)
						  : random_below(16);
		fields->value = random_once_in(4) ? random_below(160) : draw_instruction();
		break;
	case KOHAKU_FLIT_DESC:
		fields->index = random_below(KOHAKU_VECTOR_DESCRIPTORS);
		fields->field = random_below(KOHAKU_VECTOR_DIMS + 1);
		if (!fields->field)
			fields->value = random_once_in(8) ? random_bits() >> 24
							  : BASE + random_below(1U << 14);
		else
			fields->value = KOHAKU_PUT(KOHAKU_DESC_BOUND, random_below(40)) |
					KOHAKU_PUT(KOHAKU_DESC_STRIDE,
						   (u64)(32 * random_between(-32, 32)));
		break;
	case KOHAKU_FLIT_RUN:
		fields->index = random_once_in(8) ? random_below(KOHAKU_VECTOR_IMEM) : 0;
		break;
	}
}

/* A packet, encoded and decoded; now and then any bits, which may be none. */
static bool draw_flit(struct kohaku_flit *flit)
{
	struct kohaku_flit_fields fields, again;
	struct kohaku_flit twice;
	u32 i;

	draw_fields(&fields);
	REQUIRE(!kohaku_flit_encode(&fields, flit));
	REQUIRE(!kohaku_flit_decode(flit, &again));
	REQUIRE(!memcmp(&fields, &again, sizeof(fields)));
	if (!random_once_in(32))
		return true;
	for (i = 0; i < ARRAY_SIZE(flit->words); i++)
		flit->words[i] ^= random_once_in(2) ? random_bits() : 0;
	if (kohaku_flit_decode(flit, &fields))
		return false;
	/* Whatever is a packet says the same when it is made anew. */
	REQUIRE(!kohaku_flit_encode(&fields, &twice));
	REQUIRE(!kohaku_flit_decode(&twice, &again));
	REQUIRE(!memcmp(&fields, &again, sizeof(fields)));
	return true;
}

static void require_sane(const struct sim_vector *core)
{
	u32 i;

	REQUIRE(core->length >= 1 && core->length <= KOHAKU_VECTOR_LANES);
	REQUIRE(core->mode < 4 && core->constant < 1U << 24);
	for (i = 0; i < SIM_VECTOR_SCALARS; i++)
		REQUIRE(core->scalars[i] < 1U << 24);
}

static void require_counted(const struct bench *bench, const struct sim_vector_result *result,
			    u32 count)
{
	REQUIRE(result->flits == count && result->faults <= result->runs);
	REQUIRE(!result->fault == !result->faults);
	REQUIRE(!result->faults || result->fault_flit < count);
	REQUIRE(result->words_read == bench->reads && result->words_written == bench->writes);
	REQUIRE(result->read_bursts <= bench->reads && result->write_bursts <= bench->writes);
	/* A program that does not halt is given up after as much as there is memory for. */
	REQUIRE(result->retired <= (u64)result->runs * KOHAKU_VECTOR_IMEM);
	require_sane(bench->core);
}

static void add(struct sim_vector_result *sum, const struct sim_vector_result *part)
{
	if (part->faults && !sum->faults) {
		sum->fault = part->fault;
		sum->fault_flit = sum->flits + part->fault_flit;
	}
	sum->flits += part->flits;
	sum->runs += part->runs;
	sum->faults += part->faults;
	sum->cycles += part->cycles;
	sum->retired += part->retired;
	sum->words_read += part->words_read;
	sum->read_bursts += part->read_bursts;
	sum->words_written += part->words_written;
	sum->write_bursts += part->write_bursts;
}

static void require_same_state(void)
{
	struct sim_vector one = *benches[0].core, other = *benches[1].core;

	memset(&one.memory, 0, sizeof(one.memory));
	memset(&other.memory, 0, sizeof(other.memory));
	REQUIRE(!memcmp(one.imem, other.imem, sizeof(one.imem)));
	REQUIRE(!memcmp(one.descriptors, other.descriptors, sizeof(one.descriptors)));
	REQUIRE(!memcmp(one.l1, other.l1, sizeof(one.l1)));
	REQUIRE(!memcmp(one.registers, other.registers, sizeof(one.registers)));
	REQUIRE(!memcmp(one.predicates, other.predicates, sizeof(one.predicates)));
	REQUIRE(!memcmp(one.scalars, other.scalars, sizeof(one.scalars)));
	REQUIRE(one.length == other.length && one.constant == other.constant);
	REQUIRE(!memcmp(benches[0].memory, benches[1].memory, sizeof(benches[0].memory)));
}

static void check_packets(void)
{
	static struct kohaku_flit flits[FLITS];
	struct sim_vector_result whole, part, sum = { 0 };
	u32 count = random_below(FLITS) + 1, at, piece, i;
	bool good = true;

	for (i = 0; i < count; i++)
		good &= draw_flit(&flits[i]);
	set_up(&benches[0], false);
	set_up(&benches[1], false);
	if (!good) {
		REQUIRE(sim_vector_take(benches[0].core, flits, count, &whole) == -EINVAL);
		REQUIRE(!whole.flits && !benches[0].reads && !benches[0].writes);
		return;
	}
	REQUIRE(!sim_vector_take(benches[0].core, flits, count, &whole));
	require_counted(&benches[0], &whole, count);
	for (at = 0; at < count; at += piece) {
		piece = min(count - at, (u32)random_between(1, 8));
		REQUIRE(!sim_vector_take(benches[1].core, flits + at, piece, &part));
		add(&sum, &part);
	}
	REQUIRE(!memcmp(&whole, &sum, sizeof(sum)));
	require_same_state();
}

/* ---- passes ---- */

static void draw_pass(struct kohaku_vector_pass *pass, u32 *offsets)
{
	u32 left, stride = 1, runs = random_between(1, 6), i;

	*pass = (struct kohaku_vector_pass){
		.fill = random_once_in(2),
		.transpose = random_once_in(2),
		.words = 16 * random_between(1, 4) - (random_once_in(4) ? random_below(16) : 0),
		.ndim = random_below(KOHAKU_VECTOR_DIMS + 1),
		.offsets = random_once_in(3) ? NULL : offsets,
	};
	pass->total = pass->words * runs;
	left = pass->words;
	for (i = 0; i < pass->ndim; i++) {
		u32 bound = i + 1 == pass->ndim ? left : (u32)random_between(1, 4);

		if (left % bound)
			bound = 1;
		pass->dims[i] = (struct kohaku_vector_dim){ stride, bound };
		if (random_once_in(8))
			pass->dims[i].stride = random_between(-20, 20);
		stride *= bound;
		left /= bound;
	}
	for (i = 0; i < runs; i++)
		offsets[i] = random_once_in(8) ? random_below(pass->total) : i * pass->words;
	if (random_once_in(16))
		pass->dims[random_below(KOHAKU_VECTOR_DIMS)].stride = random_bits();
	if (random_once_in(16))
		pass->dims[random_below(KOHAKU_VECTOR_DIMS)].bound = random_bits();
	if (random_once_in(16))
		offsets[random_below(runs)] = random_bits();
	if (random_once_in(16))
		pass->total += random_below(64);
	if (random_once_in(32))
		pass->ndim = random_below(8);
	if (random_once_in(32))
		pass->words = random_below(600);
}

static s64 walked(const struct kohaku_vector_pass *pass, u32 run, u32 i)
{
	s64 at = pass->offsets ? (s64)pass->offsets[run] : (s64)run * pass->words;
	u32 dim;

	for (dim = 0; dim < pass->ndim; dim++) {
		at += (s64)pass->dims[dim].stride * (i % pass->dims[dim].bound);
		i /= pass->dims[dim].bound;
	}
	return at;
}

static bool pass_lawful(const struct kohaku_vector_pass *pass)
{
	unsigned __int128 product = 1;
	u32 i, run;

	if (!pass->words || pass->words > 256 || !pass->total || pass->total % pass->words ||
	    (pass->transpose && pass->words % 16) || pass->ndim > KOHAKU_VECTOR_DIMS)
		return false;
	for (i = 0; i < pass->ndim; i++) {
		s64 bytes = 32 * (s64)pass->dims[i].stride;

		if (bytes < -131072 || bytes > 131071)
			return false;
		product *= pass->dims[i].bound;
	}
	if (product != pass->words)
		return false;
	for (run = 0; run < pass->total / pass->words; run++)
		for (i = 0; i < pass->words; i++)
			if (walked(pass, run, i) < 0 || walked(pass, run, i) >= pass->total)
				return false;
	return true;
}

static void transpose(u8 (*words)[KOHAKU_WORD], u32 count)
{
	u8 out[4][KOHAKU_WORD];
	u32 four, i, j;

	for (four = 0; four < count; four += 4) {
		for (i = 0; i < 4; i++)
			for (j = 0; j < 4; j++)
				memcpy(out[i] + 8 * j, words[four + j] + 8 * i, 8);
		memcpy(words[four], out, sizeof(out));
	}
}

/* What the pass should do, a run at a time; source and destination may not meet. */
static void expect(const struct kohaku_vector_pass *pass, u32 src, u32 dst,
		   u8 (*memory)[KOHAKU_WORD])
{
	u8 words[256][KOHAKU_WORD];
	u32 run, i;

	for (run = 0; run < pass->total / pass->words; run++) {
		for (i = 0; i < pass->words; i++) {
			u32 from = pass->fill ? walked(pass, run, i) : run * pass->words + i;

			memcpy(words[i], memory[src + from], KOHAKU_WORD);
		}
		if (pass->transpose)
			transpose(words, pass->words);
		for (i = 0; i < pass->words; i++) {
			u32 to = pass->fill ? run * pass->words + i : walked(pass, run, i);

			memcpy(memory[dst + to], words[i], KOHAKU_WORD);
		}
	}
}

/* A program as it comes: every packet runs at once. */
static int run_flit(void *ctx, const struct kohaku_flit *flit)
{
	struct bench *bench = ctx;
	struct sim_vector_result result;

	REQUIRE(!sim_vector_take(bench->core, flit, 1, &result));
	REQUIRE(!result.faults);
	return 0;
}

static void check_pass(void)
{
	static u8 expected[WORDS][KOHAKU_WORD];
	const struct kohaku_flit_sink sink = { run_flit, &benches[0] };
	struct kohaku_vector_pass pass;
	struct kohaku_vector_pair pair;
	u32 offsets[512], src, dst;

	draw_pass(&pass, offsets);
	/* An oracle that looks at every word must be told where to end. */
	if (pass.words && pass.total / pass.words > 6)
		return;
	REQUIRE(kohaku_vector_check(&pass) == (pass_lawful(&pass) ? 0 : -EINVAL));
	if (!pass_lawful(&pass) || 2 * pass.total > WORDS)
		return;
	src = random_below(WORDS - 2 * pass.total + 1);
	dst = src + pass.total;
	if (random_once_in(2)) {
		dst = src;
		src = dst + pass.total;
	}
	set_up(&benches[0], true);
	memcpy(expected, benches[0].memory, sizeof(expected));
	expect(&pass, src, dst, expected);
	pair = (struct kohaku_vector_pair){ BASE + src * KOHAKU_WORD, BASE + dst * KOHAKU_WORD };
	REQUIRE(!kohaku_vector_emit(&pass, &pair, 1, INDEX, &sink));
	REQUIRE(!memcmp(benches[0].memory, expected, sizeof(expected)));
	REQUIRE(benches[0].writes == pass.total);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	testing_feed(bytes, size);
	if (random_once_in(2))
		check_packets();
	else
		check_pass();
	return 0;
}
