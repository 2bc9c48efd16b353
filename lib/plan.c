// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The planner of the vector core.
 *
 * A run fills up to 256 words into the core, transposes granules if asked to,
 * and drains them.  One side of it is contiguous and the other walks.  Every
 * run must walk alike, in four dimensions; among the widths that do, one that
 * works in place is best, then the one with the fewest flits.
 */
#include "plan.h"
#include "reason.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The core reads or writes at most this many words at once. */
#define WIDTH_MAX 256
/* A descriptor's stride is 18 bits, signed, in bytes; its bound 16 bits. */
#define STRIDE_MIN (-131072)
#define STRIDE_MAX 131071
#define BOUND_MAX 65535

/* One attempt of four: a permutation, and what to do with it. */
struct attempt {
	struct kohaku_plan_candidate candidate;
	struct perm perm;
	uint64_t count;
	const struct kohaku_plan_observer *observer;
};

static void report(const struct attempt *attempt)
{
	if (attempt->observer)
		attempt->observer->candidate(attempt->observer->ctx, &attempt->candidate);
}

uint32_t plan_grain(bool transpose)
{
	return transpose ? 16 : 8;
}

/* The walk of run 0 as a list, and whether every other run walks alike. */
static bool list_run(const struct perm *perm, uint32_t words, int64_t *walk)
{
	for (uint32_t i = 0; i < words; i++)
		walk[i] = perm_at(perm, i) - perm_at(perm, 0);
	for (uint64_t first = words; first < perm->words; first += words) {
		int64_t base = perm_at(perm, first);

		for (uint32_t i = 1; i < words; i++)
			if (perm_at(perm, first + i) - base != walk[i])
				return false;
	}
	return true;
}

/* Is it each run's own words that it visits?  All walks here are permutations. */
static bool visits_itself(const struct perm *perm, uint32_t words,
			  const struct kohaku_loops *loops)
{
	int64_t lowest = 0, highest = 0;

	for (uint32_t i = 0; i < loops->count; i++) {
		int64_t reach = loops->dims[i].stride * (int64_t)(loops->dims[i].bound - 1);

		if (reach < 0)
			lowest += reach;
		else
			highest += reach;
	}
	if (lowest || highest != words - 1)
		return false;
	for (uint64_t first = 0; first < perm->words; first += words)
		if (perm_at(perm, first) != (int64_t)first)
			return false;
	return true;
}

static enum kohaku_plan_verdict walk_run(const struct perm *perm, uint32_t words,
					 struct kohaku_loops *loops)
{
	struct kohaku_loops outer;
	int64_t walk[WIDTH_MAX];
	int error = 0;

	loops->count = 0;
	if (perm->list || !loops_split(&perm->loops, words, loops, &outer)) {
		loops->count = 0;
		if (!list_run(perm, words, walk))
			return KOHAKU_PLAN_UNEVEN;
		error = kohaku_affine_factor(walk, words, KOHAKU_PLAN_DIMS, loops);
	}
	if (error == -EDOM)
		return KOHAKU_PLAN_NOT_AFFINE;
	if (loops->count > KOHAKU_PLAN_DIMS)
		return KOHAKU_PLAN_DIMS_EXCEEDED;
	for (uint32_t i = 0; i < loops->count; i++) {
		int64_t bytes = loops->dims[i].stride * KOHAKU_WORD_SIZE;

		if (bytes < STRIDE_MIN || bytes > STRIDE_MAX || loops->dims[i].bound > BOUND_MAX)
			return KOHAKU_PLAN_STRIDE_EXCEEDED;
	}
	return KOHAKU_PLAN_OK;
}

static bool better(const struct kohaku_plan_candidate *a, const struct kohaku_plan_candidate *best)
{
	if (best->verdict != KOHAKU_PLAN_OK)
		return true;
	if (a->in_place != best->in_place)
		return a->in_place;
	return a->flits < best->flits;
}

