// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: .npy files.  What is read must add up, what is written must be
 * read back, and what is refused must be explained in one printable line.
 */
#include "fuzz.h"

#include <ctype.h>

#include "tools/kohaku/npy.h"

static void require_explained(int err, const struct kohaku_reason *reason)
{
	const char *c = reason->text;

	REQUIRE(err == -EINVAL || err == -EOPNOTSUPP);
	REQUIRE(*c && reason->position == -1);
	for (; *c; c++)
		REQUIRE(isprint((unsigned char)*c));
}

/* A file of the same shape, made by us. */
static void check_again(const struct npy_type *type, const struct npy *npy, size_t data)
{
	u8 *file = calloc(1, NPY_HEADER_MAX + data);
	struct kohaku_reason reason;
	struct npy again;
	size_t header;

	REQUIRE(file);
	header = npy_header_as(type, &npy->shape, (char *)file);
	REQUIRE(header % 64 == 0 && header <= NPY_HEADER_MAX && file[header - 1] == '\n');
	REQUIRE(!npy_parse_as(type, file, header + data, &again, &reason));
	REQUIRE(again.data_offset == header && again.elements == npy->elements);
	REQUIRE(!memcmp(&again.shape, &npy->shape, sizeof(again.shape)));
	/* A byte less is too little. */
	REQUIRE(npy_parse_as(type, file, header + data - 1, &again, &reason) == -EINVAL);
	free(file);
}

static bool check_as(const struct npy_type *type, const u8 *file, size_t size)
{
	struct kohaku_reason reason = { .text = "" };
	struct npy npy;
	u64 elements = 1;
	u32 i;
	int err = npy_parse_as(type, file, size, &npy, &reason);

	if (err) {
		require_explained(err, &reason);
		return false;
	}
	REQUIRE(npy.shape.ndim >= 1 && npy.shape.ndim <= KOHAKU_SHAPE_DIMS);
	for (i = 0; i < npy.shape.ndim; i++)
		REQUIRE(!__builtin_mul_overflow(elements, npy.shape.dims[i], &elements));
	REQUIRE(elements && elements == npy.elements);
	REQUIRE(npy.data_offset + elements * type->size == size);
	check_again(type, &npy, size - npy.data_offset);
	return true;
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	/* Of exactly its size, so that a step too far is seen. */
	u8 *file = malloc(size + !size);
	bool halves, single;

	REQUIRE(file);
	memcpy(file, bytes, size);
	halves = check_as(&npy_fp16, file, size);
	single = check_as(&npy_bytes, file, size);
	REQUIRE(!halves || !single);
	free(file);
	return 0;
}
