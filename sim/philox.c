// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Philox-4x32-10.
 */
#include "sim/philox.h"

#include "hw/regs.h"

void sim_philox(u32 counter[4], u64 key)
{
	u32 k0 = (u32)key, k1 = (u32)(key >> 32);
	u32 c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	int round;

	for (round = 0; round < 10; round++) {
		u64 p0 = (u64)c0 * 0xD2511F53;
		u64 p1 = (u64)c2 * 0xCD9E8D57;

		c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
		c1 = (u32)p1;
		c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
		c3 = (u32)p0;
		k0 += 0x9E3779B9;
		k1 += 0xBB67AE85;
	}
	counter[0] = c0;
	counter[1] = c1;
	counter[2] = c2;
	counter[3] = c3;
}

void sim_philox_word(u64 seed, u64 addr, u8 word[32])
{
	u64 number = (addr & KOHAKU_ADDR_MASK) >> KOHAKU_WORD_SHIFT;
	u32 half;

	for (half = 0; half < 2; half++) {
		u32 counter[4] = { (u32)number, (u32)(number >> 32) << 1 | half };

		sim_philox(counter, seed);
		memcpy(word + half * sizeof(counter), counter, sizeof(counter));
	}
}
