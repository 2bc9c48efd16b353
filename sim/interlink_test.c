// SPDX-License-Identifier: GPL-2.0
/*
 * The interlink: what is posted, when it lands, and what tells so.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/test_moves.h"

static int set_up(void **state)
{
	*state = test_node(4, SIM_COMPLEX_NONE);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	sim_node_destroy(*state);
	return 0;
}

/* Looks without moving anything along: the mesh asked has nothing on its way. */
static u64 status(struct sim_node *node, u32 mesh, u32 word)
{
	return sim_window_read(node, mesh, KOHAKU_CTL_AUX_STATW + 8 * word);
}

static u32 fault(struct sim_node *node, u32 mesh)
{
	return KOHAKU_GET(KOHAKU_LINK_FAULT, status(node, mesh, KOHAKU_LINK_STATUS));
}

static u64 remote(u32 mesh, u64 addr)
{
	return KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) | addr;
}

static void run_dry(struct sim_node *node, u32 mesh)
{
	while (KOHAKU_GET(KOHAKU_LINK_IN_FLIGHT, status(node, mesh, KOHAKU_LINK_STATUS)))
		;
}

static void a_single_mesh_has_none(void **state)
{
	struct sim_node *node = test_node(1, SIM_COMPLEX_NONE);
	u32 word;

	(void)state;
	test_write(node, 0, KOHAKU_LINK_DOORBELL, 1);
	for (word = 0; word < KOHAKU_LINK_WORDS; word++)
		assert_int_equal(status(node, 0, word), 0);
	test_copy(node, 0, remote(1, TEST_DST), TEST_SRC, 1);
	assert_true(test_status(node, 0) & KOHAKU_STAT_BUSY);
	sim_node_destroy(node);
}

static void words_reach_every_mesh(void **state)
{
	u32 from, to;

	for (from = 0; from < 4; from++) {
		for (to = 0; to < 4; to++) {
			u8 mark = 16 * from + to + 1;

			if (from == to)
				continue;
			test_put(*state, from, TEST_SRC, 20, mark);
			test_copy(*state, from, remote(to, TEST_DST), remote(from, TEST_SRC), 20);
			assert_int_equal(test_fault(*state, from), 0);
			run_dry(*state, from);
			assert_int_equal(test_count(*state, to, TEST_DST, 20, mark), 20);
			assert_int_equal(status(*state, from, KOHAKU_LINK_SENT + to),
					 KOHAKU_PUT(KOHAKU_LINK_POSTED, 20) |
						 KOHAKU_PUT(KOHAKU_LINK_LANDED, 20));
			assert_int_equal(status(*state, to, KOHAKU_LINK_RECEIVED + from), 20);
		}
	}
}

static void staging_is_reached_too(void **state)
{
	test_put(*state, 0, TEST_SRC, 5, 0x99);
	test_copy(*state, 0, remote(3, KOHAKU_ADDR_ONCHIP | 0x400), TEST_SRC, 5);
	test_status(*state, 0);
	run_dry(*state, 0);
	assert_int_equal(test_count(*state, 3, KOHAKU_ADDR_ONCHIP | 0x400, 5, 0x99), 5);
}

/* The mover is done long before its words are there. */
static void posted_is_not_landed(void **state)
{
	test_put(*state, 0, TEST_SRC, 40, 0x77);
	test_copy(*state, 0, remote(2, TEST_DST), TEST_SRC, 40);
	assert_false(sim_mesh_run(*state, 0, 40));
	assert_int_equal(test_count(*state, 2, TEST_DST, 40, 0x77), 0);
	/* Three hops a word along 0-1-3-2. */
	sim_mesh_run(*state, 0, 3 * 7);
	assert_int_equal(test_count(*state, 2, TEST_DST, 40, 0x77), 7);
	sim_mesh_run(*state, 0, 2);
	assert_int_equal(test_count(*state, 2, TEST_DST, 40, 0x77), 7);
	sim_mesh_run(*state, 0, 1);
	assert_int_equal(test_count(*state, 2, TEST_DST, 40, 0x77), 8);
}

static void a_full_link_makes_room(void **state)
{
	test_put(*state, 0, TEST_SRC, 500, 0x78);
	test_copy(*state, 0, remote(1, TEST_DST), TEST_SRC, 500);
	assert_false(sim_mesh_run(*state, 0, 500));
	assert_int_equal(test_count(*state, 1, TEST_DST, 500, 0x78), 500 - 64);
	run_dry(*state, 0);
	assert_int_equal(test_count(*state, 1, TEST_DST, 500, 0x78), 500);
}

