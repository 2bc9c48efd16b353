// SPDX-License-Identifier: LGPL-2.1-or-later
/* Word permutations, and the mover command that performs one. */
#include "perm.h"
#include "reason.h"

#include <errno.h>
#include <stdlib.h>

int perm_find(const struct kohaku_packing *from, const struct kohaku_packing *to,
	      enum perm_transpose transpose, struct perm *perm)
{
	int error = perm_by_loops(from, to, transpose, &perm->loops);

	perm->words = from->slots / PERM_WORD;
	perm->list = NULL;
	if (error == -EAGAIN)
		error = perm_by_words(from, to, transpose, &perm->list);
	return error == -EAGAIN ? perm_by_image(from, to, transpose, &perm->list) : error;
}

void perm_free(struct perm *perm)
{
	free(perm->list);
	perm->list = NULL;
}

int perm_walk(const struct perm *perm, struct kohaku_loops *walk)
{
	if (perm->list)
		return kohaku_affine_factor(perm->list, perm->words, KOHAKU_MAX_DIMS, walk);
	*walk = perm->loops;
	return walk->count <= KOHAKU_MAX_DIMS ? 0 : -E2BIG;
}

int perm_walk_between(const struct kohaku_packing *from, const struct kohaku_packing *to,
		      enum perm_transpose transpose, struct kohaku_loops *walk)
{
	struct perm perm;
	int error = perm_find(from, to, transpose, &perm);

	if (error)
		return error;
	error = perm_walk(&perm, walk);
	perm_free(&perm);
	return error == -EDOM ? -E2BIG : error;
}

/* Sets ok; an error is one that no walk in the other direction can mend. */
static int walk_between(const struct kohaku_packing *from, const struct kohaku_packing *to,
			struct kohaku_loops *walk, bool *ok)
{
	int error = perm_walk_between(from, to, PERM_NO_TRANSPOSE, walk);

	*ok = !error;
	return error == -E2BIG ? 0 : error;
}

int kohaku_mover_form(const struct kohaku_packing *before, const struct kohaku_packing *after,
		      struct kohaku_mover_form *form, struct kohaku_reason *reason)
{
	int error;

	if (before->rows * before->cols != after->rows * after->cols)
		return reason_set(reason, -EINVAL, -1, "the two are not the same array");
	if (before->slots != after->slots)
		return reason_set(reason, -EDOM, -1,
				  "padding: the layouts differ in size, %llu and %llu bytes",
				  (unsigned long long)before->slots * 2,
				  (unsigned long long)after->slots * 2);
	*form = (struct kohaku_mover_form){ .words = before->slots / PERM_WORD };
	error = walk_between(before, after, &form->scatter, &form->scatter_ok);
	if (!error)
		error = walk_between(after, before, &form->gather, &form->gather_ok);
	if (error == -EDOM)
		return reason_set(reason, error, -1,
				  "it takes words apart, the mover moves whole ones");
	if (!error && !form->scatter_ok && !form->gather_ok)
		return reason_set(reason, -EDOM, -1, "no walk of 6 dimensions covers it");
	return error;
}
