// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The quantiser sixteen values at a time.
 *
 * Written with the compiler's vector types, since the kernel has no intrinsics
 * header.  The target attribute lets these functions, and nothing else, use the
 * vector registers.
 */
#include "sim/occupant/mxfp7.h"

/* sparse knows no vectors. */
#if defined(__x86_64__) && !defined(__CHECKER__)

#define AVX2 __attribute__((target("avx2")))
/* Vectors are not to pass through memory from one to the next. */
#define AVX2_INLINE static inline __attribute__((always_inline, target("avx2")))

typedef u16 vec16 __attribute__((vector_size(32)));
typedef s16 svec16 __attribute__((vector_size(32)));
typedef u64 vec64 __attribute__((vector_size(32)));
typedef char vec8 __attribute__((vector_size(32)));
typedef u16 half_vec16 __attribute__((vector_size(16)));
typedef s16 shalf_vec16 __attribute__((vector_size(16)));
typedef u32 half_vec32 __attribute__((vector_size(16)));
typedef char half_vec8 __attribute__((vector_size(16)));
typedef long long half_vec64 __attribute__((vector_size(16)));

/* All values of a block, then all their results. */
struct block {
	vec16 values[MXFP7_LANES][2];
};

/* Of every lane, all positive: the exponent and 20, and the mantissa. */
struct scales {
	half_vec32 exponent, mantissa;
};

/* The groups of eight values of two words, 56 bits each, in order a, b and c, d. */
struct groups {
	vec64 ab, cd;		/* a b of the first word, a b of the second */
};

/* The same 16 bytes once a 128-bit half. */
#define TWICE(...) { __VA_ARGS__, __VA_ARGS__ }

/* 2^(7 - n) for shifts n of 0..7, else 0; for pshufb. */
static const vec8 shift_factors =
	TWICE((char)128, 64, 32, 16, 8, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0);

/*
 * Added to a shift of 0..31 it makes an index for pshufb: shifts from 16 on, and
 * the upper byte, get the top bit that picks 0.
 */
#define SHIFT_INDEX 0x8070

/* To turn pairs of values of 7 bits, then of 14, into one, the first on top. */
static const vec8 byte_factors =
	TWICE((char)128, 1, (char)128, 1, (char)128, 1, (char)128, 1,
	      (char)128, 1, (char)128, 1, (char)128, 1, (char)128, 1);
static const svec16 pair_factors = TWICE(16384, 1, 16384, 1, 16384, 1, 16384, 1);

/* Where the bytes of a word come from: d and part of c; the rest of c; b and a. */
#define NONE (char)128
static const vec8 low_of_cd =
	TWICE(NONE, NONE, NONE, NONE, 8, 9, 10, 11, 12, 13, 14, 0, 1, 2, 3, 4);
static const vec8 high_of_cd =
	TWICE(5, 6, NONE, NONE, NONE, NONE, NONE, NONE,
	      NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE);
static const vec8 high_of_ab =
	TWICE(NONE, NONE, 8, 9, 10, 11, 12, 13, 14, 0, 1, 2, 3, 4, 5, 6);

/* For pshufb: what a lane has in its 32 bits, in all 16 values of a vector. */
#define SPREAD(at) TWICE(at, (at) + 1, at, (at) + 1, at, (at) + 1, at, (at) + 1, \
			 at, (at) + 1, at, (at) + 1, at, (at) + 1, at, (at) + 1)
static const vec8 spread[MXFP7_LANES] = { SPREAD(0), SPREAD(4), SPREAD(8), SPREAD(12) };

/* The lowest bytes of the lanes in the order in which a word ends. */
static const half_vec8 scale_bytes = {
	12, 8, 4, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
};

AVX2_INLINE half_vec16 larger(half_vec16 a, half_vec16 b)
{
	/* Saturating at zero: what b has more. */
	return a + (half_vec16)__builtin_ia32_psubusw128((shalf_vec16)b, (shalf_vec16)a);
}

/* Eight values among which the peak of a lane is. */
AVX2_INLINE half_vec16 find_eight(const vec16 lane[2])
{
	svec16 a = (svec16)(lane[0] & 0x7FFF), b = (svec16)(lane[1] & 0x7FFF);
	vec16 all = (vec16)(a + __builtin_ia32_psubusw256(b, a));

	return larger(__builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7),
		      __builtin_shufflevector(all, all, 8, 9, 10, 11, 12, 13, 14, 15));
}

/* Two lanes' values, halved in number. */
AVX2_INLINE half_vec32 halve(half_vec16 a, half_vec16 b)
{
	return (half_vec32)larger(
		__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11),
		__builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15));
}

