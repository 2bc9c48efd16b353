// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Words of memory at equal distances.
 *
 * Whatever is shown to change nothing may be taken in another order: rows whose
 * words are far apart are copied in tiles, so that what one row brought into the
 * cache is still there for the next.
 */
#include "sim/words.h"

#include "sim/env.h"
#include "sim/philox.h"

static inline bool apart(const u8 *a, const u8 *b, u64 size)
{
	return a + size <= b || b + size <= a;
}

static void copy_strided(u8 *to, s64 to_stride, const u8 *from, s64 from_stride, u64 count)
{
	for (; count >= 4; count -= 4) {
		sim_word_copy(to, from);
		sim_word_copy(to + to_stride, from + from_stride);
		sim_word_copy(to + 2 * to_stride, from + 2 * from_stride);
		sim_word_copy(to + 3 * to_stride, from + 3 * from_stride);
		to += 4 * to_stride;
		from += 4 * from_stride;
	}
	for (; count; count--, to += to_stride, from += from_stride)
		sim_word_copy(to, from);
}

/* Below this many words a call of memcpy() costs more than it gains. */
#define ADJACENT_MIN 16

void sim_words_copy(u8 *to, s64 to_stride, const u8 *from, s64 from_stride, u64 count)
{
	u64 size = count << KOHAKU_WORD_SHIFT;

	if (count >= ADJACENT_MIN && to_stride == KOHAKU_WORD && from_stride == KOHAKU_WORD &&
	    apart(to, from, size))
		memcpy(to, from, size);
	else
		copy_strided(to, to_stride, from, from_stride, count);
}

/* The bytes that rows touch: from lo on, up to before hi. */
struct span {
	s64 lo, hi;
};

static struct span span_of(const struct sim_grid *grid, u64 count, u64 rows)
{
	s64 row = grid->stride * (s64)(count - 1), column = grid->step * (s64)(rows - 1);

	return (struct span){
		min_t(s64, row, 0) + min_t(s64, column, 0),
		max_t(s64, row, 0) + max_t(s64, column, 0) + KOHAKU_WORD,
	};
}

static s64 distance(s64 stride)
{
	return stride < 0 ? -stride : stride;
}

/* Are all the words of rows different ones? */
static bool distinct(const struct sim_grid *grid, u64 count, u64 rows)
{
	s64 stride = distance(grid->stride), step = distance(grid->step);

	if (min(stride, step) < KOHAKU_WORD)
		return false;
	return step >= stride * (s64)count || stride >= step * (s64)rows;
}

/* Does it make no difference in which order the rows' words are copied? */
static bool any_order(const u8 *to, const struct sim_grid *to_grid, const u8 *from,
		      const struct sim_grid *from_grid, u64 count, u64 rows)
{
	struct span written = span_of(to_grid, count, rows);
	struct span read = span_of(from_grid, count, rows);

	return (to + written.hi <= from + read.lo || from + read.hi <= to + written.lo) &&
	       distinct(to_grid, count, rows);
}

/* Few words, so that their lines share a set of the cache; whole lines of each row. */
#define TILE_WORDS 8
#define TILE_ROWS 128

static void copy_tiles(u8 *to, const struct sim_grid *to_grid, const u8 *from,
		       const struct sim_grid *from_grid, u64 count, u64 rows)
{
	u64 word, row, high;

	for (row = 0; row < rows; row += high) {
		high = min_t(u64, rows - row, TILE_ROWS);
		for (word = 0; word < count; word += TILE_WORDS) {
			u8 *out = to + to_grid->step * (s64)row + to_grid->stride * (s64)word;
			const u8 *in = from + from_grid->step * (s64)row +
				       from_grid->stride * (s64)word;
			u64 i;

			for (i = 0; i < high; i++) {
				copy_strided(out, to_grid->stride, in, from_grid->stride,
					     min_t(u64, count - word, TILE_WORDS));
				out += to_grid->step;
				in += from_grid->step;
			}
		}
	}
}

void sim_words_copy_rows(u8 *to, const struct sim_grid *to_grid, const u8 *from,
			 const struct sim_grid *from_grid, u64 count, u64 rows)
{
	bool adjacent = to_grid->stride == KOHAKU_WORD && from_grid->stride == KOHAKU_WORD;

	if (!adjacent && count > TILE_WORDS &&
	    any_order(to, to_grid, from, from_grid, count, rows)) {
		copy_tiles(to, to_grid, from, from_grid, count, rows);
		return;
	}
	for (; rows; rows--, to += to_grid->step, from += from_grid->step)
		sim_words_copy(to, to_grid->stride, from, from_grid->stride, count);
}

/* From this many words on, the set-up of env_fill() is paid back. */
#define FILL_MIN 64

void sim_words_fill(u8 *to, s64 stride, const u8 *pattern, u64 count)
{
	if (stride == KOHAKU_WORD && count >= FILL_MIN) {
		u64 part;

		/* A pattern repeats after four bytes at the latest. */
		memcpy(&part, pattern, sizeof(part));
		env_fill(to, part, count << (KOHAKU_WORD_SHIFT - 3));
		return;
	}
	for (; count; count--, to += stride)
		sim_word_copy(to, pattern);
}

void sim_words_generate(u8 *to, s64 stride, u64 seed, u64 addr, u64 count)
{
	for (; count; count--, to += stride, addr += stride)
		sim_philox_word(seed, addr, to);
}
