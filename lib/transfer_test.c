// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library's calls of the transfer fabric, on a simulated node in this process.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "kohaku.h"
#include "kohaku_transfer.h"

#define RW (KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE)

static struct kohaku_device *device;

static int open_device(void **state)
{
	(void)state;
	return kohaku_open("sim:meshes=2,fabric=2x2:2x2/page=1048576", &device);
}

static int close_device(void **state)
{
	(void)state;
	kohaku_close(device);
	return 0;
}

static struct kohaku_transfer_insn insn(uint32_t flags, uint64_t base, uint32_t count)
{
	return (struct kohaku_transfer_insn){
		.flags = flags, .width = 16, .group = 2, .count = count, .base = base,
	};
}

static void assert_reason(const char *why)
{
	char text[KOHAKU_REASON_SIZE];

	kohaku_device_reason(device, text, sizeof(text));
	if (!strstr(text, why))
		print_error("'%s' is not in '%s'\n", why, text);
	assert_non_null(strstr(text, why));
}

/* More than one command takes goes in several. */
static void memory_of_any_length(void **state)
{
	static uint8_t bytes[(2 << 20) + 5], back[(2 << 20) + 5];
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++)
		assert_int_equal(kohaku_fabric_map(device, i << 20, i % 2, RW, NULL, 0), 0);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i * 31 + (i >> 9);
	assert_int_equal(kohaku_fabric_write(device, 3, bytes, sizeof(bytes)), 0);
	assert_int_equal(kohaku_fabric_read(device, 3, back, sizeof(back)), 0);
	assert_memory_equal(bytes, back, sizeof(bytes));
	assert_int_equal(kohaku_fabric_read(device, 3 << 20, back, 1), -ENOENT);
}

static void programs_give_results(void **state)
{
	struct kohaku_transfer_insn insns[] = {
		insn(0, 2, 100), insn(KOHAKU_TRANSFER_STORE, 0x1001, 100),
		insn(KOHAKU_TRANSFER_STORE, (1 << 20) - 4, 3),
	};
	struct kohaku_transfer_result results[3];
	struct kohaku_fabric_query query;
	uint8_t bytes[202], back[200];
	uint32_t i;

	(void)state;
	assert_int_equal(kohaku_fabric_map(device, 0, KOHAKU_FABRIC_VECTOR, RW, NULL, 0), 0);
	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = i;
	assert_int_equal(kohaku_fabric_write(device, 0, bytes, sizeof(bytes)), 0);
	assert_int_equal(kohaku_fabric_results(device, results, 3), -ENOENT);
	assert_int_equal(kohaku_fabric_run(device, insns, 3, results, NULL), 0);
	assert_int_equal(kohaku_fabric_read(device, 0x1001, back, sizeof(back)), 0);
	assert_memory_equal(back, bytes + 2, sizeof(back));
	assert_int_equal(results[1].fault, KOHAKU_TRANSFER_OK);
	assert_int_equal(results[2].fault, KOHAKU_TRANSFER_NO_PAGE);
	assert_int_equal(results[2].element, 2);
	assert_int_equal(results[2].address, 1 << 20);
	assert_string_equal(kohaku_transfer_fault_text(results[2].fault), "no page");
	assert_string_equal(kohaku_transfer_fault_text(KOHAKU_TRANSFER_OK), "none");
	assert_string_equal(kohaku_transfer_fault_text(KOHAKU_TRANSFER_NOT_READABLE),
			    "not readable");
	assert_string_equal(kohaku_transfer_fault_text(KOHAKU_TRANSFER_NOT_WRITABLE),
			    "not writable");
	assert_string_equal(kohaku_transfer_fault_text(99), "unknown");
	assert_int_equal(kohaku_fabric_results(device, results, 2), -EMSGSIZE);
	assert_int_equal(kohaku_fabric_query(device, 1, &query), 0);
	assert_int_equal(query.out_protocol_errors, 0);
	assert_true(query.out_ticks > 0 && query.out_top_rows > 0);
	assert_int_equal(kohaku_fabric_query(device, 0, &query), 0);
	assert_int_equal(query.out_ticks, 0);
}

