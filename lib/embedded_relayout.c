// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * RELAYOUT on the embedded node.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#include "embedded.h"
#include "hw/relayout.h"

static struct kohaku_relayout_task as_task(const struct embedded_task *task)
{
	return (struct kohaku_relayout_task){
		.relayout = &task->op.relayout,
		.starts = task->indices,
		.mesh = task->op.mesh,
		.src = task->src,
		.dst = task->dst,
	};
}

/* The caller's array, copied once: everything after looks at the copy. */
static int copy_starts(struct embedded_task *task)
{
	const struct kohaku_relayout *relayout = &task->op.relayout;
	size_t size = relayout->runs * sizeof(u32);

	if (!relayout->starts)
		return 0;
	task->indices = malloc(size);
	if (!task->indices)
		return -ENOMEM;
	return embedded_fetch(task->indices, relayout->starts, size);
}

int embedded_relayout_prepare(struct embedded *node, struct embedded_task *task)
{
	const struct kohaku_relayout *relayout = &task->op.relayout;
	struct kohaku_relayout_task checked;
	const char *why;
	int err;

	if (!(node->caps & KOHAKU_CAP_VECTOR))
		return -EOPNOTSUPP;
	if (!embedded_region(node, relayout->src_buffer, &task->src) ||
	    !embedded_region(node, relayout->dst_buffer, &task->dst))
		return -ENOENT;
	err = copy_starts(task);
	if (err)
		return err;
	checked = as_task(task);
	return kohaku_relayout_check(&checked, &why);
}

/* Puts the constant of a transposing program where a gather has its row numbers. */
static int write_index(struct embedded *node, const struct embedded_task *task, u64 addr)
{
	if (!(task->op.relayout.flags & KOHAKU_RELAYOUT_TRANSPOSE))
		return 0;
	return sim_mem_write(node->node, embedded_host_address(addr), kohaku_vector_index,
			     KOHAKU_WORD);
}

static int run_program(struct embedded *node, u32 mesh, u64 timeout_ns, u32 *fault)
{
	u64 deadline = embedded_now() + timeout_ns;
	int err = kohaku_dispatch_start(&node->dispatch, &node->bus, mesh, &node->relayout);

	if (err)
		return err;
	while ((err = kohaku_dispatch_poll(&node->dispatch, fault)) == -EINPROGRESS) {
		if (embedded_now() < deadline) {
			sched_yield();
			continue;
		}
		embedded_mesh_reset(node, mesh);
		*fault = KOHAKU_FAULT_TIMEOUT;
		return -ETIMEDOUT;
	}
	if (err)
		return err;
	return *fault ? -EIO : 0;
}

int embedded_relayout_run(struct embedded *node, const struct embedded_task *task,
			  u64 timeout_ns, u32 *fault)
{
	const struct kohaku_relayout_task checked = as_task(task);
	u32 mesh = task->op.mesh;
	u64 index = KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) + node->mesh[mesh].indices.start;

	node->dispatch = (struct kohaku_dispatch){ 0 };
	if (write_index(node, task, index)) {
		*fault = KOHAKU_FAULT_MEMORY;
		return -EIO;
	}
	kohaku_relayout_program(&checked, index, &node->relayout);
	return run_program(node, mesh, timeout_ns, fault);
}
