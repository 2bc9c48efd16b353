// SPDX-License-Identifier: GPL-2.0
/*
 * Random moves: the model against the oracle, in memory, bursts and faults.
 */
#include "mover_world.h"

#define MOVES 2000
#define MOVES_A_MEMORY 16	/* between comparisons of all memory */

static int set_up(void **state)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };
	struct world *world = calloc(1, sizeof(*world));

	world->node = sim_node_create(&config);
	testing_seed("mover");
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

static void renew_memories(struct world *world)
{
	u32 chunk_shift = 12 + random_below(4);

	renew_memory(&world->flat, chunk_shift);
	renew_memory(&world->oracle.memory, chunk_shift);
}

/* Bytes between neighbours of rows. */
static s32 near_stride(void)
{
	switch (random_below(6)) {
	case 0:
		return 32 * (s32)random_between(-4, 4);
	case 1:
		return 32 << random_below(9);
	case 2:
		return random_once_in(4) ? 8 * (s32)random_between(-4, 4) :
					   32 * (s32)random_between(-200, 199);
	default:
		return 32;
	}
}

/* Rows of count words, a few times over; no windows. */
static void random_rows(struct sim_walker_regs *regs, u32 outer, u32 rows, u32 count)
{
	const u32 counts[] = { outer, rows, count };
	s32 stride = near_stride();
	s32 step = random_once_in(3) ? (s32)count * stride + 32 * (s32)random_between(-2, 2) :
				       near_stride();

	*regs = (struct sim_walker_regs){ .base = regs->base & ~31ULL, .ndim = 3 };
	for (u32 i = 0; i < regs->ndim; i++)
		regs->dims[i].count = counts[i];
	regs->dims[0].stride = random_once_in(2) ? (s32)rows * step : near_stride();
	regs->dims[1].stride = random_once_in(4) ? (s32)count * stride : step;
	regs->dims[2].stride = stride;
}

/* Two sides whose rows run in step, or nearly so; often over the same memory. */
static void random_row_moves(struct sim_registers *regs)
{
	struct sim_walker_regs *src = &regs->walkers[0], *dst = &regs->walkers[1];
	u32 outer = random_between(1, 3), rows = random_between(1, 40);
	u32 count = random_between(1, 24);

	if (random_once_in(4))
		dst->base = src->base + 32 * random_below(200);
	random_rows(src, outer, rows, count);
	switch (random_below(5)) {
	case 0:
		random_rows(dst, outer, count, rows);
		break;
	case 1:
		random_rows(dst, 1, outer, rows * count);
		break;
	case 2:
		random_rows(dst, outer, rows, count + random_below(3));
		break;
	default:
		random_rows(dst, outer, rows, count);
	}
	regs->gather_base &= ~31ULL;
	regs->row_words = random_between(1, random_once_in(2) ? 4 : 40);
}

/* Indices so near one another that rows repeat, join and overlap. */
static void put_indices(struct world *world, const struct sim_registers *regs)
{
	u32 indices[64];

	for (u32 i = 0; i < ARRAY_SIZE(indices); i++)
		indices[i] = i && random_once_in(2) ? indices[i - 1] + 1 : random_below(200);
	sim_memory_write(&world->flat, regs->index_base, indices, sizeof(indices));
	sim_memory_write(&world->oracle.memory, regs->index_base, indices, sizeof(indices));
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
		bool watched = random_below(2);

		if (i % MOVES_A_MEMORY == 0)
			renew_memories(world);
		random_registers(&regs);
		if (random_once_in(2))
			random_row_moves(&regs);
		if (random_once_in(2))
			put_indices(world, &regs);
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
