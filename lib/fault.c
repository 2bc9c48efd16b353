// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Fault records.
 */
#include "hw/op.h"
#include "internal.h"

int kohaku_fault_read(struct kohaku_device *device, int clear, struct kohaku_fault_read *out)
{
	*out = (struct kohaku_fault_read){
		.size = sizeof(*out),
		.flags = clear ? KOHAKU_FAULT_CLEAR : 0,
	};
	return kohaku_device_command(device, KOHAKU_FAULT_READ, out);
}

const char *kohaku_fault_text(uint32_t code)
{
	return kohaku_fault_code_name(code);
}
