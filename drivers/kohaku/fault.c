// SPDX-License-Identifier: GPL-2.0
/*
 * Fault records: what is known about an operation that did not end well.
 */
#include <linux/kobject.h>
#include <linux/ratelimit.h>

#include "core.h"
#include "hw/relayout.h"
#include "trace.h"

static void kohaku_fault_describe(struct kohaku_mesh *mesh, u32 code, u64 words,
				  struct kohaku_fault_read *record)
{
	const struct kohaku_job *job = mesh->strand->job;
	const struct kohaku_task *task = &job->tasks[mesh->strand->next];

	*record = (struct kohaku_fault_read) {
		.size = sizeof(*record),
		.out_job = job->completion.job,
		.out_index = mesh->strand->next,
		.out_mesh = mesh->index,
		.out_code = code,
		.out_words = words,
	};
	if (task->op.opcode == KOHAKU_OP_TRANSFER) {
		kohaku_transfer_locate_fault(mesh, record);
		return;
	}
	record->out_bank_fault = kohaku_slot_fault(&mesh->node->bus, mesh->index);
	record->out_program_length = mesh->program.length;
	memcpy(record->out_program, mesh->program.writes,
	       mesh->program.length * sizeof(*record->out_program));
	kohaku_op_locate_fault(&task->op.move, task->dst ? task->dst->region.addr : 0,
			       task->indices, KOHAKU_LOCATE_LIMIT, record);
	if (code >= KOHAKU_FAULT_VECTOR)
		kohaku_relayout_locate_fault(&task->op.relayout, &mesh->relayout,
					     mesh->dispatch.fault_flit, record);
}

/*
 * Faults that no valid submission causes are the administrator's business; those
 * that a user can cause at will reach the user alone.
 */
static void kohaku_fault_announce(struct kohaku_mesh *mesh, u32 code)
{
	/* By this flag it does not tell the log what it held back. */
	static struct ratelimit_state limit =
		RATELIMIT_STATE_INIT_FLAGS(limit, 10 * HZ, 5, RATELIMIT_MSG_ON_RELEASE);
	char fault[24], which[16];
	char *env[] = { fault, which, NULL };

	if (code == KOHAKU_FAULT_ALIGN || code == KOHAKU_FAULT_PAGE || !__ratelimit(&limit))
		return;
	snprintf(fault, sizeof(fault), "KOHAKU_FAULT=%u", code);
	snprintf(which, sizeof(which), "KOHAKU_MESH=%u", mesh->index);
	kobject_uevent_env(&mesh->node->dev.kobj, KOBJ_CHANGE, env);
}

/* Records the fault of the operation in flight; words were written before it. */
void kohaku_fault_record(struct kohaku_mesh *mesh, u32 code, u64 words)
{
	struct kohaku_file *file = mesh->strand->job->file;
	struct kohaku_fault_read *record = &mesh->fault;

	kohaku_fault_describe(mesh, code, words, record);
	trace_kohaku_fault(mesh, record);
	kohaku_fault_announce(mesh, code);

	spin_lock(&mesh->node->queue_lock);
	record->out_count = file->fault.out_count + 1;
	file->fault = *record;
	spin_unlock(&mesh->node->queue_lock);
}

int kohaku_fault_read(struct kohaku_call *call)
{
	u32 size = call->arg.size, flags = call->arg.fault_read.flags;
	struct kohaku_file *file = call->file;
	u64 count;
	int ret;

	spin_lock(&file->node->queue_lock);
	call->arg.fault_read = file->fault;
	call->arg.fault_read.size = size;
	call->arg.fault_read.flags = flags;
	spin_unlock(&file->node->queue_lock);
	if (call->arg.fault_read.out_code == KOHAKU_FAULT_NONE)
		return -ENOENT;
	count = call->arg.fault_read.out_count;
	ret = kohaku_reply(call);
	if (ret || !(flags & KOHAKU_FAULT_CLEAR))
		return ret;
	spin_lock(&file->node->queue_lock);
	/* A fault that came after this record was read stays. */
	if (file->fault.out_count == count)
		file->fault.out_code = KOHAKU_FAULT_NONE;
	spin_unlock(&file->node->queue_lock);
	return 0;
}
