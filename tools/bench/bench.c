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
#define SHORT_ROUNDS	10

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

/* Nanoseconds of one call, out of as many as fill a slice of time. */
static double time_of(const struct bench *bench, void (*call)(void *ctx))
{
	/* Where all is done by this thread others on the machine do not count. */
	clockid_t clock = bench->waits ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
	uint64_t start = now(clock), end;
	unsigned int calls = 0;

	do {
		call(bench->ctx);
		calls++;
		end = now(clock);
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
	int rounds = bench->rounds && bench->rounds < ROUNDS ? bench->rounds : ROUNDS;
	int i;

	for (i = 0; i < rounds; i++) {
		double reference = time_of(bench, bench->reference);
		double measured = time_of(bench, bench->measured);

		ratio[i] = reference / measured;
		rate[i] = (double)bench->bytes / measured;
	}
	qsort(ratio, rounds, sizeof(ratio[0]), by_value);
	qsort(rate, rounds, sizeof(rate[0]), by_value);
	printf("%-34s ratio %6.2f (%.2f .. %.2f)  %7.2f GB/s\n", bench->name, ratio[rounds / 2],
	       ratio[rounds / 10], ratio[rounds - 1 - rounds / 10], rate[rounds / 2]);
}

double bench_cost(int (*call)(void *ctx), void *ctx, int calls)
{
	double least = 0, cost;
	uint64_t start;
	int round, i;

	/* What only the first calls do, such as to allocate, is left out that way too. */
	for (round = 0; round < SHORT_ROUNDS; round++) {
		start = now(CLOCK_MONOTONIC);
		for (i = 0; i < calls; i++) {
			if (call(ctx))
				return -1;
		}
		cost = (double)(now(CLOCK_MONOTONIC) - start) / calls;
		least = round && least < cost ? least : cost;
	}
	return least;
}
