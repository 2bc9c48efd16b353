// SPDX-License-Identifier: GPL-2.0
/*
 * Random programs on random fabrics against a flat, sequential reference.
 *
 * KOHAKU_FUZZ_PROGRAMS programs (default 500) from seed KOHAKU_FUZZ_SEED on.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "random_program.h"

static struct fabric_counters high;

static void keep_high(const struct fabric_counters *c)
{
	high.rows = max(high.rows, c->rows);
	high.waits = max(high.waits, c->waits);
	high.pinned = max(high.pinned, c->pinned);
	high.idents = max(high.idents, c->idents);
	high.syncs = max(high.syncs, c->syncs);
	high.in_flight = max(high.in_flight, c->in_flight);
	high.cycles = max(high.cycles, c->cycles);
	high.resends += c->resends;
	high.retries += c->retries;
	high.relayouts += c->relayouts;
	high.evictions += c->evictions;
	high.segments[0] += c->segments[0] + c->segments[1];
}

static u64 setting(const char *name, u64 otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static void programs_agree(void **state)
{
	u64 seed = setting("KOHAKU_FUZZ_SEED", 1);
	u64 count = setting("KOHAKU_FUZZ_PROGRAMS", 500), i, failed = 0;
	struct fabric_counters counters = { 0 };
	struct bits bits = { 0 };

	(void)state;
	print_message("seeds %llu..%llu\n", seed, seed + count - 1);
	for (i = 0; i < count && failed < 10; i++) {
		bits.state = (seed + i) << 20;
		failed += !good_program(bits, seed + i, &counters);
		keep_high(&counters);
	}
	print_message("at most: rows %u, waits %u, pinned %u, idents %u, syncs %u, in flight %u, cycles %llu\n",
		      high.rows, high.waits, high.pinned, high.idents, high.syncs, high.in_flight,
		      high.cycles);
	print_message("in all: segments %llu, resends %llu, retries %llu, evictions %llu, relayouts %llu\n",
		      high.segments[0], high.resends, high.retries, high.evictions, high.relayouts);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
