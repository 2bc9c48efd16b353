// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The cache of a kamlet: which lines its slots hold, and how others get there.
 */
#include "units.h"

static void set_state(struct fabric *fabric, u32 k, struct tf_slot *slot,
		      enum fabric_line_state state)
{
	slot->state = state;
	tf_trace_line(fabric, k, slot);
}

bool tf_kce_present(const struct tf_slot *slot)
{
	return slot->state == FABRIC_LINE_CLEAN || slot->state == FABRIC_LINE_DIRTY;
}

u32 tf_kce_find(const struct fabric *fabric, u32 k, u32 line)
{
	const struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 i;

	for (i = 0; i < fabric->config.slots; i++)
		if (kamlet->slots[i].used && kamlet->slots[i].line == line)
			return i;
	return TF_NO_SLOT;
}

bool tf_kce_leaving(const struct fabric *fabric, u32 k, u32 line)
{
	const struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 i;

	for (i = 0; i < fabric->config.slots; i++)
		if (kamlet->slots[i].used && kamlet->slots[i].victim == line)
			return true;
	return false;
}

static bool evictable(const struct tf_slot *slot)
{
	return !slot->used || (tf_kce_present(slot) && !slot->pins && !slot->waits);
}

/* A slot never used, else the one allocated longest ago that nobody refers to. */
static u32 choose(const struct fabric *fabric, u32 k, u32 *obtainable)
{
	const struct tf_slot *slot, *best = NULL;
	u32 i;

	*obtainable = 0;
	for (i = 0; i < fabric->config.slots; i++) {
		slot = &fabric->kamlets[k].slots[i];
		if (!evictable(slot))
			continue;
		++*obtainable;
		if (!best || (best->used && (!slot->used || slot->allocated < best->allocated)))
			best = slot;
	}
	return best ? best - fabric->kamlets[k].slots : TF_NO_SLOT;
}

static void allocate(struct fabric *fabric, u32 k, u32 index, u32 line)
{
	struct tf_slot *slot = &fabric->kamlets[k].slots[index];
	bool dirty = slot->used && slot->state == FABRIC_LINE_DIRTY;

	slot->victim = dirty ? slot->line : TF_NO_LINE;
	slot->to_send = dirty ? (1U << fabric->layout.jamlets) - 1 : 0;
	slot->send_due = U64_MAX;
	slot->used = true;
	slot->line = line;
	slot->allocated = fabric->kamlets[k].allocations++;
	slot->arrived = 0;
	slot->ask = true;
	slot->ask_due = fabric->now + 1;
	set_state(fabric, k, slot, FABRIC_LINE_RESERVED);
	fabric->counters.fetches++;
	if (dirty)
		fabric->counters.evictions++;
	tf_wake(fabric, TF_UNIT_KCE + k, fabric->now + 1);
}

u32 tf_kce_claim(struct fabric *fabric, u32 k, u32 line, bool parked)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 index = tf_kce_find(fabric, k, line), obtainable;

	if (index != TF_NO_SLOT)
		return index;
	/* DRAM does not have the line yet. */
	if (tf_kce_leaving(fabric, k, line))
		return TF_NO_SLOT;
	index = choose(fabric, k, &obtainable);
	if (index == TF_NO_SLOT)
		return index;
	/* Requests must not starve the kinstruction that waits for a slot. */
	if (parked && kamlet->head_wants_slot && obtainable == 1)
		return TF_NO_SLOT;
	allocate(fabric, k, index, line);
	return index;
}

static void count_pinned(struct fabric *fabric, u32 k)
{
	const struct tf_slot *slot = fabric->kamlets[k].slots;
	u32 i, pinned = 0;

	for (i = 0; i < fabric->config.slots; i++)
		pinned += slot[i].pins || slot[i].waits;
	fabric->counters.pinned = max(fabric->counters.pinned, pinned);
}

void tf_kce_pin(struct fabric *fabric, u32 k, u32 slot)
{
	fabric->kamlets[k].slots[slot].pins++;
	count_pinned(fabric, k);
}

void tf_kce_unpin(struct fabric *fabric, u32 k, u32 slot)
{
	fabric->kamlets[k].slots[slot].pins--;
}

void tf_kce_modified(struct fabric *fabric, u32 k, u32 slot)
{
	struct tf_slot *entry = &fabric->kamlets[k].slots[slot];

	if (entry->state != FABRIC_LINE_DIRTY)
		set_state(fabric, k, entry, FABRIC_LINE_DIRTY);
}

