/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * One operation of a job, apart from the move in it: what makes it well formed,
 * how VERIFY proves that it ran, where a fault stopped it.
 */
#ifndef KOHAKU_HW_OP_H
#define KOHAKU_HW_OP_H

#include "move.h"

/*
 * Checks everything that does not depend on buffers: -EOPNOTSUPP for an unknown
 * opcode or flag or a field that the opcode does not use, -EINVAL for a mesh that
 * is not there.
 */
int kohaku_op_check(const struct kohaku_op *op, u32 meshes);

/*
 * Does VERIFY have a word to look at?  Then addr becomes its address: the highest
 * word that the checked move writes.  A move that writes nothing has none, and a
 * misaligned one ends in a fault anyway.  dst_addr is the destination buffer's.
 */
bool kohaku_op_verifies(const struct kohaku_op *op, u64 dst_addr,
			const struct kohaku_move_facts *facts, u64 *addr);
/*
 * The word to plant there beforehand.  Different nonces give different words; none
 * is likely in anybody's data.
 */
void kohaku_op_sentinel(u64 nonce, u8 word[KOHAKU_WORD_SIZE]);

/*
 * Fills element, indices, offsets and words of a fault record as far as they
 * follow from the move: a misaligned destination stops at a known place, all else
 * is KOHAKU_ELEMENT_UNKNOWN.  dst_addr is the address of the destination buffer,
 * indices those of GATHER; at most limit elements are looked at.
 */
void kohaku_op_locate_fault(const struct kohaku_move *move, u64 dst_addr, const u32 *indices,
			    u64 limit, struct kohaku_fault_read *record);

/* A short name of a fault for people, never NULL. */
const char *kohaku_fault_code_name(u32 code);

#endif
