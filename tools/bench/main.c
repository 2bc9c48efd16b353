// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku-bench SUBJECT: measures against what the machine itself can do.
 */
#include "bench.h"

#include <stdio.h>
#include <string.h>

static const struct subject {
	const char *name;
	int (*run)(void);
	const char *help;
} subjects[] = {
	{ "sim", bench_sim, "the model's moves against memcpy() and memset()" },
	{ "relayout", bench_relayout, "packing against memcpy(), and the time to plan" },
	{ "submit", bench_submit, "a submission to $KOHAKU_NODE against getppid()" },
	{ "dma", bench_dma, "reads and writes of buffers of $KOHAKU_NODE against memcpy()" },
	{ "uring", bench_uring, "a job by io_uring to $KOHAKU_NODE against io_uring's NOP" },
};

#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc == 2 && i < SUBJECTS; i++) {
		if (!strcmp(argv[1], subjects[i].name))
			return subjects[i].run();
	}
	for (i = 0; i < SUBJECTS; i++)
		fprintf(stderr, "usage: kohaku-bench %s   %s\n", subjects[i].name,
			subjects[i].help);
	return 2;
}
