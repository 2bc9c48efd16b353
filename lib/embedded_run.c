// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One operation on the embedded node: plant, program, poll, look.
 */
#include <errno.h>
#include <sched.h>
#include <time.h>

#include "embedded.h"
#include "hw/op.h"

/* Polls that a move of all of DRAM takes at most. */
#define BUSY_POLLS (KOHAKU_DRAM_SIZE / KOHAKU_WORD / SIM_POLL_WORDS)

/* The word that VERIFY marks, and what was there. */
struct mark {
	u64 addr;
	u8 sentinel[KOHAKU_WORD];
	u8 overwritten[KOHAKU_WORD];
};

u64 embedded_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
}

static int plant(struct embedded *node, u64 addr, struct mark *mark)
{
	int err;

	mark->addr = embedded_host_address(addr);
	kohaku_op_sentinel(embedded_now(), mark->sentinel);
	err = sim_mem_read(node->node, mark->addr, mark->overwritten, KOHAKU_WORD);
	if (!err)
		err = sim_mem_write(node->node, mark->addr, mark->sentinel, KOHAKU_WORD);
	return err;
}

/* Takes the mark away if it is still there; that is what *left says. */
static int unplant(struct embedded *node, const struct mark *mark, bool *left)
{
	u8 word[KOHAKU_WORD];
	int err = sim_mem_read(node->node, mark->addr, word, KOHAKU_WORD);

	*left = !err && !memcmp(word, mark->sentinel, KOHAKU_WORD);
	if (*left)
		err = sim_mem_write(node->node, mark->addr, mark->overwritten, KOHAKU_WORD);
	return err;
}

/* Where a gather finds its row numbers. */
static int write_indices(struct embedded *node, const struct embedded_task *task, u64 addr)
{
	if (!task->indices)
		return 0;
	return sim_mem_write(node->node, embedded_host_address(addr), task->indices,
			     embedded_index_bytes(task->op.move.index_count));
}

/* Runs node->program on a mesh until all it wrote has landed on mesh far. */
static int run_program(struct embedded *node, u32 mesh, u32 far, u64 timeout_ns, u32 *fault)
{
	u64 deadline = embedded_now() + timeout_ns;
	struct kohaku_exec exec;
	u32 polls = 0;
	int err = kohaku_exec_start(&exec, &node->bus, mesh, &node->program);

	if (err)
		return err;
	kohaku_exec_land(&exec, far);
	/* Polling is what advances the model; one that hangs leaves the CPU to others. */
	while ((err = kohaku_exec_poll(&exec, fault)) == -EINPROGRESS) {
		if (embedded_now() < deadline) {
			if (++polls > BUSY_POLLS)
				sched_yield();
			continue;
		}
		embedded_mesh_reset(node, mesh);
		*fault = KOHAKU_FAULT_TIMEOUT;
		return -ETIMEDOUT;
	}
	if (err)
		return err;
	return *fault ? -EIO : 0;
}

static int run_move(struct embedded *node, struct embedded_task *task, u64 timeout_ns, u32 *fault)
{
	u32 mesh = task->op.mesh;
	u64 indices = KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) + node->mesh[mesh].indices.start;

	if (write_indices(node, task, indices)) {
		*fault = KOHAKU_FAULT_MEMORY;
		return -EIO;
	}
	kohaku_move_encode(&task->op.move, task->src.addr, task->dst.addr, indices,
			   &node->program);
	return run_program(node, mesh, KOHAKU_GET(KOHAKU_ADDR_MESH, task->dst.addr), timeout_ns,
			   fault);
}

static int run_verified(struct embedded *node, struct embedded_task *task, u64 addr,
			u64 timeout_ns, u32 *fault)
{
	struct mark mark;
	bool left;
	int status;

	if (plant(node, addr, &mark)) {
		*fault = KOHAKU_FAULT_MEMORY;
		return -EIO;
	}
	status = run_move(node, task, timeout_ns, fault);
	if (unplant(node, &mark, &left) && !status) {
		*fault = KOHAKU_FAULT_MEMORY;
		return -EIO;
	}
	if (left && !status) {
		*fault = KOHAKU_FAULT_NO_MOTION;
		return -EIO;
	}
	return status;
}

int embedded_run(struct embedded *node, struct embedded_task *task, u64 timeout_ns, u32 *fault)
{
	u64 addr;

	*fault = KOHAKU_FAULT_NONE;
	node->program.length = 0;
	if (task->op.opcode == KOHAKU_OP_SLOT_LOAD)
		embedded_slot_load(node, task);
	if (task->op.opcode == KOHAKU_OP_RELAYOUT)
		return embedded_relayout_run(node, task, timeout_ns, fault);
	if (task->op.opcode != KOHAKU_OP_MOVE)
		return 0;
	if (kohaku_op_verifies(&task->op, task->dst.addr, &task->facts, &addr))
		return run_verified(node, task, addr, timeout_ns, fault);
	return run_move(node, task, timeout_ns, fault);
}
