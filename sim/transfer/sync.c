// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The synchronizer.  Its packets need no queues of their own: when a node is
 * done follows from when every node contributed and how far away that was.
 */
#include "sync.h"
#include "model.h"
#include "units.h"

static s64 sign_extended(u64 value, u32 bits)
{
	u32 spare = 64 - bits;

	return (s64)(value << spare) >> spare;
}

u64 tf_reduce(enum tf_reduction op, u32 bits, u64 a, u64 b)
{
	switch (op) {
	case TF_MINU:
		return min(a, b);
	case TF_MAXU:
		return max(a, b);
	case TF_MIN:
		return sign_extended(a, bits) < sign_extended(b, bits) ? a : b;
	case TF_MAX:
		return sign_extended(a, bits) > sign_extended(b, bits) ? a : b;
	case TF_AND:
		return a & b;
	default:
		return a | b;
	}
}

/* A link carries 10 bits a cycle: the ident, then whole bytes of the value. */
u32 tf_sync_words(u32 bits)
{
	return (3 + (bits + 7) / 8 * 8 + 9) / 10;
}

static u32 apart(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

u32 tf_sync_distance(u32 columns, u32 from, u32 to)
{
	if (from == to)
		return 0;
	if (from == TF_NODE_LAMLET)
		return 1 + tf_sync_distance(columns, 0, to);
	if (to == TF_NODE_LAMLET)
		return 1 + tf_sync_distance(columns, from, 0);
	return max(apart(from % columns, to % columns), apart(from / columns, to / columns));
}

u64 tf_sync_due(u32 columns, u32 kamlets, const u64 *at, u32 node, u32 words)
{
	u64 due = at[TF_NODE_LAMLET] +
		  (u64)tf_sync_distance(columns, TF_NODE_LAMLET, node) * (words + 2);
	u32 k;

	for (k = 0; k < kamlets; k++)
		due = max(due, at[k] + (u64)tf_sync_distance(columns, k, node) * (words + 2));
	return due;
}

/* Eight neighbours each; the lamlet sits above kamlet 0 and above left of 1. */
u32 tf_sync_links(u32 columns, u32 rows)
{
	u32 pairs = (columns - 1) * rows + columns * (rows - 1) + 2 * (columns - 1) * (rows - 1);

	return 2 * (pairs + (columns > 1 ? 2 : 1));
}

u8 tf_sync_start(struct fabric *fabric, u64 seq, bool fault)
{
	struct tf_sync *sync = fabric->syncs;

	while (sync->used)
		sync++;
	memset(sync, 0, sizeof(*sync));
	sync->used = true;
	sync->fault = fault;
	sync->seq = seq;
	sync->value = TF_NO_FAULT;
	fabric->sync_live++;
	fabric->counters.syncs = max(fabric->counters.syncs, fabric->sync_live);
	if (fault)
		fabric->counters.fault_syncs++;
	else
		fabric->counters.done_syncs++;
	return sync - fabric->syncs;
}

static u32 all_nodes(const struct fabric *fabric)
{
	return ((1U << fabric->layout.kamlets) - 1) | 1U << TF_NODE_LAMLET;
}

static void all_seen(struct fabric *fabric, struct tf_sync *sync)
{
	const struct fabric_config *config = &fabric->config;
	u32 words = tf_sync_words(sync->value.element == U32_MAX ? 0 : TF_FAULT_BITS);
	u32 node;

	for (node = 0; node < TF_NODES; node++) {
		if (!(sync->seen & 1U << node))
			continue;
		sync->due[node] = tf_sync_due(config->kamlet_columns, fabric->layout.kamlets,
					      sync->at, node, words);
		tf_wake(fabric, TF_UNIT_SYNC, sync->due[node]);
	}
	fabric->counters.sync_packets += tf_sync_links(config->kamlet_columns, config->kamlet_rows);
}

void tf_sync_event(struct fabric *fabric, u32 id, u32 node, const struct tf_fault *value)
{
	struct tf_sync *sync = &fabric->syncs[id];

	if (value && value->element < sync->value.element)
		sync->value = *value;
	sync->at[node] = fabric->now;
	sync->seen |= 1U << node;
	tf_trace_sync(fabric, FABRIC_EVENT_SYNC, sync, node, value);
	if (sync->seen == all_nodes(fabric))
		all_seen(fabric, sync);
}

static void node_done(struct fabric *fabric, struct tf_sync *sync, u32 node)
{
	sync->done |= 1U << node;
	tf_trace_sync(fabric, FABRIC_EVENT_SYNC_DONE, sync, node, &sync->value);
	if (node == TF_NODE_LAMLET)
		tf_lamlet_synced(fabric, sync);
	else if (sync->fault)
		tf_kte_fault_known(fabric, node, sync);
	else
		tf_kte_barrier_done(fabric, node, sync);
}

void tf_sync_run(struct fabric *fabric)
{
	u32 all = all_nodes(fabric), id, node;
	struct tf_sync *sync;

	for (id = 0; id < fabric->config.syncs; id++) {
		sync = &fabric->syncs[id];
		if (!sync->used || sync->seen != all)
			continue;
		for (node = 0; node < TF_NODES; node++)
			if (all & ~sync->done & 1U << node && sync->due[node] <= fabric->now)
				node_done(fabric, sync, node);
		if (sync->done == all) {
			sync->used = false;
			fabric->sync_live--;
			tf_wake(fabric, TF_UNIT_LAMLET, fabric->now);
		}
	}
}
