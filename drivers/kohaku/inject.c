// SPDX-License-Identifier: GPL-2.0
/*
 * Faults on request where nothing is allocated: on a kernel with FAULT_INJECTION
 * these points count in the fail-nth of a task like any allocation, and
 * /sys/kernel/debug/kohaku/fail makes them fail at random, in workers too.
 */
#include "core.h"

static KOHAKU_FAULT_ATTR(kohaku_fail);

/* Shall the caller fail here, as if what it is about to do had? */
bool kohaku_injected(void)
{
	return kohaku_should_fail(&kohaku_fail);
}

void kohaku_inject_init(struct dentry *dir)
{
	kohaku_fault_attr_init(&kohaku_fail, dir);
}
