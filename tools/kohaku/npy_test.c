// SPDX-License-Identifier: GPL-2.0

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

/* A file of a version with a header's text and so many bytes of data. */
static size_t make(uint8_t *file, int version, const char *text, size_t data)
{
	size_t length = strlen(text), start = version == 2 ? 12 : 10;

	memcpy(file, "\x93NUMPY", 6);
	file[6] = version;
	file[7] = 0;
	memset(file + 8, 0, 4);
	file[8] = length & 0xff;
	file[9] = length >> 8;
	memcpy(file + start, text, length);
	memset(file + start + length, 0x11, data);
	return start + length + data;
}

/* Parses a copy of exactly its size, so that the sanitiser sees every step too far. */
static int parse(const uint8_t *file, size_t size, struct npy *npy, struct kohaku_reason *reason)
{
	uint8_t *copy = malloc(size ? size : 1);
	int err;

	memcpy(copy, file, size);
	memset(reason, 0, sizeof(*reason));
	err = npy_parse(copy, size, npy, reason);
	free(copy);
	return err;
}

static int parse_text(int version, const char *text, size_t data, struct npy *npy,
		      struct kohaku_reason *reason)
{
	uint8_t file[1024];

	return parse(file, make(file, version, text, data), npy, reason);
}

static void shapes_are_read(void **state)
{
	struct kohaku_reason reason;
	struct npy npy;

	(void)state;
	assert_int_equal(parse_text(1, "{'descr': '<f2', 'fortran_order': False, "
				    "'shape': (3, 5), } ", 30, &npy, &reason), 0);
	assert_int_equal(npy.shape.ndim, 2);
	assert_int_equal(npy.shape.dims[0], 3);
	assert_int_equal(npy.shape.dims[1], 5);
	assert_int_equal(npy.elements, 15);
	assert_int_equal(parse_text(2, "{\"shape\":(7,),\"fortran_order\":False,\"descr\":\"<f2\"}",
				    14, &npy, &reason), 0);
	assert_int_equal(npy.shape.ndim, 1);
	assert_int_equal(npy.elements, 7);
	assert_int_equal(npy.data_offset, 12 + 50);
	assert_int_equal(parse_text(1, "{'descr':'<f2','fortran_order':False,'shape':(2,1,2)}", 8,
				    &npy, &reason), 0);
	assert_int_equal(npy.shape.ndim, 3);
}

static void everything_else_is_refused_by_name(void **state)
{
#define F2 "'descr': '<f2', "
#define C "'fortran_order': False, "
	static const struct {
		int version;
		const char *text;
		size_t data;
		int error;
		const char *why;
	} cases[] = {
		{ 1, "{'descr': '<f4', " C "'shape': (1,)}", 4, -EOPNOTSUPP, "'<f4'" },
		{ 1, "{'descr': '|u1', " C "'shape': (1,)}", 1, -EOPNOTSUPP, "'|u1'" },
		{ 1, "{'descr': '>f2', " C "'shape': (1,)}", 2, -EOPNOTSUPP, "big-endian" },
		{ 1, "{'descr': [('a', '<f2')], " C "'shape': (1,)}", 2, -EOPNOTSUPP, "plain" },
		{ 1, "{" F2 "'fortran_order': True, 'shape': (1,)}", 2, -EOPNOTSUPP, "Fortran" },
		{ 1, "{" F2 C "'shape': ()}", 2, -EOPNOTSUPP, "without a shape" },
		{ 1, "{" F2 C "'shape': (0, 3)}", 0, -EOPNOTSUPP, "empty" },
		{ 1, "{" F2 C "'shape': (1,1,1,1,1,1,1,1,1)}", 2, -EOPNOTSUPP, "dimensions" },
		{ 1, "{" F2 C "'shape': (4294967296, 4294967296)}", 2, -EINVAL, "too large" },
		{ 1, "{" F2 C "'shape': (99999999999999999999,)}", 2, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "'shape': (-1,)}", 2, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "'shape': (2,)}", 3, -EINVAL, "cut short" },
		{ 1, "{" F2 C "'shape': (9223372036854775808,)}", 0, -EINVAL, "cut short" },
		{ 1, "{" F2 C "'shape': (2,)}", 5, -EINVAL, "1 bytes too many" },
		{ 1, "{" F2 C "'shape': (2,)} x", 4, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "'shape': (2,), 'shape': (2,)}", 4, -EINVAL, "twice" },
		{ 1, "{" F2 C "'shape': (2,), 'more': 1}", 4, -EINVAL, "unknown key 'more'" },
		{ 1, "{" F2 "'shape': (2,)}", 4, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "}", 4, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "'shape': (2 2)}", 8, -EINVAL, "dictionary" },
		{ 1, "{" F2 C "'shape': (2,)", 4, -EINVAL, "dictionary" },
		{ 1, "{'descr': '<f2' " C "'shape': (2,)}", 4, -EINVAL, "dictionary" },
		{ 1, "", 4, -EINVAL, "dictionary" },
		/* Nothing that would move the terminal's cursor gets into a message. */
		{ 1, "{'descr': '<\x1b[2J', " C "'shape': (2,)}", 4, -EOPNOTSUPP, "plain" },
		{ 1, "{" F2 C "'shape': (2,), '\n': 1}", 4, -EINVAL, "dictionary" },
		{ 3, "{" F2 C "'shape': (2,)}", 4, -EOPNOTSUPP, "version 3" },
		{ 0, "{" F2 C "'shape': (2,)}", 4, -EOPNOTSUPP, "version 0" },
	};
	struct kohaku_reason reason;
	struct npy npy;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int err = parse_text(cases[i].version, cases[i].text, cases[i].data, &npy, &reason);

		if (err != cases[i].error || !strstr(reason.text, cases[i].why))
			print_error("case %zu: %d %s\n", i, err, reason.text);
		assert_int_equal(err, cases[i].error);
		assert_non_null(strstr(reason.text, cases[i].why));
	}
}

