// SPDX-License-Identifier: GPL-2.0
/*
 * What a submission costs, next to the cheapest system call there is.  In a
 * machine that counts instructions (tools/vm/run --icount) a nanosecond is one.
 */
#include "bench.h"

#include <errno.h>
#include "lib/kohaku.h"
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS	256
#define BATCH	64
#define PAGE	4096

struct submit_bench {
	struct kohaku_device *device;
	struct kohaku_buffer *buffer;
	struct kohaku_job *marker, *copy, *batch;
};

static int call_nothing(void *ctx)
{
	(void)ctx;
	return syscall(SYS_getppid) < 0;
}

static int call_unknown(void *ctx)
{
	struct submit_bench *bench = ctx;

	return !ioctl(kohaku_device_fd(bench->device), 0, NULL) || errno != ENOTTY;
}

static int call_marker(void *ctx)
{
	struct submit_bench *bench = ctx;

	return kohaku_job_run(bench->marker, bench->device, NULL);
}

static int call_copy(void *ctx)
{
	struct submit_bench *bench = ctx;

	return kohaku_job_run(bench->copy, bench->device, NULL);
}

static int call_batch(void *ctx)
{
	struct submit_bench *bench = ctx;

	return kohaku_job_run(bench->batch, bench->device, NULL);
}

static const struct submit_call {
	const char *name;
	int (*call)(void *ctx);
	int operations;
} calls[] = {
	{ "getppid()", call_nothing, 1 },
	{ "ioctl() of no such command", call_unknown, 1 },
	{ "SUBMIT of a marker", call_marker, 1 },
	{ "SUBMIT of a 4 KiB COPY", call_copy, 1 },
	{ "SUBMIT of 64, for each", call_batch, BATCH },
};

static int report(struct submit_bench *bench)
{
	double floor = 0;
	size_t i;

	for (i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		int operations = calls[i].operations;
		double cost = bench_cost(calls[i].call, bench, CALLS / operations) / operations;

		if (cost < 0)
			return 1;
		floor = floor ? floor : cost;
		printf("%-28s %9.0f ns  %7.2f times getppid()\n", calls[i].name, cost,
		       cost / floor);
	}
	return 0;
}

static int prepare(struct submit_bench *bench)
{
	int error, i;

	error = kohaku_buffer_alloc(bench->device, 0, KOHAKU_TIER_DRAM, 0, 2 * PAGE,
				    &bench->buffer);
	if (!error)
		error = kohaku_job_new(&bench->marker);
	if (!error)
		error = kohaku_job_new(&bench->copy);
	if (!error)
		error = kohaku_job_new(&bench->batch);
	if (!error)
		error = kohaku_job_marker(bench->marker, 0);
	if (!error)
		error = kohaku_job_copy(bench->copy, bench->buffer, PAGE, bench->buffer, 0, PAGE);
	for (i = 0; !error && i < BATCH; i++)
		error = kohaku_job_copy(bench->batch, bench->buffer, PAGE, bench->buffer, 0,
					PAGE);
	return error;
}

int bench_submit(void)
{
	struct submit_bench bench = { .buffer = NULL };
	int error = kohaku_open(NULL, &bench.device);
	int failed = 1;

	if (!error)
		error = prepare(&bench);
	if (error)
		fprintf(stderr, "kohaku-bench: submit: %s\n", strerror(-error));
	else
		failed = report(&bench);
	kohaku_job_free(bench.marker);
	kohaku_job_free(bench.copy);
	kohaku_job_free(bench.batch);
	kohaku_close(bench.device);
	return failed;
}
