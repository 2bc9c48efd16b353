// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of the transfer fabrics of a node's open files, as debugfs shows them.
 */
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "core.h"
#include "sim/transfer/session.h"

/* Too large for the stack. */
struct kohaku_fabric_views {
	struct fabric_row_view rows[FABRIC_ROWS_MAX];
	struct fabric_slot_view slots[FABRIC_SLOTS_MAX];
	struct fabric_wait_view waits[FABRIC_WAITS_MAX];
};

/* One letter for each of the states that the hardware stores in three bits. */
static const char kohaku_byte_letters[] = "iRFq.TE-";

/* The eight bytes of a jamlet, byte 0 first. */
static void kohaku_show_bytes(struct seq_file *seq, u32 states)
{
	u32 byte;

	for (byte = 0; byte < 8; byte++)
		seq_putc(seq, kohaku_byte_letters[states >> (3 * byte) & 7]);
}

static void kohaku_show_rows(struct seq_file *seq, const struct fabric_session *session, u32 k,
			     struct fabric_row_view *rows)
{
	const struct fabric_config *config = fabric_config(session->fabric);
	u32 count = fabric_dump_rows(session->fabric, k, rows, FABRIC_ROWS_MAX), j;

	for (; count; count--, rows++) {
		seq_printf(seq, "  row %2u ident %3u insn %4u %-11s writeset %2d slot %2d open %3u%s",
			   rows->row, rows->ident, rows->op, fabric_row_state_name(rows->state),
			   rows->writeset, rows->slot, rows->open, rows->push ? " push" : "");
		for (j = 0; j < config->jamlet_columns * config->jamlet_rows; j++) {
			seq_putc(seq, ' ');
			kohaku_show_bytes(seq, rows->bytes[j]);
		}
		seq_putc(seq, '\n');
	}
}

static void kohaku_show_cache(struct seq_file *seq, const struct fabric_session *session, u32 k,
			      struct kohaku_fabric_views *views)
{
	const struct fabric_slot_view *slot = views->slots;
	const struct fabric_wait_view *wait = views->waits;
	u32 count;

	count = fabric_dump_slots(session->fabric, k, views->slots, FABRIC_SLOTS_MAX);
	for (; count; count--, slot++)
		seq_printf(seq, "  slot %2u line %5u %-8s pins %u waits %u\n", slot->slot,
			   slot->line, fabric_line_state_name(slot->state), slot->pins,
			   slot->waits);
	count = fabric_dump_waits(session->fabric, k, views->waits, FABRIC_WAITS_MAX);
	for (; count; count--, wait++)
		seq_printf(seq, "  wait ident %3u %s of jamlet %u word %u byte %u size %u for (%u, %u) byte %u slot %u%s\n",
			   wait->ident, wait->write ? "write" : "read", wait->jamlet, wait->word,
			   wait->byte, wait->size, wait->source.x, wait->source.y,
			   wait->source_byte, wait->slot, wait->retried ? " asked again" : "");
}

static void kohaku_show_session(struct seq_file *seq, const struct fabric_session *session,
				struct kohaku_fabric_views *views)
{
	const struct fabric_config *config = fabric_config(session->fabric);
	const struct fabric_counters *counters = fabric_counters(session->fabric);
	u32 k;

	seq_printf(seq, "kamlets %ux%u jamlets %ux%u pages %u of %u bytes\n",
		   config->kamlet_columns, config->kamlet_rows, config->jamlet_columns,
		   config->jamlet_rows, session->pages, config->page_bytes);
	seq_printf(seq, "tick %llu %s job %llu operation %u insns %u\n",
		   fabric_tick(session->fabric), session->running ? "running" : "idle",
		   session->job, session->index, session->count);
	seq_printf(seq, "most rows %u/%u waits %u/%u pinned %u/%u idents %u/%u syncs %u/%u\n",
		   counters->rows, config->rows, counters->waits, config->waits,
		   counters->pinned, config->slots, counters->idents, config->idents,
		   counters->syncs, config->syncs);
	for (k = 0; k < config->kamlet_columns * config->kamlet_rows; k++) {
		seq_printf(seq, " kamlet %u\n", k);
		kohaku_show_rows(seq, session, k, views->rows);
		kohaku_show_cache(seq, session, k, views);
	}
}

int kohaku_fabric_show(struct seq_file *seq, struct kohaku_node *node)
{
	struct kohaku_fabric_views *views = kmalloc(sizeof(*views), GFP_KERNEL);
	struct kohaku_file *file;

	if (!views)
		return -ENOMEM;
	seq_puts(seq, "# bytes: i not looked at, R to be sent, F waits for the verdict, q sent,\n");
	seq_puts(seq, "#        . done, - nothing to do; of a push sends + 3 * expects\n");
	mutex_lock(&node->files_lock);
	list_for_each_entry(file, &node->files, link) {
		struct kohaku_fabric *fabric = READ_ONCE(file->fabric);

		if (!fabric)
			continue;
		seq_printf(seq, "file %llu\n", file->id);
		kohaku_show_session(seq, kohaku_fabric_lock(fabric), views);
		kohaku_fabric_unlock(fabric);
	}
	mutex_unlock(&node->files_lock);
	kfree(views);
	return 0;
}
