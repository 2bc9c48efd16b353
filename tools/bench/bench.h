/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kohaku-bench: ratios taken in one process, in rounds of both sides by turns.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stdint.h>

/* One thing to measure and what it is held against. */
struct bench {
	const char *name;
	void (*measured)(void *ctx);
	void (*reference)(void *ctx);
	void *ctx;
	uint64_t bytes;		/* that each of them moves */
	bool waits;		/* for somebody else: time on the clock counts */
	int rounds;		/* 0: enough for a good spread */
};

/* Prints the median, p10 and p90 of reference time / measured time, and the rate. */
void bench_run(const struct bench *bench);

/*
 * Nanoseconds of one call, in the shortest of ten rounds with that many calls each:
 * the others also hold what else the machine did.  Negative if a call did not return 0.
 */
double bench_cost(int (*call)(void *ctx), void *ctx, int calls);

int bench_sim(void);
int bench_relayout(void);
int bench_submit(void);
int bench_dma(void);
int bench_uring(void);

#endif
