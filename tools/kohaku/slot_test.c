// SPDX-License-Identifier: GPL-2.0
/*
 * The commands of mover modes and transform slot: what they write and print.
 */
#include "array.h"
#include "cli_testing.h"
#include "lib/kohaku_mxfp7.h"

static struct cli quiet = { .command = "test" };

static void save(const char *name, const struct npy_type *type, uint64_t rows, uint64_t cols,
		 const void *data)
{
	struct kohaku_shape shape = { .ndim = cols ? 2 : 1, .dims = { rows, cols } };

	assert_int_equal(array_write(&quiet, name, type, &shape, data), CLI_OK);
}

static struct array load(const char *name, const struct npy_type *type, uint64_t rows,
			 uint64_t cols)
{
	struct array array;

	assert_int_equal(array_read(&quiet, name, type, &array), CLI_OK);
	assert_int_equal(array.shape.dims[0], rows);
	assert_int_equal(array.shape.dims[array.shape.ndim - 1], cols);
	return array;
}

static double json_double(const char *key)
{
	struct json_object *object = json_tokener_parse(output), *value;
	double number;

	assert_non_null(object);
	assert_true(json_object_object_get_ex(object, key, &value));
	number = json_object_get_double(value);
	json_object_put(object);
	return number;
}

/* fp16 of a small whole number. */
static uint16_t fp16(unsigned int number)
{
	unsigned int exponent = 25;

	if (!number)
		return 0;
	while (number < 1024) {
		number <<= 1;
		exponent--;
	}
	return exponent << 10 | (number & 1023);
}

static void generate_repeats_itself(void **state)
{
	uint8_t first[256], again[256];
	struct array array;

	(void)state;
	assert_int_equal(kohaku("-d sim: generate --seed 9 --size 256 raw"), CLI_OK);
	assert_int_equal(read_at("raw", first, sizeof(first)), 256);
	assert_int_equal(kohaku("-d sim: --json generate --seed 9 --size 256 a.npy"), CLI_OK);
	assert_int_equal(json_number("words"), 8);
	array = load("a.npy", &npy_bytes, 256, 256);
	assert_memory_equal(array.data, first, 256);
	free(array.data);
	assert_int_equal(kohaku("-d sim: generate --seed 10 --size 256 raw"), CLI_OK);
	read_at("raw", again, sizeof(again));
	assert_memory_not_equal(first, again, 32);
	assert_memory_not_equal(again, again + 32, 32);
	assert_refused("generate --size 31", CLI_USAGE, "'31' is no multiple of 32");
	assert_refused("generate --seed x", CLI_USAGE, "'x' is no 64-bit number");
}

static void gather_picks_rows(void **state)
{
	static const int rows[] = { 6, 0, 6, 1 };
	uint16_t data[7][16];
	struct array array;
	int i;

	(void)state;
	for (i = 0; i < 7 * 16; i++)
		data[i / 16][i % 16] = i * 11;
	save("in.npy", &npy_fp16, 7, 16, data);
	write_at("rows.txt", "6 0\n6, 1\n", 9);
	assert_int_equal(kohaku("-d sim: gather --rows 6,0,6,1 in.npy out.npy"), CLI_OK);
	assert_int_equal(kohaku("-d sim: --json gather --rows rows.txt in.npy again.npy"), CLI_OK);
	assert_int_equal(json_number("rows"), 4);
	array = load("out.npy", &npy_fp16, 4, 16);
	for (i = 0; i < 4; i++)
		assert_memory_equal((uint8_t *)array.data + i * 32, data[rows[i]], 32);
	free(array.data);
	array = load("again.npy", &npy_fp16, 4, 16);
	assert_memory_equal((uint8_t *)array.data + 96, data[1], 32);
	free(array.data);
	assert_refused("-d sim: gather --rows 7 in.npy x.npy", CLI_FAILED, "there is no row 7");
	assert_refused("-d sim: gather --rows 1;2 in.npy x.npy", CLI_FAILED, "no list of rows");
	assert_refused("-d sim: gather in.npy x.npy", CLI_USAGE, "needs --rows");
	save("odd.npy", &npy_fp16, 16, 7, data);
	assert_refused("-d sim: gather --rows 0 odd.npy x.npy", CLI_FAILED, "rows of 14 bytes");
}

