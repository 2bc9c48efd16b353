// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A memlet: the DRAM port of one kamlet.  A swap first gathers the victim from
 * all jamlets, then writes it and reads the wanted line together.
 */
#include "units.h"

static u64 *gathered(struct fabric *fabric, u32 g, u32 gather)
{
	return &fabric->gathered[(g * TF_GATHERS + gather) * fabric->config.line_words];
}

static void enqueue_access(struct tf_memlet *memlet, u32 slot, u32 line, u32 gather)
{
	u32 at = (memlet->queue_head + memlet->queue_count++) % FABRIC_SLOTS_MAX;

	memlet->queue[at] = (struct tf_access) { .slot = slot, .line = line, .gather = gather };
}

static struct tf_gather *gather_of(struct tf_memlet *memlet, u32 slot)
{
	u32 i;

	for (i = 0; i < TF_GATHERS; i++)
		if (memlet->gathers[i].used && memlet->gathers[i].slot == slot)
			return &memlet->gathers[i];
	return NULL;
}

static bool open_gather(struct tf_memlet *memlet, const struct tf_message *message)
{
	u32 i;

	for (i = 0; i < TF_GATHERS; i++) {
		if (memlet->gathers[i].used)
			continue;
		memlet->gathers[i] = (struct tf_gather) {
			.used = true,
			.slot = message->slot,
			.victim = message->line,
			.line = message->word,
		};
		return true;
	}
	return false;
}

static void take_address(struct fabric *fabric, u32 k, const struct tf_message *message)
{
	struct tf_memlet *memlet = &fabric->kamlets[k].memlet;
	struct tf_message *drop;

	if (message->type == FABRIC_LINE_FETCH) {
		enqueue_access(memlet, message->slot, message->line, TF_GATHERS);
	} else if (!open_gather(memlet, message)) {
		drop = tf_message_new(fabric, FABRIC_LINE_DROP);
		drop->slot = message->slot;
		tf_send_kamlet(fabric, drop, TF_FIFO_KCE(k), k);
	}
}

static void take_part(struct fabric *fabric, u32 k, const struct tf_message *message)
{
	struct tf_memlet *memlet = &fabric->kamlets[k].memlet;
	struct tf_gather *gather = gather_of(memlet, message->slot);
	u32 g = message->from, jamlets = fabric->layout.jamlets;
	struct tf_message *drop;

	if (!gather) {
		drop = tf_message_new(fabric, FABRIC_LINE_OUT_DROP);
		drop->from = g;
		drop->to = g;
		drop->slot = message->slot;
		tf_send_memlet(fabric, drop, TF_FIFO_JAMLET(g, 0));
		return;
	}
	memcpy(gathered(fabric, g, gather - memlet->gathers), message->data,
	       8 * fabric->config.line_words);
	gather->got |= 1U << g % jamlets;
	if (gather->got == (1U << jamlets) - 1)
		enqueue_access(memlet, gather->slot, gather->line, gather - memlet->gathers);
}

static void write_victim(struct fabric *fabric, u32 k, u32 index)
{
	struct tf_gather *gather = &fabric->kamlets[k].memlet.gathers[index];
	u32 j, w, g;

	for (j = 0; j < fabric->layout.jamlets; j++) {
		g = k * fabric->layout.jamlets + j;
		for (w = 0; w < fabric->config.line_words; w++)
			*tf_dram_word(fabric, g, gather->victim, w) = gathered(fabric, g, index)[w];
	}
	gather->used = false;
}

static void send_line(struct fabric *fabric, u32 k, const struct tf_access *access)
{
	struct tf_message *message;
	u32 j, w, g;

	for (j = 0; j < fabric->layout.jamlets; j++) {
		g = k * fabric->layout.jamlets + j;
		message = tf_message_new(fabric, FABRIC_LINE_IN);
		message->from = g;
		message->to = g;
		message->slot = access->slot;
		message->line = access->line;
		for (w = 0; w < fabric->config.line_words; w++)
			message->data[w] = *tf_dram_word(fabric, g, access->line, w);
		tf_send_memlet(fabric, message, TF_FIFO_JAMLET(g, 0));
	}
}

/* A swap is a write and a read. */
static u32 access_units(const struct tf_access *access)
{
	return access->gather == TF_GATHERS ? 1 : 2;
}

static void finish_accesses(struct fabric *fabric, u32 k)
{
	struct tf_memlet *memlet = &fabric->kamlets[k].memlet;
	struct tf_access access;

	while (memlet->running_count && memlet->running[0].done <= fabric->now) {
		access = memlet->running[0];
		memlet->running[0] = memlet->running[1];
		memlet->running_count--;
		memlet->units -= access_units(&access);
		if (access.gather < TF_GATHERS)
			write_victim(fabric, k, access.gather);
		send_line(fabric, k, &access);
	}
}

static void start_accesses(struct fabric *fabric, u32 k)
{
	struct tf_memlet *memlet = &fabric->kamlets[k].memlet;
	struct tf_access *access;

	while (memlet->queue_count) {
		access = &memlet->queue[memlet->queue_head];
		if (memlet->units + access_units(access) > TF_MEMLET_UNITS)
			return;
		memlet->units += access_units(access);
		access->done = fabric->now + TF_MEMLET_TICKS;
		memlet->running[memlet->running_count++] = *access;
		memlet->queue_head = (memlet->queue_head + 1) % FABRIC_SLOTS_MAX;
		memlet->queue_count--;
		tf_wake(fabric, TF_UNIT_MEMLET + k, fabric->now + TF_MEMLET_TICKS);
	}
}

void tf_memlet_run(struct fabric *fabric, u32 k)
{
	struct tf_message *message;

	finish_accesses(fabric, k);
	while ((message = tf_take(fabric, TF_FIFO_LINES(k)))) {
		take_address(fabric, k, message);
		tf_message_free(fabric, message);
	}
	while ((message = tf_take(fabric, TF_FIFO_PARTS(k)))) {
		take_part(fabric, k, message);
		tf_message_free(fabric, message);
	}
	start_accesses(fabric, k);
}
