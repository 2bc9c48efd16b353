/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Test code: plans by the letter of the rules, and what is planned carried out word
 * by word.
 *
 * The oracle numbers the elements, looks every word up, and tries every width on
 * the list of offsets.
 */
#ifndef LIB_PLAN_ORACLE_H
#define LIB_PLAN_ORACLE_H

#include "relayout_testing.h"

#include "plan.h"

#define WORDS_MAX 2048

struct word {
	u32 ids[16];
	u32 index;
};

struct oracle {
	u32 words;
	bool found;
	bool fill, transpose;
	u32 width;
	bool in_place;
	s64 perm[WORDS_MAX];
};

static void number_elements(const struct kohaku_packing *packing, u32 *ids)
{
	u32 id = 1;

	memset(ids, 0, packing->slots * sizeof(*ids));
	for (u64 row = 0; row < packing->rows; row++)
		for (u64 col = 0; col < packing->cols; col++)
			ids[kohaku_packing_slot(packing, row, col)] = id++;
}

static int by_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(((struct word *)a)->ids));
}

/* Granule i of word j moves to granule j of word i. */
static void take_words(const u32 *ids, u32 count, bool transpose, struct word *words)
{
	for (u32 w = 0; w < count; w++) {
		words[w].index = w;
		for (u32 lane = 0; lane < 16; lane++) {
			u32 from = transpose ? (w & ~3u) + lane / 4 : w;
			u32 granule = transpose ? w % 4 : lane / 4;

			words[w].ids[lane] = ids[from * 16 + granule * 4 + lane % 4];
		}
	}
}

/* perm[word of a] = the equal word of b; false when there is none. */
static bool match(struct word *a, struct word *b, u32 count, s64 *perm)
{
	qsort(a, count, sizeof(*a), by_ids);
	qsort(b, count, sizeof(*b), by_ids);
	for (u32 i = 0; i < count; i++) {
		if (by_ids(&a[i], &b[i]) || (i && !by_ids(&a[i], &a[i - 1])))
			return false;
		perm[a[i].index] = b[i].index;
	}
	return true;
}

static bool oracle_width(struct oracle *oracle, u32 width, u64 count, u64 *best)
{
	u32 runs = oracle->words / width;
	struct kohaku_loops loops;
	bool seen[256] = { false };
	bool in_place = true;
	int64_t rel[256];
	u64 score;

	for (u32 i = 0; i < width; i++)
		rel[i] = oracle->perm[i] - oracle->perm[0];
	for (u32 i = 0; i < oracle->words; i++)
		if (oracle->perm[i] - oracle->perm[i / width * width] != rel[i % width])
			return false;
	if (kohaku_affine_factor(rel, width, 4, &loops))
		return false;
	for (u32 i = 0; i < loops.count; i++)
		if (loops.dims[i].stride * 32 < -131072 || loops.dims[i].stride * 32 > 131071)
			return false;
	for (u32 run = 0; run < runs; run++)
		in_place &= oracle->perm[run * width] == run * width;
	for (u32 i = 0; i < width; i++) {
		in_place &= rel[i] >= 0 && rel[i] < width && !seen[rel[i]];
		if (in_place)
			seen[rel[i]] = true;
	}
	score = (in_place ? 0 : 1ULL << 40) +
		plan_estimate(width, oracle->words, count, oracle->transpose);
	if (score >= *best)
		return false;
	*best = score;
	oracle->in_place = in_place;
	oracle->width = width;
	return true;
}

static bool oracle_attempt(struct oracle *oracle, const struct kohaku_packing *before,
			   const struct kohaku_packing *after)
{
	static u32 ids[2][WORDS_MAX * 16];
	static struct word words[2][WORDS_MAX];
	u32 grain = oracle->transpose ? 16 : 8;
	u64 best = UINT64_MAX;

	if (oracle->transpose && oracle->words % 4)
		return false;
	number_elements(oracle->fill ? after : before, ids[0]);
	number_elements(oracle->fill ? before : after, ids[1]);
	take_words(ids[0], oracle->words, oracle->transpose, words[0]);
	take_words(ids[1], oracle->words, false, words[1]);
	if (!match(words[0], words[1], oracle->words, oracle->perm))
		return false;
	for (u32 width = 256 / grain * grain; width; width -= grain)
		if (width <= oracle->words && oracle->words % width == 0)
			oracle_width(oracle, width, before->count, &best);
	return best != UINT64_MAX;
}

static void ask_oracle(struct oracle *oracle, const struct kohaku_packing *before,
		       const struct kohaku_packing *after)
{
	oracle->found = false;
	if (before->slots != after->slots || before->slots % 16)
		return;
	oracle->words = before->slots / 16;
	assert_true(oracle->words <= WORDS_MAX);
	for (int i = 0; i < 4 && !oracle->found; i++) {
		oracle->fill = i % 2;
		oracle->transpose = i / 2;
		oracle->found = oracle_attempt(oracle, before, after);
	}
}

