/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the tests of the library's promises share.  They run on any node:
 * $KOHAKU_NODE names it, by default a simulated one in this process.
 */
#ifndef KOHAKU_LIB_API_TESTING_H
#define KOHAKU_LIB_API_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "kohaku.h"

#define WORD KOHAKU_WORD_SIZE
#define PAGE 4096

static struct kohaku_device *device;
static struct kohaku_info info;

static inline const char *node_name(void)
{
	const char *name = getenv("KOHAKU_NODE");

	return name ? name : "sim:meshes=2";
}

static inline int open_device(void **state)
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

static inline int close_device(void **state)
{
	(void)state;
	kohaku_close(device);
	return 0;
}

static inline struct kohaku_buffer *buffer_of(uint64_t length)
{
	struct kohaku_buffer *buffer;

	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, length, &buffer), 0);
	return buffer;
}

static inline struct kohaku_job *job_new(void)
{
	struct kohaku_job *job;

	assert_int_equal(kohaku_job_new(&job), 0);
	return job;
}

static inline void run(struct kohaku_job *job, int expected)
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
static inline uint8_t *pattern(size_t size, uint32_t key)
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

static inline void assert_holds(struct kohaku_buffer *buffer, uint64_t offset, const void *bytes,
				size_t size)
{
	uint8_t *read = malloc(size);

	assert_non_null(read);
	memset(read, 0xcc, size);
	assert_int_equal(kohaku_buffer_read(buffer, offset, read, size), 0);
	assert_memory_equal(read, bytes, size);
	free(read);
}

static inline void assert_zero(struct kohaku_buffer *buffer, uint64_t offset, size_t size)
{
	uint8_t *zeros = calloc(1, size);

	assert_non_null(zeros);
	assert_holds(buffer, offset, zeros, size);
	free(zeros);
}

#endif
