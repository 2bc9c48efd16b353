/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * MXFP7, the block format of the quantiser: 7-bit integers that share a scale.
 *
 * A block is 4 lanes of 32 fp16 values.  Each of its four words holds 8 values
 * of every lane, slot 0 in the topmost seven bits, and below them the scale
 * bytes of the lanes.
 */
#ifndef SIM_MXFP7_H
#define SIM_MXFP7_H

#include "sim/slot.h"

#define MXFP7_LANES	4
#define MXFP7_DEPTH	32	/* values of a lane */
#define MXFP7_SLOTS	32	/* values of a word */
#define MXFP7_PER_WORD	(MXFP7_SLOTS / MXFP7_LANES)	/* of a lane */

/* A scale of 2^exponent * mantissa / 8. */
struct mxfp7_scale {
	s32 exponent;		/* -20..11 */
	u32 mantissa;		/* 8..15 */
};

/* The slot of a lane's k-th value of a word; bit 0 of the mode picks the order. */
static inline u32 mxfp7_slot(u32 mode, u32 lane, u32 k)
{
	return mode & 1 ? k * MXFP7_LANES + lane : lane * MXFP7_PER_WORD + k;
}

/* A magnitude of fp16, significand * 2^(exponent - 25). */
struct mxfp7_magnitude {
	s32 exponent;
	u32 significand;
};

/* Exponent field 31 is one more exponent, neither infinity nor NaN. */
static inline struct mxfp7_magnitude mxfp7_decode(u32 bits)
{
	u32 field = bits >> 10;
	u32 fraction = bits & 1023;

	return field ? (struct mxfp7_magnitude){ field, 1024 + fraction } :
		       (struct mxfp7_magnitude){ 1, fraction };
}

/* The scale of a lane whose largest magnitude (fp16 without sign) is peak. */
static inline struct mxfp7_scale mxfp7_scale_of(u32 peak)
{
	struct mxfp7_magnitude top = mxfp7_decode(peak);
	u32 shift, mantissa, over;
	s32 exponent;

	if (!top.significand)
		return (struct mxfp7_scale){ 0, 8 };
	/* To 1024..2047. */
	shift = __builtin_clz(top.significand) - 21;
	/* 9..17, the smallest that the peak divided by it is at most 126. */
	mantissa = ((top.significand << shift) + 125) / 126;
	over = mantissa >> 4;
	exponent = top.exponent - (s32)shift - 21 + (s32)over;
	return (struct mxfp7_scale){ max(exponent, -20), (mantissa + over) >> over };
}

static inline u8 mxfp7_scale_byte(struct mxfp7_scale scale)
{
	return ((scale.exponent + 20) & 31) << 3 | (scale.mantissa & 7);
}

/* 65536 * 8 / mantissa / 16, rounded. */
extern const u16 mxfp7_reciprocals[16];

/* Quantises blocks with vector registers; call between env_vector_begin() and _end(). */
void mxfp7_quantise_avx2(u32 mode, const u8 *in, u8 *out, u32 entries);
/* The same by the book, one value at a time. */
void mxfp7_quantise_scalar(u32 mode, const u8 *in, u8 *out, u32 entries);

#endif