static void compare(const struct kohaku_plan *plan, const struct oracle *oracle)
{
	assert_int_equal(plan->mode == KOHAKU_PLAN_FILL, oracle->fill);
	assert_int_equal(plan->transpose, oracle->transpose);
	assert_int_equal(plan->words, oracle->width);
	assert_int_equal(plan->in_place, oracle->in_place);
	assert_int_equal(plan->total, oracle->words);
	for (u32 i = 0; i < oracle->words; i++)
		assert_int_equal(kohaku_plan_at(plan, i), oracle->perm[i]);
}

static void transpose_granules(u8 *words)
{
	u8 out[4 * 32];

	for (u32 i = 0; i < 4; i++)
		for (u32 j = 0; j < 4; j++)
			memcpy(out + i * 32 + j * 8, words + j * 32 + i * 8, 8);
	memcpy(words, out, sizeof(out));
}

/* Carries a plan out as the core would: a run at a time, through a buffer. */
static void execute(const struct kohaku_plan *plan, const u8 *src, u8 *dst)
{
	bool fill = plan->mode == KOHAKU_PLAN_FILL;
	u8 l1[256 * 32];

	for (u64 run = 0; run < plan->runs; run++) {
		for (u32 i = 0; i < plan->words; i++) {
			u64 word = run * plan->words + i;
			u64 from = fill ? kohaku_plan_at(plan, word) : word;

			memcpy(l1 + i * 32, src + from * 32, 32);
		}
		for (u32 i = 0; plan->transpose && i < plan->words; i += 4)
			transpose_granules(l1 + i * 32);
		for (u32 i = 0; i < plan->words; i++) {
			u64 word = run * plan->words + i;
			u64 to = fill ? word : kohaku_plan_at(plan, word);

			memcpy(dst + to * 32, l1 + i * 32, 32);
		}
	}
}

static void check_result(const struct kohaku_plan *plan, const struct kohaku_packing *before,
			 const struct kohaku_packing *after)
{
	struct packed_pair pair;
	u8 *result = calloc(1, after->bytes);

	assert_non_null(result);
	pack_both(before, after, &pair);
	for (u64 i = 0; i < plan->count; i++)
		execute(plan, pair.before + i * plan->stride_before,
			result + i * plan->stride_after);
	assert_memory_equal(result, pair.after, after->bytes);
	if (plan->in_place && plan->stride_before == plan->stride_after) {
		for (u64 i = 0; i < plan->count; i++)
			execute(plan, pair.before + i * plan->stride_before,
				pair.before + i * plan->stride_before);
		assert_memory_equal(pair.before, pair.after, after->bytes);
	}
	free(result);
	free_both(&pair);
}

/* The core refuses what does not stay in its blocks: a plan always does. */
static void check_pass(const struct kohaku_plan *plan)
{
	struct kohaku_vector_pass pass;
	u32 *offsets = malloc(plan->runs * sizeof(*offsets));

	assert_non_null(offsets);
	plan_pass(plan, &pass);
	assert_int_equal(kohaku_vector_check(&pass), 0);
	memcpy(offsets, pass.offsets, plan->runs * sizeof(*offsets));
	offsets[random_between(0, plan->runs - 1)] += pass.total;
	pass.offsets = offsets;
	assert_int_equal(kohaku_vector_check(&pass), -EINVAL);
	free(offsets);
}

/* How permutations were found. */
struct ways {
	u32 loops, words;
};

/* The short cuts, where they answer, must answer like the images. */
static void check_short_cuts(const struct kohaku_packing *before,
			     const struct kohaku_packing *after, struct ways *ways)
{
	enum perm_transpose transpose = random_between(PERM_NO_TRANSPOSE, PERM_TRANSPOSE_TO);
	int64_t *list = NULL, *by_words = NULL;
	int error = perm_by_image(before, after, transpose, &list);
	u64 words = error ? 0 : before->slots / 16;
	struct kohaku_loops loops;
	int way;

	way = perm_by_words(before, after, transpose, &by_words);
	if (way != -EAGAIN) {
		assert_int_equal(way, error);
		for (u64 i = 0; i < words; i++)
			assert_int_equal(by_words[i], list[i]);
		ways->words++;
	}
	way = perm_by_loops(before, after, transpose, &loops);
	if (way != -EAGAIN) {
		assert_int_equal(way, error);
		for (u64 i = 0; i < words; i++)
			assert_int_equal(kohaku_affine_at(&loops, i), list[i]);
		ways->loops++;
	}
	free(by_words);
	free(list);
}

/* Plans one conversion both ways, and carries it out; true: there is a plan. */
static bool check_conversion(const struct kohaku_packing *before,
			     const struct kohaku_packing *after)
{
	static struct oracle oracle;
	struct kohaku_plan plan;
	int error;

	ask_oracle(&oracle, before, after);
	error = kohaku_plan_init(&plan, before, after, NULL, NULL);
	assert_int_equal(error, oracle.found ? 0 : -EDOM);
	if (error)
		return false;
	compare(&plan, &oracle);
	check_result(&plan, before, after);
	check_pass(&plan);
	kohaku_plan_fini(&plan);
	return true;
}

#endif
