// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names, sizes, and packing against the definition of a slot. */
#include "relayout_testing.h"

static void assert_name(const char *name)
{
	char back[KOHAKU_LAYOUT_NAME];
	struct kohaku_layout layout;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	kohaku_layout_format(&layout, back);
	assert_string_equal(back, name);
}

static void test_names(void **state)
{
	(void)state;
	assert_name("flat");
	assert_name("entry:8x2");
	assert_name("tile:2x8:12x1");
	assert_name("batch4:flat");
	assert_name("batch12:tile:2147483647x2147483647:2147483647x2147483647");
}

static void assert_bad_name(const char *name, int position, const char *text)
{
	struct kohaku_layout layout = { .batch = 77 };
	struct kohaku_reason reason;

	assert_int_equal(kohaku_layout_parse(name, &layout, &reason), -EINVAL);
	assert_int_equal(reason.position, position);
	assert_non_null(strstr(reason.text, text));
	assert_int_equal(layout.batch, 77);
}

static void test_bad_names(void **state)
{
	(void)state;
	assert_bad_name("", 0, "expected flat");
	assert_bad_name("Flat", 0, "expected flat");
	assert_bad_name("flat ", 4, "the end");
	assert_bad_name("entry:0x2", 6, "positive number");
	assert_bad_name("entry:08x2", 6, "positive number");
	assert_bad_name("entry:8", 7, "'x'");
	assert_bad_name("entry:8x", 8, "positive number");
	assert_bad_name("entry:8x2147483648", 8, "below");
	assert_bad_name("entry:99999999999999999999x2", 6, "below");
	assert_bad_name("tile:2x2", 8, "':'");
	assert_bad_name("tile:2x2:-1x2", 9, "positive number");
	assert_bad_name("tile:2x2:1x2:", 12, "the end");
	assert_bad_name("batch:flat", 5, "positive number");
	assert_bad_name("batch4flat", 6, "':'");
	assert_bad_name("batch4:batch4:flat", 7, "expected flat");
}

static void test_shapes(void **state)
{
	struct kohaku_shape shape;
	struct kohaku_reason reason;

	(void)state;
	assert_int_equal(kohaku_shape_parse("64x256", &shape, NULL), 0);
	assert_int_equal(shape.ndim, 2);
	assert_int_equal(shape.dims[0], 64);
	assert_int_equal(shape.dims[1], 256);
	assert_int_equal(kohaku_shape_parse("64x", &shape, &reason), -EINVAL);
	assert_int_equal(reason.position, 3);
	assert_int_equal(kohaku_shape_parse("0x4", &shape, &reason), -EINVAL);
	assert_int_equal(reason.position, 0);
	assert_int_equal(kohaku_shape_parse("1x1x1x1x1x1x1x1x1", &shape, &reason), -EINVAL);
	assert_int_equal(kohaku_shape_parse("2147483647x2147483647x2147483647", &shape, &reason),
			 -EINVAL);
}

static int fit(const char *name, const char *text, u64 pad, struct kohaku_packing *packing,
	       struct kohaku_reason *reason)
{
	struct kohaku_layout layout;
	struct kohaku_shape shape;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	assert_int_equal(kohaku_shape_parse(text, &shape, NULL), 0);
	return kohaku_packing_init(packing, &layout, &shape, pad, reason);
}

static void assert_misfit(const char *name, const char *shape, u64 pad, int error, int position)
{
	struct kohaku_packing packing = { .count = 77 };
	struct kohaku_reason reason;

	assert_int_equal(fit(name, shape, pad, &packing, &reason), error);
	assert_int_equal(reason.position, position);
	assert_int_equal(packing.count, 77);
}

