// SPDX-License-Identifier: GPL-2.0
/*
 * Bursts counted by arithmetic against bursts made word by word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <time.h>

#include "sim/burst.h"

#define SEQUENCES 3000
#define CALLS 12

/* The rule, for one word after the other. */
struct by_word {
	u64 bursts, words, next;
	u32 beats, kind;
};

static u64 random_state;

static u64 draw(u64 limit)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 11) % limit;
}

static int set_up(void **state)
{
	const char *seed = getenv("KOHAKU_SEED");

	(void)state;
	random_state = seed ? strtoull(seed, NULL, 0) : (u64)time(NULL) * 2654435761U | 1;
	print_message("# KOHAKU_SEED=%llu\n", (unsigned long long)random_state);
	return 0;
}

static void add_word(struct by_word *rule, u64 addr, u32 cap, u32 kind)
{
	bool follows = rule->beats && rule->next == addr && rule->kind == kind &&
		       rule->beats < cap && addr % KOHAKU_BURST_PAGE >= KOHAKU_WORD;

	if (!follows) {
		rule->bursts++;
		rule->beats = 0;
	}
	rule->beats++;
	rule->kind = kind;
	rule->next = addr + KOHAKU_WORD;
	rule->words++;
}

static s64 random_stride(void)
{
	switch (draw(5)) {
	case 0:
		return KOHAKU_WORD * ((s64)draw(300) - 150);
	case 1:
		return KOHAKU_BURST_PAGE * ((s64)draw(5) - 2);
	case 2:
		return 1 << draw(6);
	default:
		return KOHAKU_WORD;
	}
}

/* Rows, of which some join, and some begin where the first one ended. */
static s64 random_step(s64 stride, u64 count)
{
	switch (draw(5)) {
	case 0:
		return stride * (s64)(count - 1) + KOHAKU_WORD;
	case 1:
		return stride * (s64)count;
	case 2:
		return KOHAKU_WORD * (s64)count / 2 & ~(s64)(KOHAKU_WORD - 1);
	default:
		return random_stride();
	}
}

/* A call on the channel, and the same words by the rule; returns where they end. */
static u64 add_rows(struct sim_channel *channel, struct by_word *rule, u64 addr, u32 cap)
{
	u64 count = 1 + (draw(3) ? draw(20) : draw(400)), rows = draw(3) ? 1 + draw(40) : 1;
	s64 stride = random_stride(), step = random_step(stride, count);
	u32 kind = draw(8) ? 1 : 2;
	u64 row, word;

	if (rows == 1 && count == 1)
		sim_channel_add_word(channel, addr, cap, kind);
	else if (rows == 1)
		sim_channel_add(channel, addr, stride, count, cap, kind);
	else
		sim_channel_add_rows(channel, addr, stride, count, step, rows, cap, kind);
	for (row = 0; row < rows; row++) {
		for (word = 0; word < count; word++)
			add_word(rule, addr + row * step + word * stride, cap, kind);
	}
	return addr + (rows - 1) * step + (count - 1) * stride + KOHAKU_WORD;
}

static void counted_as_made(void **state)
{
	int i, call;

	(void)state;
	for (i = 0; i < SEQUENCES; i++) {
		u64 bursts = 0, words = 0, addr = 1ULL << 32;
		struct sim_channel channel = { .bursts = &bursts, .words = &words };
		struct by_word rule = { 0 };
		u32 cap = 1U << draw(8);

		for (call = 0; call < CALLS; call++) {
			if (draw(3))
				addr = (1ULL << 32) + KOHAKU_WORD * draw(1000) +
				       (draw(8) ? 0 : draw(KOHAKU_WORD));
			addr = add_rows(&channel, &rule, addr, cap);
			assert_int_equal(words, rule.words);
			assert_int_equal(bursts, rule.bursts);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(counted_as_made, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
