// SPDX-License-Identifier: GPL-2.0
/*
 * The quantiser, exhaustively: every fp16 value as the peak of a lane and as an
 * element under it, against the formula spelled out anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/env.h"
#include "sim/occupant/mxfp7.h"
#include "sim/occupant/occupant.h"

#define BLOCK 256

typedef void quantiser(u32 mode, const u8 *in, u8 *out, u32 entries);

/* Seven bits for one value under a scale, from the published thresholds. */
static u32 by_formula(u32 half, int e, int m)
{
	static const int recip[] = { 4096, 3641, 3277, 2979, 2731, 2520, 2341, 2185 };
	int field = half >> 10 & 31, s = half & 1023, e2 = field, t, x, mag;

	if (field)
		s += 1024;
	else
		e2 = 1;
	t = 21 + e - e2;
	if (!s || t > 7)
		return 0;
	x = (s * recip[m - 8] >> 15 & 255) >> (t & 7);
	mag = (x >> 1) + (x & 1);
	if (t < 0 || mag > 63)
		mag = 63;
	return half >> 15 ? -mag & 127 : mag;
}

static void scale_by_formula(u32 peak, int *e, int *m)
{
	static const int limits[] = { 1764, 1638, 1512, 1386, 1260, 1134 };
	int field = peak >> 10, s = peak & 1023, x = field, i;

	if (field)
		s += 1024;
	else
		x = 1;
	*e = 0;
	*m = 8;
	if (!s)
		return;
	for (; s < 1024; s *= 2)
		x--;
	if (s > 1890) {
		*e = x - 20;
		*m = s > 2016 ? 9 : 8;
	} else {
		*e = x - 21;
		for (i = 0; i < 6 && s <= limits[i]; i++)
			;
		*m = 15 - i;
	}
	if (*e < -20)
		*e = -20;
}

static u32 get_slot(const u8 *word, u32 slot)
{
	u32 value = 0, i;

	for (i = 0; i < 7; i++) {
		u32 bit = 255 - 7 * slot - i;

		value = value << 1 | (word[bit / 8] >> bit % 8 & 1);
	}
	return value;
}

static void put_half(u8 *in, u32 lane, u32 k, u32 half)
{
	in[2 * (32 * lane + k)] = half;
	in[2 * (32 * lane + k) + 1] = half >> 8;
}

/* A block whose lanes' values are all different positions of one sequence. */
static void check_block(quantiser *quantise, u32 mode, const u16 values[4][32])
{
	u8 in[BLOCK], out[128];
	u32 lane, k;

	for (lane = 0; lane < 4; lane++) {
		for (k = 0; k < 32; k++)
			put_half(in, lane, k, values[lane][k]);
	}
	quantise(mode, in, out, 1);
	for (lane = 0; lane < 4; lane++) {
		u32 peak = 0;
		int e, m;

		for (k = 0; k < 32; k++)
			peak = max(peak, values[lane][k] & 0x7FFFU);
		scale_by_formula(peak, &e, &m);
		for (k = 0; k < 32; k++) {
			const u8 *word = out + k / 8 * 32;
			u32 slot = mode & 1 ? k % 8 * 4 + lane : lane * 8 + k % 8;

			assert_int_equal(word[3 - lane], ((e + 20) & 31) << 3 | (m & 7));
			assert_int_equal(get_slot(word, slot), by_formula(values[lane][k], e, m));
		}
	}
}

/* Every value as peak; beside it 31 values spread over what is not larger. */
static void check_peaks(quantiser *quantise, u32 mode)
{
	u16 values[4][32];
	u32 peak, lane, k;

	for (peak = 0; peak < 0x8000; peak += 4) {
		for (lane = 0; lane < 4; lane++) {
			u32 top = peak + lane;

			for (k = 0; k < 32; k++) {
				u32 below = k * 2654435761U ^ peak * 40503U;

				values[lane][k] = (u16)(below % (top + 1) | (below >> 16 & 0x8000));
			}
			values[lane][peak / 4 % 32] = (u16)(top | (peak << 13 & 0x8000));
		}
		check_block(quantise, mode, values);
	}
}