/* Leaves the best width in attempt->candidate, or why the last one was refused. */
static void choose_width(struct attempt *attempt)
{
	struct kohaku_plan_candidate *c = &attempt->candidate, best = *c;
	const struct perm *perm = &attempt->perm;
	uint32_t grain = plan_grain(c->transpose);
	uint64_t widest = perm->words < WIDTH_MAX ? perm->words : WIDTH_MAX;

	best.verdict = KOHAKU_PLAN_NO_WIDTH;
	for (uint32_t words = widest / grain * grain; words; words -= grain) {
		if (perm->words % words)
			continue;
		c->words = words;
		c->verdict = walk_run(perm, words, &c->loops);
		c->in_place = false;
		if (c->verdict == KOHAKU_PLAN_OK) {
			c->in_place = visits_itself(perm, words, &c->loops);
			c->flits = plan_estimate(words, perm->words, attempt->count, c->transpose);
		}
		report(attempt);
		if (c->verdict == KOHAKU_PLAN_OK ? better(c, &best)
						 : best.verdict != KOHAKU_PLAN_OK)
			best = *c;
	}
	*c = best;
	if (best.verdict == KOHAKU_PLAN_NO_WIDTH)
		report(attempt);
}

/* The permutation from the words read in order to the side that is walked. */
static int find_perm(struct attempt *attempt, const struct kohaku_packing *before,
		     const struct kohaku_packing *after)
{
	bool fill = attempt->candidate.mode == KOHAKU_PLAN_FILL;
	enum perm_transpose transpose =
		attempt->candidate.transpose ? PERM_TRANSPOSE_FROM : PERM_NO_TRANSPOSE;

	if (attempt->candidate.transpose && before->slots / PERM_WORD % 4) {
		attempt->candidate.verdict = KOHAKU_PLAN_NO_FOURS;
		return -EDOM;
	}
	attempt->candidate.verdict = KOHAKU_PLAN_NO_PERMUTATION;
	return fill ? perm_find(after, before, transpose, &attempt->perm)
		    : perm_find(before, after, transpose, &attempt->perm);
}

static int fill_plan(struct kohaku_plan *plan, const struct attempt *attempt)
{
	const struct kohaku_plan_candidate *c = &attempt->candidate;

	plan->mode = c->mode;
	plan->transpose = c->transpose;
	plan->words = c->words;
	plan->total = attempt->perm.words;
	plan->runs = plan->total / plan->words;
	plan->in_place = c->in_place;
	plan->loops = c->loops;
	plan->offsets = malloc(plan->runs * sizeof(*plan->offsets));
	if (!plan->offsets)
		return -ENOMEM;
	plan->stepped = true;
	for (uint64_t run = 0; run < plan->runs; run++) {
		plan->offsets[run] = perm_at(&attempt->perm, run * plan->words);
		plan->stepped &= plan->offsets[run] == run * plan->words;
	}
	return 0;
}

/* Looks at one attempt; found tells whether an earlier one already succeeded. */
static int try_attempt(struct kohaku_plan *plan, struct attempt *attempt, bool found,
		       const struct kohaku_packing *before, const struct kohaku_packing *after)
{
	int error = find_perm(attempt, before, after);

	if (error) {
		report(attempt);
		return error;
	}
	choose_width(attempt);
	if (attempt->candidate.verdict != KOHAKU_PLAN_OK)
		error = -EDOM;
	else if (!found)
		error = fill_plan(plan, attempt);
	perm_free(&attempt->perm);
	return error;
}

static int refuse(const struct kohaku_plan_candidate *worst, struct kohaku_reason *reason)
{
	const char *text = kohaku_plan_verdict_text(worst->verdict);

	if (worst->words)
		return reason_set(reason, -EDOM, -1, "vector core: at %u words a run, %s",
				  worst->words, text);
	return reason_set(reason, -EDOM, -1, "vector core: %s", text);
}

