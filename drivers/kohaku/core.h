/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The driver core's own structures.
 *
 * Who holds whom: a file holds its node, a job holds its file and uses the
 * buffers it names, a mapping holds its buffer and its file.  A node knows its
 * files only as a list, to wake and to revoke them.
 *
 * Lock order: node->files_lock -> buffer->map_lock -> node->memory_lock ->
 * node->queue_lock.  mmap_lock comes before buffer->map_lock; no lock is held
 * while user memory is touched.
 */
#ifndef KOHAKU_CORE_H
#define KOHAKU_CORE_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/srcu.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <linux/kohaku.h>

#include "backend.h"
#include "compat.h"
#include "hw/arena.h"
#include "hw/argument.h"
#include "hw/command.h"
#include "hw/dispatch.h"
#include "hw/limits.h"
#include "hw/op.h"
#include "hw/slot.h"

#define KOHAKU_SPIN_NS		(100 * NSEC_PER_USEC)
/* Elements that are walked at most to find out where a move stopped. */
#define KOHAKU_LOCATE_LIMIT	(1U << 20)
#define KOHAKU_FAULT_CODES	64

struct kohaku_fabric;
struct kohaku_job;
struct kohaku_pinned;
struct seq_file;

/* One of the two memories of a mesh. */
struct kohaku_memory {
	struct kohaku_arena arena;
	u64 base;		/* 40-bit address of offset 0 */
};

/* The part of a job that runs on one mesh. */
struct kohaku_strand {
	struct list_head link;		/* mesh->queue */
	struct kohaku_job *job;
	u32 next;			/* first operation here that is not done */
};

struct kohaku_mesh {
	struct kobject kobj;		/* mesh<index> in sysfs */
	struct dentry *debugfs;
	struct kohaku_node *node;
	u32 index;
	struct kohaku_memory memory[2];	/* by tier - 1; under memory_lock */
	u64 fallbacks;			/* likewise */
	struct kohaku_block scratch_block; /* the driver's own DRAM */
	u64 scratch;			/* two words of the self-test */
	u64 indices;			/* room for the indices of a gather */

	/* Under queue_lock. */
	struct list_head queue;		/* of strands, program order */
	bool running;			/* somebody is the runner of this mesh */
	u32 claims;			/* who waits to be it, before any strand */
	bool wedged;
	u32 last_fault;
	u64 faults[KOHAKU_FAULT_CODES];
	u64 done;			/* moves that ended well */

	/* The runner's alone. */
	struct work_struct work;
	struct kohaku_exec exec;
	struct kohaku_program program;	/* the last one that ran */
	struct kohaku_vector_program relayout;	/* likewise, of the vector core */
	struct kohaku_dispatch dispatch;	/* and how far it got */
	struct kohaku_counters before;
	struct kohaku_strand *strand;	/* whose operation is in flight */
	u64 deadline;			/* of that operation, ns */
	u64 palette;			/* id of the file whose table is loaded, 0: none */
	u64 zeroed;			/* bytes of a fresh buffer done so far */
	struct kohaku_program carry;	/* of a word to or from staging */
	struct kohaku_fault_read fault;	/* being written: much for a stack */
	u8 sentinel[KOHAKU_WORD_SIZE];	/* what VERIFY wrote */
	u8 overwritten[KOHAKU_WORD_SIZE]; /* and where it did, what was there */
};

/* How much of a node a user may have; read and written without a lock. */
struct kohaku_limits {
	u64 bytes[2];		/* on each mesh, by tier - 1 */
	u32 files;
	u32 jobs;
};

/* All that the files of one user have of a node; there as long as they are. */
struct kohaku_user {
	struct list_head link;			/* node->users */
	kuid_t uid;
	u32 files;				/* under memory_lock */
	u64 bytes[KOHAKU_MAX_MESHES][2];	/* likewise, by tier - 1 */
	u32 jobs;				/* outstanding; under queue_lock */
};

/*
 * gone is set once and read under srcu: whoever is inside a read-side section
 * and saw it clear may call the backend.
 */
struct kohaku_node {
	struct device dev;
	struct cdev cdev;
	int index;
	const struct kohaku_backend_ops *ops;
	void *backend;
	struct kohaku_bus bus;
	struct srcu_struct srcu;
	bool gone;
	struct work_struct lost_work;	/* the device stopped answering */

