// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: names of layouts and shapes against regular expressions, and
 * what a layout makes of a shape against its slots one by one.
 *
 * Input: the name, the shape and, one digit a 32 bytes, the padding, a line each.
 */
#include "fuzz.h"

#include <regex.h>

#include "lib/kohaku_relayout.h"

#define NUMBER "[1-9][0-9]*"
#define PAIR NUMBER "x" NUMBER
#define SMALL (1 << 16)		/* bytes of an array that is packed */

static const char name_grammar[] =
	"^(batch" NUMBER ":)?(flat|entry:" PAIR "|tile:" PAIR ":" PAIR ")$";
static const char shape_grammar[] = "^" NUMBER "(x" NUMBER "){0,7}$";

static bool matches(const char *grammar, regex_t *compiled, const char *text)
{
	if (!compiled->re_nsub)
		REQUIRE(!regcomp(compiled, grammar, REG_EXTENDED));
	return !regexec(compiled, text, 0, NULL, 0);
}

/* The product of the numbers of a text; 0 when one of them or it is too large. */
static u64 product_of(const char *text, bool product)
{
	unsigned __int128 all = 1;

	for (text += strcspn(text, "123456789"); *text; text += strcspn(text, "123456789")) {
		size_t digits = strspn(text, "0123456789");

		if (digits > 10 || strtoull(text, NULL, 10) > S32_MAX)
			return 0;
		if (product)
			all *= strtoull(text, NULL, 10);
		if (all > U64_MAX)
			return 0;
		text += digits;
	}
	return all;
}

static bool check_name(const char *name, struct kohaku_layout *layout)
{
	static regex_t compiled;
	struct kohaku_reason reason = { .text = "" };
	char again[KOHAKU_LAYOUT_NAME];
	int err = kohaku_layout_parse(name, layout, &reason);

	REQUIRE(!err == (matches(name_grammar, &compiled, name) && product_of(name, false)));
	if (!err) {
		kohaku_layout_format(layout, again);
		REQUIRE(!strcmp(name, again));
		return true;
	}
	REQUIRE(err == -EINVAL && *reason.text && !strchr(reason.text, '\n'));
	REQUIRE(reason.position >= 0 && (size_t)reason.position <= strlen(name));
	return false;
}

static bool check_shape(const char *text, struct kohaku_shape *shape)
{
	static regex_t compiled;
	struct kohaku_reason reason = { .text = "" };
	char again[160] = "";
	u32 i, at = 0;
	int err = kohaku_shape_parse(text, shape, &reason);

	REQUIRE(!err == (matches(shape_grammar, &compiled, text) && product_of(text, true)));
	if (err) {
		REQUIRE(err == -EINVAL && *reason.text);
		REQUIRE(reason.position >= 0 && (size_t)reason.position <= strlen(text));
		return false;
	}
	for (i = 0; i < shape->ndim; i++)
		at += sprintf(again + at, "%s%llu", i ? "x" : "", (u64)shape->dims[i]);
	REQUIRE(!strcmp(text, again));
	return true;
}

static u64 elements_of(const struct kohaku_shape *shape)
{
	u64 elements = 1;
	u32 i;

	for (i = 0; i < shape->ndim; i++)
		elements *= shape->dims[i];
	return elements;
}

/* Every element has a slot of its own, the other slots hold zeros. */
static void check_bytes(const struct kohaku_packing *packing, u64 elements)
{
	u16 *array = malloc(elements * 2), *back = malloc(elements * 2);
	u16 *packed = malloc(packing->bytes), *expected = calloc(1, packing->bytes);
	u64 block = packing->rows * packing->cols, i, slot;

	REQUIRE(array && back && packed && expected);
	for (i = 0; i < elements; i++) {
		array[i] = i * 2 + 1;
		slot = kohaku_packing_slot(packing, i % block / packing->cols,
					   i % packing->cols);
		REQUIRE(slot < packing->slots);
		slot += i / block * packing->stride / 2;
		REQUIRE(!expected[slot]);
		expected[slot] = array[i];
	}
	memset(packed, 0x5a, packing->bytes);
	kohaku_pack(packing, array, packed);
	REQUIRE(!memcmp(packed, expected, packing->bytes));
	kohaku_unpack(packing, packed, back);
	REQUIRE(!memcmp(array, back, elements * 2));
	free(array);
	free(back);
	free(packed);
	free(expected);
}

static void check_packing(const struct kohaku_layout *layout, const char *name,
			  const struct kohaku_shape *shape, u64 pad)
{
	struct kohaku_reason reason = { .text = "" };
	u64 elements = elements_of(shape);
	struct kohaku_packing packing;
	int err = kohaku_packing_init(&packing, layout, shape, pad, &reason);

	if (err) {
		REQUIRE((err == -EINVAL || err == -EOVERFLOW) && *reason.text);
		REQUIRE(reason.position >= -1 && reason.position < (int)strlen(name));
		return;
	}
	REQUIRE(packing.count == (layout->batch ? layout->batch : 1));
	REQUIRE(packing.count * packing.rows * packing.cols == elements);
	REQUIRE(packing.padded_rows >= packing.rows && packing.padded_cols >= packing.cols);
	REQUIRE(packing.slots == packing.padded_rows * packing.padded_cols);
	REQUIRE(packing.stride == max(packing.slots * 2, (u64)pad));
	REQUIRE(packing.bytes == packing.stride * packing.count);
	if (packing.bytes <= SMALL)
		check_bytes(&packing, elements);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size), *rest = text;
	const char *name = strsep(&rest, "\n"), *dims = rest ? strsep(&rest, "\n") : "1";
	struct kohaku_layout layout;
	struct kohaku_shape shape;

	if (check_name(name, &layout) && check_shape(dims, &shape))
		check_packing(&layout, name, &shape, rest ? strlen(rest) * 32 : 0);
	free(text);
	return 0;
}
