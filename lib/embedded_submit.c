// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Jobs on the embedded node: every operation is checked, then one after the other
 * runs.  Program order on one mesh and every barrier are kept by that alone.
 */
#include <errno.h>
#include <stdlib.h>

#include "embedded.h"
#include "hw/argument.h"
#include "hw/op.h"
#include "hw/relayout.h"

/* Looking for the place of a fault takes this many elements at most. */
#define LOCATE_LIMIT (1ULL << 24)

/* An operation as the caller knows it; longer ones must end in zeros. */
static int copy_op(struct kohaku_op *op, const u8 *from, u32 stride)
{
	u32 i;

	if (!from)
		return -EFAULT;
	for (i = sizeof(*op); i < stride; i++) {
		if (from[i])
			return -E2BIG;
	}
	memcpy(op, from, sizeof(*op));
	return 0;
}

static int copy_indices(struct embedded_task *task)
{
	const struct kohaku_move *move = &task->op.move;

	if (move->mode != KOHAKU_MOVE_GATHER)
		return 0;
	task->indices = calloc(1, embedded_index_bytes(move->index_count));
	if (!task->indices)
		return -ENOMEM;
	return embedded_fetch(task->indices, move->indices, move->index_count * sizeof(u32));
}

static int check_move(struct embedded *node, struct embedded_task *task)
{
	struct kohaku_move_context context = {
		.mesh = task->op.mesh,
		.verify = task->op.flags & KOHAKU_OP_VERIFY,
		.remote = node->caps & KOHAKU_CAP_LINK,
		.src = &task->src,
		.dst = &task->dst,
		.indices = task->indices,
		.scratch = node->scratch,
	};
	struct kohaku_verdict verdict;
	int err = embedded_entry_words(node, &task->op, &context.entry_beats);

	if (err)
		return err;
	err = kohaku_move_check(&task->op.move, &context, &task->facts, &verdict);
	if (err != -ENOBUFS)
		return err;
	node->scratch = malloc(sizeof(*node->scratch));
	if (!node->scratch)
		return -ENOMEM;
	context.scratch = node->scratch;
	return kohaku_move_check(&task->op.move, &context, &task->facts, &verdict);
}

static int find_buffers(struct embedded *node, struct embedded_task *task)
{
	const struct kohaku_move *move = &task->op.move;

	task->src = (struct kohaku_region){ 0 };
	if (kohaku_move_has_source(move) && !embedded_region(node, move->src.buffer, &task->src))
		return -ENOENT;
	return embedded_region(node, move->dst.buffer, &task->dst) ? 0 : -ENOENT;
}

static int check_task(struct embedded *node, struct embedded_task *task, u32 *part)
{
	struct kohaku_verdict verdict;
	int err = kohaku_op_check(&task->op, node->config.meshes);

	if (!err && task->op.opcode == KOHAKU_OP_SLOT_LOAD)
		return embedded_slot_prepare(node, task);
	if (!err && task->op.opcode == KOHAKU_OP_TRANSFER)
		return embedded_transfer_prepare(node, task, part);
	if (!err && task->op.opcode == KOHAKU_OP_RELAYOUT)
		return embedded_relayout_prepare(node, task);
	if (err || task->op.opcode != KOHAKU_OP_MOVE)
		return err;
	err = kohaku_move_check_fields(&task->op.move, &verdict);
	if (!err)
		err = find_buffers(node, task);
	if (!err)
		err = copy_indices(task);
	return err ? err : check_move(node, task);
}

static void release_tasks(struct embedded *node, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++) {
		free(node->tasks[i].indices);
		free(node->tasks[i].values);
		free(node->tasks[i].insns);
		node->tasks[i].indices = NULL;
		node->tasks[i].values = NULL;
		node->tasks[i].insns = NULL;
	}
}

static int check_tasks(struct embedded *node, struct kohaku_submit *submit)
{
	const u8 *ops = (const u8 *)(uintptr_t)submit->ops;
	u32 i;
	int err;

	for (i = 0; i < submit->count; i++) {
		struct embedded_task *task = &node->tasks[i];

		err = copy_op(&task->op, ops ? ops + (size_t)i * submit->stride : NULL,
			      submit->stride);
		if (!err)
			err = check_task(node, task, &submit->out_part);
		if (!err)
			continue;
		release_tasks(node, i + 1);
		submit->out_index = i;
		return err;
	}
	return 0;
}

