// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises of what operations do to bytes.
 */
#include <errno.h>

#include "api_testing.h"
#include "kohaku_relayout.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_move_exactly_their_bytes),
		cmocka_unit_test(long_copies_are_whole),
		cmocka_unit_test(fills_repeat_their_pattern),
		cmocka_unit_test(windows_pad_and_lie_outside),
		cmocka_unit_test(random_words_come_from_seed_and_address),
		cmocka_unit_test(gathers_fetch_rows),
		cmocka_unit_test(transforms_go_through_an_occupant),
		cmocka_unit_test(tables_belong_to_the_open_file),
		cmocka_unit_test(relayout_equals_pack),
	};

	return cmocka_run_group_tests_name("lib/api_move", tests, open_device, close_device);
}
