// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 2, GT4: transposes the 4 x 4 granules of 64 bits of an entry.
 */
#include "sim/occupant/occupant.h"

#define GRANULE 8

static void convert_entry(const u8 *in, u8 *out)
{
	u32 word, granule;

	for (word = 0; word < SIM_ENTRY_WORDS; word++) {
		for (granule = 0; granule < KOHAKU_WORD / GRANULE; granule++)
			memcpy(out + word * KOHAKU_WORD + granule * GRANULE,
			       in + granule * KOHAKU_WORD + word * GRANULE, GRANULE);
	}
}

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	(void)bank;
	(void)mode;
	for (; entries; entries--, in += SIM_ENTRY_BYTES, out += SIM_ENTRY_BYTES)
		convert_entry(in, out);
}

const struct sim_occupant sim_occupant_gt4 = {
	.beats = 4,
	.convert = convert,
};
