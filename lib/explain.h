/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Why the node refused a job.
 */
#ifndef KOHAKU_LIB_EXPLAIN_H
#define KOHAKU_LIB_EXPLAIN_H

#include "internal.h"

/* Writes what is wrong with a job; false when that cannot be told from here. */
bool explain_submit(struct kohaku_device *device, const struct kohaku_submit *submit, int error,
		    char *text, size_t size);

#endif
