// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Time and the networks.
 *
 * A wheel holds, for each of the next ticks, which units have something to do.
 * Ticks in which nobody has are skipped, and in the others only those units are
 * visited, in the order of TF_UNIT_*.
 */
#include "units.h"

static void arm(struct fabric *fabric, u32 unit, u64 tick)
{
	u32 slot = tick % TF_WHEEL;

	fabric->wheel[slot][unit / 64] |= 1ULL << (unit % 64);
	fabric->occupied |= 1ULL << slot;
}

void tf_wake(struct fabric *fabric, u32 unit, u64 tick)
{
	if (tick <= fabric->now)
		tick = fabric->now + (fabric->turn < TF_UNITS && unit <= fabric->turn);
	arm(fabric, unit, tick);
}

struct tf_message *tf_message_new(struct fabric *fabric, enum fabric_message type)
{
	u32 index = fabric->free_message;
	struct tf_message *message = &fabric->messages[index];

	fabric->free_message = message->next;
	memset(message, 0, sizeof(*message));
	message->type = type;
	fabric->counters.messages[type]++;
	fabric->in_flight++;
	fabric->counters.in_flight = max(fabric->counters.in_flight, fabric->in_flight);
	return message;
}

void tf_message_free(struct fabric *fabric, struct tf_message *message)
{
	message->next = fabric->free_message;
	fabric->free_message = message - fabric->messages;
	fabric->in_flight--;
}

static u32 fifo_unit(u32 fifo)
{
	if (fifo < TF_FIFO_LINES(0))
		return TF_UNIT_INPUT + fifo / 2;
	if (fifo == TF_FIFO_LAMLET)
		return TF_UNIT_LAMLET;
	fifo -= TF_FIFO_LINES(0);
	return (fifo % 3 == 2 ? TF_UNIT_KCE : TF_UNIT_MEMLET) + fifo / 3;
}

/* Messages to one place over one channel never overtake each other. */
static void enqueue(struct fabric *fabric, struct tf_message *message, u32 fifo, u32 ticks)
{
	struct tf_fifo *queue = &fabric->fifos[fifo];
	u32 index = message - fabric->messages;

	message->due = max(fabric->now + ticks, queue->last);
	message->next = TF_NIL;
	queue->last = message->due;
	if (queue->head == TF_NIL)
		queue->head = index;
	else
		fabric->messages[queue->tail].next = index;
	queue->tail = index;
	tf_wake(fabric, fifo_unit(fifo), message->due);
	tf_trace_message(fabric, FABRIC_EVENT_SEND, message);
}

static u32 apart(u32 a, u32 b)
{
	return a > b ? a - b : b - a;
}

static u32 hops(const struct fabric *fabric, u32 from, u32 to)
{
	const struct tf_layout *layout = &fabric->layout;

	if (from == TF_LAMLET)
		return layout->x[to] + layout->y[to] + 1;
	if (to == TF_LAMLET)
		return layout->x[from] + layout->y[from] + 1;
	return apart(layout->x[from], layout->x[to]) + apart(layout->y[from], layout->y[to]);
}

/* Words after the header. */
static u32 payload(u32 type)
{
	switch (type) {
	case FABRIC_PUSH:
	case FABRIC_RD_REQ:
	case FABRIC_RD_RESP:
		return 1;
	case FABRIC_WR_REQ:
		return 2;
	default:
		return 0;
	}
}

static bool is_request(u32 type)
{
	return type == FABRIC_PUSH || type == FABRIC_RD_REQ || type == FABRIC_WR_REQ;
}

void tf_send(struct fabric *fabric, struct tf_message *message, u32 delay)
{
	u32 ticks = delay + 1 + hops(fabric, message->from, message->to) + payload(message->type);
	u32 fifo = message->to == TF_LAMLET ? TF_FIFO_LAMLET :
		   TF_FIFO_JAMLET(message->to, is_request(message->type));

	enqueue(fabric, message, fifo, ticks);
}

