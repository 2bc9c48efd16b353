// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What the check promises of a move, the model keeps: random moves that pass it
 * run, and every burst on the bus is watched.
 */
#include "hw/testing.h"

#include "hw/exec.h"
#include "hw/move_random.h"
#include "sim/node.h"

#define MESH 1
#define INDEX_ADDR (MESH1 + 0x100000)
#define BYPASS_BEATS 4

static struct kohaku_walk_scratch scratch;

/* What the bus saw of one move. */
struct watch {
	const struct move_setting *s;
	struct kohaku_span read, written;	/* bytes, hi exclusive; by address */
	u64 words;
};

static void watch_include(struct kohaku_span *span, u64 addr, u32 beats)
{
	s64 end = addr + (u64)beats * KOHAKU_WORD;

	span->lo = span->empty ? (s64)addr : min(span->lo, (s64)addr);
	span->hi = span->empty ? end : max(span->hi, end);
	span->empty = false;
}

static void assert_within(u64 addr, u32 beats, const struct kohaku_region *region)
{
	assert_true(addr >= region->addr);
	assert_true(addr + (u64)beats * KOHAKU_WORD <= region->addr + region->size);
}

static void watch_read(void *ctx, u64 addr, u32 beats, bool index)
{
	struct watch *watch = ctx;

	if (index) {
		assert_true(addr >= INDEX_ADDR);
		assert_true(addr + 32 <= INDEX_ADDR + sizeof(watch->s->indices));
		return;
	}
	assert_within(addr, beats, watch->s->context.src);
	watch_include(&watch->read, addr, beats);
}

static void watch_write(void *ctx, u64 addr, u32 beats)
{
	struct watch *watch = ctx;

	assert_within(addr, beats, watch->s->context.dst);
	watch_include(&watch->written, addr, beats);
	watch->words += beats;
}

static u64 node_read(void *ctx, u32 mesh, u32 offset)
{
	return sim_window_read(ctx, mesh, offset);
}

static void node_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(ctx, mesh, offset, value, 0xff);
}

static u32 run(struct sim_node *node, const struct move_setting *s)
{
	struct kohaku_bus bus = { .read64 = node_read, .write64 = node_write, .ctx = node };
	struct kohaku_program program;
	struct kohaku_exec exec;
	u32 fault = 0;
	int error;

	assert_int_equal(sim_mem_write(node, KOHAKU_HOST_WINDOW(MESH) + INDEX_ADDR, s->indices,
				       sizeof(s->indices)), 0);
	kohaku_move_encode(&s->move, s->src.addr, s->dst.addr, INDEX_ADDR, &program);
	assert_int_equal(kohaku_exec_start(&exec, &bus, s->context.mesh, &program), 0);
	do {
		error = kohaku_exec_poll(&exec, &fault);
	} while (error == -EINPROGRESS);
	assert_int_equal(error, 0);
	return fault;
}

/* A move that ends well writes exactly what was promised. */
static void assert_kept(const struct watch *watch)
{
	const struct move_setting *s = watch->s;
	u32 unit = s->move.mode == KOHAKU_MOVE_XFORM ? 128 : 32;
	s64 dst = s->dst.addr + s->move.dst.offset, src = s->src.addr + s->move.src.offset;

	assert_true(watch->words == s->facts.words);
	assert_int_equal(watch->written.empty, s->facts.dst.empty);
	if (!watch->written.empty) {
		assert_true(watch->written.lo == dst + s->facts.dst.lo);
		assert_true(watch->written.hi == dst + s->facts.dst.hi + unit);
	}
	/* Reads may be fewer: there is none for a word that is not written. */
	if (!watch->read.empty) {
		assert_false(s->facts.src.empty);
		assert_true(watch->read.lo >= src + s->facts.src.lo);
		assert_true(watch->read.hi <= src + s->facts.src.hi + 32);
	}
}

static void run_watched(struct sim_node *node, const struct move_setting *s)
{
	struct watch watch = { .s = s, .read.empty = true, .written.empty = true };
	struct sim_probe probe = { .read = watch_read, .write = watch_write, .ctx = &watch };
	struct kohaku_element element;
	u64 words;

	sim_mesh_probe(node, s->context.mesh, &probe);
	if (kohaku_move_misaligned(&s->move, s->dst.addr, U64_MAX, &element, &words)) {
		assert_int_equal(run(node, s), KOHAKU_FAULT_ALIGN);
		assert_true(watch.words == words);
		return;
	}
	assert_int_equal(run(node, s), KOHAKU_FAULT_NONE);
	assert_kept(&watch);
}

static void test_promises(void **unused)
{
	struct sim_config config = { .meshes = 2, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	static struct move_setting s;
	u32 i, ran[8] = { 0 };

	(void)unused;
	testing_seed("promises");
	assert_non_null(node);
	move_setting_link(&s, &scratch);
	for (i = 0; i < 100000; i++) {
		random_move(&s);
		s.context.mesh = MESH;
		s.context.remote = false;
		s.context.entry_beats = BYPASS_BEATS;
		s.move.xform = 0;
		s.move.xform_mode = 0;
		if (kohaku_move_check(&s.move, &s.context, &s.facts, &s.verdict) ||
		    s.facts.elements > 20000)
			continue;
		run_watched(node, &s);
		ran[s.move.mode]++;
	}
	assert_true(ran[KOHAKU_MOVE_COPY] > 1000 && ran[KOHAKU_MOVE_GATHER] > 1000);
	assert_true(ran[KOHAKU_MOVE_FILL] > 1000 && ran[KOHAKU_MOVE_GENERATE] > 1000);
	assert_true(ran[KOHAKU_MOVE_XFORM] > 100);
	sim_node_destroy(node);
}

/*
 * A padded copy from the very first buffer: its walk begins before address 0,
 * where the mover's 40 bits wrap.
 */
static void test_before_address_0(void **unused)
{
	struct sim_config config = { .meshes = 2, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	static struct move_setting s;
	u64 host = KOHAKU_HOST_WINDOW(0), words[4 * 4];
	u64 data[2 * 4] = { 1, 1, 1, 1, 2, 2, 2, 2 };
	u32 i;

	(void)unused;
	assert_non_null(node);
	move_setting_link(&s, &scratch);
	s.context.mesh = 0;
	s.src = (struct kohaku_region){ 0, 64 };
	s.dst = (struct kohaku_region){ 0x1000, 128 };
	s.move = (struct kohaku_move){
		.mode = KOHAKU_MOVE_COPY, .width = 0, .imm = 0x77,
		.src = { .ndim = 1, .offset = -32, .dims = { { 32, 4, 1, 1 } },
			 .windows = { { -1, 2 } } },
		.dst = { .ndim = 1, .dims = { { 32, 4, 0, 0 } } },
	};
	assert_int_equal(sim_mem_write(node, host, data, sizeof(data)), 0);
	assert_int_equal(kohaku_move_check(&s.move, &s.context, &s.facts, &s.verdict), 0);
	run_watched(node, &s);
	assert_int_equal(sim_mem_read(node, host + 0x1000, words, sizeof(words)), 0);
	for (i = 0; i < 4; i++) {
		assert_true(words[i] == 0x7777777777777777ULL);
		assert_true(words[4 + i] == 1 && words[8 + i] == 2);
		assert_true(words[12 + i] == 0x7777777777777777ULL);
	}
	sim_node_destroy(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_promises),
		cmocka_unit_test(test_before_address_0),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
