// SPDX-License-Identifier: GPL-2.0
/* Recordings of the planner: plans, prices, and the widths it looks at. */
#include "relayout.h"

#include <errno.h>
#include <string.h>

static bool same_offsets(struct recording *recording, const char *word,
			 const struct kohaku_plan *plan, bool walked)
{
	uint64_t hash = REPLAY_FNV_START;
	bool listed = token_is(recording, 0, word);

	for (uint64_t run = 0; run < plan->runs; run++) {
		uint32_t ours = walked ? plan->offsets[run] : run * plan->words;

		hash = fnv_number(hash, ours);
		if (listed && !same(recording, word, ours, token_number(recording, 1 + run)))
			return false;
	}
	return listed || same(recording, word, hash, token_hex(recording, 1));
}

static bool same_permutation(struct recording *recording, const struct kohaku_plan *plan)
{
	uint64_t hash = REPLAY_FNV_START;

	for (uint64_t word = 0; word < plan->total; word++)
		hash = fnv_number(hash, kohaku_plan_at(plan, word));
	return same(recording, "permutation", hash, token_hex(recording, 1));
}

static bool same_shards(const struct recording *recording, const struct kohaku_plan *plan)
{
	for (size_t at = 1; at < recording->token_count; at += 4) {
		struct kohaku_sharding ours;

		kohaku_plan_shard(plan, token_number(recording, at), &ours);
		if (!same(recording, "shard-local", ours.local, token_number(recording, at + 1)) ||
		    !same(recording, "crossing", ours.crossing, token_number(recording, at + 2)) ||
		    !same(recording, "divides", ours.divides, token_number(recording, at + 3)))
			return false;
	}
	return true;
}

static bool same_image_cost(const struct recording *recording, const struct kohaku_plan_cost *ours)
{
	return same(recording, "image", ours->image_words, token_number(recording, 1)) &&
	       same(recording, "vector length", ours->lanes, number_after(recording, "vl")) &&
	       same(recording, "cycles of a run", ours->convert.run_cycles,
		    number_after(recording, "image_cycles"));
}

static bool same_cost(const struct recording *recording, const struct kohaku_plan_cost *ours)
{
	size_t copy = after(recording, "copy");

	return same(recording, "estimate", ours->estimate, token_number(recording, 1)) &&
	       same(recording, "flits", ours->convert.flits,
		    number_after(recording, "progflits")) &&
	       same(recording, "copy width", ours->copy.words, token_number(recording, copy)) &&
	       same(recording, "copy runs", ours->copy.runs, token_number(recording, copy + 1)) &&
	       same(recording, "copy flits", ours->copy.flits,
		    token_number(recording, copy + 2)) &&
	       same(recording, "cycles", ours->cycles, number_after(recording, "cycles"));
}

static bool same_routes(const struct recording *recording, const struct kohaku_plan *plan)
{
	static const char *const names[] = {
		[KOHAKU_PASS_IN_PLACE] = "inplace",
		[KOHAKU_PASS_VIA_STAGING] = "S",
		[KOHAKU_PASS_VIA_DRAM] = "M",
	};

	for (size_t at = 1; at < recording->token_count; at += 4) {
		enum kohaku_home home = token_is(recording, at, "S") ? KOHAKU_HOME_STAGING
								     : KOHAKU_HOME_DRAM;
		enum kohaku_pass_route route =
			kohaku_plan_route(plan, token_number(recording, at + 1), home);

		if (strcmp(names[route], token(recording, at + 2)))
			return fail(recording, "route %s, recorded %s", names[route],
				    token(recording, at + 2)), false;
		if (!same(recording, "credits", kohaku_plan_credits(plan, route, home),
			  token_number(recording, at + 3)))
			return false;
	}
	return true;
}

static bool same_head(const struct recording *recording, const struct kohaku_plan *plan)
{
	const char *mode = plan->mode == KOHAKU_PLAN_FILL ? "fill" : "drain";

	if (!token_is(recording, after(recording, "mode"), mode))
		return fail(recording, "mode %s", mode), false;
	return same(recording, "transpose", plan->transpose,
		    number_after(recording, "transpose")) &&
	       same(recording, "words", plan->words, number_after(recording, "words")) &&
	       same(recording, "total", plan->total, number_after(recording, "total")) &&
	       same(recording, "runs", plan->runs, number_after(recording, "runs")) &&
	       same(recording, "in place", plan->in_place, number_after(recording, "inplace")) &&
	       same(recording, "stepped", plan->stepped, number_after(recording, "stepped"));
}

