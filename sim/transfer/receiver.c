// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The transfer receiver of a jamlet: answers, and segments pushed to it.
 */
#include "units.h"

/* Bytes of a register arrive at @byte of the lane's word. */
static bool write_register(struct fabric *fabric, u32 g, const struct tf_kinstr *kinstr, u32 byte,
			   u32 size, u64 word, bool masked)
{
	u32 lane = fabric->layout.lane[fabric->config.order][g], r;
	u64 *reg;

	if (!tf_register_byte(fabric, kinstr, lane, byte, &r))
		return false;
	if (masked && !tf_active(fabric, kinstr, r / tf_size(kinstr)))
		return true;
	reg = &fabric->regs[g][kinstr->details.data + r / fabric->layout.stripe];
	*reg = tf_merge(*reg, word, byte, size);
	return true;
}

static void drop_push(struct fabric *fabric, const struct tf_message *message)
{
	fabric->counters.drops[FABRIC_DROP_NOT_STARTED]++;
	tf_send(fabric, tf_reply(fabric, message, FABRIC_PUSH_DROP), 0);
}

void tf_receive_push(struct fabric *fabric, u32 g, const struct tf_message *message)
{
	struct tf_row *row = tf_row_of(fabric, g / fabric->layout.jamlets, message->ident);
	u32 state;

	if (!row) {
		drop_push(fabric, message);
		return;
	}
	state = tf_jte_get(fabric, g, row, message->target);
	if (row->kinstr->kind != TF_PUSH || state < 3 ||
	    !write_register(fabric, g, row->kinstr, message->target, message->size,
			    message->data[0], true)) {
		fabric->counters.protocol_errors++;
		return;
	}
	tf_jte_set(fabric, g, row, message->target, state - 3);
	if (fabric->config.push_ack)
		tf_send(fabric, tf_reply(fabric, message, FABRIC_PUSH_ACK), 0);
}

/* The sender of a push hears of it again: only its sending role changes. */
static void push_answer(struct fabric *fabric, u32 g, struct tf_row *row,
			const struct tf_message *message)
{
	u32 state = tf_jte_get(fabric, g, row, message->source);
	u32 sent = fabric->config.push_ack ? 2 : 0;

	if (row->kinstr->kind != TF_PUSH || state % 3 != sent)
		fabric->counters.protocol_errors++;
	else if (message->type == FABRIC_PUSH_DROP)
		tf_jte_resend(fabric, g, row, message->source, TF_RETRY_TICKS);
	else
		tf_jte_set(fabric, g, row, message->source, state - sent);
}

static void request_answer(struct fabric *fabric, u32 g, struct tf_row *row,
			   const struct tf_message *message)
{
	u32 byte = message->source;
	u64 word;

	if (row->kinstr->kind != TF_REQUEST ||
	    tf_jte_get(fabric, g, row, byte) != FABRIC_BYTE_REQ) {
		fabric->counters.protocol_errors++;
		return;
	}
	switch (message->type) {
	case FABRIC_RD_RESP:
		word = tf_shift(message->data[0], message->target, byte);
		write_register(fabric, g, row->kinstr, byte, message->size, word, false);
		tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_DONE);
		break;
	case FABRIC_WR_RESP:
		tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_DONE);
		break;
	case FABRIC_WR_RETRY:
		tf_jte_resend(fabric, g, row, byte, 0);
		break;
	default:
		tf_jte_resend(fabric, g, row, byte, TF_RETRY_TICKS);
		break;
	}
}

void tf_receive(struct fabric *fabric, u32 g, const struct tf_message *message)
{
	struct tf_row *row;

	if (message->type == FABRIC_LINE_IN) {
		tf_kce_part_in(fabric, g, message);
		return;
	}
	if (message->type == FABRIC_LINE_OUT_DROP) {
		tf_kce_part_dropped(fabric, g, message);
		return;
	}
	row = tf_row_of(fabric, g / fabric->layout.jamlets, message->ident);
	if (!row)
		fabric->counters.protocol_errors++;
	else if (message->type == FABRIC_PUSH_DROP || message->type == FABRIC_PUSH_ACK)
		push_answer(fabric, g, row, message);
	else
		request_answer(fabric, g, row, message);
}
