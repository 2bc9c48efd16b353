/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The embedded node: the driver's protocol code over the model, in this process.
 *
 * It answers the commands of <linux/kohaku.h> like the driver.  Jobs run inside
 * SUBMIT, so an asynchronous one is done when SUBMIT returns.
 */
#ifndef KOHAKU_LIB_EMBEDDED_H
#define KOHAKU_LIB_EMBEDDED_H

#include <errno.h>
#include <pthread.h>

#include "hw/arena.h"
#include "hw/command.h"
#include "hw/dispatch.h"
#include "hw/exec.h"
#include "hw/limits.h"
#include "hw/slot.h"
#include "sim/node.h"
#include "sim/transfer/session.h"

#define EMBEDDED_DRAM_GRANULE 4096

struct embedded_buffer {
	struct kohaku_block block;
	u32 id;
	u32 mesh;
	u32 tier;
};

struct embedded_mesh {
	struct kohaku_arena memory[2];	/* by tier - 1 */
	struct kohaku_block indices;	/* where the row numbers of a gather lie */
	u16 palette[KOHAKU_PALETTE_SIZE]; /* what a reset must bring back */
};

/* One operation, checked. */
struct embedded_task {
	struct kohaku_op op;
	struct kohaku_region src, dst;
	struct kohaku_move_facts facts;
	u32 *indices;			/* GATHER, RELAYOUT: a copy of the caller's array */
	u16 *values;			/* SLOT_LOAD: likewise */
	struct fabric_op *insns;	/* TRANSFER: the checked program */
};

struct embedded {
	pthread_mutex_t lock;		/* held by every command */
	struct sim_node *node;
	struct kohaku_bus bus;
	struct sim_config config;
	u64 caps;
	bool ecc;
	struct embedded_mesh mesh[KOHAKU_MESHES_MAX];
	struct embedded_buffer *buffers[KOHAKU_MAX_BUFFERS];	/* by id - 1 */

	struct embedded_task tasks[KOHAKU_MAX_OPS];
	struct kohaku_walk_scratch *scratch;	/* NULL until the first walk that needs it */
	struct kohaku_program program;
	struct kohaku_vector_program relayout;	/* the last one that ran */
	struct kohaku_dispatch dispatch;
	u64 last_job;

	struct kohaku_completion done[KOHAKU_MAX_JOBS];	/* not collected, oldest first */
	u32 done_count;
	int poll_fd;			/* an eventfd: readable while done_count is not 0 */
	int event_fd;			/* our own handle of the user's eventfd, or -1 */

	struct fabric_config fabric_config;
	struct fabric_session fabric;
	bool fabric_made;		/* by its first use */

	struct kohaku_fault_read fault;	/* the last one; out_code 0: none */
	u64 fault_count;
};

/* Row numbers are written to the node's memory in whole words. */
static inline size_t embedded_index_bytes(u32 count)
{
	return (count * sizeof(u32) + KOHAKU_WORD - 1) & ~(size_t)(KOHAKU_WORD - 1);
}

/* User memory is this process's: null alone is known to be no address of any. */
static inline int embedded_fetch(void *to, u64 from, size_t size)
{
	if (size && !from)
		return -EFAULT;
	if (size)
		memcpy(to, (const void *)(uintptr_t)from, size);
	return 0;
}

static inline int embedded_store(u64 to, const void *from, size_t size)
{
	if (size && !to)
		return -EFAULT;
	if (size)
		memcpy((void *)(uintptr_t)to, from, size);
	return 0;
}

/* embedded_buffer.c */
void embedded_memory_init(struct embedded *node);
void embedded_memory_exit(struct embedded *node);
bool embedded_region(const struct embedded *node, u32 id, struct kohaku_region *region);
u64 embedded_host_address(u64 addr);
int embedded_buf_alloc(struct embedded *node, union kohaku_command_arg *arg);
int embedded_buf_free(struct embedded *node, union kohaku_command_arg *arg);
int embedded_buf_read(struct embedded *node, union kohaku_command_arg *arg);
int embedded_buf_write(struct embedded *node, union kohaku_command_arg *arg);

/* embedded_submit.c */
int embedded_submit(struct embedded *node, union kohaku_command_arg *arg);

/* embedded_slot.c */
void embedded_slot_init(struct embedded *node);
int embedded_slot_query(struct embedded *node, union kohaku_command_arg *arg);
int embedded_slot_prepare(struct embedded *node, struct embedded_task *task);
void embedded_slot_load(struct embedded *node, const struct embedded_task *task);
int embedded_entry_words(struct embedded *node, const struct kohaku_op *op, u32 *words);
void embedded_mesh_reset(struct embedded *node, u32 mesh);

/* embedded_fabric.c */
void embedded_fabric_exit(struct embedded *node);
int embedded_fabric_query(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_map(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_unmap(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_layout(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_read(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_write(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_results(struct embedded *node, union kohaku_command_arg *arg);
int embedded_fabric_trace(struct embedded *node, union kohaku_command_arg *arg);
int embedded_transfer_prepare(struct embedded *node, struct embedded_task *task, u32 *part);
int embedded_transfer_run(struct embedded *node, const struct embedded_task *task, u64 job,
			  u32 index, u64 timeout_ns, u32 *fault);

/* embedded_relayout.c: as embedded_run() */
int embedded_relayout_prepare(struct embedded *node, struct embedded_task *task);
int embedded_relayout_run(struct embedded *node, const struct embedded_task *task,
			  u64 timeout_ns, u32 *fault);

/* embedded_run.c: 0, -EIO with *fault, or -ETIMEDOUT with *fault */
int embedded_run(struct embedded *node, struct embedded_task *task, u64 timeout_ns, u32 *fault);
u64 embedded_now(void);

/* embedded_event.c */
void embedded_done_add(struct embedded *node, const struct kohaku_completion *completion);
int embedded_wait(struct embedded *node, union kohaku_command_arg *arg);
int embedded_eventfd(struct embedded *node, union kohaku_command_arg *arg);
u32 embedded_done_take(struct embedded *node, struct kohaku_completion *out, u32 count);

#endif
