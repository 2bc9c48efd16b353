// SPDX-License-Identifier: GPL-2.0
/*
 * Three transfers, step by step: a local load that misses, an unaligned load
 * that hits, and an indexed store with misses, a fault and non-idempotent pages.
 * What counts is the order of messages and states, not only the outcome.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "sim/transfer/sync.h"

#define BASE	0x40000000ULL
#define PAGE	512
#define KAMLETS	4
#define JAMLETS	4
#define LANES	16
#define EVENTS	8192

struct scene {
	struct fabric *fabric;
	struct fabric_event events[EVENTS];
	u32 count;
};

static void note(void *ctx, const struct fabric_event *event)
{
	struct scene *scene = ctx;

	assert_true(scene->count < EVENTS);
	scene->events[scene->count++] = *event;
}

static void map(struct scene *scene, u32 n, u32 memory, u8 width)
{
	const struct fabric_page page = {
		.address = BASE + n * PAGE, .memory = memory, .readable = true, .writable = true,
	};
	const u8 widths[] = { width, width, width, width };
	u8 bytes[PAGE];
	u32 i;

	for (i = 0; i < PAGE; i++)
		bytes[i] = 37 * i + n;
	assert_int_equal(fabric_map(scene->fabric, &page, widths, NULL), 0);
	assert_int_equal(fabric_write(scene->fabric, page.address, bytes, PAGE), 0);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct fabric_config config;

	fabric_config_default(&config);
	config.slots = 4;
	scene->fabric = fabric_create(&config);
	*state = scene;
	return !scene->fabric;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	fabric_destroy(scene->fabric);
	free(scene);
	return 0;
}

static void run(struct scene *scene, const struct fabric_op *ops, u32 count)
{
	u32 bad;

	assert_int_equal(fabric_submit(scene->fabric, ops, count, &bad), 0);
	assert_int_equal(fabric_run(scene->fabric, U64_MAX), 0);
}

static struct fabric_op unit(bool store, u32 width, u32 count, s32 reg, u64 base)
{
	return (struct fabric_op) {
		.store = store, .mode = FABRIC_UNIT, .width = width, .count = count, .group = 1,
		.reg = reg, .index = FABRIC_NONE, .mask = FABRIC_NONE, .writeset = FABRIC_NONE,
		.base = base,
	};
}

/* A step: so many events of this kind, after all of the step before it. */
struct step {
	u32 kind;
	u32 type;			/* of messages and synchronisations; else the state */
	u32 count;
};

static bool matches(const struct fabric_event *event, const struct step *step, u32 kamlet)
{
	bool stateful = event->kind == FABRIC_EVENT_ROW || event->kind == FABRIC_EVENT_BYTE ||
			event->kind == FABRIC_EVENT_LINE;
	const struct fabric_party *who = event->kind == FABRIC_EVENT_TAKE ? &event->to :
									    &event->from;

	return event->kind == step->kind && who->kamlet == kamlet &&
	       who->unit != FABRIC_LAMLET &&
	       (stateful ? event->state : event->type) == step->type;
}

static u32 first_of(const struct scene *scene, const struct step *step, u32 kamlet)
{
	u32 i = 0;

	while (i < scene->count && !matches(&scene->events[i], step, kamlet))
		i++;
	return i;
}

static u32 last_of(const struct scene *scene, const struct step *step, u32 kamlet)
{
	u32 i = scene->count;

	while (i && !matches(&scene->events[i - 1], step, kamlet))
		i--;
	return i - 1;
}

static u32 count_of(const struct scene *scene, const struct step *step, u32 kamlet)
{
	u32 i, count = 0;

	for (i = 0; i < scene->count; i++)
		count += matches(&scene->events[i], step, kamlet);
	return count;
}

