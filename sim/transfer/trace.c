// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What a fabric shows of itself: names, events and the live tables.
 */
#include "units.h"

static const char *const message_names[FABRIC_MESSAGES] = {
	[FABRIC_PUSH] = "PUSH",
	[FABRIC_PUSH_ACK] = "PUSH_ACK",
	[FABRIC_PUSH_DROP] = "PUSH_DROP",
	[FABRIC_RD_REQ] = "RD_REQ",
	[FABRIC_RD_RESP] = "RD_RESP",
	[FABRIC_RD_DROP] = "RD_DROP",
	[FABRIC_WR_REQ] = "WR_REQ",
	[FABRIC_WR_RESP] = "WR_RESP",
	[FABRIC_WR_DROP] = "WR_DROP",
	[FABRIC_WR_RETRY] = "WR_RETRY",
	[FABRIC_LINE_FETCH] = "LINE_FETCH",
	[FABRIC_LINE_SWAP] = "LINE_SWAP",
	[FABRIC_LINE_DROP] = "LINE_DROP",
	[FABRIC_LINE_OUT] = "LINE_OUT",
	[FABRIC_LINE_OUT_DROP] = "LINE_OUT_DROP",
	[FABRIC_LINE_IN] = "LINE_IN",
	[FABRIC_KINSTR] = "KINSTR",
};

static const char *const row_names[] = {
	[FABRIC_ROW_FREE] = "FREE",
	[FABRIC_ROW_CACHE_WAIT] = "CACHE_WAIT",
	[FABRIC_ROW_ACTIVE] = "ACTIVE",
	[FABRIC_ROW_SYNC_NEEDED] = "SYNC_NEEDED",
	[FABRIC_ROW_SYNC_WAIT] = "SYNC_WAIT",
	[FABRIC_ROW_CLEANUP] = "CLEANUP",
};

static const char *const byte_names[] = {
	[FABRIC_BYTE_INIT] = "INIT",
	[FABRIC_BYTE_RESEND] = "RESEND",
	[FABRIC_BYTE_FAULT_WAIT] = "FAULT_WAIT",
	[FABRIC_BYTE_REQ] = "REQ",
	[FABRIC_BYTE_DONE] = "DONE",
	[FABRIC_BYTE_TLB_WAIT] = "TLB_WAIT",
	[FABRIC_BYTE_TLB_EARLY] = "TLB_EARLY",
	[FABRIC_BYTE_SKIP] = "SKIP",
};

static const char *const line_names[] = {
	[FABRIC_LINE_INVALID] = "INVALID",
	[FABRIC_LINE_CLEAN] = "CLEAN",
	[FABRIC_LINE_DIRTY] = "DIRTY",
	[FABRIC_LINE_RESERVED] = "RESERVED",
	[FABRIC_LINE_FETCHING] = "FETCHING",
	[FABRIC_LINE_SWAPPING] = "SWAPPING",
};

static const char *name_in(const char *const *names, u32 count, u32 index)
{
	return index < count ? names[index] : "?";
}

const char *fabric_message_name(u32 type)
{
	return name_in(message_names, ARRAY_SIZE(message_names), type);
}

const char *fabric_row_state_name(u32 state)
{
	return name_in(row_names, ARRAY_SIZE(row_names), state);
}

const char *fabric_byte_state_name(u32 state)
{
	return name_in(byte_names, ARRAY_SIZE(byte_names), state);
}

const char *fabric_line_state_name(u32 state)
{
	return name_in(line_names, ARRAY_SIZE(line_names), state);
}

void fabric_trace(struct fabric *fabric, void (*hook)(void *ctx, const struct fabric_event *event),
		  void *ctx)
{
	fabric->hook = hook;
	fabric->hook_ctx = ctx;
}

static struct fabric_party jamlet_party(const struct fabric *fabric, u32 g)
{
	if (g == TF_LAMLET)
		return (struct fabric_party) { .unit = FABRIC_LAMLET };
	return (struct fabric_party) {
		.unit = FABRIC_JAMLET,
		.kamlet = g / fabric->layout.jamlets,
		.x = fabric->layout.x[g],
		.y = fabric->layout.y[g],
	};
}

static struct fabric_party unit_party(u32 unit, u32 k)
{
	return (struct fabric_party) { .unit = unit, .kamlet = k };
}

static void parties(const struct fabric *fabric, const struct tf_message *message,
		    struct fabric_event *event)
{
	u32 k = message->from / fabric->layout.jamlets;

	event->from = jamlet_party(fabric, message->from);
	event->to = jamlet_party(fabric, message->to);
	switch (message->type) {
	case FABRIC_LINE_FETCH:
	case FABRIC_LINE_SWAP:
		event->from = unit_party(FABRIC_KAMLET, k);
		event->to = unit_party(FABRIC_MEMLET, k);
		break;
	case FABRIC_LINE_DROP:
		event->from = unit_party(FABRIC_MEMLET, k);
		event->to = unit_party(FABRIC_KAMLET, k);
		break;
	case FABRIC_LINE_OUT:
		event->to = unit_party(FABRIC_MEMLET, k);
		break;
	case FABRIC_LINE_OUT_DROP:
	case FABRIC_LINE_IN:
		event->from = unit_party(FABRIC_MEMLET, k);
		break;
	}
}

static void emit(struct fabric *fabric, struct fabric_event *event)
{
	event->tick = fabric->now;
	fabric->hook(fabric->hook_ctx, event);
}

