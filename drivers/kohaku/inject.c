// SPDX-License-Identifier: GPL-2.0
/*
 * Faults on request, at points of the driver's own.  /sys/kernel/debug/kohaku/fail_at
 * makes the n-th of them from now on fail, whoever comes by, and reads as 0 then.
 *
 * On a kernel with FAULT_INJECTION they count in the fail-nth of a task as well,
 * like any allocation, and /sys/kernel/debug/kohaku/fail makes them fail at random.
 */
#include <linux/debugfs.h>

#include "core.h"

static KOHAKU_FAULT_ATTR(kohaku_fail);
static atomic_t kohaku_fail_at;		/* points left, that one included; 0: none fails */

/* Shall the caller fail here, as if what it is about to do had? */
bool kohaku_injected(void)
{
	return !atomic_dec_if_positive(&kohaku_fail_at) || kohaku_should_fail(&kohaku_fail);
}

void kohaku_inject_init(struct dentry *dir)
{
	atomic_set(&kohaku_fail_at, 0);
	debugfs_create_atomic_t("fail_at", 0600, dir, &kohaku_fail_at);
	kohaku_fault_attr_init(&kohaku_fail, dir);
}
