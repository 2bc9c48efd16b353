// SPDX-License-Identifier: LGPL-2.1-or-later
/* The cheapest way from one layout to another. */
#include "bursts.h"
#include "plan.h"
#include "reason.h"
#include "route.h"
#include "walker.h"

#include "sim/cost.h"

#include <errno.h>
#include <string.h>

uint64_t route_credits(const struct route_request *request, enum kohaku_place place,
		       bool in_order, uint64_t words)
{
	enum kohaku_home home = place == KOHAKU_PLACE_STAGING ? KOHAKU_HOME_STAGING
							      : request->terms->home;

	return plan_access(home, !in_order) * words * KOHAKU_WORD_SIZE;
}

/* One side of a pass: what its runs read or write. */
struct side {
	enum kohaku_place place;
	uint32_t words;		/* of a run */
	bool walked;		/* by the plan, else in order */
};

static uint64_t stride_of(const struct route_request *request, const struct kohaku_route *route,
			  enum kohaku_place place)
{
	if (place == KOHAKU_PLACE_SOURCE)
		return request->before->stride;
	if (place == KOHAKU_PLACE_DESTINATION)
		return request->after->stride;
	/* With room for one block only, each comes to lie where the last one was. */
	return route->rounds > 1 ? 0 : request->block;
}

/* Where in their pages the runs of all blocks begin. */
static void find_starts(const struct route_request *request, const struct kohaku_route *route,
			const struct side *side, struct bursts_starts *starts)
{
	const struct kohaku_plan *plan = &route->plan;
	uint64_t stride = stride_of(request, route, side->place);

	memset(starts, 0, sizeof(*starts));
	if (side->walked && plan->offsets) {
		for (uint64_t i = 0; i < plan->runs; i++)
			starts->at[plan->offsets[i] % BURSTS_PAGE]++;
	} else {
		starts->at[0] = 1;
		bursts_spread(starts, side->words, plan->total / side->words);
	}
	bursts_spread(starts, (int64_t)(stride / KOHAKU_WORD_SIZE), plan->count);
}

/* Cycles of the core's fills or drains of all blocks. */
static uint64_t traffic(const struct route_request *request, const struct kohaku_route *route,
			const struct side *side, bool drain)
{
	const struct kohaku_plan *plan = &route->plan;
	struct kohaku_loops loops = side->walked ? plan->loops : walk_in_order(side->words);
	uint64_t words = plan->total * plan->count, bursts;
	struct sim_effort effort = { .mode = KOHAKU_MODE_COPY, .elements = words };
	struct bursts_starts starts;

	find_starts(request, route, side, &starts);
	bursts = bursts_of_walks(&loops, &starts);
	if (drain) {
		effort.writes = bursts;
		effort.write_words = words;
	} else {
		effort.reads = bursts;
		effort.read_words = words;
	}
	return sim_cost(&effort) - SIM_COST_MOVE;
}

/* The index word, which a transposing run fetches first. */
static uint64_t index_traffic(const struct kohaku_plan *plan)
{
	return plan->transpose ? plan->runs * plan->count * SIM_COST_ELEMENT : 0;
}

static void add_pass(const struct route_request *request, struct kohaku_route *route,
		     enum kohaku_step_kind kind, enum kohaku_place from, enum kohaku_place to)
{
	const struct kohaku_plan *plan = &route->plan;
	bool convert = kind == KOHAKU_STEP_CONVERT;
	bool fill = convert && plan->mode == KOHAKU_PLAN_FILL;
	bool drain = convert && plan->mode == KOHAKU_PLAN_DRAIN;
	uint64_t words = plan->total * plan->count;
	struct kohaku_plan_cost cost;
	struct kohaku_plan round = *plan;
	const struct kohaku_pass_cost *pass;
	struct side read, written;

