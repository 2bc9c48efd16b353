// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Routes, run on the model of the node: the bytes must be those of packing, and
 * the cycles those that were promised.
 */
#include "relayout_testing.h"

#include "hw/move.h"
#include "plan.h"
#include "sim/node.h"
#include "sim/vector/vector.h"

#define SRC	0x100000ULL
#define DST	0x900000ULL
#define INDEX	0x80000ULL
#define STAGING	KOHAKU_ADDR_ONCHIP

static struct sim_node *node;
static struct sim_vector *core;
/* Of the vector core; the mover's are the node's. */
static u64 core_cycles, core_flits;

static int read_memory(void *ctx, u64 addr, void *bytes, size_t size)
{
	return sim_mem_read(ctx, KOHAKU_HOST_WINDOW(0) | addr, bytes, size);
}

static int write_memory(void *ctx, u64 addr, const void *bytes, size_t size)
{
	return sim_mem_write(ctx, KOHAKU_HOST_WINDOW(0) | addr, bytes, size);
}

static void open_node(u32 depth)
{
	const struct sim_config config = { .meshes = 1, .slot_depth = depth };
	struct sim_vector_memory memory = { read_memory, write_memory, NULL };

	node = sim_node_create(&config);
	assert_non_null(node);
	memory.ctx = node;
	core = sim_vector_create(&memory);
	assert_non_null(core);
	assert_int_equal(write_memory(node, INDEX, kohaku_vector_index, KOHAKU_WORD), 0);
}

static void close_node(void)
{
	sim_vector_destroy(core);
	sim_node_destroy(node);
}

static void run_move(const struct kohaku_move *move, u64 src, u64 dst)
{
	const struct kohaku_region from = { src & ~0xfffffULL, 8 << 20 };
	const struct kohaku_region to = { dst & ~0xfffffULL, 8 << 20 };
	struct kohaku_move_context context = {
		.entry_beats = move->mode == KOHAKU_MOVE_XFORM ? 4 : 0,
		.src = &from,
		.dst = &to,
	};
	struct kohaku_move placed = *move;
	struct kohaku_move_facts facts;
	struct kohaku_verdict verdict;
	struct kohaku_program program;
	u64 status;

	placed.src.offset = src - from.addr;
	placed.dst.offset = dst - to.addr;
	assert_int_equal(kohaku_move_check(&placed, &context, &facts, &verdict), 0);
	kohaku_move_encode(&placed, from.addr, to.addr, 0, &program);
	for (u32 i = 0; i < program.length; i++)
		sim_window_write(node, 0, KOHAKU_CTL_AUX_CFG + program.writes[i].offset,
				 program.writes[i].value, 0xff);
	while (sim_mesh_run(node, 0, UINT64_MAX))
		;
	status = sim_window_read(node, 0, KOHAKU_CTL_AUX_STAT);
	assert_int_equal(KOHAKU_GET(KOHAKU_STAT_FAULT, status), 0);
}

/* Flits on their way to the core. */
static struct kohaku_flit flits[KOHAKU_VECTOR_ROUND];
static u32 flit_count;

static int flush_flits(void)
{
	struct sim_vector_result result;

	assert_int_equal(sim_vector_take(core, flits, flit_count, &result), 0);
	assert_int_equal(result.faults, 0);
	core_cycles += result.cycles + sim_vector_traffic_cycles(&result);
	core_flits += result.flits;
	flit_count = 0;
	return 0;
}

static int put_flit(void *ctx, const struct kohaku_flit *flit)
{
	(void)ctx;
	flits[flit_count++] = *flit;
	return flit_count == KOHAKU_VECTOR_ROUND ? flush_flits() : 0;
}

static void run_pass(const struct kohaku_route *route, bool copy, u64 src, u64 src_stride,
		     u64 dst, u64 dst_stride)
{
	const struct kohaku_flit_sink sink = { put_flit, NULL };
	struct kohaku_vector_pair pairs[8];
	struct kohaku_vector_pass pass;

	if (copy)
		kohaku_vector_copy(route->plan.total, &pass);
	else
		plan_pass(&route->plan, &pass);
	assert_int_equal(kohaku_vector_check(&pass), 0);
	assert_true(route->blocks <= 8);
	for (u64 i = 0; i < route->blocks; i++)
		pairs[i] = (struct kohaku_vector_pair){ src + i * src_stride,
							dst + i * dst_stride };
	assert_int_equal(kohaku_vector_emit(&pass, pairs, route->blocks, INDEX, &sink), 0);
	flush_flits();
}

