// SPDX-License-Identifier: LGPL-2.1-or-later
#include "walker.h"
#include "perm.h"

#include "hw/regs.h"

/* Largest count of a walker's dimension. */
#define COUNT_MAX UINT16_MAX
/* A walk stays within 2 GiB of where it begins. */
#define REACH_MAX ((INT64_C(1) << 31) / KOHAKU_WORD_SIZE)

struct kohaku_loops walk_in_order(uint64_t words)
{
	struct kohaku_loops loops = { .count = 0 };

	loops_append(&loops, 1, words);
	return loops;
}

/* Largest divisor of a number that is a legal count. */
static uint64_t largest_count(uint64_t number)
{
	uint64_t count = COUNT_MAX;

	while (number % count)
		count--;
	return count;
}

static bool split_loop(struct kohaku_loops *loops, uint32_t i)
{
	struct kohaku_loop *loop = &loops->dims[i];
	uint64_t inner = largest_count(loop->bound);

	if (inner == 1 || loops->count >= KOHAKU_MAX_DIMS)
		return false;
	for (uint32_t k = loops->count++; k > i; k--)
		loops->dims[k] = loops->dims[k - 1];
	loops->dims[i + 1].stride = loop->stride * (int64_t)inner;
	loops->dims[i + 1].bound = loop->bound / inner;
	loop->bound = inner;
	return true;
}

bool walk_fit(struct kohaku_loops *loops)
{
	int64_t reach = 0;

	for (uint32_t i = 0; i < loops->count; i++) {
		const struct kohaku_loop *loop = &loops->dims[i];
		int64_t stride = loop->stride < 0 ? -loop->stride : loop->stride;

		if (loop->bound > COUNT_MAX && !split_loop(loops, i))
			return false;
		if (stride >= REACH_MAX)
			return false;
		reach += stride * (int64_t)(loop->bound - 1);
	}
	return loops->count <= KOHAKU_MAX_DIMS && reach < REACH_MAX;
}

void walk_add_blocks(struct kohaku_loops *loops, uint64_t count, uint64_t stride)
{
	loops_append(loops, (int64_t)(stride / KOHAKU_WORD_SIZE), count);
}

void walk_set(struct kohaku_walker *walker, const struct kohaku_loops *loops)
{
	walker->ndim = loops->count ? loops->count : 1;
	walker->dims[0].count = 1;
	/* A walker lists its dimensions outermost first. */
	for (uint32_t i = 0; i < loops->count; i++) {
		struct kohaku_dim *dim = &walker->dims[loops->count - 1 - i];

		dim->stride = loops->dims[i].stride * KOHAKU_WORD_SIZE;
		dim->count = loops->dims[i].bound;
	}
}

bool walk_is_in_order(const struct kohaku_loops *loops, uint64_t unit)
{
	return !loops->count ||
	       (loops->count == 1 && loops->dims[0].stride == (int64_t)unit);
}