AVX2_INLINE half_vec32 find_peaks(const struct block *block)
{
	half_vec32 front = halve(find_eight(block->values[0]), find_eight(block->values[1]));
	half_vec32 back = halve(find_eight(block->values[2]), find_eight(block->values[3]));
	half_vec32 pairs = (half_vec32)larger(
		(half_vec16)__builtin_shufflevector(front, back, 0, 2, 4, 6),
		(half_vec16)__builtin_shufflevector(front, back, 1, 3, 5, 7));

	return (half_vec32)larger((half_vec16)pairs, (half_vec16)(pairs >> 16)) & 0xFFFF;
}

/* By the book: peaks that are subnormal, or zero. */
AVX2 static struct scales scales_by_book(half_vec32 peaks)
{
	struct scales scales;
	u32 lane;

	for (lane = 0; lane < MXFP7_LANES; lane++) {
		struct mxfp7_scale scale = mxfp7_scale_of(peaks[lane]);

		scales.exponent[lane] = (u32)(scale.exponent + 20);
		scales.mantissa[lane] = scale.mantissa;
	}
	return scales;
}

/* 2^22 / 126: what divides by 126 up to 2^12, after a shift by 16 and one by 6. */
#define BY_126 33289

/* mxfp7_scale_of() for normal peaks, where the exponent is not below its least. */
AVX2_INLINE struct scales find_scales(const struct block *block)
{
	half_vec32 peaks = find_peaks(block);
	half_vec64 small = (half_vec64)(peaks < 1024);
	half_vec32 mantissa, over;

	if (__builtin_expect(!__builtin_ia32_ptestz128(small, small), 0))
		return scales_by_book(peaks);
	mantissa = (peaks & 1023) + 1024 + 125;
	mantissa = (half_vec32)__builtin_ia32_pmulhuw128((shalf_vec16)mantissa,
							 (shalf_vec16)((half_vec32){ 0 } +
								       BY_126)) >> 6;
	over = mantissa >> 4;
	return (struct scales){ (peaks >> 10) - 1 + over, mantissa - (over << 3) };
}

/* In both halves, for words: the four bytes of the scales, and nothing else. */
AVX2_INLINE vec64 pack_scales(struct scales scales)
{
	half_vec32 packed = scales.exponent << 3 | (scales.mantissa & 7);
	half_vec64 bytes = (half_vec64)__builtin_ia32_pshufb128((half_vec8)packed, scale_bytes);

	return (vec64)__builtin_shufflevector(bytes, bytes, 0, 1, 0, 1);
}

/* The reciprocals of the mantissas. */
AVX2_INLINE half_vec32 find_reciprocals(half_vec32 mantissa)
{
	half_vec32 number = mantissa - 8;
	/* Both bytes of one of eight entries. */
	half_vec32 index = (number << 1 | number << 9) + 0x80800100;
	half_vec8 table;

	memcpy(&table, &mxfp7_reciprocals[8], sizeof(table));
	return (half_vec32)__builtin_ia32_pshufb128(table, (half_vec8)index);
}

AVX2_INLINE vec8 twice(half_vec32 lanes)
{
	return (vec8)__builtin_shufflevector(lanes, lanes, 0, 1, 2, 3, 0, 1, 2, 3);
}

/*
 * The steps are those of the scalar code, folded: twice the significand, so that
 * the upper half of its product is the product shifted by 15; and a product with
 * 2^(7 - n) that rounds away 8 bits, in place of a shift by n and one by 1.  A
 * magnitude is at most 64 before it is limited to 63, since the scale comes from
 * the peak.
 */
AVX2_INLINE vec16 quantise(vec16 half, vec16 shift_index, vec16 reciprocal)
{
	vec16 doubled = half + half;
	/* One less than the exponent; fields 0 and 1 are the same one. */
	vec16 exponent = (vec16)__builtin_ia32_psubusw256((svec16)(doubled >> 11),
							  (svec16){ 0 } + 1);
	vec16 significand = doubled - (exponent << 11);
	svec16 factor = (svec16)__builtin_ia32_pshufb256(shift_factors,
							 (vec8)(shift_index - exponent));
	vec16 product, magnitude;

	product = (vec16)__builtin_ia32_pmulhuw256((svec16)significand, (svec16)reciprocal) << 7;
	magnitude = (vec16)__builtin_ia32_pmulhrsw256((svec16)product, factor);
	magnitude -= magnitude >> 6;
	return (vec16)__builtin_ia32_psignw256((svec16)magnitude, (svec16)half);
}

/* Vector by vector: a copy in smaller pieces would stall what reads it whole. */
AVX2_INLINE void load_block(const u8 *in, struct block *block)
{
	u32 lane;

#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++, in += 2 * sizeof(vec16)) {
		memcpy(&block->values[lane][0], in, sizeof(vec16));
		memcpy(&block->values[lane][1], in + sizeof(vec16), sizeof(vec16));
	}
}