static u64 address_of(enum kohaku_place place, bool in_place, u64 before, u64 after)
{
	if (place == KOHAKU_PLACE_STAGING)
		return STAGING;
	if (place == KOHAKU_PLACE_SOURCE)
		return SRC + before;
	return (in_place ? SRC : DST) + after;
}

static u64 stride_of(const struct kohaku_route *route, enum kohaku_place place)
{
	if (place == KOHAKU_PLACE_STAGING)
		return route->staging / route->blocks;
	return place == KOHAKU_PLACE_SOURCE ? route->plan.stride_before : route->plan.stride_after;
}

static void run_route(const struct kohaku_route *route, bool in_place)
{
	for (u64 round = 0; round < route->rounds; round++) {
		u64 before = round * route->stride_before, after = round * route->stride_after;

		for (u32 i = 0; i < route->step_count; i++) {
			const struct kohaku_step *step = &route->steps[i];
			u64 src = address_of(step->from, in_place, before, after);
			u64 dst = address_of(step->to, in_place, before, after);

			if (step->kind == KOHAKU_STEP_MOVE)
				run_move(&step->move, src, dst);
			else
				run_pass(route, step->kind == KOHAKU_STEP_COPY, src,
					 stride_of(route, step->from), dst,
					 stride_of(route, step->to));
		}
	}
}

/* Within a fiftieth, and the few cycles by which rounding differs. */
static void assert_priced(u64 promised, u64 counted)
{
	u64 off = promised > counted ? promised - counted : counted - promised;

	if (off > counted / 50 + 16)
		fail_msg("promised %llu cycles, counted %llu", promised, counted);
}

/* Runs a route on a packed array and returns the cycles it took. */
static u64 check_bytes(const struct kohaku_route *route, const struct kohaku_packing *before,
		       const struct kohaku_packing *after, bool in_place,
		       const struct packed_pair *pair)
{
	u64 start = sim_mesh_counters(node, 0)->cycles;
	u8 *result = malloc(after->bytes);
	u64 counted;

	assert_non_null(result);
	write_memory(node, SRC, pair->before, before->bytes);
	core_cycles = 0;
	core_flits = 0;
	run_route(route, in_place);
	read_memory(node, in_place ? SRC : DST, result, after->bytes);
	for (u64 i = 0; i < after->count; i++)
		assert_memory_equal(result + i * after->stride, pair->after + i * after->stride,
				    after->slots * 2);
	counted = core_cycles + sim_mesh_counters(node, 0)->cycles - start;
	assert_priced(route->cycles, counted);
	assert_int_equal(route->flits, core_flits);
	free(result);
	return counted;
}

static u64 check_route(const struct kohaku_route *route, const struct kohaku_packing *before,
		       const struct kohaku_packing *after, bool in_place)
{
	struct packed_pair pair;
	u64 counted;

	pack_both(before, after, &pair);
	counted = check_bytes(route, before, after, in_place, &pair);
	free_both(&pair);
	return counted;
}

