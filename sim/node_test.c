// SPDX-License-Identifier: GPL-2.0
/*
 * A node from outside: the control window, the address map, the knobs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/env.h"
#include "sim/test_moves.h"

static int set_up(void **state)
{
	*state = test_node(2, SIM_COMPLEX_NONE);
	return *state ? 0 : -1;
}

static int tear_down(void **state)
{
	sim_node_destroy(*state);
	return 0;
}

static void configs_out_of_range_are_refused(void **state)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };

	(void)state;
	assert_true(sim_config_valid(&config));
	config.meshes = 0;
	assert_null(sim_node_create(&config));
	config.meshes = 5;
	assert_null(sim_node_create(&config));
	config = (struct sim_config){ .meshes = 1, .slot_depth = 3 };
	assert_false(sim_config_valid(&config));
	config = (struct sim_config){ .meshes = 1, .slot_depth = 1, .quirks = 2 };
	assert_false(sim_config_valid(&config));
}

static void the_window_identifies_itself(void **state)
{
	u64 caps = sim_window_read(*state, 1, KOHAKU_CTL_CAPS);

	assert_int_equal(KOHAKU_GET(KOHAKU_CAPS_FLIT, caps), 288);
	assert_int_equal(KOHAKU_GET(KOHAKU_CAPS_POSITION, caps), 4);
	assert_int_equal(sim_window_read(*state, 0, KOHAKU_CTL_STATUS), KOHAKU_STATUS_READY);
	assert_int_equal(test_status(*state, 0), 0);
}

static void what_is_not_there_reads_zero(void **state)
{
	u32 offset;

	for (offset = 0; offset < KOHAKU_CTL_SIZE; offset += 8) {
		bool known = offset == KOHAKU_CTL_STATUS || offset == KOHAKU_CTL_CAPS ||
			     offset == KOHAKU_CTL_IRQ_STAT || offset == KOHAKU_CTL_IRQ_EN ||
			     offset == KOHAKU_CTL_AUX_STATW;

		if (known || (offset >= KOHAKU_CTL_AUX_CFG && offset < KOHAKU_CTL_AUX_CFG + 0x100))
			continue;
		/* The dispatcher has a test of its own. */
		if ((offset >= KOHAKU_CTL_DST && offset <= KOHAKU_CTL_SIG_DONE) ||
		    (offset >= KOHAKU_CTL_FLITS &&
		     offset < KOHAKU_CTL_FLITS + KOHAKU_FLITS_MAX * KOHAKU_FLIT_SIZE))
			continue;
		sim_window_write(*state, 0, offset, ~0ULL, 0xFF);
		assert_int_equal(sim_window_read(*state, 0, offset), 0);
	}
}

static void interrupt_registers_only_store(void **state)
{
	sim_window_write(*state, 0, KOHAKU_CTL_IRQ_EN, 0x1122334455667788ULL, 0xFF);
	sim_window_write(*state, 0, KOHAKU_CTL_IRQ_EN, 0xAAAAAAAAAAAAAAAAULL, 0x0F);
	assert_int_equal(sim_window_read(*state, 0, KOHAKU_CTL_IRQ_EN), 0x11223344AAAAAAAAULL);
	assert_int_equal(sim_window_read(*state, 0, KOHAKU_CTL_IRQ_STAT), 0);
}

static u32 done(struct sim_node *node)
{
	return KOHAKU_GET(KOHAKU_STAT_DONE, test_status(node, 0));
}

/* A 64-bit register written in two halves is written twice. */
static void each_beat_is_a_write(void **state)
{
	u64 go = KOHAKU_MODE_FILL | KOHAKU_CTRL_GO;

	test_walker(*state, 0, KOHAKU_WALKER_DST, TEST_DST, 4, KOHAKU_WORD, 0);
	sim_window_write(*state, 0, KOHAKU_CTL_AUX_CFG, go, 0x0F);
	assert_int_equal(done(*state), 1);
	sim_window_write(*state, 0, KOHAKU_CTL_AUX_CFG, 0, 0xF0);
	assert_int_equal(done(*state), 2);
	/* No strobes, no write. */
	sim_window_write(*state, 0, KOHAKU_CTL_AUX_CFG, go, 0);
	assert_int_equal(done(*state), 2);
	/* Another register in between: the other half is zero again. */
	sim_window_write(*state, 0, KOHAKU_CTL_AUX_CFG + KOHAKU_REG_IMM, go, 0x0F);
	sim_window_write(*state, 0, KOHAKU_CTL_AUX_CFG, 0, 0xF0);
	assert_int_equal(done(*state), 2);
}

