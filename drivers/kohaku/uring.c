// SPDX-License-Identifier: GPL-2.0
/*
 * Commands that io_uring brings: the numbers, structs and handlers of the ioctls.
 *
 * A command first comes in the task that submitted it, where it must not wait.
 * What never does is run there, a WAIT is parked, and for everything else -EAGAIN
 * asks for a worker of io_uring, which may sleep in a handler like any ioctl.
 *
 * A parked WAIT is on job->parked.  Who takes it off, under queue_lock, is the only
 * one to end it: the end of its job (which reset and unplug bring about as well),
 * its deadline, or io_uring, when the ring or the task goes away.  The file cannot
 * be released before, since every command holds it.
 */
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "core.h"

/* A WAIT without a thread that sleeps in it. */
struct kohaku_parked {
	struct list_head link;		/* job->parked, under queue_lock */
	struct io_uring_cmd *cmd;
	struct kohaku_job *job;		/* a reference, counted as a waiter */
	struct delayed_work deadline;
	struct kohaku_call call;
};

static struct kohaku_parked **kohaku_parked_of(struct io_uring_cmd *cmd)
{
	return io_uring_cmd_to_pdu(cmd, struct kohaku_parked *);
}

/* True for one caller: the one that has to end it. */
static bool kohaku_parked_take(struct kohaku_parked *parked)
{
	struct kohaku_node *node = parked->call.file->node;
	bool mine;

	spin_lock(&node->queue_lock);
	mine = !list_empty(&parked->link);
	list_del_init(&parked->link);
	spin_unlock(&node->queue_lock);
	return mine;
}

/* Until then io_uring may still ask to cancel it, in vain. */
static void kohaku_parked_done(struct kohaku_parked *parked, int ret, unsigned int issue_flags)
{
	kohaku_uring_done(parked->cmd, ret, issue_flags);
	kfree(parked);
}

/*
 * Runs in the task that submitted the WAIT, whose memory gets the answer.  When
 * that task is dying a kernel thread runs it: then nobody wants the answer.
 */
static void kohaku_parked_end(struct io_uring_cmd *cmd, unsigned int issue_flags)
{
	struct kohaku_parked *parked = *kohaku_parked_of(cmd);
	int ret = -ECANCELED;

	cancel_delayed_work_sync(&parked->deadline);
	if (current->flags & (PF_EXITING | PF_KTHREAD))
		kohaku_wait_leave(parked->job);
	else
		ret = kohaku_wait_finish(&parked->call, parked->job, -ETIMEDOUT);
	kohaku_parked_done(parked, ret, issue_flags);
}

KOHAKU_URING_WORK(kohaku_parked_end)

/* The caller has taken it; it may be gone when this returns. */
static void kohaku_parked_send(struct kohaku_parked *parked)
{
	io_uring_cmd_complete_in_task(parked->cmd, kohaku_parked_end_work);
}

/* Ends the WAITs that are parked for a job: it is done, or its id is gone. */
void kohaku_parked_wake(struct kohaku_job *job)
{
	struct kohaku_node *node = job->file->node;
	struct kohaku_parked *parked;

	/* None comes any more, so who sees none need not lock. */
	while (!list_empty(&job->parked)) {
		spin_lock(&node->queue_lock);
		parked = list_first_entry_or_null(&job->parked, struct kohaku_parked, link);
		if (parked)
			list_del_init(&parked->link);
		spin_unlock(&node->queue_lock);
		if (parked)
			kohaku_parked_send(parked);
	}
}

/* To the jiffy, rounded up. */
static void kohaku_parked_arm(struct kohaku_parked *parked, ktime_t left)
{
	u64 jiffies_left = nsecs_to_jiffies64(ktime_to_ns(left)) + 1;

	schedule_delayed_work(&parked->deadline, min_t(u64, jiffies_left, MAX_JIFFY_OFFSET));
}

static void kohaku_parked_deadline(struct work_struct *work)
{
	struct kohaku_parked *parked = container_of(to_delayed_work(work), struct kohaku_parked,
						    deadline);
	ktime_t left = kohaku_wait_left(parked->call.arg.wait.deadline_ns);

	/* Timers do not reach that far. */
	if (left > 0)
		kohaku_parked_arm(parked, left);
	else if (kohaku_parked_take(parked))
		kohaku_parked_send(parked);
}

/* io_uring wants it back; the caller may be any thread, and holds the ring. */
static void kohaku_parked_cancel(struct io_uring_cmd *cmd, unsigned int issue_flags)
{
	struct kohaku_parked *parked = *kohaku_parked_of(cmd);

	if (!kohaku_parked_take(parked))
		return;
	cancel_delayed_work_sync(&parked->deadline);
	kohaku_wait_leave(parked->job);
	kohaku_parked_done(parked, -ECANCELED, issue_flags);
}

