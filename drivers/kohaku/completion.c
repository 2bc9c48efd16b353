// SPDX-License-Identifier: GPL-2.0
/*
 * The end of a job, and how its file hears of it: WAIT, read(), poll(), EVENTFD.
 *
 * A job is outstanding from its admission until somebody collects its completion.
 * That happens once: whoever takes the job off file->done has it, and puts it
 * back if the copy to user space fails.
 */
#include <linux/eventfd.h>
#include <linux/ktime.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "core.h"

/* Gives a job its id and counts it as outstanding. */
int kohaku_job_admit(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;
	int ret = 0;

	spin_lock(&file->node->queue_lock);
	if (file->outstanding == KOHAKU_MAX_JOBS) {
		ret = -EAGAIN;
	} else if (!kohaku_user_has_jobs_left(file)) {
		ret = -EDQUOT;
	} else {
		file->outstanding++;
		file->user->jobs++;
		job->completion.job = ++file->last_job;
		list_add_tail(&job->link, &file->jobs);
		kref_get(&job->ref);
	}
	spin_unlock(&file->node->queue_lock);
	return ret;
}

/* The job is not outstanding any more: its id is gone. */
void kohaku_job_collect(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;

	spin_lock(&file->node->queue_lock);
	list_del_init(&job->done_link);
	list_del_init(&job->link);
	file->outstanding--;
	file->user->jobs--;
	spin_unlock(&file->node->queue_lock);
	kohaku_parked_wake(job);
	kohaku_job_put(job);
}

/* Called once for every job in the queues, when its last strand has ended. */
void kohaku_job_done(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;

	/* First, so that who sees the completion can free the buffers. */
	kohaku_job_drop_buffers(job);

	spin_lock(&file->node->queue_lock);
	if (job->started)
		job->completion.duration_ns = ktime_get_ns() - job->started;
	/* Pairs with kohaku_job_is_done(): the completion is whole. */
	smp_store_release(&job->state, KOHAKU_JOB_DONE);
	/* A closed file has let go of its jobs: nobody would take this one off again. */
	if (job->async && !file->closed) {
		list_add_tail(&job->done_link, &file->done);
		if (file->eventfd)
			kohaku_eventfd_signal(file->eventfd);
	}
	spin_unlock(&file->node->queue_lock);
	atomic64_dec(&file->node->jobs);
	wake_up_all(&file->wait);
	kohaku_parked_wake(job);
	kohaku_job_put(job);
}

/* The oldest completion that nobody waits for by name. */
struct kohaku_job *kohaku_done_first(struct kohaku_file *file)
{
	struct kohaku_job *job;

	lockdep_assert_held(&file->node->queue_lock);

	list_for_each_entry(job, &file->done, done_link) {
		if (!job->waiters)
			return job;
	}
	return NULL;
}

/* Puts a completion back that could not be delivered. */
static void kohaku_done_return(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;

	spin_lock(&file->node->queue_lock);
	list_add(&job->done_link, &file->done);
	spin_unlock(&file->node->queue_lock);
	wake_up_all(&file->wait);
}

static struct kohaku_job *kohaku_done_take(struct kohaku_file *file)
{
	struct kohaku_job *job;

	spin_lock(&file->node->queue_lock);
	job = kohaku_done_first(file);
	if (job)
		list_del_init(&job->done_link);
	spin_unlock(&file->node->queue_lock);
	return job;
}

/* Copies completions out; the number of bytes, or an errno if not even one went. */
static ssize_t kohaku_read_done(struct kohaku_file *file, char __user *to, size_t size)
{
	const size_t record = KOHAKU_RECORD_SIZE;
	struct kohaku_job *job;
	size_t done = 0;

	while (size - done >= record && (job = kohaku_done_take(file))) {
		if (copy_to_user(to + done, &job->completion, record)) {
			kohaku_done_return(job);
			return done ? done : -EFAULT;
		}
		kohaku_job_collect(job);
		done += record;
	}
	return done;
}

static bool kohaku_read_ready(struct kohaku_file *file)
{
	bool ready;

	if (kohaku_check_alive(file))
		return true;
	spin_lock(&file->node->queue_lock);
	ready = kohaku_done_first(file);
	spin_unlock(&file->node->queue_lock);
	return ready;
}

