// SPDX-License-Identifier: GPL-2.0
/*
 * Moves of the model, 1 MiB each, against plain C on the same bytes.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/node.h"
#include "sim/occupant/mxfp7.h"

#define SIZE	(1U << 20)
#define WORDS	(SIZE / KOHAKU_WORD)
#define SRC	0x4000000ULL
#define DST	0x8000000ULL
#define INDICES	0xC000000ULL
#define SIDE	128		/* x 256 words: a transpose */
#define RANDOM_ROWS 2048

struct sim_bench {
	struct sim_node *node;
	u64 ctrl;		/* what starts the move that is set up */
	u8 *from, *to;
	u32 rows[RANDOM_ROWS];
};

static void write_register(struct sim_bench *bench, u32 offset, u64 value)
{
	sim_window_write(bench->node, 0, KOHAKU_CTL_AUX_CFG + offset, value, 0xFF);
}

static void set_dim(struct sim_bench *bench, u32 walker, u32 dim, u32 count, s32 stride)
{
	write_register(bench, KOHAKU_REG_DIM_STAGE,
		       walker | KOHAKU_PUT(KOHAKU_DIM_INDEX, dim) |
			       KOHAKU_PUT(KOHAKU_DIM_COUNT, count) |
			       KOHAKU_PUT(KOHAKU_DIM_STRIDE, (u32)stride));
	write_register(bench, KOHAKU_REG_DIM_LATCH, 0);
}

/* A walk of rows x columns words. */
static void set_walker(struct sim_bench *bench, u32 walker, u64 base, u32 rows, s32 row_stride,
		       u32 columns, s32 column_stride)
{
	write_register(bench, KOHAKU_REG_HEADER,
		       walker | KOHAKU_PUT(KOHAKU_HEADER_BASE, base) |
			       KOHAKU_PUT(KOHAKU_HEADER_NDIM, 2) |
			       (walker ? 0 : KOHAKU_PUT(KOHAKU_HEADER_XFORM, 1)));
	set_dim(bench, walker, 0, rows, row_stride);
	set_dim(bench, walker, 1, columns, column_stride);
}

static void set_up(struct sim_bench *bench, u32 mode)
{
	bench->ctrl = mode | KOHAKU_CTRL_COALESCE | KOHAKU_CTRL_GO;
	set_walker(bench, 0, SRC, SIDE, SIZE / SIDE, WORDS / SIDE, KOHAKU_WORD);
	set_walker(bench, 1, DST, SIDE, SIZE / SIDE, WORDS / SIDE, KOHAKU_WORD);
}

static void move(void *ctx)
{
	struct sim_bench *bench = ctx;

	write_register(bench, KOHAKU_REG_CTRL, bench->ctrl);
	while (sim_mesh_run(bench->node, 0, SIM_POLL_WORDS))
		;
}

static void by_memcpy(void *ctx)
{
	struct sim_bench *bench = ctx;

	memcpy(bench->to, bench->from, SIZE);
	__asm__ volatile("" ::: "memory");
}

static void by_memset(void *ctx)
{
	struct sim_bench *bench = ctx;

	memset(bench->to, 0x5A, SIZE);
	__asm__ volatile("" ::: "memory");
}

static void by_scalar(void *ctx)
{
	struct sim_bench *bench = ctx;

	mxfp7_quantise_scalar(0, bench->from, bench->to, WORDS / 8);
	__asm__ volatile("" ::: "memory");
}

static void by_index(void *ctx)
{
	struct sim_bench *bench = ctx;
	u32 i;

	for (i = 0; i < RANDOM_ROWS; i++)
		memcpy(bench->to + i * KOHAKU_WORD, bench->from + bench->rows[i] * KOHAKU_WORD,
		       KOHAKU_WORD);
	__asm__ volatile("" ::: "memory");
}

static void run(struct sim_bench *bench, const char *name, void (*reference)(void *ctx),
		u64 bytes)
{
	struct bench subject = { name, move, reference, bench, bytes, false, 0 };

	bench_run(&subject);
}

