// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The transfer requester of a jamlet: one message a tick, oldest row first.
 */
#include "units.h"

static void count_send(struct fabric *fabric, u32 g, const struct tf_row *row, u32 byte,
		       bool scalar)
{
	struct tf_jte_row *jte = tf_jte(fabric, g, row);

	if (jte->sent & 1U << byte)
		fabric->counters.resends++;
	else
		fabric->counters.segments[scalar]++;
	jte->sent |= 1U << byte;
}

/* The holder of memory bytes sends them to the holder of the register. */
static void send_push(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte)
{
	const struct tf_kinstr *kinstr = row->kinstr;
	const struct tf_layout *layout = &fabric->layout;
	u32 size = tf_size(kinstr), state = tf_jte_get(fabric, g, row, byte);
	struct tf_message *message = tf_message_new(fabric, FABRIC_PUSH);
	struct tf_place to;
	u32 r, offset, word;

	tf_memory_byte(fabric, kinstr, layout->lane[kinstr->mem_order][g], byte, &r, &offset);
	to = tf_layout_place(layout, size, r % layout->stripe);
	word = offset / layout->stripe % layout->words;
	message->from = g;
	message->to = layout->jamlet[fabric->config.order][to.lane];
	message->ident = tf_ident(fabric, kinstr);
	message->source = byte;
	message->target = to.byte;
	message->size = tf_segment_bytes(offset, kinstr->mem_size,
					 min(size - r % size, kinstr->end - r));
	message->data[0] = tf_shift(*tf_sram_word(fabric, g, row->stored.slot, word), byte,
				    to.byte);
	tf_send(fabric, message, 0);
	count_send(fabric, g, row, byte, false);
	tf_jte_set(fabric, g, row, byte,
		   tf_push_code(fabric->config.push_ack ? 2 : 0, state / 3));
}

static bool push(struct fabric *fabric, u32 g, struct tf_row *row)
{
	u32 k = g / fabric->layout.jamlets, byte;
	const struct tf_jte_row *jte = tf_jte(fabric, g, row);

	if (row->stored.slot == TF_NO_SLOT ||
	    !tf_kce_present(&fabric->kamlets[k].slots[row->stored.slot]))
		return false;
	for (byte = 0; byte < 8; byte++) {
		if (tf_jte_get(fabric, g, row, byte) % 3 == 1 && jte->due[byte] <= fabric->now) {
			send_push(fabric, g, row, byte);
			return true;
		}
	}
	return false;
}

/* An element of one lane, as far as the kinstruction moves it. */
struct portion {
	u32 element;
	u32 begin, end;			/* bytes of the register group */
	u32 byte;			/* of the lane's word, at begin */
	u64 address;			/* at begin */
};

static void portion_init(struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element,
			 struct portion *portion)
{
	u32 size = tf_size(kinstr);

	portion->element = element;
	portion->begin = max(element * size, kinstr->begin);
	portion->end = min((element + 1) * size, kinstr->end);
	portion->byte = tf_layout_place(&fabric->layout, size,
					portion->begin % fabric->layout.stripe).byte;
	portion->address = tf_address(fabric, kinstr, element) + portion->begin - element * size;
}

/* Bytes of the segment that begins i bytes into a portion. */
static u32 segment_at(struct fabric *fabric, const struct portion *portion, u32 i)
{
	u64 address = portion->address + i;
	u32 left = min(portion->end - portion->begin - i, tf_page_left(fabric, address));
	const struct tf_page *page = tf_page_at(fabric, address);
	u32 offset, size = 0;

	if (page->page.memory == FABRIC_VECTOR) {
		offset = address - page->page.address;
		size = page->stripes[offset / fabric->layout.stripe].size;
	}
	return tf_segment_bytes(address, size, left);
}

/* Elements are counted where they enter non-idempotent memory. */
static void count_once(struct fabric *fabric, const struct tf_page *page, u64 address, bool first)
{
	const struct tf_page *before;

	if (page->page.memory != FABRIC_SCALAR_ONCE)
		return;
	before = first ? NULL : tf_page_at(fabric, address - 1);
	if (!before || before->page.memory != FABRIC_SCALAR_ONCE)
		fabric->counters.once++;
}

/* Addresses the message to who holds the byte; true: the lamlet does. */
static bool find_holder(struct fabric *fabric, struct tf_message *message, u64 address)
{
	const struct tf_page *page = tf_page_at(fabric, address);
	u32 offset = address - page->page.address;
	struct tf_spot spot;

	if (page->page.memory != FABRIC_VECTOR) {
		message->to = TF_LAMLET;
		message->page = page - fabric->pages;
		message->offset = offset;
		return true;
	}
	spot = tf_page_spot(fabric, page, offset);
	message->to = spot.jamlet;
	message->line = spot.line;
	message->word = spot.word;
	message->target = spot.byte;
	return false;
}

