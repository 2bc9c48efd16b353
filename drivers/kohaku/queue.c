// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of the meshes, and who runs them.
 *
 * A mesh runs the strands in its queue in order, one operation at a time.
 * Whoever sets mesh->running is its runner and alone touches the hardware: the
 * submitter of a job that finds the mesh idle, for a short spin, or the mesh's
 * work.  A runner that stops either leaves the queue empty, or hands over to the
 * work, or is parked at a barrier; then the strand that reaches it wakes the mesh.
 */
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/sched.h>

#include "core.h"
#include "trace.h"

static struct kohaku_strand *kohaku_mesh_head(struct kohaku_mesh *mesh)
{
	lockdep_assert_held(&mesh->node->queue_lock);

	return list_first_entry_or_null(&mesh->queue, struct kohaku_strand, link);
}

/* The first operation of a job from index on that runs on mesh. */
static u32 kohaku_job_next(const struct kohaku_job *job, u32 index, u32 mesh)
{
	while (index < job->count && job->tasks[index].op.mesh != mesh)
		index++;
	return index;
}

static bool kohaku_barrier_open(const struct kohaku_job *job, u32 index)
{
	u32 mesh;

	if (!(job->tasks[index].op.flags & KOHAKU_OP_BARRIER))
		return true;
	for (mesh = 0; mesh < job->file->node->config.meshes; mesh++) {
		if (job->strands[mesh].next < index)
			return false;
	}
	return true;
}

/* May anybody become the runner, who does not stand in line for it? */
static bool kohaku_mesh_idle(const struct kohaku_mesh *mesh)
{
	return !mesh->running && !mesh->claims;
}

/* Makes the work run a mesh that has something to do and no runner. */
static void kohaku_mesh_kick(struct kohaku_mesh *mesh)
{
	lockdep_assert_held(&mesh->node->queue_lock);

	if (!kohaku_mesh_idle(mesh) || list_empty(&mesh->queue))
		return;
	mesh->running = true;
	queue_work(mesh->node->workqueue, &mesh->work);
}

/* Takes a strand off its mesh; true when it was the last of its job. */
static bool kohaku_strand_end(struct kohaku_strand *strand)
{
	struct kohaku_job *job = strand->job;

	lockdep_assert_held(&job->file->node->queue_lock);

	list_del_init(&strand->link);
	strand->next = job->count;
	return --job->strands_left == 0;
}

/*
 * Drops strands whose job has failed; returns the one to go on with.  Jobs that
 * end this way are put on ended.
 */
static struct kohaku_strand *kohaku_mesh_next(struct kohaku_mesh *mesh, struct list_head *ended)
{
	struct kohaku_strand *strand;

	lockdep_assert_held(&mesh->node->queue_lock);

	while ((strand = kohaku_mesh_head(mesh))) {
		struct kohaku_job *job = strand->job;

		if (mesh->wedged && !job->completion.status)
			job->completion.status = -EIO;
		if (!job->completion.status)
			return strand;
		if (kohaku_strand_end(strand))
			list_add_tail(&job->done_link, ended);
	}
	return NULL;
}

static void kohaku_jobs_done(struct list_head *ended)
{
	struct kohaku_job *job, *next;

	list_for_each_entry_safe(job, next, ended, done_link) {
		list_del_init(&job->done_link);
		kohaku_job_done(job);
	}
}

/* Picks the strand to go on with; false when the caller stops being the runner. */
static bool kohaku_mesh_pick(struct kohaku_mesh *mesh)
{
	struct kohaku_node *node = mesh->node;
	struct kohaku_strand *strand;
	u64 now = ktime_get_ns();
	LIST_HEAD(ended);

	spin_lock(&node->queue_lock);
	strand = mesh->claims ? NULL : kohaku_mesh_next(mesh, &ended);
	if (strand && !kohaku_barrier_open(strand->job, strand->next))
		strand = NULL;
	mesh->strand = strand;
	mesh->running = strand;
	if (strand && !strand->job->started)
		strand->job->started = now;
	spin_unlock(&node->queue_lock);

	if (strand)
		mesh->deadline = now + strand->job->timeout_ns;
	kohaku_jobs_done(&ended);
	return strand;
}

static struct kohaku_task *kohaku_mesh_task(struct kohaku_mesh *mesh)
{
	return &mesh->strand->job->tasks[mesh->strand->next];
}

/* Status and fault code of an operation that ended with ret and *fault. */
static int kohaku_task_status(int ret, u32 *fault)
{
	switch (ret) {
	case 0:
		return *fault ? -EIO : 0;
	case -ETIMEDOUT:
	case -EBUSY:
		*fault = KOHAKU_FAULT_TIMEOUT;
		return -ETIMEDOUT;
	case -ENODEV:
	case -ECANCELED:
		*fault = KOHAKU_FAULT_NONE;
		return ret;
	default:
		*fault = KOHAKU_FAULT_MEMORY;
		return -EIO;
	}
}

