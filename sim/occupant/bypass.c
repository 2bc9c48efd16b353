// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Occupant 0, bypass: what goes in comes out.
 */
#include "sim/occupant/occupant.h"

static void convert(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out, u32 entries)
{
	(void)bank;
	(void)mode;
	memcpy(out, in, (size_t)entries * SIM_ENTRY_BYTES);
}

const struct sim_occupant sim_occupant_bypass = {
	.beats = 4,
	.convert = convert,
};