static void assert_steps(const struct scene *scene, u32 kamlet, const struct step *steps, u32 count)
{
	u32 i, begin;

	for (i = 0; i < count; i++) {
		assert_int_equal(count_of(scene, &steps[i], kamlet), steps[i].count);
		if (!i)
			continue;
		begin = first_of(scene, &steps[i], kamlet);
		if (begin < last_of(scene, &steps[i - 1], kamlet))
			print_message("kamlet %u: step %u begins before step %u is over\n", kamlet,
				      i, i - 1);
		assert_true(begin > last_of(scene, &steps[i - 1], kamlet));
	}
}

#define SEND(what, n)	{ FABRIC_EVENT_SEND, FABRIC_##what, n }
#define TAKE(what, n)	{ FABRIC_EVENT_TAKE, FABRIC_##what, n }
#define ROW(what, n)	{ FABRIC_EVENT_ROW, FABRIC_ROW_##what, n }
#define LINE(what, n)	{ FABRIC_EVENT_LINE, FABRIC_LINE_##what, n }
#define BYTE(what, n)	{ FABRIC_EVENT_BYTE, FABRIC_BYTE_##what, n }

/* Modifies the four lines of every kamlet's cache. */
static void fill_caches(struct scene *scene)
{
	struct fabric_op ops[4];
	u32 n;

	for (n = 0; n < 4; n++)
		ops[n] = unit(true, 32, 32, n, BASE + n * PAGE);
	run(scene, ops, 4);
}

static void local_load_misses(void **state)
{
	static const struct step steps[] = {
		LINE(RESERVED, 1), ROW(CACHE_WAIT, 1), SEND(LINE_SWAP, 1), LINE(SWAPPING, 1),
		SEND(LINE_OUT, JAMLETS), TAKE(LINE_IN, JAMLETS), LINE(CLEAN, 1), ROW(CLEANUP, 1),
		ROW(FREE, 1),
	};
	struct scene *scene = *state;
	const struct fabric_op load = unit(false, 32, 32, 9, BASE + 4 * PAGE);
	u32 n, k;

	for (n = 0; n < 5; n++)
		map(scene, n, FABRIC_VECTOR, 32);
	fill_caches(scene);
	fabric_trace(scene->fabric, note, scene);
	fabric_counters_clear(scene->fabric);
	run(scene, &load, 1);
	for (k = 0; k < KAMLETS; k++) {
		assert_steps(scene, k, steps, ARRAY_SIZE(steps));
		/* It never left the kamlet: nobody is asked to agree. */
		assert_int_equal(count_of(scene, &(struct step) { FABRIC_EVENT_SYNC, 0, 0 }, k), 0);
	}
	assert_int_equal(fabric_counters(scene->fabric)->local, 1);
	assert_int_equal(fabric_counters(scene->fabric)->done_syncs, 0);
	assert_int_equal(fabric_counters(scene->fabric)->evictions, KAMLETS);
}

/* Stores wait for their line as loads do; nothing is allocated unread. */
static void local_store_misses(void **state)
{
	static const struct step steps[] = {
		LINE(RESERVED, 1), ROW(CACHE_WAIT, 1), SEND(LINE_FETCH, 1), LINE(FETCHING, 1),
		TAKE(LINE_IN, JAMLETS), LINE(CLEAN, 1), LINE(DIRTY, 1), ROW(FREE, 1),
	};
	struct scene *scene = *state;
	const struct fabric_op store = unit(true, 32, 32, 9, BASE);
	u32 k;

	map(scene, 0, FABRIC_VECTOR, 32);
	fabric_trace(scene->fabric, note, scene);
	run(scene, &store, 1);
	for (k = 0; k < KAMLETS; k++)
		assert_steps(scene, k, steps, ARRAY_SIZE(steps));
	assert_int_equal(fabric_counters(scene->fabric)->messages[FABRIC_LINE_OUT], 0);
}

/* When a node has the result, from when each node contributed. */
static u64 barrier_end(const struct scene *scene, u32 node)
{
	u64 at[TF_NODES] = { 0 };
	const struct fabric_event *event;
	u32 i;

	for (i = 0; i < scene->count; i++) {
		event = &scene->events[i];
		if (event->kind != FABRIC_EVENT_SYNC || event->type)
			continue;
		at[event->from.unit == FABRIC_LAMLET ? TF_NODE_LAMLET : event->from.kamlet] =
			event->tick;
	}
	return tf_sync_due(2, KAMLETS, at, node, 1);
}