static void kohaku_completion_count(struct kohaku_completion *completion,
				    const struct kohaku_counters *traffic)
{
	completion->words += traffic->write_beats;
	completion->read_bursts += traffic->read_bursts;
	completion->read_beats += traffic->read_beats;
	completion->write_bursts += traffic->write_bursts;
	completion->write_beats += traffic->write_beats;
	completion->cycles += traffic->cycles;
}

/* Books the end of the operation in flight and moves its strand on. */
static void kohaku_mesh_book(struct kohaku_mesh *mesh, int status, u32 fault,
			     const struct kohaku_counters *traffic)
{
	struct kohaku_strand *strand = mesh->strand;
	struct kohaku_completion *completion = &strand->job->completion;
	struct kohaku_node *node = mesh->node;
	u32 i;

	lockdep_assert_held(&node->queue_lock);

	kohaku_completion_count(completion, traffic);
	if (kohaku_mesh_task(mesh)->op.opcode == KOHAKU_OP_RELAYOUT) {
		completion->flits += mesh->dispatch.flits;
		completion->core_cycles += mesh->dispatch.cycles;
		/* One that does not even start must not count these again. */
		mesh->dispatch.flits = 0;
		mesh->dispatch.cycles = 0;
	}
	if (!status) {
		completion->ops_done++;
		mesh->done += kohaku_mesh_task(mesh)->op.opcode == KOHAKU_OP_MOVE;
	} else if (!completion->status) {
		completion->status = status;
		completion->fault = fault;
		completion->fault_index = strand->next;
	}
	if (fault) {
		mesh->last_fault = fault;
		mesh->faults[fault]++;
	}
	strand->next = kohaku_job_next(strand->job, strand->next + 1, mesh->index);
	/* Whoever is parked at a barrier of this job looks again. */
	for (i = 0; strand->job->strands_left > 1 && i < node->config.meshes; i++)
		kohaku_mesh_kick(&node->mesh[i]);
}

/* The operation in flight is over, one way or another. */
static void kohaku_mesh_end(struct kohaku_mesh *mesh, int ret, u32 fault)
{
	struct kohaku_strand *strand = mesh->strand;
	struct kohaku_job *job = strand->job;
	struct kohaku_node *node = mesh->node;
	int status = kohaku_task_status(ret, &fault);
	struct kohaku_counters traffic;
	bool ended = false;

	if (ret == -ENODEV)
		kohaku_node_lost(node);
	kohaku_task_traffic(mesh, kohaku_mesh_task(mesh), status, fault, &traffic);
	if (fault)
		kohaku_fault_record(mesh, fault, traffic.write_beats);
	/* The mover still runs what was given up: nothing else may start. */
	if (ret == -ETIMEDOUT || ret == -EBUSY || ret == -ECANCELED)
		kohaku_task_abandon(mesh, kohaku_mesh_task(mesh));
	trace_kohaku_done(mesh, job, strand->next, status, fault);

	spin_lock(&node->queue_lock);
	kohaku_mesh_book(mesh, status, fault, &traffic);
	if (job->completion.status || strand->next == job->count)
		ended = kohaku_strand_end(strand);
	mesh->strand = NULL;
	spin_unlock(&node->queue_lock);
	if (ended)
		kohaku_job_done(job);
}

/* Starts the next operation; false when the caller stops being the runner. */
static bool kohaku_mesh_start(struct kohaku_mesh *mesh)
{
	int ret;

	if (!kohaku_mesh_pick(mesh))
		return false;
	trace_kohaku_start(mesh, mesh->strand->job, mesh->strand->next);
	ret = READ_ONCE(mesh->node->gone) ? -ENODEV :
	      kohaku_task_start(mesh, kohaku_mesh_task(mesh));
	if (ret)
		kohaku_mesh_end(mesh, min(ret, 0), KOHAKU_FAULT_NONE);
	return true;
}

/* May the operation in flight be given up? Without a reset it must end by itself. */
static bool kohaku_mesh_abandons(struct kohaku_mesh *mesh)
{
	return READ_ONCE(mesh->strand->job->abandon) &&
	       (mesh->node->caps & KOHAKU_CAP_RESET);
}

static void kohaku_mesh_poll(struct kohaku_mesh *mesh)
{
	u32 fault = KOHAKU_FAULT_NONE;
	int ret;

	if (READ_ONCE(mesh->node->gone))
		ret = -ENODEV;
	else if (kohaku_mesh_abandons(mesh))
		ret = -ECANCELED;
	else
		ret = kohaku_task_poll(mesh, kohaku_mesh_task(mesh), &fault);
	if (ret == -EINPROGRESS) {
		if (ktime_get_ns() < mesh->deadline)
			return;
		ret = -ETIMEDOUT;
	}
	kohaku_mesh_end(mesh, ret, fault);
}

/*
 * Sleeps for an eighth of the time that the operation in flight has been running,
 * if the node gets on without being looked at: short ones are seen to end at once,
 * long ones cost little.
 */
static void kohaku_mesh_rest(struct kohaku_mesh *mesh)
{
	u64 begin = mesh->deadline - mesh->strand->job->timeout_ns;
	u64 now = ktime_get_ns();
	u32 us;

	if (!mesh->node->ops->poll_sleep_us || now < begin + KOHAKU_SPIN_NS)
		return;
	us = min_t(u64, (now - begin) / (8 * NSEC_PER_USEC), mesh->node->ops->poll_sleep_us);
	usleep_range(us, us + us / 4);
}

