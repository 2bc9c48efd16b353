// SPDX-License-Identifier: GPL-2.0
/*
 * The transform slot: arbitration, registers, and known answers of its occupants.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/philox.h"
#include "sim/slot.h"
#include "sim/mesh.h"
#include "sim/test_moves.h"

static void the_grant_is_kept_and_passed_on(void **state)
{
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	sim_bank_ask(&bank, SIM_REQUESTER_PROCESSOR, true);
	sim_bank_ask(&bank, SIM_REQUESTER_MOVER, true);
	sim_bank_ask(&bank, SIM_REQUESTER_HOST, true);
	/* First come, and held; then by number, each once. */
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_PROCESSOR));
	sim_bank_ask(&bank, SIM_REQUESTER_PROCESSOR, false);
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_MOVER));
	sim_bank_ask(&bank, SIM_REQUESTER_PROCESSOR, true);
	sim_bank_ask(&bank, SIM_REQUESTER_MOVER, false);
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_HOST));
	/* All were served: a new round begins. */
	sim_bank_ask(&bank, SIM_REQUESTER_MOVER, true);
	sim_bank_ask(&bank, SIM_REQUESTER_HOST, false);
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_MOVER));
	/* The mover has had its turn in this round. */
	sim_bank_ask(&bank, SIM_REQUESTER_MOVER, false);
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_PROCESSOR));
	sim_bank_ask(&bank, SIM_REQUESTER_PROCESSOR, false);
	assert_false(sim_bank_granted(&bank, SIM_REQUESTER_PROCESSOR));
}

/* Nobody but one that was served asks: it is served again. */
static void the_served_are_served_again(void **state)
{
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	sim_bank_ask(&bank, SIM_REQUESTER_HOST, true);
	sim_bank_ask(&bank, SIM_REQUESTER_HOST, false);
	sim_bank_ask(&bank, SIM_REQUESTER_HOST, true);
	assert_true(sim_bank_granted(&bank, SIM_REQUESTER_HOST));
}

static void a_transform_waits_for_its_grant(void **state)
{
	struct sim_node *node = test_node(1, SIM_COMPLEX_NONE);
	struct sim_bank *bank = &node->meshes[0].bank;

	(void)state;
	test_put(node, 0, TEST_SRC, 4, 0x21);
	sim_bank_ask(bank, SIM_REQUESTER_PROCESSOR, true);
	test_walker(node, 0, KOHAKU_WALKER_SRC, TEST_SRC, 4, KOHAKU_WORD, 0);
	test_walker(node, 0, KOHAKU_WALKER_DST, TEST_DST, 1, 128, 0);
	test_go(node, 0, KOHAKU_MODE_XFORM);
	assert_true(sim_mesh_run(node, 0, 1000));
	assert_int_equal(test_count(node, 0, TEST_DST, 4, 0x21), 0);
	/* Registers are locked while anybody holds the slot. */
	sim_bank_write(node, 0, 5, 0x08, 9);
	assert_int_equal(sim_bank_read(node, 0, 5, 0x08), 0);
	sim_bank_ask(bank, SIM_REQUESTER_PROCESSOR, false);
	assert_false(sim_mesh_run(node, 0, 1000));
	assert_int_equal(test_count(node, 0, TEST_DST, 4, 0x21), 4);
	sim_bank_write(node, 0, 5, 0x08, 9);
	assert_int_equal(sim_bank_read(node, 0, 5, 0x08), 9);
	sim_node_destroy(node);
}

static void geometry_is_reported(void **state)
{
	static const u32 wanted[16] = {
		0x00040400, 0x00040800, 0x00040400, 0x00040200, 0x00040400, 0x00040200,
	};
	struct sim_bank bank;
	u32 id;

	(void)state;
	sim_bank_reset(&bank);
	for (id = 0; id < 16; id++) {
		assert_int_equal(sim_bank_register(&bank, id, SIM_BANK_GEOMETRY), wanted[id]);
		assert_int_equal(sim_bank_register(&bank, id, 0x10), 0);
	}
}

static void an_unknown_occupant_leaves_a_mark(void **state)
{
	u8 in[128] = { 1, 2, 3 }, out[128];
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	sim_bank_convert(&bank, 11, 0, in, out, 1);
	assert_memory_equal(in, out, sizeof(in));
	assert_int_equal(sim_bank_register(&bank, 3, SIM_BANK_FAULT), 1);
	sim_bank_convert(&bank, 0, 0, in, out, 1);
	assert_int_equal(sim_bank_register(&bank, 3, SIM_BANK_FAULT), 1);
	sim_bank_store(&bank, 7, SIM_BANK_FAULT, 1);
	assert_int_equal(sim_bank_register(&bank, 3, SIM_BANK_FAULT), 0);
}

