// SPDX-License-Identifier: GPL-2.0
/*
 * What a job costs by io_uring, next to what io_uring itself costs: its NOP in
 * batches of the same size.  A job is submitted by the ring and its completion
 * collected, those of a batch by one read().
 */
#include "bench.h"

#include <fcntl.h>
#include <liburing.h>
#include <linux/kohaku.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST	64
#define CALLS	512

struct uring_bench {
	int fd;
	struct io_uring ring;
	unsigned int batch;
	struct kohaku_op op;
	struct kohaku_submit submits[MOST];
	struct kohaku_completion completions[MOST];
};

static void put_nop(struct uring_bench *bench, unsigned int i)
{
	(void)i;
	io_uring_prep_nop(io_uring_get_sqe(&bench->ring));
}

static void put_submit(struct uring_bench *bench, unsigned int i)
{
	struct kohaku_submit *submit = &bench->submits[i];
	const struct kohaku_uring payload = {
		.arg = (uintptr_t)submit, .size = sizeof(*submit),
	};
	struct io_uring_sqe *sqe = io_uring_get_sqe(&bench->ring);

	*submit = (struct kohaku_submit){
		.size = sizeof(*submit), .flags = KOHAKU_SUBMIT_ASYNC, .count = 1,
		.ops = (uintptr_t)&bench->op, .stride = sizeof(bench->op),
	};
	io_uring_prep_rw(IORING_OP_URING_CMD, sqe, bench->fd, NULL, 0, 0);
	sqe->cmd_op = KOHAKU_SUBMIT;
	memcpy(sqe->cmd, &payload, sizeof(payload));
}

/* Sends a batch of submissions and takes their completions; the first error, or 0. */
static int turn(struct uring_bench *bench, void (*put)(struct uring_bench *bench, unsigned int i))
{
	unsigned int n = bench->batch;
	struct io_uring_cqe *cqe;
	unsigned int head, i;
	int error = 0;

	for (i = 0; i < n; i++)
		put(bench, i);
	if (io_uring_submit_and_wait(&bench->ring, n) != (int)n)
		return -1;
	io_uring_for_each_cqe(&bench->ring, head, cqe)
		error = error ? error : cqe->res;
	io_uring_cq_advance(&bench->ring, n);
	return error;
}

static int turn_nop(void *ctx)
{
	return turn(ctx, put_nop);
}

static int turn_jobs(void *ctx)
{
	struct uring_bench *bench = ctx;
	ssize_t size = bench->batch * sizeof(bench->completions[0]), got, part;
	int error = turn(bench, put_submit);

	for (got = 0; !error && got < size; got += part) {
		part = read(bench->fd, bench->completions, size - got);
		if (part <= 0)
			return -1;
	}
	return error;
}

static int report(struct uring_bench *bench)
{
	unsigned int n;

	for (n = 1; n <= MOST; n *= 4) {
		double nop, job;

		bench->batch = n;
		nop = bench_cost(turn_nop, bench, CALLS / n) / n;
		job = bench_cost(turn_jobs, bench, CALLS / n) / n;
		if (nop < 0 || job < 0) {
			fprintf(stderr, "kohaku-bench: uring: a batch of %u failed\n", n);
			return 1;
		}
		printf("batches of %-3u NOP %7.0f ns  job %7.0f ns  %6.3f jobs a NOP\n",
		       n, nop, job, nop / job);
	}
	return 0;
}

int bench_uring(void)
{
	const char *path = getenv("KOHAKU_NODE");
	struct uring_bench *bench = calloc(1, sizeof(*bench));
	int error, failed;

	if (!bench)
		return 1;
	bench->op.opcode = KOHAKU_OP_MARKER;
	bench->fd = open(path && *path ? path : "/dev/kohaku", O_RDWR | O_CLOEXEC);
	if (bench->fd < 0) {
		perror("kohaku-bench: uring");
		free(bench);
		return 1;
	}
	error = io_uring_queue_init(MOST, &bench->ring, 0);
	if (error)
		fprintf(stderr, "kohaku-bench: uring: %s\n", strerror(-error));
	failed = error || report(bench);
	if (!error)
		io_uring_queue_exit(&bench->ring);
	close(bench->fd);
	free(bench);
	return failed;
}
