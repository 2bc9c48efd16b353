// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises, on any node: $KOHAKU_NODE names it, by default a
 * simulated one in this process.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "kohaku.h"
#include "kohaku_relayout.h"

#define WORD KOHAKU_WORD_SIZE
#define PAGE 4096

static struct kohaku_device *device;
static struct kohaku_info info;

static const char *node_name(void)
{
	const char *name = getenv("KOHAKU_NODE");

	return name ? name : "sim:meshes=2";
}

static int open_device(void **state)
{
	int err = kohaku_open(node_name(), &device);
	char text[KOHAKU_REASON_SIZE];

	(void)state;
	if (err) {
		kohaku_open_reason(node_name(), err, text, sizeof(text));
		print_error("%s\n", text);
		return -1;
	}
	return kohaku_device_info(device, &info);
}

static int close_device(void **state)
{
	(void)state;
	kohaku_close(device);
	return 0;
}

static struct kohaku_buffer *buffer_of(uint64_t length)
{
	struct kohaku_buffer *buffer;

	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, length, &buffer), 0);
	return buffer;
}

static struct kohaku_job *job_new(void)
{
	struct kohaku_job *job;

	assert_int_equal(kohaku_job_new(&job), 0);
	return job;
}

static void run(struct kohaku_job *job, int expected)
{
	struct kohaku_completion completion;

	assert_int_equal(kohaku_job_run(job, device, &completion), expected);
	if (!expected) {
		assert_int_equal(completion.status, 0);
		assert_int_equal(completion.ops_done, kohaku_job_length(job));
	}
	kohaku_job_reset(job);
}

/* Bytes that differ from word to word, and from key to key. */
static uint8_t *pattern(size_t size, uint32_t key)
{
	uint8_t *bytes = malloc(size);
	size_t i;

	assert_non_null(bytes);
	for (i = 0; i < size; i++) {
		key = key * 1664525 + 1013904223;
		bytes[i] = key >> 24;
	}
	return bytes;
}

static void assert_holds(struct kohaku_buffer *buffer, uint64_t offset, const void *bytes,
			 size_t size)
{
	uint8_t *read = malloc(size);

	assert_non_null(read);
	memset(read, 0xcc, size);
	assert_int_equal(kohaku_buffer_read(buffer, offset, read, size), 0);
	assert_memory_equal(read, bytes, size);
	free(read);
}

static void assert_zero(struct kohaku_buffer *buffer, uint64_t offset, size_t size)
{
	uint8_t *zeros = calloc(1, size);

	assert_non_null(zeros);
	assert_holds(buffer, offset, zeros, size);
	free(zeros);
}

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

static void buffers_are_zero_and_rounded_up(void **state)
{
	struct kohaku_buffer *dram = buffer_of(1), *staging;

	(void)state;
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, 33, &staging), 0);
	assert_int_equal(kohaku_buffer_length(dram), info.out_alignment);
	assert_int_equal(kohaku_buffer_length(staging), info.out_staging_alignment);
	assert_int_equal(kohaku_buffer_tier(dram), KOHAKU_TIER_DRAM);
	assert_int_equal(kohaku_buffer_tier(staging), KOHAKU_TIER_STAGING);
	assert_int_equal(kohaku_buffer_mesh(dram), 0);
	assert_int_not_equal(kohaku_buffer_id(dram), 0);
	assert_int_not_equal(kohaku_buffer_id(dram), kohaku_buffer_id(staging));
	assert_zero(dram, 0, info.out_alignment);
	assert_zero(staging, 0, info.out_staging_alignment);
	assert_int_equal(kohaku_buffer_free(dram), 0);
	assert_int_equal(kohaku_buffer_free(staging), 0);
	assert_int_equal(kohaku_buffer_free(NULL), 0);
}

static void impossible_buffers_are_refused(void **state)
{
	struct kohaku_buffer *buffer = NULL;

	(void)state;
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, 0, &buffer), -EINVAL);
	assert_true(kohaku_buffer_alloc(device, 0, 0, 0, 32, &buffer) < 0);
	assert_true(kohaku_buffer_alloc(device, 0, 3, 0, 32, &buffer) < 0);
	assert_true(kohaku_buffer_alloc(device, info.out_meshes, 1, 0, 32, &buffer) < 0);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0,
					     info.out_dram_size + 1, &buffer), -ENOSPC);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, UINT64_MAX, &buffer),
			 -ENOSPC);
	assert_null(buffer);
}

