/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kohaku-bench: ratios taken in one process, in rounds of both sides by turns.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdint.h>

/* One thing to measure and what it is held against. */
struct bench {
	const char *name;
	void (*measured)(void *ctx);
	void (*reference)(void *ctx);
	void *ctx;
	uint64_t bytes;		/* that each of them moves */
};

/* Prints median and spread of reference time / measured time, and the rate. */
void bench_run(const struct bench *bench);

int bench_sim(void);
int bench_relayout(void);
int bench_submit(void);

#endif
