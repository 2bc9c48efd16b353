// SPDX-License-Identifier: LGPL-2.1-or-later
/* What a plan of the vector core costs. */
#include "plan.h"

#include "hw/vector.h"

uint64_t plan_estimate(uint32_t words, uint64_t total, uint64_t count, bool transpose)
{
	uint64_t runs = (total + words - 1) / words;
	/* One word more than the image has: the planner of the card counts so. */
	uint64_t slack = transpose ? 1 : 0;

	return kohaku_vector_flits(words, transpose, runs * count) + slack;
}

static void price_pass(struct kohaku_pass_cost *pass, uint32_t words,
		       const struct kohaku_plan *plan, bool transpose)
{
	uint64_t dispatches = plan->total / words * plan->count;

	pass->words = words;
	pass->runs = plan->total / words;
	pass->flits = kohaku_vector_flits(words, transpose, dispatches);
	pass->run_cycles = kohaku_vector_run_cycles(words, transpose);
	/* Every flit takes a cycle to come in, but a RUN takes those of its run. */
	pass->cycles = pass->run_cycles * dispatches + pass->flits - dispatches;
}

void kohaku_plan_cost(const struct kohaku_plan *plan, struct kohaku_plan_cost *cost)
{
	price_pass(&cost->convert, plan->words, plan, plan->transpose);
	price_pass(&cost->copy, kohaku_vector_copy_width(plan->total), plan, false);
	cost->image_words = kohaku_vector_image_words(plan->words, plan->transpose);
	cost->lanes = kohaku_vector_lanes(plan->words, plan->transpose);
	cost->estimate = plan_estimate(plan->words, plan->total, plan->count, plan->transpose);
	cost->cycles = cost->convert.cycles + (plan->in_place ? 0 : cost->copy.cycles);
}

void kohaku_plan_shard(const struct kohaku_plan *plan, uint32_t shards,
		       struct kohaku_sharding *sharding)
{
	uint64_t span = plan->total / shards, hops = 0;

	*sharding = (struct kohaku_sharding){ .divides = plan->total % shards == 0 };
	if (!sharding->divides)
		return;
	for (uint64_t word = 0; word < plan->total; word++) {
		uint64_t from = word / span, to = kohaku_plan_at(plan, word) / span;

		hops += from > to ? from - to : to - from;
	}
	sharding->local = !hops;
	sharding->crossing = hops * KOHAKU_WORD_SIZE;
}

/* Credits a byte: staging, DRAM in order, DRAM one word here and one there. */
enum { STAGING = 1, DRAM_ORDERED = 2, DRAM_RAGGED = 30 };

uint64_t plan_access(enum kohaku_home home, bool ragged)
{
	if (home == KOHAKU_HOME_STAGING)
		return STAGING;
	return ragged ? DRAM_RAGGED : DRAM_ORDERED;
}

uint64_t kohaku_plan_credits(const struct kohaku_plan *plan, enum kohaku_pass_route route,
			     enum kohaku_home home)
{
	bool fill = plan->mode == KOHAKU_PLAN_FILL;
	enum kohaku_home stage = route == KOHAKU_PASS_VIA_STAGING ? KOHAKU_HOME_STAGING
								  : KOHAKU_HOME_DRAM;
	uint64_t each = plan_access(home, fill);

	/* In staging, the card's price list sees the conversion and no way home. */
	if (route == KOHAKU_PASS_IN_PLACE || home == KOHAKU_HOME_STAGING)
		each += plan_access(home, !fill);
	else
		each += plan_access(stage, !fill) + plan_access(stage, false) +
			plan_access(home, false);
	return each * plan->total * KOHAKU_WORD_SIZE;
}

enum kohaku_pass_route kohaku_plan_route(const struct kohaku_plan *plan, uint64_t room,
					 enum kohaku_home home)
{
	bool fits = room >= plan->total * KOHAKU_WORD_SIZE;

	if (!fits)
		return plan->in_place ? KOHAKU_PASS_IN_PLACE : KOHAKU_PASS_VIA_DRAM;
	if (plan->in_place &&
	    kohaku_plan_credits(plan, KOHAKU_PASS_IN_PLACE, home) <=
	    kohaku_plan_credits(plan, KOHAKU_PASS_VIA_STAGING, home))
		return KOHAKU_PASS_IN_PLACE;
	return KOHAKU_PASS_VIA_STAGING;
}