static void test_random_routes(void **state)
{
	u32 run[KOHAKU_ENGINES] = { 0 }, refused = 0;

	(void)state;
	testing_seed("route");
	open_node(1);
	for (int i = 0; i < 6000; i++) {
		struct kohaku_terms terms = {
			.engine = random_between(KOHAKU_ENGINE_AUTO, KOHAKU_ENGINE_SLOT),
			.in_place = random_once_in(3),
			.vector = !random_once_in(4),
			.slot_depth = !random_once_in(4),
			.room = random_once_in(4) ? random_between(0, 4096) : 2 << 20,
		};
		struct kohaku_packing before, after;
		struct kohaku_route route;
		int error;

		random_conversion(4096, &before, &after);
		error = kohaku_route_init(&route, &before, &after, &terms, NULL, NULL);
		if (error) {
			assert_int_equal(error, -EDOM);
			refused++;
			continue;
		}
		assert_true(route.staging <= terms.room);
		check_route(&route, &before, &after, terms.in_place);
		run[route.engine]++;
		kohaku_route_fini(&route);
	}
	close_node();
	print_message("mover %u, vector %u, slot %u, refused %u\n", run[KOHAKU_ENGINE_MOVER],
		      run[KOHAKU_ENGINE_VECTOR], run[KOHAKU_ENGINE_SLOT], refused);
	assert_true(run[KOHAKU_ENGINE_MOVER] && run[KOHAKU_ENGINE_VECTOR] &&
		    run[KOHAKU_ENGINE_SLOT]);
}

static struct kohaku_packing packing_of(const char *name, u64 rows, u64 cols)
{
	struct kohaku_shape shape = { 2, { rows, cols } };
	struct kohaku_packing packing;
	struct kohaku_layout layout;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	assert_int_equal(kohaku_packing_init(&packing, &layout, &shape, 0, NULL), 0);
	return packing;
}

static u64 cycles_by(enum kohaku_engine engine, u32 depth, const char *from, const char *to)
{
	const struct kohaku_packing before = packing_of(from, 1024, 64);
	const struct kohaku_packing after = packing_of(to, 1024, 64);
	const struct kohaku_terms terms = { .engine = engine, .vector = true,
					    .slot_depth = depth, .room = 2 << 20 };
	struct kohaku_route route;
	u64 cycles;

	open_node(depth);
	assert_int_equal(kohaku_route_init(&route, &before, &after, &terms, NULL, NULL), 0);
	cycles = check_route(&route, &before, &after, false);
	print_message("%-6s depth %u %-13s -> %-13s %u steps, priced %llu, counted %llu cycles\n",
		      kohaku_engine_name(route.engine), depth, from, to, route.step_count,
		      (unsigned long long)route.cycles, (unsigned long long)cycles);
	kohaku_route_fini(&route);
	close_node();
	return cycles;
}

/* What the slot is for: crossing between tiles and the rest. */
static void test_slot_beats_vector_core(void **state)
{
	u64 into = cycles_by(KOHAKU_ENGINE_VECTOR, 1, "flat", "tile:32x2:8x8");
	u64 out = cycles_by(KOHAKU_ENGINE_VECTOR, 1, "tile:32x2:8x8", "flat");

	(void)state;
	assert_true(cycles_by(KOHAKU_ENGINE_SLOT, 1, "flat", "tile:32x2:8x8") < into * 7 / 10);
	assert_true(cycles_by(KOHAKU_ENGINE_SLOT, 2, "flat", "tile:32x2:8x8") < into * 3 / 10);
	assert_true(cycles_by(KOHAKU_ENGINE_SLOT, 1, "tile:32x2:8x8", "flat") < out * 8 / 10);
	assert_true(cycles_by(KOHAKU_ENGINE_SLOT, 2, "tile:32x2:8x8", "flat") < out * 4 / 10);
	assert_true(cycles_by(KOHAKU_ENGINE_AUTO, 1, "flat", "entry:8x2") <
		    cycles_by(KOHAKU_ENGINE_VECTOR, 1, "flat", "entry:8x2"));
}

