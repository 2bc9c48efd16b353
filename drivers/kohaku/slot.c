// SPDX-License-Identifier: GPL-2.0
/*
 * The transform slot: SLOT_QUERY, and the tables of its occupants.
 *
 * A table belongs to an open file and a mesh.  Before a transform the runner
 * loads the table of the transform's file if another one's is in the hardware, so
 * no file ever works with, or reads, what another one loaded.
 */
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "core.h"

/* mesh->palette when what is in the hardware belongs to nobody. */
#define KOHAKU_PALETTE_UNKNOWN	U64_MAX

/* Gives file a table of its own for a mesh, so that loading it cannot fail. */
static int kohaku_palette_make(struct kohaku_file *file, u32 mesh)
{
	u16 *palette;

	if (READ_ONCE(file->palettes[mesh]))
		return 0;
	palette = kmemdup(file->node->palette, sizeof(file->node->palette), GFP_KERNEL_ACCOUNT);
	if (!palette)
		return -ENOMEM;
	/* Somebody who shares the file may have been faster. */
	if (cmpxchg(&file->palettes[mesh], NULL, palette))
		kfree(palette);
	return 0;
}

/* What SUBMIT does for a SLOT_LOAD: its values are copied in. */
int kohaku_slot_prepare(struct kohaku_file *file, struct kohaku_task *task)
{
	const struct kohaku_slot_load *load = &task->op.slot_load;
	void *values;

	if (!(file->node->caps & KOHAKU_CAP_SLOT))
		return -EOPNOTSUPP;
	values = memdup_user(u64_to_user_ptr(load->values), load->count * sizeof(u16));
	if (IS_ERR(values))
		return PTR_ERR(values);
	task->values = values;
	return kohaku_palette_make(file, task->op.mesh);
}

/* Runs a SLOT_LOAD: the next transform of the file finds its table changed. */
void kohaku_slot_load(struct kohaku_mesh *mesh, struct kohaku_task *task)
{
	const struct kohaku_slot_load *load = &task->op.slot_load;
	struct kohaku_file *file = mesh->strand->job->file;

	spin_lock(&mesh->node->queue_lock);
	memcpy(file->palettes[mesh->index] + load->first, task->values,
	       load->count * sizeof(u16));
	spin_unlock(&mesh->node->queue_lock);
	if (mesh->palette == file->id)
		mesh->palette = KOHAKU_PALETTE_UNKNOWN;
}

/* Before a transform: puts the table of its file into the hardware. */
void kohaku_slot_apply(struct kohaku_mesh *mesh, const struct kohaku_task *task)
{
	struct kohaku_file *file = mesh->strand->job->file;
	const u16 *palette = file->palettes[mesh->index];
	u64 owner = palette ? file->id : 0;

	if (task->op.move.xform != KOHAKU_OCCUPANT_PALETTE || mesh->palette == owner)
		return;
	kohaku_palette_write(&mesh->node->bus, mesh->index,
			     palette ? palette : mesh->node->palette);
	mesh->palette = owner;
}

void kohaku_slot_free(struct kohaku_file *file)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(file->palettes); i++)
		kfree(file->palettes[i]);
}

/* Copies the table of an occupant out as the file's transforms see it. */
static int kohaku_slot_table(struct kohaku_file *file, struct kohaku_slot_query *query, u32 size)
{
	u16 values[KOHAKU_PALETTE_SIZE];
	u32 room = query->table_count;
	const u16 *palette;

	query->table_count = size;
	if (!query->table || !size)
		return 0;
	if (room < size)
		return -EMSGSIZE;
	spin_lock(&file->node->queue_lock);
	palette = file->palettes[query->mesh];
	memcpy(values, palette ? palette : file->node->palette, sizeof(values));
	spin_unlock(&file->node->queue_lock);
	return copy_to_user(u64_to_user_ptr(query->table), values, sizeof(values)) ? -EFAULT : 0;
}

int kohaku_slot_query_run(struct kohaku_call *call)
{
	struct kohaku_slot_query *query = &call->arg.slot_query;
	struct kohaku_node *node = call->file->node;
	struct kohaku_occupant occupant;
	struct kohaku_guard guard;
	int ret = -ENODEV;

	if (query->mesh >= node->config.meshes)
		return -EINVAL;
	guard = kohaku_enter(node);
	if (guard.alive) {
		ret = kohaku_slot_query(&node->bus, query->mesh, query->occupant, &occupant);
		query->out_bank_fault = kohaku_slot_fault(&node->bus, query->mesh);
	}
	kohaku_leave(guard);
	if (ret)
		return ret;
	query->out_in_words = occupant.in_words;
	query->out_out_words = occupant.out_words;
	memset(query->out_name, 0, sizeof(query->out_name));
	strscpy(query->out_name, kohaku_occupant_name(query->occupant), sizeof(query->out_name));
	ret = kohaku_slot_table(call->file, query, occupant.table_size);
	if (ret && ret != -EMSGSIZE)
		return ret;
	return kohaku_reply(call) ? -EFAULT : ret;
}
