// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Routes of the mover, without and with the transform slot.
 *
 * The slot transposes the granules of four words and writes them one after the
 * other.  So what a conversion needs in order after the transpose is one move,
 * and what it needs scattered is a move into staging and one out of it.
 */
#include "bursts.h"
#include "perm.h"
#include "plan.h"
#include "reason.h"
#include "route.h"
#include "walker.h"

#include "hw/regs.h"
#include "sim/cost.h"

#include <errno.h>
#include <string.h>

/* Words of an entry of GT4, the occupant that transposes granules. */
#define ENTRY 4
#define ENTRY_BYTES (ENTRY * KOHAKU_WORD_SIZE)

static uint64_t stride_of(const struct route_request *request, enum kohaku_place place)
{
	switch (place) {
	case KOHAKU_PLACE_SOURCE:
		return request->before->stride;
	case KOHAKU_PLACE_DESTINATION:
		return request->after->stride;
	default:
		return request->block;
	}
}

/* Words that an element of the destination walk stands for. */
static uint64_t unit_of(const struct route_move *move)
{
	return move->mode == KOHAKU_MOVE_XFORM ? ENTRY : 1;
}

/* Blocks that are moved one a round begin where the last one's stride leads. */
static uint64_t bursts(const struct route_request *request, const struct kohaku_route *route,
		       enum kohaku_place place, const struct kohaku_loops *walk)
{
	uint64_t stride = place == KOHAKU_PLACE_STAGING ? 0 : stride_of(request, place);
	struct bursts_starts starts = { .at = { 1 } };

	bursts_spread(&starts, (int64_t)(stride / KOHAKU_WORD_SIZE), route->rounds);
	return bursts_of_walks(walk, &starts);
}

/* Of all rounds, with so many words each. */
static uint64_t price(const struct route_request *request, const struct route_move *move,
		      const struct kohaku_route *route, uint64_t words)
{
	struct sim_effort effort = {
		.mode = move->mode,
		.elements = words / unit_of(move) * route->rounds,
		.entry_beats = ENTRY,
		.slot_depth = request->terms->slot_depth,
		.read_words = words * route->rounds,
		.write_words = words * route->rounds,
	};

	/* Entries of the slot cost the same however they lie. */
	if (move->mode == KOHAKU_MOVE_COPY) {
		effort.reads = bursts(request, route, move->from, &move->src);
		effort.writes = bursts(request, route, move->to, &move->dst);
	}
	return sim_cost(&effort) + (route->rounds - 1) * SIM_COST_MOVE;
}

static uint64_t credits(const struct route_request *request, const struct route_move *move,
			uint64_t words)
{
	bool read_in_order = walk_is_in_order(&move->src, 1);
	bool written_in_order = walk_is_in_order(&move->dst, unit_of(move));

	return route_credits(request, move->from, read_in_order, words) +
	       route_credits(request, move->to, written_in_order, words);
}

static void add_step(const struct route_request *request, const struct route_move *move,
		     struct kohaku_route *route)
{
	struct kohaku_step *step = &route->steps[route->step_count++];
	uint64_t words = request->block / KOHAKU_WORD_SIZE * route->blocks;

	memset(step, 0, sizeof(*step));
	step->kind = KOHAKU_STEP_MOVE;
	step->from = move->from;
	step->to = move->to;
	step->move.mode = move->mode;
	if (move->mode == KOHAKU_MOVE_XFORM)
		step->move.xform = KOHAKU_OCCUPANT_GT4;
	else
		step->move.flags = KOHAKU_MOVE_COALESCE;
	walk_set(&step->move.src, &move->src);
	walk_set(&step->move.dst, &move->dst);
	route->cycles += price(request, move, route, words);
	route->credits += credits(request, move, words) * route->rounds;
}

/* Lets a move do all blocks at once; false when it cannot. */
static bool widen(const struct route_request *request, struct route_move *move)
{
	uint64_t count = request->before->count;

	if (move->src.count == KOHAKU_LOOPS_MAX || move->dst.count == KOHAKU_LOOPS_MAX)
		return false;
	walk_add_blocks(&move->src, count, stride_of(request, move->from));
	walk_add_blocks(&move->dst, count, stride_of(request, move->to));
	return walk_fit(&move->src) && walk_fit(&move->dst);
}

static bool widen_all(const struct route_request *request, const struct route_move *moves,
		      uint32_t count, uint64_t staging, struct route_move *wide)
{
	uint64_t blocks = request->before->count;

	if (staging > request->terms->room / blocks)
		return false;
	memcpy(wide, moves, count * sizeof(*wide));
	for (uint32_t i = 0; i < count; i++)
		if (!widen(request, &wide[i]))
			return false;
	return true;
}

