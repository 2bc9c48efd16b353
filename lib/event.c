// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The ends of asynchronous jobs.
 */
#include <errno.h>

#include "hw/limits.h"
#include "internal.h"

int kohaku_device_eventfd(struct kohaku_device *device, int fd)
{
	struct kohaku_eventfd arg = { .size = sizeof(arg), .fd = fd };

	return kohaku_device_command(device, KOHAKU_EVENTFD, &arg);
}

int kohaku_wait(struct kohaku_device *device, uint64_t job, uint64_t deadline_ns,
		struct kohaku_completion *out)
{
	struct kohaku_wait wait = {
		.size = sizeof(wait),
		.job = job,
		.deadline_ns = deadline_ns,
	};
	int err = kohaku_device_command(device, KOHAKU_WAIT, &wait);

	if (!err)
		*out = wait.completion;
	return err;
}

/* Once they differ records must be spread out into the longer structs here. */
static_assert(sizeof(struct kohaku_completion) == KOHAKU_RECORD_SIZE,
	      "a record is a whole completion");

int kohaku_completions_read(struct kohaku_device *device, struct kohaku_completion *out,
			    unsigned int count)
{
	ssize_t bytes = device->backend->read(device, out, count * sizeof(*out));

	return bytes < 0 ? (int)bytes : (int)(bytes / (ssize_t)sizeof(*out));
}