static void full_staging_falls_back_when_allowed(void **state)
{
	struct kohaku_buffer *first, *second = NULL;
	uint64_t most = info.out_staging_size;

	(void)state;
	/* The driver may keep some for itself. */
	while (kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, most, &first))
		most -= info.out_staging_alignment;
	assert_true(most >= info.out_staging_size / 2);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, most, &second),
			 -ENOSPC);
	assert_null(second);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, KOHAKU_BUF_FALLBACK,
					     most, &second), 0);
	assert_int_equal(kohaku_buffer_tier(first), KOHAKU_TIER_STAGING);
	assert_int_equal(kohaku_buffer_tier(second), KOHAKU_TIER_DRAM);
	kohaku_buffer_free(second);
	kohaku_buffer_free(first);
}

static void writes_read_back_and_stay_inside(void **state)
{
	struct kohaku_buffer *buffer = buffer_of(2 * PAGE);
	uint8_t *bytes = pattern(PAGE, 1);
	uint64_t length = kohaku_buffer_length(buffer);

	(void)state;
	assert_int_equal(kohaku_buffer_write(buffer, 32, bytes, PAGE), 0);
	assert_zero(buffer, 0, 32);
	assert_holds(buffer, 32, bytes, PAGE);
	assert_zero(buffer, 32 + PAGE, PAGE - 32);
	assert_int_equal(kohaku_buffer_write(buffer, 0, bytes, 0), 0);
	assert_int_equal(kohaku_buffer_write(buffer, length, bytes, 0), 0);
	assert_int_equal(kohaku_buffer_write(buffer, 1, bytes, 32), -EINVAL);
	assert_int_equal(kohaku_buffer_write(buffer, 0, bytes, 31), -EINVAL);
	assert_int_equal(kohaku_buffer_write(buffer, length, bytes, 32), -EINVAL);
	assert_int_equal(kohaku_buffer_read(buffer, length - 32, bytes, 64), -EINVAL);
	assert_int_equal(kohaku_buffer_read(buffer, UINT64_MAX - 31, bytes, 64), -EINVAL);
	assert_int_equal(kohaku_buffer_read(buffer, 32, bytes, UINT64_MAX - 31), -EINVAL);
	free(bytes);
	kohaku_buffer_free(buffer);
}

static void freed_memory_comes_back_as_zero(void **state)
{
	uint8_t *bytes = pattern(5 * PAGE, 2);
	int i;

	(void)state;
	for (i = 0; i < 4; i++) {
		struct kohaku_buffer *buffer = buffer_of((i + 1) * PAGE);

		assert_zero(buffer, 0, (i + 1) * PAGE);
		assert_int_equal(kohaku_buffer_write(buffer, 0, bytes, (i + 1) * PAGE), 0);
		kohaku_buffer_free(buffer);
	}
	free(bytes);
}

static void ids_belong_to_one_open_file(void **state)
{
	struct kohaku_buffer *buffer = buffer_of(32);
	struct kohaku_buf_free arg = { .size = sizeof(arg), .buffer = kohaku_buffer_id(buffer) };
	struct kohaku_device *other;

	(void)state;
	assert_int_equal(kohaku_open(node_name(), &other), 0);
	assert_int_equal(kohaku_device_command(other, KOHAKU_BUF_FREE, &arg), -ENOENT);
	kohaku_close(other);
	assert_int_equal(kohaku_device_command(device, KOHAKU_BUF_FREE, &arg), 0);
	assert_int_equal(kohaku_device_command(device, KOHAKU_BUF_FREE, &arg), -ENOENT);
	assert_int_equal(kohaku_buffer_free(buffer), -ENOENT);
}