/* More rows than one operation of the mover takes. */
static void gather_takes_any_number_of_rows(void **state)
{
	enum { ROWS = 5000 };
	static uint16_t data[8][16];
	static char text[ROWS * 2];
	struct array array;
	int i;

	(void)state;
	for (i = 0; i < 8 * 16; i++)
		data[i / 16][i % 16] = i;
	for (i = 0; i < ROWS; i++) {
		text[2 * i] = '0' + i * 5 % 8;
		text[2 * i + 1] = ' ';
	}
	save("in.npy", &npy_fp16, 8, 16, data);
	write_at("many.txt", text, sizeof(text));
	assert_int_equal(kohaku("-d sim: gather --rows many.txt in.npy out.npy"), CLI_OK);
	array = load("out.npy", &npy_fp16, ROWS, 16);
	for (i = 0; i < ROWS; i++)
		assert_memory_equal((uint8_t *)array.data + i * 32, data[i * 5 % 8], 32);
	free(array.data);
}

/* 5 x 40: blocks that are not full, 2 x 2 of them. Values that MXFP7 has come back. */
static void quantised_arrays_come_back(void **state)
{
	static const char *const lines[] = { "a", "b" };
	uint16_t data[5][40];
	struct array array;
	char line[96];
	int i;

	(void)state;
	for (i = 0; i < 5 * 40; i++)
		data[i / 40][i % 40] = fp16(i % 64) | (i % 3 ? 0 : 0x8000);
	for (i = 0; i < 5; i++) {
		data[i][0] = fp16(63);
		data[i][32] = fp16(63);
	}
	data[0][3] = 0;
	save("in.npy", &npy_fp16, 5, 40, data);
	for (i = 0; i < 5 * 40; i++)
		if (data[i / 40][i % 40] == 0x8000)
			data[i / 40][i % 40] = 0;
	for (i = 0; i < 2; i++) {
		snprintf(line, sizeof(line), "-d sim: --json quantise --packing %s in.npy q.npy",
			 lines[i]);
		assert_int_equal(kohaku(line), CLI_OK);
		assert_int_equal(json_number("values"), 200);
		assert_int_equal(json_number("blocks"), 4);
		assert_true(json_double("max_error") == 0);
		array = load("q.npy", &npy_bytes, 4, 128);
		free(array.data);
		snprintf(line, sizeof(line), "-d sim: dequantise --packing %s --shape 5x40 q.npy "
			 "back.npy", lines[i]);
		assert_int_equal(kohaku(line), CLI_OK);
		array = load("back.npy", &npy_fp16, 5, 40);
		assert_memory_equal(array.data, data, sizeof(data));
		free(array.data);
	}
}

static void errors_are_measured(void **state)
{
	uint16_t data[32] = { 0 };
	struct array array;

	(void)state;
	/* A step is 1 under 63: 20.5 is half a step off, wherever it goes. */
	data[0] = fp16(63);
	data[1] = fp16(41) - 0x400;
	save("in.npy", &npy_fp16, 32, 0, data);
	assert_int_equal(kohaku("-d sim: --json quantise in.npy q.npy"), CLI_OK);
	assert_true(json_double("max_error") == 0.5);
	assert_true(json_double("p99_error") == 0.5);
	assert_true(json_double("mean_error") == 0.5 / 32);
	assert_true(json_double("max_relative_error") > 0.0243 &&
		    json_double("max_relative_error") < 0.0244);
	assert_int_equal(kohaku("-d sim: dequantise q.npy blocks.npy"), CLI_OK);
	array = load("blocks.npy", &npy_fp16, 1, 32);
	assert_int_equal(array.shape.ndim, 3);
	assert_int_equal(((uint16_t *)array.data)[0], fp16(63));
	assert_int_equal(((uint16_t *)array.data)[1], fp16(21));
	free(array.data);
	save("odd.npy", &npy_fp16, 31, 0, data);
	assert_refused("-d sim: quantise odd.npy", CLI_FAILED, "31 values are no whole rows of 32");
	assert_refused("-d sim: quantise --packing c in.npy", CLI_USAGE, "'c' is neither a nor b");
	assert_refused("-d sim:complex=none quantise in.npy", CLI_FAILED,
		       "no transform slot is in reach");
	assert_refused("-d sim: quantise q.npy", CLI_FAILED, "'|u1'; save it as '<f2'");
	assert_refused("-d sim: dequantise in.npy x.npy", CLI_FAILED, "'<f2'; save it as '|u1'");
	assert_refused("-d sim: dequantise --shape 5x40 q.npy x.npy", CLI_FAILED, "check --shape");
}

