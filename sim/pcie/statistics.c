// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What the DMA engines have done, and how fast next to a plain copy.
 */
#include "sim/pcie/statistics.h"

#include <stdlib.h>
#include <time.h>

#include "sim/pcie/endpoint.h"

#define COPY_SIZE	(64U << 20)	/* more than any cache holds */
#define ROUNDS		11

static u64 now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

void pcie_statistics_start(struct pcie_statistics *statistics)
{
	statistics->chains++;
	statistics->since = now(CLOCK_MONOTONIC);
}

void pcie_statistics_stop(struct pcie_statistics *statistics)
{
	statistics->busy_ns += now(CLOCK_MONOTONIC) - statistics->since;
}

static int by_value(const void *a, const void *b)
{
	double difference = *(const double *)a - *(const double *)b;

	return (difference > 0) - (difference < 0);
}

/* Bytes a nanosecond of rounds of memcpy(), slowest first; false without memory. */
static bool measure_copy(double rate[ROUNDS])
{
	u8 *from = malloc(COPY_SIZE), *to = malloc(COPY_SIZE);
	u32 i;

	for (i = 0; from && to && i <= ROUNDS; i++) {
		u64 start = now(CLOCK_PROCESS_CPUTIME_ID);

		/* The first round only fetches the pages. */
		memset(from, i, i ? 1 : COPY_SIZE);
		memcpy(to, from, COPY_SIZE);
		__asm__ volatile("" ::: "memory");
		if (i)
			rate[i - 1] = (double)COPY_SIZE /
				      (double)(now(CLOCK_PROCESS_CPUTIME_ID) - start);
	}
	free(from);
	free(to);
	if (i)
		qsort(rate, ROUNDS, sizeof(rate[0]), by_value);
	return i;
}

static void print_engine(const struct pcie_statistics *statistics, const char *name,
			 double copy, FILE *to)
{
	double rate = statistics->busy_ns ?
		      (double)statistics->bytes / (double)statistics->busy_ns : 0;

	fprintf(to, "%s %llu chains, %llu descriptors, %llu bytes in %.3f s: %.2f GB/s, %.2f of memcpy()\n",
		name, (unsigned long long)statistics->chains,
		(unsigned long long)statistics->descriptors,
		(unsigned long long)statistics->bytes, (double)statistics->busy_ns * 1e-9, rate,
		rate / copy);
}

/*
 * The same for all that the process did, the registers included, by the time that
 * it had a processor: that does not depend on what else the machine does.
 */
static void print_process(const struct pcie_endpoint *endpoint, u64 cpu_ns, double copy, FILE *to)
{
	u64 bytes = endpoint->statistics[PCIE_H2C].bytes + endpoint->statistics[PCIE_C2H].bytes;
	double rate = (double)bytes / (double)cpu_ns;

	fprintf(to, "both %llu bytes in %.3f s of processor time: %.2f GB/s, %.2f of memcpy()\n",
		(unsigned long long)bytes, (double)cpu_ns * 1e-9, rate, rate / copy);
}

void pcie_statistics_print(const struct pcie_endpoint *endpoint, FILE *to)
{
	u64 cpu_ns = now(CLOCK_PROCESS_CPUTIME_ID);
	double rate[ROUNDS];

	if (!measure_copy(rate))
		return;
	fprintf(to, "memcpy() %.2f GB/s (%.2f .. %.2f)\n", rate[ROUNDS / 2], rate[ROUNDS / 10],
		rate[ROUNDS - 1 - ROUNDS / 10]);
	print_engine(&endpoint->statistics[PCIE_H2C], "H2C", rate[ROUNDS / 2], to);
	print_engine(&endpoint->statistics[PCIE_C2H], "C2H", rate[ROUNDS / 2], to);
	print_process(endpoint, cpu_ns, rate[ROUNDS / 2], to);
	fprintf(to, "%llu accesses to registers, %llu interrupts\n",
		(unsigned long long)endpoint->accesses, (unsigned long long)endpoint->interrupts);
}
