// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * MXFP7 by the book, in integers.  Written from the format's description and not
 * from the node's model, so that each can check the other.
 */
#include <stdbool.h>
#include <string.h>

#include "kohaku_mxfp7.h"

#define WORDS 4			/* of a packed block */
#define WORD_SIZE 32
#define LANE_VALUES 32
#define WORD_VALUES 8		/* of each lane */
#define SLOT_BITS 7
#define SCALE_BIAS 20
#define SCALE_MAX 11
#define FP16_MAX 0x7bff
#define FP16_SIGN 0x8000

/* A magnitude: significand * 2^(exponent - 25). */
struct magnitude {
	int exponent;
	uint32_t significand;
};

/* A lane's scale: 2^exponent * mantissa / 8. */
struct scale {
	int exponent;
	uint32_t mantissa;
};

static struct magnitude magnitude_of(uint16_t value)
{
	uint32_t field = value >> 10 & 31, fraction = value & 1023;

	if (!field)
		return (struct magnitude){ 1, fraction };
	return (struct magnitude){ field, 1024 + fraction };
}

static struct scale scale_of_peak(uint16_t peak)
{
	struct magnitude m = magnitude_of(peak);
	struct scale scale = { 0, 8 };
	uint32_t parts;

	if (!m.significand)
		return scale;
	while (m.significand < 1024) {
		m.significand <<= 1;
		m.exponent--;
	}
	/* The mantissa with which 63 steps just reach the peak. */
	parts = (m.significand + 125) / 126;
	scale.exponent = m.exponent - 21;
	scale.mantissa = parts;
	if (parts > 15) {
		scale.exponent++;
		scale.mantissa = (parts + 1) / 2;
	}
	if (scale.exponent < -SCALE_BIAS)
		scale.exponent = -SCALE_BIAS;
	if (scale.exponent > SCALE_MAX)
		scale.exponent = SCALE_MAX;
	return scale;
}

static struct scale scale_of_lane(const uint16_t *lane)
{
	uint16_t peak = 0;
	int k;

	for (k = 0; k < LANE_VALUES; k++) {
		uint16_t magnitude = lane[k] & ~FP16_SIGN;

		if (magnitude > peak)
			peak = magnitude;
	}
	return scale_of_peak(peak);
}

/* The seven bits of a value under its lane's scale. */
static uint32_t quantise(uint16_t value, struct scale scale)
{
	/* 32768 / mantissa; the hardware's table has 2520 for 13, one less than rounded. */
	static const uint16_t reciprocal[] = {
		4096, 3641, 3277, 2979, 2731, 2520, 2341, 2185,
	};
	struct magnitude m = magnitude_of(value);
	int shift = 21 + scale.exponent - m.exponent;
	uint32_t steps;

	if (!m.significand || shift > 7)
		return 0;
	steps = m.significand * reciprocal[scale.mantissa - 8] >> 15 & 0xff;
	if (shift >= 0)
		steps = ((steps >> shift) + 1) >> 1;
	if (shift < 0 || steps > 63)
		steps = 63;
	return (value & FP16_SIGN ? 128 - steps : steps) & 127;
}

/* Where value k of a word is: its lowest bit.  Slots begin at the word's top. */
static unsigned int bit_of(enum kohaku_mxfp7_packing packing, unsigned int lane, unsigned int k)
{
	unsigned int slot = packing == KOHAKU_MXFP7_A ? lane * WORD_VALUES + k :
							k * KOHAKU_MXFP7_LANES + lane;

	return WORD_SIZE * 8 - SLOT_BITS * (slot + 1);
}

static void put(uint8_t *word, unsigned int bit, uint32_t value)
{
	uint32_t shifted = value << bit % 8;

	word[bit / 8] |= shifted;
	if (shifted >> 8)
		word[bit / 8 + 1] |= shifted >> 8;
}

static uint32_t get(const uint8_t *word, unsigned int bit)
{
	uint32_t bits = word[bit / 8];

	if (bit % 8 + SLOT_BITS > 8)
		bits |= word[bit / 8 + 1] << 8;
	return bits >> bit % 8 & 127;
}

/* Lane 0 has the highest of the four scale bytes. */
static unsigned int scale_byte(unsigned int lane)
{
	return KOHAKU_MXFP7_LANES - 1 - lane;
}

static void encode_lane(enum kohaku_mxfp7_packing packing, const uint16_t *values,
			unsigned int lane, uint8_t *packed)
{
	struct scale scale = scale_of_lane(values);
	unsigned int k, w;

	for (w = 0; w < WORDS; w++)
		packed[w * WORD_SIZE + scale_byte(lane)] =
			(scale.exponent + SCALE_BIAS) << 3 | (scale.mantissa & 7);
	for (k = 0; k < LANE_VALUES; k++)
		put(packed + k / WORD_VALUES * WORD_SIZE, bit_of(packing, lane, k % WORD_VALUES),
		    quantise(values[k], scale));
}

void kohaku_mxfp7_encode(enum kohaku_mxfp7_packing packing, const uint16_t *values,
			 uint8_t *packed, size_t blocks)
{
	unsigned int lane;

	memset(packed, 0, blocks * KOHAKU_MXFP7_BYTES);
	for (; blocks; blocks--) {
		for (lane = 0; lane < KOHAKU_MXFP7_LANES; lane++)
			encode_lane(packing, values + lane * LANE_VALUES, lane, packed);
		values += KOHAKU_MXFP7_VALUES;
		packed += KOHAKU_MXFP7_BYTES;
	}
}

/* The fp16 number of significand * 2^(exponent - 25), which has one unless too large. */
static uint16_t fp16_of(struct magnitude m)
{
	if (!m.significand)
		return 0;
	while (m.significand < 1024) {
		m.significand <<= 1;
		m.exponent--;
	}
	if (m.exponent > 30)
		return FP16_MAX;
	if (m.exponent < 1)
		return m.significand >> (1 - m.exponent);
	return m.exponent << 10 | (m.significand & 1023);
}

static uint16_t dequantise(uint32_t bits, uint8_t scale)
{
	bool negative = bits & 64;
	uint32_t steps = negative ? 128 - bits : bits;
	/* mantissa / 8 * 2^(field - 20), as a significand and its exponent. */
	struct magnitude m = { (scale >> 3) + 2, steps * (8 + (scale & 7)) };

	return fp16_of(m) | (negative ? FP16_SIGN : 0);
}

static void decode_block(enum kohaku_mxfp7_packing packing, const uint8_t *packed,
			 uint16_t *values)
{
	unsigned int lane, k;

	for (lane = 0; lane < KOHAKU_MXFP7_LANES; lane++) {
		for (k = 0; k < LANE_VALUES; k++) {
			const uint8_t *word = packed + k / WORD_VALUES * WORD_SIZE;

			*values++ = dequantise(get(word, bit_of(packing, lane, k % WORD_VALUES)),
					       word[scale_byte(lane)]);
		}
	}
}

void kohaku_mxfp7_decode(enum kohaku_mxfp7_packing packing, const uint8_t *packed,
			 uint16_t *values, size_t blocks)
{
	size_t i;

	for (i = 0; i < blocks; i++)
		decode_block(packing, packed + i * KOHAKU_MXFP7_BYTES,
			     values + i * KOHAKU_MXFP7_VALUES);
}
