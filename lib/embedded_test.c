// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What only a simulated node can be asked for: options, and misbehaviour.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kohaku.h"
#include "sim_options.h"

#define PAGE 4096

static struct kohaku_device *open_sim(const char *name)
{
	struct kohaku_device *device;

	assert_int_equal(kohaku_open(name, &device), 0);
	return device;
}

static struct kohaku_buffer *buffer_of(struct kohaku_device *device, uint64_t length)
{
	struct kohaku_buffer *buffer;

	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, length, &buffer), 0);
	return buffer;
}

/* Fills a page with 1s, perhaps verified; what became of it. */
static struct kohaku_completion fill(struct kohaku_device *device, int verify)
{
	struct kohaku_buffer *buffer = buffer_of(device, PAGE);
	struct kohaku_completion completion;
	struct kohaku_job *job;
	int err;

	assert_int_equal(kohaku_job_new(&job), 0);
	kohaku_job_verify(job, verify);
	kohaku_job_timeout(job, 20000000);
	assert_int_equal(kohaku_job_fill(job, buffer, 0, PAGE, 1, 1), 0);
	err = kohaku_job_run(job, device, &completion);
	assert_int_equal(err, completion.status);
	kohaku_job_free(job);
	return completion;
}

static void options_are_understood(void **state)
{
	struct sim_options options;
	char reason[KOHAKU_REASON_SIZE];

	(void)state;
	assert_int_equal(sim_options_parse("", &options, reason, sizeof(reason)), 0);
	assert_int_equal(options.config.meshes, 1);
	assert_int_equal(options.config.slot_depth, 1);
	assert_int_equal(options.config.quirks, 0);
	assert_int_equal(sim_options_parse("meshes=4,quirks=gather,complex=rv64,slot_depth=2,"
					   "hang,ecc,no_motion,error_at_beat=77",
					   &options, reason, sizeof(reason)), 0);
	assert_int_equal(options.config.meshes, 4);
	assert_int_equal(options.config.quirks, SIM_QUIRK_GATHER);
	assert_int_equal(options.config.complex, SIM_COMPLEX_RV64);
	assert_int_equal(options.config.slot_depth, 2);
	assert_true(options.knobs.hang && options.knobs.ecc && options.knobs.no_motion);
	assert_int_equal(options.knobs.error_at_beat, 77);
	assert_true(sim_config_valid(&options.config));
	assert_int_equal(sim_options_parse("error_at_beat=18446744073709551615", &options, reason,
					   sizeof(reason)), 0);
	assert_true(options.knobs.error_at_beat == U64_MAX);
}

static void wrong_options_are_named(void **state)
{
	static const char *const wrong[] = {
		"meshes=0", "meshes=5", "meshes=", "meshes", "meshes=1x", "mesh=1", "=1", "hang=1",
		"slot_depth=3", "complex=x86", "quirks=all", "error_at_beat=-1",
		"meshes=99999999999999999999", "error_at_beat=18446744073709551616", ",",
	};
	char reason[KOHAKU_REASON_SIZE], name[64];
	struct kohaku_device *device = NULL;
	struct sim_options options;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		memset(reason, 0, sizeof(reason));
		assert_int_equal(sim_options_parse(wrong[i], &options, reason, sizeof(reason)),
				 -EINVAL);
		assert_non_null(strstr(reason, "is not understood; use "));
		snprintf(name, sizeof(name), "sim:%s", wrong[i]);
		assert_int_equal(kohaku_open(name, &device), -EINVAL);
	}
	assert_null(device);
	kohaku_open_reason("sim:meshes=5", -EINVAL, reason, sizeof(reason));
	assert_string_equal(reason,
			    "sim:meshes=5: option 'meshes=5' is not understood; use meshes=1..4");
}

