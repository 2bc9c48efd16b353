// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The transfer server of a jamlet: requests for memory that it holds.
 */
#include "units.h"

struct tf_message *tf_reply(struct fabric *fabric, const struct tf_message *request,
			    enum fabric_message type)
{
	struct tf_message *reply = tf_message_new(fabric, type);

	reply->from = request->to;
	reply->to = request->from;
	reply->ident = request->ident;
	reply->source = request->source;
	reply->target = request->target;
	reply->size = request->size;
	return reply;
}

static void drop(struct fabric *fabric, const struct tf_message *request, enum fabric_drop why)
{
	fabric->counters.drops[why]++;
	tf_send(fabric, tf_reply(fabric, request, request->type == FABRIC_WR_REQ ?
				 FABRIC_WR_DROP : FABRIC_RD_DROP), 0);
}

/* The line is here: reads it whole, merges what is written. */
static void perform(struct fabric *fabric, u32 g, const struct tf_message *request, u32 slot)
{
	u64 *word = tf_sram_word(fabric, g, slot, request->word);
	bool write = request->type == FABRIC_WR_REQ;
	struct tf_message *reply =
		tf_reply(fabric, request, write ? FABRIC_WR_RESP : FABRIC_RD_RESP);

	if (write) {
		*word = tf_merge(*word, request->data[0], request->target, request->size);
		tf_kce_modified(fabric, g / fabric->layout.jamlets, slot);
	} else {
		reply->data[0] = *word;
	}
	tf_send(fabric, reply, 0);
}

static void serve(struct fabric *fabric, u32 g, const struct tf_message *request)
{
	u32 k = g / fabric->layout.jamlets, slot;
	struct tf_wait *wait;
	enum fabric_drop why;

	if (!tf_row_of(fabric, k, request->ident)) {
		drop(fabric, request, FABRIC_DROP_NOT_STARTED);
		return;
	}
	wait = tf_kce_match(fabric, g, request);
	slot = tf_kce_find(fabric, k, request->line);
	if (wait) {
		perform(fabric, g, request, wait->stored.slot);
		tf_kce_wait_free(fabric, k, wait);
	} else if (slot != TF_NO_SLOT && tf_kce_present(&fabric->kamlets[k].slots[slot])) {
		fabric->counters.hits++;
		perform(fabric, g, request, slot);
	} else if (!tf_kce_park(fabric, g, request, &why)) {
		drop(fabric, request, why);
	}
}

static u32 jamlet_at(const struct fabric *fabric, u32 x, u32 y)
{
	const struct tf_layout *layout = &fabric->layout;

	return layout->jamlet[FABRIC_ORDER_ROW][y * layout->width + x];
}

/* A parked read is answered; of a parked write nothing but its place was kept. */
static void replay(struct fabric *fabric, u32 g, struct tf_wait *wait)
{
	const struct tf_kce_row *row = &wait->stored;
	struct tf_message request = {
		.type = row->write ? FABRIC_WR_REQ : FABRIC_RD_REQ,
		.from = jamlet_at(fabric, row->x, row->y),
		.to = g,
		.ident = row->ident,
		.source = row->source,
		.target = row->offset,
		.size = row->width ? row->width : 8,
		.word = row->word,
	};

	if (row->write) {
		fabric->counters.retries++;
		tf_send(fabric, tf_reply(fabric, &request, FABRIC_WR_RETRY), 0);
		wait->state = TF_WAIT_RETRY_SENT;
	} else {
		perform(fabric, g, &request, row->slot);
		tf_kce_wait_free(fabric, g / fabric->layout.jamlets, wait);
	}
}

static void wake_again(struct fabric *fabric, u32 g)
{
	u64 due = min(tf_fifo_next(fabric, TF_FIFO_JAMLET(g, 0)),
		      tf_fifo_next(fabric, TF_FIFO_JAMLET(g, 1)));

	if (tf_kce_ready(fabric, g))
		due = fabric->now;
	if (due <= fabric->now)
		tf_wake(fabric, TF_UNIT_INPUT + g, fabric->now + 1);
}

void tf_input_run(struct fabric *fabric, u32 g)
{
	struct tf_message *message;
	struct tf_wait *wait;

	message = tf_take(fabric, TF_FIFO_JAMLET(g, 0));
	if (message) {
		tf_receive(fabric, g, message);
		tf_message_free(fabric, message);
	}
	message = tf_take(fabric, TF_FIFO_JAMLET(g, 1));
	if (message) {
		if (message->type == FABRIC_PUSH)
			tf_receive_push(fabric, g, message);
		else
			serve(fabric, g, message);
		tf_message_free(fabric, message);
	}
	wait = tf_kce_ready(fabric, g);
	if (wait)
		replay(fabric, g, wait);
	wake_again(fabric, g);
}
