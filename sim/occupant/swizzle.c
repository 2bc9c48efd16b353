// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 4, swizzle: four rows of eight 32-bit pixels to two tiles of 4 x 4
 * (mode bit 0 clear) and back (set).
 */
#include "sim/occupant/occupant.h"

#define HALF 16		/* bytes: the row of a tile */

static void convert_entry(bool to_linear, const u8 *in, u8 *out)
{
	u32 row, tile;

	for (row = 0; row < 4; row++) {
		for (tile = 0; tile < 2; tile++) {
			u32 linear = row * KOHAKU_WORD + tile * HALF;
			u32 tiled = (tile * 4 + row) * HALF;

			if (to_linear)
				memcpy(out + linear, in + tiled, HALF);
			else
				memcpy(out + tiled, in + linear, HALF);
		}
	}
}

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	(void)bank;
	for (; entries; entries--, in += SIM_ENTRY_BYTES, out += SIM_ENTRY_BYTES)
		convert_entry(mode & 1, in, out);
}

const struct sim_occupant sim_occupant_swizzle = {
	.beats = 4,
	.convert = convert,
};
