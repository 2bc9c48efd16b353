// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The reference for MXFP7 against recordings of the hardware, against arithmetic,
 * and against a simulated node.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kohaku.h"
#include "kohaku_mxfp7.h"

#define VALUES KOHAKU_MXFP7_VALUES
#define BYTES KOHAKU_MXFP7_BYTES
#define SCALE_OF_ONE 0xa0		/* 2^0 * 8 / 8 */

/* Hexadecimal digits of a word, the highest first. */
static bool read_word(FILE *file, uint8_t *word)
{
	unsigned int byte;
	int i;

	for (i = KOHAKU_WORD_SIZE - 1; i >= 0; i--) {
		if (fscanf(file, i == KOHAKU_WORD_SIZE - 1 ? " %2x" : "%2x", &byte) != 1)
			return false;
		word[i] = byte;
	}
	return true;
}

static void recordings_are_met(void **state)
{
	FILE *file = fopen("selftests/golden/mover/quant_table.txt", "r");
	unsigned int mode, cases = 0;
	uint16_t values[VALUES];
	uint8_t recorded[BYTES], packed[BYTES];
	int i;

	(void)state;
	assert_non_null(file);
	while (fscanf(file, "#%*[^\n] ") != EOF && fscanf(file, " %u", &mode) == 1) {
		for (i = 0; i < 8; i++)
			assert_true(read_word(file, (uint8_t *)values + i * KOHAKU_WORD_SIZE));
		for (i = 0; i < 4; i++)
			assert_true(read_word(file, recorded + i * KOHAKU_WORD_SIZE));
		kohaku_mxfp7_encode(mode & 1, values, packed, 1);
		if (memcmp(packed, recorded, BYTES))
			print_error("case %u\n", cases);
		assert_memory_equal(packed, recorded, BYTES);
		cases++;
	}
	fclose(file);
	assert_true(cases >= 500);
}

static double value_of(uint16_t fp16)
{
	uint32_t field = fp16 >> 10 & 31, significand = (fp16 & 1023) + (field ? 1024 : 0);

	return (fp16 & 0x8000 ? -1.0 : 1.0) * significand * (1u << (field ? field : 1)) /
	       (1u << 25);
}

/* All four words of a block with slots of zeros, but the first, and this scale. */
static void one_slot(uint8_t *packed, uint32_t bits, uint8_t scale)
{
	int w;

	memset(packed, 0, BYTES);
	for (w = 0; w < 4; w++)
		memset(packed + w * KOHAKU_WORD_SIZE, scale, 4);
	packed[31] = bits << 1;
}

/* Every number there is: sign, steps and scale are what they say. */
static void every_number_decodes_exactly(void **state)
{
	uint16_t values[VALUES];
	uint8_t packed[BYTES];
	int bits, scale;

	(void)state;
	for (scale = 0; scale < 256; scale++) {
		for (bits = 0; bits < 128; bits++) {
			int steps = bits < 64 ? bits : bits - 128;
			double value = (double)steps * (8 + (scale & 7)) * (1u << (scale >> 3)) /
				       (1u << 23);

			one_slot(packed, bits, scale);
			kohaku_mxfp7_decode(KOHAKU_MXFP7_A, packed, values, 1);
			if (value > 65504)
				value = 65504;
			if (value < -65504)
				value = -65504;
			assert_true(value_of(values[0]) == value);
			assert_int_equal(values[0] == 0x8000, 0);
			assert_int_equal(values[1], 0);
		}
	}
}

/* Steps of a scale that the peak asks for come back as they were. */
static void whole_steps_survive(void **state)
{
	uint16_t values[VALUES], decoded[VALUES];
	uint8_t packed[2][BYTES];
	int packing, i;

	(void)state;
	for (i = 0; i < VALUES; i++) {
		int steps = i % 32 ? i * 37 % 127 - 63 : 63;
		uint8_t one[BYTES];

		one_slot(one, steps & 127, SCALE_OF_ONE);
		kohaku_mxfp7_decode(KOHAKU_MXFP7_A, one, decoded, 1);
		values[i] = decoded[0];
	}
	for (packing = 0; packing < 2; packing++) {
		kohaku_mxfp7_encode(packing, values, packed[packing], 1);
		kohaku_mxfp7_decode(packing, packed[packing], decoded, 1);
		assert_memory_equal(decoded, values, sizeof(values));
	}
	assert_int_equal(packed[0][0], SCALE_OF_ONE);
	assert_memory_not_equal(packed[0], packed[1], BYTES);
}

