// SPDX-License-Identifier: LGPL-2.1-or-later
/* Walks as nested loops. */
#include "perm.h"

#include <errno.h>

/* How often the first span offsets repeat from the start, step further each time. */
static uint64_t repetitions(const int64_t *walk, uint64_t length, uint64_t span, int64_t step)
{
	uint64_t bound = 1;

	while (span * (bound + 1) <= length) {
		const int64_t *copy = walk + span * bound;

		for (uint64_t i = 0; i < span; i++)
			if (copy[i] - walk[i] != (int64_t)bound * step)
				return bound;
		bound++;
	}
	return bound;
}

int kohaku_affine_factor(const int64_t *walk, uint64_t length, uint32_t limit,
			 struct kohaku_loops *loops)
{
	uint64_t span = 1;

	loops->count = 0;
	while (span < length) {
		int64_t step = walk[span] - walk[0];
		uint64_t bound = repetitions(walk, length, span, step);

		if (bound == 1 || loops->count == KOHAKU_LOOPS_MAX)
			return -EDOM;
		loops->dims[loops->count++] = (struct kohaku_loop){ step, bound };
		span *= bound;
	}
	if (span != length)
		return -EDOM;
	return loops->count > limit ? -E2BIG : 0;
}

int64_t kohaku_affine_at(const struct kohaku_loops *loops, uint64_t index)
{
	int64_t offset = 0;

	for (uint32_t i = 0; i < loops->count; i++) {
		const struct kohaku_loop *loop = &loops->dims[i];

		offset += loop->stride * (int64_t)(index % loop->bound);
		index /= loop->bound;
	}
	return offset;
}

void loops_append(struct kohaku_loops *loops, int64_t stride, uint64_t bound)
{
	struct kohaku_loop *next = &loops->dims[loops->count];

	if (bound == 1)
		return;
	if (loops->count && next[-1].stride * (int64_t)next[-1].bound == stride) {
		next[-1].bound *= bound;
	} else {
		*next = (struct kohaku_loop){ stride, bound };
		loops->count++;
	}
}

bool loops_split(const struct kohaku_loops *loops, uint64_t at, struct kohaku_loops *inner,
		 struct kohaku_loops *outer)
{
	uint32_t i;

	inner->count = 0;
	outer->count = 0;
	for (i = 0; i < loops->count; i++) {
		int64_t stride = loops->dims[i].stride;
		uint64_t bound = loops->dims[i].bound;

		if (at % bound == 0) {
			loops_append(inner, stride, bound);
			at /= bound;
			continue;
		}
		if (bound % at)
			return false;
		loops_append(inner, stride, at);
		loops_append(outer, stride * (int64_t)at, bound / at);
		at = 1;
	}
	return at == 1;
}