/* Cut anywhere, with any byte changed: an answer, and no step outside. */
static void damaged_files_are_survived(void **state)
{
	static const char text[] = "{'descr': '<f2', 'fortran_order': False, 'shape': (3, 5), }\n";
	struct kohaku_reason reason;
	uint8_t file[256];
	size_t size = make(file, 1, text, 30), i;
	struct npy npy;
	int value;

	(void)state;
	for (i = 0; i < size; i++)
		assert_true(parse(file, i, &npy, &reason) < 0);
	for (i = 0; i < size - 30; i++) {
		uint8_t was = file[i];

		for (value = 0; value < 256; value++) {
			file[i] = value;
			if (!parse(file, size, &npy, &reason))
				assert_int_equal(npy.data_offset + npy.elements * 2, size);
			else
				assert_true(reason.text[0]);
		}
		file[i] = was;
	}
}

static void headers_read_back(void **state)
{
	struct kohaku_shape shape = { .ndim = 1, .dims = { 4, 3, 2, 1, 1, 1, 1, 1 } };
	struct kohaku_reason reason;
	struct npy npy;

	(void)state;
	for (; shape.ndim <= KOHAKU_SHAPE_DIMS; shape.ndim++) {
		uint8_t file[NPY_HEADER_MAX + 48] = { 0 };
		size_t elements = shape.ndim == 1 ? 4 : shape.ndim == 2 ? 12 : 24;
		size_t length = npy_header(&shape, (char *)file);

		assert_int_equal(length % 64, 0);
		assert_int_equal(file[length - 1], '\n');
		assert_int_equal(parse(file, length + elements * 2, &npy, &reason), 0);
		assert_int_equal(npy.data_offset, length);
		assert_int_equal(npy.elements, elements);
		assert_int_equal(npy.shape.ndim, shape.ndim);
		assert_memory_equal(npy.shape.dims, shape.dims, shape.ndim * sizeof(uint64_t));
	}
}

static void bytes_are_an_array_too(void **state)
{
	struct kohaku_shape shape = { .ndim = 2, .dims = { 3, 128 } };
	uint8_t file[NPY_HEADER_MAX + 3 * 128] = { 0 };
	size_t length = npy_header_as(&npy_bytes, &shape, (char *)file);
	struct kohaku_reason reason;
	struct npy npy;

	(void)state;
	assert_non_null(memmem(file, length, "'|u1'", 5));
	assert_int_equal(npy_parse_as(&npy_bytes, file, length + 384, &npy, &reason), 0);
	assert_int_equal(npy.data_offset, length);
	assert_int_equal(npy.elements, 384);
	assert_int_equal(npy_parse_as(&npy_bytes, file, length + 383, &npy, &reason), -EINVAL);
	assert_int_equal(npy_parse_as(&npy_bytes, file, length + 385, &npy, &reason), -EINVAL);
	assert_int_equal(npy_parse(file, length + 384, &npy, &reason), -EOPNOTSUPP);
	npy_header(&shape, (char *)file);
	assert_int_equal(npy_parse_as(&npy_bytes, file, length + 384, &npy, &reason), -EOPNOTSUPP);
	assert_non_null(strstr(reason.text, "'<f2'; save it as '|u1'"));
}

static void the_longest_header_fits(void **state)
{
	struct kohaku_shape shape = { .ndim = KOHAKU_SHAPE_DIMS };
	char header[NPY_HEADER_MAX];
	size_t i;

	(void)state;
	for (i = 0; i < KOHAKU_SHAPE_DIMS; i++)
		shape.dims[i] = UINT64_MAX;
	assert_true(npy_header(&shape, header) <= NPY_HEADER_MAX);
	assert_non_null(strstr(header + 10, "18446744073709551615), }"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_are_read),
		cmocka_unit_test(everything_else_is_refused_by_name),
		cmocka_unit_test(damaged_files_are_survived),
		cmocka_unit_test(headers_read_back),
		cmocka_unit_test(bytes_are_an_array_too),
		cmocka_unit_test(the_longest_header_fits),
	};

	return cmocka_run_group_tests_name("tools/kohaku/npy", tests, NULL, NULL);
}
