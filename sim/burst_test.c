// SPDX-License-Identifier: GPL-2.0
/*
 * Bursts counted by arithmetic against bursts made word by word.
 */
#include "hw/testing.h"

#include "sim/burst.h"

#define SEQUENCES 3000
#define CALLS 12

/* The rule, for one word after the other. */
struct by_word {
	u64 bursts, words, next;
	u32 beats, kind;
};

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
	switch (random_below(5)) {
	case 0:
		return KOHAKU_WORD * ((s64)random_below(300) - 150);
	case 1:
		return KOHAKU_BURST_PAGE * ((s64)random_below(5) - 2);
	case 2:
		return 1 << random_below(6);
	default:
		return KOHAKU_WORD;
	}
}

/* Rows, of which some join, and some begin where the first one ended. */
static s64 random_step(s64 stride, u64 count)
{
	switch (random_below(5)) {
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
	u64 count = 1 + random_below(random_once_in(3) ? 400 : 20);
	u64 rows = random_once_in(3) ? 1 : random_between(1, 40);
	s64 stride = random_stride(), step = random_step(stride, count);
	u32 kind = random_below(8) ? 1 : 2;
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
	testing_seed("burst");
	for (i = 0; i < SEQUENCES; i++) {
		u64 bursts = 0, words = 0, addr = 1ULL << 32;
		struct sim_channel channel = { .bursts = &bursts, .words = &words };
		struct by_word rule = { 0 };
		u32 cap = 1U << random_below(8);

		for (call = 0; call < CALLS; call++) {
			if (random_below(3))
				addr = (1ULL << 32) + KOHAKU_WORD * random_below(1000) +
				       (random_below(8) ? 0 : random_below(KOHAKU_WORD));
			addr = add_rows(&channel, &rule, addr, cap);
			assert_int_equal(words, rule.words);
			assert_int_equal(bursts, rule.bursts);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counted_as_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
