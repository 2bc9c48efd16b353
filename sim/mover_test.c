// SPDX-License-Identifier: GPL-2.0
/*
 * Random moves: the model against the oracle, in memory, bursts and faults.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/mesh.h"
#include "sim/mover_oracle.h"

#define MOVES 1600
#define MOVES_A_MEMORY 16	/* between comparisons of all memory */
#define ELEMENTS_MAX 3000

struct world {
	struct sim_node *node;
	struct sim_memory flat;
	struct oracle oracle;
	struct oracle_bursts reads, writes;
	u64 seed;
};

static u64 random_state;

static u64 draw(u64 limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % limit;
}

static void fill(void *ctx, u64 offset, void *chunk, size_t size)
{
	u64 *lane = chunk;
	size_t i;

	(void)ctx;
	for (i = 0; i < size / 8; i++)
		lane[i] = (offset + 8 * i) * 0x9E3779B97F4A7C15ULL;
}

static void on_read(void *ctx, u64 addr, u32 beats, bool index)
{
	struct oracle_bursts *bursts = &((struct world *)ctx)->reads;

	(void)index;
	bursts->list[bursts->count++] = (struct oracle_burst){ addr, beats };
}

static void on_write(void *ctx, u64 addr, u32 beats)
{
	struct oracle_bursts *bursts = &((struct world *)ctx)->writes;

	bursts->list[bursts->count++] = (struct oracle_burst){ addr, beats };
}

static int set_up(void **state)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };
	struct world *world = calloc(1, sizeof(*world));
	const char *seed = getenv("KOHAKU_SEED");

	world->node = sim_node_create(&config);
	world->seed = seed ? strtoull(seed, NULL, 0) : (u64)time(NULL) * 2654435761U | 1;
	random_state = world->seed;
	print_message("# KOHAKU_SEED=%llu\n", world->seed);
	*state = world;
	return world->node ? 0 : -1;
}

static int tear_down(void **state)
{
	struct world *world = *state;

	sim_node_destroy(world->node);
	free(world);
	return 0;
}

static void renew_memory(struct sim_memory *memory)
{
	sim_memory_destroy(memory);
	assert_int_equal(sim_memory_init(memory, 1ULL << 40, 12), 0);
	memory->fill = fill;
}

static s32 random_stride(void)
{
	switch (draw(8)) {
	case 0:
		return 0;
	case 1:
		return -32;
	case 2:
		return (s32)draw(64) - 32;
	case 3:
		return (s32)(draw(1U << 27) << 5);	/* wraps sooner or later */
	case 4:
		return 32 * ((s32)draw(400) - 200);
	default:
		return 32;
	}
}

/* Loops that often continue one another, so that merging is put to the test. */
static void random_dims(struct sim_walker_regs *regs)
{
	u32 total = 1;
	int i;

	regs->ndim = draw(8);
	for (i = 5; i >= 0; i--) {
		struct sim_dim_regs *dim = &regs->dims[i];

		*dim = (struct sim_dim_regs){ draw(7), random_stride(), 0, 0 };
		if (!draw(6) && total < 40)
			dim->count = draw(ELEMENTS_MAX / 50);
		if (total * (dim->count + 1) > ELEMENTS_MAX)
			dim->count = 1;
		total *= dim->count ? dim->count : 1;
		if (i < 5 && draw(2))
			dim->stride = (s32)((u32)dim[1].stride *
					    (dim[1].count ? dim[1].count : 1));
		if (draw(2))
			continue;
		dim->axis = draw(4);
		dim->step = draw(3) ? (s16)(draw(5) - 2) : (s16)draw(65536);
	}
}

static void random_walker(struct sim_walker_regs *regs, u64 base)
{
	u32 axis;

	random_dims(regs);
	regs->base = draw(12) ? base & ~31ULL : base;
	if (!draw(20))
		regs->base = ORACLE_MASK - draw(4096);
	for (axis = 0; axis < 2; axis++) {
		struct sim_window_regs *window = &regs->windows[axis];

		*window = (struct sim_window_regs){ 0 };
		if (draw(3))
			continue;
		window->base = draw(4) ? (s16)(draw(8) - 4) : (s16)draw(65536);
		window->extent = draw(4) ? draw(30) : draw(65536);
		if (!draw(6))
			*window = (struct sim_window_regs){ S16_MAX - draw(6), 40000 };
	}
}