static void record_fault(struct embedded *node, const struct embedded_task *task,
			 const struct kohaku_completion *completion, u64 words)
{
	struct kohaku_fault_read *fault = &node->fault;

	*fault = (struct kohaku_fault_read){
		.out_count = ++node->fault_count,
		.out_job = completion->job,
		.out_index = completion->fault_index,
		.out_mesh = task->op.mesh,
		.out_code = completion->fault,
		.out_words = words,
	};
	if (task->op.opcode == KOHAKU_OP_TRANSFER) {
		fabric_session_fault(&node->fabric, task->insns, fault);
		return;
	}
	fault->out_bank_fault = kohaku_slot_fault(&node->bus, task->op.mesh);
	fault->out_program_length = node->program.length;
	memcpy(fault->out_program, node->program.writes,
	       node->program.length * sizeof(fault->out_program[0]));
	kohaku_op_locate_fault(&task->op.move, task->dst.addr, task->indices, LOCATE_LIMIT, fault);
	if (fault->out_code >= KOHAKU_FAULT_VECTOR)
		kohaku_relayout_locate_fault(&task->op.relayout, &node->relayout,
					     node->dispatch.fault_flit, fault);
}

static void add_traffic(struct kohaku_completion *completion, const struct sim_counters *before,
			const struct sim_counters *after)
{
	completion->words += after->write_beats - before->write_beats;
	completion->read_bursts += after->read_bursts - before->read_bursts;
	completion->read_beats += after->read_beats - before->read_beats;
	completion->write_bursts += after->write_bursts - before->write_bursts;
	completion->write_beats += after->write_beats - before->write_beats;
	completion->cycles += after->cycles - before->cycles;
}

static void run_task(struct embedded *node, u32 index, u64 timeout_ns,
		     struct kohaku_completion *completion)
{
	struct embedded_task *task = &node->tasks[index];
	const struct sim_counters *counters = sim_mesh_counters(node->node, task->op.mesh);
	struct sim_counters before = *counters;

	completion->status = task->op.opcode == KOHAKU_OP_TRANSFER ?
		embedded_transfer_run(node, task, completion->job, index, timeout_ns,
				      &completion->fault) :
		embedded_run(node, task, timeout_ns, &completion->fault);
	add_traffic(completion, &before, counters);
	if (task->op.opcode == KOHAKU_OP_RELAYOUT) {
		completion->flits += node->dispatch.flits;
		completion->core_cycles += node->dispatch.cycles;
	}
	if (!completion->status) {
		completion->ops_done++;
		return;
	}
	completion->fault_index = index;
	if (completion->fault)
		record_fault(node, task, completion, counters->write_beats - before.write_beats);
}

static void run_tasks(struct embedded *node, const struct kohaku_submit *submit,
		      struct kohaku_completion *completion)
{
	u64 timeout_ns = kohaku_submit_timeout(submit);
	u64 start = embedded_now();
	u32 i;

	for (i = 0; i < submit->count && !completion->status; i++)
		run_task(node, i, timeout_ns, completion);
	completion->duration_ns = embedded_now() - start;
}

int embedded_submit(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_submit *submit = &arg->submit;
	struct kohaku_completion *completion = &submit->completion;
	int err;

	submit->out_job = 0;
	submit->out_index = 0;
	submit->out_part = 0;
	*completion = (struct kohaku_completion){ 0 };
	err = kohaku_submit_check(submit);
	if (!err)
		err = check_tasks(node, submit);
	if (err)
		return err;
	if (node->done_count == KOHAKU_MAX_JOBS) {
		release_tasks(node, submit->count);
		return -EAGAIN;
	}
	submit->out_job = ++node->last_job;
	completion->size = sizeof(*completion);
	completion->job = submit->out_job;
	completion->cookie = submit->cookie;
	run_tasks(node, submit, completion);
	release_tasks(node, submit->count);
	if (!(submit->flags & KOHAKU_SUBMIT_ASYNC))
		return 0;
	embedded_done_add(node, completion);
	*completion = (struct kohaku_completion){ 0 };
	return 0;
}
