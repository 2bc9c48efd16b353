// SPDX-License-Identifier: GPL-2.0
/*
 * Rounds, medians, spreads.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS		31
#define ROUND_NS	2000000

/* Of this thread alone: others on the machine must not count. */
static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* Nanoseconds of one call, out of as many as fill a slice of time. */
static double time_of(void (*call)(void *ctx), void *ctx)
{
	uint64_t start = now(), end;
	unsigned int calls = 0;

	do {
		call(ctx);
		calls++;
		end = now();
	} while (end - start < ROUND_NS);
	return (double)(end - start) / calls;
}

static int by_value(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

void bench_run(const struct bench *bench)
{
	double ratio[ROUNDS], rate[ROUNDS];
	int i;

	for (i = 0; i < ROUNDS; i++) {
		double reference = time_of(bench->reference, bench->ctx);
		double measured = time_of(bench->measured, bench->ctx);

		ratio[i] = reference / measured;
		rate[i] = (double)bench->bytes / measured;
	}
	qsort(ratio, ROUNDS, sizeof(ratio[0]), by_value);
	qsort(rate, ROUNDS, sizeof(rate[0]), by_value);
	printf("%-34s ratio %6.2f (%.2f .. %.2f)  %7.2f GB/s\n", bench->name, ratio[ROUNDS / 2],
	       ratio[ROUNDS / 10], ratio[ROUNDS - 1 - ROUNDS / 10], rate[ROUNDS / 2]);
}
