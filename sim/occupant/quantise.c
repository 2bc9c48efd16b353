// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 1, quantise: a block of 4 x 32 fp16 values to MXFP7.
 */
#include "sim/env.h"
#include "sim/occupant/mxfp7.h"
#include "sim/occupant/occupant.h"

#define BEATS	8
#define BLOCK	(BEATS * KOHAKU_WORD)

/* Blocks in one go with the vector registers held, so that others get their turn. */
#define SECTION 64

const u16 mxfp7_reciprocals[16] = {
	[8] = 4096, [9] = 3641, [10] = 3277, [11] = 2979,
	[12] = 2731, [13] = 2520, [14] = 2341, [15] = 2185,
};

/* One value in seven bits, two's complement. */
static u32 quantise(u32 half, struct mxfp7_scale scale)
{
	struct mxfp7_magnitude value = mxfp7_decode(half & 0x7FFF);
	s32 shift = 21 + scale.exponent - value.exponent;
	u32 product, magnitude;

	if (!value.significand || shift > 7)
		return 0;
	product = value.significand * mxfp7_reciprocals[scale.mantissa] >> 15;
	product = (product & 0xFF) >> (shift & 7);
	magnitude = (product >> 1) + (product & 1);
	if (shift < 0 || magnitude > 63)
		magnitude = 63;
	return half & 0x8000 ? -magnitude & 0x7F : magnitude;
}

static u32 get_half(const u8 *in, u32 lane, u32 k)
{
	const u8 *at = in + 2 * (lane * MXFP7_DEPTH + k);

	return at[0] | at[1] << 8;
}

static struct mxfp7_scale scale_of_lane(const u8 *in, u32 lane)
{
	u32 peak = 0;
	u32 k;

	for (k = 0; k < MXFP7_DEPTH; k++)
		peak = max(peak, get_half(in, lane, k) & 0x7FFF);
	return mxfp7_scale_of(peak);
}

/* Puts seven bits into the bits below position top of a word. */
static void put_slot(u8 *word, u32 slot, u32 value)
{
	u32 low = KOHAKU_WORD * 8 - 7 * (slot + 1);
	u32 shifted = value << (low & 7);

	word[low >> 3] |= (u8)shifted;
	if (shifted >> 8)
		word[(low >> 3) + 1] |= (u8)(shifted >> 8);
}

static void quantise_lane(u32 mode, u32 lane, const u8 *in, u8 *out)
{
	struct mxfp7_scale scale = scale_of_lane(in, lane);
	u32 k;

	for (k = 0; k < MXFP7_DEPTH; k++) {
		u8 *word = out + k / MXFP7_PER_WORD * KOHAKU_WORD;

		put_slot(word, mxfp7_slot(mode, lane, k % MXFP7_PER_WORD),
			 quantise(get_half(in, lane, k), scale));
		word[MXFP7_LANES - 1 - lane] = mxfp7_scale_byte(scale);
	}
}

void mxfp7_quantise_scalar(u32 mode, const u8 *in, u8 *out, u32 entries)
{
	for (; entries; entries--, in += BLOCK, out += SIM_ENTRY_BYTES) {
		u32 lane;

		memset(out, 0, SIM_ENTRY_BYTES);
		for (lane = 0; lane < MXFP7_LANES; lane++)
			quantise_lane(mode, lane, in, out);
	}
}

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	(void)bank;
	while (entries) {
		u32 part = min_t(u32, entries, SECTION);

		if (env_vector_begin()) {
			mxfp7_quantise_avx2(mode, in, out, part);
			env_vector_end();
		} else {
			mxfp7_quantise_scalar(mode, in, out, part);
		}
		in += (size_t)part * BLOCK;
		out += (size_t)part * SIM_ENTRY_BYTES;
		entries -= part;
	}
}

const struct sim_occupant sim_occupant_quantise = {
	.beats = BEATS,
	.convert = convert,
};
