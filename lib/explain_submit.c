// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why the node refused a job: the driver's own check, run again on what this
 * process knows of its buffers.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "hw/limits.h"
#include "hw/op.h"
#include "hw/relayout.h"

/* Bytes and mesh are known here, the address is not: any aligned one will do. */
static bool region_of(struct kohaku_device *device, uint32_t id, struct kohaku_region *region)
{
	const struct kohaku_buffer *buffer;

	pthread_mutex_lock(&device->lock);
	buffer = buffer_find(device, id);
	if (buffer)
		*region = (struct kohaku_region){
			.addr = KOHAKU_PUT(KOHAKU_ADDR_MESH, buffer->mesh),
			.size = buffer->length,
		};
	pthread_mutex_unlock(&device->lock);
	return buffer;
}

static int check_move(const struct kohaku_move *move, struct kohaku_move_context *context,
		      struct kohaku_verdict *verdict)
{
	struct kohaku_move_facts facts;
	int err = kohaku_move_check(move, context, &facts, verdict);

	if (err != -ENOBUFS)
		return err;
	context->scratch = malloc(sizeof(*context->scratch));
	if (!context->scratch)
		return 0;
	err = kohaku_move_check(move, context, &facts, verdict);
	free(context->scratch);
	context->scratch = NULL;
	return err;
}

static void describe(uint32_t index, const struct kohaku_verdict *verdict, char *text, size_t size)
{
	static const char *const walkers[] = { "source walker", "destination walker" };
	char where[64] = "";

	if (verdict->walker >= 0 && verdict->dim >= 0)
		snprintf(where, sizeof(where), ", %s, dimension %d", walkers[verdict->walker & 1],
			 verdict->dim);
	else if (verdict->walker >= 0)
		snprintf(where, sizeof(where), ", %s", walkers[verdict->walker & 1]);
	snprintf(text, size, "operation %u%s: %s; nothing ran, correct the descriptor", index,
		 where, kohaku_refusal_text(verdict->refusal));
}

static bool no_buffer(uint32_t index, uint32_t id, char *text, size_t size)
{
	snprintf(text, size, "operation %u: there is no buffer %u; allocate it first", index, id);
	return true;
}

/* Source words of an entry; 0 when nobody is in the slot. */
static uint32_t entry_words(struct kohaku_device *device, const struct kohaku_op *op)
{
	struct kohaku_slot_query query = {
		.size = sizeof(query), .mesh = op->mesh, .occupant = op->move.xform,
	};

	if (op->move.mode != KOHAKU_MOVE_XFORM ||
	    device->backend->command(device, KOHAKU_SLOT_QUERY, &query))
		return 0;
	return query.out_in_words;
}

static bool explain_move(struct kohaku_device *device, const struct kohaku_info *info,
			 const struct kohaku_op *op, uint32_t index, char *text, size_t size)
{
	const struct kohaku_move *move = &op->move;
	struct kohaku_region src = { 0 }, dst;
	struct kohaku_move_context context = {
		.mesh = op->mesh,
		.verify = op->flags & KOHAKU_OP_VERIFY,
		.remote = info->out_caps & KOHAKU_CAP_LINK,
		.entry_beats = entry_words(device, op),
		.src = &src,
		.dst = &dst,
		.indices = (const u32 *)(uintptr_t)move->indices,
	};
	struct kohaku_verdict verdict;

	if (kohaku_move_check_fields(move, &verdict)) {
		describe(index, &verdict, text, size);
		return true;
	}
	if (kohaku_move_has_source(move) && !region_of(device, move->src.buffer, &src))
		return no_buffer(index, move->src.buffer, text, size);
	if (!region_of(device, move->dst.buffer, &dst))
		return no_buffer(index, move->dst.buffer, text, size);
	if (move->mode == KOHAKU_MOVE_GATHER && !context.indices)
		return false;
	if (!check_move(move, &context, &verdict))
		return false;
	describe(index, &verdict, text, size);
	return true;
}

