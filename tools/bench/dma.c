// SPDX-License-Identifier: GPL-2.0
/*
 * Reads and writes of a buffer against memcpy() of the same bytes in this process:
 * on a card by DMA, on a simulated node by a copy in the kernel.
 */
#include "bench.h"

#include "lib/kohaku.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGEST (64U << 20)

static const uint64_t sizes[] = { 4 << 10, 64 << 10, 1 << 20, 16 << 20, LARGEST };

struct dma_bench {
	struct kohaku_buffer *buffer;
	char *data, *copy;
	uint64_t bytes;
	int error;
};

static void write_buffer(void *ctx)
{
	struct dma_bench *bench = ctx;
	int error = kohaku_buffer_write(bench->buffer, 0, bench->data, bench->bytes);

	bench->error = bench->error ? bench->error : error;
}

static void read_buffer(void *ctx)
{
	struct dma_bench *bench = ctx;
	int error = kohaku_buffer_read(bench->buffer, 0, bench->data, bench->bytes);

	bench->error = bench->error ? bench->error : error;
}

static void copy_memory(void *ctx)
{
	struct dma_bench *bench = ctx;

	memcpy(bench->copy, bench->data, bench->bytes);
	__asm__ volatile("" ::: "memory");
}

static void run(struct dma_bench *bench, const char *what, void (*measured)(void *ctx))
{
	char name[64];
	const struct bench subject = {
		name, measured, copy_memory, bench, bench->bytes, true,
		bench->bytes < LARGEST / 4 ? 0 : 11,
	};

	snprintf(name, sizeof(name), "%s %6llu KiB / memcpy", what,
		 (unsigned long long)bench->bytes >> 10);
	bench_run(&subject);
}

/* Did all bytes arrive?  A ratio of transfers that move nothing is none. */
static int prove(struct dma_bench *bench)
{
	uint64_t i;

	for (i = 0; i < LARGEST; i++)
		bench->data[i] = (char)(i * 2654435761U >> 11);
	memcpy(bench->copy, bench->data, LARGEST);
	bench->bytes = LARGEST;
	write_buffer(bench);
	memset(bench->data, 0, LARGEST);
	read_buffer(bench);
	if (!bench->error && memcmp(bench->data, bench->copy, LARGEST)) {
		fprintf(stderr, "kohaku-bench: dma: other bytes came back\n");
		return 1;
	}
	return bench->error;
}

static int measure(struct dma_bench *bench, const char *pages)
{
	size_t i;

	printf("pages of %s\n", pages);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]) && !bench->error; i++) {
		bench->bytes = sizes[i];
		run(bench, "BUF_WRITE", write_buffer);
		run(bench, "BUF_READ ", read_buffer);
	}
	return bench->error;
}

static char *map(int advice)
{
	/* Aligned to what a huge page is. */
	char *data = aligned_alloc(2 << 20, LARGEST);

	if (!data)
		return NULL;
	madvise(data, LARGEST, advice);
	memset(data, 1, LARGEST);
	return data;
}

static int run_with(struct dma_bench *bench, const char *pages, int advice)
{
	int failed = 1;

	bench->data = map(advice);
	bench->copy = map(advice);
	if (bench->data && bench->copy)
		failed = prove(bench) || measure(bench, pages);
	free(bench->data);
	free(bench->copy);
	return failed;
}

int bench_dma(void)
{
	struct dma_bench bench = { .data = NULL };
	struct kohaku_device *device = NULL;
	int failed = 1;

	bench.error = kohaku_open(NULL, &device);
	if (!bench.error)
		bench.error = kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, LARGEST,
						  &bench.buffer);
	if (!bench.error)
		failed = run_with(&bench, "4 KiB", MADV_NOHUGEPAGE) ||
			 run_with(&bench, "2 MiB", MADV_HUGEPAGE);
	if (bench.error)
		fprintf(stderr, "kohaku-bench: dma: %s\n", strerror(-bench.error));
	kohaku_close(device);
	return failed;
}
