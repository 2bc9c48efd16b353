/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * How much of everything a node takes: the figures of INFO, the same for the
 * driver and for the embedded node.
 */
#ifndef KOHAKU_HW_LIMITS_H
#define KOHAKU_HW_LIMITS_H

#include "types.h"
#include <linux/kohaku.h>

#define KOHAKU_MAX_OPS		256		/* operations of a job */
#define KOHAKU_MAX_JOBS		256		/* outstanding jobs of a file */
#define KOHAKU_MAX_BUFFERS	4096		/* buffers of a file */
#define KOHAKU_STAGING_GRANULE	256		/* bytes */
#define KOHAKU_MAX_INSNS	1024		/* instructions of a transfer program */
#define KOHAKU_MAX_FABRIC_IO	(1U << 20)	/* bytes of one FABRIC_READ or WRITE */
#define KOHAKU_MAX_STRUCT	4096		/* of the struct of a command, bytes */
#define KOHAKU_MAX_STRIDE	4096		/* of an array in user memory, bytes */
#define KOHAKU_TIMEOUT_NS	10000000000ULL	/* of an operation, when none is given */
#define KOHAKU_TIMEOUT_MAX_NS	60000000000ULL

/* Bytes of a completion that read() hands out: those of the first release. */
#define KOHAKU_RECORD_SIZE							\
	(offsetof(struct kohaku_completion, core_cycles) + sizeof(__u64))

#endif