	struct mutex files_lock;	/* files */
	struct list_head files;
	struct mutex memory_lock;	/* memory of the meshes, buffers of files, users */
	struct list_head users;
	struct kohaku_limits limits;
	spinlock_t queue_lock;		/* queues of the meshes, jobs of files */
	struct workqueue_struct *workqueue;
	struct inode *inode;		/* the address space of all mappings */
	atomic64_t map_next;		/* next free offset for mmap() */
	atomic64_t file_next;		/* last id given to a file */
	u16 palette[KOHAKU_PALETTE_SIZE]; /* what the hardware comes up with */
	struct dentry *debugfs;

	atomic64_t buffers;
	atomic64_t bytes[2];		/* by tier - 1 */
	atomic64_t jobs;

	u64 caps;			/* the backend's, and what was found out */
	struct kohaku_node_config config;
	struct kohaku_mesh mesh[KOHAKU_MAX_MESHES];
};

/*
 * users counts the owner and everything that reads or writes the memory: at 0
 * the memory is given back.  The struct itself lives on for mappings.
 */
struct kohaku_buffer {
	struct kref ref;
	atomic_t users;
	struct kohaku_node *node;
	struct kohaku_user *user;	/* who pays; until the memory is given back */
	struct kohaku_mesh *mesh;
	u32 tier;
	u32 id;
	struct kohaku_block block;
	struct kohaku_region region;
	u64 map_offset;			/* bytes, 0: cannot be mapped */
	struct mutex map_lock;		/* what follows */
	bool unmapped;			/* faults raise SIGBUS */
};

/* One open file. */
struct kohaku_file {
	struct kref ref;
	struct kohaku_node *node;
	struct kohaku_user *user;
	bool unlimited;			/* of a user who may have all of the node */
	struct list_head link;		/* node->files */
	struct xarray buffers;
	atomic_t buffer_count;

	/* Under node->queue_lock. */
	u64 id;				/* of the file, never used again */
	bool stale;			/* somebody else reset the node */
	bool closed;
	u64 last_job;
	u32 outstanding;
	struct list_head jobs;		/* outstanding, oldest first */
	struct list_head done;		/* asynchronous and not collected */
	struct list_head pool;		/* jobs to use again */
	u32 pooled;
	struct eventfd_ctx *eventfd;
	struct kohaku_fault_read fault;	/* the last one; out_code 0: none */
	u16 *palettes[KOHAKU_MAX_MESHES]; /* made by the first SLOT_LOAD */
	struct kohaku_fabric *fabric;	/* made by its first use, then there to stay */
	struct kohaku_pinned *pinned;	/* room for the next transfer; by xchg() */

	wait_queue_head_t wait;
};

/* Operations of the driver itself; user space cannot name them. */
#define KOHAKU_OP_ZERO	0
#define KOHAKU_OP_CARRY	U16_MAX	/* a plain move between staging and DRAM */

/* One operation, checked and with its buffers in use. */
struct kohaku_task {
	struct kohaku_op op;
	struct kohaku_buffer *src, *dst;
	u32 *indices;			/* GATHER, RELAYOUT: a copy of the caller's array */
	u16 *values;			/* SLOT_LOAD: likewise */
	struct fabric_op *insns;	/* TRANSFER: the checked program */
	struct kohaku_move_facts facts;
};

enum kohaku_job_state { KOHAKU_JOB_BUILDING, KOHAKU_JOB_RUNNING, KOHAKU_JOB_DONE };

struct kohaku_job {
	struct kref ref;
	struct kohaku_file *file;
	struct list_head link;		/* file->jobs or file->pool */
	struct list_head done_link;	/* file->done, or on its way there */
	u64 timeout_ns;

	/* Under node->queue_lock. */
	enum kohaku_job_state state;
	bool async;
	bool abandon;			/* do not wait for what is in flight either */
	u32 waiters;
	u32 strands_left;
	struct list_head parked;	/* WAITs of io_uring */
	u64 started;
	struct kohaku_completion completion;
	struct kohaku_strand strands[KOHAKU_MAX_MESHES];

	u32 count;
	u32 capacity;
	struct kohaku_task tasks[];
};

/* Once true the completion of the job does not change any more. */
static inline bool kohaku_job_is_done(const struct kohaku_job *job)
{
	/* Pairs with kohaku_job_done(). */
	return smp_load_acquire(&job->state) == KOHAKU_JOB_DONE;
}

/* A read-side section of node->srcu in which the backend may be called. */
struct kohaku_guard {
	struct srcu_struct *srcu;
	int index;
	bool alive;
};

static inline struct kohaku_guard kohaku_enter(struct kohaku_node *node)
{
	struct kohaku_guard guard = { .srcu = &node->srcu };

	guard.index = srcu_read_lock(guard.srcu);
	guard.alive = !READ_ONCE(node->gone);
	return guard;
}

