// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 3, dequantise: two words of an MXFP7 block back to fp16.  Every
 * result is exact; what is beyond fp16 becomes its largest finite number.
 */
#include "sim/occupant/mxfp7.h"
#include "sim/occupant/occupant.h"

#define BEATS	2
#define BLOCK	(BEATS * KOHAKU_WORD)

static s32 get_slot(const u8 *word, u32 slot)
{
	u32 low = KOHAKU_WORD * 8 - 7 * (slot + 1);
	u32 bits = word[low >> 3];

	if ((low & 7) > 1)
		bits |= (u32)word[(low >> 3) + 1] << 8;
	bits = bits >> (low & 7) & 0x7F;
	return bits & 0x40 ? (s32)bits - 128 : (s32)bits;
}

/* value * 2^exponent in fp16; value has at most 10 bits, so nothing is lost. */
static u16 half_of(s32 value, s32 exponent)
{
	u32 sign = value < 0 ? 0x8000 : 0;
	u32 magnitude = value < 0 ? -value : value;

	if (!magnitude)
		return 0;
	/* Brings the number to 1024..2047 * 2^exponent, or as near as 2^-24 allows. */
	for (; magnitude < 1024 && exponent > -24; exponent--)
		magnitude <<= 1;
	if (magnitude < 1024)
		return sign | magnitude;
	if (exponent > 5)
		return sign | 0x7BFF;
	return sign | (exponent + 25) << 10 | (magnitude - 1024);
}

static u16 dequantise(s32 value, u8 scale)
{
	s32 exponent = scale >> 3;
	s32 mantissa = 8 + (scale & 7);

	return half_of(value * mantissa, exponent - 23);
}

static void convert_entry(u32 mode, const u8 *in, u8 *out)
{
	u32 lane, k;

	for (lane = 0; lane < MXFP7_LANES; lane++) {
		for (k = 0; k < BEATS * MXFP7_PER_WORD; k++) {
			const u8 *word = in + k / MXFP7_PER_WORD * KOHAKU_WORD;
			u32 slot = mxfp7_slot(mode, lane, k % MXFP7_PER_WORD);
			u16 half = dequantise(get_slot(word, slot), word[MXFP7_LANES - 1 - lane]);

			*out++ = (u8)half;
			*out++ = (u8)(half >> 8);
		}
	}
}

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	(void)bank;
	for (; entries; entries--, in += BLOCK, out += SIM_ENTRY_BYTES)
		convert_entry(mode, in, out);
}

const struct sim_occupant sim_occupant_dequantise = {
	.beats = BEATS,
	.convert = convert,
};
