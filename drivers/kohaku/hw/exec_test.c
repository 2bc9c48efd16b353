// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Running programs, on a bus that is told its answers and on a simulated node.
 */
#include "hw/testing.h"

#include "hw/exec.h"
#include "sim/node.h"

#define DONE(n) KOHAKU_PUT(KOHAKU_STAT_DONE, n)
#define FAULT(n) KOHAKU_PUT(KOHAKU_STAT_FAULT, n)

/* A bus that answers from a list and remembers what was written. */
struct script {
	u64 answers[4];
	u32 reads, writes;
	u32 offsets[KOHAKU_MAX_PROGRAM];
	u64 values[KOHAKU_MAX_PROGRAM];
};

static u64 script_read(void *ctx, u32 mesh, u32 offset)
{
	struct script *script = ctx;

	assert_int_equal(mesh, 2);
	assert_int_equal(offset, KOHAKU_CTL_AUX_STAT);
	return script->answers[script->reads++];
}

static void script_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	struct script *script = ctx;

	assert_int_equal(mesh, 2);
	script->offsets[script->writes] = offset;
	script->values[script->writes++] = value;
}

static const struct kohaku_program short_program = {
	.length = 2,
	.writes = { { KOHAKU_REG_IMM, 0, 7 }, { KOHAKU_REG_CTRL, 0, KOHAKU_CTRL_GO } },
};

/* Starts with answers[0] and polls once with answers[1]. */
static int run_script(u64 before, u64 after, u32 *fault)
{
	struct script script = { .answers = { before, after } };
	struct kohaku_bus bus = {
		.read64 = script_read, .write64 = script_write, .ctx = &script,
	};
	struct kohaku_exec exec;
	int error;

	*fault = 99;
	error = kohaku_exec_start(&exec, &bus, 2, &short_program);
	if (error) {
		assert_int_equal(script.writes, 0);
		return error;
	}
	assert_int_equal(script.writes, 2);
	assert_int_equal(script.offsets[0], KOHAKU_CTL_AUX_CFG + KOHAKU_REG_IMM);
	assert_int_equal(script.values[0], 7);
	assert_int_equal(script.offsets[1], KOHAKU_CTL_AUX_CFG + KOHAKU_REG_CTRL);
	assert_int_equal(script.values[1], KOHAKU_CTRL_GO);
	return kohaku_exec_poll(&exec, fault);
}