static void random_registers(struct sim_registers *regs)
{
	static const u8 modes[] = { 0, 0, 0, 0, 2, 2, 3, 4, 4, 5, 5, 6, 7, 1 };

	sim_registers_reset(regs);
	regs->mode = modes[draw(ARRAY_SIZE(modes))];
	regs->width = draw(30) ? draw(3) : 3;
	regs->flags = draw(256) << 8;
	regs->imm = (u32)draw(1ULL << 32);
	regs->seed = draw(1ULL << 50);
	/* Now and then both sides share memory. */
	random_walker(&regs->walkers[0], draw(1ULL << 30));
	random_walker(&regs->walkers[1], draw(4) ? draw(1ULL << 39) :
						   regs->walkers[0].base + 32 * draw(40));
	regs->gather_base = regs->walkers[0].base;
	regs->index_base = draw(1ULL << 39) & ~31ULL;
	regs->index_count = draw(25) ? draw(60) : 2040 + draw(10);
	regs->pitch = draw(2) ? 32 * draw(300) : (u32)(draw(1U << 27) << 5);
	regs->row_words = draw(10) ? draw(20) : 0;
	regs->xform = draw(7);
	regs->xform_mode = draw(2);
	/* Most transforms should be whole. */
	if (regs->mode == 5 && draw(3)) {
		regs->walkers[0].dims[5].count = 8;
		regs->walkers[0].dims[5].stride = 32 << draw(2);
		regs->walkers[0].ndim = 6;
		regs->walkers[0].windows[0].extent = 0;
		regs->walkers[0].windows[1].extent = 0;
		regs->walkers[1].dims[5].stride = 128;
	}
}

static void assert_same_bursts(const struct oracle_bursts *got, const struct oracle_bursts *wanted)
{
	u32 i;

	assert_int_equal(got->count, wanted->count);
	for (i = 0; i < got->count; i++) {
		assert_int_equal(got->list[i].addr, wanted->list[i].addr);
		assert_int_equal(got->list[i].beats, wanted->list[i].beats);
	}
}

/* Every page that either side touched. */
static void assert_same_memory(const struct sim_memory *one, struct sim_memory *other)
{
	u64 leaves = one->size >> one->chunk_shift >> one->leaf_bits;
	u64 i, k;

	for (i = 0; i < leaves; i++) {
		for (k = 0; one->root[i] && k < 1ULL << one->leaf_bits; k++) {
			u64 offset = ((i << one->leaf_bits) + k) << one->chunk_shift;

			if (one->root[i][k])
				assert_memory_equal(one->root[i][k],
						    sim_memory_get(other, offset), 4096);
		}
	}
}

static void run_in_slices(struct world *world, bool watched)
{
	struct sim_probe probe = { on_read, on_write, NULL, world };
	struct sim_mesh *mesh = &world->node->meshes[0];
	u32 slice = 1 + draw(200);

	sim_mesh_probe(world->node, 0, watched ? &probe : &(struct sim_probe){ 0 });
	world->reads.count = 0;
	world->writes.count = 0;
	sim_window_write(world->node, 0, KOHAKU_CTL_AUX_CFG,
			 mesh->mover.regs.mode | mesh->mover.regs.width << 3 |
				 mesh->mover.regs.flags | KOHAKU_CTRL_GO, 0xFF);
	while (sim_mesh_run(world->node, 0, slice))
		assert_false(mesh->mover.hung);
}

static void compare_move(struct world *world, const struct sim_registers *regs, bool watched)
{
	struct sim_mesh *mesh = &world->node->meshes[0];
	struct sim_counters before = mesh->counters;
	u32 done = mesh->mover.done;

	mesh->mover.regs = *regs;
	run_in_slices(world, watched);
	assert_int_equal(mesh->mover.fault, world->oracle.fault);
	assert_int_equal(mesh->mover.done - done, !world->oracle.fault);
	if (watched) {
		assert_same_bursts(&world->reads, &world->oracle.reads);
		assert_same_bursts(&world->writes, &world->oracle.writes);
	}
	assert_int_equal(mesh->counters.read_bursts - before.read_bursts,
			 world->oracle.reads.count);
	assert_int_equal(mesh->counters.write_bursts - before.write_bursts,
			 world->oracle.writes.count);
	assert_int_equal(mesh->bank.fault, world->oracle.bank.fault);
}

static void random_moves_equal_the_oracle(void **state)
{
	struct world *world = *state;
	struct sim_mesh *mesh = &world->node->meshes[0];
	struct sim_registers regs;
	u32 i;

	mesh->flat = &world->flat;
	sim_bank_reset(&world->oracle.bank);
	for (i = 0; i < MOVES; i++) {
		bool watched = draw(2);

		if (i % MOVES_A_MEMORY == 0) {
			renew_memory(&world->flat);
			renew_memory(&world->oracle.memory);
		}
		random_registers(&regs);
		oracle_run(&world->oracle, &regs);
		compare_move(world, &regs, watched);
		if ((i + 1) % MOVES_A_MEMORY == 0) {
			assert_same_memory(&world->flat, &world->oracle.memory);
			assert_same_memory(&world->oracle.memory, &world->flat);
		}
	}
	mesh->flat = NULL;
	sim_memory_destroy(&world->flat);
	sim_memory_destroy(&world->oracle.memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_moves_equal_the_oracle, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
