// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What a kinstruction means to a lane: which of its bytes move, and where to.
 *
 * A kinstruction moves at most one register's worth of bytes, so each byte of a
 * lane's word stands for at most one byte of the register group, even when the
 * kinstruction begins in one register and ends in the next.
 */
#include "units.h"

bool tf_register_byte(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 lane,
		      u32 byte, u32 *group_byte)
{
	u32 stripe = fabric->layout.stripe;
	u32 r = kinstr->begin / stripe * stripe +
		tf_layout_offset(&fabric->layout, tf_size(kinstr), lane, byte);

	if (r < kinstr->begin)
		r += stripe;
	*group_byte = r;
	return r < kinstr->end;
}

bool tf_memory_byte(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 lane,
		    u32 byte, u32 *group_byte, u32 *offset)
{
	u32 stripe = fabric->layout.stripe;
	u32 at = kinstr->offset / stripe * stripe +
		 tf_layout_offset(&fabric->layout, kinstr->mem_size, lane, byte);

	if (at < kinstr->offset)
		at += stripe;
	*offset = at;
	*group_byte = kinstr->begin + at - kinstr->offset;
	return *group_byte < kinstr->end;
}

bool tf_active(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element)
{
	u32 lanes = fabric->layout.lanes;
	u32 g;

	if (!kinstr->details.masked)
		return true;
	g = fabric->layout.jamlet[fabric->config.order][element % lanes];
	return fabric->regs[g][kinstr->mask] >> (element / lanes) & 1;
}

static u64 index_of(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element)
{
	const struct tf_layout *layout = &fabric->layout;
	u32 size = 1U << kinstr->details.index_width;
	u32 r = element * size;
	struct tf_place place = tf_layout_place(layout, size, r % layout->stripe);
	u32 g = layout->jamlet[fabric->config.order][place.lane];
	u64 word = fabric->regs[g][kinstr->details.index + r / layout->stripe];

	return tf_shift(word, place.byte, 0) & tf_byte_mask(0, size);
}

u64 tf_address(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element)
{
	switch (kinstr->details.mode & ~TF_MODE_STORE) {
	case FABRIC_STRIDE:
		return kinstr->base + (u64)element * (u64)kinstr->stride;
	case FABRIC_INDEX:
		return kinstr->base + index_of(fabric, kinstr, element);
	default:
		return kinstr->base + (u64)element * tf_size(kinstr);
	}
}

bool tf_kamlet_holds(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 k)
{
	const struct tf_layout *layout = &fabric->layout;
	u32 j, lane, byte, r, offset;

	if (kinstr->end - kinstr->begin == layout->stripe)
		return true;
	for (j = 0; j < layout->jamlets; j++) {
		lane = layout->lane[kinstr->mem_order][k * layout->jamlets + j];
		for (byte = 0; byte < 8; byte++)
			if (tf_memory_byte(fabric, kinstr, lane, byte, &r, &offset))
				return true;
	}
	return false;
}
