// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The instructions of a run.
 *
 * Without transpose: fill, drain.  With it, four words are transposed at a time,
 * as many fours side by side as the vector is long.  Output word i takes granule
 * i of each of the four inputs: input j, rotated so that its granule i comes to
 * lane granule j, and written there only.  A word with the number of each
 * lane's granule tells the lanes of granule j.
 */
#include "vector.h"

/* Descriptors of a run. */
enum { A_SRC, A_DST, A_L1, A_INDEX, A_INDEX_L1 };

/* Registers: inputs 0..3, then */
enum { R_OUT = 4, R_INDEX };

/* Scalars: the vector length, rotations by 0, 4, 8, 12, numbers of granules 1..3. */
enum { S_LENGTH = 0, S_ROTATE = 4, S_GRANULE = 7 };

/* Sources of an operand, and element types. */
enum { SCALAR = 1, FP16 = 1 };
/* A predicate that has to be set. */
enum { WHERE_SET = 1 };

const u16 kohaku_vector_index[16] = {
	0, 0, 0, 0,
	0x3c00, 0x3c00, 0x3c00, 0x3c00,		/* 1.0 */
	0x4000, 0x4000, 0x4000, 0x4000,		/* 2.0 */
	0x4200, 0x4200, 0x4200, 0x4200,		/* 3.0 */
};

/* 1.0, 2.0 and 3.0 in the scalars' format. */
static const u32 granule_number[3] = { 0x3f8000, 0x400000, 0x404000 };

/* An image being written; after an error nothing more is. */
struct image {
	const struct kohaku_flit_sink *sink;
	u32 length;
	int error;
};

static void put(struct image *image, u32 word)
{
	if (!image->error)
		image->error = kohaku_flit_put(image->sink, KOHAKU_FLIT_IMEM, image->length++, 0,
					       word);
}

static u32 op(enum kohaku_vector_op code)
{
	return KOHAKU_PUT(KOHAKU_V_OP, code);
}

static void put_seti(struct image *image, u32 scalar, u32 value)
{
	put(image, op(KOHAKU_VSETI) | KOHAKU_PUT(KOHAKU_V_VD, scalar));
	put(image, value);
}

static void put_memory(struct image *image, enum kohaku_vector_op code, u32 descriptor, u32 l1)
{
	put(image, op(code) | KOHAKU_PUT(KOHAKU_V_AD, descriptor) |
		   KOHAKU_PUT(KOHAKU_V_OFFSET, l1));
}

static void put_register(struct image *image, enum kohaku_vector_op code, u32 reg,
			 u32 descriptor, u32 l1)
{
	put(image, op(code) | KOHAKU_PUT(KOHAKU_V_DTYPE, FP16) |
		   KOHAKU_PUT(KOHAKU_V_AD, descriptor) | KOHAKU_PUT(KOHAKU_V_REG, reg) |
		   KOHAKU_PUT(KOHAKU_V_OFFSET, l1));
}

/* Puts granule of input where the output's granule input is. */
static void put_rotate(struct image *image, u32 input, u32 granule)
{
	u32 scalar = S_ROTATE + ((granule - input) & 3);

	put(image, op(KOHAKU_VSHUF) | KOHAKU_PUT(KOHAKU_V_VD, R_OUT) |
		   KOHAKU_PUT(KOHAKU_V_VA, input) | KOHAKU_PUT(KOHAKU_V_VB, scalar) |
		   KOHAKU_PUT(KOHAKU_V_PR, input) | KOHAKU_PUT(KOHAKU_V_PM, input ? WHERE_SET : 0));
}

static void put_transpose(struct image *image, u32 at)
{
	u32 i, j;

	for (j = 0; j < 4; j++)
		put_register(image, KOHAKU_VLD, j, A_L1, at + j);
	for (i = 0; i < 4; i++) {
		for (j = 0; j < 4; j++)
			put_rotate(image, j, i);
		put_register(image, KOHAKU_VST, R_OUT, A_L1, at + i);
	}
}

static void put_constants(struct image *image)
{
	u32 i;

	for (i = 0; i < 4; i++)
		put_seti(image, S_ROTATE + i, 4 * i);
	for (i = 1; i < 4; i++)
		put_seti(image, S_GRANULE + i, granule_number[i - 1]);
}

static void put_predicates(struct image *image)
{
	u32 i;

	for (i = 1; i < 4; i++)
		put(image, op(KOHAKU_VCMPEQ) | KOHAKU_PUT(KOHAKU_V_SB, SCALAR) |
			   KOHAKU_PUT(KOHAKU_V_VA, R_INDEX) |
			   KOHAKU_PUT(KOHAKU_V_VB, S_GRANULE + i) | KOHAKU_PUT(KOHAKU_V_PR, i));
}

int kohaku_vector_emit_image(u32 words, bool transpose, const struct kohaku_flit_sink *sink)
{
	u32 lanes = kohaku_vector_lanes(words, transpose);
	struct image image = { .sink = sink };
	u32 at;

	put_seti(&image, S_LENGTH, lanes);
	if (transpose)
		put_constants(&image);
	put(&image, op(KOHAKU_VSETVL) | KOHAKU_PUT(KOHAKU_V_VA, S_LENGTH));
	put(&image, op(KOHAKU_VSETMODE));
	if (transpose)
		put_memory(&image, KOHAKU_VFILL, A_INDEX, words);
	put_memory(&image, KOHAKU_VFILL, A_SRC, 0);
	put(&image, op(KOHAKU_VBAR));
	if (transpose) {
		put_register(&image, KOHAKU_VLD, R_INDEX, A_INDEX_L1, 0);
		put_predicates(&image);
		for (at = 0; at < words; at += lanes / 4)
			put_transpose(&image, at);
	}
	put_memory(&image, KOHAKU_VDRAIN, A_DST, 0);
	put(&image, op(KOHAKU_VHALT));
	return image.error;
}

/* Words of L1 that one transposition handles are a quarter of the lanes. */
static u32 blocks(u32 words)
{
	u32 each = kohaku_vector_lanes(words, true) / 4;

	return (words + each - 1) / each;
}

u32 kohaku_vector_lanes(u32 words, bool transpose)
{
	if (transpose && words % 32)
		return KOHAKU_VECTOR_LANES / 2;
	return KOHAKU_VECTOR_LANES;
}

u32 kohaku_vector_image_words(u32 words, bool transpose)
{
	return transpose ? 27 + 24 * blocks(words) : 8;
}

u32 kohaku_vector_run_cycles(u32 words, bool transpose)
{
	u32 each = kohaku_vector_lanes(words, transpose) / 16;

	/* What does not depend on the vector length; then each vector instruction. */
	return transpose ? 14 + each * (5 + 24 * blocks(words)) : 6 + each;
}

u64 kohaku_vector_flits(u32 words, bool transpose, u64 runs)
{
	/* Descriptors: 4 dimensions each, set and reset; and three bases. */
	u32 fixed = transpose ? 5 * 4 * 2 + 3 : 2 * 4 * 2;

	return kohaku_vector_image_words(words, transpose) + fixed + 3 * runs;
}
