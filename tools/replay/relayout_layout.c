// SPDX-License-Identifier: GPL-2.0
/* Recordings of layouts, factorisations and moves that convert. */
#include "relayout.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* For each slot of a packed buffer the number of its element, from 1. */
static uint32_t *whole_image(const struct kohaku_packing *packing)
{
	uint32_t *image = calloc(packing->bytes / 2, sizeof(*image)), id = 1;

	for (uint64_t block = 0; image && block < packing->count; block++)
		for (uint64_t row = 0; row < packing->rows; row++)
			for (uint64_t col = 0; col < packing->cols; col++)
				image[block * packing->stride / 2 +
				      kohaku_packing_slot(packing, row, col)] = id++;
	return image;
}

/* Do packing and unpacking agree with the image, modulo 16 bits? */
static bool packs_alike(const struct kohaku_packing *packing, const uint32_t *image)
{
	uint64_t slots = packing->bytes / 2;
	uint64_t elements = packing->count * packing->rows * packing->cols;
	uint16_t *array = malloc(elements * 2), *packed = malloc(slots * 2);
	bool ok = array && packed;

	for (uint64_t i = 0; ok && i < elements; i++)
		array[i] = i + 1;
	if (ok) {
		memset(packed, 0xff, slots * 2);
		kohaku_pack(packing, array, packed);
	}
	for (uint64_t i = 0; ok && i < slots; i++)
		ok = packed[i] == (uint16_t)image[i];
	if (ok) {
		memset(array, 0xff, elements * 2);
		kohaku_unpack(packing, packed, array);
	}
	for (uint64_t i = 0; ok && i < elements; i++)
		ok = array[i] == (uint16_t)(i + 1);
	free(array);
	free(packed);
	return ok;
}

static bool same_image(struct recording *recording, const uint32_t *image, uint64_t slots)
{
	uint64_t hash = REPLAY_FNV_START;

	for (uint64_t i = 0; i < slots; i++)
		hash = fnv_number(hash, image[i]);
	if (!same(recording, "digest", hash, hex_after(recording, "fnv")))
		return false;
	if (!number_after(recording, "full"))
		return true;
	if (!recording_next(recording))
		return false;
	for (uint64_t i = 0; i < slots; i++)
		if (!same(recording, "slot", image[i], token_number(recording, i)))
			return false;
	return true;
}

enum outcome relayout_layout(struct recording *recording)
{
	struct kohaku_shape shape = { .ndim = number_after(recording, "ndim") };
	size_t dims = after(recording, "ndim") + 1;
	struct kohaku_packing packing;
	struct kohaku_reason reason;
	struct kohaku_layout layout;
	uint32_t *image;
	bool ok;

	for (uint32_t i = 0; i < shape.ndim; i++)
		shape.dims[i] = token_number(recording, dims + i);
	if (kohaku_layout_parse(token(recording, 1), &layout, &reason) ||
	    kohaku_packing_init(&packing, &layout, &shape, number_after(recording, "pad"),
				&reason))
		return fail(recording, "%s", reason.text);
	if (!same(recording, "size", packing.bytes, number_after(recording, "nbytes")))
		return FAILED;
	image = whole_image(&packing);
	ok = image && same_image(recording, image, packing.bytes / 2);
	if (ok && !packs_alike(&packing, image)) {
		fail(recording, "packing does not follow the layout");
		ok = false;
	}
	free(image);
	return ok ? PASSED : FAILED;
}

/* "LABEL K s b ..", or "LABEL none", for a walk and a limit. */
static bool same_factors(const struct recording *recording, const int64_t *walk, uint64_t length,
			 uint32_t limit)
{
	struct kohaku_loops loops;
	int error = kohaku_affine_factor(walk, length, limit, &loops);

	if (token_is(recording, 1, "none"))
		return error ? true : (fail(recording, "factored, recorded none"), false);
	if (error)
		return fail(recording, "not factored within %u", limit), false;
	return same_loops(recording, 1, &loops);
}

enum outcome relayout_affine(struct recording *recording)
{
	uint64_t length = token_number(recording, 1);
	int64_t *walk = calloc(length, sizeof(*walk));
	bool ok = walk;

	for (uint64_t i = 0; walk && i < length; i++)
		walk[i] = token_number(recording, 2 + i);
	ok = ok && recording_next_if(recording, "a4") && same_factors(recording, walk, length, 4);
	ok = ok && recording_next_if(recording, "a6") && same_factors(recording, walk, length, 6);
	free(walk);
	return ok ? PASSED : FAILED;
}

static bool same_walk(const struct recording *recording, const char *word, bool have,
		      const struct kohaku_loops *ours)
{
	size_t at = after(recording, word);

	if (have == token_is(recording, at, "none"))
		return fail(recording, "%s: we %s it", word, have ? "have" : "lack"), false;
	return !have || same_loops(recording, at, ours);
}

enum outcome relayout_mover(struct recording *recording)
{
	struct kohaku_packing before, after_packing;
	struct kohaku_mover_form form;
	int error;

	if (!take_conversion(recording, 1, 1, &before, &after_packing))
		return fail(recording, "unreadable");
	error = kohaku_mover_form(&before, &after_packing, &form, NULL);
	if (error && error != -EDOM)
		return fail(recording, "%s", strerror(-error));
	if (!same(recording, "words", form.words, number_after(recording, "total")) ||
	    !same_walk(recording, "dst", form.scatter_ok, &form.scatter) ||
	    !same_walk(recording, "src", form.gather_ok, &form.gather))
		return FAILED;
	return PASSED;
}