static void other_files_are_no_nodes(void **state)
{
	struct kohaku_device *device = NULL;
	char reason[KOHAKU_REASON_SIZE];

	(void)state;
	assert_int_equal(kohaku_open("/dev/null", &device), -ENODEV);
	assert_int_equal(kohaku_open("/etc/passwd", &device), -ENODEV);
	assert_int_equal(kohaku_open("/dev", &device), -ENODEV);
	assert_int_equal(kohaku_open("/dev/kohaku-that-is-not-there", &device), -ENOENT);
	assert_null(device);
	kohaku_open_reason("/dev/null", -ENODEV, reason, sizeof(reason));
	assert_non_null(strstr(reason, "/dev/null: not a Kohaku node"));
	kohaku_open_reason("/dev/kohaku9", -ENOENT, reason, sizeof(reason));
	assert_non_null(strstr(reason, "kohaku load"));
	kohaku_open_reason("/dev/kohaku9", -EACCES, reason, sizeof(reason));
	assert_non_null(strstr(reason, "permission denied"));
	kohaku_open_reason("/dev/kohaku9", -EMFILE, reason, sizeof(reason));
	assert_string_equal(reason, "/dev/kohaku9: Too many open files");
	kohaku_open_reason("sim:", -ENOMEM, reason, sizeof(reason));
	assert_string_equal(reason, "sim:: Cannot allocate memory");
}

static void the_environment_names_the_default(void **state)
{
	struct kohaku_device *device;
	const char *before = getenv("KOHAKU_NODE");

	(void)state;
	setenv("KOHAKU_NODE", "sim:meshes=3", 1);
	assert_int_equal(kohaku_open(NULL, &device), 0);
	assert_string_equal(kohaku_device_name(device), "sim:meshes=3");
	kohaku_close(device);
	if (before)
		setenv("KOHAKU_NODE", before, 1);
	else
		unsetenv("KOHAKU_NODE");
}

static void a_hung_move_times_out_and_the_next_runs(void **state)
{
	struct kohaku_device *device = open_sim("sim:hang");
	struct kohaku_completion completion = fill(device, 0);
	struct kohaku_fault_read fault;

	(void)state;
	assert_int_equal(completion.status, -ETIMEDOUT);
	assert_int_equal(completion.fault, KOHAKU_FAULT_TIMEOUT);
	assert_true(completion.duration_ns >= 20000000);
	assert_int_equal(kohaku_fault_read(device, 0, &fault), 0);
	assert_int_equal(fault.out_code, KOHAKU_FAULT_TIMEOUT);
	assert_int_equal(fault.out_element, KOHAKU_ELEMENT_UNKNOWN);
	/* It was reset: the next one starts, and hangs as well. */
	assert_int_equal(fill(device, 0).status, -ETIMEDOUT);
	assert_int_equal(kohaku_fault_read(device, 0, &fault), 0);
	assert_int_equal(fault.out_count, 2);
	kohaku_close(device);
}

static void only_verify_notices_that_nothing_moved(void **state)
{
	struct kohaku_device *device = open_sim("sim:no_motion");
	struct kohaku_completion completion = fill(device, 0);

	(void)state;
	assert_int_equal(completion.status, 0);
	completion = fill(device, 1);
	assert_int_equal(completion.status, -EIO);
	assert_int_equal(completion.fault, KOHAKU_FAULT_NO_MOTION);
	kohaku_close(device);
}

/* What was not written keeps its bytes, the marked word included. */
static void verify_leaves_no_mark(void **state)
{
	struct kohaku_device *device = open_sim("sim:no_motion");
	struct kohaku_buffer *buffer = buffer_of(device, PAGE);
	uint8_t bytes[PAGE], read[PAGE];
	struct kohaku_job *job;

	(void)state;
	memset(bytes, 0x3c, PAGE);
	kohaku_buffer_write(buffer, 0, bytes, PAGE);
	assert_int_equal(kohaku_job_new(&job), 0);
	kohaku_job_verify(job, 1);
	kohaku_job_fill(job, buffer, 0, PAGE, 1, 1);
	assert_int_equal(kohaku_job_run(job, device, NULL), -EIO);
	kohaku_buffer_read(buffer, 0, read, PAGE);
	assert_memory_equal(read, bytes, PAGE);
	kohaku_job_free(job);
	kohaku_close(device);
}

static void a_bus_error_is_a_fault(void **state)
{
	struct kohaku_device *device = open_sim("sim:error_at_beat=5");
	struct kohaku_completion completion = fill(device, 0);
	char reason[KOHAKU_REASON_SIZE];

	(void)state;
	assert_int_equal(completion.status, -EIO);
	assert_int_equal(completion.fault, KOHAKU_FAULT_AXI);
	assert_string_equal(kohaku_fault_text(completion.fault), "memory answered an error");
	assert_string_equal(kohaku_fault_text(12345), "unknown fault");
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_string_equal(reason, "");
	kohaku_close(device);
}

