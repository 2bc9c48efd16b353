// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * RELAYOUT against an oracle that looks at every word of every run, and its
 * program against the core's model.
 */
#include "relayout_oracle.h"

#define FLITS_MAX 2000

static void test_against_enumeration(void **state)
{
	u32 accepted = 0, refused = 0;

	(void)state;
	testing_seed("relayout");
	for (u32 round = 0; round < 200000; round++) {
		struct kohaku_relayout_task task;
		struct kohaku_relayout plan;
		const char *why;
		bool expected;

		random_plan(&plan, &task);
		if (random_once_in(4))
			spoil(&plan, &task);
		/* What the oracle cannot enumerate is tested below. */
		expected = plan.count == U32_MAX ? false : oracle_accepts(&task);
		if (!kohaku_relayout_check(&task, &why) != expected)
			fail_msg("round %u: expected %d, got: %s", round, expected,
				 why ? why : "accepted");
		expected ? accepted++ : refused++;
	}
	print_message("%u accepted, %u refused\n", accepted, refused);
	assert_true(accepted > 20000 && refused > 20000);
}

/* A plan that may run. */
static void good_plan(struct kohaku_relayout *plan, struct kohaku_relayout_task *task)
{
	const char *why;

	do
		random_plan(plan, task);
	while (kohaku_relayout_check(task, &why));
}

struct flits {
	u32 count, room;
	struct kohaku_flit flits[FLITS_MAX];
};

static int collect(void *ctx, const struct kohaku_flit *flit)
{
	struct flits *to = ctx;

	if (to->count == to->room)
		return 1;
	to->flits[to->count++] = *flit;
	return 0;
}

/* Rounds cut the program anywhere, and all of them together are the program. */
static void test_program_from_anywhere(void **state)
{
	static struct flits whole, part;

	(void)state;
	for (u32 round = 0; round < 3000; round++) {
		const struct kohaku_flit_sink to_whole = { collect, &whole };
		const struct kohaku_flit_sink to_part = { collect, &part };
		struct kohaku_vector_program program;
		struct kohaku_vector_pair pairs[3];
		struct kohaku_relayout_task task;
		struct kohaku_relayout plan;
		u32 from;

		good_plan(&plan, &task);
		kohaku_relayout_program(&task, INDEX, &program);
		for (u32 i = 0; i < plan.count; i++)
			pairs[i] = (struct kohaku_vector_pair){
				task.src.addr + plan.src_offset + i * plan.src_stride,
				task.dst.addr + plan.dst_offset + i * plan.dst_stride,
			};
		whole.count = 0;
		whole.room = FLITS_MAX;
		assert_int_equal(kohaku_vector_emit(&program.pass, pairs, plan.count, INDEX,
						    &to_whole), 0);
		assert_int_equal(whole.count, kohaku_vector_program_flits(&program));
		from = random_between(0, whole.count - 1);
		part.count = 0;
		part.room = random_between(1, 128);
		assert_true(kohaku_vector_program_emit(&program, from, &to_part) >= 0);
		assert_int_equal(part.count, min(part.room, whole.count - from));
		assert_memory_equal(part.flits, whole.flits + from,
				    part.count * sizeof(part.flits[0]));
	}
}

static int setup(void **state)
{
	(void)state;
	return open_node();
}

static int teardown(void **state)
{
	(void)state;
	sim_node_destroy(node);
	return 0;
}

static void test_run_on_a_node(void **state)
{
	(void)state;
	for (u32 round = 0; round < 1000; round++) {
		struct kohaku_relayout_task task;
		struct kohaku_relayout plan;

		good_plan(&plan, &task);
		check_run(&task);
	}
}

/* More than one round. */
static void long_plan(struct kohaku_relayout *plan, struct kohaku_relayout_task *task)
{
	*plan = (struct kohaku_relayout){
		.words = 4, .runs = 50, .count = 1, .ndim = 1, .dims = { { 32, 4 } },
	};
	*task = (struct kohaku_relayout_task){
		.relayout = plan, .src = { SRC, BUFFER }, .dst = { DST, BUFFER },
	};
}

static void test_endings(void **state)
{
	struct sim_knobs *knobs = sim_mesh_knobs(node, 0);
	struct kohaku_fault_read record = { 0 };
	struct kohaku_vector_program program;
	struct kohaku_relayout_task task;
	struct kohaku_dispatch dispatch;
	struct kohaku_relayout plan;
	u32 fault;
	int error;

	(void)state;
	long_plan(&plan, &task);
	kohaku_relayout_program(&task, INDEX, &program);

	knobs->no_motion = true;
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), 0);
	assert_int_equal(kohaku_dispatch_poll(&dispatch, &fault), 0);
	assert_int_equal(fault, KOHAKU_FAULT_NO_MOTION);
	knobs->no_motion = false;

	knobs->hang = true;
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), 0);
	assert_int_equal(kohaku_dispatch_poll(&dispatch, &fault), -EINPROGRESS);
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), -EBUSY);
	knobs->hang = false;
	sim_mesh_reset(node, 0);

	/* The first write of the third run: 8 words each before it, 4 of its own. */
	knobs->error_at_beat = 2 * 8 + 5;
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), 0);
	do
		error = kohaku_dispatch_poll(&dispatch, &fault);
	while (error == -EINPROGRESS);
	assert_int_equal(error, 0);
	assert_int_equal(fault, KOHAKU_FAULT_VECTOR_MEMORY);
	kohaku_relayout_locate_fault(&plan, &program, dispatch.fault_flit, &record);
	assert_int_equal(record.out_element, 2);
	assert_int_equal(record.out_dst_offset, 2 * 4 * KOHAKU_WORD);
	knobs->error_at_beat = 0;

	/* And what comes next is not disturbed. */
	run_plan(&task);
	knobs->gone = true;
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), -ENODEV);
	assert_int_equal(kohaku_dispatch_poll(&dispatch, &fault), -ENODEV);
	assert_false(kohaku_vector_present(&bus, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_enumeration),
		cmocka_unit_test(test_program_from_anywhere),
		cmocka_unit_test_setup_teardown(test_run_on_a_node, setup, teardown),
		cmocka_unit_test_setup_teardown(test_endings, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
