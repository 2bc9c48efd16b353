// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The lamlet: hands out names, broadcasts kinstructions, owns scalar memory and
 * takes part in every synchronisation.
 */
#include "units.h"

static bool synced(const struct tf_kinstr *kinstr)
{
	return kinstr->kind == TF_PUSH || kinstr->kind == TF_REQUEST;
}

/* Nothing of a kinstruction is left anywhere: its name may be used again. */
static void check_retired(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	struct tf_op *op = &fabric->ops[kinstr->op];

	if (kinstr->retired || !kinstr->released || kinstr->freed != fabric->layout.kamlets ||
	    (kinstr->faults && !kinstr->fault_known))
		return;
	kinstr->retired = true;
	op->retired++;
	tf_op_check_end(fabric, kinstr->op);
	while (fabric->oldest < fabric->issued && tf_kinstr_at(fabric, fabric->oldest)->retired)
		fabric->oldest++;
	tf_wake(fabric, TF_UNIT_LAMLET, fabric->now);
}

void tf_lamlet_freed(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	kinstr->freed++;
	check_retired(fabric, kinstr);
}

/*
 * The next chunk of the operation starts its reduction from this one's result,
 * so no later element reaches non-idempotent memory after a fault.
 */
static void pass_fault_on(struct fabric *fabric, const struct tf_kinstr *kinstr)
{
	struct tf_kinstr *next = tf_kinstr_at(fabric, kinstr->seq + 1);
	bool found = kinstr->fault.element != U32_MAX;

	if (kinstr->seq + 1 < fabric->issued && next->op == kinstr->op)
		tf_sync_event(fabric, next->fault_sync, TF_NODE_LAMLET,
			      found ? &kinstr->fault : NULL);
}

void tf_lamlet_synced(struct fabric *fabric, const struct tf_sync *sync)
{
	struct tf_kinstr *kinstr = tf_kinstr_at(fabric, sync->seq);

	if (sync->fault) {
		kinstr->fault_known = true;
		kinstr->fault = sync->value;
		tf_crack_fault(fabric, kinstr, &kinstr->fault);
		pass_fault_on(fabric, kinstr);
	} else {
		kinstr->released = true;
	}
	check_retired(fabric, kinstr);
}

static void start_syncs(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	const struct tf_kinstr *last = tf_kinstr_at(fabric, kinstr->seq - 1);

	kinstr->done_sync = tf_sync_start(fabric, kinstr->seq, false);
	tf_sync_event(fabric, kinstr->done_sync, TF_NODE_LAMLET, NULL);
	if (!kinstr->faults)
		return;
	kinstr->fault_sync = tf_sync_start(fabric, kinstr->seq, true);
	if (!kinstr->chained)
		tf_sync_event(fabric, kinstr->fault_sync, TF_NODE_LAMLET, NULL);
	else if (last->fault_known)
		tf_sync_event(fabric, kinstr->fault_sync, TF_NODE_LAMLET,
			      last->fault.element == U32_MAX ? NULL : &last->fault);
}

/* Everything that a kinstruction needs a name for is at hand. */
static bool names_free(const struct fabric *fabric, const struct tf_kinstr *kinstr)
{
	u32 syncs = synced(kinstr) ? 1 + kinstr->faults : 0;

	return fabric->config.syncs - fabric->sync_live >= syncs;
}

static void broadcast(struct fabric *fabric, const struct tf_kinstr *next)
{
	struct tf_kinstr *kinstr = tf_kinstr_at(fabric, fabric->issued);
	u32 k;

	*kinstr = *next;
	kinstr->seq = fabric->issued++;
	kinstr->op = fabric->crack.op;
	kinstr->arrival = fabric->now + TF_KAMLET_MESH_TICKS;
	kinstr->released = kinstr->kind == TF_LOCAL;
	tf_crack_commit(fabric, kinstr);
	fabric->counters.idents = max(fabric->counters.idents,
				      (u32)(fabric->issued - fabric->oldest));
	fabric->counters.messages[FABRIC_KINSTR] += fabric->layout.kamlets;
	if (synced(kinstr)) {
		fabric->counters.nonlocal++;
		start_syncs(fabric, kinstr);
	} else if (kinstr->kind == TF_LOCAL) {
		fabric->counters.local++;
	} else {
		fabric->relayouts++;
	}
	tf_trace_kinstr(fabric, kinstr);
	for (k = 0; k < fabric->layout.kamlets; k++)
		tf_wake(fabric, TF_UNIT_KTE + k, kinstr->arrival);
}

