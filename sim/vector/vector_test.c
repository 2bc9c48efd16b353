// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* What recordings of good programs do not show: faults, limits, state that stays. */
#include "hw/testing.h"

#include "sim/vector/vector.h"

#define MEMORY 0x4000
/* An address whose upper bits travel apart in a packet. */
#define BASE 0x8000040000ULL

static u8 bytes[MEMORY];
static struct sim_vector *core;
static struct sim_vector_result result;

static int read_memory(void *ctx, u64 addr, void *to, size_t size)
{
	(void)ctx;
	if (addr < BASE || addr + size > BASE + MEMORY)
		return -EINVAL;
	memcpy(to, bytes + (addr - BASE), size);
	return 0;
}

static int write_memory(void *ctx, u64 addr, const void *from, size_t size)
{
	(void)ctx;
	if (addr < BASE || addr + size > BASE + MEMORY)
		return -EINVAL;
	memcpy(bytes + (addr - BASE), from, size);
	return 0;
}

static int setup(void **state)
{
	const struct sim_vector_memory memory = { read_memory, write_memory, NULL };

	(void)state;
	for (u32 i = 0; i < MEMORY; i++)
		bytes[i] = i * 7 + i / 256;
	core = sim_vector_create(&memory);
	return core ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	sim_vector_destroy(core);
	return 0;
}

static void send(enum kohaku_flit_kind kind, u32 index, u32 field, u64 value)
{
	const struct kohaku_flit_fields fields = { kind, index, field, value };
	struct kohaku_flit flit;

	assert_int_equal(kohaku_flit_encode(&fields, &flit), 0);
	assert_int_equal(sim_vector_take(core, &flit, 1, &result), 0);
}

static void set_dim(u32 descriptor, u32 dim, s64 stride, u32 bound)
{
	send(KOHAKU_FLIT_DESC, descriptor, dim + 1,
	     KOHAKU_PUT(KOHAKU_DESC_STRIDE, stride) | KOHAKU_PUT(KOHAKU_DESC_BOUND, bound));
}

/* Runs instructions, followed by VHALT; returns the fault. */
static u32 run(const u32 *instructions, u32 count)
{
	for (u32 i = 0; i < count; i++)
		send(KOHAKU_FLIT_IMEM, i, 0, instructions[i]);
	send(KOHAKU_FLIT_IMEM, count, 0, KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VHALT));
	send(KOHAKU_FLIT_RUN, 0, 0, 0);
	return result.fault;
}

static u32 op(enum kohaku_vector_op code)
{
	return KOHAKU_PUT(KOHAKU_V_OP, code);
}

static u32 fill(u32 descriptor, u32 l1)
{
	return op(KOHAKU_VFILL) | KOHAKU_PUT(KOHAKU_V_AD, descriptor) |
	       KOHAKU_PUT(KOHAKU_V_OFFSET, l1);
}

static u32 drain(u32 descriptor, u32 l1)
{
	return op(KOHAKU_VDRAIN) | KOHAKU_PUT(KOHAKU_V_AD, descriptor) |
	       KOHAKU_PUT(KOHAKU_V_OFFSET, l1);
}

static void test_strides_and_wrap(void **state)
{
	const u32 program[] = { fill(0, 510), drain(1, 510) };

	(void)state;
	send(KOHAKU_FLIT_DESC, 0, 0, BASE + 5 * 32);
	set_dim(0, 0, -32, 4);
	send(KOHAKU_FLIT_DESC, 1, 0, BASE + 64 * 32);
	set_dim(1, 0, 64, 2);
	set_dim(1, 1, 32, 2);
	assert_int_equal(run(program, 2), 0);
	assert_int_equal(result.words_read, 4);
	assert_memory_equal(bytes + 64 * 32, bytes + 5 * 32, 32);
	assert_memory_equal(bytes + 66 * 32, bytes + 4 * 32, 32);
	assert_memory_equal(bytes + 65 * 32, bytes + 3 * 32, 32);
	assert_memory_equal(bytes + 67 * 32, bytes + 2 * 32, 32);
	/* The words in L1 go round its end. */
	assert_memory_equal(core->l1[1], bytes + 2 * 32, 32);
}

static void test_a_wide_descriptor_stays(void **state)
{
	const u32 program[] = { fill(0, 0) };

	(void)state;
	send(KOHAKU_FLIT_DESC, 0, 0, BASE);
	set_dim(0, 0, 32, 256);
	assert_int_equal(run(program, 1), 0);
	set_dim(0, 1, 0, 2);
	assert_int_equal(run(program, 1), SIM_VECTOR_F_LEN);
	assert_int_equal(result.words_read, 0);
	/* A bound of 0 is 1. */
	set_dim(0, 1, 0, 0);
	assert_int_equal(run(program, 1), 0);
	assert_int_equal(result.words_read, 256);
	sim_vector_reset(core);
	send(KOHAKU_FLIT_DESC, 0, 0, BASE);
	assert_int_equal(run(program, 1), 0);
	assert_int_equal(result.words_read, 1);
}

