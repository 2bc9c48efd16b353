// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The transform slot of the embedded node, and the table of its palette.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "embedded.h"

void embedded_slot_init(struct embedded *node)
{
	u32 mesh;

	if (!kohaku_slot_present(&node->bus))
		return;
	for (mesh = 0; mesh < node->config.meshes; mesh++)
		kohaku_palette_read(&node->bus, mesh, node->mesh[mesh].palette);
}

void embedded_mesh_reset(struct embedded *node, u32 mesh)
{
	sim_mesh_reset(node->node, mesh);
	if (kohaku_slot_present(&node->bus))
		kohaku_palette_write(&node->bus, mesh, node->mesh[mesh].palette);
}

static int copy_table(const struct embedded *node, struct kohaku_slot_query *query, u32 size)
{
	u32 room = query->table_count;

	query->table_count = size;
	if (!query->table || !size)
		return 0;
	if (room < size)
		return -EMSGSIZE;
	memcpy((void *)(uintptr_t)query->table, node->mesh[query->mesh].palette,
	       size * sizeof(u16));
	return 0;
}

int embedded_slot_query(struct embedded *node, union kohaku_command_arg *arg)
{
	struct kohaku_slot_query *query = &arg->slot_query;
	struct kohaku_occupant occupant;
	int err;

	if (query->mesh >= node->config.meshes)
		return -EINVAL;
	err = kohaku_slot_query(&node->bus, query->mesh, query->occupant, &occupant);
	if (err)
		return err;
	query->out_in_words = occupant.in_words;
	query->out_out_words = occupant.out_words;
	query->out_bank_fault = kohaku_slot_fault(&node->bus, query->mesh);
	memset(query->out_name, 0, sizeof(query->out_name));
	snprintf((char *)query->out_name, sizeof(query->out_name), "%s",
		 kohaku_occupant_name(query->occupant));
	return copy_table(node, query, occupant.table_size);
}

/* What SUBMIT does for a SLOT_LOAD: its values are copied in. */
int embedded_slot_prepare(struct embedded *node, struct embedded_task *task)
{
	const struct kohaku_slot_load *load = &task->op.slot_load;

	if (!(node->caps & KOHAKU_CAP_SLOT))
		return -EOPNOTSUPP;
	task->values = malloc(load->count * sizeof(u16));
	if (!task->values)
		return -ENOMEM;
	return embedded_fetch(task->values, load->values, load->count * sizeof(u16));
}

void embedded_slot_load(struct embedded *node, const struct embedded_task *task)
{
	const struct kohaku_slot_load *load = &task->op.slot_load;
	u16 *palette = node->mesh[task->op.mesh].palette;

	memcpy(palette + load->first, task->values, load->count * sizeof(u16));
	kohaku_palette_write(&node->bus, task->op.mesh, palette);
}

/* Asks the bank how large an entry of a transform is; 0 if nobody is there. */
int embedded_entry_words(struct embedded *node, const struct kohaku_op *op, u32 *words)
{
	struct kohaku_occupant occupant;
	int err;

	*words = 0;
	if (op->move.mode != KOHAKU_MOVE_XFORM)
		return 0;
	err = kohaku_slot_query(&node->bus, op->mesh, op->move.xform, &occupant);
	if (!err)
		*words = occupant.in_words;
	return err == -ENOENT ? 0 : err;
}
