// SPDX-License-Identifier: LGPL-2.1-or-later
/* Permutations by numbering elements and comparing words. */
#include "perm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void perm_image(const struct kohaku_packing *packing, uint32_t *image)
{
	/* Columns whose slots follow each other. */
	static const uint64_t together[] = {
		[KOHAKU_LAYOUT_FLAT] = UINT64_MAX,
		[KOHAKU_LAYOUT_ENTRY] = 32,
		[KOHAKU_LAYOUT_TILE] = 4,
	};
	uint64_t run = together[packing->layout.kind];
	uint32_t id = 1;

	memset(image, 0, packing->slots * sizeof(*image));
	for (uint64_t row = 0; row < packing->rows; row++) {
		for (uint64_t col = 0; col < packing->cols;) {
			uint64_t left = packing->cols - col;
			uint32_t *slot = image + kohaku_packing_slot(packing, row, col);

			left = left < run ? left : run;
			col += left;
			while (left--)
				*slot++ = id++;
		}
	}
}

static void swap_granules(uint32_t *a, uint32_t *b)
{
	uint32_t t[PERM_GRANULE];

	memcpy(t, a, sizeof(t));
	memcpy(a, b, sizeof(t));
	memcpy(b, t, sizeof(t));
}

int perm_granule_transpose(uint32_t *image, uint64_t words)
{
	if (words % 4)
		return -EDOM;
	for (uint64_t word = 0; word < words; word += 4, image += 4 * PERM_WORD)
		for (int j = 0; j < 4; j++)
			for (int i = 0; i < j; i++)
				swap_granules(image + j * PERM_WORD + i * PERM_GRANULE,
					      image + i * PERM_WORD + j * PERM_GRANULE);
	return 0;
}

/* The number by which a word is known: its first element, 0 when it has none. */
static uint32_t word_key(const uint32_t *word)
{
	for (int i = 0; i < PERM_WORD; i++)
		if (word[i])
			return word[i];
	return 0;
}

#define NOWHERE UINT32_MAX

/*
 * Where the words of from are in to.  An element is in one word only, so words
 * can only be equal when they have none.
 */
static int match_words(const uint32_t *from, const uint32_t *to, uint64_t words,
		       uint32_t *by_key, int64_t *list)
{
	for (uint64_t i = 0; i < words; i++) {
		uint32_t *at = &by_key[word_key(from + i * PERM_WORD)];

		if (*at != NOWHERE)
			return -EDOM;
		*at = i;
	}
	for (uint64_t i = 0; i < words; i++) {
		const uint32_t *word = to + i * PERM_WORD;
		uint32_t at = by_key[word_key(word)];

		if (at == NOWHERE ||
		    memcmp(from + (uint64_t)at * PERM_WORD, word, PERM_WORD * sizeof(*word)))
			return -EDOM;
		list[at] = i;
	}
	return 0;
}

int perm_by_image(const struct kohaku_packing *from, const struct kohaku_packing *to,
		  enum perm_transpose transpose, int64_t **list)
{
	uint64_t slots = from->slots, words = slots / PERM_WORD;
	uint64_t keys = from->rows * from->cols + 1;
	uint32_t *a, *b, *by_key;
	int error = -ENOMEM;

	if (slots != to->slots || slots % PERM_WORD)
		return -EDOM;
	a = malloc(slots * sizeof(*a));
	b = malloc(slots * sizeof(*b));
	by_key = malloc(keys * sizeof(*by_key));
	*list = malloc(words * sizeof(**list));
	if (a && b && by_key && *list) {
		perm_image(from, a);
		perm_image(to, b);
		memset(by_key, 0xff, keys * sizeof(*by_key));
		error = 0;
		if (transpose == PERM_TRANSPOSE_FROM)
			error = perm_granule_transpose(a, words);
		else if (transpose == PERM_TRANSPOSE_TO)
			error = perm_granule_transpose(b, words);
		if (!error)
			error = match_words(a, b, words, by_key, *list);
	}
	free(a);
	free(b);
	free(by_key);
	if (error) {
		free(*list);
		*list = NULL;
	}
	return error;
}