static void unaligned_load_hits(void **state)
{
	const u32 segments = 24;
	const struct step steps[] = {
		ROW(ACTIVE, 1), ROW(SYNC_NEEDED, 1), ROW(SYNC_WAIT, 1),
		{ FABRIC_EVENT_SYNC_DONE, 0, 1 }, ROW(CLEANUP, 1), ROW(FREE, 1),
	};
	static const struct step take = TAKE(PUSH, 0), ready = ROW(SYNC_NEEDED, 0),
				 cleanup = ROW(CLEANUP, 0), line = LINE(CLEAN, 0);
	struct scene *scene = *state;
	const struct fabric_op warm = unit(false, 16, 64, 2, BASE);
	const struct fabric_op load = unit(false, 8, segments, 3, BASE + 5);
	u32 k, arrived = 0;
	u64 words[LANES];
	u32 width, e;

	map(scene, 0, FABRIC_VECTOR, 16);
	run(scene, &warm, 1);
	fabric_trace(scene->fabric, note, scene);
	fabric_counters_clear(scene->fabric);
	run(scene, &load, 1);
	for (k = 0; k < KAMLETS; k++) {
		assert_steps(scene, k, steps, ARRAY_SIZE(steps));
		/* A kamlet reports once all that it expects has come, not before. */
		if (count_of(scene, &take, k))
			assert_true(last_of(scene, &take, k) < first_of(scene, &ready, k));
		arrived += count_of(scene, &take, k);
		assert_int_equal(count_of(scene, &line, k), 0);
		assert_int_equal(scene->events[first_of(scene, &cleanup, k)].tick,
				 barrier_end(scene, k));
	}
	assert_int_equal(arrived, fabric_counters(scene->fabric)->messages[FABRIC_PUSH]);
	assert_int_equal(fabric_counters(scene->fabric)->segments[0], segments);
	assert_int_equal(fabric_counters(scene->fabric)->messages[FABRIC_PUSH_ACK], 0);
	assert_int_equal(fabric_counters(scene->fabric)->fetches, 0);
	fabric_register_read(scene->fabric, 3, words, &width);
	for (e = 0; e < segments; e++)
		assert_int_equal(words[e % LANES] >> (e / LANES * 8) & 0xff, (37 * (e + 5)) & 0xff);
}

/* Elements 1, 4 and 7 lie in a non-idempotent page, 6 in none. */
static const u64 example_offsets[10] = {
	0 * PAGE + 8, 4 * PAGE + 0, 1 * PAGE + 16, 2 * PAGE + 24, 4 * PAGE + 8,
	3 * PAGE + 32, 6 * PAGE + 0, 4 * PAGE + 16, 0 * PAGE + 136, 1 * PAGE + 144,
};

static void run_indexed_store(struct scene *scene)
{
	u64 words[LANES] = { 0 }, data[LANES];
	struct fabric_op store = unit(true, 64, 10, 0, BASE);
	u32 n;

	for (n = 0; n < 4; n++)
		map(scene, n, FABRIC_VECTOR, 64);
	map(scene, 4, FABRIC_SCALAR_ONCE, 64);
	memcpy(words, example_offsets, sizeof(example_offsets));
	for (n = 0; n < LANES; n++)
		data[n] = 0x0101010101010101ULL * (0xa0 + n);
	fabric_register_write(scene->fabric, 8, words, 64);
	fabric_register_write(scene->fabric, 0, data, 64);
	fabric_trace(scene->fabric, note, scene);
	store.mode = FABRIC_INDEX;
	store.index = 8;
	store.index_width = 64;
	run(scene, &store, 1);
}

static u32 find_event(const struct scene *scene, u32 from, u32 kind, u32 type, u32 unit_to)
{
	u32 i = from;

	while (i < scene->count && (scene->events[i].kind != kind ||
				    scene->events[i].type != type ||
				    scene->events[i].to.unit != unit_to))
		i++;
	return i;
}

