// SPDX-License-Identifier: GPL-2.0
/*
 * RESET: back to a node that works, at the expense of everybody else.
 */
#include <linux/capability.h>

#include "core.h"

static void kohaku_revoke_others(struct kohaku_node *node, struct kohaku_file *mine)
{
	struct kohaku_file *file;

	mutex_lock(&node->files_lock);
	list_for_each_entry(file, &node->files, link) {
		if (file != mine)
			kohaku_file_revoke(file);
	}
	mutex_unlock(&node->files_lock);
	kohaku_queue_cancel(node, mine, -ECANCELED);
}

static int kohaku_reset_meshes(struct kohaku_node *node)
{
	int ret = 0;
	u32 i;

	for (i = 0; i < node->config.meshes; i++) {
		struct kohaku_mesh *mesh = &node->mesh[i];
		int failed;

		kohaku_mesh_acquire(mesh);
		failed = kohaku_mesh_recover(mesh);
		kohaku_mesh_release(mesh);
		ret = ret ? ret : failed;
	}
	return ret;
}

int kohaku_reset(struct kohaku_call *call)
{
	struct kohaku_node *node = call->file->node;
	struct kohaku_guard guard;
	int ret = -ENODEV;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	kohaku_revoke_others(node, call->file);
	guard = kohaku_enter(node);
	if (guard.alive)
		ret = kohaku_reset_meshes(node);
	kohaku_leave(guard);
	return ret;
}
