// SPDX-License-Identifier: GPL-2.0
/*
 * Random moves: the model against the oracle, in memory, bursts and faults.
 */
#include "mover_world.h"

#define MOVES 1600
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
