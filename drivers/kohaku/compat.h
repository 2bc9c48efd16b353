/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one place that looks at which kernel it is built against: by feature,
 * never by version, since stable trees take new interfaces in.  KOHAKU_HAVE_*
 * comes from Kbuild, for what the preprocessor cannot see.
 */
#ifndef KOHAKU_COMPAT_H
#define KOHAKU_COMPAT_H

#include <linux/device.h>
#include <linux/eventfd.h>
#include <linux/mm.h>

/* 6.1 has the interface for commands in the general header. */
#ifdef KOHAKU_HAVE_URING_HEADER
#include <linux/io_uring/cmd.h>
#else
#include <linux/io_uring.h>
#endif

/* 6.1 */
#ifndef KOHAKU_HAVE_VM_FLAGS_SET
static inline void vm_flags_set(struct vm_area_struct *vma, vm_flags_t flags)
{
	vma->vm_flags |= flags;
}
#endif

/* 6.1 counts by a second argument. */
static inline void kohaku_eventfd_signal(struct eventfd_ctx *ctx)
{
#ifdef KOHAKU_HAVE_EVENTFD_SIGNAL_1ARG
	eventfd_signal(ctx);
#else
	eventfd_signal(ctx, 1);
#endif
}

/* Faults on request: the attribute's type is there only with the option. */
#ifdef CONFIG_FAULT_INJECTION
#include <linux/fault-inject.h>
#define KOHAKU_FAULT_ATTR(name) DECLARE_FAULT_ATTR(name)
#define kohaku_should_fail(attr) should_fail(attr, 1)
#define kohaku_fault_attr_init(attr, dir) do {				\
	(attr)->verbose = 0;						\
	fault_create_debugfs_attr("fail", dir, attr);			\
} while (0)
#else
#define KOHAKU_FAULT_ATTR(name) const struct { } name
#define kohaku_should_fail(attr) ((void)(attr), false)
#define kohaku_fault_attr_init(attr, dir) ((void)(attr), (void)(dir))
#endif

/* The payload of a submission, in memory that user space can still write to. */
static inline const void *kohaku_uring_payload(const struct io_uring_cmd *cmd)
{
#ifdef KOHAKU_HAVE_URING_HEADER
	return cmd->sqe->cmd;
#else
	return cmd->cmd;
#endif
}

/* The second result of older kernels is for large completions only. */
static inline void kohaku_uring_done(struct io_uring_cmd *cmd, int ret, unsigned int issue_flags)
{
#ifdef KOHAKU_HAVE_URING_DONE32
	io_uring_cmd_done(cmd, ret, issue_flags);
#else
	io_uring_cmd_done(cmd, ret, 0, issue_flags);
#endif
}

/* 6.1 cannot call a command back that the driver keeps. */
#ifdef KOHAKU_HAVE_URING_CANCEL
#define KOHAKU_URING_CANCELS true
#else
#define KOHAKU_URING_CANCELS false
#define IO_URING_F_CANCEL 0
static inline void io_uring_cmd_mark_cancelable(struct io_uring_cmd *cmd,
						unsigned int issue_flags)
{
}
#endif

#ifndef io_uring_cmd_to_pdu
#define io_uring_cmd_to_pdu(cmd, type) ((type *)&(cmd)->pdu)
#endif

/* Defines name_work() for io_uring_cmd_complete_in_task(): it calls name(cmd, issue_flags). */
#ifdef KOHAKU_HAVE_URING_TASK_WORK_REQ
#define KOHAKU_URING_WORK(name)						\
static void name##_work(struct io_tw_req req, io_tw_token_t token)	\
{									\
	name(io_uring_cmd_from_tw(req), IO_URING_CMD_TASK_WORK_ISSUE_FLAGS); \
}
#else
#define KOHAKU_URING_WORK(name)						\
static void name##_work(struct io_uring_cmd *cmd, unsigned int issue_flags) \
{									\
	name(cmd, issue_flags);						\
}
#endif

/* class->devnode takes a device that 6.1 does not call const. */
#ifdef KOHAKU_HAVE_CONST_CLASS_DEVNODE
#define kohaku_class_dev const struct device
#else
#define kohaku_class_dev struct device
#endif

#endif