static void swizzles_undo_each_other(void **state)
{
	uint8_t in[256], tiled[256], back[256];
	int row, col;

	(void)state;
	for (row = 0; row < 256; row++)
		in[row] = row * 3;
	write_at("in", in, 256);
	assert_int_equal(kohaku("-d sim: swizzle in tiled"), CLI_OK);
	assert_int_equal(read_at("tiled", tiled, 256), 256);
	for (row = 0; row < 8; row++)
		for (col = 0; col < 8; col++)
			assert_memory_equal(tiled + row / 4 * 128 + col / 4 * 64 + row % 4 * 16 +
					    col % 4 * 4, in + row * 32 + col * 4, 4);
	assert_int_equal(kohaku("-d sim: swizzle --to linear tiled back"), CLI_OK);
	read_at("back", back, 256);
	assert_memory_equal(back, in, 256);
	write_at("in", in, 130);
	assert_refused("-d sim: swizzle in x", CLI_FAILED, "no whole entries of 128");
	assert_refused("-d sim: swizzle --to round in x", CLI_USAGE, "neither tiled nor linear");
}

static void palettes_turn_bytes_into_fp16(void **state)
{
	uint8_t in[72];
	uint16_t table[256];
	struct array array;
	int i;

	(void)state;
	for (i = 0; i < 72; i++)
		in[i] = i * 3;
	in[0] = 0;
	in[1] = 255;
	for (i = 0; i < 256; i++)
		table[i] = 0x1200 + i;
	write_at("in", in, 72);
	save("table.npy", &npy_fp16, 256, 0, table);
	assert_int_equal(kohaku("-d sim: --json palette in out.npy"), CLI_OK);
	assert_int_equal(json_number("pixels"), 18);
	array = load("out.npy", &npy_fp16, 18, 4);
	assert_int_equal(((uint16_t *)array.data)[0], 0);
	assert_int_equal(((uint16_t *)array.data)[1], 0x3c00);
	free(array.data);
	assert_int_equal(kohaku("-d sim: palette --table table.npy in out.npy"), CLI_OK);
	array = load("out.npy", &npy_fp16, 18, 4);
	for (i = 0; i < 72; i++)
		assert_int_equal(((uint16_t *)array.data)[i], table[in[i]]);
	free(array.data);
	assert_int_equal(kohaku("-d sim: palette --raw in out.npy"), CLI_OK);
	array = load("out.npy", &npy_fp16, 18, 4);
	for (i = 0; i < 72; i++)
		assert_int_equal(((uint16_t *)array.data)[i], fp16(in[i]));
	free(array.data);
	assert_refused("palette --raw --table t.npy in x.npy", CLI_USAGE, "uses no table");
	write_at("in", in, 71);
	assert_refused("-d sim: palette in x.npy", CLI_FAILED, "no whole pixels");
	save("short.npy", &npy_fp16, 255, 0, table);
	assert_refused("-d sim: palette --table short.npy in x.npy", CLI_FAILED, "255 values");
}

static void slot_lists_occupants(void **state)
{
	(void)state;
	assert_int_equal(kohaku("-d sim: slot"), CLI_OK);
	assert_non_null(strstr(output, "  name                  quantise\n"
				       "  in words              8\n"));
	assert_null(strstr(output, "0x3c00"));
	assert_int_equal(kohaku("-d sim: --json slot --table"), CLI_OK);
	assert_int_equal(json_number("bank_fault"), 0);
	assert_non_null(strstr(output, "\"0x3c00\"\n"));
	assert_refused("-d sim:complex=none slot", CLI_FAILED, "no transform slot is in reach");
	assert_refused("-d sim: slot --mesh 1", CLI_FAILED, "mesh 1 or id 0 is not there");
	assert_refused("slot extra", CLI_USAGE, "one argument too many");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generate_repeats_itself),
		cmocka_unit_test(gather_picks_rows),
		cmocka_unit_test(gather_takes_any_number_of_rows),
		cmocka_unit_test(quantised_arrays_come_back),
		cmocka_unit_test(errors_are_measured),
		cmocka_unit_test(swizzles_undo_each_other),
		cmocka_unit_test(palettes_turn_bytes_into_fp16),
		cmocka_unit_test(slot_lists_occupants),
	};

	return cmocka_run_group_tests_name("tools/kohaku/slot", tests, enter_folder, leave_folder);
}
