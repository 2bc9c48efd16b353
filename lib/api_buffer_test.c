// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises of buffers.
 */
#include <errno.h>

#include "api_testing.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_are_zero_and_rounded_up),
		cmocka_unit_test(impossible_buffers_are_refused),
		cmocka_unit_test(full_staging_falls_back_when_allowed),
		cmocka_unit_test(writes_read_back_and_stay_inside),
		cmocka_unit_test(freed_memory_comes_back_as_zero),
		cmocka_unit_test(ids_belong_to_one_open_file),
		cmocka_unit_test(a_mapping_shows_the_buffer),
	};

	return cmocka_run_group_tests_name("lib/api_buffer", tests, open_device, close_device);
}
