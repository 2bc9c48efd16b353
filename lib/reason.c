// SPDX-License-Identifier: LGPL-2.1-or-later
#include "reason.h"

#include <stdarg.h>
#include <stdio.h>

int reason_set(struct kohaku_reason *reason, int error, int position, const char *format, ...)
{
	va_list args;

	if (!reason)
		return error;
	reason->position = position;
	va_start(args, format);
	vsnprintf(reason->text, sizeof(reason->text), format, args);
	va_end(args);
	return error;
}
