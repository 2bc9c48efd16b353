// SPDX-License-Identifier: GPL-2.0
/*
 * Does the bench print what it measured?  G07
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/bench/bench.h"

#define AT_LEAST_NS 400000

/* Uses the processor for so long, and no less: what is measured has a known bound. */
static void burn(void *ctx)
{
	uint64_t until = *(uint64_t *)ctx;
	struct timespec start, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	while ((uint64_t)(now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec <
	       until);
}

static void nothing(void *ctx)
{
	(void)ctx;
}

/* What bench_run() prints, taken from standard output. */
static void run(const struct bench *bench, char *text, size_t size)
{
	FILE *file = tmpfile();
	int before = dup(1);
	size_t length;

	assert_non_null(file);
	fflush(stdout);
	dup2(fileno(file), 1);
	bench_run(bench);
	fflush(stdout);
	dup2(before, 1);
	close(before);
	rewind(file);
	length = fread(text, 1, size - 1, file);
	text[length] = 0;
	fclose(file);
}

static void figures(const struct bench *bench, double *ratio, double *low, double *high,
		    double *rate)
{
	char text[256];

	run(bench, text, sizeof(text));
	assert_memory_equal(text, bench->name, strlen(bench->name));
	assert_int_equal(sscanf(strstr(text, "ratio"),
				"ratio %lf (%lf .. %lf) %lf GB/s", ratio, low,
				high, rate), 4);
	assert_true(*low <= *ratio && *ratio <= *high);
}

/* No more bytes than time allows, however many they are: nothing wraps.  G07 */
static void rates_are_bytes_over_time(void **state)
{
	static const uint64_t sizes[] = { 1 << 20, 1ULL << 32, 1ULL << 45 };
	uint64_t ns = AT_LEAST_NS;
	double ratio, low, high, rate;
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		struct bench bench = {
			.name = "burning", .measured = burn, .reference = burn, .ctx = &ns,
			.bytes = sizes[i],
		};

		figures(&bench, &ratio, &low, &high, &rate);
		assert_true(rate > 0);
		/* Half a unit of the last digit is rounding. */
		assert_true(rate <= (double)sizes[i] / AT_LEAST_NS + 0.005);
	}
}

static void ratios_have_the_reference_on_top(void **state)
{
	uint64_t ns = AT_LEAST_NS;
	struct bench faster = {
		.name = "faster", .measured = nothing, .reference = burn, .ctx = &ns, .bytes = 1,
	};
	struct bench slower = {
		.name = "slower", .measured = burn, .reference = nothing, .ctx = &ns, .bytes = 1,
	};
	double ratio, low, high, rate;

	(void)state;
	figures(&faster, &ratio, &low, &high, &rate);
	assert_true(low > 1);
	figures(&slower, &ratio, &low, &high, &rate);
	assert_true(high < 1);
}

static int burn_counting(void *ctx)
{
	uint64_t ns = AT_LEAST_NS;
	unsigned int *calls = ctx;

	++*calls;
	burn(&ns);
	return 0;
}

static int fail_later(void *ctx)
{
	unsigned int *calls = ctx;

	return ++*calls == 8;
}

static void cost_is_that_of_one_call(void **state)
{
	unsigned int calls = 0;

	(void)state;
	assert_true(bench_cost(burn_counting, &calls, 2) >= AT_LEAST_NS);
	assert_int_equal(calls, 20);
}

static void a_call_that_fails_has_no_cost(void **state)
{
	unsigned int calls = 0;

	(void)state;
	assert_true(bench_cost(fail_later, &calls, 2) < 0);
	assert_int_equal(calls, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_bytes_over_time),
		cmocka_unit_test(ratios_have_the_reference_on_top),
		cmocka_unit_test(cost_is_that_of_one_call),
		cmocka_unit_test(a_call_that_fails_has_no_cost),
	};

	return cmocka_run_group_tests_name("bench", tests, NULL, NULL);
}