static void a_mapping_shows_the_buffer(void **state)
{
	struct kohaku_buffer *buffer = buffer_of(2 * PAGE);
	uint8_t *bytes = pattern(PAGE, 3), *map;
	void *again;

	(void)state;
	if (!(info.out_caps & KOHAKU_CAP_MMAP)) {
		assert_int_equal(kohaku_buffer_map(buffer, &again), -EOPNOTSUPP);
		kohaku_buffer_free(buffer);
		free(bytes);
		skip();
	}
	assert_int_equal(kohaku_buffer_map(buffer, (void **)&map), 0);
	assert_int_equal(kohaku_buffer_map(buffer, &again), 0);
	assert_ptr_equal(map, again);
	assert_int_equal(map[0], 0);
	memcpy(map + PAGE, bytes, PAGE);
	assert_holds(buffer, PAGE, bytes, PAGE);
	assert_int_equal(kohaku_buffer_write(buffer, 0, bytes, PAGE), 0);
	assert_memory_equal(map, bytes, PAGE);
	kohaku_buffer_unmap(buffer);
	kohaku_buffer_unmap(buffer);
	assert_holds(buffer, PAGE, bytes, PAGE);
	kohaku_buffer_free(buffer);
	free(bytes);
}

static void copies_move_exactly_their_bytes(void **state)
{
	struct kohaku_buffer *src = buffer_of(PAGE), *dst = buffer_of(PAGE);
	uint8_t *bytes = pattern(PAGE, 4);
	struct kohaku_job *job = job_new();

	(void)state;
	kohaku_buffer_write(src, 0, bytes, PAGE);
	assert_int_equal(kohaku_job_copy(job, dst, 64, src, 96, 1024), 0);
	assert_int_equal(kohaku_job_length(job), 1);
	run(job, 0);
	assert_zero(dst, 0, 64);
	assert_holds(dst, 64, bytes + 96, 1024);
	assert_zero(dst, 64 + 1024, PAGE - 64 - 1024);
	assert_holds(src, 0, bytes, PAGE);
	assert_int_equal(kohaku_job_copy(job, dst, 0, src, 0, 0), 0);
	assert_int_equal(kohaku_job_length(job), 0);
	assert_int_equal(kohaku_job_copy(job, dst, 0, src, 0, 31), -EINVAL);
	assert_int_equal(kohaku_job_copy(job, dst, 16, src, 0, 32), -EINVAL);
	assert_int_equal(kohaku_job_copy(job, dst, 0, src, PAGE, 32), -EINVAL);
	assert_int_equal(kohaku_job_copy(job, dst, PAGE - 32, src, 0, 64), -EINVAL);
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
	free(bytes);
}

static void long_copies_are_whole(void **state)
{
	size_t size = 3 * 32768 * WORD + 7 * WORD;
	struct kohaku_buffer *src = buffer_of(size), *dst = buffer_of(size);
	uint8_t *bytes = pattern(size, 5);
	struct kohaku_job *job = job_new();

	(void)state;
	assert_int_equal(kohaku_buffer_write(src, 0, bytes, size), 0);
	kohaku_job_verify(job, 1);
	assert_int_equal(kohaku_job_copy(job, dst, 0, src, 0, size), 0);
	run(job, 0);
	assert_holds(dst, 0, bytes, size);
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
	free(bytes);
}

static void fills_repeat_their_pattern(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_job *job = job_new();
	uint8_t expected[WORD];
	int i;

	(void)state;
	assert_int_equal(kohaku_job_fill(job, dst, 0, 32, 1, 0xab), 0);
	assert_int_equal(kohaku_job_fill(job, dst, 32, 32, 2, 0x1234), 0);
	assert_int_equal(kohaku_job_fill(job, dst, 64, 32, 4, 0x89abcdef), 0);
	run(job, 0);
	memset(expected, 0xab, WORD);
	assert_holds(dst, 0, expected, WORD);
	for (i = 0; i < WORD; i++)
		expected[i] = i % 2 ? 0x12 : 0x34;
	assert_holds(dst, 32, expected, WORD);
	for (i = 0; i < WORD; i++)
		expected[i] = 0x89abcdef >> i % 4 * 8;
	assert_holds(dst, 64, expected, WORD);
	assert_zero(dst, 96, PAGE - 96);
	assert_int_equal(kohaku_job_fill(job, dst, 0, 32, 3, 0), -EINVAL);
	assert_int_equal(kohaku_job_fill(job, dst, 0, PAGE + 32, 1, 0), -EINVAL);
	kohaku_job_free(job);
	kohaku_buffer_free(dst);
}

