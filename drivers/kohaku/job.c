// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs: their memory, and the buffers they keep in use.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "core.h"

/* Jobs that a file keeps to use again, so that submitting allocates nothing. */
#define KOHAKU_POOL_JOBS	32
#define KOHAKU_POOL_CAPACITY	64

static struct kohaku_job *kohaku_job_from_pool(struct kohaku_file *file, u32 count)
{
	struct kohaku_job *job;

	spin_lock(&file->node->queue_lock);
	list_for_each_entry(job, &file->pool, link) {
		if (job->capacity < count)
			continue;
		list_del(&job->link);
		file->pooled--;
		spin_unlock(&file->node->queue_lock);
		return job;
	}
	spin_unlock(&file->node->queue_lock);
	return NULL;
}

/* A job of count tasks, all zero; the caller has the only reference. */
struct kohaku_job *kohaku_job_new(struct kohaku_file *file, u32 count)
{
	struct kohaku_job *job = kohaku_job_from_pool(file, count);
	u32 capacity;

	if (job) {
		capacity = job->capacity;
	} else {
		capacity = roundup_pow_of_two(max(count, 4U));
		job = kvmalloc(struct_size(job, tasks, capacity), GFP_KERNEL_ACCOUNT);
		if (!job)
			return NULL;
	}
	memset(job, 0, struct_size(job, tasks, count));
	job->capacity = capacity;
	job->count = count;
	kref_init(&job->ref);
	INIT_LIST_HEAD(&job->link);
	INIT_LIST_HEAD(&job->done_link);
	INIT_LIST_HEAD(&job->parked);
	job->completion.size = sizeof(job->completion);
	job->file = file;
	kref_get(&file->ref);
	return job;
}

/* Ends the job's use of its buffers; they can be freed from here on. */
void kohaku_job_drop_buffers(struct kohaku_job *job)
{
	struct kohaku_task *task;

	for (task = job->tasks; task < job->tasks + job->count; task++) {
		if (task->src)
			kohaku_buffer_put(task->src);
		if (task->dst)
			kohaku_buffer_put(task->dst);
		kvfree(task->indices);
		kfree(task->values);
		kvfree(task->insns);
		task->src = NULL;
		task->dst = NULL;
		task->indices = NULL;
		task->values = NULL;
		task->insns = NULL;
	}
}

static void kohaku_job_release(struct kref *ref)
{
	struct kohaku_job *job = container_of(ref, struct kohaku_job, ref);
	struct kohaku_file *file = job->file;

	kohaku_job_drop_buffers(job);
	spin_lock(&file->node->queue_lock);
	if (!file->closed && file->pooled < KOHAKU_POOL_JOBS &&
	    job->capacity <= KOHAKU_POOL_CAPACITY) {
		list_add(&job->link, &file->pool);
		file->pooled++;
		job = NULL;
	}
	spin_unlock(&file->node->queue_lock);
	kvfree(job);
	kohaku_file_put(file);
}

void kohaku_job_put(struct kohaku_job *job)
{
	kref_put(&job->ref, kohaku_job_release);
}

/* Forgets completions that nobody will collect and the pool; file is closed. */
void kohaku_jobs_drop(struct kohaku_file *file)
{
	struct kohaku_job *job, *next;
	LIST_HEAD(outstanding);
	LIST_HEAD(pool);

	spin_lock(&file->node->queue_lock);
	list_splice_init(&file->pool, &pool);
	file->pooled = 0;
	list_splice_init(&file->jobs, &outstanding);
	file->user->jobs -= file->outstanding;
	file->outstanding = 0;
	INIT_LIST_HEAD(&file->done);
	spin_unlock(&file->node->queue_lock);

	list_for_each_entry_safe(job, next, &outstanding, link) {
		list_del(&job->link);
		kohaku_job_put(job);
	}
	list_for_each_entry_safe(job, next, &pool, link) {
		list_del(&job->link);
		kvfree(job);
	}
}
