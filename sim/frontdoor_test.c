// SPDX-License-Identifier: GPL-2.0
/*
 * The front door, from the processor's side.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/frontdoor.h"
#include "sim/slot.h"
#include "sim/test_moves.h"

#define MVGO	SIM_RV32_NODE
#define STATUS	(SIM_RV32_NODE + 0x40)
#define SLOT(id, offset) (SIM_RV32_NODE | SIM_RV32_SLOT | (id) << 8 | (offset))

static int set_up_rv32(void **state)
{
	*state = test_node(1, SIM_COMPLEX_RV32);
	return *state ? 0 : -1;
}

static int set_up_rv64(void **state)
{
	*state = test_node(1, SIM_COMPLEX_RV64);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	sim_node_destroy(*state);
	return 0;
}

static void store(struct sim_node *node, u64 addr, u32 value)
{
	sim_port_store(node, 0, addr, 4, value);
}

static u32 load(struct sim_node *node, u64 addr)
{
	return sim_port_load(node, 0, addr, 4);
}

static bool busy(struct sim_node *node)
{
	return load(node, STATUS) & 1;
}

/* Puts a register write into the scratchpad; returns the word after it. */
static u32 put_item(struct sim_node *node, u32 word, u32 offset, u64 value)
{
	u32 part[] = { offset, (u32)value, value >> 32 };
	u32 i;

	for (i = 0; i < 3; i++)
		store(node, (word + i) % SIM_SCRATCHPAD_WORDS * 4, part[i]);
	return word + 3;
}

/* A list that fills words at TEST_DST; its length may be cut short. */
static void put_fill(struct sim_node *node, u32 word, u32 items)
{
	/* Bits above 15 are no part of the length, bits above 7 none of an offset. */
	store(node, word % SIM_SCRATCHPAD_WORDS * 4, items | 0xABC0000);
	word = put_item(node, word + 1, 0xFF00 | KOHAKU_REG_IMM, 0x5151);
	word = put_item(node, word, KOHAKU_REG_HEADER, test_header(1, TEST_DST));
	word = put_item(node, word, KOHAKU_REG_DIM_STAGE, test_stage(1, 9, KOHAKU_WORD));
	word = put_item(node, word, KOHAKU_REG_DIM_LATCH, 0);
	put_item(node, word, KOHAKU_REG_CTRL,
		 KOHAKU_MODE_FILL | KOHAKU_PUT(KOHAKU_CTRL_WIDTH, 1) | KOHAKU_CTRL_GO);
}

static u8 byte_at(struct sim_node *node, u64 addr)
{
	u8 byte = 0;

	sim_mem_read(node, test_host(0, addr), &byte, 1);
	return byte;
}

static void a_list_runs_a_move(void **state)
{
	put_fill(*state, 100, 5);
	store(*state, MVGO, 100);
	assert_false(busy(*state));
	assert_int_equal(byte_at(*state, TEST_DST + 8 * KOHAKU_WORD), 0x51);
	assert_int_equal(byte_at(*state, TEST_DST + 9 * KOHAKU_WORD), 0);
	assert_int_equal(KOHAKU_GET(KOHAKU_STAT_DONE, test_status(*state, 0)), 1);
}

static void a_list_wraps_in_the_scratchpad(void **state)
{
	put_fill(*state, SIM_SCRATCHPAD_WORDS - 5, 5);
	store(*state, MVGO, SIM_SCRATCHPAD_WORDS - 5);
	assert_false(busy(*state));
	assert_int_equal(byte_at(*state, TEST_DST), 0x51);
}

static void an_empty_list_does_nothing(void **state)
{
	put_fill(*state, 0, 0);
	store(*state, MVGO, 0);
	assert_false(busy(*state));
	assert_int_equal(sim_mesh_counters(*state, 0)->moves, 0);
}

/* Only busy of the pointer form shows it: the move itself never began. */
static void a_list_without_a_move_sticks(void **state)
{
	put_fill(*state, 0, 4);
	store(*state, MVGO, 0);
	assert_true(busy(*state));
	assert_true(busy(*state));
	assert_false(test_status(*state, 0) & KOHAKU_STAT_BUSY);
	/* Another list is not even looked at. */
	put_fill(*state, 100, 5);
	store(*state, MVGO, 100);
	assert_true(busy(*state));
	assert_int_equal(byte_at(*state, TEST_DST), 0);
	sim_mesh_reset(*state, 0);
	assert_false(busy(*state));
}

static void a_refused_move_ends_a_list(void **state)
{
	store(*state, 0, 1);
	put_item(*state, 1, KOHAKU_REG_CTRL, KOHAKU_MODE_TRANSPOSE | KOHAKU_CTRL_GO);
	store(*state, MVGO, 0);
	assert_int_equal(load(*state, STATUS), KOHAKU_HW_FAULT_MODE << 4);
}

static void busy_covers_the_fetch(void **state)
{
	put_fill(*state, 0, 5);
	store(*state, MVGO, 0);
	assert_false(sim_mesh_run(*state, 0, 3));
	/* A second start is ignored meanwhile. */
	store(*state, MVGO, 500);
	assert_true(sim_mesh_run(*state, 0, 2));
	assert_false(sim_mesh_run(*state, 0, 100));
	assert_int_equal(byte_at(*state, TEST_DST), 0x51);
}

