// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "relayout.h"

/* The plan alone, as the vector core's programs need it. */
static void make_pass(const struct kohaku_relayout *relayout, const u32 *starts,
		      struct kohaku_vector_pass *pass)
{
	u32 i;

	*pass = (struct kohaku_vector_pass){
		.fill = relayout->mode == KOHAKU_RELAYOUT_FILL,
		.transpose = relayout->flags & KOHAKU_RELAYOUT_TRANSPOSE,
		.words = relayout->words,
		.total = relayout->words * relayout->runs,
		.ndim = relayout->ndim,
		.offsets = starts,
	};
	/* Innermost first there, outermost first here. */
	for (i = 0; i < relayout->ndim; i++) {
		const struct kohaku_relayout_dim *dim = &relayout->dims[relayout->ndim - 1 - i];

		pass->dims[i].stride = dim->stride / (s32)KOHAKU_WORD;
		pass->dims[i].bound = dim->count;
	}
}

/* Fields that do not survive into the pass. */
static const char *wrong_field(const struct kohaku_relayout *relayout)
{
	u32 i;

	if (relayout->ndim > KOHAKU_RELAYOUT_DIMS)
		return "too many dimensions";
	if (!relayout->count)
		return "no blocks";
	for (i = 0; i < KOHAKU_RELAYOUT_DIMS; i++) {
		const struct kohaku_relayout_dim *dim = &relayout->dims[i];

		if (i >= relayout->ndim && (dim->stride || dim->count))
			return "a dimension beyond ndim is not zero";
		if (dim->stride % (s32)KOHAKU_WORD)
			return "a stride is no multiple of 32";
	}
	return NULL;
}

static u64 block_size(const struct kohaku_relayout *relayout)
{
	return (u64)relayout->words * relayout->runs * KOHAKU_WORD;
}

/* Finds where all blocks of one side lie, or what is wrong with that. */
static const char *find_blocks(const struct kohaku_relayout *relayout, u64 offset, u64 stride,
			       const struct kohaku_region *region, struct kohaku_region *blocks)
{
	u64 block = block_size(relayout), size = region->size;
	u64 more = relayout->count - 1;

	if (offset % KOHAKU_WORD || stride % KOHAKU_WORD)
		return "an offset or the stride of the blocks is no multiple of 32";
	if (offset > size || block > size - offset ||
	    (more && stride > (size - offset - block) / more))
		return "a block leaves its buffer";
	*blocks = (struct kohaku_region){ region->addr + offset, more * stride + block };
	return NULL;
}

static bool meet(const struct kohaku_region *a, const struct kohaku_region *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

static s32 walk_at(const struct kohaku_vector_pass *pass, u32 i)
{
	s32 at = 0;
	u32 dim;

	for (dim = 0; dim < pass->ndim; dim++) {
		at += pass->dims[dim].stride * (s32)(i % pass->dims[dim].bound);
		i /= pass->dims[dim].bound;
	}
	return at;
}

/* The lowest word of a walk, counted from where it begins. */
static s32 walk_low(const struct kohaku_vector_pass *pass)
{
	s32 low = 0;
	u32 dim;

	for (dim = 0; dim < pass->ndim; dim++)
		low += min(pass->dims[dim].stride, 0) * (s32)(pass->dims[dim].bound - 1);
	return low;
}

/* Does every run of a checked pass write exactly what it reads? */
static bool closed_runs(const struct kohaku_vector_pass *pass)
{
	u32 seen[KOHAKU_VECTOR_WALK_MAX / 32] = { 0 };
	s32 low = walk_low(pass);
	u32 i, at;

	for (i = 0; i < pass->total / pass->words; i++) {
		u32 first = i * pass->words, start = pass->offsets ? pass->offsets[i] : first;

		if (start + (u32)low != first)
			return false;
	}
	for (i = 0; i < pass->words; i++) {
		at = (u32)(walk_at(pass, i) - low);
		if (at >= pass->words || seen[at / 32] >> at % 32 & 1)
			return false;
		seen[at / 32] |= 1U << at % 32;
	}
	return true;
}

static const char *wrong_place(const struct kohaku_relayout *relayout,
			       const struct kohaku_vector_pass *pass,
			       const struct kohaku_region *src, const struct kohaku_region *dst)
{
	if (relayout->count > 1 && relayout->dst_stride < block_size(relayout))
		return "blocks of the destination overlap";
	if (!(relayout->flags & KOHAKU_RELAYOUT_IN_PLACE))
		return meet(src, dst) ? "source and destination overlap" : NULL;
	if (src->addr != dst->addr || src->size != dst->size)
		return "source and destination are not the same";
	return closed_runs(pass) ? NULL : "a run does not write exactly the words it read";
}

static const char *find_wrong(const struct kohaku_relayout_task *task)
{
	const struct kohaku_relayout *relayout = task->relayout;
	struct kohaku_vector_pass pass;
	struct kohaku_region src, dst;
	const char *wrong = wrong_field(relayout);

	if (wrong)
		return wrong;
	make_pass(relayout, task->starts, &pass);
	if (kohaku_vector_check(&pass))
		return "a run leaves its block, or is none that the core can do";
	if (KOHAKU_GET(KOHAKU_ADDR_MESH, task->src.addr) != task->mesh ||
	    KOHAKU_GET(KOHAKU_ADDR_MESH, task->dst.addr) != task->mesh)
		return "a buffer is on another mesh";
	wrong = find_blocks(relayout, relayout->src_offset, relayout->src_stride, &task->src, &src);
	if (!wrong)
		wrong = find_blocks(relayout, relayout->dst_offset, relayout->dst_stride,
				    &task->dst, &dst);
	return wrong ? wrong : wrong_place(relayout, &pass, &src, &dst);
}

int kohaku_relayout_check(const struct kohaku_relayout_task *task, const char **why)
{
	*why = find_wrong(task);
	return *why ? -EINVAL : 0;
}

u64 kohaku_relayout_words(const struct kohaku_relayout *relayout)
{
	return block_size(relayout) / KOHAKU_WORD * relayout->count;
}

void kohaku_relayout_program(const struct kohaku_relayout_task *task, u64 index_addr,
			     struct kohaku_vector_program *program)
{
	const struct kohaku_relayout *relayout = task->relayout;

	*program = (struct kohaku_vector_program){
		.first = { task->src.addr + relayout->src_offset,
			   task->dst.addr + relayout->dst_offset },
		.src_stride = relayout->src_stride,
		.dst_stride = relayout->dst_stride,
		.count = relayout->count,
		.index_addr = index_addr,
	};
	make_pass(relayout, task->starts, &program->pass);
}

void kohaku_relayout_locate_fault(const struct kohaku_relayout *relayout,
				  const struct kohaku_vector_program *program, u64 flit,
				  struct kohaku_fault_read *record)
{
	u32 run, runs = relayout->runs;
	u64 block, in_order, walked;

	/* Packets outside the runs move nothing. */
	if (flit < kohaku_vector_program_lead(program))
		return;
	record->out_element = kohaku_vector_program_run(program, flit);
	block = record->out_element / runs;
	run = record->out_element % runs;
	in_order = (u64)run * relayout->words * KOHAKU_WORD;
	walked = program->pass.offsets ? (u64)program->pass.offsets[run] * KOHAKU_WORD : in_order;
	record->out_indices[0] = block;
	record->out_indices[1] = run;
	record->out_src_offset = relayout->src_offset + block * relayout->src_stride +
				 (program->pass.fill ? walked : in_order);
	record->out_dst_offset = relayout->dst_offset + block * relayout->dst_stride +
				 (program->pass.fill ? in_order : walked);
}
