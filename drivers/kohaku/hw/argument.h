/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The arguments of commands, each by itself: what is refused before anything is
 * looked up.  Driver and embedded node ask here, so that both give the same errno.
 */
#ifndef KOHAKU_HW_ARGUMENT_H
#define KOHAKU_HW_ARGUMENT_H

#include "types.h"
#include <linux/kohaku.h>

/* -EOPNOTSUPP: no such tier; -EINVAL: no such mesh, or no bytes. */
int kohaku_buf_alloc_check(const struct kohaku_buf_alloc *alloc, u32 meshes);

/*
 * size: bytes of the buffer.  -EINVAL: not whole words, or not in the buffer;
 * -EFAULT: the user's bytes would go on past the last address.
 */
int kohaku_buf_io_check(const struct kohaku_buf_io *io, u64 size);

/* -EINVAL: too many operations, or shorter than in the first release; -E2BIG. */
int kohaku_submit_check(const struct kohaku_submit *submit);

/* The longest time that an operation of a job may take. */
u64 kohaku_submit_timeout(const struct kohaku_submit *submit);

#endif
