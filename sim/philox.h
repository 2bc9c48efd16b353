/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Philox-4x32-10, the counter-based random numbers of GENERATE.
 */
#ifndef SIM_PHILOX_H
#define SIM_PHILOX_H

#include "hw/types.h"

/* Ten rounds over counter (in place) with key. */
void sim_philox(u32 counter[4], u64 key);
/* The word that GENERATE writes at a 40-bit byte address. */
void sim_philox_word(u64 seed, u64 addr, u8 word[32]);

#endif