/* Runs a mesh; true when the time was up first and the caller is still its runner. */
static bool kohaku_mesh_run(struct kohaku_mesh *mesh, u64 until)
{
	while (mesh->strand || kohaku_mesh_start(mesh)) {
		if (mesh->strand)
			kohaku_mesh_poll(mesh);
		if (ktime_get_ns() >= until)
			return true;
		if (mesh->strand)
			kohaku_mesh_rest(mesh);
		cond_resched();
	}
	return false;
}

void kohaku_queue_work(struct work_struct *work)
{
	kohaku_mesh_run(container_of(work, struct kohaku_mesh, work), U64_MAX);
}

/* Puts the strands of a job in the queues of their meshes, all at one moment. */
static void kohaku_job_enqueue(struct kohaku_job *job)
{
	struct kohaku_node *node = job->file->node;
	u32 mesh;

	lockdep_assert_held(&node->queue_lock);

	for (mesh = 0; mesh < node->config.meshes; mesh++) {
		struct kohaku_strand *strand = &job->strands[mesh];

		strand->job = job;
		strand->next = kohaku_job_next(job, 0, mesh);
		INIT_LIST_HEAD(&strand->link);
		if (strand->next == job->count)
			continue;
		list_add_tail(&strand->link, &node->mesh[mesh].queue);
		job->strands_left++;
	}
	job->state = KOHAKU_JOB_RUNNING;
}

/* The first idle mesh of a job becomes the caller's, the others their work's. */
static struct kohaku_mesh *kohaku_job_dispatch(struct kohaku_job *job)
{
	struct kohaku_node *node = job->file->node;
	struct kohaku_mesh *mine = NULL;
	u32 i;

	lockdep_assert_held(&node->queue_lock);

	for (i = 0; i < node->config.meshes; i++) {
		struct kohaku_mesh *mesh = &node->mesh[i];

		if (mine || !kohaku_mesh_idle(mesh) || list_empty(&job->strands[i].link)) {
			kohaku_mesh_kick(mesh);
			continue;
		}
		mesh->running = true;
		mine = mesh;
	}
	return mine;
}

/*
 * Queues a job and runs it for a short spin.  On success the queue has taken a
 * reference of its own, which kohaku_job_done() ends.
 */
int kohaku_queue_add(struct kohaku_job *job)
{
	struct kohaku_file *file = job->file;
	struct kohaku_node *node = file->node;
	struct kohaku_guard guard = kohaku_enter(node);
	struct kohaku_mesh *mine;
	int ret;

	spin_lock(&node->queue_lock);
	ret = guard.alive ? 0 : -ENODEV;
	if (!ret && file->stale)
		ret = -ECANCELED;
	if (ret) {
		spin_unlock(&node->queue_lock);
		kohaku_leave(guard);
		return ret;
	}
	kref_get(&job->ref);
	atomic64_inc(&node->jobs);
	kohaku_job_enqueue(job);
	mine = kohaku_job_dispatch(job);
	spin_unlock(&node->queue_lock);

	if (!job->count)
		kohaku_job_done(job);
	if (mine && kohaku_mesh_run(mine, ktime_get_ns() + KOHAKU_SPIN_NS))
		queue_work(node->workqueue, &mine->work);
	kohaku_leave(guard);
	return 0;
}

/*
 * Ends the jobs of file, or of all files, with status: what is queued will not
 * start, what is in flight is given up where the hardware allows it.
 */
void kohaku_queue_cancel(struct kohaku_node *node, struct kohaku_file *file, int status)
{
	struct kohaku_strand *strand;
	u32 i;

	spin_lock(&node->queue_lock);
	for (i = 0; i < node->config.meshes; i++) {
		list_for_each_entry(strand, &node->mesh[i].queue, link) {
			struct kohaku_job *job = strand->job;

			if (file && job->file != file)
				continue;
			if (!job->completion.status)
				job->completion.status = status;
			WRITE_ONCE(job->abandon, true);
		}
		kohaku_mesh_kick(&node->mesh[i]);
	}
	spin_unlock(&node->queue_lock);
}

/*
 * Makes the caller the runner of a mesh.  Whoever is stops after its operation,
 * however long the queue, so that users cannot keep an administrator waiting.
 */
void kohaku_mesh_acquire(struct kohaku_mesh *mesh)
{
	struct kohaku_node *node = mesh->node;

	spin_lock(&node->queue_lock);
	mesh->claims++;
	while (mesh->running) {
		spin_unlock(&node->queue_lock);
		fsleep(100);
		spin_lock(&node->queue_lock);
	}
	mesh->claims--;
	mesh->running = true;
	spin_unlock(&node->queue_lock);
}

void kohaku_mesh_release(struct kohaku_mesh *mesh)
{
	spin_lock(&mesh->node->queue_lock);
	mesh->running = false;
	kohaku_mesh_kick(mesh);
	spin_unlock(&mesh->node->queue_lock);
}
