// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "argument.h"
#include "limits.h"
#include "regs.h"

int kohaku_buf_alloc_check(const struct kohaku_buf_alloc *alloc, u32 meshes)
{
	if (alloc->tier != KOHAKU_TIER_DRAM && alloc->tier != KOHAKU_TIER_STAGING)
		return -EOPNOTSUPP;
	return alloc->mesh >= meshes || !alloc->length ? -EINVAL : 0;
}

int kohaku_buf_io_check(const struct kohaku_buf_io *io, u64 size)
{
	if ((io->offset | io->length) % KOHAKU_WORD || io->offset > size ||
	    io->length > size - io->offset)
		return -EINVAL;
	return io->data + io->length < io->data ? -EFAULT : 0;
}

int kohaku_submit_check(const struct kohaku_submit *submit)
{
	if (submit->count > KOHAKU_MAX_OPS)
		return -EINVAL;
	if (submit->count && submit->stride < sizeof(struct kohaku_op))
		return -EINVAL;
	return submit->stride > KOHAKU_MAX_STRIDE ? -E2BIG : 0;
}

u64 kohaku_submit_timeout(const struct kohaku_submit *submit)
{
	if (!submit->timeout_ns)
		return KOHAKU_TIMEOUT_NS;
	return min_t(u64, submit->timeout_ns, KOHAKU_TIMEOUT_MAX_NS);
}