/* The first attempt that succeeds counts; an observer sees them all. */
static int plan_block(struct kohaku_plan *plan, const struct kohaku_packing *before,
		      const struct kohaku_packing *after,
		      const struct kohaku_plan_observer *observer, struct kohaku_reason *reason)
{
	struct kohaku_plan_candidate worst = { .verdict = KOHAKU_PLAN_NO_PERMUTATION };
	bool found = false;

	for (int i = 0; i < 4 && (!found || observer); i++) {
		struct attempt attempt = {
			.candidate = { .mode = i % 2 ? KOHAKU_PLAN_FILL : KOHAKU_PLAN_DRAIN,
				       .transpose = i / 2 },
			.count = before->count,
			.observer = observer,
		};
		int error = try_attempt(plan, &attempt, found, before, after);

		if (error && error != -EDOM) {
			kohaku_plan_fini(plan);
			return error;
		}
		found |= !error;
		/* What got furthest tells most. */
		if (attempt.candidate.verdict > worst.verdict)
			worst = attempt.candidate;
	}
	return found ? 0 : refuse(&worst, reason);
}

int plan_same_array(const struct kohaku_packing *before, const struct kohaku_packing *after,
		    struct kohaku_reason *reason)
{
	if (!before->layout.batch != !after->layout.batch)
		return reason_set(reason, -EINVAL, -1, "one side is a batch, the other is not");
	if (before->count != after->count)
		return reason_set(reason, -EINVAL, -1, "batches of %llu and %llu blocks",
				  (unsigned long long)before->count,
				  (unsigned long long)after->count);
	if (before->rows * before->cols != after->rows * after->cols ||
	    (before->layout.kind != KOHAKU_LAYOUT_FLAT &&
	     after->layout.kind != KOHAKU_LAYOUT_FLAT && before->cols != after->cols))
		return reason_set(reason, -EINVAL, -1, "the two are not the same array");
	return 0;
}

int kohaku_plan_init(struct kohaku_plan *plan, const struct kohaku_packing *before,
		     const struct kohaku_packing *after,
		     const struct kohaku_plan_observer *observer, struct kohaku_reason *reason)
{
	int error = plan_same_array(before, after, reason);

	if (error)
		return error;
	memset(plan, 0, sizeof(*plan));
	plan->count = before->count;
	plan->stride_before = before->stride;
	plan->stride_after = after->stride;
	if (before->slots != after->slots)
		return reason_set(reason, -EDOM, -1,
				  "padding: the layouts differ in size, %llu and %llu bytes",
				  (unsigned long long)before->slots * 2,
				  (unsigned long long)after->slots * 2);
	if (before->slots % PERM_WORD)
		return reason_set(reason, -EDOM, -1, "a block is not whole words of 16 elements");
	return plan_block(plan, before, after, observer, reason);
}

void kohaku_plan_fini(struct kohaku_plan *plan)
{
	free(plan->offsets);
	plan->offsets = NULL;
}

void plan_pass(const struct kohaku_plan *plan, struct kohaku_vector_pass *pass)
{
	memset(pass, 0, sizeof(*pass));
	pass->fill = plan->mode == KOHAKU_PLAN_FILL;
	pass->transpose = plan->transpose;
	pass->words = plan->words;
	pass->total = plan->total;
	pass->ndim = plan->loops.count;
	for (uint32_t i = 0; i < plan->loops.count; i++) {
		pass->dims[i].stride = plan->loops.dims[i].stride;
		pass->dims[i].bound = plan->loops.dims[i].bound;
	}
	pass->offsets = plan->offsets;
}

uint64_t kohaku_plan_at(const struct kohaku_plan *plan, uint64_t word)
{
	return plan->offsets[word / plan->words] +
	       kohaku_affine_at(&plan->loops, word % plan->words);
}

const char *kohaku_plan_verdict_text(enum kohaku_plan_verdict verdict)
{
	static const char *const texts[] = {
		[KOHAKU_PLAN_OK] = "it works",
		[KOHAKU_PLAN_NO_PERMUTATION] =
			"words of the two differ, also after a granule transpose",
		[KOHAKU_PLAN_NO_FOURS] = "the words of a block do not come in fours",
		[KOHAKU_PLAN_NO_WIDTH] = "no run width divides the words of a block",
		[KOHAKU_PLAN_UNEVEN] = "runs walk differently from one another",
		[KOHAKU_PLAN_NOT_AFFINE] = "the walk is not nested loops",
		[KOHAKU_PLAN_DIMS_EXCEEDED] = "the walk needs more than 4 dimensions",
		[KOHAKU_PLAN_STRIDE_EXCEEDED] = "a stride does not fit a descriptor",
	};

	return texts[verdict];
}