static void fresh_buffers_are_written_where_memory_has_ecc(void **state)
{
	struct kohaku_device *device = open_sim("sim:ecc");
	struct kohaku_buffer *src = buffer_of(device, 300000), *dst = buffer_of(device, 300000);
	struct kohaku_job *job;
	uint8_t word[32];

	(void)state;
	assert_int_equal(kohaku_buffer_read(src, 262144, word, 32), 0);
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_copy(job, dst, 0, src, 0, 299968), 0);
	assert_int_equal(kohaku_job_run(job, device, NULL), 0);
	kohaku_job_free(job);
	kohaku_close(device);
}

#define THREADS 4
#define ROUNDS 100

struct worker {
	struct kohaku_device *device;
	pthread_t thread;
	int number;
	int wrong;
};

/* Fills and copies in buffers of its own; counts what is not as it should be. */
static void *work(void *arg)
{
	struct worker *worker = arg;
	struct kohaku_buffer *a = NULL, *b = NULL;
	struct kohaku_completion completion;
	struct kohaku_job *job = NULL;
	uint8_t bytes[PAGE], expected[PAGE];
	uint64_t id;
	int round;

	worker->wrong += kohaku_job_new(&job) != 0;
	for (round = 0; round < ROUNDS; round++) {
		int value = worker->number * ROUNDS / 2 + round;

		memset(expected, value, PAGE);
		worker->wrong += kohaku_buffer_alloc(worker->device, 0, 1, 0, PAGE, &a) != 0;
		worker->wrong += kohaku_buffer_alloc(worker->device, 0, 2, 1, PAGE, &b) != 0;
		kohaku_job_reset(job);
		kohaku_job_fill(job, a, 0, PAGE, 1, value & 0xff);
		kohaku_job_copy(job, b, 0, a, 0, PAGE);
		worker->wrong += kohaku_job_submit(job, worker->device, round, &id) != 0;
		worker->wrong += kohaku_wait(worker->device, id, KOHAKU_FOREVER, &completion) != 0;
		worker->wrong += completion.status || completion.cookie != (uint64_t)round;
		worker->wrong += kohaku_buffer_read(b, 0, bytes, PAGE) != 0;
		worker->wrong += memcmp(bytes, expected, PAGE) != 0;
		worker->wrong += kohaku_buffer_free(a) || kohaku_buffer_free(b);
		/* A reason may be asked for while others fail. */
		worker->wrong += kohaku_wait(worker->device, id, 0, &completion) != -ENOENT;
		kohaku_device_reason(worker->device, (char *)bytes, KOHAKU_REASON_SIZE);
	}
	kohaku_job_free(job);
	return NULL;
}

static void threads_share_a_device(void **state)
{
	struct kohaku_device *device = open_sim("sim:");
	struct worker workers[THREADS] = { 0 };
	int i;

	(void)state;
	for (i = 0; i < THREADS; i++) {
		workers[i].device = device;
		workers[i].number = i;
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
		assert_int_equal(workers[i].wrong, 0);
	}
	kohaku_close(device);
}

/* The node's own handle of an eventfd goes with it; the user's stays. */
static void eventfds_outlive_the_node(void **state)
{
	struct kohaku_device *device = open_sim("sim:");
	int fd = eventfd(3, EFD_NONBLOCK | EFD_CLOEXEC);
	eventfd_t count;

	(void)state;
	assert_int_equal(kohaku_device_eventfd(device, -2), -EINVAL);
	assert_int_equal(kohaku_device_eventfd(device, fd), 0);
	kohaku_close(device);
	assert_int_equal(eventfd_read(fd, &count), 0);
	assert_int_equal(count, 3);
	close(fd);
}

static void a_trace_that_nobody_started_is_none(void **state)
{
	struct kohaku_device *device = open_sim("sim:");
	struct kohaku_fabric_trace trace = {
		.size = sizeof(trace), .stride = sizeof(struct kohaku_fabric_event),
	};

	(void)state;
	assert_int_equal(kohaku_device_command(device, KOHAKU_FABRIC_TRACE, &trace), -ENOENT);
	trace.flags = KOHAKU_FABRIC_TRACE_START;
	assert_int_equal(kohaku_device_command(device, KOHAKU_FABRIC_TRACE, &trace), 0);
	kohaku_close(device);
}

