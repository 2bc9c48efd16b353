/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which word of one layout becomes which word of another.
 *
 * Three ways lead there.  Most layouts are nested loops over their elements, and
 * composing the loops of two of them takes a few divisions however large the
 * array is (perm_loops.c).  Radices that do not divide each other are looked up
 * word by word.  Padding takes the direct way: number the elements and compare
 * words (perm_image.c).
 */
#ifndef LIB_PERM_H
#define LIB_PERM_H

#include "kohaku_relayout.h"

/* Elements of a word, and of the quarter word that a tile takes from one row. */
#define PERM_WORD 16
#define PERM_GRANULE 4

/* Whose words the granule transpose is applied to before comparing. */
enum perm_transpose { PERM_NO_TRANSPOSE, PERM_TRANSPOSE_FROM, PERM_TRANSPOSE_TO };

/*
 * A permutation of words: word i of one block becomes word perm_at(i) of the
 * other.  Either loops, or a list when list is not NULL.
 */
struct perm {
	uint64_t words;
	struct kohaku_loops loops;
	int64_t *list;
};

/*
 * Finds the permutation from the words of one block to those of another.
 * Returns -EDOM when there is none, -ENOMEM.
 */
int perm_find(const struct kohaku_packing *from, const struct kohaku_packing *to,
	      enum perm_transpose transpose, struct perm *perm);
void perm_free(struct perm *perm);

/* The permutation as a walk of the mover.  -EDOM: it is none; -E2BIG: too many dimensions. */
int perm_walk(const struct perm *perm, struct kohaku_loops *walk);
/*
 * Both at once.  Returns -EDOM when there is no permutation, -E2BIG when the
 * mover cannot walk it, -ENOMEM.
 */
int perm_walk_between(const struct kohaku_packing *from, const struct kohaku_packing *to,
		      enum perm_transpose transpose, struct kohaku_loops *walk);

static inline int64_t perm_at(const struct perm *perm, uint64_t word)
{
	return perm->list ? perm->list[word] : kohaku_affine_at(&perm->loops, word);
}

/*
 * By composing loops.  Returns -EDOM: no permutation; -EAGAIN: this way does
 * not tell.
 */
int perm_by_loops(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, struct kohaku_loops *loops);
/* By the first element of each word; the same, and *list is the caller's to free. */
int perm_by_words(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, int64_t **list);
/* By numbering elements; *list is the caller's to free. */
int perm_by_image(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, int64_t **list);

/*
 * The identity image of a block: for each slot the number of its element, from
 * 1 in row-major order, 0 for padding.
 */
void perm_image(const struct kohaku_packing *packing, uint32_t *image);
/*
 * In every four words, granule i of word j changes places with granule j of
 * word i.  -EDOM when the words do not come in fours.
 */
int perm_granule_transpose(uint32_t *image, uint64_t words);

/* Appends a loop, merging it with the one before when they make one. */
void loops_append(struct kohaku_loops *loops, int64_t stride, uint64_t bound);
/*
 * Cuts a walk in two after the first at offsets.  false when the cut is not at
 * an index of a loop.
 */
bool loops_split(const struct kohaku_loops *loops, uint64_t at, struct kohaku_loops *inner,
		 struct kohaku_loops *outer);

#endif