static void send_request(struct fabric *fabric, u32 g, struct tf_row *row,
			 const struct portion *portion, u32 i)
{
	const struct tf_kinstr *kinstr = row->kinstr;
	u32 r = portion->begin + i, byte = portion->byte + i, size, n;
	struct tf_message *message =
		tf_message_new(fabric, tf_is_store(kinstr) ? FABRIC_WR_REQ : FABRIC_RD_REQ);
	u64 word = fabric->regs[g][kinstr->details.data + r / fabric->layout.stripe];
	bool scalar = find_holder(fabric, message, portion->address + i);

	size = segment_at(fabric, portion, i);
	if (scalar)
		count_once(fabric, &fabric->pages[message->page], portion->address + i,
			   r % tf_size(kinstr) == 0);
	message->from = g;
	message->ident = tf_ident(fabric, kinstr);
	message->source = byte;
	message->size = size;
	message->data[0] = tf_shift(word, byte, message->target);
	tf_send(fabric, message, 0);
	count_send(fabric, g, row, byte, scalar);
	tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_REQ);
	for (n = 1; n < size; n++)
		if (tf_jte_get(fabric, g, row, byte + n) == FABRIC_BYTE_INIT)
			tf_jte_set(fabric, g, row, byte + n, FABRIC_BYTE_SKIP);
}

static void skip(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 count)
{
	for (; count--; byte++)
		if (tf_jte_get(fabric, g, row, byte) == FABRIC_BYTE_INIT)
			tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_SKIP);
}

/* Every segment waits by itself: the element may reach more than one holder. */
static void hold_back(struct fabric *fabric, u32 g, struct tf_row *row,
		      const struct portion *portion)
{
	u32 i, size;

	for (i = 0; i < portion->end - portion->begin; i += size) {
		size = segment_at(fabric, portion, i);
		tf_jte_set(fabric, g, row, portion->byte + i, FABRIC_BYTE_FAULT_WAIT);
		skip(fabric, g, row, portion->byte + i + 1, size - 1);
	}
}

static void mask_off(struct fabric *fabric, u32 g, struct tf_row *row,
		     const struct portion *portion)
{
	u32 count = portion->end - portion->begin, i;

	skip(fabric, g, row, portion->byte, count);
	if (row->kinstr->faults || tf_is_store(row->kinstr))
		return;
	for (i = 0; i < count; i += segment_at(fabric, portion, i))
		fabric->counters.masked++;
}

/* A lane stops at its first fault: elements ascend, so that is its least. */
static void stop(struct fabric *fabric, u32 g, struct tf_row *row, const struct tf_fault *fault)
{
	if (fault->element < row->fault.element)
		row->fault = *fault;
	skip(fabric, g, row, 0, 8);
}

/* Looks the pages of a fresh element up; false: nothing of it is sent now. */
static bool examine(struct fabric *fabric, u32 g, struct tf_row *row, const struct portion *portion)
{
	const struct tf_kinstr *kinstr = row->kinstr;
	u32 count = portion->end - portion->begin, i, code;
	bool once = false;

	if (!tf_active(fabric, kinstr, portion->element)) {
		mask_off(fabric, g, row, portion);
		return false;
	}
	for (i = 0; kinstr->faults && i < count; i++) {
		code = tf_fault_at(fabric, portion->address + i, tf_is_store(kinstr));
		if (code) {
			stop(fabric, g, row, &(struct tf_fault) {
				portion->element, code, portion->address + i, portion->address });
			return false;
		}
		once |= tf_page_at(fabric, portion->address + i)->page.memory == FABRIC_SCALAR_ONCE;
	}
	if (once)
		hold_back(fabric, g, row, portion);
	return !once;
}

static bool advance(struct fabric *fabric, u32 g, struct tf_row *row, const struct portion *portion)
{
	const struct tf_jte_row *jte = tf_jte(fabric, g, row);
	u32 i, state;

	for (i = 0; i < portion->end - portion->begin; i++) {
		state = tf_jte_get(fabric, g, row, portion->byte + i);
		if (state == FABRIC_BYTE_INIT && !examine(fabric, g, row, portion))
			return false;
		if (state == FABRIC_BYTE_INIT ||
		    (state == FABRIC_BYTE_RESEND && jte->due[portion->byte + i] <= fabric->now)) {
			send_request(fabric, g, row, portion, i);
			return true;
		}
	}
	return false;
}

/* Is some byte INIT or RESEND? */
static bool eligible(const struct tf_jte_row *jte)
{
	u32 states = jte->states;

	/* Codes 0 and 1 are the ones without a bit above bit 0. */
	return ((states >> 1 | states >> 2) & 011111111) != 011111111;
}

static bool request(struct fabric *fabric, u32 g, struct tf_row *row)
{
	const struct tf_kinstr *kinstr = row->kinstr;
	u32 lanes = fabric->layout.lanes, size = tf_size(kinstr);
	u32 first = kinstr->begin / size, element;
	struct portion portion;

	if (!eligible(tf_jte(fabric, g, row)))
		return false;
	element = first + (fabric->layout.lane[fabric->config.order][g] + lanes - first % lanes) %
			  lanes;
	for (; element * size < kinstr->end; element += lanes) {
		portion_init(fabric, kinstr, element, &portion);
		if (advance(fabric, g, row, &portion))
			return true;
	}
	return false;
}

void tf_requester_run(struct fabric *fabric, u32 g)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[g / fabric->layout.jamlets];
	struct tf_row *row;
	bool sent = false;
	u32 i;

	for (i = 0; i < kamlet->live && !sent; i++) {
		row = &kamlet->rows[kamlet->age[i]];
		if (row->kinstr->kind == TF_PUSH)
			sent = push(fabric, g, row);
		else if (row->kinstr->kind == TF_REQUEST)
			sent = request(fabric, g, row);
	}
	if (sent)
		tf_wake(fabric, TF_UNIT_REQUESTER + g, fabric->now + 1);
}
