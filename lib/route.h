/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Routes: internal to lib/route*.c. */
#ifndef LIB_ROUTE_H
#define LIB_ROUTE_H

#include "kohaku_relayout.h"

/* A conversion and what there is to do it with. */
struct route_request {
	const struct kohaku_packing *before;
	const struct kohaku_packing *after;
	const struct kohaku_terms *terms;
	uint64_t block;		/* bytes of a packed block */
};

/*
 * Each builds the route of one engine.  Returns -EDOM and fills reason when the
 * engine cannot, -ENOMEM.
 */
int route_mover(const struct route_request *request, struct kohaku_route *route,
		struct kohaku_reason *reason);
int route_slot(const struct route_request *request, struct kohaku_route *route,
	       struct kohaku_reason *reason);
int route_vector(const struct route_request *request, struct kohaku_route *route,
		 struct kohaku_reason *reason);

/* A move between two places, by the walk of each over one block. */
struct route_move {
	enum kohaku_move_mode mode;
	enum kohaku_place from, to;
	struct kohaku_loops src, dst;
};

/*
 * Makes a route of moves: with all blocks in one round if the walks and the
 * staging allow it.  -EDOM: a walk does not fit the mover.
 */
int route_moves(const struct route_request *request, const struct route_move *moves,
		uint32_t count, struct kohaku_route *route, struct kohaku_reason *reason);

/* Credits of reading or writing words of a place. */
uint64_t route_credits(const struct route_request *request, enum kohaku_place place,
		       bool in_order, uint64_t words);

#endif