void tf_trace_message(struct fabric *fabric, u32 kind, const struct tf_message *message)
{
	struct fabric_event event = {
		.kind = kind,
		.type = message->type,
		.arrival = message->due,
		.ident = message->ident,
		.source = message->source,
		.target = message->target,
		.size = message->size,
		.line = message->line,
	};

	if (!fabric->hook)
		return;
	parties(fabric, message, &event);
	if (message->type <= FABRIC_WR_RETRY)
		event.op = fabric->kinstrs[message->ident].op;
	emit(fabric, &event);
}

void tf_trace_kinstr(struct fabric *fabric, const struct tf_kinstr *kinstr)
{
	struct fabric_event event = {
		.kind = FABRIC_EVENT_SEND,
		.type = FABRIC_KINSTR,
		.arrival = kinstr->arrival,
		.ident = tf_ident(fabric, kinstr),
		.op = kinstr->op,
		.from = unit_party(FABRIC_LAMLET, 0),
		.to = unit_party(FABRIC_KAMLET, 0),
	};

	for (; fabric->hook && event.to.kamlet < fabric->layout.kamlets; event.to.kamlet++)
		emit(fabric, &event);
}

void tf_trace_row(struct fabric *fabric, u32 k, const struct tf_row *row)
{
	struct fabric_event event = {
		.kind = FABRIC_EVENT_ROW,
		.ident = row->stored.ident,
		.op = row->kinstr->op,
		.from = unit_party(FABRIC_KAMLET, k),
		.state = row->state,
	};

	if (fabric->hook)
		emit(fabric, &event);
}

void tf_trace_byte(struct fabric *fabric, u32 g, const struct tf_row *row, u32 byte, u32 state)
{
	struct fabric_event event = {
		.kind = FABRIC_EVENT_BYTE,
		.ident = row->stored.ident,
		.op = row->kinstr->op,
		.source = byte,
		.state = state,
	};

	if (!fabric->hook)
		return;
	event.from = jamlet_party(fabric, g);
	emit(fabric, &event);
}

void tf_trace_line(struct fabric *fabric, u32 k, const struct tf_slot *slot)
{
	struct fabric_event event = {
		.kind = FABRIC_EVENT_LINE,
		.from = unit_party(FABRIC_KAMLET, k),
		.state = slot->state,
		.line = slot->line,
	};

	if (fabric->hook)
		emit(fabric, &event);
}

void tf_trace_sync(struct fabric *fabric, u32 kind, const struct tf_sync *sync, u32 node,
		   const struct tf_fault *value)
{
	const struct tf_kinstr *kinstr = tf_kinstr_at(fabric, sync->seq);
	struct fabric_event event = {
		.kind = kind,
		.type = sync->fault,
		.ident = tf_ident(fabric, kinstr),
		.op = kinstr->op,
		.from = node == TF_NODE_LAMLET ? unit_party(FABRIC_LAMLET, 0) :
						 unit_party(FABRIC_KAMLET, node),
		.line = value ? value->element : U32_MAX,
	};

	if (fabric->hook)
		emit(fabric, &event);
}

u32 fabric_dump_rows(const struct fabric *fabric, u32 k, struct fabric_row_view *rows, u32 max)
{
	const struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 jamlets = fabric->layout.jamlets, i, j;
	const struct tf_row *row;

	for (i = 0; i < kamlet->live && i < max; i++, rows++) {
		row = &kamlet->rows[kamlet->age[i]];
		*rows = (struct fabric_row_view) {
			.ident = row->stored.ident,
			.op = row->kinstr->op,
			.row = kamlet->age[i],
			.state = row->state,
			.writeset = row->stored.writeset & TF_WRITESET_VALID ?
				    (s32)(row->stored.writeset - TF_WRITESET_VALID) : FABRIC_NONE,
			.slot = row->stored.slot == TF_NO_SLOT ? FABRIC_NONE :
								 (s32)row->stored.slot,
			.push = row->kinstr->kind == TF_PUSH,
			.open = row->open,
		};
		for (j = 0; j < jamlets; j++)
			rows->bytes[j] = fabric->jte[(k * fabric->config.rows + kamlet->age[i]) *
						     jamlets + j].states;
	}
	return i;
}

u32 fabric_dump_slots(const struct fabric *fabric, u32 k, struct fabric_slot_view *slots, u32 max)
{
	const struct tf_slot *slot;
	u32 i, count = 0;

	for (i = 0; i < fabric->config.slots && count < max; i++) {
		slot = &fabric->kamlets[k].slots[i];
		if (!slot->used)
			continue;
		slots[count++] = (struct fabric_slot_view) {
			.slot = i,
			.state = slot->state,
			.line = slot->line,
			.pins = slot->pins,
			.waits = slot->waits,
		};
	}
	return count;
}

u32 fabric_dump_waits(const struct fabric *fabric, u32 k, struct fabric_wait_view *waits, u32 max)
{
	const struct tf_wait *wait;
	u32 i, count = 0;

	for (i = 0; i < fabric->config.waits && count < max; i++) {
		wait = &fabric->kamlets[k].waits[i];
		if (wait->state == TF_WAIT_FREE)
			continue;
		waits[count++] = (struct fabric_wait_view) {
			.ident = wait->stored.ident,
			.jamlet = wait->stored.jamlet,
			.source = { .unit = FABRIC_JAMLET, .x = wait->stored.x,
				    .y = wait->stored.y },
			.source_byte = wait->stored.source,
			.byte = wait->stored.offset,
			.size = wait->stored.width ? wait->stored.width : 8,
			.slot = wait->stored.slot,
			.word = wait->stored.word,
			.write = wait->stored.write,
			.retried = wait->state == TF_WAIT_RETRY_SENT,
		};
	}
	return count;
}
