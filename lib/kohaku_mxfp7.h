/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * MXFP7, the number format that the node's quantiser makes of fp16: a reference on
 * the host, bit for bit what the transform slot does.
 *
 * A block is 4 lanes of 32 values.  As fp16 it is 256 bytes, lane after lane; value
 * k of lane l is element 32 * l + k.  As MXFP7 it is 128 bytes, four words of 32
 * slots of seven bits, each with the scale bytes of all lanes.
 *
 * fp16 numbers are bit patterns.  Like the hardware, nothing here knows infinities
 * and NaNs: exponent field 31 is one more power of two.
 */
#ifndef KOHAKU_MXFP7_H
#define KOHAKU_MXFP7_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** define KOHAKU_MXFP7_LANES - lanes of a block, each with a scale of its own */
#define KOHAKU_MXFP7_LANES 4
/** define KOHAKU_MXFP7_VALUES - values of a block */
#define KOHAKU_MXFP7_VALUES 128
/** define KOHAKU_MXFP7_BYTES - bytes of a packed block */
#define KOHAKU_MXFP7_BYTES 128

/** enum kohaku_mxfp7_packing - order of the slots in a word: the occupant's mode */
enum kohaku_mxfp7_packing {
	/** @KOHAKU_MXFP7_A: lane after lane, what the matrix unit reads on side A */
	KOHAKU_MXFP7_A = 0,
	/** @KOHAKU_MXFP7_B: the four lanes of a column together, side B */
	KOHAKU_MXFP7_B = 1,
};

/**
 * kohaku_mxfp7_encode() - quantise
 * @packing: order of the slots
 * @values: blocks * KOHAKU_MXFP7_VALUES fp16 values
 * @packed: receives blocks * KOHAKU_MXFP7_BYTES bytes
 * @blocks: how many
 */
void kohaku_mxfp7_encode(enum kohaku_mxfp7_packing packing, const uint16_t *values,
			 uint8_t *packed, size_t blocks);

/**
 * kohaku_mxfp7_decode() - dequantise
 * @packing: order of the slots
 * @packed: blocks * KOHAKU_MXFP7_BYTES bytes
 * @values: receives blocks * KOHAKU_MXFP7_VALUES fp16 values, lane after lane
 * @blocks: how many
 *
 * Exact, but for what is beyond 65504, which becomes that.  The dequantiser of the
 * slot gives the same values in another order: first the first 16 of each lane, then
 * the others.
 */
void kohaku_mxfp7_decode(enum kohaku_mxfp7_packing packing, const uint8_t *packed,
			 uint16_t *values, size_t blocks);

/**
 * struct kohaku_error_figures - a set of errors in short
 * @max: the largest
 * @mean: the arithmetic mean
 * @p99: the smallest that at least 99 of 100 do not exceed
 */
struct kohaku_error_figures {
	double max;
	double mean;
	double p99;
};

/**
 * struct kohaku_mxfp7_error - how far decoded values are from their sources
 * @absolute: of abs(source - decoded), all values
 * @relative: of the same divided by abs(source), values other than 0
 */
struct kohaku_mxfp7_error {
	struct kohaku_error_figures absolute;
	struct kohaku_error_figures relative;
};

/**
 * kohaku_mxfp7_error() - compare decoded values with their sources
 * @source: @count fp16 values
 * @decoded: as many
 * @count: how many, at least 1
 * @error: receives the figures; zeros where there are no values to count
 *
 * Return: 0 or -ENOMEM.
 */
int kohaku_mxfp7_error(const uint16_t *source, const uint16_t *decoded, size_t count,
		       struct kohaku_mxfp7_error *error);

#ifdef __cplusplus
}
#endif

#endif