static void test_misfits(void **state)
{
	(void)state;
	assert_misfit("tile:2x2:8x8", "65x64", 0, -EINVAL, 5);
	assert_misfit("tile:2x2:8x8", "64x65", 0, -EINVAL, 7);
	assert_misfit("batch4:tile:2x2:8x8", "4x64x65", 0, -EINVAL, 14);
	assert_misfit("entry:8x2", "64", 0, -EINVAL, 0);
	assert_misfit("batch4:flat", "3x64", 0, -EINVAL, 5);
	assert_misfit("batch4:flat", "4", 0, -EINVAL, 5);
	assert_misfit("flat", "64x64", 16384, -EINVAL, -1);
	assert_misfit("batch2:flat", "2x64", 15, -EINVAL, -1);
	assert_misfit("flat", "65536x65536", 0, -EOVERFLOW, -1);
	assert_misfit("tile:2147483647x2:2147483647x1", "4x4", 0, -EOVERFLOW, -1);
	assert_misfit("entry:2147483647x2147483647", "4x32", 0, -EOVERFLOW, -1);
	assert_misfit("batch2147483647:flat", "2147483647x1024", 0, -EOVERFLOW, -1);
}

static void test_sizes(void **state)
{
	struct kohaku_packing packing;

	(void)state;
	assert_int_equal(fit("entry:8x2", "8x24", 0, &packing, NULL), 0);
	assert_int_equal(packing.bytes, 32 * 64 * 2);
	assert_int_equal(fit("tile:2x2:2x2", "13x15", 0, &packing, NULL), 0);
	assert_int_equal(packing.bytes, 512);
	assert_int_equal(fit("batch4:flat", "4x8x16", 16384, &packing, NULL), 0);
	assert_int_equal(packing.stride, 16384);
	assert_int_equal(packing.bytes, 65536);
}

/* Every element in its slot, nothing else, and all of it back. */
static void check_packing(const struct kohaku_packing *packing)
{
	size_t block = packing->rows * packing->cols, elements = block * packing->count;
	u16 *array = malloc(elements * 2), *back = malloc(elements * 2);
	u16 *packed = malloc(packing->bytes), *expected = calloc(1, packing->bytes);

	assert_true(array && back && packed && expected);
	for (size_t i = 0; i < elements; i++) {
		u64 slot = kohaku_packing_slot(packing, i % block / packing->cols,
					       i % packing->cols);

		array[i] = random_bits() | 1;
		expected[i / block * packing->stride / 2 + slot] = array[i];
	}
	memset(packed, 0x5a, packing->bytes);
	kohaku_pack(packing, array, packed);
	assert_memory_equal(packed, expected, packing->bytes);
	kohaku_unpack(packing, packed, back);
	assert_memory_equal(array, back, elements * 2);
	free(array);
	free(back);
	free(packed);
	free(expected);
}

static void test_random_packings(void **state)
{
	(void)state;
	testing_seed("layout");
	for (int i = 0; i < 3000; i++) {
		struct kohaku_packing a, b;

		random_conversion(2048, &a, &b);
		check_packing(&a);
		check_packing(&b);
	}
}

static void test_convert(void **state)
{
	(void)state;
	testing_seed("convert");
	for (int i = 0; i < 300; i++) {
		struct kohaku_packing before, after;
		struct packed_pair pair;
		u8 *result;

		random_conversion(1024, &before, &after);
		result = malloc(after.bytes);
		assert_non_null(result);
		pack_both(&before, &after, &pair);
		assert_int_equal(kohaku_convert(&before, &after, pair.before, result), 0);
		assert_memory_equal(result, pair.after, after.bytes);
		free(result);
		free_both(&pair);
	}
}

static void shapes_have_dimensions(void **state)
{
	struct kohaku_shape none = { .ndim = 0 }, many = { .ndim = KOHAKU_SHAPE_DIMS + 1 };
	struct kohaku_shape empty = { .ndim = 2, .dims = { 4, 0 } };
	struct kohaku_packing packing;
	struct kohaku_layout flat;
	struct kohaku_reason reason;

	(void)state;
	assert_int_equal(kohaku_layout_parse("flat", &flat, NULL), 0);
	assert_int_equal(kohaku_packing_init(&packing, &flat, &none, 0, &reason), -EINVAL);
	assert_string_equal(reason.text, "a shape has 1 to 8 dimensions");
	assert_int_equal(kohaku_packing_init(&packing, &flat, &many, 0, &reason), -EINVAL);
	assert_int_equal(kohaku_packing_init(&packing, &flat, &empty, 0, &reason), -EINVAL);
	assert_string_equal(reason.text, "dimension 2 is zero");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shapes_have_dimensions),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_misfits),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_random_packings),
		cmocka_unit_test(test_convert),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
