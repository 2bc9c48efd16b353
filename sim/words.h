/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Words of memory at equal distances: copied, filled and generated as if one
 * were done after the other.
 */
#ifndef SIM_WORDS_H
#define SIM_WORDS_H

#include "hw/regs.h"

/* How the words of rows lie, in bytes. */
struct sim_grid {
	s64 stride;		/* from a word to the next one of its row */
	s64 step;		/* from a row to the next */
};

/* Through registers, since both may be the same word. */
static inline void sim_word_copy(u8 *to, const u8 *from)
{
	u64 word[KOHAKU_WORD / sizeof(u64)];

	memcpy(word, from, sizeof(word));
	memcpy(to, word, sizeof(word));
}

void sim_words_copy(u8 *to, s64 to_stride, const u8 *from, s64 from_stride, u64 count);
/* Rows of count words each. */
void sim_words_copy_rows(u8 *to, const struct sim_grid *to_grid, const u8 *from,
			 const struct sim_grid *from_grid, u64 count, u64 rows);
void sim_words_fill(u8 *to, s64 stride, const u8 *pattern, u64 count);
/* What GENERATE puts at addr, addr + stride, .. */
void sim_words_generate(u8 *to, s64 stride, u64 seed, u64 addr, u64 count);

#endif