static inline void kohaku_leave(struct kohaku_guard guard)
{
	srcu_read_unlock(guard.srcu, guard.index);
}

/* main.c */
extern struct class kohaku_class;
int kohaku_devt(int index, dev_t *devt);

/* node.c */
void kohaku_node_lost(struct kohaku_node *node);
bool kohaku_node_wedged(struct kohaku_node *node);
void kohaku_node_wedge(struct kohaku_node *node);

/* bringup.c */
int kohaku_mesh_self_test(struct kohaku_mesh *mesh);
int kohaku_mesh_recover(struct kohaku_mesh *mesh);
int kohaku_program_run(struct kohaku_mesh *mesh, const struct kohaku_program *program);

/* file.c */
extern const struct file_operations kohaku_fops;
void kohaku_file_put(struct kohaku_file *file);
void kohaku_file_revoke(struct kohaku_file *file);

/*
 * One command on its way.  A reply is copied out when the command succeeds;
 * commands that must know it arrived before they go on call kohaku_reply().
 */
struct kohaku_call {
	struct kohaku_file *file;
	const struct kohaku_command *command;
	void __user *user;
	u32 user_size;
	union kohaku_command_arg arg;
};

/* ioctl.c */
long kohaku_ioctl(struct file *filp, unsigned int cmd, unsigned long arg);
int kohaku_call_take(struct kohaku_call *call);
int kohaku_call_run(struct kohaku_call *call);
int kohaku_reply(struct kohaku_call *call);
int kohaku_check_alive(struct kohaku_file *file);

/* uring.c */
int kohaku_uring_cmd(struct io_uring_cmd *cmd, unsigned int issue_flags);
void kohaku_parked_wake(struct kohaku_job *job);

/* info.c, buffer.c, io.c, submit.c, completion.c, fault.c, reset.c: the commands */
int kohaku_info(struct kohaku_call *call);
int kohaku_probe(struct kohaku_call *call);
int kohaku_buf_alloc(struct kohaku_call *call);
int kohaku_buf_free(struct kohaku_call *call);
int kohaku_buf_io(struct kohaku_call *call);
int kohaku_submit(struct kohaku_call *call);
int kohaku_wait(struct kohaku_call *call);
int kohaku_eventfd(struct kohaku_call *call);
int kohaku_fault_read(struct kohaku_call *call);
int kohaku_slot_query_run(struct kohaku_call *call);
int kohaku_reset(struct kohaku_call *call);

/* buffer.c */
struct kohaku_buffer *kohaku_buffer_get(struct kohaku_file *file, u32 id);
void kohaku_buffer_put(struct kohaku_buffer *buffer);
void kohaku_buffer_release(struct kref *ref);
void kohaku_buffers_free(struct kohaku_file *file);
struct kohaku_buffer *kohaku_buffer_new(struct kohaku_file *file,
					const struct kohaku_buf_alloc *alloc);
void kohaku_memory_init(struct kohaku_mesh *mesh);

/* inject.c */
bool kohaku_injected(void);
void kohaku_inject_init(struct dentry *dir);

/* io.c */
int kohaku_mem(struct kohaku_node *node, u64 addr, void *bytes, size_t size, bool write);
int kohaku_io(struct kohaku_file *file, u64 addr, u64 data, u64 length, bool write);
void kohaku_pinned_free(struct kohaku_file *file);

/* carry.c */
int kohaku_word_io(struct kohaku_mesh *mesh, u64 addr, void *word, bool write);
int kohaku_carry_io(struct kohaku_file *file, struct kohaku_buffer *buffer,
		    const struct kohaku_buf_io *io, bool write);

/* map.c */
int kohaku_map_init(void);
void kohaku_map_exit(void);
struct inode *kohaku_map_inode(void);
int kohaku_mmap(struct file *filp, struct vm_area_struct *vma);
void kohaku_unmap(struct kohaku_buffer *buffer);
void kohaku_unmap_all(struct kohaku_node *node);

/* job.c */
struct kohaku_job *kohaku_job_new(struct kohaku_file *file, u32 count);
void kohaku_job_put(struct kohaku_job *job);
void kohaku_job_drop_buffers(struct kohaku_job *job);
void kohaku_jobs_drop(struct kohaku_file *file);

/* queue.c */
int kohaku_queue_add(struct kohaku_job *job);
void kohaku_queue_work(struct work_struct *work);
void kohaku_queue_cancel(struct kohaku_node *node, struct kohaku_file *file, int status);
void kohaku_mesh_acquire(struct kohaku_mesh *mesh);
void kohaku_mesh_release(struct kohaku_mesh *mesh);

