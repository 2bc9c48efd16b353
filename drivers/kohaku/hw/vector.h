/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The vector core: its instruction packets (flits), and the programs that
 * relayout is made of.
 *
 * A program converts blocks of words.  Each run fills some words into the core,
 * transposes the granules of every four of them if asked to, and drains them.
 * One side of a run is contiguous, the other walks.
 */
#ifndef KOHAKU_HW_VECTOR_H
#define KOHAKU_HW_VECTOR_H

#include "regs.h"

#define KOHAKU_VECTOR_IMEM	512	/* instruction words */
#define KOHAKU_VECTOR_L1	512	/* words of memory in the core */
#define KOHAKU_VECTOR_WALK_MAX	256	/* words of one fill or drain */
#define KOHAKU_VECTOR_DIMS	4	/* dimensions of a descriptor */
#define KOHAKU_VECTOR_ROUND	KOHAKU_FLITS_MAX /* flits that a program goes out in */
#define KOHAKU_VECTOR_LANES	128
#define KOHAKU_VECTOR_DESCRIPTORS 8

/* A descriptor's stride, bytes, is 18 bits and signed. */
#define KOHAKU_VECTOR_STRIDE_MIN (-131072)
#define KOHAKU_VECTOR_STRIDE_MAX 131071

/* Opcodes, bits 31:27 of an instruction; those that a program here may use. */
enum kohaku_vector_op {
	KOHAKU_VCMPEQ = 0x0d,	/* predicate of equal lanes */
	KOHAKU_VLD = 0x14,	/* L1 to register */
	KOHAKU_VST = 0x15,	/* register to L1 */
	KOHAKU_VSHUF = 0x17,	/* rotate the lanes of each word */
	KOHAKU_VSETVL = 0x18,	/* vector length */
	KOHAKU_VSETMODE = 0x19,
	KOHAKU_VSETI = 0x1a,	/* scalar from the next word */
	KOHAKU_VLOOP = 0x1b,
	KOHAKU_VBAR = 0x1c,	/* wait for fills */
	KOHAKU_VFILL = 0x1d,	/* memory to L1 */
	KOHAKU_VDRAIN = 0x1e,	/* L1 to memory */
	KOHAKU_VHALT = 0x1f,
};

/* Fields of an instruction; loads, stores, fills and drains use the second group. */
#define KOHAKU_V_OP	KOHAKU_BITS(31, 27)
#define KOHAKU_V_SA	KOHAKU_BITS(26, 25)
#define KOHAKU_V_SB	KOHAKU_BITS(24, 23)
#define KOHAKU_V_VD	KOHAKU_BITS(20, 17)
#define KOHAKU_V_VA	KOHAKU_BITS(16, 13)
#define KOHAKU_V_VB	KOHAKU_BITS(12, 9)
#define KOHAKU_V_PR	KOHAKU_BITS(4, 3)
#define KOHAKU_V_PM	KOHAKU_BITS(2, 1)

#define KOHAKU_V_DTYPE	KOHAKU_BITS(26, 24)
#define KOHAKU_V_AD	KOHAKU_BITS(23, 21)
#define KOHAKU_V_REG	KOHAKU_BITS(20, 17)
#define KOHAKU_V_OFFSET	KOHAKU_BITS(13, 0)

/* The value of a dimension field. */
#define KOHAKU_DESC_STRIDE KOHAKU_BITS(33, 16)
#define KOHAKU_DESC_BOUND KOHAKU_BITS(15, 0)

/* An instruction packet, 288 bits, lowest word first. */
struct kohaku_flit {
	u64 words[5];
};

enum kohaku_flit_kind {
	KOHAKU_FLIT_IMEM = 1,	/* an instruction word */
	KOHAKU_FLIT_DESC = 2,	/* a field of a descriptor */
	KOHAKU_FLIT_RUN = 3,	/* start a program */
};

/* A flit taken apart; what its kind does not use is 0. */
struct kohaku_flit_fields {
	enum kohaku_flit_kind kind;
	u32 index;		/* IMEM, RUN: instruction address; DESC: descriptor */
	u32 field;		/* DESC: 0 base, 1..4 dimension */
	u64 value;		/* IMEM: instruction; DESC: base, or stride << 16 | bound */
};

