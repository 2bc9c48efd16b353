/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What an occupant of the transform slot is: one of these and a row in slot.c.
 */
#ifndef SIM_OCCUPANT_H
#define SIM_OCCUPANT_H

#include "sim/slot.h"

struct sim_occupant {
	u32 beats;		/* source words of an entry */
	/**
	 * @convert: entries that lie one behind the other, beats words each in
	 * @in, SIM_ENTRY_WORDS each in @out; they do not overlap
	 */
	void (*convert)(const struct sim_bank *bank, u32 mode, const u8 *in, u8 *out,
			u32 entries);
	/* Registers of its own; NULL: none. */
	u32 (*load)(const struct sim_bank *bank, u32 offset);
	void (*store)(struct sim_bank *bank, u32 offset, u32 value);
	void (*reset)(struct sim_bank *bank);
};

extern const struct sim_occupant sim_occupant_bypass;
extern const struct sim_occupant sim_occupant_quantise;
extern const struct sim_occupant sim_occupant_gt4;
extern const struct sim_occupant sim_occupant_dequantise;
extern const struct sim_occupant sim_occupant_swizzle;
extern const struct sim_occupant sim_occupant_palette;

#endif