static void half_by_half_makes_the_whole(void **state)
{
	u64 header = test_header(KOHAKU_WALKER_DST, 0x87654320);
	u32 offset = KOHAKU_CTL_AUX_CFG + KOHAKU_REG_HEADER;
	u8 byte = 0;

	test_walker(*state, 0, KOHAKU_WALKER_DST, 0, 1, KOHAKU_WORD, 0);
	test_write(*state, 0, KOHAKU_REG_IMM, 0x77);
	sim_window_write(*state, 0, offset, header & U32_MAX, 0x0F);
	sim_window_write(*state, 0, offset, header & ~(u64)U32_MAX, 0xF0);
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	assert_int_equal(done(*state), 1);
	sim_mem_read(*state, test_host(0, 0x87654320), &byte, 1);
	assert_int_equal(byte, 0x77);
}

static void a_copy_moves_words(void **state)
{
	test_put(*state, 0, TEST_SRC, 100, 0xA5);
	test_copy(*state, 0, TEST_DST, TEST_SRC, 100);
	assert_int_equal(done(*state), 1);
	assert_int_equal(test_count(*state, 0, TEST_DST, 101, 0xA5), 100);
	assert_int_equal(sim_mesh_counters(*state, 0)->read_bursts, 1);
	assert_int_equal(sim_mesh_counters(*state, 0)->write_beats, 100);
}

/* Word by word, in order: the first words come again and again. */
static void overlap_repeats_what_was_written(void **state)
{
	u8 one[KOHAKU_WORD], other[KOHAKU_WORD];
	u32 i;

	test_put(*state, 0, TEST_SRC, 64, 0x5A);
	test_copy(*state, 0, TEST_SRC + 3 * KOHAKU_WORD, TEST_SRC, 60);
	assert_int_equal(done(*state), 1);
	for (i = 0; i < 63; i++) {
		sim_mem_read(*state, test_host(0, TEST_SRC + i * KOHAKU_WORD), one, sizeof(one));
		sim_mem_read(*state, test_host(0, TEST_SRC + i % 3 * KOHAKU_WORD), other,
			     sizeof(other));
		assert_memory_equal(one, other, sizeof(one));
	}
}

/* The same for entries: bypass, 128 bytes on. */
static void overlap_repeats_entries(void **state)
{
	u8 one[KOHAKU_WORD], other[KOHAKU_WORD];
	u32 i;

	test_put(*state, 0, TEST_SRC, 64, 0x5A);
	test_walker(*state, 0, KOHAKU_WALKER_SRC, TEST_SRC, 40, KOHAKU_WORD, 0);
	test_walker(*state, 0, KOHAKU_WALKER_DST, TEST_SRC + 128, 10, 128, 0);
	test_go(*state, 0, KOHAKU_MODE_XFORM);
	assert_int_equal(done(*state), 1);
	for (i = 0; i < 44; i++) {
		sim_mem_read(*state, test_host(0, TEST_SRC + i * KOHAKU_WORD), one, sizeof(one));
		sim_mem_read(*state, test_host(0, TEST_SRC + i % 4 * KOHAKU_WORD), other,
			     sizeof(other));
		assert_memory_equal(one, other, sizeof(one));
	}
}

static void staging_repeats_every_2_mib(void **state)
{
	u64 staging = KOHAKU_ADDR_ONCHIP | 0x1000;

	test_put(*state, 0, TEST_SRC, 8, 0x11);
	test_copy(*state, 0, staging + 3 * KOHAKU_STAGING_SIZE, TEST_SRC, 8);
	assert_int_equal(done(*state), 1);
	assert_int_equal(test_count(*state, 0, staging, 8, 0x11), 8);
}

static void assert_hangs(struct sim_node *node)
{
	int i;

	for (i = 0; i < 3; i++)
		assert_true(test_status(node, 0) & KOHAKU_STAT_BUSY);
	sim_mesh_reset(node, 0);
	assert_int_equal(test_status(node, 0), 0);
}