/* What is wrong with a program of the fabric, apart from the operation around it. */
static void explain_transfer(const struct kohaku_info *info, const struct kohaku_op *op,
			     const struct kohaku_submit *submit, char *text, size_t size)
{
	if (!(info->out_caps & KOHAKU_CAP_FABRIC))
		snprintf(text, size, "operation %u: this node has no transfer fabric",
			 submit->out_index);
	else if (op->mesh)
		snprintf(text, size, "operation %u: the fabric is in the queue of mesh 0; name that",
			 submit->out_index);
	else if (op->transfer.count > KOHAKU_MAX_INSNS)
		snprintf(text, size, "operation %u: %u instructions; a program takes %u",
			 submit->out_index, op->transfer.count, KOHAKU_MAX_INSNS);
	else
		snprintf(text, size,
			 "operation %u, instruction %u: a field is unknown, out of range, or not used and not 0; nothing ran",
			 submit->out_index, submit->out_part);
}

/* Where the destination is taken to lie: not where the source is. */
#define ELSEWHERE (1ULL << 35)

static bool explain_relayout(struct kohaku_device *device, const struct kohaku_info *info,
			     const struct kohaku_op *op, uint32_t index, char *text, size_t size)
{
	const struct kohaku_relayout *relayout = &op->relayout;
	struct kohaku_relayout_task task = {
		.relayout = relayout,
		.starts = (const u32 *)(uintptr_t)relayout->starts,
		.mesh = op->mesh,
	};
	const char *why = "a block has no runs, or too many";

	if (!(info->out_caps & KOHAKU_CAP_VECTOR)) {
		snprintf(text, size, "operation %u: this node has no vector core", index);
		return true;
	}
	if (!region_of(device, relayout->src_buffer, &task.src))
		return no_buffer(index, relayout->src_buffer, text, size);
	if (!region_of(device, relayout->dst_buffer, &task.dst))
		return no_buffer(index, relayout->dst_buffer, text, size);
	if (relayout->src_buffer != relayout->dst_buffer)
		task.dst.addr |= ELSEWHERE;
	if (relayout->runs && relayout->runs <= KOHAKU_RELAYOUT_RUNS &&
	    !kohaku_relayout_check(&task, &why))
		return false;
	snprintf(text, size, "operation %u: %s; nothing ran, correct the plan", index, why);
	return true;
}

static bool explain_op(struct kohaku_device *device, const struct kohaku_info *info,
		       const struct kohaku_op *op, uint32_t index, char *text, size_t size)
{
	int err = kohaku_op_check(op, info->out_meshes);

	if (err == -EOPNOTSUPP)
		snprintf(text, size,
			 "operation %u: unknown opcode or flag, or a field that it does not use; set it to 0",
			 index);
	else if (err && op->mesh >= info->out_meshes)
		snprintf(text, size, "operation %u: there is no mesh %u; the node has %u", index,
			 op->mesh, info->out_meshes);
	else if (op->opcode == KOHAKU_OP_RELAYOUT)
		return explain_relayout(device, info, op, index, text, size);
	else if (err)
		snprintf(text, size, "operation %u: it leaves the occupant's table; ask SLOT_QUERY",
			 index);
	else
		return op->opcode == KOHAKU_OP_MOVE &&
		       explain_move(device, info, op, index, text, size);
	return true;
}

bool explain_submit(struct kohaku_device *device, const struct kohaku_submit *submit, int error,
		    char *text, size_t size)
{
	const char *ops = (const char *)(uintptr_t)submit->ops;
	struct kohaku_info info = { .size = sizeof(info) };
	struct kohaku_op op;

	if (error != -EINVAL && error != -EOPNOTSUPP && error != -ENOENT)
		return false;
	if (device->backend->command(device, KOHAKU_INFO, &info))
		return false;
	if (submit->count > info.out_max_ops) {
		snprintf(text, size, "%u operations; a job takes %u, make several of it",
			 submit->count, info.out_max_ops);
		return true;
	}
	if (submit->out_index >= submit->count || submit->stride < sizeof(struct kohaku_op))
		return false;
	/* A stride need not keep operations aligned. */
	memcpy(&op, ops + (size_t)submit->out_index * submit->stride, sizeof(op));
	if (op.opcode == KOHAKU_OP_TRANSFER) {
		explain_transfer(&info, &op, submit, text, size);
		return true;
	}
	return explain_op(device, &info, &op, submit->out_index, text, size);
}