/* Every value as element of a lane whose peak lies some exponents above it. */
static void check_elements(quantiser *quantise, u32 mode, u32 above)
{
	u16 values[4][32];
	u32 start, lane, k;

	for (start = 0; start < 0x10000; start += 4 * 31) {
		for (lane = 0; lane < 4; lane++) {
			u32 largest = 0;

			for (k = 0; k < 31; k++) {
				values[lane][k] = (u16)(start + 31 * lane + k);
				largest = max(largest, values[lane][k] & 0x7FFFU);
			}
			largest += above << 10;
			values[lane][31] = (u16)min(largest, 0x7FFFU);
		}
		check_block(quantise, mode, values);
	}
}

static void check_all(quantiser *quantise)
{
	u32 mode, above;

	for (mode = 0; mode < 2; mode++) {
		check_peaks(quantise, mode);
		for (above = 0; above < 10; above++)
			check_elements(quantise, mode, above);
	}
}

static void scalar_follows_the_formula(void **state)
{
	(void)state;
	check_all(mxfp7_quantise_scalar);
}

static void avx2_follows_the_formula(void **state)
{
	(void)state;
	if (!env_vector_begin())
		skip();
	check_all(mxfp7_quantise_avx2);
	env_vector_end();
}

/* Eight blocks at once are eight blocks one by one. */
static void many_blocks_are_single_blocks(void **state)
{
	u8 in[8 * BLOCK], out[8 * 128], one[128];
	u32 i;

	(void)state;
	for (i = 0; i < sizeof(in); i++)
		in[i] = (u8)(i * 167 >> 3);
	sim_occupant_quantise.convert(NULL, 1, in, out, 8);
	for (i = 0; i < 8; i++) {
		mxfp7_quantise_scalar(1, in + i * BLOCK, one, 1);
		assert_memory_equal(one, out + i * 128, 128);
	}
}

static u32 dequantised(u32 value, u32 scale)
{
	u8 in[64] = { 0 }, out[128];

	/* Slot 0 of order A is lane 0, k 0: the topmost seven bits. */
	in[31] = value << 1;
	in[3] = scale;
	sim_occupant_dequantise.convert(NULL, 0, in, out, 1);
	return out[0] | out[1] << 8;
}

/* fp16 to a number, exact in double. */
static double number(u32 half)
{
	double value = half >> 10 & 31 ? (1024 + (half & 1023)) * 0x1p-25 : (half & 1023) * 0x1p-24;
	u32 i;

	for (i = 0; i < (half >> 10 & 31); i++)
		value *= 2;
	return half >> 15 ? -value : value;
}

static void dequantise_is_exact(void **state)
{
	u32 scale, value;

	(void)state;
	for (scale = 0; scale < 256; scale++) {
		for (value = 0; value < 128; value++) {
			double wanted = (value < 64 ? (int)value : (int)value - 128) *
					(double)(8 + scale % 8) * 0x1p-23;
			u32 i;

			for (i = 0; i < scale / 8; i++)
				wanted *= 2;
			wanted = wanted > 65504 ? 65504 : wanted < -65504 ? -65504 : wanted;
			assert_true(number(dequantised(value, scale)) == wanted);
		}
	}
	assert_int_equal(dequantised(0, 0xFF), 0);
	assert_int_equal(dequantised(63, 0xFF), 0x7BFF);
	assert_int_equal(dequantised(64, 0xFF), 0xFBFF);
}

/* What is quantised and brought back differs by half a step at most, and a bit. */
static void round_trip_is_close(void **state)
{
	u8 in[BLOCK], middle[128], out[128];
	u32 lane, k, mode;

	(void)state;
	for (lane = 0; lane < 4; lane++) {
		for (k = 0; k < 32; k++)
			put_half(in, lane, k, 0x3C00 + 97 * k % 1024 + (k & 1 ? 0x8000 : 0));
	}
	for (mode = 0; mode < 2; mode++) {
		sim_occupant_quantise.convert(NULL, mode, in, middle, 1);
		sim_occupant_dequantise.convert(NULL, mode, middle, out, 1);
		for (lane = 0; lane < 4; lane++) {
			for (k = 0; k < 16; k++) {
				const u8 *a = in + 2 * (32 * lane + k);
				const u8 *b = out + 2 * (16 * lane + k);
				double off = number(a[0] | a[1] << 8) - number(b[0] | b[1] << 8);

				assert_true(off < 0.02 && off > -0.02);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scalar_follows_the_formula),
		cmocka_unit_test(avx2_follows_the_formula),
		cmocka_unit_test(many_blocks_are_single_blocks),
		cmocka_unit_test(dequantise_is_exact),
		cmocka_unit_test(round_trip_is_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