static void nobody_answers_out_of_the_map(void **state)
{
	static const u64 nowhere[] = {
		4ULL << 30, KOHAKU_ADDR_RESERVED, KOHAKU_ADDR_ONCHIP | 1ULL << 32,
		1ULL << 36, 2ULL << 36,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		test_copy(*state, 0, TEST_DST, nowhere[i], 1);
		assert_hangs(*state);
	}
	/* The words before the end of memory are moved. */
	test_put(*state, 0, TEST_SRC, 8, 0x22);
	test_copy(*state, 0, KOHAKU_DRAM_SIZE - 4 * KOHAKU_WORD, TEST_SRC, 8);
	assert_hangs(*state);
	assert_int_equal(test_count(*state, 0, KOHAKU_DRAM_SIZE - 4 * KOHAKU_WORD, 4, 0x22), 4);
}

static void host_ranges_are_checked(void **state)
{
	u8 bytes[64] = { 0 };

	assert_int_equal(sim_mem_read(*state, 0, bytes, 1), -EINVAL);
	assert_int_equal(sim_mem_read(*state, test_host(2, 0), bytes, 1), -EINVAL);
	assert_int_equal(sim_mem_read(*state, KOHAKU_HOST_WINDOW(1), bytes, 1), -EINVAL);
	assert_int_equal(sim_mem_write(*state, test_host(0, KOHAKU_DRAM_SIZE - 63), bytes, 64),
			 -EINVAL);
	assert_int_equal(sim_mem_write(*state, test_host(0, KOHAKU_DRAM_SIZE - 64), bytes, 64), 0);
	assert_int_equal(sim_mem_read(*state, test_host(0, KOHAKU_ADDR_ONCHIP |
							   (KOHAKU_STAGING_SIZE - 32)), bytes, 33),
			 -EINVAL);
	assert_int_equal(sim_mem_read(*state, U64_MAX - 3, bytes, 32), -EINVAL);
	assert_int_equal(sim_mem_read(*state, test_host(0, 0), bytes, 0), 0);
}

static void chunks_come_and_go(void **state)
{
	u64 addr = test_host(0, 8 * ENV_CHUNK_SIZE);
	u8 byte = 7;

	assert_null(sim_mem_chunk(*state, addr));
	assert_int_equal(sim_mem_commit(*state, addr, ENV_CHUNK_SIZE + 1), 0);
	assert_non_null(sim_mem_chunk(*state, addr));
	assert_non_null(sim_mem_chunk(*state, addr + ENV_CHUNK_SIZE));
	assert_int_equal(sim_mem_write(*state, addr + 5, &byte, 1), 0);
	assert_int_equal(((u8 *)sim_mem_chunk(*state, addr + 9))[5], 7);
	/* Only the first lies whole in the range. */
	sim_mem_discard(*state, addr, ENV_CHUNK_SIZE + 1);
	assert_null(sim_mem_chunk(*state, addr));
	assert_non_null(sim_mem_chunk(*state, addr + ENV_CHUNK_SIZE));
	assert_int_equal(sim_mem_read(*state, addr + 5, &byte, 1), 0);
	assert_int_equal(byte, 0);
}

static void a_hang_ends_with_reset(void **state)
{
	sim_mesh_knobs(*state, 0)->hang = true;
	test_copy(*state, 0, TEST_DST, TEST_SRC, 8);
	assert_hangs(*state);
	/* What GO refuses does not hang. */
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_TRANSPOSE | KOHAKU_CTRL_GO);
	assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_MODE);
}

/* A word of a COPY is two beats: read, then written. */
static void the_nth_beat_answers_an_error(void **state)
{
	static const struct {
		u32 beat, words;
	} cases[] = { { 1, 1 }, { 2, 1 }, { 3, 2 }, { 7, 4 }, { 16, 8 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		test_put(*state, 0, TEST_SRC, 8, 0x30 + i);
		sim_mesh_knobs(*state, 0)->error_at_beat = cases[i].beat;
		test_copy(*state, 0, TEST_DST, TEST_SRC, 8);
		assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
		assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x30 + i), cases[i].words);
		assert_int_equal(done(*state), 0);
	}
	sim_mesh_knobs(*state, 0)->error_at_beat = 17;
	test_copy(*state, 0, TEST_DST, TEST_SRC, 8);
	assert_int_equal(done(*state), 1);
}

