// SPDX-License-Identifier: GPL-2.0
/* Packing against memcpy(), and how long plans and routes take. */
#include "bench.h"

#include "lib/kohaku_relayout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROWS 512
#define COLS 1024
#define BYTES (ROWS * COLS * 2)

/* An array and its packed form. */
struct arrays {
	struct kohaku_packing packing;
	char *array;
	char *packed;
};

static void measure_pack(void *ctx)
{
	struct arrays *arrays = ctx;

	kohaku_pack(&arrays->packing, arrays->array, arrays->packed);
}

static void measure_unpack(void *ctx)
{
	struct arrays *arrays = ctx;

	kohaku_unpack(&arrays->packing, arrays->packed, arrays->array);
}

static void measure_memcpy(void *ctx)
{
	struct arrays *arrays = ctx;

	memcpy(arrays->packed, arrays->array, BYTES);
}

static void take_packing(const char *name, uint64_t rows, uint64_t cols,
			 struct kohaku_packing *packing)
{
	const struct kohaku_shape shape = { 2, { rows, cols } };
	struct kohaku_layout layout;

	if (kohaku_layout_parse(name, &layout, NULL) ||
	    kohaku_packing_init(packing, &layout, &shape, 0, NULL))
		abort();
}

static void bench_packing(const char *name, struct arrays *arrays)
{
	char pack[64], unpack[64];
	const struct bench benches[] = {
		{ pack, measure_pack, measure_memcpy, arrays, BYTES, false, 0 },
		{ unpack, measure_unpack, measure_memcpy, arrays, BYTES, false, 0 },
	};

	snprintf(pack, sizeof(pack), "pack %s", name);
	snprintf(unpack, sizeof(unpack), "unpack %s", name);
	take_packing(name, ROWS, COLS, &arrays->packing);
	bench_run(&benches[0]);
	bench_run(&benches[1]);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec + now.tv_nsec * 1e-9;
}

/* The best of many: the planner computes and does nothing else. */
static void bench_plan(const char *from, const char *to, uint64_t rows, uint64_t cols)
{
	const struct kohaku_terms terms = { .vector = true, .slot_depth = 1, .room = 2 << 20 };
	struct kohaku_packing before, after;
	double best_plan = 1e9, best_route = 1e9;
	struct kohaku_route route;
	struct kohaku_plan plan;

	take_packing(from, rows, cols, &before);
	take_packing(to, rows, cols, &after);
	for (int i = 0; i < 50; i++) {
		double start = seconds(), planned;

		if (!kohaku_plan_init(&plan, &before, &after, NULL, NULL))
			kohaku_plan_fini(&plan);
		planned = seconds();
		if (!kohaku_route_init(&route, &before, &after, &terms, NULL, NULL))
			kohaku_route_fini(&route);
		if (planned - start < best_plan)
			best_plan = planned - start;
		if (seconds() - planned < best_route)
			best_route = seconds() - planned;
	}
	printf("%-15s -> %-15s %8llu words: plan %8.1f us, route %8.1f us\n", from, to,
	       (unsigned long long)before.slots / 16, best_plan * 1e6, best_route * 1e6);
}

int bench_relayout(void)
{
	static const char *const names[] = {
		"flat", "entry:8x2", "entry:1x1", "tile:16x32:8x8", "tile:8x128:16x2",
	};
	struct arrays arrays = { .array = malloc(BYTES), .packed = malloc(BYTES) };
	bool ok = arrays.array && arrays.packed;

	if (ok) {
		memset(arrays.array, 1, BYTES);
		memset(arrays.packed, 2, BYTES);
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			bench_packing(names[i], &arrays);
	}
	free(arrays.array);
	free(arrays.packed);
	if (!ok)
		return 1;
	bench_plan("flat", "entry:8x2", 1024, 64);
	bench_plan("tile:32x2:8x8", "flat", 1024, 64);
	bench_plan("tile:2x8:8x8", "tile:8x2:2x32", 64, 256);
	bench_plan("flat", "entry:8x2", 16384, 64);
	bench_plan("flat", "entry:8x2", 262144, 64);
	bench_plan("tile:64x64:12x1", "tile:96x32:8x2", 3072, 256);
	return 0;
}