/* 4 x 4 words out of a field of 3 x 3: the border is padding. */
static void windows_pad_and_lie_outside(void **state)
{
	struct kohaku_buffer *src = buffer_of(PAGE), *dst = buffer_of(PAGE);
	uint8_t *bytes = pattern(9 * WORD, 6), expected[16 * WORD];
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_COPY, .width = 2, .imm = 0x01020304,
		.src = { .buffer = kohaku_buffer_id(src), .ndim = 2, .offset = 0,
			 .dims = { { 3 * WORD, 4, 1, 1 }, { WORD, 4, 1, 2 } },
			 .windows = { { 0, 3 }, { 0, 3 } } },
		.dst = { .buffer = kohaku_buffer_id(dst), .ndim = 1,
			 .dims = { { WORD, 16, 0, 0 } } },
	};
	struct kohaku_job *job = job_new();
	int i, k;

	(void)state;
	kohaku_buffer_write(src, 0, bytes, 9 * WORD);
	for (i = 0; i < 16; i++) {
		if (i / 4 < 3 && i % 4 < 3) {
			memcpy(expected + i * WORD, bytes + (i / 4 * 3 + i % 4) * WORD, WORD);
			continue;
		}
		for (k = 0; k < WORD; k++)
			expected[i * WORD + k] = 4 - k % 4;
	}
	assert_int_equal(kohaku_job_move(job, 0, &move), 0);
	run(job, 0);
	assert_holds(dst, 0, expected, sizeof(expected));
	assert_zero(dst, sizeof(expected), PAGE - sizeof(expected));
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
	free(bytes);
}

/* The generator's words are known by seed and address; the address is not known here. */
static void random_words_come_from_seed_and_address(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_job *job = job_new();
	uint8_t first[PAGE], again[PAGE];

	(void)state;
	assert_int_equal(kohaku_job_generate(job, dst, 32, PAGE - 64, 7), 0);
	run(job, 0);
	assert_int_equal(kohaku_buffer_read(dst, 0, first, PAGE), 0);
	assert_zero(dst, 0, 32);
	assert_zero(dst, PAGE - 32, 32);
	assert_memory_not_equal(first + 32, first + 64, 32);
	kohaku_job_reset(job);
	assert_int_equal(kohaku_job_generate(job, dst, 64, 64, 7), 0);
	run(job, 0);
	assert_holds(dst, 0, first, PAGE);
	kohaku_job_reset(job);
	assert_int_equal(kohaku_job_generate(job, dst, 64, 64, 7ULL << 32), 0);
	run(job, 0);
	assert_int_equal(kohaku_buffer_read(dst, 0, again, PAGE), 0);
	assert_memory_not_equal(first + 64, again + 64, 32);
	assert_int_equal(kohaku_job_generate(job, dst, 16, 32, 7), -EINVAL);
	assert_int_equal(kohaku_job_generate(job, dst, 32, PAGE, 7), -EINVAL);
	kohaku_job_free(job);
	kohaku_buffer_free(dst);
}

static void gathers_fetch_rows(void **state)
{
	static const uint32_t rows[] = { 5, 0, 5, 7 };
	struct kohaku_buffer *src = buffer_of(PAGE), *dst = buffer_of(PAGE);
	uint8_t *bytes = pattern(8 * 96, 7);
	struct kohaku_job *job = job_new();
	int i;

	(void)state;
	kohaku_buffer_write(src, 0, bytes, 8 * 96);
	assert_int_equal(kohaku_job_gather(job, dst, 32, src, 0, 96, 64, rows, 4), 0);
	run(job, 0);
	for (i = 0; i < 4; i++)
		assert_holds(dst, 32 + i * 64, bytes + rows[i] * 96, 64);
	assert_zero(dst, 32 + 4 * 64, PAGE - 32 - 4 * 64);
	assert_int_equal(kohaku_job_gather(job, dst, 0, src, 0, 96, 64, rows, 0), -EINVAL);
	assert_int_equal(kohaku_job_gather(job, dst, 0, src, 0, 95, 64, rows, 4), -EINVAL);
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
	free(bytes);
}

