// SPDX-License-Identifier: GPL-2.0
/*
 * The host's way to staging where its own accesses do not reach it: the mover
 * carries the bytes to DRAM or from there.
 */
#include <linux/sched/signal.h>
#include <linux/sizes.h>

#include "core.h"

#define KOHAKU_CARRY_SIZE SZ_256K	/* bytes that are in DRAM at a time */

static struct kohaku_move kohaku_carry_move(u64 src, u64 dst, u64 size)
{
	const struct kohaku_walker walker = {
		.ndim = 1,
		.dims = { { .stride = KOHAKU_WORD, .count = size / KOHAKU_WORD } },
	};
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_COPY,
		.flags = KOHAKU_MOVE_COALESCE,
		.src = walker,
		.dst = walker,
	};

	move.src.offset = src;
	move.dst.offset = dst;
	return move;
}

static int kohaku_carry_word(struct kohaku_mesh *mesh, u64 src, u64 dst)
{
	struct kohaku_move move = kohaku_carry_move(0, 0, KOHAKU_WORD);

	kohaku_move_encode(&move, src, dst, 0, &mesh->carry);
	return kohaku_program_run(mesh, &mesh->carry);
}

/* Reads or writes a word of any memory of a mesh; the caller is its runner. */
int kohaku_word_io(struct kohaku_mesh *mesh, u64 addr, void *word, bool write)
{
	struct kohaku_node *node = mesh->node;
	int ret;

	if (!(addr & KOHAKU_ADDR_ONCHIP) || !node->ops->staging_by_mover)
		return kohaku_mem(node, addr, word, KOHAKU_WORD, write);
	if (!write) {
		ret = kohaku_carry_word(mesh, addr, mesh->scratch);
		return ret ? ret : kohaku_mem(node, mesh->scratch, word, KOHAKU_WORD, false);
	}
	ret = kohaku_mem(node, mesh->scratch, word, KOHAKU_WORD, true);
	return ret ? ret : kohaku_carry_word(mesh, mesh->scratch, addr);
}

/* Moves size bytes between offset in staging and the start of DRAM, as a job. */
static int kohaku_carry_run(struct kohaku_file *file, struct kohaku_buffer *staging, u64 offset,
			    struct kohaku_buffer *dram, u64 size, bool write)
{
	struct kohaku_task task = {
		.op = { .opcode = KOHAKU_OP_CARRY, .mesh = staging->mesh->index },
		.src = write ? dram : staging,
		.dst = write ? staging : dram,
	};

	task.op.move = write ? kohaku_carry_move(0, offset, size) :
			       kohaku_carry_move(offset, 0, size);
	return kohaku_task_run(file, &task);
}

static int kohaku_carry_part(struct kohaku_file *file, struct kohaku_buffer *staging, u64 offset,
			     struct kohaku_buffer *dram, u64 data, u64 size, bool write)
{
	int ret;

	if (!write) {
		ret = kohaku_carry_run(file, staging, offset, dram, size, false);
		return ret ? ret : kohaku_io(file, dram->region.addr, data, size, false);
	}
	ret = kohaku_io(file, dram->region.addr, data, size, true);
	return ret ? ret : kohaku_carry_run(file, staging, offset, dram, size, true);
}

/* BUF_READ and BUF_WRITE of a buffer in staging; the request has been checked. */
int kohaku_carry_io(struct kohaku_file *file, struct kohaku_buffer *buffer,
		    const struct kohaku_buf_io *io, bool write)
{
	const struct kohaku_buf_alloc alloc = {
		.mesh = buffer->mesh->index,
		.tier = KOHAKU_TIER_DRAM,
		.length = min_t(u64, io->length, KOHAKU_CARRY_SIZE),
	};
	struct kohaku_buffer *dram;
	u64 done, part;
	int ret = 0;

	if (!io->length)
		return 0;
	dram = kohaku_buffer_new(file, &alloc);
	if (IS_ERR(dram))
		return PTR_ERR(dram);
	for (done = 0; !ret && done < io->length; done += part) {
		part = min_t(u64, io->length - done, KOHAKU_CARRY_SIZE);
		ret = fatal_signal_pending(current) ? -EINTR :
		      kohaku_carry_part(file, buffer, io->offset + done, dram,
					io->data + done, part, write);
	}
	kohaku_buffer_put(dram);
	return ret;
}
