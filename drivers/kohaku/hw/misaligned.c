// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Where a move ends whose destination is not aligned to words.
 */
#include "move.h"

static bool word_aligned(s64 bytes)
{
	return !(bytes & (KOHAKU_WORD - 1));
}

/* Aligned wherever it goes, as all but a few moves are? */
static bool always_aligned(const struct kohaku_walker *walker, u64 addr)
{
	u32 i;

	for (i = 0; i < walker->ndim; i++)
		if (walker->dims[i].count > 1 && !word_aligned(walker->dims[i].stride))
			return false;
	return word_aligned(addr + walker->offset);
}

bool kohaku_move_misaligned(const struct kohaku_move *move, u64 dst_addr, u64 limit,
			    struct kohaku_element *element, u64 *words)
{
	u64 start = dst_addr + move->dst.offset;

	*words = 0;
	if (always_aligned(&move->dst, dst_addr) || !limit)
		return false;
	kohaku_walk_first(&move->dst, element);
	do {
		if (element->inside && !word_aligned(start + element->offset))
			return true;
		*words += element->inside;
	} while (element->number + 1 < limit && kohaku_walk_next(&move->dst, element));
	return false;
}
