// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises of jobs: order, refusals, faults.
 */
#include <errno.h>

#include "api_testing.h"

static void one_bad_operation_and_nothing_runs(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_move bad = {
		.mode = KOHAKU_MOVE_FILL,
		.dst = { .buffer = kohaku_buffer_id(dst), .ndim = 1,
			 .dims = { { WORD, PAGE / WORD + 1, 0, 0 } } },
	};
	struct kohaku_job *job = job_new();
	char text[KOHAKU_REASON_SIZE];

	(void)state;
	kohaku_job_fill(job, dst, 0, PAGE, 1, 0xff);
	kohaku_job_marker(job, 0);
	kohaku_job_move(job, 0, &bad);
	kohaku_job_fill(job, dst, 0, PAGE, 1, 0xee);
	run(job, -EINVAL);
	kohaku_device_reason(device, text, sizeof(text));
	assert_non_null(strstr(text, "operation 2, destination walker"));
	assert_non_null(strstr(text, "leaves its buffer"));
	assert_zero(dst, 0, PAGE);
	kohaku_job_free(job);
	kohaku_buffer_free(dst);
}

static void refusals_say_what_is_wrong(void **state)
{
	struct kohaku_job *job = job_new();
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_FILL,
		.dst = { .buffer = 0xffffff, .ndim = 1, .dims = { { WORD, 1, 0, 0 } } },
	};
	struct kohaku_submit submit = { .size = sizeof(submit), .flags = 2, .count = 1 };
	char text[KOHAKU_REASON_SIZE];
	uint32_t i;

	(void)state;
	kohaku_job_move(job, 0, &move);
	run(job, -ENOENT);
	kohaku_device_reason(device, text, sizeof(text));
	assert_non_null(strstr(text, "operation 0: there is no buffer 16777215"));
	kohaku_job_marker(job, info.out_meshes);
	assert_int_equal(kohaku_job_run(job, device, NULL), -EINVAL);
	kohaku_device_reason(device, text, sizeof(text));
	assert_non_null(strstr(text, "there is no mesh"));
	kohaku_job_reset(job);
	for (i = 0; i <= info.out_max_ops; i++)
		kohaku_job_marker(job, 0);
	run(job, -EINVAL);
	kohaku_device_reason(device, text, sizeof(text));
	assert_non_null(strstr(text, "make several"));
	submit.stride = sizeof(struct kohaku_op);
	assert_int_equal(kohaku_device_command(device, KOHAKU_SUBMIT, &submit), -EOPNOTSUPP);
	kohaku_device_reason(device, text, sizeof(text));
	assert_null(strstr(text, "operation 0"));
	submit.flags = 0;
	assert_int_equal(kohaku_device_command(device, KOHAKU_SUBMIT, &submit), -EFAULT);
	kohaku_job_free(job);
}

static void a_misaligned_destination_faults_where_it_stands(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_FILL, .imm = 0x77,
		.dst = { .buffer = kohaku_buffer_id(dst), .ndim = 2, .offset = 64,
			 .dims = { { 1024 + 16, 2, 0, 0 }, { WORD, 3, 0, 0 } } },
	};
	struct kohaku_job *job = job_new();
	struct kohaku_completion completion;
	struct kohaku_fault_read fault;
	uint8_t expected[3 * WORD];

	(void)state;
	memset(expected, 0x77, sizeof(expected));
	kohaku_job_marker(job, 0);
	kohaku_job_move(job, 0, &move);
	kohaku_job_fill(job, dst, 0, 32, 1, 1);
	assert_int_equal(kohaku_job_run(job, device, &completion), -EIO);
	assert_int_equal(completion.fault, KOHAKU_FAULT_ALIGN);
	assert_int_equal(completion.fault_index, 1);
	assert_int_equal(completion.ops_done, 1);
	assert_int_equal(completion.words, 3);
	assert_zero(dst, 0, 64);
	assert_holds(dst, 64, expected, sizeof(expected));
	assert_zero(dst, 64 + sizeof(expected), PAGE - 64 - sizeof(expected));
	assert_int_equal(kohaku_fault_read(device, 1, &fault), 0);
	assert_int_equal(fault.out_code, KOHAKU_FAULT_ALIGN);
	assert_int_equal(fault.out_job, completion.job);
	assert_int_equal(fault.out_index, 1);
	assert_int_equal(fault.out_mesh, 0);
	assert_int_equal(fault.out_element, 3);
	assert_int_equal(fault.out_indices[0], 1);
	assert_int_equal(fault.out_indices[1], 0);
	assert_int_equal(fault.out_dst_offset, 64 + 1024 + 16);
	assert_int_equal(fault.out_words, 3);
	assert_in_range(fault.out_program_length, 1, KOHAKU_MAX_PROGRAM);
	assert_int_equal(kohaku_fault_read(device, 0, &fault), -ENOENT);
	kohaku_job_free(job);
	kohaku_buffer_free(dst);
}

static void barriers_mark_the_next_of_each_mesh(void **state)
{
	struct kohaku_job *job = job_new();
	uint32_t last = info.out_meshes - 1;

	(void)state;
	kohaku_job_marker(job, 0);
	kohaku_job_barrier(job);
	kohaku_job_marker(job, last);
	kohaku_job_marker(job, last);
	kohaku_job_marker(job, 0);
	assert_int_equal(kohaku_job_op(job, 0)->flags, 0);
	assert_int_equal(kohaku_job_op(job, 1)->flags, KOHAKU_OP_BARRIER);
	assert_int_equal(kohaku_job_op(job, 2)->flags, 0);
	assert_int_equal(kohaku_job_op(job, 3)->flags, last ? KOHAKU_OP_BARRIER : 0);
	assert_null(kohaku_job_op(job, 4));
	run(job, 0);
	kohaku_job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_bad_operation_and_nothing_runs),
		cmocka_unit_test(refusals_say_what_is_wrong),
		cmocka_unit_test(a_misaligned_destination_faults_where_it_stands),
		cmocka_unit_test(barriers_mark_the_next_of_each_mesh),
	};

	return cmocka_run_group_tests_name("lib/api_job", tests, open_device, close_device);
}