/* Parked reads are answered, parked writes asked for their data, by the jamlets. */
static void wake_waiting(struct fabric *fabric, u32 k, u32 slot)
{
	struct tf_wait *wait;
	u32 i;

	for (i = 0; i < fabric->config.waits; i++) {
		wait = &fabric->kamlets[k].waits[i];
		if (wait->state != TF_WAIT_FETCHING || wait->stored.slot != slot)
			continue;
		wait->state = TF_WAIT_READY;
		tf_wake(fabric, TF_UNIT_INPUT + k * fabric->layout.jamlets + wait->stored.jamlet,
			fabric->now + 1);
	}
}

void tf_kce_part_in(struct fabric *fabric, u32 g, const struct tf_message *message)
{
	u32 jamlets = fabric->layout.jamlets, k = g / jamlets, j;
	struct tf_slot *slot = &fabric->kamlets[k].slots[message->slot];

	memcpy(tf_sram_word(fabric, g, message->slot, 0), message->data,
	       8 * fabric->config.line_words);
	slot->arrived |= 1U << g % jamlets;
	if (slot->arrived != (1U << jamlets) - 1)
		return;
	slot->victim = TF_NO_LINE;
	set_state(fabric, k, slot, FABRIC_LINE_CLEAN);
	wake_waiting(fabric, k, message->slot);
	tf_wake(fabric, TF_UNIT_KTE + k, fabric->now);
	for (j = 0; slot->pins && j < jamlets; j++)
		tf_wake(fabric, TF_UNIT_REQUESTER + k * jamlets + j, fabric->now);
}

static void send_parts_at(struct fabric *fabric, u32 k, struct tf_slot *slot, u64 tick)
{
	slot->send_due = tick;
	tf_wake(fabric, TF_UNIT_KCE + k, tick);
}

void tf_kce_part_dropped(struct fabric *fabric, u32 g, const struct tf_message *message)
{
	u32 jamlets = fabric->layout.jamlets, k = g / jamlets;
	struct tf_slot *slot = &fabric->kamlets[k].slots[message->slot];

	if (!slot->to_send)
		send_parts_at(fabric, k, slot, fabric->now + TF_RETRY_TICKS);
	slot->to_send |= 1U << g % jamlets;
}

static void send_parts(struct fabric *fabric, u32 k, u32 index)
{
	struct tf_slot *slot = &fabric->kamlets[k].slots[index];
	struct tf_message *message;
	u32 g;

	for (; slot->to_send; slot->to_send &= slot->to_send - 1) {
		g = k * fabric->layout.jamlets + __builtin_ctz(slot->to_send);
		message = tf_message_new(fabric, FABRIC_LINE_OUT);
		message->from = g;
		message->to = g;
		message->slot = index;
		message->line = slot->victim;
		memcpy(message->data, tf_sram_word(fabric, g, index, 0),
		       8 * fabric->config.line_words);
		tf_send_memlet(fabric, message, TF_FIFO_PARTS(k));
	}
}

/* The address message; a victim's parts follow a tick later. */
static void ask(struct fabric *fabric, u32 k, u32 index)
{
	struct tf_slot *slot = &fabric->kamlets[k].slots[index];
	bool swap = slot->victim != TF_NO_LINE;
	struct tf_message *message =
		tf_message_new(fabric, swap ? FABRIC_LINE_SWAP : FABRIC_LINE_FETCH);

	message->slot = index;
	message->line = swap ? slot->victim : slot->line;
	message->word = slot->line;
	tf_send_kamlet(fabric, message, TF_FIFO_LINES(k), k);
	slot->ask = false;
	set_state(fabric, k, slot, swap ? FABRIC_LINE_SWAPPING : FABRIC_LINE_FETCHING);
	if (swap && slot->send_due == U64_MAX)
		send_parts_at(fabric, k, slot, fabric->now + 1);
}

static void take_drops(struct fabric *fabric, u32 k)
{
	struct tf_message *message;
	struct tf_slot *slot;

	while ((message = tf_take(fabric, TF_FIFO_KCE(k)))) {
		slot = &fabric->kamlets[k].slots[message->slot];
		slot->ask = true;
		slot->ask_due = fabric->now + TF_RETRY_TICKS;
		set_state(fabric, k, slot, FABRIC_LINE_RESERVED);
		tf_wake(fabric, TF_UNIT_KCE + k, slot->ask_due);
		tf_message_free(fabric, message);
	}
}

void tf_kce_run(struct fabric *fabric, u32 k)
{
	struct tf_slot *slot, *first = NULL;
	u32 i, asking = 0;

	take_drops(fabric, k);
	for (i = 0; i < fabric->config.slots; i++) {
		slot = &fabric->kamlets[k].slots[i];
		if (slot->to_send && slot->send_due <= fabric->now)
			send_parts(fabric, k, i);
		if (!slot->ask || slot->ask_due > fabric->now)
			continue;
		asking++;
		if (!first || slot->allocated < first->allocated)
			first = slot;
	}
	if (first)
		ask(fabric, k, first - fabric->kamlets[k].slots);
	if (asking > 1)
		tf_wake(fabric, TF_UNIT_KCE + k, fabric->now + 1);
}