void tf_send_memlet(struct fabric *fabric, struct tf_message *message, u32 fifo)
{
	bool drop = message->type == FABRIC_LINE_OUT_DROP;

	enqueue(fabric, message, fifo,
		1 + TF_MEMLET_HOPS + (drop ? 0 : fabric->config.line_words));
}

void tf_send_kamlet(struct fabric *fabric, struct tf_message *message, u32 fifo, u32 k)
{
	message->from = k * fabric->layout.jamlets;
	message->to = message->from;
	enqueue(fabric, message, fifo, TF_KAMLET_MESH_TICKS);
}

struct tf_message *tf_take(struct fabric *fabric, u32 fifo)
{
	struct tf_fifo *queue = &fabric->fifos[fifo];
	struct tf_message *message;

	if (queue->head == TF_NIL)
		return NULL;
	message = &fabric->messages[queue->head];
	if (message->due > fabric->now)
		return NULL;
	queue->head = message->next;
	tf_trace_message(fabric, FABRIC_EVENT_TAKE, message);
	return message;
}

u64 tf_fifo_next(const struct fabric *fabric, u32 fifo)
{
	u32 head = fabric->fifos[fifo].head;

	return head == TF_NIL ? U64_MAX : fabric->messages[head].due;
}

static void run_unit(struct fabric *fabric, u32 unit)
{
	if (unit < TF_UNIT_KCE)
		tf_memlet_run(fabric, unit - TF_UNIT_MEMLET);
	else if (unit < TF_UNIT_INPUT)
		tf_kce_run(fabric, unit - TF_UNIT_KCE);
	else if (unit < TF_UNIT_REQUESTER)
		tf_input_run(fabric, unit - TF_UNIT_INPUT);
	else if (unit < TF_UNIT_KTE)
		tf_requester_run(fabric, unit - TF_UNIT_REQUESTER);
	else if (unit < TF_UNIT_SYNC)
		tf_kte_run(fabric, unit - TF_UNIT_KTE);
	else if (unit == TF_UNIT_SYNC)
		tf_sync_run(fabric);
	else
		tf_lamlet_run(fabric);
}

/* Units may be woken for a later turn of this very tick while it runs. */
static void run_tick(struct fabric *fabric)
{
	u32 slot = fabric->now % TF_WHEEL, word;
	u64 *units = fabric->wheel[slot];

	for (word = 0; word < TF_UNIT_WORDS; word++) {
		while (units[word]) {
			fabric->turn = 64 * word + __builtin_ctzll(units[word]);
			units[word] &= units[word] - 1;
			run_unit(fabric, fabric->turn);
		}
	}
	fabric->turn = TF_UNITS;
	fabric->occupied &= ~(1ULL << slot);
}

static u64 next_tick(const struct fabric *fabric)
{
	u32 slot = fabric->now % TF_WHEEL;
	u64 ahead = fabric->occupied >> slot;

	if (slot)
		ahead |= fabric->occupied << (TF_WHEEL - slot);
	return fabric->now + __builtin_ctzll(ahead);
}

static int finish(struct fabric *fabric)
{
	if (fabric->crack.op < fabric->op_count || fabric->oldest < fabric->issued) {
		fabric->error = -EDEADLK;
		return fabric->error;
	}
	fabric->running = false;
	fabric->counters.cycles += fabric->last_end - fabric->started;
	return 0;
}

int fabric_run(struct fabric *fabric, u64 ticks)
{
	while (fabric->running) {
		if (fabric->error)
			return fabric->error;
		if (!fabric->occupied)
			return finish(fabric);
		if (!ticks--)
			return -EINPROGRESS;
		fabric->now = next_tick(fabric);
		if (fabric->now - fabric->started > fabric->config.tick_limit)
			fabric->error = -ETIMEDOUT;
		else
			run_tick(fabric);
	}
	return 0;
}
