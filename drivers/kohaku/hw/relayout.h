/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A RELAYOUT of user space: whether it may run, and the program of the vector
 * core that it becomes.
 */
#ifndef KOHAKU_HW_RELAYOUT_H
#define KOHAKU_HW_RELAYOUT_H

#include "move.h"
#include "vector.h"

/* A relayout and what it names. */
struct kohaku_relayout_task {
	const struct kohaku_relayout *relayout;	/* kohaku_op_check() accepts it */
	const u32 *starts;			/* relayout->starts, NULL: none */
	u32 mesh;				/* that runs it */
	struct kohaku_region src, dst;
};

/*
 * May it run?  -EINVAL, and *why says to a person what is wrong; nothing that
 * passes touches a word outside its blocks, nor a block outside its buffer.
 */
int kohaku_relayout_check(const struct kohaku_relayout_task *task, const char **why);

/* Words that a checked one writes. */
u64 kohaku_relayout_words(const struct kohaku_relayout *relayout);

/*
 * Makes the program of a checked one.  index_addr is the word that holds
 * kohaku_vector_index.  The program needs task->starts until it has ended.
 */
void kohaku_relayout_program(const struct kohaku_relayout_task *task, u64 index_addr,
			     struct kohaku_vector_program *program);

/* Fills a fault record of a vector core's fault, which came with a flit of the program. */
void kohaku_relayout_locate_fault(const struct kohaku_relayout *relayout,
				  const struct kohaku_vector_program *program, u64 flit,
				  struct kohaku_fault_read *record);

#endif
