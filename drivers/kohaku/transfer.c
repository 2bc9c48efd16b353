// SPDX-License-Identifier: GPL-2.0
/*
 * TRANSFER: a program on the fabric of the file that submits it.
 *
 * The runner of mesh 0 advances it, a bounded amount of work at each poll.
 */
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "core.h"
#include "sim/transfer/session.h"

/* Copies one instruction in, once, and checks the copy. */
static int kohaku_insn_take(struct kohaku_fabric *fabric, const struct kohaku_transfer *transfer,
			    u32 i, struct fabric_op *op)
{
	struct kohaku_transfer_insn insn;
	int ret;

	ret = copy_struct_from_user(&insn, sizeof(insn),
				    u64_to_user_ptr(transfer->insns + (u64)i * transfer->stride),
				    transfer->stride);
	if (ret)
		return ret;
	ret = fabric_session_insn(kohaku_fabric_lock(fabric), &insn, op);
	kohaku_fabric_unlock(fabric);
	return ret;
}

/* What SUBMIT does for a TRANSFER: *part becomes the instruction that is wrong. */
int kohaku_transfer_prepare(struct kohaku_file *file, struct kohaku_task *task, u32 *part)
{
	const struct kohaku_transfer *transfer = &task->op.transfer;
	struct kohaku_fabric *fabric = kohaku_fabric_get(file);
	u32 i;
	int ret = 0;

	if (IS_ERR(fabric))
		return PTR_ERR(fabric);
	task->insns = kvcalloc(max(transfer->count, 1U), sizeof(*task->insns),
			       GFP_KERNEL_ACCOUNT);
	if (!task->insns)
		return -ENOMEM;
	for (i = 0; !ret && i < transfer->count; i++) {
		ret = kohaku_insn_take(fabric, transfer, i, &task->insns[i]);
		*part = ret ? i : 0;
		cond_resched();
	}
	return ret;
}

/* The fabric of the operation in flight; whoever submitted it has made it. */
static struct kohaku_fabric *kohaku_transfer_fabric(struct kohaku_mesh *mesh)
{
	return mesh->strand->job->file->fabric;
}

int kohaku_transfer_start(struct kohaku_mesh *mesh, struct kohaku_task *task)
{
	struct kohaku_fabric *fabric = kohaku_transfer_fabric(mesh);
	int ret;

	ret = fabric_session_start(kohaku_fabric_lock(fabric), task->insns,
				   task->op.transfer.count, mesh->strand->job->completion.job,
				   mesh->strand->next);
	kohaku_fabric_unlock(fabric);
	return ret;
}

int kohaku_transfer_poll(struct kohaku_mesh *mesh, u32 *fault)
{
	struct kohaku_fabric *fabric = kohaku_transfer_fabric(mesh);
	int ret;

	ret = fabric_session_step(kohaku_fabric_lock(fabric), fault);
	kohaku_fabric_unlock(fabric);
	return ret;
}

/* Gives the program in flight up: what it stored stays. */
void kohaku_transfer_stop(struct kohaku_mesh *mesh)
{
	struct kohaku_fabric *fabric = kohaku_transfer_fabric(mesh);

	fabric_session_stop(kohaku_fabric_lock(fabric));
	kohaku_fabric_unlock(fabric);
}

void kohaku_transfer_locate_fault(struct kohaku_mesh *mesh, struct kohaku_fault_read *record)
{
	struct kohaku_fabric *fabric = kohaku_transfer_fabric(mesh);
	const struct kohaku_task *task = &mesh->strand->job->tasks[mesh->strand->next];

	fabric_session_fault(kohaku_fabric_lock(fabric), task->insns, record);
	kohaku_fabric_unlock(fabric);
}