/* GT4 turns four words, of four pieces of 8 bytes each, like a matrix. */
static void transforms_go_through_an_occupant(void **state)
{
	struct kohaku_buffer *src, *dst;
	uint8_t *bytes = pattern(2 * 128, 9), expected[2 * 128];
	struct kohaku_slot_query query;
	char reason[KOHAKU_REASON_SIZE];
	struct kohaku_job *job;
	int entry, i, k;

	(void)state;
	if (!(info.out_caps & KOHAKU_CAP_SLOT)) {
		free(bytes);
		skip();
	}
	assert_int_equal(kohaku_device_occupant(device, 0, 2, &query), 0);
	assert_string_equal((const char *)query.out_name, "gt4");
	assert_int_equal(query.out_in_words, 4);
	assert_int_equal(query.out_out_words, 4);
	assert_int_equal(kohaku_device_occupant(device, 0, 15, &query), -ENOENT);
	assert_int_equal(kohaku_device_occupant(device, info.out_meshes, 2, &query), -EINVAL);
	assert_int_equal(kohaku_device_occupant_named(device, 0, "quantise", &query), 0);
	assert_int_equal(query.occupant, 1);
	assert_int_equal(query.out_in_words, 8);
	assert_int_equal(kohaku_device_occupant_named(device, 0, "gt", &query), -ENOENT);
	assert_int_equal(kohaku_device_occupant_named(device, info.out_meshes, "gt4", &query),
			 -EINVAL);
	assert_int_equal(query.occupant, 1);
	src = buffer_of(PAGE);
	dst = buffer_of(PAGE);
	job = job_new();
	kohaku_buffer_write(src, 32, bytes, 2 * 128);
	for (entry = 0; entry < 2; entry++)
		for (i = 0; i < 4; i++)
			for (k = 0; k < 4; k++)
				memcpy(expected + entry * 128 + i * 32 + k * 8,
				       bytes + entry * 128 + k * 32 + i * 8, 8);
	kohaku_job_verify(job, 1);
	assert_int_equal(kohaku_job_xform(job, dst, 128, src, 32, 2, 0, 4, 2), 0);
	run(job, 0);
	assert_zero(dst, 0, 128);
	assert_holds(dst, 128, expected, 256);
	assert_zero(dst, 128 + 256, PAGE - 128 - 256);
	assert_int_equal(kohaku_job_xform(job, dst, 32, src, 32, 2, 0, 4, 2), -EINVAL);
	assert_int_equal(kohaku_job_xform(job, dst, 0, src, 0, 2, 0, 4, 33), -EINVAL);
	kohaku_job_xform(job, dst, 0, src, 0, 15, 0, 4, 1);
	run(job, -EOPNOTSUPP);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_non_null(strstr(reason, "the transform slot has no such occupant"));
	kohaku_job_xform(job, dst, 0, src, 0, 2, 0, 3, 1);
	run(job, -EINVAL);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_non_null(strstr(reason, "no whole number of transform entries"));
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
	free(bytes);
}

static void tables_belong_to_the_open_file(void **state)
{
	static const uint16_t values[3] = { 0x3c00, 0x4000, 0x4200 };
	struct kohaku_slot_query query;
	char reason[KOHAKU_REASON_SIZE];
	uint16_t before[256], table[256];
	struct kohaku_device *other;
	struct kohaku_job *job;

	(void)state;
	if (!(info.out_caps & KOHAKU_CAP_SLOT))
		skip();
	query = (struct kohaku_slot_query){
		.size = sizeof(query), .occupant = 5, .table = (uintptr_t)before,
	};
	assert_int_equal(kohaku_device_command(device, KOHAKU_SLOT_QUERY, &query), -EMSGSIZE);
	assert_int_equal(query.table_count, 256);
	assert_int_equal(kohaku_device_command(device, KOHAKU_SLOT_QUERY, &query), 0);
	job = job_new();
	kohaku_job_slot_load(job, 0, 5, 7, values, 3);
	run(job, 0);
	query.table = (uintptr_t)table;
	assert_int_equal(kohaku_device_command(device, KOHAKU_SLOT_QUERY, &query), 0);
	assert_memory_equal(table + 7, values, sizeof(values));
	assert_memory_equal(table, before, 7 * 2);
	assert_memory_equal(table + 10, before + 10, 246 * 2);
	assert_int_equal(kohaku_open(node_name(), &other), 0);
	assert_int_equal(kohaku_device_command(other, KOHAKU_SLOT_QUERY, &query), 0);
	assert_memory_equal(table, before, sizeof(before));
	kohaku_close(other);
	kohaku_job_slot_load(job, 0, 5, 254, values, 3);
	run(job, -EINVAL);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_non_null(strstr(reason, "operation 0: it leaves the occupant's table"));
	kohaku_job_free(job);
}

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
	struct kohaku_move move = { .mode = KOHAKU_MOVE_FILL, .dst = { .buffer = 0xffffff } };
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

