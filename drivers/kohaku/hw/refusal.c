// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What a refusal means to a program and to a person.
 */
#include "move.h"

static const char *const texts[KOHAKU_REFUSALS] = {
	[KOHAKU_REFUSAL_NONE] = "not refused",
	[KOHAKU_REFUSAL_MODE] = "unknown mode",
	[KOHAKU_REFUSAL_FLAGS] = "unknown flags",
	[KOHAKU_REFUSAL_WIDTH] = "unknown pattern width",
	[KOHAKU_REFUSAL_CAP] = "burst_cap is above 7",
	[KOHAKU_REFUSAL_UNUSED] = "a field that is not used here is not zero",
	[KOHAKU_REFUSAL_NDIM] = "ndim is not 1..6",
	[KOHAKU_REFUSAL_COUNT] = "a count is not 1..65535, or their product no 64-bit number",
	[KOHAKU_REFUSAL_STRIDE] = "a stride is no signed 32-bit number",
	[KOHAKU_REFUSAL_AXIS] = "an axis is not 0..2",
	[KOHAKU_REFUSAL_WINDOW] = "a window's base or extent is no 16-bit number",
	[KOHAKU_REFUSAL_COORDINATE] = "a coordinate leaves -32768..32767",
	[KOHAKU_REFUSAL_SHORT_SOURCE] = "the source has fewer elements than the destination",
	[KOHAKU_REFUSAL_SOURCE_ALIGN] = "the source is not aligned to 32 bytes",
	[KOHAKU_REFUSAL_OFFSET] = "the walk begins farther from its buffer than any address",
	[KOHAKU_REFUSAL_BOUNDS] = "the walk leaves its buffer",
	[KOHAKU_REFUSAL_REACH] = "the walk goes 2 GiB or more from its offset",
	[KOHAKU_REFUSAL_REMOTE] = "the buffer is on a mesh out of reach",
	[KOHAKU_REFUSAL_INDICES] = "index_count is not 1..2048",
	[KOHAKU_REFUSAL_ROW] = "row_words is not 1..65535",
	[KOHAKU_REFUSAL_OCCUPANT] = "the transform slot has no such occupant or mode",
	[KOHAKU_REFUSAL_ENTRY] = "no whole number of transform entries, or too few places",
	[KOHAKU_REFUSAL_ENTRY_ALIGN] = "transform entries are not at multiples of 128 bytes",
	[KOHAKU_REFUSAL_ENTRY_WINDOW] = "a window cuts off part of a transform",
	[KOHAKU_REFUSAL_VERIFY] = "verify needs a last word that the move does not read",
};

const char *kohaku_refusal_text(enum kohaku_refusal refusal)
{
	return (u32)refusal < KOHAKU_REFUSALS ? texts[refusal] : "unknown refusal";
}

int kohaku_refusal_errno(enum kohaku_refusal refusal)
{
	switch (refusal) {
	case KOHAKU_REFUSAL_NONE:
		return 0;
	case KOHAKU_REFUSAL_MODE:
	case KOHAKU_REFUSAL_FLAGS:
	case KOHAKU_REFUSAL_WIDTH:
	case KOHAKU_REFUSAL_UNUSED:
	case KOHAKU_REFUSAL_OCCUPANT:
		return -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
}