/* In every kamlet: pages, fault verdict, held back elements, answers, barrier. */
static void assert_fault_order(const struct scene *scene, u32 kamlet)
{
	static const struct step fault = { FABRIC_EVENT_SYNC, 1, 1 };
	static const struct step verdict = { FABRIC_EVENT_SYNC_DONE, 1, 1 };
	static const struct step done = { FABRIC_EVENT_SYNC, 0, 1 };
	static const struct step barrier = { FABRIC_EVENT_SYNC_DONE, 0, 1 };
	static const struct step ready = ROW(SYNC_NEEDED, 1), gone = ROW(FREE, 1);
	const struct step steps[] = { fault, verdict, ready, done, barrier, gone };

	assert_steps(scene, kamlet, steps, ARRAY_SIZE(steps));
	assert_int_equal(scene->events[first_of(scene, &verdict, kamlet)].line, 6);
}

static void indexed_store(void **state)
{
	static const struct step waits = BYTE(FAULT_WAIT, 0), retry = TAKE(WR_RETRY, 0),
				 verdict = { FABRIC_EVENT_SYNC_DONE, 1, 0 };
	struct scene *scene = *state;
	u32 held = 0, retries = 0, k, i, scalar = 0, early;
	const struct fabric_result *result;
	const struct fabric_counters *c;

	run_indexed_store(scene);
	for (k = 0; k < KAMLETS; k++) {
		assert_fault_order(scene, k);
		held += count_of(scene, &waits, k);
		retries += count_of(scene, &retry, k);
	}
	assert_int_equal(held, 3);
	/* Idempotent elements are under way before anybody knows of the fault. */
	early = find_event(scene, 0, FABRIC_EVENT_SEND, FABRIC_WR_REQ, FABRIC_JAMLET);
	for (k = 0; k < KAMLETS; k++)
		assert_true(early < first_of(scene, &verdict, k));
	/* The others leave their kamlet only after its verdict, and 7 never does. */
	for (i = 0; (i = find_event(scene, i, FABRIC_EVENT_SEND, FABRIC_WR_REQ, FABRIC_LAMLET)) <
		    scene->count; i++, scalar++)
		assert_true(i > first_of(scene, &verdict, scene->events[i].from.kamlet));
	assert_int_equal(scalar, 2);
	result = fabric_results(scene->fabric);
	assert_int_equal(result->fault, FABRIC_NO_PAGE);
	assert_int_equal(result->element, 6);
	assert_int_equal(result->address, BASE + 6 * PAGE);
	c = fabric_counters(scene->fabric);
	assert_int_equal(c->once, 2);
	assert_int_equal(c->retries, retries);
	assert_int_equal(c->messages[FABRIC_WR_RESP], 8);
	assert_int_equal(c->fault_syncs, 1);
	assert_int_equal(c->done_syncs, 1);
}

static u64 word_at(struct scene *scene, u64 offset)
{
	u64 word;

	assert_int_equal(fabric_read(scene->fabric, BASE + offset, &word, 8), 0);
	return word;
}

static void indexed_store_bytes(void **state)
{
	struct scene *scene = *state;
	u32 e;
	u64 word;

	run_indexed_store(scene);
	for (e = 0; e < 10; e++) {
		if (e == 6)
			continue;
		word = word_at(scene, example_offsets[e]);
		if (e == 7)
			assert_int_not_equal(word, 0x0101010101010101ULL * (0xa0 + e));
		else
			assert_int_equal(word, 0x0101010101010101ULL * (0xa0 + e));
	}
}