static void reasons_name_the_command(void **state)
{
	struct kohaku_device *device = open_sim("sim:");
	struct kohaku_buffer *buffer = buffer_of(device, 64);
	char reason[KOHAKU_REASON_SIZE];
	uint8_t bytes[64];

	(void)state;
	kohaku_buffer_read(buffer, 8, bytes, 32);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_string_equal(reason, "BUF_READ: offset 8 or length 32 is no multiple of 32; "
			    "use whole words");
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, 3 << 20, &buffer),
			 -ENOSPC);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_string_equal(reason, "BUF_ALLOC: no room for 3145728 bytes in the staging of mesh "
			    "0; free buffers or allow a fallback to DRAM");
	kohaku_close(device);
}

static void writes_reach_another_mesh_and_reads_do_not(void **state)
{
	struct kohaku_device *device = open_sim("sim:meshes=2");
	struct kohaku_buffer *here = buffer_of(device, PAGE), *there;
	struct kohaku_walker walker = { .ndim = 1, .dims = { { 32, 1, 0, 0 } } };
	struct kohaku_move move = { .mode = KOHAKU_MOVE_COPY, .src = walker, .dst = walker };
	uint8_t bytes[PAGE], read[PAGE];
	char reason[KOHAKU_REASON_SIZE];
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_buffer_alloc(device, 1, KOHAKU_TIER_DRAM, 0, PAGE, &there), 0);
	memset(bytes, 0x42, PAGE);
	kohaku_buffer_write(here, 0, bytes, PAGE);
	assert_int_equal(kohaku_job_new(&job), 0);
	kohaku_job_verify(job, 1);
	kohaku_job_copy(job, there, 0, here, 0, PAGE);
	assert_int_equal(kohaku_job_run(job, device, NULL), 0);
	kohaku_buffer_read(there, 0, read, PAGE);
	assert_memory_equal(read, bytes, PAGE);
	kohaku_job_reset(job);
	move.src.buffer = kohaku_buffer_id(there);
	move.dst.buffer = kohaku_buffer_id(here);
	kohaku_job_move(job, 0, &move);
	assert_int_equal(kohaku_job_run(job, device, NULL), -EINVAL);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_string_equal(reason, "SUBMIT: operation 0, source walker: the buffer is on a mesh "
			    "out of reach; nothing ran, correct the descriptor");
	kohaku_job_free(job);
	kohaku_close(device);
}

static void transforms_need_a_processor_that_reaches_the_slot(void **state)
{
	struct kohaku_device *device = open_sim("sim:complex=rv64");
	struct kohaku_buffer *buffer = buffer_of(device, PAGE);
	struct kohaku_slot_query query;
	struct kohaku_info info;
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_device_info(device, &info), 0);
	assert_int_equal(info.out_complex, KOHAKU_COMPLEX_RV64);
	assert_int_equal(info.out_slot_depth, 0);
	assert_int_equal(info.out_caps & KOHAKU_CAP_SLOT, 0);
	assert_int_equal(kohaku_device_occupant(device, 0, 0, &query), -EOPNOTSUPP);
	assert_int_equal(kohaku_job_new(&job), 0);
	kohaku_job_xform(job, buffer, 0, buffer, 2048, 2, 0, 4, 1);
	assert_int_equal(kohaku_job_run(job, device, NULL), -EOPNOTSUPP);
	kohaku_job_free(job);
	kohaku_close(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_are_understood),
		cmocka_unit_test(wrong_options_are_named),
		cmocka_unit_test(other_files_are_no_nodes),
		cmocka_unit_test(the_environment_names_the_default),
		cmocka_unit_test(a_hung_move_times_out_and_the_next_runs),
		cmocka_unit_test(only_verify_notices_that_nothing_moved),
		cmocka_unit_test(verify_leaves_no_mark),
		cmocka_unit_test(a_bus_error_is_a_fault),
		cmocka_unit_test(fresh_buffers_are_written_where_memory_has_ecc),
		cmocka_unit_test(threads_share_a_device),
		cmocka_unit_test(eventfds_outlive_the_node),
		cmocka_unit_test(a_trace_that_nobody_started_is_none),
		cmocka_unit_test(reasons_name_the_command),
		cmocka_unit_test(writes_reach_another_mesh_and_reads_do_not),
		cmocka_unit_test(transforms_need_a_processor_that_reaches_the_slot),
	};

	return cmocka_run_group_tests_name("lib/embedded", tests, NULL, NULL);
}