static void run_copies(struct sim_bench *bench)
{
	set_up(bench, KOHAKU_MODE_COPY);
	run(bench, "COPY contiguous / memcpy", by_memcpy, SIZE);
	/* Rows of 8 words taken from every other 256 bytes. */
	set_walker(bench, 0, SRC, WORDS / 8, 512, 8, KOHAKU_WORD);
	run(bench, "COPY rows of 256 bytes / memcpy", by_memcpy, SIZE);
	set_walker(bench, 0, SRC, 1, 0, WORDS, 3 * KOHAKU_WORD);
	run(bench, "COPY every third word / memcpy", by_memcpy, SIZE);
	set_walker(bench, 0, SRC, SIDE, KOHAKU_WORD, WORDS / SIDE, SIDE * KOHAKU_WORD);
	run(bench, "COPY transpose of words / memcpy", by_memcpy, SIZE);
}

static void run_fills(struct sim_bench *bench)
{
	set_up(bench, KOHAKU_MODE_FILL);
	write_register(bench, KOHAKU_REG_IMM, 0x5A5A);
	bench->ctrl |= KOHAKU_PUT(KOHAKU_CTRL_WIDTH, 1);
	run(bench, "FILL one byte / memset", by_memset, SIZE);
	write_register(bench, KOHAKU_REG_IMM, 0x1234);
	run(bench, "FILL two bytes / memset", by_memset, SIZE);
	set_up(bench, KOHAKU_MODE_GENERATE);
	run(bench, "GENERATE / memset", by_memset, SIZE);
}

static void run_gather(struct sim_bench *bench)
{
	u32 i;

	for (i = 0; i < RANDOM_ROWS; i++)
		bench->rows[i] = i * 2654435761U % WORDS;
	sim_mem_write(bench->node, KOHAKU_HOST_WINDOW(0) | INDICES, bench->rows,
		      sizeof(bench->rows));
	set_up(bench, KOHAKU_MODE_GATHER);
	set_walker(bench, 1, DST, 1, 0, RANDOM_ROWS, KOHAKU_WORD);
	write_register(bench, KOHAKU_REG_INDEX,
		       INDICES | KOHAKU_PUT(KOHAKU_INDEX_COUNT, RANDOM_ROWS));
	write_register(bench, KOHAKU_REG_GATHER,
		       KOHAKU_WORD | KOHAKU_PUT(KOHAKU_GATHER_WORDS, 1));
	run(bench, "GATHER random words / index loop", by_index, RANDOM_ROWS * KOHAKU_WORD);
}

static void run_quantise(struct sim_bench *bench)
{
	u32 i;

	for (i = 0; i < SIZE; i++)
		bench->from[i] = (u8)(i * 2654435761U >> 13);
	sim_mem_write(bench->node, KOHAKU_HOST_WINDOW(0) | SRC, bench->from, SIZE);
	set_up(bench, KOHAKU_MODE_XFORM);
	set_walker(bench, 1, DST, 1, 0, WORDS / 8, 4 * KOHAKU_WORD);
	run(bench, "XFORM quantise / scalar loop", by_scalar, SIZE);
}

int bench_sim(void)
{
	struct sim_config config = { .meshes = 1, .slot_depth = 1 };
	struct sim_bench bench = {
		.node = sim_node_create(&config),
		.from = calloc(1, SIZE),
		.to = calloc(1, SIZE),
	};
	bool ok = bench.node && bench.from && bench.to;

	if (ok) {
		memset(bench.from, 1, SIZE);
		run_copies(&bench);
		run_fills(&bench);
		run_gather(&bench);
		run_quantise(&bench);
	} else {
		fprintf(stderr, "out of memory\n");
	}
	sim_node_destroy(bench.node);
	free(bench.from);
	free(bench.to);
	return ok ? 0 : 1;
}
