// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library asks a node for, and in which order: a backend that keeps a
 * diary and answers as it is told.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "kohaku_transfer.h"

static char diary[64];
static uint8_t memory[8192];
/* What the next command, and every mapping, shall answer. */
static int next_error, map_error;

static void note(char letter)
{
	size_t length = strlen(diary);

	assert_in_range(length, 0, sizeof(diary) - 2);
	diary[length] = letter;
}

static void assert_diary(const char *expected)
{
	assert_string_equal(diary, expected);
	memset(diary, 0, sizeof(diary));
}

static int fake_command(struct kohaku_device *device, uint32_t command, void *arg)
{
	struct kohaku_buf_alloc *alloc = arg;
	struct kohaku_submit *submit = arg;
	struct kohaku_wait *wait = arg;
	int error = next_error;

	(void)device;
	note("ip+-rwsWefRqQMUlxyTt"[command - KOHAKU_INFO]);
	if (command == KOHAKU_BUF_ALLOC) {
		alloc->out_length = sizeof(memory);
		alloc->out_map_offset = 4096;
		alloc->out_buffer = 1;
		alloc->out_tier = alloc->tier;
	}
	if (command == KOHAKU_SUBMIT)
		submit->out_job = 77;
	if (command == KOHAKU_WAIT) {
		assert_int_equal(wait->job, 77);
		wait->completion.ops_done = 5;
	}
	next_error = 0;
	return error;
}

static int fake_map(struct kohaku_device *device, uint64_t offset, uint64_t length, void **out)
{
	(void)device;
	assert_int_equal(offset, 4096);
	assert_int_equal(length, sizeof(memory));
	note('m');
	if (!map_error)
		*out = memory;
	return map_error;
}

static void fake_unmap(struct kohaku_device *device, void *address, uint64_t length)
{
	(void)device;
	assert_ptr_equal(address, memory);
	assert_int_equal(length, sizeof(memory));
	note('u');
}

static void fake_close(struct kohaku_device *device)
{
	(void)device;
	note('c');
}

static const struct backend fake = {
	.command = fake_command, .map = fake_map, .unmap = fake_unmap, .close = fake_close,
};

static struct kohaku_device *device;
static struct kohaku_buffer *buffer;

static int set_up(void **state)
{
	(void)state;
	memset(diary, 0, sizeof(diary));
	device = calloc(1, sizeof(*device));
	device->backend = &fake;
	pthread_mutex_init(&device->lock, NULL);
	if (kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, 1, &buffer))
		return -1;
	assert_diary("+");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	kohaku_close(device);
	return 0;
}

/* A09: the sum of offset and length wraps, or would; nobody is asked. */
static void copies_that_wrap_ask_nobody(void **state)
{
	char reason[KOHAKU_REASON_SIZE];

	(void)state;
	assert_int_equal(kohaku_buffer_read(buffer, UINT64_MAX - 31, memory, 64), -EINVAL);
	assert_int_equal(kohaku_buffer_read(buffer, 64, memory, UINT64_MAX - 31), -EINVAL);
	assert_int_equal(kohaku_buffer_write(buffer, 8192, memory, 32), -EINVAL);
	assert_int_equal(kohaku_buffer_write(buffer, 8160, memory, 64), -EINVAL);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_non_null(strstr(reason, "BUF_WRITE: bytes 8160..+64 leave buffer 1"));
	assert_int_equal(kohaku_buffer_write(buffer, 0, (void *)(UINTPTR_MAX - 63), 128), -EFAULT);
	assert_diary("");
	assert_int_equal(kohaku_buffer_write(buffer, 8160, memory, 32), 0);
	assert_int_equal(kohaku_buffer_read(buffer, 8192, memory, 0), 0);
	assert_diary("wr");
}

/* D12: the node first, then the mapping, then the handle. */
static void freeing_tells_the_node_first(void **state)
{
	void *address;

	(void)state;
	assert_int_equal(kohaku_buffer_map(buffer, &address), 0);
	assert_int_equal(kohaku_buffer_map(buffer, &address), 0);
	assert_diary("m");
	assert_int_equal(kohaku_buffer_free(buffer), 0);
	assert_diary("-u");
	assert_null(device->buffers);
}

/* D07, D12: a buffer in use stays whole, its mapping too. */
static void what_is_in_use_stays_mapped(void **state)
{
	void *address, *again;

	(void)state;
	assert_int_equal(kohaku_buffer_map(buffer, &address), 0);
	next_error = -EBUSY;
	assert_int_equal(kohaku_buffer_free(buffer), -EBUSY);
	assert_diary("m-");
	assert_int_equal(kohaku_buffer_map(buffer, &again), 0);
	assert_ptr_equal(again, address);
	assert_diary("");
	/* A node that is gone has nothing left to take back. */
	next_error = -ENODEV;
	assert_int_equal(kohaku_buffer_free(buffer), 0);
	assert_diary("-u");
}

static void failed_mappings_leave_none(void **state)
{
	void *address = NULL;

	(void)state;
	map_error = -ENOMEM;
	assert_int_equal(kohaku_buffer_map(buffer, &address), -ENOMEM);
	map_error = 0;
	assert_null(address);
	assert_int_equal(kohaku_buffer_map(buffer, &address), 0);
	kohaku_buffer_unmap(buffer);
	kohaku_buffer_unmap(buffer);
	assert_diary("mmu");
}

/* C01: after a signal the job goes on, and is waited for by its id. */
static void interrupted_jobs_are_waited_for(void **state)
{
	struct kohaku_completion completion;
	struct kohaku_transfer_insn insn = { 0 };
	struct kohaku_transfer_result results[1];
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_job_new(&job), 0);
	kohaku_job_marker(job, 0);
	next_error = -EINTR;
	assert_int_equal(kohaku_job_run(job, device, &completion), 0);
	assert_int_equal(completion.ops_done, 5);
	assert_diary("sW");
	kohaku_job_free(job);
	next_error = -EINTR;
	assert_int_equal(kohaku_fabric_run(device, &insn, 1, results, NULL), 0);
	assert_diary("sWT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(copies_that_wrap_ask_nobody, set_up, tear_down),
		cmocka_unit_test_setup_teardown(freeing_tells_the_node_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_in_use_stays_mapped, set_up, tear_down),
		cmocka_unit_test_setup_teardown(failed_mappings_leave_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(interrupted_jobs_are_waited_for, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("lib/backend", tests, NULL, NULL);
}
