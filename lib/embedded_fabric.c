// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The transfer fabric of the embedded node: FABRIC commands and TRANSFER.
 */
#include <errno.h>
#include <stdlib.h>

#include "embedded.h"

/* The fabric, made by whoever first asks for something. */
static int session_of(struct embedded *node, struct fabric_session **session)
{
	int err;

	if (!(node->caps & KOHAKU_CAP_FABRIC))
		return -EOPNOTSUPP;
	if (!node->fabric_made) {
		err = fabric_session_init(&node->fabric, &node->fabric_config);
		if (err)
			return err;
		node->fabric_made = true;
	}
	*session = &node->fabric;
	return 0;
}

void embedded_fabric_exit(struct embedded *node)
{
	if (node->fabric_made)
		fabric_session_exit(&node->fabric);
}

int embedded_fabric_query(struct embedded *node, union kohaku_command_arg *arg)
{
	struct fabric_session *session;
	int err = session_of(node, &session);

	return err ? err : fabric_session_query(session, &arg->fabric_query);
}

int embedded_fabric_map(struct embedded *node, union kohaku_command_arg *arg)
{
	const struct kohaku_fabric_map *map = &arg->fabric_map;
	struct fabric_session *session;
	int err = session_of(node, &session);

	if (err)
		return err;
	err = fabric_session_map_check(session, map);
	if (!err && map->stripe_count && !map->stripes)
		err = -EFAULT;
	if (err)
		return err;
	return fabric_session_map(session, map, (const void *)(uintptr_t)map->stripes);
}

int embedded_fabric_unmap(struct embedded *node, union kohaku_command_arg *arg)
{
	struct fabric_session *session;
	int err = session_of(node, &session);

	return err ? err : fabric_session_unmap(session, arg->fabric_unmap.address);
}

int embedded_fabric_layout(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_fabric_layout *layout = &arg->fabric_layout;
	struct kohaku_fabric_stripe *stripes;
	struct fabric_session *session;
	u32 room = layout->stripe_count;
	int err = session_of(node, &session);

	if (err)
		return err;
	layout->stripe_count = fabric_session_stripes(session);
	stripes = calloc(layout->stripe_count, sizeof(*stripes));
	if (!stripes)
		return -ENOMEM;
	err = fabric_session_layout(session, layout->address, stripes);
	if (!err && room < layout->stripe_count)
		err = -EMSGSIZE;
	if (!err)
		err = embedded_store(layout->stripes, stripes,
				     layout->stripe_count * sizeof(*stripes));
	free(stripes);
	return err;
}

static int fabric_io(struct embedded *node, struct kohaku_fabric_io *io, bool write)
{
	struct fabric_session *session;
	void *bytes;
	int err = session_of(node, &session);

	if (!err)
		err = fabric_session_io_check(session, io, write);
	if (err || !io->length)
		return err;
	bytes = malloc(io->length);
	if (!bytes)
		return -ENOMEM;
	if (write)
		err = embedded_fetch(bytes, io->data, io->length);
	if (!err)
		err = fabric_session_io(session, io, bytes, write);
	if (!err && !write)
		err = embedded_store(io->data, bytes, io->length);
	free(bytes);
	return err;
}

int embedded_fabric_read(struct embedded *node, union kohaku_command_arg *arg)
{
	return fabric_io(node, &arg->fabric_io, false);
}

int embedded_fabric_write(struct embedded *node, union kohaku_command_arg *arg)
{
	return fabric_io(node, &arg->fabric_io, true);
}

/* Copies one element of an array out, and zeros where the caller's are longer. */
static int copy_element(u64 array, u32 stride, u32 i, const void *element, size_t size)
{
	u8 *to;

	if (!array)
		return -EFAULT;
	to = (u8 *)(uintptr_t)array + (size_t)i * stride;
	memcpy(to, element, size);
	memset(to + size, 0, stride - size);
	return 0;
}

int embedded_fabric_results(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_fabric_results *results = &arg->fabric_results;
	struct kohaku_transfer_result result;
	struct fabric_session *session;
	int err = session_of(node, &session);
	u32 i;

	if (!err && results->stride > KOHAKU_MAX_STRIDE)
		err = -E2BIG;
	if (!err)
		err = fabric_session_results(session, results);
	for (i = 0; !err && i < results->count; i++) {
		fabric_session_result(session, i, &result);
		err = copy_element(results->results, results->stride, i, &result, sizeof(result));
	}
	return err;
}

int embedded_fabric_trace(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_fabric_trace *trace = &arg->fabric_trace;
	struct kohaku_fabric_event event;
	struct fabric_session *session;
	u32 room = trace->count;
	int err = session_of(node, &session);

	if (!err)
		err = fabric_session_trace_check(trace);
	if (!err && trace->flags == KOHAKU_FABRIC_TRACE_START)
		err = fabric_session_trace_start(session);
	if (!err && !session->events)
		err = -ENOENT;
	if (err)
		return err;
	trace->count = 0;
	while (!err && trace->count < room && fabric_session_trace_take(session, &event, 1))
		err = copy_element(trace->events, trace->stride, trace->count++, &event,
				   sizeof(event));
	if (err)
		return err;
	trace->out_lost = session->lost;
	if (trace->flags & KOHAKU_FABRIC_TRACE_STOP)
		fabric_session_trace_stop(session);
	return 0;
}

/* An instruction as the caller knows it; longer ones must end in zeros. */
static int take_insn(const struct fabric_session *session, const struct kohaku_transfer *transfer,
		     u32 i, struct fabric_op *op)
{
	struct kohaku_transfer_insn insn;
	const u8 *from;
	u32 k;

	if (!transfer->insns)
		return -EFAULT;
	from = (const u8 *)(uintptr_t)transfer->insns + (size_t)i * transfer->stride;
	for (k = sizeof(insn); k < transfer->stride; k++) {
		if (from[k])
			return -E2BIG;
	}
	memcpy(&insn, from, sizeof(insn));
	return fabric_session_insn(session, &insn, op);
}

/* What SUBMIT does for a TRANSFER: *part becomes the instruction that is wrong. */
int embedded_transfer_prepare(struct embedded *node, struct embedded_task *task, u32 *part)
{
	const struct kohaku_transfer *transfer = &task->op.transfer;
	struct fabric_session *session;
	int err = session_of(node, &session);
	u32 i;

	if (err)
		return err;
	task->insns = calloc(transfer->count + 1, sizeof(*task->insns));
	if (!task->insns)
		return -ENOMEM;
	for (i = 0; !err && i < transfer->count; i++) {
		err = take_insn(session, transfer, i, &task->insns[i]);
		*part = err ? i : 0;
	}
	return err;
}

int embedded_transfer_run(struct embedded *node, const struct embedded_task *task, u64 job,
			  u32 index, u64 timeout_ns, u32 *fault)
{
	u64 deadline = embedded_now() + timeout_ns;
	int err = fabric_session_start(&node->fabric, task->insns, task->op.transfer.count, job,
				       index);

	if (err)
		return err;
	do
		err = fabric_session_step(&node->fabric, fault);
	while (err == -EINPROGRESS && embedded_now() < deadline);
	if (!err)
		return *fault ? -EIO : 0;
	fabric_session_stop(&node->fabric);
	*fault = KOHAKU_FAULT_TIMEOUT;
	return -ETIMEDOUT;
}
