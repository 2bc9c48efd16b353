// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Packets and passes at the edge of what the vector core takes. */
#include "hw/testing.h"

#include "hw/address.h"
#include "hw/vector.h"

static int encode(enum kohaku_flit_kind kind, u32 index, u32 field, u64 value)
{
	const struct kohaku_flit_fields fields = { kind, index, field, value };
	struct kohaku_flit_fields back;
	struct kohaku_flit flit;
	int error = kohaku_flit_encode(&fields, &flit);

	if (error)
		return error;
	assert_int_equal(kohaku_flit_decode(&flit, &back), 0);
	assert_int_equal(back.kind, kind);
	assert_int_equal(back.index, index);
	assert_int_equal(back.field, field);
	assert_int_equal(back.value, value);
	return 0;
}

static void test_packet_fields(void **state)
{
	(void)state;
	assert_int_equal(encode(KOHAKU_FLIT_IMEM, 511, 0, U32_MAX), 0);
	assert_int_equal(encode(KOHAKU_FLIT_IMEM, 512, 0, 0), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_IMEM, 0, 0, 1ULL << 32), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 7, 0, KOHAKU_ADDR_MASK), 0);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 7, 0, 1ULL << 40), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 8, 0, 0), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 0, 4, (1ULL << 34) - 1), 0);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 0, 4, 1ULL << 34), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_DESC, 0, 5, 0), -EINVAL);
	assert_int_equal(encode(KOHAKU_FLIT_RUN, 511, 0, 0), 0);
	assert_int_equal(encode(KOHAKU_FLIT_RUN, 512, 0, 0), -EINVAL);
	assert_int_equal(encode(0, 0, 0, 0), -EINVAL);
	assert_int_equal(encode(4, 0, 0, 0), -EINVAL);
}

/* Every single bit of a base reaches the core. */
static void test_base_bits(void **state)
{
	(void)state;
	for (u32 bit = 0; bit < 40; bit++)
		assert_int_equal(encode(KOHAKU_FLIT_DESC, 3, 0, 1ULL << bit), 0);
}

static const u32 offsets[] = { 0, 16, 32, 48 };

static struct kohaku_vector_pass good_pass(void)
{
	return (struct kohaku_vector_pass){
		.transpose = true,
		.words = 16,
		.total = 64,
		.ndim = 2,
		.dims = { { 4, 4 }, { 1, 4 } },
		.offsets = offsets,
	};
}

#define ASSERT_REFUSED(change) do {					\
		struct kohaku_vector_pass pass = good_pass();		\
									\
		change;							\
		assert_int_equal(kohaku_vector_check(&pass), -EINVAL);	\
	} while (0)

static void test_passes(void **state)
{
	static const u32 beyond[] = { 0, 16, 32, 49 }, huge[] = { 0, 16, 32, U32_MAX };
	struct kohaku_vector_pass pass = good_pass();

	(void)state;
	assert_int_equal(kohaku_vector_check(&pass), 0);
	pass.offsets = NULL;
	assert_int_equal(kohaku_vector_check(&pass), 0);
	ASSERT_REFUSED(pass.words = 0);
	ASSERT_REFUSED(pass.total = 0);
	ASSERT_REFUSED(pass.total = 63);
	ASSERT_REFUSED(pass.words = 8);
	ASSERT_REFUSED(pass.ndim = 5);
	ASSERT_REFUSED(pass.ndim = 1);
	ASSERT_REFUSED(pass.dims[0].bound = 0);
	ASSERT_REFUSED(pass.dims[0].bound = U32_MAX);
	ASSERT_REFUSED(pass.dims[0].bound = 5);
	ASSERT_REFUSED(pass.dims[1].stride = 5);
	ASSERT_REFUSED(pass.dims[1].stride = -1);
	ASSERT_REFUSED(pass.dims[1].stride = S32_MIN);
	ASSERT_REFUSED(pass.dims[1].stride = S32_MAX);
	ASSERT_REFUSED(pass.offsets = beyond);
	ASSERT_REFUSED(pass.offsets = huge);
	ASSERT_REFUSED(pass.words = 512; pass.total = 512; pass.dims[1].bound = 128);
}

static void test_copies(void **state)
{
	(void)state;
	assert_int_equal(kohaku_vector_copy_width(4096), 256);
	assert_int_equal(kohaku_vector_copy_width(257), 1);
	assert_int_equal(kohaku_vector_copy_width(720), 240);
	for (u32 total = 1; total < 2000; total++) {
		struct kohaku_vector_pass pass;

		kohaku_vector_copy(total, &pass);
		assert_int_equal(kohaku_vector_check(&pass), 0);
	}
}

struct count {
	u64 flits, images;
	u64 fail_at;
};

static int count_flit(void *ctx, const struct kohaku_flit *flit)
{
	struct count *count = ctx;
	struct kohaku_flit_fields fields;

	if (++count->flits == count->fail_at)
		return -ENOSPC;
	assert_int_equal(kohaku_flit_decode(flit, &fields), 0);
	count->images += fields.kind == KOHAKU_FLIT_IMEM;
	return 0;
}

/* Sizes are as foretold for every width, and fit instruction memory. */
static void test_sizes(void **state)
{
	(void)state;
	for (u32 words = 16; words <= 256; words += 16) {
		const struct kohaku_vector_pair pairs[3] = { { 0, 0 } };
		struct kohaku_vector_pass pass = { .transpose = true, .words = words,
						   .total = 2 * words, .ndim = 1,
						   .dims = { { 1, words } } };
		struct count count = { 0 };
		const struct kohaku_flit_sink sink = { count_flit, &count };

		assert_int_equal(kohaku_vector_check(&pass), 0);
		assert_int_equal(kohaku_vector_emit(&pass, pairs, 3, 0x40, &sink), 0);
		assert_int_equal(count.images, kohaku_vector_image_words(words, true));
		assert_int_equal(count.flits, kohaku_vector_flits(words, true, 6));
		assert_true(count.images <= KOHAKU_VECTOR_IMEM);
	}
}

/* What the sink answers ends the program, wherever it is. */
static void test_sink_errors(void **state)
{
	const struct kohaku_vector_pair pair = { 0, 0 };
	const struct kohaku_vector_pass pass = good_pass();
	u64 flits = kohaku_vector_flits(16, true, 4);

	(void)state;
	for (u64 at = 1; at <= flits; at++) {
		struct count count = { .fail_at = at };
		const struct kohaku_flit_sink sink = { count_flit, &count };

		assert_int_equal(kohaku_vector_emit(&pass, &pair, 1, 0x40, &sink), -ENOSPC);
		assert_int_equal(count.flits, at);
	}
}

static void test_addresses(void **state)
{
	u64 addr;

	(void)state;
	assert_int_equal(kohaku_address_onchip(3, 5, 32, &addr), 0);
	assert_int_equal(addr, 0xb500000020);
	assert_int_equal(kohaku_address_aperture(addr), 5);
	assert_int_equal(kohaku_address_mesh(addr), 3);
	assert_int_equal(kohaku_address_onchip(4, 0, 0, &addr), -EINVAL);
	assert_int_equal(kohaku_address_onchip(0, 3, 0, &addr), -EINVAL);
	assert_int_equal(kohaku_address_onchip(0, 64, 0, &addr), -EINVAL);
	assert_int_equal(kohaku_address_onchip(0, 0, 2 << 20, &addr), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_packet_fields),
		cmocka_unit_test(test_base_bits),
		cmocka_unit_test(test_passes),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_sink_errors),
		cmocka_unit_test(test_addresses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
