// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* The dispatcher's registers: what a round is, and how it may end. */
#include "hw/testing.h"

#include "sim/node.h"
#include "sim/vector/vector.h"

#define SRC 0x2000ULL
#define DST 0x3000ULL

static struct sim_node *node;
static u8 bytes[256 * KOHAKU_WORD];

static int setup(void **state)
{
	const struct sim_config config = { .meshes = 1, .slot_depth = 1 };

	(void)state;
	node = sim_node_create(&config);
	for (u32 i = 0; i < sizeof(bytes); i++)
		bytes[i] = i * 5 + i / 256;
	return node ? sim_mem_write(node, KOHAKU_HOST_WINDOW(0) + SRC, bytes, KOHAKU_WORD) : -1;
}

static int teardown(void **state)
{
	(void)state;
	sim_node_destroy(node);
	return 0;
}

static u64 read_register(u32 offset)
{
	return sim_window_read(node, 0, offset);
}

static void write_register(u32 offset, u64 value)
{
	sim_window_write(node, 0, offset, value, 0xff);
}

static u64 field(u64 mask)
{
	return KOHAKU_GET(mask, read_register(KOHAKU_CTL_STAT));
}

/* Puts a packet in place at of the dispatcher's memory. */
static void put(u32 at, enum kohaku_flit_kind kind, u32 index, u32 dim, u64 value)
{
	const struct kohaku_flit_fields fields = { kind, index, dim, value };
	struct kohaku_flit flit;

	assert_int_equal(kohaku_flit_encode(&fields, &flit), 0);
	for (u32 i = 0; i < 5; i++)
		write_register(KOHAKU_CTL_FLITS + at * KOHAKU_FLIT_SIZE + 8 * i, flit.words[i]);
}

static u32 op(enum kohaku_vector_op code)
{
	return KOHAKU_PUT(KOHAKU_V_OP, code);
}

/* A program that copies one word, from packet at on; returns its packets. */
static u32 put_copy(u32 at)
{
	put(at, KOHAKU_FLIT_IMEM, 0, 0, op(KOHAKU_VFILL));
	put(at + 1, KOHAKU_FLIT_IMEM, 1, 0, op(KOHAKU_VDRAIN) | KOHAKU_PUT(KOHAKU_V_AD, 1));
	put(at + 2, KOHAKU_FLIT_IMEM, 2, 0, op(KOHAKU_VHALT));
	put(at + 3, KOHAKU_FLIT_DESC, 0, 0, SRC);
	put(at + 4, KOHAKU_FLIT_DESC, 1, 0, DST);
	put(at + 5, KOHAKU_FLIT_RUN, 0, 0, 0);
	return 6;
}

static void kick(u64 destination, u64 base, u64 length)
{
	write_register(KOHAKU_CTL_DST, destination);
	write_register(KOHAKU_CTL_BASE, base);
	write_register(KOHAKU_CTL_LEN, length);
	write_register(KOHAKU_CTL_KICK, 0);
}

static void test_a_round(void **state)
{
	u8 word[KOHAKU_WORD];
	u32 length = put_copy(122);

	(void)state;
	assert_int_equal(read_register(KOHAKU_CTL_CRED), 128);
	kick(KOHAKU_DST_VECTOR, 122, length);
	/* Nothing happens before somebody looks at the status. */
	assert_int_equal(read_register(KOHAKU_CTL_CRED), 0);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 0);
	assert_int_equal(read_register(KOHAKU_CTL_STATUS), KOHAKU_STATUS_READY);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 1);
	assert_int_equal(field(KOHAKU_DISPATCH_BUSY), 0);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), 0);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), 6);
	/* 5 packets, fill and drain, and VHALT at the full vector length. */
	assert_int_equal(field(KOHAKU_DISPATCH_CYCLES), 5 + 2 + 8);
	assert_int_equal(sim_mem_read(node, KOHAKU_HOST_WINDOW(0) + DST, word, KOHAKU_WORD), 0);
	assert_memory_equal(word, bytes, KOHAKU_WORD);
	assert_int_equal(sim_mesh_counters(node, 0)->read_beats, 1);
	assert_int_equal(sim_mesh_counters(node, 0)->write_beats, 1);
	assert_true(sim_mesh_counters(node, 0)->cycles > 15);
	/* An empty round is one, too. */
	kick(KOHAKU_DST_VECTOR, 128, 0);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), 0);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 2);
}

static void test_registers(void **state)
{
	const u32 flit = KOHAKU_CTL_FLITS + 127 * KOHAKU_FLIT_SIZE + 32;

	(void)state;
	write_register(flit, 0x1122334455667788);
	sim_window_write(node, 0, flit, ~0ULL, 0x0f);
	assert_true(read_register(flit) == 0x11223344ffffffff);
	assert_int_equal(read_register(flit + 8), 0);
	write_register(flit + 8, ~0ULL);
	assert_int_equal(read_register(flit + 8), 0);
	write_register(KOHAKU_CTL_STAT, ~0ULL);
	write_register(KOHAKU_CTL_CRED, 0);
	write_register(KOHAKU_CTL_SIG_DONE, 7);
	assert_int_equal(read_register(KOHAKU_CTL_STAT), 0);
	assert_int_equal(read_register(KOHAKU_CTL_CRED), 128);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 0);
	assert_int_equal(read_register(KOHAKU_CTL_KICK), 0);
	kick(KOHAKU_DST_VECTOR, 3, 0);
	assert_int_equal(read_register(KOHAKU_CTL_DST), KOHAKU_DST_VECTOR);
	assert_int_equal(read_register(KOHAKU_CTL_BASE), 3);
	sim_mesh_reset(node, 0);
	assert_int_equal(read_register(KOHAKU_CTL_BASE), 0);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 0);
}