	/* A program is sent again for every round. */
	round.count = route->blocks;
	kohaku_plan_cost(&round, &cost);
	pass = convert ? &cost.convert : &cost.copy;
	route->steps[route->step_count++] = (struct kohaku_step){ .kind = kind, .from = from,
								  .to = to };
	route->flits += pass->flits * route->rounds;
	route->core_cycles += pass->cycles * route->rounds;
	read = (struct side){ from, pass->words, fill };
	written = (struct side){ to, pass->words, drain };
	route->cycles += pass->cycles * route->rounds + traffic(request, route, &read, false) +
			 traffic(request, route, &written, true) +
			 (convert ? index_traffic(plan) : 0);
	route->credits += route_credits(request, from, !fill, words) +
			  route_credits(request, to, !drain, words);
}

static int stage_vector(const struct route_request *request, struct kohaku_route *route,
			struct kohaku_reason *reason)
{
	uint64_t room = request->terms->room;

	if (room < request->block)
		return reason_set(reason, -EDOM, -1,
				  "it needs %llu bytes of staging, %llu are free",
				  (unsigned long long)request->block, (unsigned long long)room);
	if (room / request->block < route->blocks) {
		route->rounds = route->blocks;
		route->blocks = 1;
	}
	route->staging = request->block * route->blocks;
	add_pass(request, route, KOHAKU_STEP_CONVERT, KOHAKU_PLACE_SOURCE, KOHAKU_PLACE_STAGING);
	add_pass(request, route, KOHAKU_STEP_COPY, KOHAKU_PLACE_STAGING,
		 KOHAKU_PLACE_DESTINATION);
	return 0;
}

int route_vector(const struct route_request *request, struct kohaku_route *route,
		 struct kohaku_reason *reason)
{
	int error;

	if (!request->terms->vector)
		return reason_set(reason, -EDOM, -1, "there is no vector core");
	error = kohaku_plan_init(&route->plan, request->before, request->after, NULL, reason);
	if (error)
		return error;
	route->rounds = 1;
	route->blocks = request->before->count;
	route->stride_before = request->before->stride;
	route->stride_after = request->after->stride;
	if (request->terms->in_place && !route->plan.in_place) {
		error = stage_vector(request, route, reason);
		if (error)
			kohaku_plan_fini(&route->plan);
		return error;
	}
	add_pass(request, route, KOHAKU_STEP_CONVERT, KOHAKU_PLACE_SOURCE,
		 KOHAKU_PLACE_DESTINATION);
	return 0;
}

/* Always possible; what it costs is not the node's to say. */
static int route_host(const struct route_request *request, struct kohaku_route *route,
		      struct kohaku_reason *reason)
{
	(void)reason;
	route->rounds = 1;
	route->blocks = request->before->count;
	route->step_count = 1;
	route->steps[0] = (struct kohaku_step){ .kind = KOHAKU_STEP_HOST,
						.from = KOHAKU_PLACE_SOURCE,
						.to = KOHAKU_PLACE_DESTINATION };
	return 0;
}

static const struct engine {
	const char *name;
	int (*build)(const struct route_request *request, struct kohaku_route *route,
		     struct kohaku_reason *reason);
} engines[KOHAKU_ENGINES] = {
	[KOHAKU_ENGINE_AUTO] = { "auto", NULL },
	[KOHAKU_ENGINE_MOVER] = { "mover", route_mover },
	[KOHAKU_ENGINE_VECTOR] = { "vector", route_vector },
	[KOHAKU_ENGINE_SLOT] = { "slot", route_slot },
	[KOHAKU_ENGINE_HOST] = { "host", route_host },
};

const char *kohaku_engine_name(enum kohaku_engine engine)
{
	return engine < KOHAKU_ENGINES ? engines[engine].name : "unknown";
}

static bool cheaper(const struct kohaku_route *a, const struct kohaku_route *b)
{
	if (a->cycles != b->cycles)
		return a->cycles < b->cycles;
	return a->credits < b->credits;
}

