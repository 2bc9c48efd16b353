/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the words of walks fold into bursts of the memory bus. */
#ifndef LIB_BURSTS_H
#define LIB_BURSTS_H

#include "kohaku_relayout.h"

#include "hw/regs.h"

#define BURSTS_PAGE (KOHAKU_BURST_PAGE / KOHAKU_WORD_SIZE)

/* Where walks begin: how many of them at each word of a page. */
struct bursts_starts {
	uint64_t at[BURSTS_PAGE];
};

/* For every walk so far, as many as bound, each stride words behind the one before. */
void bursts_spread(struct bursts_starts *starts, int64_t stride, uint64_t bound);
/* Of all walks together; none goes on where another one ended. */
uint64_t bursts_of_walks(const struct kohaku_loops *loops, const struct bursts_starts *starts);

#endif
