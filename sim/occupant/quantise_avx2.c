// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The quantiser sixteen values at a time.
 *
 * Written with the compiler's vector types, since the kernel has no intrinsics
 * header.  The target attribute lets these functions, and nothing else, use the
 * vector registers.
 */
#include "sim/occupant/mxfp7.h"

#ifdef __x86_64__

#define AVX2 __attribute__((target("avx2")))
/* Vectors are not to pass through memory from one to the next. */
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

typedef u16 vec16 __attribute__((vector_size(32)));
typedef s16 svec16 __attribute__((vector_size(32)));
typedef u32 vec32 __attribute__((vector_size(32)));
typedef u64 vec64 __attribute__((vector_size(32)));
typedef char vec8 __attribute__((vector_size(32)));
typedef u16 half_vec16 __attribute__((vector_size(16)));
typedef s16 shalf_vec16 __attribute__((vector_size(16)));

/* All values of a block, then all their results. */
struct block {
	vec16 values[MXFP7_LANES][2];
};

/* 2^(7 - n) for shifts n of 0..7, else 0; for pshufb, once a 128-bit half. */
#define SHIFTS (char)128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0
static const vec8 shift_factors = { SHIFTS, SHIFTS };

/*
 * Added to a shift of 0..31 it makes an index for pshufb: shifts from 16 on, and
 * the upper byte, get the top bit that picks 0.
 */
#define SHIFT_INDEX 0x8070

/* To turn pairs of 16-bit values into one of 14 bits, the first on top. */
static const svec16 pair_factors = {
	128, 1, 128, 1, 128, 1, 128, 1, 128, 1, 128, 1, 128, 1, 128, 1,
};

AVX2_INLINE u32 find_peak(const vec16 lane[2])
{
	svec16 a = (svec16)(lane[0] & 0x7FFF), b = (svec16)(lane[1] & 0x7FFF);
	svec16 larger = a > b;
	union {
		svec16 all;
		half_vec16 halves[2];
	} peaks = { (a & larger) | (b & ~larger) };
	half_vec16 mask = (half_vec16)(peaks.halves[0] > peaks.halves[1]);
	half_vec16 top = (peaks.halves[0] & mask) | (peaks.halves[1] & ~mask);

	/* The instruction finds a minimum. */
	top = (half_vec16)__builtin_ia32_phminposuw128((shalf_vec16)~top);
	return 0xFFFF & ~top[0];
}

/*
 * The steps are those of the scalar code, folded: twice the significand, so that
 * the upper half of its product is the product shifted by 15; one shift by 8 in
 * place of one by 7, rounding, and one by 1.  A magnitude is at most 64 before
 * it is limited to 63, since the scale comes from the peak.
 */
AVX2_INLINE vec16 quantise(vec16 half, struct mxfp7_scale scale)
{
	vec16 doubled = half + half;
	vec16 field = doubled >> 11;
	vec16 exponent = field - (vec16)(field == 0);
	vec16 significand = doubled - (exponent << 11) + 2048;
	vec16 index = (u16)(21 + scale.exponent + SHIFT_INDEX) - exponent;
	vec16 reciprocal = (vec16){ 0 } + mxfp7_reciprocals[scale.mantissa];
	vec16 negative = (vec16)((svec16)half >> 15);
	vec16 product, magnitude;

	product = (vec16)__builtin_ia32_pmulhuw256((svec16)significand, (svec16)reciprocal);
	product *= (vec16)__builtin_ia32_pshufb256(shift_factors, (vec8)index);
	magnitude = (product + 128) >> 8;
	magnitude += (vec16)((svec16)magnitude > 63);
	return ((magnitude ^ negative) - negative) & 0x7F;
}

AVX2_INLINE u32 quantise_block(const u8 *in, struct block *block)
{
	struct mxfp7_scale scale[MXFP7_LANES];
	u32 scales = 0;
	u32 lane;

	memcpy(block, in, sizeof(*block));
	/* All scales first: each is a long chain, and they run side by side. */
#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++) {
		scale[lane] = mxfp7_scale_of(find_peak(block->values[lane]));
		scales = scales << 8 | mxfp7_scale_byte(scale[lane]);
	}
#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++) {
		block->values[lane][0] = quantise(block->values[lane][0], scale[lane]);
		block->values[lane][1] = quantise(block->values[lane][1], scale[lane]);
	}
	return scales;
}

/* A word from four groups of eight values, 56 bits each, the first on top. */
AVX2_INLINE void put_word(u8 *out, u64 a, u64 b, u64 c, u64 d, u32 scales)
{
	a = a << 8 | b >> 48;
	memcpy(out, &scales, 4);
	memcpy(out + 4, &d, 8);
	memcpy(out + 11, &c, 8);
	memcpy(out + 18, &b, 8);
	memcpy(out + 24, &a, 8);
}

/* Order A: the eight values of a lane are neighbours. */
AVX2_INLINE void pack_by_lane(const struct block *block, u32 half, u32 scales, u8 *out)
{
	u64 groups[MXFP7_LANES][2];
	u32 lane, word;

#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++) {
		svec16 values = (svec16)block->values[lane][half];
		vec64 pairs = (vec64)__builtin_ia32_pmaddwd256(values, pair_factors);
		vec64 quads = (pairs & U32_MAX) << 14 | pairs >> 32;

		groups[lane][0] = quads[0] << 28 | quads[1];
		groups[lane][1] = quads[2] << 28 | quads[3];
	}
	for (word = 0; word < 2; word++)
		put_word(out + word * KOHAKU_WORD, groups[0][word], groups[1][word],
			 groups[2][word], groups[3][word], scales);
}

/* Order B: the four lanes of a k are neighbours. */
AVX2_INLINE void pack_by_depth(const struct block *block, u32 half, u32 scales, u8 *out)
{
	vec32 upper = (vec32)(block->values[0][half] << 7 | block->values[1][half]);
	vec32 lower = (vec32)(block->values[2][half] << 7 | block->values[3][half]);
	vec64 even = (vec64)((upper & 0xFFFF) << 14 | (lower & 0xFFFF));
	vec64 odd = (vec64)((upper >> 16) << 14 | lower >> 16);
	vec64 first = (even & U32_MAX) << 28 | (odd & U32_MAX);
	vec64 second = (even >> 32) << 28 | odd >> 32;

	put_word(out, first[0], second[0], first[1], second[1], scales);
	put_word(out + KOHAKU_WORD, first[2], second[2], first[3], second[3], scales);
}

AVX2 void mxfp7_quantise_avx2(u32 mode, const u8 *in, u8 *out, u32 entries)
{
	struct block block;

	for (; entries; entries--, in += sizeof(block), out += SIM_ENTRY_BYTES) {
		u32 scales = quantise_block(in, &block);
		u32 half;

		for (half = 0; half < 2; half++) {
			u8 *words = out + half * 2 * KOHAKU_WORD;

			if (mode & 1)
				pack_by_depth(&block, half, scales, words);
			else
				pack_by_lane(&block, half, scales, words);
		}
	}
}

#else

void mxfp7_quantise_avx2(u32 mode, const u8 *in, u8 *out, u32 entries)
{
	mxfp7_quantise_scalar(mode, in, out, entries);
}

#endif
