// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Whether a pass of the vector core may run. */
#include "vector.h"

/* Fours of words are transposed 16 words at a time at least. */
#define TRANSPOSE_GRAIN 16

static bool sizes_valid(const struct kohaku_vector_pass *pass)
{
	if (!pass->words || pass->words > KOHAKU_VECTOR_WALK_MAX || !pass->total)
		return false;
	if (pass->transpose && pass->words % TRANSPOSE_GRAIN)
		return false;
	return pass->total % pass->words == 0 && pass->ndim <= KOHAKU_VECTOR_DIMS;
}

/* Finds the lowest and the highest word of a run's walk. */
static bool walk_span(const struct kohaku_vector_pass *pass, s64 *lo, s64 *hi)
{
	u64 words = 1;
	u32 i;

	*lo = 0;
	*hi = 0;
	for (i = 0; i < pass->ndim; i++) {
		const struct kohaku_vector_dim *dim = &pass->dims[i];
		s64 bytes = (s64)dim->stride * KOHAKU_WORD;
		s64 reach = (s64)dim->stride * ((s64)dim->bound - 1);

		if (bytes < KOHAKU_VECTOR_STRIDE_MIN || bytes > KOHAKU_VECTOR_STRIDE_MAX ||
		    !dim->bound || dim->bound > pass->words)
			return false;
		words *= dim->bound;
		if (words > pass->words)
			return false;
		if (reach < 0)
			*lo += reach;
		else
			*hi += reach;
	}
	return words == pass->words;
}

int kohaku_vector_check(const struct kohaku_vector_pass *pass)
{
	s64 lo, hi;
	u32 runs, i;

	if (!sizes_valid(pass) || !walk_span(pass, &lo, &hi))
		return -EINVAL;
	runs = pass->total / pass->words;
	for (i = 0; i < runs; i++) {
		s64 first = pass->offsets ? (s64)pass->offsets[i] : (s64)i * pass->words;

		if (first + lo < 0 || first + hi >= pass->total)
			return -EINVAL;
	}
	return 0;
}

u32 kohaku_vector_copy_width(u64 total)
{
	u32 words = KOHAKU_VECTOR_WALK_MAX;

	while (total % words)
		words--;
	return words;
}

void kohaku_vector_copy(u32 total, struct kohaku_vector_pass *pass)
{
	u32 words = kohaku_vector_copy_width(total);

	memset(pass, 0, sizeof(*pass));
	pass->words = words;
	pass->total = total;
	pass->ndim = 1;
	pass->dims[0].stride = 1;
	pass->dims[0].bound = words;
}
