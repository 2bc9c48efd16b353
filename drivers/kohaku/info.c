// SPDX-License-Identifier: GPL-2.0
/*
 * INFO and PROBE: what a node is and what this driver takes.
 */
#include "core.h"

int kohaku_info(struct kohaku_call *call)
{
	struct kohaku_node *node = call->file->node;
	struct kohaku_info *info = &call->arg.info;

	*info = (struct kohaku_info) {
		.size = info->size,
		.out_caps = node->caps,
		.out_node = node->index,
		.out_backend = node->ops->id,
		.out_state = kohaku_node_wedged(node) ? KOHAKU_NODE_WEDGED : KOHAKU_NODE_OK,
		.out_meshes = node->config.meshes,
		.out_dram_size = KOHAKU_DRAM_SIZE,
		.out_staging_size = KOHAKU_STAGING_SIZE,
		.out_max_ops = KOHAKU_MAX_OPS,
		.out_max_jobs = KOHAKU_MAX_JOBS,
		.out_max_buffers = KOHAKU_MAX_BUFFERS,
		.out_max_indices = KOHAKU_INDEX_MAX,
		.out_alignment = PAGE_SIZE,
		.out_staging_alignment = KOHAKU_STAGING_GRANULE,
		.out_complex = node->config.complex,
		.out_slot_depth = node->caps & KOHAKU_CAP_SLOT ? node->config.slot_depth : 0,
		.out_default_timeout_ns = KOHAKU_TIMEOUT_NS,
		.out_max_timeout_ns = KOHAKU_TIMEOUT_MAX_NS,
	};
	return kohaku_reply(call);
}

int kohaku_probe(struct kohaku_call *call)
{
	struct kohaku_probe *probe = &call->arg.probe;
	int ret = kohaku_command_probe(probe);

	if (ret)
		return ret;
	probe->out_caps = call->file->node->caps & KOHAKU_CAP_URING;
	return kohaku_reply(call);
}