static void xform(struct sim_node *node)
{
	test_walker(node, 0, KOHAKU_WALKER_SRC, TEST_SRC, 8, KOHAKU_WORD, 0);
	test_walker(node, 0, KOHAKU_WALKER_DST, TEST_DST, 2, 128, 0);
	test_go(node, 0, KOHAKU_MODE_XFORM);
}

/* An entry of four words is eight beats; it is written, error or not. */
static void the_nth_beat_of_entries_answers_an_error(void **state)
{
	static const struct {
		u32 beat, words;
	} cases[] = { { 1, 4 }, { 4, 4 }, { 5, 4 }, { 8, 4 }, { 9, 8 }, { 16, 8 } };
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		test_put(*state, 0, TEST_SRC, 8, 0x50 + i);
		sim_mesh_knobs(*state, 0)->error_at_beat = cases[i].beat;
		xform(*state);
		assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
		assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x50 + i), cases[i].words);
		assert_int_equal(done(*state), 0);
	}
	sim_mesh_knobs(*state, 0)->error_at_beat = 17;
	xform(*state);
	assert_int_equal(done(*state), 1);
}

static void gather(struct sim_node *node, u64 indices)
{
	test_walker(node, 0, KOHAKU_WALKER_SRC, TEST_SRC, 1, KOHAKU_WORD, 0);
	test_walker(node, 0, KOHAKU_WALKER_DST, TEST_DST, 8, KOHAKU_WORD, 0);
	test_write(node, 0, KOHAKU_REG_INDEX, indices | KOHAKU_PUT(KOHAKU_INDEX_COUNT, 8));
	test_write(node, 0, KOHAKU_REG_GATHER, KOHAKU_PUT(KOHAKU_GATHER_PITCH, KOHAKU_WORD) |
		   KOHAKU_PUT(KOHAKU_GATHER_WORDS, 1));
	test_go(node, 0, KOHAKU_MODE_GATHER);
}

/* The fetch of the indices is the first beat, and nothing moves without them. */
static void the_nth_beat_of_a_gather_answers_an_error(void **state)
{
	static const u32 rows[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const struct {
		u32 beat, words;
	} cases[] = { { 1, 0 }, { 2, 1 }, { 3, 1 }, { 16, 8 }, { 17, 8 } };
	const u64 indices = TEST_SRC + 0x1000;
	u32 i;

	sim_mem_write(*state, test_host(0, indices), rows, sizeof(rows));
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		test_put(*state, 0, TEST_SRC, 8, 0x70 + i);
		sim_mesh_knobs(*state, 0)->error_at_beat = cases[i].beat;
		gather(*state, indices);
		assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
		assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x70 + i), cases[i].words);
		assert_int_equal(done(*state), 0);
	}
	sim_mesh_knobs(*state, 0)->error_at_beat = 18;
	gather(*state, indices);
	assert_int_equal(done(*state), 1);
	/* Indices that nobody wrote, in a memory that knows. */
	sim_mesh_knobs(*state, 0)->ecc = true;
	test_put(*state, 0, TEST_SRC, 8, 0x7f);
	gather(*state, TEST_SRC + (64 << 20));
	assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
	assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x7f), 0);
}

static void a_move_without_motion_counts(void **state)
{
	test_put(*state, 0, TEST_SRC, 8, 0x44);
	sim_mesh_knobs(*state, 0)->no_motion = true;
	test_copy(*state, 0, TEST_DST, TEST_SRC, 8);
	assert_int_equal(done(*state), 1);
	assert_int_equal(test_fault(*state, 0), 0);
	assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x44), 0);
}

static void a_device_that_is_gone_answers_ones(void **state)
{
	u8 bytes[2] = { 0 };

	sim_mesh_knobs(*state, 0)->gone = true;
	assert_true(sim_window_read(*state, 0, KOHAKU_CTL_CAPS) == KOHAKU_ALL_ONES);
	assert_true(test_status(*state, 0) == KOHAKU_ALL_ONES);
	assert_int_equal(sim_mem_read(*state, test_host(0, 0), bytes, 2), 0);
	assert_int_equal(bytes[0] & bytes[1], 0xFF);
	sim_mem_write(*state, test_host(0, 0), "x", 1);
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	sim_mesh_knobs(*state, 0)->gone = false;
	assert_int_equal(test_status(*state, 0), 0);
	assert_int_equal(sim_mem_read(*state, test_host(0, 0), bytes, 2), 0);
	assert_int_equal(bytes[0], 0);
}