/* One line after the first. */
static bool same_line(struct recording *recording, const struct kohaku_plan *plan,
		      const struct kohaku_plan_cost *cost)
{
	bool drain = plan->mode == KOHAKU_PLAN_DRAIN;
	const char *word = token(recording, 0);

	if (!strcmp(word, "dims"))
		return same_loops(recording, 1, &plan->loops);
	if (!strncmp(word, "src_off", 7))
		return same_offsets(recording, "src_off", plan, !drain);
	if (!strncmp(word, "dst_off", 7))
		return same_offsets(recording, "dst_off", plan, drain);
	if (!strcmp(word, "perm_fnv"))
		return same_permutation(recording, plan);
	if (!strcmp(word, "shard"))
		return same_shards(recording, plan);
	if (!strcmp(word, "image"))
		return same_image_cost(recording, cost);
	if (!strcmp(word, "flitcost"))
		return same_cost(recording, cost);
	if (!strcmp(word, "routes"))
		return same_routes(recording, plan);
	return fail(recording, "unknown line"), false;
}

enum outcome relayout_plan(struct recording *recording)
{
	bool none = after(recording, "none");
	struct kohaku_packing before, after_packing;
	struct kohaku_plan_cost cost = { 0 };
	struct kohaku_reason reason;
	struct kohaku_plan plan = { 0 };
	bool ok;
	int error;

	if (!take_conversion(recording, 2, number_after(recording, "batch"), &before,
			     &after_packing))
		return fail(recording, "unreadable");
	error = kohaku_plan_init(&plan, &before, &after_packing, NULL, &reason);
	if (error)
		ok = none || (fail(recording, "refused: %s", reason.text), false);
	else
		ok = !none ? same_head(recording, &plan)
			   : (fail(recording, "planned, recorded none"), false);
	if (!error)
		kohaku_plan_cost(&plan, &cost);
	while (recording_next(recording) && !token_is(recording, 0, "end"))
		ok = ok && same_line(recording, &plan, &cost);
	kohaku_plan_fini(&plan);
	return ok ? PASSED : FAILED;
}

/* The candidates of one attempt. */
struct seen {
	enum kohaku_plan_mode mode;
	bool transpose;
	unsigned int count;
	struct kohaku_plan_candidate candidates[40];
};

static void see(void *ctx, const struct kohaku_plan_candidate *candidate)
{
	struct seen *seen = ctx;

	if (candidate->mode == seen->mode && candidate->transpose == seen->transpose &&
	    candidate->words)
		seen->candidates[seen->count++] = *candidate;
}

static bool same_verdict(const struct recording *recording,
			 const struct kohaku_plan_candidate *ours)
{
	static const char *const words[] = {
		[KOHAKU_PLAN_OK] = "ok",
		[KOHAKU_PLAN_UNEVEN] = "nonuniform",
		[KOHAKU_PLAN_NOT_AFFINE] = "none",
		[KOHAKU_PLAN_DIMS_EXCEEDED] = "none",
		[KOHAKU_PLAN_STRIDE_EXCEEDED] = "toowide",
	};
	size_t needs = after(recording, "needs");
	bool exceeded = ours->verdict == KOHAKU_PLAN_DIMS_EXCEEDED;

	if (!same(recording, "width", ours->words, token_number(recording, 1)))
		return false;
	if (!token_is(recording, 2, words[ours->verdict]) ||
	    exceeded != !!needs)
		return fail(recording, "verdict %s",
			    kohaku_plan_verdict_text(ours->verdict)), false;
	if (needs)
		return same_loops(recording, needs, &ours->loops);
	if (ours->verdict == KOHAKU_PLAN_STRIDE_EXCEEDED)
		return same_loops(recording, 3, &ours->loops);
	if (ours->verdict != KOHAKU_PLAN_OK)
		return true;
	return same(recording, "in place", ours->in_place, token_number(recording, 3)) &&
	       same(recording, "estimate", ours->flits, token_number(recording, 4)) &&
	       same_loops(recording, 5, &ours->loops);
}

enum outcome relayout_widths(struct recording *recording)
{
	struct seen seen = {
		.mode = token_is(recording, after(recording, "mode"), "fill") ? KOHAKU_PLAN_FILL
									      : KOHAKU_PLAN_DRAIN,
		.transpose = number_after(recording, "tr"),
	};
	const struct kohaku_plan_observer observer = { see, &seen };
	struct kohaku_packing before, after_packing;
	struct kohaku_plan plan;
	unsigned int i = 0;
	bool ok = true;

	if (!take_conversion(recording, 1, number_after(recording, "batch"), &before,
			     &after_packing))
		return fail(recording, "unreadable");
	if (!kohaku_plan_init(&plan, &before, &after_packing, &observer, NULL))
		kohaku_plan_fini(&plan);
	while (recording_next_if(recording, "w"))
		ok = ok && (i < seen.count ? same_verdict(recording, &seen.candidates[i++])
					   : (fail(recording, "not looked at"), false));
	if (ok && i != seen.count)
		return fail(recording, "looked at %u widths, recorded %u", seen.count, i);
	return ok ? PASSED : FAILED;
}
