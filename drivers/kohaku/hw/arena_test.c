// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The allocator against recorded traces, and against what must hold always.
 */
#include "hw/testing.h"

#include "hw/arena.h"

#define TRACES "selftests/golden/relayout/arena.txt"
#define SLOTS 64

static u32 count_gaps(const struct kohaku_arena *arena)
{
	const struct kohaku_block *block;
	u64 end = 0;
	u32 gaps = 0;

	for (block = arena->first; block; block = block->next) {
		gaps += block->start > end;
		end = block->start + block->size;
	}
	return gaps + (arena->top > end);
}

/* A replay of recorded allocations; addresses there count from base. */
struct replay {
	struct kohaku_arena arena;
	struct kohaku_block blocks[SLOTS];
	unsigned long long base;
	u32 operations;
};

static void replay_alloc(struct replay *replay, unsigned long long size, const char *answer)
{
	struct kohaku_block *block = replay->blocks;
	int error;

	while (block->size)
		assert_true(++block < replay->blocks + SLOTS);
	error = kohaku_arena_alloc(&replay->arena, block, size);
	if (!strcmp(answer, "full")) {
		assert_int_equal(error, -ENOSPC);
		return;
	}
	assert_int_equal(error, 0);
	assert_int_equal(replay->base + block->start, strtoull(answer, NULL, 16));
}

static void replay_free(struct replay *replay, unsigned long long addr)
{
	struct kohaku_block *block = replay->blocks;

	while (!block->size || block->start != addr - replay->base)
		assert_true(++block < replay->blocks + SLOTS);
	kohaku_arena_free(&replay->arena, block);
	assert_int_equal(block->size, 0);
}

static void replay_line(struct replay *replay, const char *line)
{
	unsigned long long a, b, c;
	char answer[32];

	replay->operations++;
	if (sscanf(line, "arena %llx %llu %llu", &a, &b, &c) == 3) {
		*replay = (struct replay){ .base = a, .operations = replay->operations };
		kohaku_arena_init(&replay->arena, b, c);
	} else if (sscanf(line, "a %llu %31s", &a, answer) == 2) {
		replay_alloc(replay, a, answer);
	} else if (sscanf(line, "r %llx", &a) == 1) {
		replay_free(replay, a);
	} else if (sscanf(line, "q used %llu largest %llu spans %llu", &a, &b, &c) == 3) {
		assert_int_equal(replay->arena.used, a);
		assert_int_equal(kohaku_arena_largest_free(&replay->arena), b);
		assert_int_equal(count_gaps(&replay->arena), c);
	} else {
		replay->operations--;
	}
}

static void test_recorded_traces(void **unused)
{
	static struct replay replay;
	char line[128];
	FILE *file = fopen(TRACES, "r");

	(void)unused;
	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		replay_line(&replay, line);
	fclose(file);
	assert_int_equal(replay.operations, 419);
}

static void assert_sound(const struct kohaku_arena *arena)
{
	const struct kohaku_block *block, *prev = NULL;
	u64 end = 0, used = 0;

	for (block = arena->first; block; block = block->next) {
		assert_ptr_equal(block->prev, prev);
		assert_true(block->size && !(block->size % arena->granule));
		assert_true(block->start >= end);
		end = block->start + block->size;
		used += block->size;
		prev = block;
	}
	assert_true(end <= arena->top && arena->top <= arena->size);
	assert_int_equal(used, arena->used);
}

