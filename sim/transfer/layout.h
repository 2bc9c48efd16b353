/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Which lane holds which byte.
 */
#ifndef SIM_TRANSFER_LAYOUT_H
#define SIM_TRANSFER_LAYOUT_H

#include "transfer.h"

struct tf_layout {
	u32 kamlets, jamlets;		/* jamlets of one kamlet */
	u32 lanes;
	u32 stripe;			/* bytes: one word a lane */
	u32 words;			/* of a line in one jamlet */
	u32 line;			/* bytes of a line in all kamlets */
	u32 width, height;		/* the grid of lanes */
	bool valid[FABRIC_ORDERS];
	/* Jamlets are numbered kamlet by kamlet: k * jamlets + j. */
	u8 jamlet[FABRIC_ORDERS][FABRIC_LANES_MAX];
	u8 lane[FABRIC_ORDERS][FABRIC_LANES_MAX];
	u8 x[FABRIC_LANES_MAX], y[FABRIC_LANES_MAX];
};

/* A byte of a stripe. */
struct tf_place {
	u32 lane;
	u32 byte;			/* of that lane's word */
};

void tf_layout_init(struct tf_layout *layout, const struct fabric_config *config);

/*
 * Where a stripe of elements of @size bytes keeps byte @offset
 */
static inline struct tf_place tf_layout_place(const struct tf_layout *layout, u32 size, u32 offset)
{
	u32 element = offset / size;

	return (struct tf_place) {
		.lane = element % layout->lanes,
		.byte = element / layout->lanes * size + offset % size,
	};
}

/* The inverse of tf_layout_place() */
static inline u32 tf_layout_offset(const struct tf_layout *layout, u32 size, u32 lane, u32 byte)
{
	return (byte / size * layout->lanes + lane) * size + byte % size;
}

/*
 * How much of an element moves in one message
 * @address: of its next byte
 * @mem_size: bytes of a memory element there; 0 for scalar memory
 * @left: bytes left in the register element, up to the page's end
 *
 * A segment is contiguous both in one register and in one memory element.
 */
static inline u32 tf_segment_bytes(u64 address, u32 mem_size, u32 left)
{
	u32 room = mem_size ? mem_size - (u32)(address & (mem_size - 1)) : left;

	return min(room, left);
}

#endif
