// SPDX-License-Identifier: GPL-2.0
/*
 * RELAYOUT: from a plan of user space to a program of a mesh's vector core.
 */
#include <linux/mm.h>
#include <linux/uaccess.h>

#include "core.h"
#include "hw/relayout.h"

static struct kohaku_relayout_task kohaku_relayout_of(const struct kohaku_task *task)
{
	return (struct kohaku_relayout_task){
		.relayout = &task->op.relayout,
		.starts = task->indices,
		.mesh = task->op.mesh,
		.src = task->src->region,
		.dst = task->dst->region,
	};
}

/* Copies the caller's array, once: everything after looks at the copy. */
static int kohaku_relayout_starts(struct kohaku_task *task)
{
	const struct kohaku_relayout *relayout = &task->op.relayout;
	size_t size = relayout->runs * sizeof(u32);

	if (!relayout->starts)
		return 0;
	task->indices = kvmalloc(size, GFP_KERNEL_ACCOUNT);
	if (!task->indices)
		return -ENOMEM;
	return copy_from_user(task->indices, u64_to_user_ptr(relayout->starts), size) ? -EFAULT : 0;
}

/* What SUBMIT does for a RELAYOUT: takes its buffers into use and checks the plan. */
int kohaku_relayout_prepare(struct kohaku_file *file, struct kohaku_task *task)
{
	const struct kohaku_relayout *relayout = &task->op.relayout;
	struct kohaku_relayout_task checked;
	const char *why;
	int ret;

	if (!(file->node->caps & KOHAKU_CAP_VECTOR))
		return -EOPNOTSUPP;
	task->src = kohaku_buffer_get(file, relayout->src_buffer);
	task->dst = kohaku_buffer_get(file, relayout->dst_buffer);
	if (!task->src || !task->dst)
		return -ENOENT;
	ret = kohaku_relayout_starts(task);
	if (ret)
		return ret;
	checked = kohaku_relayout_of(task);
	task->facts.words = kohaku_relayout_words(relayout);
	return kohaku_relayout_check(&checked, &why);
}

/* Starts a RELAYOUT; the caller is the mesh's runner. */
int kohaku_relayout_start(struct kohaku_mesh *mesh, const struct kohaku_task *task)
{
	const struct kohaku_relayout_task checked = kohaku_relayout_of(task);
	u16 index[ARRAY_SIZE(kohaku_vector_index)];
	int ret = 0;

	/* The constant of a transposing program lies where a gather has its indices. */
	memcpy(index, kohaku_vector_index, sizeof(index));
	if (task->op.relayout.flags & KOHAKU_RELAYOUT_TRANSPOSE)
		ret = kohaku_mem(mesh->node, mesh->indices, index, sizeof(index), true);
	if (ret)
		return ret;
	kohaku_relayout_program(&checked, mesh->indices, &mesh->relayout);
	return kohaku_dispatch_start(&mesh->dispatch, &mesh->node->bus, mesh->index,
				     &mesh->relayout);
}
