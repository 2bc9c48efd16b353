/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What COPY and FILL do, from their description alone: the oracle of the
 * selftests.  Every element is computed from scratch, in 128-bit arithmetic, so
 * there is nothing in here that could wrap or drift.
 */
#ifndef SELFTESTS_MOVE_MODEL_H
#define SELFTESTS_MOVE_MODEL_H

#include "kohaku_test.h"

#ifdef __SIZEOF_INT128__
typedef __int128 model_int;
#else
typedef __s64 model_int;	/* 32-bit builds stay with small walks */
#endif

struct model_element {
	__u32 indices[KOHAKU_MAX_DIMS];
	model_int byte;		/* in the buffer */
	bool inside;
};

static inline __u64 model_elements(const struct kohaku_walker *walker)
{
	__u64 product = 1;

	for (__u32 k = 0; k < walker->ndim; k++)
		product *= walker->dims[k].count;
	return product;
}

/* Element number n of a walk. */
static inline struct model_element model_element(const struct kohaku_walker *walker, __u64 n)
{
	model_int coordinate[2] = { walker->windows[0].base, walker->windows[1].base };
	struct model_element element = { .byte = walker->offset, .inside = true };

	for (int k = walker->ndim - 1; k >= 0; k--) {
		const struct kohaku_dim *dim = &walker->dims[k];
		__u32 index = n % dim->count;

		n /= dim->count;
		element.indices[k] = index;
		element.byte += (model_int)dim->stride * index;
		if (dim->axis)
			coordinate[dim->axis - 1] += (model_int)dim->step * index;
	}
	for (int axis = 0; axis < 2; axis++) {
		__u32 extent = walker->windows[axis].extent;

		if (extent && (coordinate[axis] < 0 || coordinate[axis] >= extent))
			element.inside = false;
	}
	return element;
}

/* Do the first elements of a walk stay within length bytes? */
static inline bool model_bounded(const struct kohaku_walker *walker, __u64 elements, __u64 length)
{
	for (__u64 n = 0; n < elements; n++) {
		struct model_element element = model_element(walker, n);

		if (element.inside &&
		    (element.byte < 0 || element.byte + WORD > (model_int)length))
			return false;
	}
	return true;
}

static inline void model_pattern(const struct kohaku_move *move, unsigned char *word)
{
	unsigned int bytes = 1U << move->width;

	for (unsigned int i = 0; i < WORD; i++)
		word[i] = move->imm >> (i % bytes * 8);
}

struct model_result {
	__u64 words;		/* written */
	__u64 reads;		/* words read from memory */
	bool misaligned;	/* ended at element fault */
	__u64 fault;
};

/* Runs a COPY or FILL on memory; src and dst are the buffers' first bytes. */
static inline struct model_result model_move(const struct kohaku_move *move,
					     const unsigned char *src, unsigned char *dst)
{
	struct model_result result = { 0 };
	__u64 elements = model_elements(&move->dst);
	unsigned char pattern[WORD];

	model_pattern(move, pattern);
	for (__u64 n = 0; n < elements; n++) {
		struct model_element to = model_element(&move->dst, n);
		struct model_element from = { .inside = false };

		if (!to.inside)
			continue;
		if ((__u64)to.byte % WORD) {
			result.misaligned = true;
			result.fault = n;
			break;
		}
		if (move->mode == KOHAKU_MOVE_COPY)
			from = model_element(&move->src, n);
		memcpy(dst + to.byte, from.inside ? src + from.byte : pattern, WORD);
		result.reads += from.inside;
		result.words++;
	}
	return result;
}

#endif