static void test_steps(void **state)
{
	struct kohaku_packing flat = packing_of("flat", 64, 64);
	struct kohaku_packing tile = packing_of("tile:2x2:8x8", 64, 64);
	struct kohaku_packing entry = packing_of("entry:8x2", 64, 64);
	struct kohaku_terms terms = { .vector = true, .slot_depth = 1, .room = 1 << 20 };
	struct kohaku_option options[KOHAKU_ENGINES];
	struct kohaku_reason reason;
	struct kohaku_route route;

	(void)state;
	assert_int_equal(kohaku_route_init(&route, &flat, &entry, &terms, options, NULL), 0);
	assert_int_equal(route.engine, KOHAKU_ENGINE_MOVER);
	assert_int_equal(route.step_count, 1);
	assert_false(options[KOHAKU_ENGINE_SLOT].possible);
	assert_false(options[KOHAKU_ENGINE_HOST].possible);
	kohaku_route_fini(&route);

	assert_int_equal(kohaku_route_init(&route, &flat, &tile, &terms, options, NULL), 0);
	assert_int_equal(route.engine, KOHAKU_ENGINE_SLOT);
	assert_int_equal(route.step_count, 1);
	assert_int_equal(route.staging, 0);
	assert_true(options[KOHAKU_ENGINE_VECTOR].possible);
	kohaku_route_fini(&route);

	assert_int_equal(kohaku_route_init(&route, &tile, &flat, &terms, options, NULL), 0);
	assert_int_equal(route.step_count, 2);
	assert_int_equal(route.staging, 8192);
	kohaku_route_fini(&route);

	terms = (struct kohaku_terms){ .room = 1 << 20 };
	assert_int_equal(kohaku_route_init(&route, &tile, &flat, &terms, NULL, &reason), -EDOM);
	terms.engine = KOHAKU_ENGINE_HOST;
	assert_int_equal(kohaku_route_init(&route, &tile, &flat, &terms, NULL, NULL), 0);
	assert_int_equal(route.steps[0].kind, KOHAKU_STEP_HOST);
	kohaku_route_fini(&route);
}

/* The header of the array files under selftests/data. */
#define NPY_HEADER 128

static u16 *load_weights(const char *file, size_t bytes)
{
	u16 *array = malloc(bytes);
	FILE *stream = fopen(file, "rb");

	assert_non_null(array);
	if (!stream)
		fail_msg("%s: run from the top of the project", file);
	assert_int_equal(fseek(stream, NPY_HEADER, SEEK_SET), 0);
	assert_int_equal(fread(array, 1, bytes, stream), bytes);
	fclose(stream);
	return array;
}

static void convert_weights(const u16 *array, u64 rows, u64 cols, const char *from, const char *to)
{
	const struct kohaku_packing before = packing_of(from, rows, cols);
	const struct kohaku_packing after = packing_of(to, rows, cols);
	struct packed_pair pair = { NULL, malloc(before.bytes), malloc(after.bytes) };

	assert_true(pair.before && pair.after);
	kohaku_pack(&before, array, pair.before);
	kohaku_pack(&after, array, pair.after);
	for (u32 e = KOHAKU_ENGINE_MOVER; e <= KOHAKU_ENGINE_SLOT; e++) {
		const struct kohaku_terms terms = { .engine = e, .vector = true, .slot_depth = 1,
						    .room = 2 << 20 };
		struct kohaku_route route;
		u64 cycles;

		if (kohaku_route_init(&route, &before, &after, &terms, NULL, NULL))
			continue;
		cycles = check_bytes(&route, &before, &after, false, &pair);
		print_message("%llux%llu %-14s -> %-14s %-6s %llu cycles\n", rows, cols, from, to,
			      kohaku_engine_name(e), cycles);
		kohaku_route_fini(&route);
	}
	free_both(&pair);
}

/* Real weights, round: each leg must be exactly what packing gives. */
static void test_weights(void **state)
{
	static const struct {
		const char *file;
		u64 rows, cols;
		const char *tile;
	} arrays[] = {
		{ "selftests/data/pointwise-1152x192.npy", 1152, 192, "tile:36x6:8x8" },
		{ "selftests/data/pointwise-192x1152.npy", 192, 1152, "tile:6x36:8x8" },
	};

	(void)state;
	open_node(1);
	for (u32 i = 0; i < ARRAY_SIZE(arrays); i++) {
		u64 rows = arrays[i].rows, cols = arrays[i].cols;
		u16 *array = load_weights(arrays[i].file, rows * cols * 2);

		convert_weights(array, rows, cols, "flat", arrays[i].tile);
		convert_weights(array, rows, cols, arrays[i].tile, "entry:8x2");
		convert_weights(array, rows, cols, "entry:8x2", "flat");
		free(array);
	}
	close_node();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_slot_beats_vector_core),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_random_routes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