static void assert_packet_fault(u64 destination, u64 base, u64 length, u64 taken)
{
	u64 done = read_register(KOHAKU_CTL_SIG_DONE);

	kick(destination, base, length);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), SIM_VECTOR_PACKET);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), taken);
	assert_int_equal(field(KOHAKU_DISPATCH_AT), taken);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), done + 1);
}

static void test_what_is_no_round(void **state)
{
	(void)state;
	put_copy(0);
	assert_packet_fault(0, 0, 6, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR | 1ULL << 32, 0, 6, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR, 0, 129, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR, 123, 6, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR, ~0ULL, 1, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR, 1, ~0ULL, 0);
	/* The fourth packet is none: the round ends there. */
	write_register(KOHAKU_CTL_FLITS + 3 * KOHAKU_FLIT_SIZE + 32, 0);
	assert_packet_fault(KOHAKU_DST_VECTOR, 0, 6, 3);
}

static void test_faults_of_a_program(void **state)
{
	(void)state;
	put_copy(0);
	put(1, KOHAKU_FLIT_IMEM, 1, 0, 0);
	put_copy(6);
	kick(KOHAKU_DST_VECTOR, 0, 12);
	/* The second program still runs. */
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), SIM_VECTOR_F_OPCODE);
	assert_int_equal(field(KOHAKU_DISPATCH_AT), 5);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), 12);
	assert_int_equal(sim_mesh_counters(node, 0)->write_beats, 1);
	/* Another mesh's memory is none. */
	put(3, KOHAKU_FLIT_DESC, 0, 0, 1ULL << 36);
	put(1, KOHAKU_FLIT_IMEM, 1, 0, op(KOHAKU_VHALT));
	kick(KOHAKU_DST_VECTOR, 0, 6);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), SIM_VECTOR_MEMORY);
}

static void test_knobs(void **state)
{
	struct sim_knobs *knobs = sim_mesh_knobs(node, 0);
	u32 length = put_copy(0);

	(void)state;
	knobs->error_at_beat = 2;
	kick(KOHAKU_DST_VECTOR, 0, length);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), SIM_VECTOR_MEMORY);
	assert_int_equal(sim_mesh_counters(node, 0)->read_beats, 1);
	assert_int_equal(sim_mesh_counters(node, 0)->write_beats, 0);
	knobs->error_at_beat = 0;
	knobs->no_motion = true;
	kick(KOHAKU_DST_VECTOR, 0, length);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), 0);
	assert_int_equal(read_register(KOHAKU_CTL_SIG_DONE), 2);
	knobs->no_motion = false;
	/* The source was written, so it may be read; the word behind it was not. */
	knobs->ecc = true;
	kick(KOHAKU_DST_VECTOR, 0, length);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), 0);
	put(3, KOHAKU_FLIT_DESC, 0, 0, 1ULL << 30);
	kick(KOHAKU_DST_VECTOR, 0, length);
	assert_int_equal(field(KOHAKU_DISPATCH_FAULT), SIM_VECTOR_MEMORY);
	knobs->hang = true;
	kick(KOHAKU_DST_VECTOR, 0, length);
	knobs->hang = false;
	assert_int_equal(field(KOHAKU_DISPATCH_BUSY), 1);
	assert_int_equal(read_register(KOHAKU_CTL_STATUS),
			 KOHAKU_STATUS_READY | KOHAKU_STATUS_BUSY);
	/* A kick meanwhile is lost. */
	kick(KOHAKU_DST_VECTOR, 0, length);
	assert_int_equal(field(KOHAKU_DISPATCH_BUSY), 1);
	sim_mesh_reset(node, 0);
	assert_int_equal(field(KOHAKU_DISPATCH_BUSY), 0);
}

/* A look moves a bounded number of words, so long rounds take several. */
static void test_looks_are_bounded(void **state)
{
	u32 looks = 0, i;

	(void)state;
	put(0, KOHAKU_FLIT_IMEM, 0, 0, op(KOHAKU_VFILL));
	put(1, KOHAKU_FLIT_IMEM, 1, 0, op(KOHAKU_VHALT));
	put(2, KOHAKU_FLIT_DESC, 0, 1, KOHAKU_PUT(KOHAKU_DESC_STRIDE, 32) |
				       KOHAKU_PUT(KOHAKU_DESC_BOUND, 256));
	put(3, KOHAKU_FLIT_DESC, 0, 0, SRC);
	for (i = 4; i < 128; i++)
		put(i, KOHAKU_FLIT_RUN, 0, 0, 0);
	kick(KOHAKU_DST_VECTOR, 0, 128);
	while (read_register(KOHAKU_CTL_CRED) == 0) {
		sim_mesh_run(node, 0, 1000);
		looks++;
	}
	/* Four runs of 257 each, the first one after four packets. */
	assert_int_equal(looks, 124 / 4);
	assert_int_equal(field(KOHAKU_DISPATCH_TAKEN), 128);
	assert_int_equal(sim_mesh_counters(node, 0)->read_beats, 124 * 256);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_a_round, setup, teardown),
		cmocka_unit_test_setup_teardown(test_registers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_no_round, setup, teardown),
		cmocka_unit_test_setup_teardown(test_faults_of_a_program, setup, teardown),
		cmocka_unit_test_setup_teardown(test_knobs, setup, teardown),
		cmocka_unit_test_setup_teardown(test_looks_are_bounded, setup, teardown),
	};

	return cmocka_run_group_tests_name("sim/dispatch", tests, NULL, NULL);
}
