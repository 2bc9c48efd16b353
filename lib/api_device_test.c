// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises of the device: what it is, and how its commands are called.
 */
#include <errno.h>

#include "api_testing.h"

static void info_describes_the_node(void **state)
{
	(void)state;
	assert_int_equal(info.size, sizeof(info));
	assert_int_equal(info.flags, 0);
	assert_in_range(info.out_meshes, 1, KOHAKU_MAX_MESHES);
	assert_in_range(info.out_backend, KOHAKU_BACKEND_SIM, KOHAKU_BACKEND_PCI);
	assert_int_equal(info.out_state, KOHAKU_NODE_OK);
	assert_int_equal(info.out_dram_size, 4ULL << 30);
	assert_int_equal(info.out_staging_size, 2 << 20);
	assert_true(info.out_max_ops >= 64);
	assert_true(info.out_max_jobs >= 16);
	assert_true(info.out_max_buffers >= 256);
	assert_int_equal(info.out_alignment % PAGE, 0);
	assert_int_equal(info.out_staging_alignment % WORD, 0);
	assert_true(info.out_default_timeout_ns);
	assert_true(info.out_max_timeout_ns >= info.out_default_timeout_ns);
}

static uint32_t known_size(uint32_t command)
{
	struct kohaku_probe probe;

	assert_int_equal(kohaku_device_probe(device, command, &probe), 0);
	assert_true(probe.out_min_size <= probe.out_size);
	return probe.out_size;
}

static void probe_tells_sizes_and_flags(void **state)
{
	struct kohaku_probe probe;

	(void)state;
	assert_int_equal(known_size(KOHAKU_SUBMIT), sizeof(struct kohaku_submit));
	assert_int_equal(known_size(KOHAKU_INFO), sizeof(struct kohaku_info));
	assert_int_equal(kohaku_device_probe(device, KOHAKU_BUF_ALLOC, &probe), 0);
	assert_int_equal(probe.out_flags, KOHAKU_BUF_FALLBACK);
	assert_int_equal(kohaku_device_probe(device, _IO(KOHAKU_TYPE, 1), &probe), -ENOTTY);
}

/* A struct of any length, to a command that does no harm when it is all zeros. */
static int call(uint32_t command, uint32_t size, uint8_t last)
{
	union {
		uint32_t size;
		uint8_t bytes[1024];
	} arg = { 0 };

	arg.size = size;
	if (last)
		arg.bytes[size - 1] = last;
	return kohaku_device_command(device, command, &arg);
}

static void struct_lengths_are_checked(void **state)
{
	uint32_t nr;

	(void)state;
	for (nr = KOHAKU_NR_INFO; nr <= KOHAKU_NR_SLOT_QUERY; nr++) {
		uint32_t command = _IO(KOHAKU_TYPE, nr), size = known_size(command);
		int exact;

		assert_int_equal(call(command, 0, 0), -EINVAL);
		assert_int_equal(call(command, 4, 0), -EINVAL);
		assert_int_equal(call(command, size - 1, 0), -EINVAL);
		assert_int_equal(call(command, size + 8, 1), -E2BIG);
		assert_int_equal(call(command, size + 1, 0x80), -E2BIG);
		if (nr == KOHAKU_NR_RESET)
			continue;
		exact = call(command, size, 0);
		assert_int_not_equal(exact, -E2BIG);
		assert_int_equal(call(command, size + 8, 0), exact);
	}
	assert_int_equal(call(_IO(KOHAKU_TYPE, KOHAKU_NR_SLOT_QUERY + 100), 8, 0), -ENOTTY);
}

/* A program newer than the node goes on with the length that it knows. */
static void a_long_struct_keeps_its_size(void **state)
{
	struct {
		struct kohaku_info info;
		uint64_t more;
	} longer = { .info = { .size = sizeof(longer) } };

	(void)state;
	assert_int_equal(kohaku_device_command(device, KOHAKU_INFO, &longer), 0);
	assert_int_equal(longer.info.size, sizeof(longer));
	assert_int_equal(longer.info.out_meshes, info.out_meshes);
}

/* Each is explained, and none need be aligned. */
static void operations_lie_at_any_stride(void **state)
{
	uint8_t bytes[2 * (sizeof(struct kohaku_op) + 1)] = { KOHAKU_OP_MARKER };
	struct kohaku_submit submit = {
		.size = sizeof(submit), .ops = (uintptr_t)bytes, .count = 2,
		.stride = sizeof(struct kohaku_op) + 1,
	};
	char reason[KOHAKU_REASON_SIZE];

	(void)state;
	bytes[sizeof(struct kohaku_op) + 1] = KOHAKU_OP_MARKER;
	/* The mesh of the second one. */
	bytes[sizeof(struct kohaku_op) + 3] = 200;
	assert_int_equal(kohaku_device_command(device, KOHAKU_SUBMIT, &submit), -EINVAL);
	assert_int_equal(submit.out_index, 1);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_non_null(strstr(reason, "operation 1: there is no mesh 200"));
}

static void unknown_flags_are_refused(void **state)
{
	struct kohaku_info flagged = { .size = sizeof(flagged), .flags = 1 };
	struct kohaku_buf_io io = { .size = sizeof(io), .__reserved = 1 };
	struct kohaku_buffer *buffer = NULL;

	(void)state;
	assert_int_equal(kohaku_device_command(device, KOHAKU_INFO, &flagged), -EOPNOTSUPP);
	assert_int_equal(kohaku_device_command(device, KOHAKU_BUF_READ, &io), -EOPNOTSUPP);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 2, 32, &buffer),
			 -EOPNOTSUPP);
	assert_null(buffer);
}

static void closing_takes_everything_along(void **state)
{
	struct kohaku_device *other;
	struct kohaku_buffer *buffer;
	struct kohaku_job *job = job_new();
	uint64_t id;

	(void)state;
	assert_int_equal(kohaku_open(node_name(), &other), 0);
	assert_int_equal(kohaku_buffer_alloc(other, 0, KOHAKU_TIER_DRAM, 0, 1 << 20, &buffer), 0);
	kohaku_job_fill(job, buffer, 0, 1 << 20, 1, 1);
	assert_int_equal(kohaku_job_submit(job, other, 0, &id), 0);
	kohaku_close(other);
	kohaku_close(NULL);
	kohaku_job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(info_describes_the_node),
		cmocka_unit_test(probe_tells_sizes_and_flags),
		cmocka_unit_test(struct_lengths_are_checked),
		cmocka_unit_test(a_long_struct_keeps_its_size),
		cmocka_unit_test(operations_lie_at_any_stride),
		cmocka_unit_test(unknown_flags_are_refused),
		cmocka_unit_test(closing_takes_everything_along),
	};

	return cmocka_run_group_tests_name("lib/api_device", tests, open_device, close_device);
}
