// SPDX-License-Identifier: GPL-2.0
/*
 * Proof that a mesh does what it says: before it is offered, and after a reset.
 *
 * A card of the pre-strobe kind takes register writes, reports moves as done and
 * moves nothing.  Only a look at memory tells.
 */
#include <linux/ktime.h>
#include <linux/sched.h>

#include "core.h"

#define KOHAKU_SELF_TEST_NS	NSEC_PER_SEC
#define KOHAKU_SELF_TEST_WORD	0x4b6f6861u

/* Runs a short program and waits; the caller is the mesh's runner. */
int kohaku_program_run(struct kohaku_mesh *mesh, const struct kohaku_program *program)
{
	u64 deadline = ktime_get_ns() + KOHAKU_SELF_TEST_NS;
	u32 fault;
	int ret;

	ret = kohaku_exec_start(&mesh->exec, &mesh->node->bus, mesh->index, program);
	while (!ret) {
		ret = kohaku_exec_poll(&mesh->exec, &fault);
		if (ret != -EINPROGRESS)
			return ret ? ret : fault ? -EIO : 0;
		ret = ktime_get_ns() < deadline ? 0 : -ETIMEDOUT;
		cond_resched();
	}
	return ret;
}

static const struct kohaku_walker kohaku_one_word = { .ndim = 1, .dims = { { .count = 1 } } };

static int kohaku_self_test_move(struct kohaku_mesh *mesh, u16 mode, u64 src, u64 dst)
{
	struct kohaku_move move = {
		.mode = mode,
		.width = mode == KOHAKU_MOVE_FILL ? 2 : 0,
		.imm = mode == KOHAKU_MOVE_FILL ? KOHAKU_SELF_TEST_WORD : 0,
		.src = kohaku_one_word,
		.dst = kohaku_one_word,
	};

	kohaku_move_encode(&move, src, dst, 0, &mesh->program);
	return kohaku_program_run(mesh, &mesh->program);
}

/* Fills one scratch word, copies it to the next, and reads that back. */
int kohaku_mesh_self_test(struct kohaku_mesh *mesh)
{
	u64 from = mesh->scratch, to = mesh->scratch + KOHAKU_WORD;
	u32 words[2 * KOHAKU_WORD / sizeof(u32)] = { 0 };
	u32 i;
	int ret;

	/* Written first: memory that never was may answer an error. */
	ret = kohaku_mem(mesh->node, from, words, sizeof(words), true);
	if (!ret)
		ret = kohaku_self_test_move(mesh, KOHAKU_MOVE_FILL, 0, from);
	if (!ret)
		ret = kohaku_self_test_move(mesh, KOHAKU_MOVE_COPY, from, to);
	if (!ret)
		ret = kohaku_mem(mesh->node, from, words, sizeof(words), false);
	for (i = 0; !ret && i < ARRAY_SIZE(words); i++) {
		if (words[i] != KOHAKU_SELF_TEST_WORD)
			ret = -EIO;
	}
	return ret;
}

/*
 * Resets a mesh that hung or whose operation was given up.  If it does not come
 * back it is wedged and refuses work.  The caller is its runner.
 */
int kohaku_mesh_recover(struct kohaku_mesh *mesh)
{
	struct kohaku_node *node = mesh->node;
	int ret = -ENODEV;

	if (!READ_ONCE(node->gone))
		ret = node->ops->reset(node->backend, mesh->index);
	if (!ret)
		ret = kohaku_mesh_self_test(mesh);
	spin_lock(&node->queue_lock);
	mesh->wedged = ret;
	mesh->palette = 0;
	spin_unlock(&node->queue_lock);
	return ret ? -EIO : 0;
}