static bool same_request(const struct fabric *fabric, const struct tf_kce_row *row, u32 g,
			 const struct tf_message *request)
{
	return row->ident == request->ident && row->source == request->source &&
	       row->x == fabric->layout.x[request->from] &&
	       row->y == fabric->layout.y[request->from] &&
	       row->jamlet == g % fabric->layout.jamlets;
}

struct tf_wait *tf_kce_match(struct fabric *fabric, u32 g, const struct tf_message *request)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[g / fabric->layout.jamlets];
	u32 i;

	if (!kamlet->waiting)
		return NULL;
	for (i = 0; i < fabric->config.waits; i++)
		if (kamlet->waits[i].state != TF_WAIT_FREE &&
		    same_request(fabric, &kamlet->waits[i].stored, g, request))
			return &kamlet->waits[i];
	return NULL;
}

struct tf_wait *tf_kce_ready(struct fabric *fabric, u32 g)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[g / fabric->layout.jamlets];
	struct tf_wait *wait, *oldest = NULL;
	u32 i;

	for (i = 0; kamlet->waiting && i < fabric->config.waits; i++) {
		wait = &kamlet->waits[i];
		if (wait->state == TF_WAIT_READY &&
		    wait->stored.jamlet == g % fabric->layout.jamlets &&
		    (!oldest || wait->seq < oldest->seq))
			oldest = wait;
	}
	return oldest;
}

static struct tf_wait *free_wait(struct fabric *fabric, u32 k)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	struct tf_wait *wait = kamlet->waits;

	if (kamlet->waiting == fabric->config.waits)
		return NULL;
	while (wait->state != TF_WAIT_FREE)
		wait++;
	return wait;
}

bool tf_kce_park(struct fabric *fabric, u32 g, const struct tf_message *request,
		 enum fabric_drop *why)
{
	u32 k = g / fabric->layout.jamlets, slot;
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	struct tf_wait *wait = free_wait(fabric, k);

	*why = FABRIC_DROP_NO_WAIT;
	if (!wait)
		return false;
	*why = FABRIC_DROP_NO_SLOT;
	slot = tf_kce_claim(fabric, k, request->line, true);
	if (slot == TF_NO_SLOT)
		return false;
	wait->stored = (struct tf_kce_row) {
		.ident = request->ident,
		.writeset = tf_row_of(fabric, k, request->ident)->stored.writeset,
		.x = fabric->layout.x[request->from],
		.y = fabric->layout.y[request->from],
		.slot = slot,
		.jamlet = g % fabric->layout.jamlets,
		.source = request->source,
		.offset = request->target,
		.width = request->size % 8,
		.write = request->type == FABRIC_WR_REQ,
		.word = request->word,
	};
	wait->state = TF_WAIT_FETCHING;
	wait->seq = kamlet->wait_seq++;
	kamlet->slots[slot].waits++;
	kamlet->waiting++;
	fabric->counters.waits = max(fabric->counters.waits, kamlet->waiting);
	fabric->counters.misses++;
	count_pinned(fabric, k);
	return true;
}

void tf_kce_wait_free(struct fabric *fabric, u32 k, struct tf_wait *wait)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];

	wait->state = TF_WAIT_FREE;
	kamlet->slots[wait->stored.slot].waits--;
	kamlet->waiting--;
	tf_wake(fabric, TF_UNIT_KTE + k, fabric->now);
}

static void write_back(struct fabric *fabric, u32 k, u32 index, u32 line)
{
	u32 jamlets = fabric->layout.jamlets, g, w;

	for (g = k * jamlets; g < (k + 1) * jamlets; g++)
		for (w = 0; w < fabric->config.line_words; w++)
			*tf_dram_word(fabric, g, line, w) = *tf_sram_word(fabric, g, index, w);
}

/*
 * Between programs a line is whole; after fabric_abort() a victim may still be
 * on its way out, and its slot holds it until the wanted line comes.
 */
void tf_kce_write_back(struct fabric *fabric)
{
	struct tf_slot *slot;
	u32 k, i;

	for (k = 0; k < fabric->layout.kamlets; k++) {
		for (i = 0; i < fabric->config.slots; i++) {
			slot = &fabric->kamlets[k].slots[i];
			if (slot->used && slot->state == FABRIC_LINE_DIRTY)
				write_back(fabric, k, i, slot->line);
			else if (slot->used && slot->victim != TF_NO_LINE && !slot->arrived)
				write_back(fabric, k, i, slot->victim);
			memset(slot, 0, sizeof(*slot));
			slot->victim = TF_NO_LINE;
		}
	}
}
