// SPDX-License-Identifier: LGPL-2.1-or-later
/* Bursts of whole walks against bursts made word by word. */
#include "hw/testing.h"

#include "bursts.h"

#define WALKS 4000
#define WORDS_MAX 2000

/* One walk from a word, and what its last word was. */
static uint64_t bursts_from(const struct kohaku_loops *loops, int64_t start)
{
	uint64_t words = 1, bursts = 0;
	int64_t last = -1;

	for (uint32_t i = 0; i < loops->count; i++)
		words *= loops->dims[i].bound;
	for (uint64_t i = 0; i < words; i++) {
		int64_t word = start + kohaku_affine_at(loops, i);

		bursts += !i || word != last + 1 || word % (int64_t)BURSTS_PAGE == 0;
		last = word;
	}
	return bursts;
}

/* Loops that often go on where the inner ones ended. */
static struct kohaku_loops random_loops(void)
{
	struct kohaku_loops loops = { .count = random_between(0, 4) };
	int64_t reach = 0, words = 1;

	for (uint32_t i = 0; i < loops.count; i++) {
		struct kohaku_loop *loop = &loops.dims[i];

		loop->bound = random_between(1, random_once_in(4) ? 200 : 6);
		if (words * (int64_t)loop->bound > WORDS_MAX)
			loop->bound = 1;
		loop->stride = random_once_in(3) ? reach + 1 : random_once_in(2) ?
			words : random_between(-300, 300);
		reach += loop->stride * (int64_t)(loop->bound - 1);
		words *= (int64_t)loop->bound;
	}
	return loops;
}

static void test_walks(void **state)
{
	(void)state;
	testing_seed("bursts");
	for (int i = 0; i < WALKS; i++) {
		const struct kohaku_loops loops = random_loops();
		int64_t start = random_between(1 << 20, (1 << 20) + 200);
		uint64_t count = random_between(1, 5), wanted = 0;
		int64_t stride = random_between(-200, 200);
		struct bursts_starts starts = { .at = { 0 } };

		starts.at[start % BURSTS_PAGE] = 1;
		bursts_spread(&starts, stride, count);
		for (uint64_t k = 0; k < count; k++)
			wanted += bursts_from(&loops, start + (int64_t)k * stride);
		assert_int_equal(bursts_of_walks(&loops, &starts), wanted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_walks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
