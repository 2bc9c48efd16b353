/* SPDX-License-Identifier: GPL-2.0 */
/* Recordings about relayout, one function a kind of record. */
#ifndef RELAYOUT_H
#define RELAYOUT_H

#include "recording.h"

#include "lib/kohaku_relayout.h"

enum outcome relayout_layout(struct recording *recording);
enum outcome relayout_affine(struct recording *recording);
enum outcome relayout_mover(struct recording *recording);
enum outcome relayout_plan(struct recording *recording);
enum outcome relayout_widths(struct recording *recording);
enum outcome relayout_emit(struct recording *recording);
enum outcome relayout_e2e(struct recording *recording);
enum outcome relayout_shuffle(struct recording *recording);
enum outcome relayout_op(struct recording *recording);
enum outcome relayout_encoding(struct recording *recording);
enum outcome relayout_flit(struct recording *recording);
enum outcome relayout_dead(struct recording *recording);
enum outcome relayout_whole(struct recording *recording);
enum outcome relayout_arena(struct recording *recording);
enum outcome relayout_address(struct recording *recording);
enum outcome relayout_figure(struct recording *recording);

/*
 * Reads a conversion, "BEFORE AFTER ndim d.." from token first on, of blocks in
 * a batch.  Returns the first token after it, 0 when it is wrong.
 */
size_t take_conversion(struct recording *recording, size_t first, uint32_t batch,
		       struct kohaku_packing *before, struct kohaku_packing *after);
/* Reads "K s b .." from token first on and compares. */
bool same_loops(const struct recording *recording, size_t first, const struct kohaku_loops *ours);

/* Runs a conversion by every engine of a node that can; input is packed as before. */
bool relayout_on_node(struct recording *recording, const struct kohaku_packing *before,
		      const struct kohaku_packing *after_packing, const void *input);

/* Digests a list of numbers as 32-bit ones. */
uint64_t fnv_number(uint64_t hash, uint32_t number);
/* The recordings' input: every element of a seed, all finite. */
void initial_elements(uint64_t seed, uint16_t *elements, size_t count);

#endif