/* The only fence: a marker comes back after all that was posted before it. */
static void a_marker_returns_behind_the_words(void **state)
{
	u64 marker = KOHAKU_LINK_MARK | KOHAKU_PUT(KOHAKU_LINK_MARK_MESH, 2) |
		     KOHAKU_PUT(KOHAKU_LINK_MARK_TAG, 0xC0FFEE);
	u32 looks = 0;
	u64 back;

	test_put(*state, 0, TEST_SRC, 60, 0x79);
	test_copy(*state, 0, remote(2, TEST_DST), TEST_SRC, 60);
	assert_false(sim_mesh_run(*state, 0, 60));
	test_write(*state, 0, KOHAKU_LINK_CONTROL, marker);
	do {
		back = status(*state, 0, KOHAKU_LINK_MARKED + 2);
		looks++;
	} while (!back);
	/* 60 words of three hops, and six for the marker there and back. */
	assert_int_equal(looks, (60 * 3 + 6 + SIM_POLL_HOPS - 1) / SIM_POLL_HOPS);
	assert_int_equal(back, KOHAKU_PUT(KOHAKU_LINK_TAG, 0xC0FFEE) |
				       KOHAKU_PUT(KOHAKU_LINK_COUNT, 1));
	assert_int_equal(test_count(*state, 2, TEST_DST, 60, 0x79), 60);
}

static void a_doorbell_rings_behind_the_words(void **state)
{
	test_put(*state, 1, TEST_SRC, 10, 0x7A);
	test_copy(*state, 1, remote(3, TEST_DST), remote(1, TEST_SRC), 10);
	assert_false(sim_mesh_run(*state, 1, 10));
	test_write(*state, 1, KOHAKU_LINK_DOORBELL, 3);
	sim_mesh_run(*state, 1, 10);
	assert_int_equal(KOHAKU_GET(KOHAKU_LINK_RUNG,
				    status(*state, 3, KOHAKU_LINK_RECEIVED + 1)), 0);
	sim_mesh_run(*state, 1, 1);
	assert_int_equal(status(*state, 3, KOHAKU_LINK_RECEIVED + 1),
			 KOHAKU_PUT(KOHAKU_LINK_ARRIVED, 10) | KOHAKU_PUT(KOHAKU_LINK_RUNG, 1));
}

static void faults_stick_until_cleared(void **state)
{
	test_write(*state, 2, KOHAKU_LINK_MESH_ID, 2);
	assert_int_equal(fault(*state, 2), 0);
	test_write(*state, 2, KOHAKU_LINK_MESH_ID, 1);
	assert_int_equal(fault(*state, 2), KOHAKU_LINK_FAULT_ID);
	test_write(*state, 2, KOHAKU_LINK_DOORBELL, 2);
	assert_int_equal(fault(*state, 2), KOHAKU_LINK_FAULT_ID | KOHAKU_LINK_FAULT_MESH);
	test_write(*state, 2, KOHAKU_LINK_CONTROL, KOHAKU_LINK_CLEAR);
	assert_int_equal(fault(*state, 2), 0);
}

/* No move ever faults for what becomes of its words far away. */
static void a_word_that_finds_no_memory_is_lost(void **state)
{
	test_copy(*state, 0, remote(1, KOHAKU_ADDR_ONCHIP | 1ULL << 33), TEST_SRC, 2);
	assert_int_equal(test_fault(*state, 0), 0);
	run_dry(*state, 0);
	assert_int_equal(fault(*state, 0), KOHAKU_LINK_FAULT_AXI);
	assert_int_equal(status(*state, 0, KOHAKU_LINK_SENT + 1),
			 KOHAKU_PUT(KOHAKU_LINK_POSTED, 2));
}

static void missing_meshes_shorten_the_path(void **state)
{
	struct sim_node *node = test_node(3, SIM_COMPLEX_NONE);

	(void)state;
	test_put(node, 0, TEST_SRC, 2, 0x42);
	test_copy(node, 0, remote(2, TEST_DST), TEST_SRC, 2);
	assert_false(sim_mesh_run(node, 0, 2));
	sim_mesh_run(node, 0, 4);
	assert_int_equal(test_count(node, 2, TEST_DST, 2, 0x42), 2);
	test_copy(node, 0, remote(3, TEST_DST), TEST_SRC, 2);
	assert_int_equal(test_fault(node, 0), 0);
	assert_int_equal(fault(node, 0), KOHAKU_LINK_FAULT_AXI);
	sim_node_destroy(node);
}

static void reset_drops_what_is_on_its_way(void **state)
{
	test_put(*state, 0, TEST_SRC, 10, 0x7B);
	test_copy(*state, 0, remote(1, TEST_DST), TEST_SRC, 10);
	sim_mesh_run(*state, 0, 10);
	sim_mesh_reset(*state, 0);
	sim_mesh_run(*state, 0, 100);
	assert_int_equal(test_count(*state, 1, TEST_DST, 10, 0x7B), 0);
	assert_int_equal(status(*state, 0, KOHAKU_LINK_SENT + 1), 0);
}

#define LINK_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LINK_TEST(a_single_mesh_has_none),
		LINK_TEST(words_reach_every_mesh),
		LINK_TEST(staging_is_reached_too),
		LINK_TEST(posted_is_not_landed),
		LINK_TEST(a_full_link_makes_room),
		LINK_TEST(a_marker_returns_behind_the_words),
		LINK_TEST(a_doorbell_rings_behind_the_words),
		LINK_TEST(faults_stick_until_cleared),
		LINK_TEST(a_word_that_finds_no_memory_is_lost),
		LINK_TEST(missing_meshes_shorten_the_path),
		LINK_TEST(reset_drops_what_is_on_its_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
