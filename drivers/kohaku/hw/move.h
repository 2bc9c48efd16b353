/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A move: whether the node may be asked for it, and the register program that
 * asks.  Driver, library and fuzzers decide by this code and no other.
 */
#ifndef KOHAKU_HW_MOVE_H
#define KOHAKU_HW_MOVE_H

#include "regs.h"
#include "walk.h"

/* Why a move is refused; kohaku_refusal_text() says it to a person. */
enum kohaku_refusal {
	KOHAKU_REFUSAL_NONE,
	KOHAKU_REFUSAL_MODE,		/* unknown or not built */
	KOHAKU_REFUSAL_FLAGS,
	KOHAKU_REFUSAL_WIDTH,
	KOHAKU_REFUSAL_CAP,
	KOHAKU_REFUSAL_UNUSED,		/* a field the mode does not use is set */
	KOHAKU_REFUSAL_NDIM,
	KOHAKU_REFUSAL_COUNT,		/* not 1..65535, or 2^64 elements and more */
	KOHAKU_REFUSAL_STRIDE,		/* not a signed 32-bit number */
	KOHAKU_REFUSAL_AXIS,
	KOHAKU_REFUSAL_WINDOW,		/* base or extent is no 16-bit number */
	KOHAKU_REFUSAL_COORDINATE,	/* an axis coordinate leaves 16 bits */
	KOHAKU_REFUSAL_SHORT_SOURCE,
	KOHAKU_REFUSAL_SOURCE_ALIGN,
	KOHAKU_REFUSAL_OFFSET,		/* the walk begins too far from its buffer */
	KOHAKU_REFUSAL_BOUNDS,		/* it leaves its buffer */
	KOHAKU_REFUSAL_REACH,		/* it goes 2 GiB or more from its offset */
	KOHAKU_REFUSAL_REMOTE,		/* the buffer is on a mesh out of reach */
	KOHAKU_REFUSAL_INDICES,		/* no indices, or more than the mover holds */
	KOHAKU_REFUSAL_ROW,		/* row_words or pitch the mover cannot take */
	KOHAKU_REFUSAL_OCCUPANT,	/* no such occupant in the slot, or no such mode */
	KOHAKU_REFUSAL_ENTRY,		/* no whole number of entries, or too few places */
	KOHAKU_REFUSAL_ENTRY_ALIGN,	/* entries not written at multiples of 128 */
	KOHAKU_REFUSAL_ENTRY_WINDOW,	/* windows on a transform: it would fault */
	KOHAKU_REFUSAL_VERIFY,		/* its last word is read by the move itself */
	KOHAKU_REFUSALS
};

/* A refusal, and which walker and dimension it is about (-1: none). */
struct kohaku_verdict {
	enum kohaku_refusal refusal;
	int walker;		/* KOHAKU_WALKER_SRC, _DST */
	int dim;
};

/* 0, -EINVAL or -EOPNOTSUPP as the header's table wants it. */
int kohaku_refusal_errno(enum kohaku_refusal refusal);
const char *kohaku_refusal_text(enum kohaku_refusal refusal);

/* A buffer as the node sees it. */
struct kohaku_region {
	u64 addr;		/* 40-bit address of its first byte */
	u64 size;		/* bytes */
};

/* What a move is checked against. */
struct kohaku_move_context {
	u32 mesh;			/* runs it */
	bool verify;			/* the operation carries KOHAKU_OP_VERIFY */
	bool remote;			/* the node can write to other meshes */
	u32 entry_beats;		/* XFORM: source words of an entry, 0: no occupant */
	const struct kohaku_region *src, *dst; /* the buffers that its walkers name */
	const u32 *indices;		/* GATHER: a copy of its indices */
	struct kohaku_walk_scratch *scratch;
};

/* What a check found out about a move that is allowed. */
struct kohaku_move_facts {
	u64 elements;			/* of the defining walk */
	u64 words;			/* that it writes, if it ends well */
	/*
	 * Touched, relative to their offsets.  The highest destination element
	 * is the last word, which VERIFY looks at (for XFORM: its entry's last).
	 */
	struct kohaku_span src, dst;
};

/* Modes without a source read no buffer. */
static inline bool kohaku_move_has_source(const struct kohaku_move *move)
{
	return move->mode != KOHAKU_MOVE_FILL && move->mode != KOHAKU_MOVE_GENERATE;
}

/*
 * Checks each field by itself, which comes first of all: afterwards the mode is
 * known, and so are the buffers and the indices to look up.  Returns and fills
 * verdict as kohaku_move_check() does.
 */
int kohaku_move_check_fields(const struct kohaku_move *move, struct kohaku_verdict *verdict);

/*
 * Checks everything about a move except what only run time can tell.  Returns 0
 * and fills facts, or a negative errno and fills verdict; -ENOBUFS: call again
 * with scratch.
 */
int kohaku_move_check(const struct kohaku_move *move, const struct kohaku_move_context *context,
		      struct kohaku_move_facts *facts, struct kohaku_verdict *verdict);

/*
 * Every register that carries state, in an order that no earlier state can
 * disturb; the last write is CTRL with GO.
 */
struct kohaku_program {
	u32 length;
	struct kohaku_reg_write writes[KOHAKU_MAX_PROGRAM];
};

/* The addresses are those of the buffers; index_addr is where GATHER's indices lie. */
void kohaku_move_encode(const struct kohaku_move *move, u64 src_addr, u64 dst_addr,
			u64 index_addr, struct kohaku_program *program);
/*
 * Zeroes words from addr on, as much of size bytes as one move reaches: what a
 * fresh buffer needs.  Returns the bytes covered.
 */
u64 kohaku_zero_encode(u64 addr, u64 size, struct kohaku_program *program);

/*
 * Where a checked move with a misaligned destination stops: the first element
 * inside its window that is no word address, and the words written before it.
 * false when it does not stop within limit elements.
 */
bool kohaku_move_misaligned(const struct kohaku_move *move, u64 dst_addr, u64 limit,
			    struct kohaku_element *element, u64 *words);

#endif