static void other_stores_are_ignored(void **state)
{
	put_fill(*state, 0, 5);
	store(*state, MVGO + 4, 0);
	store(*state, 0xE0000000, 0);
	assert_false(busy(*state));
	assert_int_equal(byte_at(*state, TEST_DST), 0);
	assert_int_equal(load(*state, 0xE0000000), 0);
}

static void the_scratchpad_takes_bytes(void **state)
{
	store(*state, 8, 0x11223344);
	sim_port_store(*state, 0, 9, 1, 0xAA);
	sim_port_store(*state, 0, 10, 2, 0xBBCC);
	assert_int_equal(load(*state, 8), 0xBBCCAA44);
	assert_int_equal(sim_port_load(*state, 0, 11, 1), 0xBB);
	assert_int_equal(sim_port_load(*state, 0, 8, 2), 0xAA44);
}

static void the_slot_is_at_hand(void **state)
{
	assert_int_equal(load(*state, SLOT(1, SIM_BANK_GEOMETRY)), 0x00040800);
	store(*state, SLOT(5, 0x08), 3);
	store(*state, SLOT(5, 0x0C), 0x1234);
	store(*state, SLOT(5, 0x08), 3);
	assert_int_equal(load(*state, SLOT(5, 0x0C)), 0x1234);
	assert_int_equal(load(*state, SLOT(5, 0x08)), 3);
	/* An unknown occupant leaves its mark in the status word. */
	test_walker(*state, 0, KOHAKU_WALKER_SRC, TEST_SRC, 4, KOHAKU_WORD,
		    KOHAKU_PUT(KOHAKU_HEADER_XFORM, 9));
	test_walker(*state, 0, KOHAKU_WALKER_DST, TEST_DST, 1, 128, 0);
	test_go(*state, 0, KOHAKU_MODE_XFORM);
	assert_int_equal(load(*state, STATUS), 1 << 8);
	store(*state, SLOT(2, SIM_BANK_FAULT), 0);
	assert_int_equal(load(*state, STATUS), 0);
}

static void rv64_stores_go_straight_to_the_mover(void **state)
{
	u64 mover = SIM_RV64_CONTROL + SIM_RV64_MOVER;
	u64 status = SIM_RV64_CONTROL + SIM_RV64_STATUS;

	sim_port_store(*state, 0, mover + KOHAKU_REG_HEADER, 8, test_header(1, TEST_DST));
	sim_port_store(*state, 0, mover + KOHAKU_REG_DIM_STAGE, 8, test_stage(1, 2, 32));
	sim_port_store(*state, 0, mover + KOHAKU_REG_DIM_LATCH, 8, 0);
	sim_port_store(*state, 0, mover + KOHAKU_REG_SEED, 8, 1);
	/* Out of reach. */
	sim_port_store(*state, 0, mover + KOHAKU_REG_IMM, 8, 0x77);
	sim_port_store(*state, 0, mover, 8, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	assert_int_equal(sim_port_load(*state, 0, status, 8), 1);
	assert_int_equal(byte_at(*state, TEST_DST), 0);
	sim_port_store(*state, 0, mover, 8, KOHAKU_MODE_TRANSPOSE | KOHAKU_CTRL_GO);
	assert_int_equal(sim_port_load(*state, 0, status, 8), 4ULL << 28 | 1);
	assert_int_equal(sim_port_load(*state, 0, MVGO, 4), 0);
}

static void the_processor_wins(void **state)
{
	u64 imm = KOHAKU_CTL_AUX_CFG + KOHAKU_REG_IMM;
	u64 seed = SIM_RV64_CONTROL + SIM_RV64_MOVER + KOHAKU_REG_SEED;

	test_walker(*state, 0, KOHAKU_WALKER_DST, TEST_DST, 1, 32, 0);
	test_write(*state, 0, KOHAKU_REG_IMM, 0x11);
	sim_port_collide(*state, 0, seed, 8, 5, imm, 0x22);
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	test_status(*state, 0);
	assert_int_equal(byte_at(*state, TEST_DST), 0x11);
	/* A store that names no register of the mover loses nobody's. */
	sim_port_collide(*state, 0, SIM_RV64_CONTROL, 8, 5, imm, 0x33);
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	test_status(*state, 0);
	assert_int_equal(byte_at(*state, TEST_DST), 0x33);
	sim_port_collide(*state, 0, seed, 8, 5, KOHAKU_CTL_IRQ_EN, 0x44);
	assert_int_equal(sim_window_read(*state, 0, KOHAKU_CTL_IRQ_EN), 0x44);
}

#define RV32_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_rv32, tear_down)
#define RV64_TEST(name) cmocka_unit_test_setup_teardown(name, set_up_rv64, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RV32_TEST(a_list_runs_a_move),
		RV32_TEST(a_list_wraps_in_the_scratchpad),
		RV32_TEST(an_empty_list_does_nothing),
		RV32_TEST(a_list_without_a_move_sticks),
		RV32_TEST(a_refused_move_ends_a_list),
		RV32_TEST(busy_covers_the_fetch),
		RV32_TEST(other_stores_are_ignored),
		RV32_TEST(the_scratchpad_takes_bytes),
		RV32_TEST(the_slot_is_at_hand),
		RV64_TEST(rv64_stores_go_straight_to_the_mover),
		RV64_TEST(the_processor_wins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