static void ecc_objects_to_unwritten_words(void **state)
{
	u8 bytes[96];

	sim_mesh_knobs(*state, 0)->ecc = true;
	test_put(*state, 0, TEST_SRC, 5, 0x66);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC + 64), bytes, 96), 0);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC + 65), bytes, 96), -EIO);
	/* The sixth word was never written; it is moved all the same. */
	test_copy(*state, 0, TEST_DST, TEST_SRC, 8);
	assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
	assert_int_equal(test_count(*state, 0, TEST_DST, 8, 0x66), 5);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_DST + 5 * 32), bytes, 32), 0);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_DST + 6 * 32), bytes, 32), -EIO);
	/* What a move writes is written, what is discarded no longer. */
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	assert_int_equal(done(*state), 1);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_DST + 5 * 32), bytes, 96), 0);
	sim_mem_discard(*state, test_host(0, 0), 4 * ENV_CHUNK_SIZE);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC), bytes, 32), -EIO);
	/* Turned off and on again, nothing is forgotten. */
	sim_mesh_knobs(*state, 0)->ecc = false;
	test_put(*state, 0, TEST_SRC, 1, 0x67);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC), bytes, 64), 0);
	sim_mesh_knobs(*state, 0)->ecc = true;
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC), bytes, 32), 0);
	assert_int_equal(sim_mem_read(*state, test_host(0, TEST_SRC), bytes, 64), -EIO);
}

/* The knobs do not hide each other: a word may be the one to fail and a written one. */
static void ecc_records_under_other_knobs(void **state)
{
	sim_mesh_knobs(*state, 0)->ecc = true;
	sim_mesh_knobs(*state, 0)->error_at_beat = 1000;
	test_write(*state, 0, KOHAKU_REG_CTRL, KOHAKU_MODE_FILL | KOHAKU_CTRL_GO);
	assert_int_equal(done(*state), 1);
	sim_mesh_knobs(*state, 0)->error_at_beat = 0;
	assert_int_equal(test_fault(*state, 0), 0);
	test_copy(*state, 0, TEST_DST, TEST_SRC, 1);
	assert_int_equal(test_fault(*state, 0), KOHAKU_HW_FAULT_AXI);
}

/* However a run is sliced, and whoever watches, it costs the same. */
static void cycles_do_not_depend_on_slices(void **state)
{
	const struct sim_counters *counters = sim_mesh_counters(*state, 0);
	u64 whole;

	test_copy(*state, 0, TEST_DST, TEST_SRC, 4096);
	test_status(*state, 0);
	whole = counters->cycles;
	test_copy(*state, 0, TEST_DST, TEST_SRC, 4096);
	while (sim_mesh_run(*state, 0, 33))
		;
	assert_int_equal(counters->cycles, 2 * whole);
	/* 4407 were recorded. */
	assert_in_range(whole, 4300, 4500);
}

#define NODE_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		NODE_TEST(configs_out_of_range_are_refused),
		NODE_TEST(the_window_identifies_itself),
		NODE_TEST(what_is_not_there_reads_zero),
		NODE_TEST(interrupt_registers_only_store),
		NODE_TEST(each_beat_is_a_write),
		NODE_TEST(half_by_half_makes_the_whole),
		NODE_TEST(a_copy_moves_words),
		NODE_TEST(overlap_repeats_what_was_written),
		NODE_TEST(overlap_repeats_entries),
		NODE_TEST(staging_repeats_every_2_mib),
		NODE_TEST(nobody_answers_out_of_the_map),
		NODE_TEST(host_ranges_are_checked),
		NODE_TEST(chunks_come_and_go),
		NODE_TEST(a_hang_ends_with_reset),
		NODE_TEST(the_nth_beat_answers_an_error),
		NODE_TEST(the_nth_beat_of_entries_answers_an_error),
		NODE_TEST(the_nth_beat_of_a_gather_answers_an_error),
		NODE_TEST(a_move_without_motion_counts),
		NODE_TEST(a_device_that_is_gone_answers_ones),
		NODE_TEST(ecc_objects_to_unwritten_words),
		NODE_TEST(ecc_records_under_other_knobs),
		NODE_TEST(cycles_do_not_depend_on_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