/* Puts it on the list of its job, unless that will not wake anybody any more. */
static bool kohaku_parked_add(struct kohaku_parked *parked)
{
	struct kohaku_job *job = parked->job;
	struct kohaku_node *node = job->file->node;
	bool waits;

	spin_lock(&node->queue_lock);
	waits = !kohaku_job_is_done(job) && !list_empty(&job->link);
	if (waits)
		list_add_tail(&parked->link, &job->parked);
	spin_unlock(&node->queue_lock);
	return waits;
}

/*
 * The ring is locked and the task is the one that kohaku_parked_end() runs in: it
 * is neither ended nor cancelled before this has returned.
 */
static int kohaku_uring_park(struct io_uring_cmd *cmd, struct kohaku_call *call,
			     struct kohaku_job *job, ktime_t left, unsigned int issue_flags)
{
	struct kohaku_parked *parked = kmalloc(sizeof(*parked), GFP_KERNEL_ACCOUNT);

	if (!parked) {
		kohaku_wait_leave(job);
		return -ENOMEM;
	}
	parked->cmd = cmd;
	parked->job = job;
	parked->call = *call;
	INIT_LIST_HEAD(&parked->link);
	INIT_DELAYED_WORK(&parked->deadline, kohaku_parked_deadline);
	*kohaku_parked_of(cmd) = parked;
	if (!kohaku_parked_add(parked)) {
		kfree(parked);
		return kohaku_wait_finish(call, job, -ETIMEDOUT);
	}
	kohaku_parked_arm(parked, left);
	io_uring_cmd_mark_cancelable(cmd, issue_flags);
	return -EIOCBQUEUED;
}

static int kohaku_uring_wait(struct io_uring_cmd *cmd, struct kohaku_call *call,
			     unsigned int issue_flags)
{
	struct kohaku_job *job = kohaku_wait_begin(call->file, call->arg.wait.job);
	ktime_t left = kohaku_wait_left(call->arg.wait.deadline_ns);

	if (!job)
		return -ENOENT;
	if (left <= 0 || kohaku_job_is_done(job))
		return kohaku_wait_finish(call, job, -ETIMEDOUT);
	if (KOHAKU_URING_CANCELS && !(issue_flags & IO_URING_F_UNLOCKED))
		return kohaku_uring_park(cmd, call, job, left, issue_flags);
	kohaku_wait_leave(job);
	return -EAGAIN;
}

/* The first pass, in which nothing may wait. */
static int kohaku_uring_try(struct io_uring_cmd *cmd, struct kohaku_call *call,
			    unsigned int issue_flags)
{
	switch (call->command->nr) {
	case KOHAKU_INFO:
	case KOHAKU_PROBE:
		return kohaku_call_run(call);
	case KOHAKU_SUBMIT:
		if (call->arg.submit.flags & KOHAKU_SUBMIT_ASYNC)
			return kohaku_call_run(call);
		return -EAGAIN;
	case KOHAKU_WAIT:
		return kohaku_uring_wait(cmd, call, issue_flags);
	default:
		return -EAGAIN;
	}
}

static int kohaku_uring_issue(struct io_uring_cmd *cmd, unsigned int issue_flags)
{
	struct kohaku_uring payload;
	struct kohaku_call call = {
		.file = cmd->file->private_data,
		.command = kohaku_command_find(cmd->cmd_op),
	};
	int ret;

	if (!call.command)
		return -ENOTTY;
	ret = kohaku_check_alive(call.file);
	if (ret)
		return ret;
	memcpy(&payload, kohaku_uring_payload(cmd), sizeof(payload));
	if (payload.flags)
		return -EOPNOTSUPP;
	call.user = u64_to_user_ptr(payload.arg);
	call.user_size = payload.size;
	ret = kohaku_call_take(&call);
	if (ret)
		return ret;
	if (call.arg.size != payload.size)
		return -EINVAL;
	if (issue_flags & IO_URING_F_NONBLOCK)
		return kohaku_uring_try(cmd, &call, issue_flags);
	ret = kohaku_call_run(&call);
	/* Nobody starts a submission again. */
	return ret == -ERESTARTSYS ? -EINTR : ret;
}

int kohaku_uring_cmd(struct io_uring_cmd *cmd, unsigned int issue_flags)
{
	if (issue_flags & IO_URING_F_CANCEL) {
		kohaku_parked_cancel(cmd, issue_flags);
		return 0;
	}
	if (issue_flags & IO_URING_F_IOPOLL)
		return -EOPNOTSUPP;
	return kohaku_uring_issue(cmd, issue_flags);
}