static void note(struct kohaku_option *option, const struct kohaku_route *route, bool possible)
{
	option->possible = possible;
	option->cycles = route->cycles;
	option->credits = route->credits;
	option->flits = route->flits;
	option->staging = route->staging;
}

/* Builds one engine's route, and keeps it in best if it is the cheapest so far. */
static int consider(const struct route_request *request, enum kohaku_engine engine,
		    struct kohaku_route *best, struct kohaku_option *option,
		    struct kohaku_reason *reason)
{
	struct kohaku_reason why = { .position = -1 };
	struct kohaku_route route = { .engine = engine };
	int error = engines[engine].build(request, &route, &why);

	if (option) {
		note(option, &route, !error);
		option->reason = why;
	}
	if (error == -EDOM)
		return reason_set(reason, 0, why.position, "%s: %s", engines[engine].name,
				  why.text);
	if (error)
		return error;
	if (best->engine == KOHAKU_ENGINE_AUTO || cheaper(&route, best)) {
		kohaku_route_fini(best);
		*best = route;
	} else {
		kohaku_route_fini(&route);
	}
	return 0;
}

static int check(const struct route_request *request, struct kohaku_reason *reason)
{
	const struct kohaku_packing *before = request->before, *after = request->after;
	int error = plan_same_array(before, after, reason);

	if (error)
		return error;
	if (request->terms->engine == KOHAKU_ENGINE_HOST)
		return 0;
	if (request->terms->in_place && before->count > 1 && before->stride != after->stride)
		return reason_set(reason, -EDOM, -1,
				  "in place, the blocks of both layouts must be equally far apart");
	if (before->slots != after->slots)
		return reason_set(reason, -EDOM, -1,
				  "padding: the layouts differ in size, %llu and %llu bytes",
				  (unsigned long long)before->slots * 2,
				  (unsigned long long)after->slots * 2);
	if (request->block % KOHAKU_WORD_SIZE ||
	    (before->count > 1 && (before->stride | after->stride) % KOHAKU_WORD_SIZE))
		return reason_set(reason, -EDOM, -1, "a block is not whole words of 16 elements");
	return 0;
}

/* What is in every engine's way. */
static void note_all(struct kohaku_option *options, const struct kohaku_reason *why)
{
	for (enum kohaku_engine e = KOHAKU_ENGINE_MOVER; e < KOHAKU_ENGINE_HOST; e++)
		options[e].reason = *why;
}

int kohaku_route_init(struct kohaku_route *route, const struct kohaku_packing *before,
		      const struct kohaku_packing *after, const struct kohaku_terms *terms,
		      struct kohaku_option options[KOHAKU_ENGINES], struct kohaku_reason *reason)
{
	const struct route_request request = { before, after, terms, before->slots * 2 };
	struct kohaku_route best = { .engine = KOHAKU_ENGINE_AUTO };
	struct kohaku_reason why = { .position = -1 };
	int error;

	if (terms->engine >= KOHAKU_ENGINES)
		return reason_set(reason, -EINVAL, -1, "no such engine");
	if (options)
		memset(options, 0, KOHAKU_ENGINES * sizeof(*options));
	error = check(&request, &why);
	if (error && options)
		note_all(options, &why);
	for (enum kohaku_engine e = KOHAKU_ENGINE_MOVER; !error && e < KOHAKU_ENGINES; e++)
		if (terms->engine == e ||
		    (terms->engine == KOHAKU_ENGINE_AUTO && e != KOHAKU_ENGINE_HOST))
			error = consider(&request, e, &best, options ? &options[e] : NULL, &why);
	if (!error && best.engine == KOHAKU_ENGINE_AUTO)
		error = -EDOM;
	if (error) {
		if (reason)
			*reason = why;
		kohaku_route_fini(&best);
		return error;
	}
	*route = best;
	return 0;
}

void kohaku_route_fini(struct kohaku_route *route)
{
	kohaku_plan_fini(&route->plan);
}