/* What one lane's segment went through; requests that were dropped left out. */
static void life_of(const struct scene *scene, const struct fabric_party *who, u32 byte, char *life)
{
	static const char letters[FABRIC_MESSAGES] = {
		[FABRIC_WR_REQ] = 'q', [FABRIC_WR_RESP] = 'r', [FABRIC_WR_RETRY] = 't',
		[FABRIC_WR_DROP] = 'd',
	};
	const struct fabric_event *event;
	const struct fabric_party *lane;
	char *at = life;
	u32 i;

	for (i = 0; i < scene->count; i++) {
		event = &scene->events[i];
		lane = event->type == FABRIC_WR_REQ ? &event->from : &event->to;
		if (event->kind != FABRIC_EVENT_TAKE || event->source != byte ||
		    lane->x != who->x || lane->y != who->y || !letters[event->type])
			continue;
		if (event->type == FABRIC_WR_DROP)
			at--;
		else
			*at++ = letters[event->type];
	}
	*at = 0;
}

/* A write that misses leaves nothing behind but its place: its data comes again. */
static void write_misses_once(void **state)
{
	struct scene *scene = *state;
	const struct fabric_op store = unit(true, 8, 16, 0, BASE + 1);
	const struct fabric_counters *c = fabric_counters(scene->fabric);
	char life[64];
	u32 i, lanes = 0;

	map(scene, 0, FABRIC_VECTOR, 8);
	fabric_trace(scene->fabric, note, scene);
	run(scene, &store, 1);
	for (i = 0; i < scene->count; i++) {
		if (scene->events[i].kind != FABRIC_EVENT_TAKE ||
		    scene->events[i].type != FABRIC_WR_RESP)
			continue;
		life_of(scene, &scene->events[i].to, scene->events[i].source, life);
		assert_string_equal(life, "qtqr");
		lanes++;
	}
	assert_int_equal(lanes, 16);
	assert_int_equal(c->retries, 16);
	assert_int_equal(c->segments[0], 16);
}

static u32 rows_with(s32 writeset)
{
	struct fabric_config config;
	struct scene *scene = calloc(1, sizeof(*scene));
	struct fabric_op ops[3];
	u32 n, rows;

	fabric_config_default(&config);
	scene->fabric = fabric_create(&config);
	for (n = 0; n < 3; n++) {
		map(scene, n, FABRIC_VECTOR, 64);
		ops[n] = unit(true, 8, 16, n, BASE + n * PAGE);
		ops[n].mode = FABRIC_STRIDE;
		ops[n].stride = 24;
		ops[n].writeset = writeset;
	}
	run(scene, ops, 3);
	rows = fabric_counters(scene->fabric)->rows;
	fabric_destroy(scene->fabric);
	free(scene);
	return rows;
}

/* The promise of disjoint bytes is worth something. */
static void writesets_overlap(void **state)
{
	(void)state;
	assert_int_equal(rows_with(FABRIC_NONE), 1);
	assert_int_equal(rows_with(3), 3);
}

/* Every table at its least, every lane missing on a line of its own. */
static void smallest_tables(void **state)
{
	struct fabric_config config;
	struct scene *scene = calloc(1, sizeof(*scene));
	struct fabric_op op = unit(true, 64, 16, 0, BASE);
	const struct fabric_counters *c;
	u32 n;

	(void)state;
	fabric_config_default(&config);
	config.rows = 1;
	config.waits = 1;
	config.slots = 4;
	config.idents = 2;
	config.syncs = 2;
	scene->fabric = fabric_create(&config);
	for (n = 0; n < 16; n++)
		map(scene, n, FABRIC_VECTOR, 64);
	op.mode = FABRIC_STRIDE;
	op.stride = PAGE;
	run(scene, &op, 1);
	c = fabric_counters(scene->fabric);
	assert_int_equal(c->fetches, 16);
	assert_int_equal(c->waits, 1);
	assert_true(c->drops[FABRIC_DROP_NO_WAIT] > 0);
	assert_int_equal(c->messages[FABRIC_WR_RESP], 16);
	fabric_destroy(scene->fabric);
	free(scene);
}

#define scene_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		scene_test(local_load_misses),
		scene_test(local_store_misses),
		scene_test(unaligned_load_hits),
		scene_test(indexed_store),
		scene_test(indexed_store_bytes),
		scene_test(write_misses_once),
		cmocka_unit_test(writesets_overlap),
		cmocka_unit_test(smallest_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
