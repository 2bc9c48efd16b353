// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * How the words of walks fold into bursts.
 *
 * A burst is of words one behind the other, all in one page.  So all that counts
 * of an address is which word of a page it is, and a walk of any length is known
 * by how many of its stretches begin at each of the 128.
 */
#include "bursts.h"

#include <string.h>

static uint32_t word_of_page(uint64_t word)
{
	return word % BURSTS_PAGE;
}

void bursts_spread(struct bursts_starts *starts, int64_t stride, uint64_t bound)
{
	struct bursts_starts before = *starts;
	uint32_t step = word_of_page((uint64_t)stride);
	uint64_t period = 1;

	while (word_of_page(period * step))
		period *= 2;
	memset(starts, 0, sizeof(*starts));
	for (uint32_t word = 0; word < BURSTS_PAGE; word++) {
		/* Most often only a few words are begun at. */
		if (!before.at[word])
			continue;
		for (uint64_t i = 0; i < period && i < bound; i++)
			starts->at[word_of_page(word + i * step)] +=
				before.at[word] * (bound / period + (i < bound % period));
	}
}

static void shift(struct bursts_starts *starts, int64_t stride)
{
	struct bursts_starts before = *starts;

	for (uint32_t word = 0; word < BURSTS_PAGE; word++)
		starts->at[word_of_page(word + (uint64_t)stride)] = before.at[word];
}

static uint64_t bursts_of_stretches(const struct bursts_starts *starts, uint64_t words)
{
	uint64_t bursts = 0;

	for (uint32_t word = 0; word < BURSTS_PAGE; word++)
		bursts += starts->at[word] * ((word + words - 1) / BURSTS_PAGE + 1);
	return bursts;
}

/*
 * Steps of loop i after which the walk goes on where its last stretch ended, and
 * in the same page: the inner loops have just begun anew.
 */
static uint64_t joints(const struct kohaku_loops *loops, uint32_t i, struct bursts_starts starts)
{
	const struct kohaku_loop *loop = &loops->dims[i];
	uint64_t count = 0;

	/* All indices but the first. */
	shift(&starts, loop->stride);
	bursts_spread(&starts, loop->stride, loop->bound - 1);
	for (uint32_t k = i + 1; k < loops->count; k++)
		bursts_spread(&starts, loops->dims[k].stride, loops->dims[k].bound);
	for (uint32_t word = 1; word < BURSTS_PAGE; word++)
		count += starts.at[word];
	return count;
}

uint64_t bursts_of_walks(const struct kohaku_loops *loops, const struct bursts_starts *starts)
{
	struct bursts_starts all = *starts;
	uint64_t words = 1, joined = 0;
	int64_t back = 0;
	uint32_t i = 0;

	for (; i < loops->count && loops->dims[i].stride == (int64_t)words; i++)
		words *= loops->dims[i].bound;
	for (; i < loops->count; i++) {
		const struct kohaku_loop *loop = &loops->dims[i];

		if (loop->stride - back == (int64_t)words)
			joined += joints(loops, i, *starts);
		back += loop->stride * (int64_t)(loop->bound - 1);
		bursts_spread(&all, loop->stride, loop->bound);
	}
	return bursts_of_stretches(&all, words) - joined;
}