static void test_faults(void **state)
{
	const u32 length[] = { op(KOHAKU_VSETI), 129, op(KOHAKU_VSETVL) };
	const u32 zero[] = { op(KOHAKU_VSETI), 0, op(KOHAKU_VSETVL) };
	const u32 full[] = { op(KOHAKU_VSETI), 128, op(KOHAKU_VSETVL) };
	const u32 unknown[] = { op(0x03) };
	const u32 loop[] = { op(KOHAKU_VLOOP) };
	const u32 no_type[] = { op(KOHAKU_VLD) };
	const u32 source[] = { op(KOHAKU_VCMPEQ) | KOHAKU_PUT(KOHAKU_V_SB, 2) };
	const u32 peer[] = { drain(0, 0) | KOHAKU_PUT(KOHAKU_V_DTYPE, 1) };
	const u32 nowhere[] = { fill(7, 0) };

	(void)state;
	assert_int_equal(run(length, 3), SIM_VECTOR_F_VL);
	assert_int_equal(run(zero, 3), SIM_VECTOR_F_VL);
	assert_int_equal(run(full, 3), SIM_VECTOR_OK);
	assert_int_equal(run(unknown, 1), SIM_VECTOR_F_OPCODE);
	assert_int_equal(run(loop, 1), SIM_VECTOR_F_OPCODE);
	assert_int_equal(run(no_type, 1), SIM_VECTOR_F_DTYPE);
	assert_int_equal(run(source, 1), SIM_VECTOR_F_VSRC);
	assert_int_equal(run(peer, 1), SIM_VECTOR_F_OPCODE);
	assert_int_equal(run(nowhere, 1), SIM_VECTOR_MEMORY);
	assert_int_equal(result.faults, 1);
}

static void test_endless(void **state)
{
	(void)state;
	for (u32 i = 0; i < KOHAKU_VECTOR_IMEM; i++)
		send(KOHAKU_FLIT_IMEM, i, 0, op(KOHAKU_VBAR));
	send(KOHAKU_FLIT_RUN, 17, 0, 0);
	assert_int_equal(result.fault, SIM_VECTOR_ENDLESS);
	assert_int_equal(result.cycles, KOHAKU_VECTOR_IMEM);
	/* The last word that a program starting there can reach. */
	send(KOHAKU_FLIT_IMEM, 16, 0, op(KOHAKU_VHALT));
	send(KOHAKU_FLIT_RUN, 17, 0, 0);
	assert_int_equal(result.fault, SIM_VECTOR_OK);
}

static void test_rounds(void **state)
{
	static struct kohaku_flit flits[KOHAKU_VECTOR_ROUND + 1];
	const struct kohaku_flit_fields start = { .kind = KOHAKU_FLIT_RUN };

	(void)state;
	for (u32 i = 0; i <= KOHAKU_VECTOR_ROUND; i++)
		assert_int_equal(kohaku_flit_encode(&start, &flits[i]), 0);
	assert_int_equal(sim_vector_take(core, flits, KOHAKU_VECTOR_ROUND + 1, &result), -EINVAL);
	/* One bad packet, and none of the round is taken. */
	flits[9].words[4] = 0;
	assert_int_equal(sim_vector_take(core, flits, 10, &result), -EINVAL);
	assert_int_equal(result.flits, 0);
	/* Empty instruction memory is an unknown opcode; the others still run. */
	assert_int_equal(sim_vector_take(core, flits, 9, &result), 0);
	assert_int_equal(result.runs, 9);
	assert_int_equal(result.faults, 9);
	assert_int_equal(result.fault_flit, 0);
}

/* Equal means equal as numbers: both zeros are, no NaN is. */
static void test_compare(void **state)
{
	static const struct {
		u16 half;
		u32 scalar;
		bool equal;
	} cases[] = {
		{ 0x3c00, 0x3f8000, true },  { 0xbc00, 0xbf8000, true },
		{ 0x3c00, 0xbf8000, false }, { 0x0000, 0x800000, true },
		{ 0x8000, 0x000000, true },  { 0x7c00, 0x7f8000, true },
		{ 0x7e00, 0x7fc000, false }, { 0x0001, 0x338000, true },
		{ 0x03ff, 0x387fc0, true },  { 0x0400, 0x388000, true },
		{ 0x7bff, 0x477fe0, true },  { 0x7bff, 0x477fe1, false },
	};
	const u32 program[] = { op(KOHAKU_VCMPEQ) | KOHAKU_PUT(KOHAKU_V_SB, 1) |
				KOHAKU_PUT(KOHAKU_V_VB, 3) | KOHAKU_PUT(KOHAKU_V_PR, 2) };

	(void)state;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		core->registers[0][1] = cases[i].half;
		core->scalars[3] = cases[i].scalar;
		core->predicates[2][127] = true;
		core->length = 16;
		assert_int_equal(run(program, 1), 0);
		assert_int_equal(core->predicates[2][1], cases[i].equal);
		/* Lanes past the vector length keep theirs. */
		assert_true(core->predicates[2][127]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_strides_and_wrap, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_wide_descriptor_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(test_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endless, setup, teardown),
		cmocka_unit_test_setup_teardown(test_rounds, setup, teardown),
		cmocka_unit_test_setup_teardown(test_compare, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
