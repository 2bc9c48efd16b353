/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How the relayout code says why it refuses. */
#ifndef LIB_REASON_H
#define LIB_REASON_H

#include "kohaku_relayout.h"

/* Fills reason, which may be NULL, and returns error. */
int reason_set(struct kohaku_reason *reason, int error, int position, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
