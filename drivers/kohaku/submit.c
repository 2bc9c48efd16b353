// SPDX-License-Identifier: GPL-2.0
/*
 * SUBMIT: from an array in user memory to a job in the queues.
 */
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "core.h"
#include "trace.h"

/* Copies operation i in, once: everything after looks at the copy. */
static int kohaku_submit_copy(const struct kohaku_submit *submit, u32 i, struct kohaku_op *op)
{
	return copy_struct_from_user(op, sizeof(*op),
				     u64_to_user_ptr(submit->ops + (u64)i * submit->stride),
				     submit->stride);
}

static int kohaku_task_indices(struct kohaku_task *task)
{
	const struct kohaku_move *move = &task->op.move;

	if (move->mode != KOHAKU_MOVE_GATHER)
		return 0;
	/* In whole words, the way the mover fetches them. */
	task->indices = kvzalloc(round_up(move->index_count * sizeof(u32), KOHAKU_WORD),
				 GFP_KERNEL_ACCOUNT);
	if (!task->indices)
		return -ENOMEM;
	if (copy_from_user(task->indices, u64_to_user_ptr(move->indices),
			   move->index_count * sizeof(u32)))
		return -EFAULT;
	return 0;
}

/* Takes the buffers of a move into use; modes without a source name none. */
static int kohaku_task_buffers(struct kohaku_file *file, struct kohaku_task *task)
{
	const struct kohaku_move *move = &task->op.move;

	task->dst = kohaku_buffer_get(file, move->dst.buffer);
	if (!task->dst)
		return -ENOENT;
	if (!kohaku_move_has_source(move))
		return 0;
	task->src = kohaku_buffer_get(file, move->src.buffer);
	return task->src ? 0 : -ENOENT;
}

/* Asks the bank how large an entry of the move's occupant is; 0 if nobody is there. */
static int kohaku_entry_words(struct kohaku_node *node, const struct kohaku_task *task,
			      u32 *words)
{
	struct kohaku_guard guard = kohaku_enter(node);
	struct kohaku_occupant occupant;
	int ret = -ENODEV;

	if (guard.alive)
		ret = kohaku_slot_query(&node->bus, task->op.mesh, task->op.move.xform, &occupant);
	kohaku_leave(guard);
	*words = ret ? 0 : occupant.in_words;
	return ret == -ENOENT ? 0 : ret;
}

static int kohaku_task_move(struct kohaku_file *file, struct kohaku_task *task)
{
	struct kohaku_move_context context = {
		.mesh = task->op.mesh,
		.verify = task->op.flags & KOHAKU_OP_VERIFY,
		.remote = file->node->caps & KOHAKU_CAP_LINK,
		.src = task->src ? &task->src->region : NULL,
		.dst = &task->dst->region,
		.indices = task->indices,
	};
	struct kohaku_verdict verdict;
	int ret;

	/* Nobody here could look at the word that it writes last. */
	if (context.verify && task->dst->mesh->index != task->op.mesh &&
	    task->dst->tier == KOHAKU_TIER_STAGING && file->node->ops->staging_by_mover)
		return -EOPNOTSUPP;
	if (task->op.move.mode == KOHAKU_MOVE_XFORM) {
		ret = kohaku_entry_words(file->node, task, &context.entry_beats);
		if (ret)
			return ret;
	}
	ret = kohaku_move_check(&task->op.move, &context, &task->facts, &verdict);
	if (ret != -ENOBUFS)
		return ret;
	context.scratch = kvmalloc(sizeof(*context.scratch), GFP_KERNEL_ACCOUNT);
	if (!context.scratch)
		return -ENOMEM;
	ret = kohaku_move_check(&task->op.move, &context, &task->facts, &verdict);
	kvfree(context.scratch);
	return ret;
}

static int kohaku_task_build(struct kohaku_file *file, struct kohaku_submit *submit,
			     u32 i, struct kohaku_task *task)
{
	struct kohaku_verdict verdict;
	int ret;

	ret = kohaku_submit_copy(submit, i, &task->op);
	if (ret)
		return ret;
	ret = kohaku_op_check(&task->op, file->node->config.meshes);
	if (!ret && task->op.opcode == KOHAKU_OP_SLOT_LOAD)
		return kohaku_slot_prepare(file, task);
	if (!ret && task->op.opcode == KOHAKU_OP_TRANSFER)
		return kohaku_transfer_prepare(file, task, &submit->out_part);
	if (!ret && task->op.opcode == KOHAKU_OP_RELAYOUT)
		return kohaku_relayout_prepare(file, task);
	if (ret || task->op.opcode != KOHAKU_OP_MOVE)
		return ret;
	ret = kohaku_move_check_fields(&task->op.move, &verdict);
	if (ret)
		return ret;
	ret = kohaku_task_buffers(file, task);
	if (ret)
		return ret;
	ret = kohaku_task_indices(task);
	if (ret)
		return ret;
	return kohaku_task_move(file, task);
}