static void figures_are_what_they_say(void **state)
{
	uint16_t source[200], decoded[200];
	struct kohaku_mxfp7_error error;
	int i;

	(void)state;
	for (i = 0; i < 200; i++) {
		source[i] = 0x4000;			/* 2 */
		decoded[i] = 0x4000;
	}
	decoded[7] = 0x4400;				/* 4 */
	decoded[8] = 0x3c00;				/* 1 */
	decoded[9] = 0x3800;				/* 0.5 */
	source[10] = 0;
	decoded[10] = 0xbc00;				/* -1 */
	assert_int_equal(kohaku_mxfp7_error(source, decoded, 200, &error), 0);
	assert_true(error.absolute.max == 2);
	assert_true(error.absolute.mean == (2 + 1 + 1.5 + 1) / 200);
	assert_true(error.absolute.p99 == 1);
	assert_true(error.relative.max == 1);
	assert_true(error.relative.mean == (1 + 0.5 + 0.75) / 199);
	assert_true(error.relative.p99 == 0.75);
	memset(source, 0, sizeof(source));
	assert_int_equal(kohaku_mxfp7_error(source, source, 200, &error), 0);
	assert_true(error.absolute.max == 0 && error.relative.p99 == 0);
}

#define BLOCKS 4096

static uint64_t random_next(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717ULL;
}

/* Any bits, or magnitudes that are near each other, as weights are. */
static void random_values(uint64_t *state, uint16_t *values)
{
	size_t i;

	for (i = 0; i < (size_t)BLOCKS * VALUES; i++) {
		uint64_t random = random_next(state) >> 40;

		values[i] = i / VALUES % 2 ? random : 0x3000 + (random & 0x8fff);
	}
}

static void transform(struct kohaku_device *device, uint32_t occupant, uint32_t mode,
		      uint32_t entry_words, uint32_t entries, const void *in, void *out)
{
	uint64_t in_size = (uint64_t)entries * entry_words * KOHAKU_WORD_SIZE;
	struct kohaku_buffer *src, *dst;
	struct kohaku_job *job;

	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, in_size, &src), 0);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, entries * 128ULL,
					     &dst), 0);
	assert_int_equal(kohaku_buffer_write(src, 0, in, in_size), 0);
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_xform(job, dst, 0, src, 0, occupant, mode, entry_words,
					  entries), 0);
	assert_int_equal(kohaku_job_run(job, device, NULL), 0);
	assert_int_equal(kohaku_buffer_read(dst, 0, out, entries * 128ULL), 0);
	kohaku_job_free(job);
	kohaku_buffer_free(src);
	kohaku_buffer_free(dst);
}

/* An entry of the dequantiser is one half of all four lanes. */
static void assert_same_values(const uint16_t *values, const uint16_t *entries)
{
	size_t i;

	for (i = 0; i < (size_t)BLOCKS * VALUES; i++) {
		size_t block = i / VALUES, lane = i % VALUES / 32, k = i % 32;

		assert_int_equal(values[i],
				 entries[block * VALUES + k / 16 * 64 + lane * 16 + k % 16]);
	}
}

static void the_model_agrees(void **state)
{
	const char *text = getenv("KOHAKU_SEED");
	uint64_t seed = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL) | 1;
	size_t size = (size_t)BLOCKS * VALUES * 2;
	uint16_t *values = malloc(size), *decoded = malloc(size), *entries = malloc(size);
	uint8_t *packed = malloc(size), *expected = malloc(size);
	struct kohaku_device *device;
	int packing;

	(void)state;
	print_message("# KOHAKU_SEED=%llu\n", (unsigned long long)seed);
	assert_int_equal(kohaku_open("sim:", &device), 0);
	random_values(&seed, values);
	for (packing = 0; packing < 2; packing++) {
		transform(device, 1, packing, 8, BLOCKS, values, packed);
		kohaku_mxfp7_encode(packing, values, expected, BLOCKS);
		assert_memory_equal(packed, expected, (size_t)BLOCKS * BYTES);
		transform(device, 3, packing, 2, 2 * BLOCKS, packed, entries);
		kohaku_mxfp7_decode(packing, packed, decoded, BLOCKS);
		assert_same_values(decoded, entries);
	}
	kohaku_close(device);
	free(values);
	free(decoded);
	free(entries);
	free(packed);
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recordings_are_met),
		cmocka_unit_test(every_number_decodes_exactly),
		cmocka_unit_test(whole_steps_survive),
		cmocka_unit_test(figures_are_what_they_say),
		cmocka_unit_test(the_model_agrees),
	};

	return cmocka_run_group_tests_name("lib/mxfp7", tests, NULL, NULL);
}