static int readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	assert_true(poll(&pollfd, 1, timeout_ms) >= 0);
	return pollfd.revents & POLLIN;
}

static void completions_come_in_order(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_completion records[4];
	struct kohaku_job *job = job_new();
	uint64_t ids[3];
	int i, got = 0;

	(void)state;
	assert_int_equal(kohaku_completions_read(device, records, 4), -EAGAIN);
	assert_false(readable(kohaku_device_fd(device), 0));
	kohaku_job_fill(job, dst, 0, PAGE, 1, 0x5a);
	for (i = 0; i < 3; i++)
		assert_int_equal(kohaku_job_submit(job, device, 100 + i, &ids[i]), 0);
	kohaku_job_free(job);
	while (got < 3) {
		assert_true(readable(kohaku_device_fd(device), 10000));
		i = kohaku_completions_read(device, records + got, 4 - got);
		assert_true(i > 0);
		got += i;
	}
	for (i = 0; i < 3; i++) {
		assert_int_equal(records[i].job, ids[i]);
		assert_int_equal(records[i].cookie, 100 + i);
		assert_int_equal(records[i].status, 0);
		assert_int_equal(records[i].words, PAGE / WORD);
		assert_int_equal(records[i].size, sizeof(records[i]));
	}
	assert_false(readable(kohaku_device_fd(device), 0));
	kohaku_buffer_free(dst);
}

