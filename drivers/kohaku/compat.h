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

/* class->devnode takes a device that 6.1 does not call const. */
#ifdef KOHAKU_HAVE_CONST_CLASS_DEVNODE
#define kohaku_class_dev const struct device
#else
#define kohaku_class_dev struct device
#endif

#endif
