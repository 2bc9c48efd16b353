// SPDX-License-Identifier: GPL-2.0
/*
 * One operation on one mesh: what its runner does to start it and to see it end.
 */
#include <linux/ktime.h>
#include <linux/random.h>
#include <linux/sizes.h>

#include "core.h"

#define KOHAKU_ZERO_STEP SZ_64M

static bool kohaku_task_verifies(const struct kohaku_task *task, u64 *addr)
{
	return kohaku_op_verifies(&task->op, task->dst->region.addr, &task->facts, addr);
}

/* Puts the sentinel in the last word and keeps what was there. */
static int kohaku_verify_plant(struct kohaku_mesh *mesh, u64 addr)
{
	int ret;

	kohaku_op_sentinel(get_random_u64(), mesh->sentinel);
	ret = kohaku_word_io(mesh, addr, mesh->overwritten, false);
	if (ret)
		return ret;
	return kohaku_word_io(mesh, addr, mesh->sentinel, true);
}

/*
 * Looks whether the sentinel is gone.  If it is still there the word was not
 * written, so it gets back what it held.
 */
static int kohaku_verify_check(struct kohaku_mesh *mesh, u64 addr, u32 *fault)
{
	u8 word[KOHAKU_WORD];
	int ret;

	ret = kohaku_word_io(mesh, addr, word, false);
	if (ret || memcmp(word, mesh->sentinel, KOHAKU_WORD))
		return ret;
	if (*fault == KOHAKU_FAULT_NONE)
		*fault = KOHAKU_FAULT_NO_MOTION;
	return kohaku_word_io(mesh, addr, mesh->overwritten, true);
}

/* A large buffer is zeroed in steps, each of which has the job's time. */
static int kohaku_zero_next(struct kohaku_mesh *mesh, const struct kohaku_task *task)
{
	const struct kohaku_region *region = &task->dst->region;
	u64 size = min_t(u64, region->size - mesh->zeroed, KOHAKU_ZERO_STEP);

	mesh->deadline = ktime_get_ns() + mesh->strand->job->timeout_ns;
	mesh->zeroed += kohaku_zero_encode(region->addr + mesh->zeroed, size, &mesh->program);
	return kohaku_exec_start(&mesh->exec, &mesh->node->bus, mesh->index, &mesh->program);
}

static int kohaku_move_start(struct kohaku_mesh *mesh, const struct kohaku_task *task)
{
	const struct kohaku_move *move = &task->op.move;
	int ret = 0;
	u64 addr;

	if (kohaku_task_verifies(task, &addr))
		ret = kohaku_verify_plant(mesh, addr);
	if (!ret && task->indices)
		ret = kohaku_mem(mesh->node, mesh->indices, task->indices,
				 round_up(move->index_count * sizeof(u32), KOHAKU_WORD), true);
	if (ret)
		return ret;
	if (move->mode == KOHAKU_MOVE_XFORM)
		kohaku_slot_apply(mesh, task);
	kohaku_move_encode(move, task->src ? task->src->region.addr : 0, task->dst->region.addr,
			   mesh->indices, &mesh->program);
	ret = kohaku_exec_start(&mesh->exec, &mesh->node->bus, mesh->index, &mesh->program);
	if (!ret)
		kohaku_exec_land(&mesh->exec, task->dst->mesh->index);
	return ret;
}

/* Starts an operation; 1 when there is nothing to wait for. */
int kohaku_task_start(struct kohaku_mesh *mesh, struct kohaku_task *task)
{
	struct kohaku_node *node = mesh->node;

	/* A fault record shows it, and what ran before was somebody else's. */
	mesh->program.length = 0;
	if (kohaku_injected())
		return -EIO;
	if (task->op.opcode == KOHAKU_OP_MARKER)
		return 1;
	if (task->op.opcode == KOHAKU_OP_SLOT_LOAD) {
		kohaku_slot_load(mesh, task);
		return 1;
	}
	if (task->op.opcode == KOHAKU_OP_TRANSFER)
		return kohaku_transfer_start(mesh, task);
	if (node->ops->counters)
		node->ops->counters(node->backend, mesh->index, &mesh->before);
	if (task->op.opcode == KOHAKU_OP_RELAYOUT)
		return kohaku_relayout_start(mesh, task);
	if (task->op.opcode != KOHAKU_OP_ZERO)
		return kohaku_move_start(mesh, task);
	mesh->zeroed = 0;
	return kohaku_zero_next(mesh, task);
}

/* -EINPROGRESS while it runs; 0 and a fault code once it has ended. */
int kohaku_task_poll(struct kohaku_mesh *mesh, struct kohaku_task *task, u32 *fault)
{
	u64 addr;
	int ret;

	if (task->op.opcode == KOHAKU_OP_TRANSFER)
		return kohaku_transfer_poll(mesh, fault);
	if (task->op.opcode == KOHAKU_OP_RELAYOUT)
		return kohaku_dispatch_poll(&mesh->dispatch, fault);
	ret = kohaku_exec_poll(&mesh->exec, fault);
	if (ret)
		return ret;
	if (task->op.opcode == KOHAKU_OP_ZERO) {
		if (*fault || mesh->zeroed == task->dst->region.size)
			return 0;
		ret = kohaku_zero_next(mesh, task);
		return ret ? ret : -EINPROGRESS;
	}
	return kohaku_task_verifies(task, &addr) ? kohaku_verify_check(mesh, addr, fault) : 0;
}

/* What is in flight is given up: afterwards nothing of it goes on. */
void kohaku_task_abandon(struct kohaku_mesh *mesh, const struct kohaku_task *task)
{
	if (task->op.opcode == KOHAKU_OP_TRANSFER)
		kohaku_transfer_stop(mesh);
	else
		kohaku_mesh_recover(mesh);
}

/* The words that an operation has written, where there are no counters to tell. */
static u64 kohaku_task_words(const struct kohaku_task *task, int status, u32 fault)
{
	struct kohaku_element element;
	u64 words;

	if (!status)
		return task->facts.words;
	/* This fault alone comes at a known place, after all that is before it. */
	if (fault == KOHAKU_FAULT_ALIGN && task->op.opcode == KOHAKU_OP_MOVE &&
	    kohaku_move_misaligned(&task->op.move, task->dst->region.addr, KOHAKU_LOCATE_LIMIT,
				   &element, &words))
		return words;
	return 0;
}

/* What the operation did on the bus; without counters no more than its words. */
void kohaku_task_traffic(struct kohaku_mesh *mesh, const struct kohaku_task *task, int status,
			 u32 fault, struct kohaku_counters *traffic)
{
	const struct kohaku_counters *before = &mesh->before;
	struct kohaku_node *node = mesh->node;

	memset(traffic, 0, sizeof(*traffic));
	if ((task->op.opcode != KOHAKU_OP_MOVE && task->op.opcode != KOHAKU_OP_RELAYOUT) ||
	    READ_ONCE(node->gone))
		return;
	if (!node->ops->counters) {
		traffic->write_beats = kohaku_task_words(task, status, fault);
		return;
	}
	node->ops->counters(node->backend, mesh->index, traffic);
	traffic->read_bursts -= before->read_bursts;
	traffic->read_beats -= before->read_beats;
	traffic->write_bursts -= before->write_bursts;
	traffic->write_beats -= before->write_beats;
	traffic->cycles -= before->cycles;
}
