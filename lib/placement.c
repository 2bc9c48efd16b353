// SPDX-License-Identifier: LGPL-2.1-or-later
/* Where buffers go, and tables that are shorter than what they are applied to. */
#include "reason.h"

#include <errno.h>

enum kohaku_tier kohaku_placement(enum kohaku_wish wish, size_t conversions)
{
	if (wish == KOHAKU_WISH_DRAM)
		return KOHAKU_TIER_DRAM;
	if (wish == KOHAKU_WISH_STAGING)
		return KOHAKU_TIER_STAGING;
	return conversions ? KOHAKU_TIER_STAGING : KOHAKU_TIER_DRAM;
}

int kohaku_periodic_walk(uint64_t period, uint64_t words, struct kohaku_loops *loops,
			 struct kohaku_reason *reason)
{
	if (!period || !words || words % period)
		return reason_set(reason, -EDOM, -1,
				  "a table of %llu words does not go into %llu without a rest",
				  (unsigned long long)period, (unsigned long long)words);
	loops->count = 0;
	if (period > 1)
		loops->dims[loops->count++] = (struct kohaku_loop){ 1, period };
	if (words > period)
		loops->dims[loops->count++] = (struct kohaku_loop){ 0, words / period };
	return 0;
}