int route_moves(const struct route_request *request, const struct route_move *moves,
		uint32_t count, struct kohaku_route *route, struct kohaku_reason *reason)
{
	uint64_t staging = moves[0].to == KOHAKU_PLACE_STAGING ? request->block : 0;
	struct route_move fitted[KOHAKU_STEPS_MAX];

	if (staging > request->terms->room)
		return reason_set(reason, -EDOM, -1,
				  "it needs %llu bytes of staging, %llu are free",
				  (unsigned long long)staging,
				  (unsigned long long)request->terms->room);
	route->rounds = 1;
	route->blocks = request->before->count;
	if (!widen_all(request, moves, count, staging, fitted)) {
		route->rounds = request->before->count;
		route->blocks = 1;
		memcpy(fitted, moves, count * sizeof(*fitted));
		for (uint32_t i = 0; i < count; i++)
			if (!walk_fit(&fitted[i].src) || !walk_fit(&fitted[i].dst))
				return reason_set(reason, -EDOM, -1,
						  "no walk of 6 dimensions covers it");
	}
	route->staging = staging * route->blocks;
	route->stride_before = request->before->stride;
	route->stride_after = request->after->stride;
	for (uint32_t i = 0; i < count; i++)
		add_step(request, &fitted[i], route);
	return 0;
}

static struct route_move copy_in_order(enum kohaku_place from, enum kohaku_place to,
				       uint64_t words)
{
	return (struct route_move){ KOHAKU_MOVE_COPY, from, to, walk_in_order(words),
				    walk_in_order(words) };
}

int route_mover(const struct route_request *request, struct kohaku_route *route,
		struct kohaku_reason *reason)
{
	struct route_move moves[2] = {
		copy_in_order(KOHAKU_PLACE_SOURCE, KOHAKU_PLACE_DESTINATION, 0),
	};
	struct kohaku_mover_form form;
	int error = kohaku_mover_form(request->before, request->after, &form, reason);

	if (error)
		return error;
	moves[0] = copy_in_order(KOHAKU_PLACE_SOURCE, KOHAKU_PLACE_DESTINATION, form.words);
	/* Writes in order fold into bursts, and reads are fetched ahead anyway. */
	if (form.gather_ok)
		moves[0].src = form.gather;
	else
		moves[0].dst = form.scatter;
	if (!request->terms->in_place)
		return route_moves(request, moves, 1, route, reason);
	moves[0].to = KOHAKU_PLACE_STAGING;
	moves[1] = copy_in_order(KOHAKU_PLACE_STAGING, KOHAKU_PLACE_DESTINATION, form.words);
	return route_moves(request, moves, 2, route, reason);
}

/* Through the slot in order: source and destination by one block's words. */
static struct route_move transform(enum kohaku_place from, enum kohaku_place to, uint64_t words)
{
	struct route_move move = { KOHAKU_MOVE_XFORM, from, to, walk_in_order(words), { 0 } };

	loops_append(&move.dst, ENTRY, words / ENTRY);
	return move;
}

/* Four source words by a walk become four in order: one move. */
static int slot_gather(const struct route_request *request, uint64_t words,
		       struct kohaku_route *route, struct kohaku_reason *reason)
{
	bool home = request->terms->in_place;
	struct route_move moves[2] = {
		transform(KOHAKU_PLACE_SOURCE,
			  home ? KOHAKU_PLACE_STAGING : KOHAKU_PLACE_DESTINATION, words),
		copy_in_order(KOHAKU_PLACE_STAGING, KOHAKU_PLACE_DESTINATION, words),
	};
	int error;

	if (!home && request->before->count > 1 && request->after->stride % ENTRY_BYTES)
		return reason_set(reason, -EDOM, -1,
				  "blocks must begin at multiples of %d bytes for the slot",
				  ENTRY_BYTES);
	error = perm_walk_between(request->after, request->before, PERM_TRANSPOSE_FROM,
				  &moves[0].src);
	return error ? error : route_moves(request, moves, home ? 2 : 1, route, reason);
}

/* Four source words in order become four by a walk: through staging. */
static int slot_scatter(const struct route_request *request, uint64_t words,
			struct kohaku_route *route, struct kohaku_reason *reason)
{
	struct route_move moves[2] = {
		transform(KOHAKU_PLACE_SOURCE, KOHAKU_PLACE_STAGING, words),
		copy_in_order(KOHAKU_PLACE_STAGING, KOHAKU_PLACE_DESTINATION, words),
	};
	int error = perm_walk_between(request->after, request->before, PERM_TRANSPOSE_TO,
				      &moves[1].src);

	if (error == -E2BIG) {
		moves[1].src = walk_in_order(words);
		error = perm_walk_between(request->before, request->after, PERM_TRANSPOSE_FROM,
					  &moves[1].dst);
	}
	return error ? error : route_moves(request, moves, 2, route, reason);
}

int route_slot(const struct route_request *request, struct kohaku_route *route,
	       struct kohaku_reason *reason)
{
	uint64_t words = request->block / KOHAKU_WORD_SIZE;
	int error;

	if (!request->terms->slot_depth)
		return reason_set(reason, -EDOM, -1, "there is no GT4 in the transform slot");
	if (words % ENTRY)
		return reason_set(reason, -EDOM, -1, "%s",
				  kohaku_plan_verdict_text(KOHAKU_PLAN_NO_FOURS));
	if (reason)
		reason->text[0] = '\0';
	error = slot_gather(request, words, route, reason);
	if (error == -EDOM || error == -E2BIG)
		error = slot_scatter(request, words, route, reason);
	if (error == -E2BIG)
		return reason_set(reason, -EDOM, -1, "no walk of 6 dimensions covers it");
	if (error == -EDOM && reason && !reason->text[0])
		return reason_set(reason, -EDOM, -1,
				  "after a granule transpose, words of the two still differ");
	return error;
}