/* -EINVAL: a field is out of range. */
int kohaku_flit_encode(const struct kohaku_flit_fields *fields, struct kohaku_flit *flit);
/* -EINVAL: not an instruction packet, or a field is out of range. */
int kohaku_flit_decode(const struct kohaku_flit *flit, struct kohaku_flit_fields *fields);

/* One dimension of the walk of a run, innermost first in an array. */
struct kohaku_vector_dim {
	s32 stride;		/* words */
	u32 bound;
};

/* One conversion of a block, as the programs need it. */
struct kohaku_vector_pass {
	bool fill;		/* the source walks, else the destination does */
	bool transpose;
	u32 words;		/* of a run */
	u32 total;		/* of a block */
	u32 ndim;
	struct kohaku_vector_dim dims[KOHAKU_VECTOR_DIMS];
	const u32 *offsets;	/* first word of each run's walk; NULL: all in order */
};

/* Where a block is and where it goes: 40-bit addresses. */
struct kohaku_vector_pair {
	u64 src;
	u64 dst;
};

/* A checked pass over blocks that lie evenly, as a program. */
struct kohaku_vector_program {
	struct kohaku_vector_pass pass;
	struct kohaku_vector_pair first;	/* block */
	u64 src_stride, dst_stride;		/* bytes from one block to the next */
	u32 count;				/* blocks */
	u64 index_addr;				/* as in kohaku_vector_emit() */
};

/*
 * Whether a pass may run on blocks of total words: every word it touches lies
 * in its block, the program fits the core.  -EINVAL if not.
 */
int kohaku_vector_check(const struct kohaku_vector_pass *pass);

/* A pass that copies: in order on both sides. */
void kohaku_vector_copy(u32 total, struct kohaku_vector_pass *pass);
/* Its run width: the largest divisor of total that one fill can take. */
u32 kohaku_vector_copy_width(u64 total);

/* Sizes of a program before it is written. */
u32 kohaku_vector_image_words(u32 words, bool transpose);
u32 kohaku_vector_lanes(u32 words, bool transpose);
u64 kohaku_vector_flits(u32 words, bool transpose, u64 runs);
/* Cycles of one run, moving data not counted. */
u32 kohaku_vector_run_cycles(u32 words, bool transpose);

/* The constant that a transposing program reads: a word, at a word's address. */
extern const u16 kohaku_vector_index[16];

/* Takes the flits of a program; what it returns other than 0 ends the program. */
struct kohaku_flit_sink {
	int (*put)(void *ctx, const struct kohaku_flit *flit);
	void *ctx;
};

/* Encodes a flit and hands it to a sink. */
int kohaku_flit_put(const struct kohaku_flit_sink *sink, enum kohaku_flit_kind kind, u32 index,
		    u32 field, u64 value);

/* Writes the instructions of a run to instruction memory, from address 0 on. */
int kohaku_vector_emit_image(u32 words, bool transpose, const struct kohaku_flit_sink *sink);
/*
 * Writes the program of a checked pass over pairs of blocks.  index_addr is
 * where kohaku_vector_index lies, used when the pass transposes.
 */
int kohaku_vector_emit(const struct kohaku_vector_pass *pass,
		       const struct kohaku_vector_pair *pairs, u32 count, u64 index_addr,
		       const struct kohaku_flit_sink *sink);

/* Flits of a program, and those of them that come before its first run. */
u64 kohaku_vector_program_flits(const struct kohaku_vector_program *program);
u64 kohaku_vector_program_lead(const struct kohaku_vector_program *program);
/* Writes a program from flit number from on, until it ends or the sink has enough. */
int kohaku_vector_program_emit(const struct kohaku_vector_program *program, u64 from,
			       const struct kohaku_flit_sink *sink);
/* The run that a flit of a program starts, counted over all blocks. */
u64 kohaku_vector_program_run(const struct kohaku_vector_program *program, u64 flit);

#endif
