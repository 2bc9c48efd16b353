// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 5, palette: 64 bytes to 64 fp16 values by a table of 256.  The
 * table's reset value c / 255 makes it the conversion of 8-bit unsigned
 * normalised pixels; mode bit 0 leaves the table out and gives c itself.
 */
#include "sim/occupant/occupant.h"

#define PAL_INDEX	0x08
#define PAL_DATA	0x0C
#define BEATS		2
#define BYTES		(BEATS * KOHAKU_WORD)

/* num / den in fp16, rounded to nearest even, for values that are 0 or 2^-14.. 65504. */
static u16 half_from_ratio(u32 num, u32 den)
{
	s32 exponent = 0;
	u64 scaled, rest;

	if (!num)
		return 0;
	/* Brings num / den into 1..2 times a power of two. */
	for (; num >= 2 * den; den *= 2)
		exponent++;
	for (; num < den; num *= 2)
		exponent--;
	scaled = ((u64)num << 10) / den;
	rest = ((u64)num << 10) % den;
	if (2 * rest > den || (2 * rest == den && (scaled & 1)))
		scaled++;
	/* A carry out of the fraction steps the exponent, as it should. */
	return (u16)((exponent + 15) << 10) + (u16)(scaled - 1024);
}

static void reset(struct sim_bank *bank)
{
	u32 c;

	for (c = 0; c < 256; c++)
		bank->palette.colours[c] = half_from_ratio(c, 255);
	bank->palette.index = 0;
}

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	u64 n;

	for (n = 0; n < (u64)entries * BYTES; n++) {
		u16 half = mode & 1 ? half_from_ratio(in[n], 1) : bank->palette.colours[in[n]];

		out[2 * n] = (u8)half;
		out[2 * n + 1] = (u8)(half >> 8);
	}
}

static u32 load(const struct sim_bank *bank, u32 offset)
{
	if (offset == PAL_INDEX)
		return bank->palette.index;
	return offset == PAL_DATA ? bank->palette.colours[bank->palette.index] : 0;
}

static void store(struct sim_bank *bank, u32 offset, u32 value)
{
	struct sim_palette *palette = &bank->palette;

	if (offset == PAL_INDEX) {
		palette->index = value & 0xFF;
	} else if (offset == PAL_DATA) {
		palette->colours[palette->index] = (u16)value;
		palette->index = (palette->index + 1) & 0xFF;
	}
}

const struct sim_occupant sim_occupant_palette = {
	.beats = BEATS,
	.convert = convert,
	.load = load,
	.store = store,
	.reset = reset,
};