static void registers_and_layouts(void **state)
{
	struct kohaku_fabric_stripe stripes[8192], back[8192];
	uint64_t words[16], seen[16];
	uint32_t width, i;

	(void)state;
	for (i = 0; i < 16; i++)
		words[i] = 0x0123456789abcdef * (i + 1);
	assert_int_equal(kohaku_fabric_register_write(device, 5, words, 16, 32), 0);
	assert_int_equal(kohaku_fabric_register_read(device, 5, seen, 16, &width), 0);
	assert_memory_equal(words, seen, sizeof(words));
	assert_int_equal(width, 32);
	assert_int_equal(kohaku_fabric_register_read(device, 5, seen, 15, NULL), -EINVAL);
	for (i = 0; i < 8192; i++)
		stripes[i] = (struct kohaku_fabric_stripe){ 8 << i % 4, 2 + i % 4 };
	assert_int_equal(kohaku_fabric_map(device, 0, KOHAKU_FABRIC_VECTOR, RW, stripes, 4),
			 -EINVAL);
	assert_int_equal(kohaku_fabric_map(device, 0, KOHAKU_FABRIC_SCALAR, RW, stripes, 8192),
			 -EINVAL);
	assert_int_equal(kohaku_fabric_map(device, 0, KOHAKU_FABRIC_VECTOR, RW, stripes, 8192), 0);
	assert_int_equal(kohaku_fabric_layout(device, 0, back, 8192), 0);
	assert_memory_equal(stripes, back, sizeof(stripes));
	assert_int_equal(kohaku_fabric_layout(device, 0, back, 8191), -EMSGSIZE);
	assert_int_equal(kohaku_fabric_unmap(device, 0), 0);
	assert_int_equal(kohaku_fabric_layout(device, 0, back, 8192), -ENOENT);
}

static void refusals_say_which_instruction(void **state)
{
	struct kohaku_transfer_insn insns[] = { insn(0, 0, 1), insn(0, 0, 1), insn(0, 0, 1) };
	struct kohaku_transfer_result results[3];
	struct kohaku_device *without;
	struct kohaku_job *job;
	uint32_t bad = 99;

	(void)state;
	insns[1].group = 5;
	assert_int_equal(kohaku_fabric_run(device, insns, 3, results, &bad), -EINVAL);
	assert_int_equal(bad, 1);
	assert_reason("SUBMIT: operation 0, instruction 1: ");
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_marker(job, 0), 0);
	assert_int_equal(kohaku_job_transfer(job, insns, 1025), 0);
	assert_int_equal(kohaku_job_run(job, device, NULL), -EINVAL);
	assert_reason("SUBMIT: operation 1: 1025 instructions; a program takes 1024");
	assert_int_equal(kohaku_open("sim:fabric=none", &without), 0);
	kohaku_job_reset(job);
	assert_int_equal(kohaku_job_transfer(job, insns, 1), 0);
	assert_int_equal(kohaku_job_run(job, without, NULL), -EOPNOTSUPP);
	kohaku_job_free(job);
	kohaku_close(without);
}

/* A fault ends the job there, and its record says where it was. */
static void faults_end_a_job(void **state)
{
	struct kohaku_transfer_insn insns[] = { insn(KOHAKU_TRANSFER_STORE, 0x5000, 2) };
	struct kohaku_completion completion;
	struct kohaku_fault_read fault;
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_transfer(job, insns, 1), 0);
	assert_int_equal(kohaku_job_marker(job, 0), 0);
	assert_int_equal(kohaku_job_run(job, device, &completion), -EIO);
	assert_int_equal(completion.fault, KOHAKU_FAULT_PAGE);
	assert_int_equal(completion.ops_done, 0);
	assert_int_equal(kohaku_fault_read(device, 1, &fault), 0);
	assert_int_equal(fault.out_dst_offset, 0x5000);
	assert_int_equal(fault.out_element, 0);
	kohaku_job_free(job);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(memory_of_any_length),
		TEST(programs_give_results),
		TEST(registers_and_layouts),
		TEST(refusals_say_which_instruction),
		TEST(faults_end_a_job),
	};

	return cmocka_run_group_tests_name("lib/transfer", tests, NULL, NULL);
}