/* Blocks never overlap, and largest_free is what alloc can do, to the byte. */
static void test_random_use(void **unused)
{
	struct kohaku_block blocks[SLOTS] = { 0 }, probe = { 0 };
	struct kohaku_arena arena;
	u64 largest;
	u32 i;

	(void)unused;
	testing_seed("arena");
	kohaku_arena_init(&arena, 1 << 20, 256);
	for (i = 0; i < 200000; i++) {
		struct kohaku_block *block = &blocks[random_bits() % SLOTS];

		if (block->size)
			kohaku_arena_free(&arena, block);
		else
			kohaku_arena_alloc(&arena, block, random_between(1, 60000));
		if (random_once_in(100))
			kohaku_arena_trim(&arena);
		assert_sound(&arena);
		largest = kohaku_arena_largest_free(&arena);
		assert_int_equal(kohaku_arena_alloc(&arena, &probe, largest + 1), -ENOSPC);
		if (largest && random_once_in(10)) {
			assert_int_equal(kohaku_arena_alloc(&arena, &probe, largest), 0);
			assert_sound(&arena);
			kohaku_arena_free(&arena, &probe);
		}
	}
	for (i = 0; i < SLOTS; i++)
		if (blocks[i].size)
			kohaku_arena_free(&arena, &blocks[i]);
	kohaku_arena_trim(&arena);
	assert_int_equal(arena.used, 0);
	assert_int_equal(kohaku_arena_largest_free(&arena), 1 << 20);
}

static void test_best_fit(void **unused)
{
	struct kohaku_block b[7] = { 0 }, small = { 0 }, tie = { 0 };
	struct kohaku_arena arena;
	static const u64 sizes[] = { 512, 256, 256, 256, 256, 256, 1024 };
	u32 i;

	(void)unused;
	kohaku_arena_init(&arena, 8192, 256);
	for (i = 0; i < 7; i++)
		assert_int_equal(kohaku_arena_alloc(&arena, &b[i], sizes[i]), 0);
	/* Freed: 512 bytes at 0, 256 at 768, 256 at 1280. */
	kohaku_arena_free(&arena, &b[0]);
	kohaku_arena_free(&arena, &b[2]);
	kohaku_arena_free(&arena, &b[4]);
	assert_int_equal(kohaku_arena_alloc(&arena, &small, 1), 0);
	assert_int_equal(small.start, 768);
	assert_int_equal(kohaku_arena_alloc(&arena, &tie, 256), 0);
	assert_int_equal(tie.start, 1280);
	/* Neighbours merge: 0..768 takes what neither part could. */
	kohaku_arena_free(&arena, &b[1]);
	assert_int_equal(kohaku_arena_alloc(&arena, &b[0], 700), 0);
	assert_int_equal(b[0].start, 0);
	assert_int_equal(b[0].size, 768);
}

/* Freed bytes below the bump and untouched ones above it are apart until a trim. */
static void test_trim(void **unused)
{
	struct kohaku_block low = { 0 }, high = { 0 };
	struct kohaku_arena arena;

	(void)unused;
	kohaku_arena_init(&arena, 8192, 256);
	assert_int_equal(kohaku_arena_alloc(&arena, &low, 256), 0);
	assert_int_equal(kohaku_arena_alloc(&arena, &high, 1024), 0);
	kohaku_arena_free(&arena, &high);
	assert_int_equal(kohaku_arena_largest_free(&arena), 8192 - 1280);
	kohaku_arena_trim(&arena);
	assert_int_equal(kohaku_arena_largest_free(&arena), 8192 - 256);
	assert_int_equal(kohaku_arena_alloc(&arena, &high, 8192 - 256), 0);
	assert_int_equal(high.start, 256);
}

static void test_refused_sizes(void **unused)
{
	struct kohaku_block block = { 0 };
	struct kohaku_arena arena;

	(void)unused;
	kohaku_arena_init(&arena, 4096 + 255, 256);
	assert_int_equal(arena.size, 4096);
	assert_int_equal(kohaku_arena_alloc(&arena, &block, 0), -EINVAL);
	assert_int_equal(kohaku_arena_alloc(&arena, &block, 4097), -ENOSPC);
	/* Rounded up these wrap to 0. */
	assert_int_equal(kohaku_arena_alloc(&arena, &block, U64_MAX), -ENOSPC);
	assert_int_equal(kohaku_arena_alloc(&arena, &block, U64_MAX - 255), -ENOSPC);
	assert_null(arena.first);
	assert_int_equal(kohaku_arena_alloc(&arena, &block, 3841), 0);
	assert_int_equal(block.size, 4096);
	assert_int_equal(kohaku_arena_largest_free(&arena), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recorded_traces),
		cmocka_unit_test(test_random_use),
		cmocka_unit_test(test_best_fit),
		cmocka_unit_test(test_trim),
		cmocka_unit_test(test_refused_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
