// SPDX-License-Identifier: GPL-2.0
/*
 * The dispatcher: every command comes through here, checked for its size, its
 * flags and its reserved fields before its handler sees it.
 */
#include <linux/uaccess.h>

#include "core.h"

static int (*const kohaku_handlers[KOHAKU_COMMANDS])(struct kohaku_call *call) = {
	[KOHAKU_NR_INFO - KOHAKU_CMD_BASE] = kohaku_info,
	[KOHAKU_NR_PROBE - KOHAKU_CMD_BASE] = kohaku_probe,
	[KOHAKU_NR_BUF_ALLOC - KOHAKU_CMD_BASE] = kohaku_buf_alloc,
	[KOHAKU_NR_BUF_FREE - KOHAKU_CMD_BASE] = kohaku_buf_free,
	[KOHAKU_NR_BUF_READ - KOHAKU_CMD_BASE] = kohaku_buf_io,
	[KOHAKU_NR_BUF_WRITE - KOHAKU_CMD_BASE] = kohaku_buf_io,
	[KOHAKU_NR_SUBMIT - KOHAKU_CMD_BASE] = kohaku_submit,
	[KOHAKU_NR_WAIT - KOHAKU_CMD_BASE] = kohaku_wait,
	[KOHAKU_NR_EVENTFD - KOHAKU_CMD_BASE] = kohaku_eventfd,
	[KOHAKU_NR_FAULT_READ - KOHAKU_CMD_BASE] = kohaku_fault_read,
	[KOHAKU_NR_RESET - KOHAKU_CMD_BASE] = kohaku_reset,
	[KOHAKU_NR_SLOT_QUERY - KOHAKU_CMD_BASE] = kohaku_slot_query_run,
	[KOHAKU_NR_FABRIC_QUERY - KOHAKU_CMD_BASE] = kohaku_fabric_query,
	[KOHAKU_NR_FABRIC_MAP - KOHAKU_CMD_BASE] = kohaku_fabric_map,
	[KOHAKU_NR_FABRIC_UNMAP - KOHAKU_CMD_BASE] = kohaku_fabric_unmap,
	[KOHAKU_NR_FABRIC_LAYOUT - KOHAKU_CMD_BASE] = kohaku_fabric_layout,
	[KOHAKU_NR_FABRIC_READ - KOHAKU_CMD_BASE] = kohaku_fabric_io,
	[KOHAKU_NR_FABRIC_WRITE - KOHAKU_CMD_BASE] = kohaku_fabric_io,
	[KOHAKU_NR_FABRIC_RESULTS - KOHAKU_CMD_BASE] = kohaku_fabric_results,
	[KOHAKU_NR_FABRIC_TRACE - KOHAKU_CMD_BASE] = kohaku_fabric_trace,
};

/* Copies out as much of the struct as both sides know. */
int kohaku_reply(struct kohaku_call *call)
{
	u32 size = min(call->user_size, call->command->size);

	return copy_to_user(call->user, &call->arg, size) ? -EFAULT : 0;
}

/* What every entry into the driver asks first. */
int kohaku_check_alive(struct kohaku_file *file)
{
	if (READ_ONCE(file->node->gone))
		return -ENODEV;
	return READ_ONCE(file->stale) ? -ECANCELED : 0;
}

/* Copies the struct of user_size bytes in and checks what all commands have. */
int kohaku_call_take(struct kohaku_call *call)
{
	int ret;

	ret = kohaku_command_check_size(call->command, call->user_size);
	if (ret)
		return ret;
	ret = copy_struct_from_user(&call->arg, call->command->size, call->user,
				    call->user_size);
	return ret ? ret : kohaku_command_check(call->command, &call->arg);
}

int kohaku_call_run(struct kohaku_call *call)
{
	return kohaku_handlers[_IOC_NR(call->command->nr) - KOHAKU_CMD_BASE](call);
}

long kohaku_ioctl(struct file *filp, unsigned int cmd, unsigned long arg)
{
	struct kohaku_call call = {
		.file = filp->private_data,
		.command = kohaku_command_find(cmd),
		.user = (void __user *)arg,
	};
	int ret;

	if (!call.command)
		return -ENOIOCTLCMD;
	ret = kohaku_check_alive(call.file);
	if (ret)
		return ret;
	if (get_user(call.user_size, (u32 __user *)call.user))
		return -EFAULT;
	ret = kohaku_call_take(&call);
	return ret ? ret : kohaku_call_run(&call);
}