AVX2_INLINE vec64 quantise_block(const u8 *in, struct block *block)
{
	struct scales scales;
	vec8 indices, reciprocals;
	u32 lane;

	load_block(in, block);
	scales = find_scales(block);
	indices = twice(scales.exponent + SHIFT_INDEX);
	reciprocals = twice(find_reciprocals(scales.mantissa));
#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++) {
		vec16 index = (vec16)__builtin_ia32_pshufb256(indices, spread[lane]);
		vec16 reciprocal = (vec16)__builtin_ia32_pshufb256(reciprocals, spread[lane]);

		block->values[lane][0] = quantise(block->values[lane][0], index, reciprocal);
		block->values[lane][1] = quantise(block->values[lane][1], index, reciprocal);
	}
	return pack_scales(scales);
}

/* From pairs of 14 bits, groups of 56, the first on top. */
AVX2_INLINE vec64 join(vec16 pairs)
{
	vec64 quads = (vec64)__builtin_ia32_pmaddwd256((svec16)pairs, pair_factors);

	return quads << 32 >> 4 | quads >> 32;
}

AVX2_INLINE void put_words(u8 *out, struct groups groups, vec64 scales)
{
	vec64 low = (vec64)__builtin_ia32_pshufb256((vec8)groups.cd, low_of_cd) | scales;
	vec64 high = (vec64)__builtin_ia32_pshufb256((vec8)groups.cd, high_of_cd) |
		     (vec64)__builtin_ia32_pshufb256((vec8)groups.ab, high_of_ab);
	vec64 first = __builtin_shufflevector(low, high, 0, 1, 4, 5);
	vec64 second = __builtin_shufflevector(low, high, 2, 3, 6, 7);

	memcpy(out, &first, KOHAKU_WORD);
	memcpy(out + KOHAKU_WORD, &second, KOHAKU_WORD);
}

/* Order A: the eight values of a lane are neighbours. */
AVX2_INLINE void pack_by_lane(const struct block *block, vec64 scales, u8 *out)
{
	vec64 group[MXFP7_LANES];
	u32 lane;

	/* Of words 0, 2, 1 and 3: that is how bytes come out of packing. */
#pragma GCC unroll 4
	for (lane = 0; lane < MXFP7_LANES; lane++) {
		vec8 bytes = (vec8)__builtin_ia32_packsswb256((svec16)block->values[lane][0],
							      (svec16)block->values[lane][1]);

		group[lane] = join((vec16)__builtin_ia32_pmaddubsw256(byte_factors,
								      bytes & 0x7F));
	}
	put_words(out, (struct groups){
		__builtin_shufflevector(group[0], group[1], 0, 4, 2, 6),
		__builtin_shufflevector(group[2], group[3], 0, 4, 2, 6),
	}, scales);
	put_words(out + 2 * KOHAKU_WORD, (struct groups){
		__builtin_shufflevector(group[0], group[1], 1, 5, 3, 7),
		__builtin_shufflevector(group[2], group[3], 1, 5, 3, 7),
	}, scales);
}

/* Order B: the four lanes of a k are neighbours. */
AVX2_INLINE void pack_by_depth(const struct block *block, u32 half, vec64 scales, u8 *out)
{
	vec16 upper = (block->values[0][half] & 0x7F) << 7 | (block->values[1][half] & 0x7F);
	vec16 lower = (block->values[2][half] & 0x7F) << 7 | (block->values[3][half] & 0x7F);

	put_words(out, (struct groups){
		join(__builtin_shufflevector(upper, lower, 0, 16, 1, 17, 2, 18, 3, 19,
					     8, 24, 9, 25, 10, 26, 11, 27)),
		join(__builtin_shufflevector(upper, lower, 4, 20, 5, 21, 6, 22, 7, 23,
					     12, 28, 13, 29, 14, 30, 15, 31)),
	}, scales);
}

AVX2 void mxfp7_quantise_avx2(u32 mode, const u8 *in, u8 *out, u32 entries)
{
	struct block block;

	for (; entries; entries--, in += sizeof(block), out += SIM_ENTRY_BYTES) {
		vec64 scales = quantise_block(in, &block);

		if (mode & 1) {
			pack_by_depth(&block, 0, scales, out);
			pack_by_depth(&block, 1, scales, out + 2 * KOHAKU_WORD);
		} else {
			pack_by_lane(&block, scales, out);
		}
	}
}

#else

void mxfp7_quantise_avx2(u32 mode, const u8 *in, u8 *out, u32 entries)
{
	mxfp7_quantise_scalar(mode, in, out, entries);
}

#endif