/* Checks every operation before any runs; out_index names the one that is wrong. */
static int kohaku_submit_build(struct kohaku_file *file, struct kohaku_submit *submit,
			       struct kohaku_job *job)
{
	u32 i;
	int ret;

	for (i = 0; i < submit->count; i++) {
		ret = kohaku_task_build(file, submit, i, &job->tasks[i]);
		if (ret) {
			submit->out_index = i;
			return ret;
		}
		cond_resched();
	}
	return 0;
}

/* Sleeps until the job has ended; after a signal it goes on without its caller. */
static int kohaku_submit_wait(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;
	int ret;

	ret = wait_event_interruptible(file->wait, kohaku_job_is_done(job));
	if (!ret)
		return 0;
	spin_lock(&file->node->queue_lock);
	ret = kohaku_job_is_done(job) ? 0 : -EINTR;
	if (ret)
		job->async = true;
	spin_unlock(&file->node->queue_lock);
	return ret;
}

/*
 * The caller has its job's id before the job is in the queues: from then on it
 * cannot be taken back.
 */
static int kohaku_submit_run(struct kohaku_call *call, struct kohaku_job *job)
{
	struct kohaku_submit *submit = &call->arg.submit;
	bool async = job->async;
	int ret;

	trace_kohaku_submit(job);
	submit->out_job = job->completion.job;
	ret = kohaku_reply(call);
	if (!ret)
		ret = kohaku_queue_add(job);
	if (!ret && async)
		return 0;
	if (!ret)
		ret = kohaku_submit_wait(job);
	if (ret == -EINTR)
		return ret;
	submit->completion = job->completion;
	kohaku_job_collect(job);
	return ret ? ret : kohaku_reply(call);
}

int kohaku_submit(struct kohaku_call *call)
{
	struct kohaku_submit *submit = &call->arg.submit;
	struct kohaku_job *job;
	int ret;

	submit->out_job = 0;
	submit->out_index = 0;
	submit->out_part = 0;
	memset(&submit->completion, 0, sizeof(submit->completion));
	ret = kohaku_submit_check(submit);
	if (ret)
		return ret;
	if (kohaku_node_wedged(call->file->node))
		return -EIO;
	job = kohaku_job_new(call->file, submit->count);
	if (!job)
		return -ENOMEM;
	job->async = submit->flags & KOHAKU_SUBMIT_ASYNC;
	job->timeout_ns = kohaku_submit_timeout(submit);
	job->completion.cookie = submit->cookie;
	ret = kohaku_submit_build(call->file, submit, job);
	if (!ret)
		ret = kohaku_job_admit(job);
	if (!ret)
		ret = kohaku_submit_run(call, job);
	else
		kohaku_reply(call);
	kohaku_job_put(job);
	return ret;
}

/*
 * Runs an operation of the driver's own in the queue of its mesh and waits for it.
 * Its buffers are kept in use until it has ended, even if the caller is killed.
 */
int kohaku_task_run(struct kohaku_file *file, const struct kohaku_task *task)
{
	struct kohaku_job *job = kohaku_job_new(file, 1);
	int ret;

	if (!job)
		return -ENOMEM;
	job->timeout_ns = KOHAKU_TIMEOUT_NS;
	job->tasks[0] = *task;
	if (task->src)
		atomic_inc(&task->src->users);
	atomic_inc(&task->dst->users);
	ret = kohaku_queue_add(job);
	if (!ret && wait_event_killable(file->wait, kohaku_job_is_done(job)))
		ret = -EINTR;
	if (!ret)
		ret = job->completion.status;
	kohaku_job_put(job);
	return ret;
}

/* Fills a fresh buffer with zeros. */
int kohaku_zero_run(struct kohaku_file *file, struct kohaku_buffer *buffer)
{
	const struct kohaku_task task = {
		.op = { .opcode = KOHAKU_OP_ZERO, .mesh = buffer->mesh->index },
		.dst = buffer,
	};

	return kohaku_task_run(file, &task);
}