static void test_endings(void **unused)
{
	u32 fault;

	(void)unused;
	assert_int_equal(run_script(DONE(5), DONE(6), &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_NONE);
	/* The counter has 24 bits; an old fault is none of ours. */
	assert_int_equal(run_script(DONE(0xffffff) | FAULT(6), DONE(0), &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_NONE);
	assert_int_equal(run_script(DONE(5), DONE(5) | FAULT(6), &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_ALIGN);
	/* Neither no move nor two moves are one. */
	assert_int_equal(run_script(DONE(5), DONE(5), &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_NO_MOTION);
	assert_int_equal(run_script(DONE(5), DONE(7), &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_NO_MOTION);
}

static void test_not_ending(void **unused)
{
	u32 fault;

	(void)unused;
	assert_int_equal(run_script(DONE(5), DONE(5) | KOHAKU_STAT_BUSY, &fault), -EINPROGRESS);
	assert_int_equal(run_script(DONE(5) | KOHAKU_STAT_BUSY, 0, &fault), -EBUSY);
	assert_int_equal(run_script(KOHAKU_ALL_ONES, 0, &fault), -ENODEV);
	assert_int_equal(run_script(DONE(5), KOHAKU_ALL_ONES, &fault), -ENODEV);
	assert_int_equal(fault, 99);
}

static void test_status(void **unused)
{
	struct kohaku_status status = kohaku_status_decode(0x123456000000007fULL & ~0xeULL);

	(void)unused;
	assert_true(status.busy);
	assert_false(status.gone);
	assert_int_equal(status.fault, 7);
	assert_int_equal(status.done, 0x123456);
	/* The counters in the middle are not the mover's and no part of it. */
	status = kohaku_status_decode(0x000001ffffffff00ULL);
	assert_false(status.busy);
	assert_int_equal(status.fault, 0);
	assert_int_equal(status.done, 1);
	assert_true(kohaku_status_decode(~0ULL).gone);
}

static void test_caps(void **unused)
{
	(void)unused;
	assert_true(kohaku_caps_valid(0x0000000000040120ULL));
	assert_true(kohaku_caps_valid(0x0000004433080120ULL));
	assert_false(kohaku_caps_valid(0x0000000000000120ULL));
	assert_false(kohaku_caps_valid(0x0000000000090120ULL));
	assert_false(kohaku_caps_valid(0x0000000000040121ULL));
	assert_false(kohaku_caps_valid(KOHAKU_ALL_ONES));
	assert_false(kohaku_caps_valid(0));
}

static u64 node_read(void *ctx, u32 mesh, u32 offset)
{
	return sim_window_read(ctx, mesh, offset);
}

static void node_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(ctx, mesh, offset, value, 0xff);
}

/* Runs a program on a mesh to its end. */
static u32 run_on_node(struct sim_node *node, u32 mesh, const struct kohaku_program *program)
{
	struct kohaku_bus bus = { .read64 = node_read, .write64 = node_write, .ctx = node };
	struct kohaku_exec exec;
	u32 fault, polls = 0;
	int error;

	assert_int_equal(kohaku_exec_start(&exec, &bus, mesh, program), 0);
	do {
		error = kohaku_exec_poll(&exec, &fault);
		assert_true(++polls < 10000);
	} while (error == -EINPROGRESS);
	assert_int_equal(error, 0);
	return fault;
}

static void fill(struct kohaku_move *move, u32 words, u32 imm)
{
	*move = (struct kohaku_move){
		.mode = KOHAKU_MOVE_FILL, .width = 2, .imm = imm,
		.dst = { .ndim = 1, .dims = { { 32, words, 0, 0 } } },
	};
}

/* Zeroing covers what it says and nothing beyond, on either memory of a mesh. */
static void test_node_zero(void **unused)
{
	static const u64 places[] = { 0x1000100000, 0x9000010000 };
	struct sim_config config = { .meshes = 2, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	struct kohaku_program program;
	struct kohaku_move move;
	u64 words[2];
	u32 i;

	(void)unused;
	assert_non_null(node);
	assert_true(kohaku_caps_valid(sim_window_read(node, 1, KOHAKU_CTL_CAPS)));
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		u64 host = KOHAKU_HOST_WINDOW(1) + places[i];

		fill(&move, 40000, 0xabababab);
		kohaku_move_encode(&move, 0, places[i], 0, &program);
		assert_int_equal(run_on_node(node, 1, &program), KOHAKU_FAULT_NONE);
		assert_int_equal(kohaku_zero_encode(places[i], 39000 * 32, &program), 32768 * 32);
		assert_int_equal(run_on_node(node, 1, &program), KOHAKU_FAULT_NONE);
		assert_int_equal(sim_mem_read(node, host + 32768 * 32 - 8, words, 16), 0);
		assert_true(words[0] == 0 && words[1] == 0xababababababababULL);
		assert_int_equal(sim_mem_read(node, host, words, 16), 0);
		assert_true(words[0] == 0 && words[1] == 0);
	}
	sim_node_destroy(node);
}

/* A misaligned destination stops where kohaku_move_misaligned() says. */
static void test_node_misaligned(void **unused)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	struct kohaku_element element;
	struct kohaku_program program;
	struct kohaku_move move;
	u64 words, value;

	(void)unused;
	assert_non_null(node);
	fill(&move, 8, 0x11111111);
	move.dst.ndim = 2;
	move.dst.dims[1] = move.dst.dims[0];
	move.dst.dims[0] = (struct kohaku_dim){ 264, 3, 0, 0 };
	assert_true(kohaku_move_misaligned(&move, 0x4000, 1000, &element, &words));
	assert_int_equal(element.number, 8);
	assert_int_equal(element.indices[0], 1);
	assert_int_equal(element.indices[1], 0);
	assert_int_equal(element.offset, 264);
	assert_int_equal(words, 8);
	kohaku_move_encode(&move, 0, 0x4000, 0, &program);
	assert_int_equal(run_on_node(node, 0, &program), KOHAKU_FAULT_ALIGN);
	assert_int_equal(sim_mem_read(node, KOHAKU_HOST_WINDOW(0) + 0x4000 + 8 * 32 - 8, &value, 8),
			 0);
	assert_true(value == 0x1111111111111111ULL);
	assert_int_equal(sim_mem_read(node, KOHAKU_HOST_WINDOW(0) + 0x4000 + 8 * 32, &value, 8), 0);
	assert_true(value == 0);
	assert_int_equal(sim_mesh_counters(node, 0)->write_beats, words);
	sim_node_destroy(node);
}

static void test_node_without_motion(void **unused)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	struct kohaku_program program;
	struct kohaku_move move;

	(void)unused;
	assert_non_null(node);
	fill(&move, 4, 1);
	move.mode = KOHAKU_MODE_TRANSPOSE;
	kohaku_move_encode(&move, 0, 0x4000, 0, &program);
	assert_int_equal(run_on_node(node, 0, &program), KOHAKU_FAULT_MODE);
	/* A program without GO leaves the done counter where it is. */
	program.length--;
	move.mode = KOHAKU_MOVE_FILL;
	assert_int_equal(run_on_node(node, 0, &program), KOHAKU_FAULT_MODE);
	kohaku_move_encode(&move, 0, 0x4000, 0, &program);
	assert_int_equal(run_on_node(node, 0, &program), KOHAKU_FAULT_NONE);
	program.length--;
	assert_int_equal(run_on_node(node, 0, &program), KOHAKU_FAULT_NO_MOTION);
	sim_node_destroy(node);
}

/* Words that no memory took are a fault of the move that wrote them, and of no other. */
static void test_node_landing(void **unused)
{
	static const struct { u64 addr; u32 fault; } cases[] = {
		{ KOHAKU_ADDR_ONCHIP | 1ULL << 33, KOHAKU_FAULT_AXI },
		{ 0x4000, KOHAKU_FAULT_NONE },
	};
	struct sim_config config = { .meshes = 2, .slot_depth = 1 };
	struct sim_node *node = sim_node_create(&config);
	struct kohaku_bus bus = { .read64 = node_read, .write64 = node_write, .ctx = node };
	struct kohaku_program program;
	struct kohaku_exec exec;
	struct kohaku_move move;
	u32 fault, polls = 0, i;

	(void)unused;
	assert_non_null(node);
	fill(&move, 4, 1);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		kohaku_move_encode(&move, 0, KOHAKU_PUT(KOHAKU_ADDR_MESH, 1) | cases[i].addr, 0,
				   &program);
		assert_int_equal(kohaku_exec_start(&exec, &bus, 0, &program), 0);
		kohaku_exec_land(&exec, 1);
		while (kohaku_exec_poll(&exec, &fault) == -EINPROGRESS)
			assert_true(++polls < 10000);
		assert_int_equal(fault, cases[i].fault);
	}
	sim_node_destroy(node);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_endings),
		cmocka_unit_test(test_not_ending),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_caps),
		cmocka_unit_test(test_node_zero),
		cmocka_unit_test(test_node_misaligned),
		cmocka_unit_test(test_node_without_motion),
		cmocka_unit_test(test_node_landing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