/* One kinstruction a tick; one name stays unused, so that a full ring differs from none. */
static void issue_next(struct fabric *fabric)
{
	struct tf_kinstr next;

	if (fabric->issued - fabric->oldest >= fabric->config.idents - 1)
		return;
	memset(&next, 0, sizeof(next));
	if (!tf_crack_next(fabric, &next) || !names_free(fabric, &next))
		return;
	broadcast(fabric, &next);
	tf_wake(fabric, TF_UNIT_LAMLET, fabric->now + 1);
}

static void serve_scalar(struct fabric *fabric)
{
	struct tf_message *request = tf_take(fabric, TF_FIFO_LAMLET), *reply;
	bool write;
	u8 *bytes;
	u32 i;

	if (!request)
		return;
	write = request->type == FABRIC_WR_REQ;
	bytes = fabric->pages[request->page].bytes + request->offset;
	reply = tf_reply(fabric, request, write ? FABRIC_WR_RESP : FABRIC_RD_RESP);
	for (i = 0; i < request->size; i++) {
		if (write)
			bytes[i] = request->data[0] >> (8 * i);
		else
			reply->data[0] |= (u64)bytes[i] << (8 * i);
	}
	tf_send(fabric, reply, TF_SCALAR_TICKS);
	tf_message_free(fabric, request);
	if (tf_fifo_next(fabric, TF_FIFO_LAMLET) <= fabric->now)
		tf_wake(fabric, TF_UNIT_LAMLET, fabric->now + 1);
}

/* Is a line either at rest in its slot or at rest in DRAM, in every kamlet? */
static bool line_quiet(const struct fabric *fabric, u32 line)
{
	u32 k, slot;

	for (k = 0; k < fabric->layout.kamlets; k++) {
		slot = tf_kce_find(fabric, k, line);
		if (slot != TF_NO_SLOT && !tf_kce_present(&fabric->kamlets[k].slots[slot]))
			return false;
		if (tf_kce_leaving(fabric, k, line))
			return false;
	}
	return true;
}

static void convert(struct fabric *fabric, struct tf_kinstr *kinstr)
{
	u32 k;

	tf_stripe_convert(fabric, &fabric->pages[kinstr->page],
			  kinstr->offset / fabric->layout.stripe, kinstr->mem_size,
			  kinstr->mem_order);
	kinstr->released = true;
	fabric->relayouts--;
	for (k = 0; k < fabric->layout.kamlets; k++)
		tf_kte_release(fabric, k, kinstr);
}

/* Converts stripes once every kamlet has halted for it. */
static void run_relayouts(struct fabric *fabric)
{
	struct tf_kinstr *kinstr;
	u64 seq;

	for (seq = fabric->oldest; fabric->relayouts && seq < fabric->issued; seq++) {
		kinstr = tf_kinstr_at(fabric, seq);
		if (kinstr->kind != TF_RELAYOUT || kinstr->released ||
		    kinstr->entered != fabric->layout.kamlets)
			continue;
		if (line_quiet(fabric, kinstr->first_line))
			convert(fabric, kinstr);
		else
			tf_wake(fabric, TF_UNIT_LAMLET, fabric->now + 1);
	}
}

void tf_lamlet_run(struct fabric *fabric)
{
	run_relayouts(fabric);
	issue_next(fabric);
	serve_scalar(fabric);
}