ssize_t kohaku_read(struct file *filp, char __user *to, size_t size, loff_t *pos)
{
	struct kohaku_file *file = filp->private_data;
	ssize_t ret;

	if (size < KOHAKU_RECORD_SIZE)
		return -EINVAL;
	for (;;) {
		ret = kohaku_check_alive(file);
		if (!ret)
			ret = kohaku_read_done(file, to, size);
		if (ret)
			return ret;
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(file->wait, kohaku_read_ready(file));
		if (ret)
			return ret;
	}
}

/* Announces a waiter for a job, so that read() leaves it alone. */
struct kohaku_job *kohaku_wait_begin(struct kohaku_file *file, u64 id)
{
	struct kohaku_job *job, *found = NULL;

	spin_lock(&file->node->queue_lock);
	list_for_each_entry(job, &file->jobs, link) {
		if (job->completion.job != id || !job->async)
			continue;
		job->waiters++;
		kref_get(&job->ref);
		found = job;
		break;
	}
	spin_unlock(&file->node->queue_lock);
	return found;
}

/* Takes the completion: -ETIMEDOUT when there is none yet, -ENOENT if another did. */
static int kohaku_wait_end(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;
	int ret = 0;

	spin_lock(&file->node->queue_lock);
	job->waiters--;
	if (job->state != KOHAKU_JOB_DONE && !list_empty(&job->link))
		ret = -ETIMEDOUT;
	else if (list_empty(&job->done_link))
		ret = -ENOENT;
	else
		list_del_init(&job->done_link);
	spin_unlock(&file->node->queue_lock);
	/* read() may have it now. */
	if (ret == -ETIMEDOUT)
		wake_up_all(&file->wait);
	return ret;
}

/* Takes back what kohaku_wait_begin() announced: read() may have the completion. */
void kohaku_wait_leave(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;

	spin_lock(&file->node->queue_lock);
	job->waiters--;
	spin_unlock(&file->node->queue_lock);
	wake_up_all(&file->wait);
	kohaku_job_put(job);
}

/* Time until a deadline of WAIT; 0 and less: it does not sleep. */
ktime_t kohaku_wait_left(u64 deadline)
{
	if (!deadline)
		return 0;
	return ktime_sub(ns_to_ktime(min_t(u64, deadline, KTIME_MAX)), ktime_get());
}

static int kohaku_wait_sleep(struct kohaku_job *job, ktime_t left)
{
	struct kohaku_file *file = job->file;
	int ret;

	if (left <= 0)
		return 0;
	ret = wait_event_interruptible_hrtimeout(file->wait,
						 kohaku_job_is_done(job) ||
						 kohaku_check_alive(file), left);
	return ret == -ETIME ? 0 : ret;
}

/* The answer of WAIT; early: why it comes before the job's end, if it does. */
int kohaku_wait_finish(struct kohaku_call *call, struct kohaku_job *job, int early)
{
	struct kohaku_wait *wait = &call->arg.wait;
	struct kohaku_file *file = call->file;
	int ret = kohaku_wait_end(job);

	if (ret == -ETIMEDOUT)
		ret = early;
	if (!ret) {
		wait->completion = job->completion;
		ret = kohaku_reply(call);
		if (ret)
			kohaku_done_return(job);
		else
			kohaku_job_collect(job);
	} else if (kohaku_check_alive(file)) {
		ret = kohaku_check_alive(file);
	}
	kohaku_job_put(job);
	return ret;
}

int kohaku_wait(struct kohaku_call *call)
{
	struct kohaku_wait *wait = &call->arg.wait;
	struct kohaku_job *job = kohaku_wait_begin(call->file, wait->job);
	int interrupted;

	if (!job)
		return -ENOENT;
	interrupted = kohaku_wait_sleep(job, kohaku_wait_left(wait->deadline_ns));
	return kohaku_wait_finish(call, job, interrupted ? interrupted : -ETIMEDOUT);
}

int kohaku_eventfd(struct kohaku_call *call)
{
	struct kohaku_file *file = call->file;
	struct eventfd_ctx *ctx = NULL;
	int fd = call->arg.eventfd.fd;

	if (fd < -1)
		return -EINVAL;
	if (fd >= 0)
		ctx = eventfd_ctx_fdget(fd);
	if (IS_ERR(ctx))
		return PTR_ERR(ctx);
	spin_lock(&file->node->queue_lock);
	swap(file->eventfd, ctx);
	spin_unlock(&file->node->queue_lock);
	if (ctx)
		eventfd_ctx_put(ctx);
	return 0;
}
