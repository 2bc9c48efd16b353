/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Random moves for tests: small, of every mode, about half of them legal.
 */
#ifndef KOHAKU_HW_MOVE_RANDOM_H
#define KOHAKU_HW_MOVE_RANDOM_H

#include "hw/testing.h"

#include "move.h"

#define MESH1 (1ULL << 36)

/* A move, what it is checked against, and what comes out. */
struct move_setting {
	struct kohaku_move move;
	struct kohaku_move_context context;
	struct kohaku_region src, dst;
	u32 indices[2048];
	struct kohaku_move_facts facts;
	struct kohaku_verdict verdict;
};

static inline void move_setting_link(struct move_setting *s, struct kohaku_walk_scratch *scratch)
{
	s->context = (struct kohaku_move_context){
		.mesh = 1, .entry_beats = 8, .src = &s->src, .dst = &s->dst,
		.indices = s->indices, .scratch = scratch,
	};
}

/* Most of it is legal, so that one wrong field is one wrong field. */
static inline void random_walker(struct kohaku_walker *walker, u32 granule)
{
	u32 i;

	*walker = (struct kohaku_walker){
		.ndim = random_between(1, 4),
		.offset = random_between(-8, 40) * granule,
	};
	for (i = 0; i < walker->ndim; i++)
		walker->dims[i] = (struct kohaku_dim){
			.stride = random_between(-3, 9) * granule,
			.count = random_between(1, 6),
			.step = random_between(-2, 3),
			.axis = random_between(0, 2),
		};
	for (i = 0; i < 2; i++)
		if (random_once_in(3))
			walker->windows[i] = (struct kohaku_window){ random_between(-4, 4),
								     random_between(0, 12) };
	if (random_once_in(20))
		walker->offset += random_between(-33, 33);
	if (random_once_in(40))
		walker->offset = (s64)random_bits() >> random_between(0, 63);
	if (random_once_in(20))
		walker->dims[0].stride = random_bits() >> random_between(0, 63);
	if (random_once_in(40))
		walker->dims[0].count = random_between(0, 70000);
	if (random_once_in(40))
		walker->ndim = random_between(0, 7);
	if (random_once_in(40))
		walker->dims[random_between(0, 5)].step = random_bits();
	if (random_once_in(40))
		walker->windows[0] = (struct kohaku_window){ (s32)random_bits() >> 14,
							     (u32)random_bits() >> 14 };
	if (random_once_in(40))
		walker->dims[random_between(0, 5)].axis = random_between(0, 3);
}

static inline void random_source(struct move_setting *s)
{
	struct kohaku_move *move = &s->move;
	u32 i;

	if (move->mode == KOHAKU_MOVE_COPY || move->mode == KOHAKU_MOVE_XFORM)
		random_walker(&move->src, 32);
	if (move->mode != KOHAKU_MOVE_GATHER)
		return;
	move->src.offset = random_between(-4, 20) * 32;
	move->index_count = random_between(1, 200);
	move->row_words = random_between(1, 40);
	move->pitch = random_between(0, 40) * 32;
	for (i = 0; i < move->index_count; i++)
		s->indices[i] = random_between(0, 20);
	if (random_once_in(20))
		s->indices[random_between(0, 40)] = random_bits();
	if (random_once_in(40))
		move->index_count = random_between(0, 3000);
	if (random_once_in(40))
		move->row_words = random_between(0, 70000);
	if (random_once_in(40))
		move->pitch = random_bits();
}

static inline void random_move(struct move_setting *s)
{
	static const u16 modes[] = { KOHAKU_MOVE_COPY, KOHAKU_MOVE_GATHER, KOHAKU_MOVE_GENERATE,
				     KOHAKU_MOVE_FILL, KOHAKU_MOVE_XFORM };
	struct kohaku_move *move = &s->move;

	memset(move, 0, sizeof(*move));
	move->mode = modes[random_between(0, 4)];
	random_walker(&move->dst, move->mode == KOHAKU_MOVE_XFORM ? 128 : 32);
	random_source(s);
	if (random_once_in(30))
		move->mode = random_between(0, 8);
	if (random_once_in(30))
		((u8 *)move)[random_between(0, offsetof(struct kohaku_move, src) - 1)] =
			random_bits();
	s->src = (struct kohaku_region){ MESH1 + 0x10000, random_between(1, 300) * 32 };
	s->dst = (struct kohaku_region){ MESH1 + 0x10000 + random_between(0, 9) * 4096,
					 random_between(1, 900) * 32 };
	s->context.verify = random_once_in(2);
	s->context.remote = random_once_in(2);
	s->context.entry_beats = random_between(0, 2);
	s->context.mesh = !random_once_in(40);
	if (random_once_in(20))
		s->dst.addr ^= MESH1;
}

#endif