/* operation.c */
int kohaku_task_start(struct kohaku_mesh *mesh, struct kohaku_task *task);
int kohaku_task_poll(struct kohaku_mesh *mesh, struct kohaku_task *task, u32 *fault);
void kohaku_task_abandon(struct kohaku_mesh *mesh, const struct kohaku_task *task);
void kohaku_task_traffic(struct kohaku_mesh *mesh, const struct kohaku_task *task, int status,
			 u32 fault, struct kohaku_counters *traffic);

/* submit.c */
int kohaku_zero_run(struct kohaku_file *file, struct kohaku_buffer *buffer);
int kohaku_task_run(struct kohaku_file *file, const struct kohaku_task *task);

/* completion.c */
int kohaku_job_admit(struct kohaku_job *job);
void kohaku_job_collect(struct kohaku_job *job);
void kohaku_job_done(struct kohaku_job *job);
struct kohaku_job *kohaku_wait_begin(struct kohaku_file *file, u64 id);
ktime_t kohaku_wait_left(u64 deadline);
int kohaku_wait_finish(struct kohaku_call *call, struct kohaku_job *job, int early);
void kohaku_wait_leave(struct kohaku_job *job);
struct kohaku_job *kohaku_done_first(struct kohaku_file *file);
ssize_t kohaku_read(struct file *filp, char __user *to, size_t size, loff_t *pos);

/* fault.c */
void kohaku_fault_record(struct kohaku_mesh *mesh, u32 code, u64 words);

/* relayout.c */
int kohaku_relayout_prepare(struct kohaku_file *file, struct kohaku_task *task);
int kohaku_relayout_start(struct kohaku_mesh *mesh, const struct kohaku_task *task);

/* slot.c */
int kohaku_slot_prepare(struct kohaku_file *file, struct kohaku_task *task);
void kohaku_slot_load(struct kohaku_mesh *mesh, struct kohaku_task *task);
void kohaku_slot_apply(struct kohaku_mesh *mesh, const struct kohaku_task *task);
void kohaku_slot_free(struct kohaku_file *file);

/* fabric.c */
struct kohaku_fabric *kohaku_fabric_get(struct kohaku_file *file);
void kohaku_fabric_free(struct kohaku_file *file);
struct fabric_session *kohaku_fabric_lock(struct kohaku_fabric *fabric);
void kohaku_fabric_unlock(struct kohaku_fabric *fabric);
int kohaku_fabric_query(struct kohaku_call *call);
int kohaku_fabric_map(struct kohaku_call *call);
int kohaku_fabric_unmap(struct kohaku_call *call);
int kohaku_fabric_layout(struct kohaku_call *call);
int kohaku_fabric_io(struct kohaku_call *call);
int kohaku_fabric_results(struct kohaku_call *call);
int kohaku_fabric_trace(struct kohaku_call *call);

/* fabric_show.c */
int kohaku_fabric_show(struct seq_file *seq, struct kohaku_node *node);

/* transfer.c */
int kohaku_transfer_prepare(struct kohaku_file *file, struct kohaku_task *task, u32 *part);
int kohaku_transfer_start(struct kohaku_mesh *mesh, struct kohaku_task *task);
int kohaku_transfer_poll(struct kohaku_mesh *mesh, u32 *fault);
void kohaku_transfer_stop(struct kohaku_mesh *mesh);
void kohaku_transfer_locate_fault(struct kohaku_mesh *mesh, struct kohaku_fault_read *record);

/* user.c */
void kohaku_users_init(struct kohaku_node *node);
int kohaku_user_join(struct kohaku_file *file);
void kohaku_user_leave(struct kohaku_file *file);
int kohaku_user_charge_locked(struct kohaku_file *file, u32 mesh, u32 tier, u64 size);
void kohaku_user_uncharge_locked(struct kohaku_buffer *buffer);
bool kohaku_user_has_jobs_left(const struct kohaku_file *file);
void kohaku_users_show(struct seq_file *seq, struct kohaku_node *node);

/* sysfs.c, debugfs.c */
extern const struct attribute_group *kohaku_node_groups[];
int kohaku_sysfs_add(struct kohaku_node *node);
void kohaku_sysfs_remove(struct kohaku_node *node, u32 count);
void kohaku_debugfs_init(void);
void kohaku_debugfs_exit(void);
void kohaku_debugfs_add(struct kohaku_node *node);
void kohaku_debugfs_remove(struct kohaku_node *node);

#endif