static void fill_entry(u8 *in)
{
	u32 i;

	for (i = 0; i < 128; i++)
		in[i] = i;
}

static void gt4_is_a_transpose_of_granules(void **state)
{
	u8 in[128], out[128], back[128];
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	fill_entry(in);
	sim_bank_convert(&bank, 2, 0, in, out, 1);
	/* Word 1, granule 3 is granule 1 of word 3. */
	assert_int_equal(out[32 + 24], 96 + 8);
	sim_bank_convert(&bank, 2, 0, out, back, 1);
	assert_memory_equal(in, back, sizeof(in));
}

static void swizzle_makes_tiles(void **state)
{
	u8 in[128], out[128], back[128];
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	fill_entry(in);
	sim_bank_convert(&bank, 4, 0, in, out, 1);
	/* Tile 0 holds the left halves of the rows, tile 1 the right ones. */
	assert_int_equal(out[16], 32);
	assert_int_equal(out[48], 96);
	assert_int_equal(out[64], 16);
	assert_int_equal(out[127], 127);
	sim_bank_convert(&bank, 4, 1, out, back, 1);
	assert_memory_equal(in, back, sizeof(in));
}

static u64 fnv(const u8 *bytes, u32 size)
{
	u64 hash = 0xcbf29ce484222325ULL;

	for (; size; size--)
		hash = (hash ^ *bytes++) * 0x100000001b3ULL;
	return hash;
}

static void the_palette_starts_as_unorm(void **state)
{
	u8 table[512];
	struct sim_bank bank;
	u32 c;

	(void)state;
	sim_bank_reset(&bank);
	for (c = 0; c < 256; c++) {
		u32 half = sim_bank_register(&bank, 5, 0x0C);

		table[2 * c] = half;
		table[2 * c + 1] = half >> 8;
		sim_bank_store(&bank, 5, 0x08, c + 1);
	}
	assert_true(fnv(table, sizeof(table)) == 0x33ce05608ff094a4ULL);
}

static void the_palette_maps_bytes(void **state)
{
	u8 in[64] = { 0, 1, 2, 3, 127, 255 }, out[128];
	struct sim_bank bank;

	(void)state;
	sim_bank_reset(&bank);
	sim_bank_store(&bank, 5, 0x08, 254);
	sim_bank_store(&bank, 5, 0x0C, 0x1111);
	sim_bank_store(&bank, 5, 0x0C, 0x2222);
	assert_int_equal(sim_bank_register(&bank, 5, 0x08), 0);
	sim_bank_convert(&bank, 5, 0, in, out, 1);
	assert_int_equal(out[2] | out[3] << 8, 0x1C04);
	assert_int_equal(out[10] | out[11] << 8, 0x2222);
	/* Bit 0 of the mode: the integers themselves. */
	sim_bank_convert(&bank, 5, 1, in, out, 1);
	assert_int_equal(out[6] | out[7] << 8, 0x4200);
	assert_int_equal(out[10] | out[11] << 8, 0x5BF8);
}

static void philox_has_its_known_answers(void **state)
{
	u32 zero[4] = { 0 }, ones[4] = { ~0U, ~0U, ~0U, ~0U };
	static const u32 zero_answer[] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };
	static const u32 ones_answer[] = { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd };

	(void)state;
	sim_philox(zero, 0);
	sim_philox(ones, ~0ULL);
	assert_memory_equal(zero, zero_answer, sizeof(zero));
	assert_memory_equal(ones, ones_answer, sizeof(ones));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_grant_is_kept_and_passed_on),
		cmocka_unit_test(the_served_are_served_again),
		cmocka_unit_test(a_transform_waits_for_its_grant),
		cmocka_unit_test(geometry_is_reported),
		cmocka_unit_test(an_unknown_occupant_leaves_a_mark),
		cmocka_unit_test(gt4_is_a_transpose_of_granules),
		cmocka_unit_test(swizzle_makes_tiles),
		cmocka_unit_test(the_palette_starts_as_unorm),
		cmocka_unit_test(the_palette_maps_bytes),
		cmocka_unit_test(philox_has_its_known_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