static void waiting_collects_one_job(void **state)
{
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t first, second;

	(void)state;
	kohaku_job_marker(job, 0);
	assert_int_equal(kohaku_job_submit(job, device, 1, &first), 0);
	assert_int_equal(kohaku_job_submit(job, device, 2, &second), 0);
	assert_int_not_equal(first, second);
	assert_int_equal(kohaku_wait(device, second, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(completion.cookie, 2);
	assert_int_equal(completion.status, 0);
	assert_int_equal(kohaku_wait(device, second, 0, &completion), -ENOENT);
	assert_int_equal(kohaku_wait(device, first, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(completion.cookie, 1);
	assert_int_equal(kohaku_wait(device, 0, 0, &completion), -ENOENT);
	kohaku_job_free(job);
}

static void an_eventfd_counts_completions(void **state)
{
	int fd = eventfd(0, EFD_NONBLOCK), null[2], i;
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t id[3];
	eventfd_t count;

	(void)state;
	assert_int_equal(pipe(null), 0);
	assert_int_equal(kohaku_device_eventfd(device, null[0]), -EINVAL);
	assert_int_equal(kohaku_device_eventfd(device, 1 << 20), -EBADF);
	assert_int_equal(kohaku_device_eventfd(device, fd), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(kohaku_job_submit(job, device, 0, &id[i]), 0);
		assert_int_equal(kohaku_wait(device, id[i], KOHAKU_FOREVER, &completion), 0);
	}
	assert_int_equal(eventfd_read(fd, &count), 0);
	assert_int_equal(count, 3);
	assert_int_equal(kohaku_device_eventfd(device, -1), 0);
	assert_int_equal(kohaku_job_submit(job, device, 0, &id[0]), 0);
	assert_int_equal(kohaku_wait(device, id[0], KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(eventfd_read(fd, &count), -1);
	kohaku_job_free(job);
	close(fd);
	close(null[0]);
	close(null[1]);
}

static void outstanding_jobs_are_limited(void **state)
{
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t id, last = 0;
	uint32_t i;

	(void)state;
	kohaku_job_marker(job, 0);
	for (i = 0; i < info.out_max_jobs; i++)
		assert_int_equal(kohaku_job_submit(job, device, i, &last), 0);
	assert_int_equal(kohaku_job_submit(job, device, i, &id), -EAGAIN);
	assert_int_equal(kohaku_wait(device, last, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(kohaku_job_submit(job, device, i, &id), 0);
	for (i = 0; i < info.out_max_jobs;) {
		assert_true(readable(kohaku_device_fd(device), 10000));
		while (kohaku_completions_read(device, &completion, 1) == 1)
			i++;
	}
	assert_int_equal(i, info.out_max_jobs);
	kohaku_job_free(job);
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

static void relayout_equals_pack(void **state)
{
	struct kohaku_shape shape = { .ndim = 2, .dims = { 192, 1152 } };
	struct kohaku_layout flat, entry;
	struct kohaku_packing before, after;
	struct kohaku_job *job = job_new();
	struct kohaku_buffer *a, *b, *c;
	uint8_t *bytes, *expected;

	(void)state;
	assert_int_equal(kohaku_layout_parse("flat", &flat, NULL), 0);
	assert_int_equal(kohaku_layout_parse("entry:8x2", &entry, NULL), 0);
	assert_int_equal(kohaku_packing_init(&before, &flat, &shape, 0, NULL), 0);
	assert_int_equal(kohaku_packing_init(&after, &entry, &shape, 0, NULL), 0);
	a = buffer_of(before.bytes);
	b = buffer_of(after.bytes);
	c = buffer_of(before.bytes);
	bytes = pattern(before.bytes, 8);
	expected = malloc(after.bytes);
	kohaku_pack(&after, bytes, expected);
	kohaku_buffer_write(a, 0, bytes, before.bytes);
	kohaku_job_verify(job, 1);
	assert_int_equal(kohaku_job_relayout(job, b, 0, a, 0, &before, &after, NULL), 0);
	assert_int_equal(kohaku_job_relayout(job, c, 0, b, 0, &after, &before, NULL), 0);
	run(job, 0);
	assert_holds(b, 0, expected, after.bytes);
	assert_holds(c, 0, bytes, before.bytes);
	assert_int_equal(kohaku_job_relayout(job, b, 32, a, 0, &before, &after, NULL), -EINVAL);
	kohaku_job_free(job);
	kohaku_buffer_free(a);
	kohaku_buffer_free(b);
	kohaku_buffer_free(c);
	free(bytes);
	free(expected);
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
		cmocka_unit_test(buffers_are_zero_and_rounded_up),
		cmocka_unit_test(impossible_buffers_are_refused),
		cmocka_unit_test(full_staging_falls_back_when_allowed),
		cmocka_unit_test(writes_read_back_and_stay_inside),
		cmocka_unit_test(freed_memory_comes_back_as_zero),
		cmocka_unit_test(ids_belong_to_one_open_file),
		cmocka_unit_test(a_mapping_shows_the_buffer),
		cmocka_unit_test(copies_move_exactly_their_bytes),
		cmocka_unit_test(long_copies_are_whole),
		cmocka_unit_test(fills_repeat_their_pattern),
		cmocka_unit_test(windows_pad_and_lie_outside),
		cmocka_unit_test(random_words_come_from_seed_and_address),
		cmocka_unit_test(gathers_fetch_rows),
		cmocka_unit_test(transforms_go_through_an_occupant),
		cmocka_unit_test(tables_belong_to_the_open_file),
		cmocka_unit_test(one_bad_operation_and_nothing_runs),
		cmocka_unit_test(refusals_say_what_is_wrong),
		cmocka_unit_test(a_misaligned_destination_faults_where_it_stands),
		cmocka_unit_test(completions_come_in_order),
		cmocka_unit_test(waiting_collects_one_job),
		cmocka_unit_test(an_eventfd_counts_completions),
		cmocka_unit_test(outstanding_jobs_are_limited),
		cmocka_unit_test(barriers_mark_the_next_of_each_mesh),
		cmocka_unit_test(relayout_equals_pack),
		cmocka_unit_test(closing_takes_everything_along),
	};

	return cmocka_run_group_tests_name("lib/api", tests, open_device, close_device);
}
