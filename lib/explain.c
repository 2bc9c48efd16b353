// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One line for a person about a command that failed: what, why, what to do.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "hw/command.h"
#include "internal.h"

static const struct {
	int error;
	const char *text;
} general[] = {
	{ ENOTTY, "this node does not have the command; load a newer driver" },
	{ EINVAL, "a field is out of range; see the command in <linux/kohaku.h>" },
	{ E2BIG, "the driver does not know all that was asked; load a newer one" },
	{ EOPNOTSUPP, "unknown flag or value, or not on this node; ask PROBE and INFO" },
	{ ENOENT, "no such id in this open file; it was freed, collected, or is another file's" },
	{ EBUSY, "it is still in use; wait for the jobs that use it" },
	{ EAGAIN, "too many jobs are outstanding; collect completions first" },
	{ EEXIST, "there is one already; unmap it first" },
	{ ENOSPC, "the node has no room left; free buffers" },
	{ EDQUOT,
	  "the user has all that the administrator allows; free some, or raise user_* in sysfs" },
	{ EPERM, "not permitted; it needs CAP_SYS_ADMIN" },
	{ EIO, "the node failed or is wedged; look at kohaku status, then kohaku reset" },
	{ ENODEV, "the node went away; open it again when it is back" },
	{ ECANCELED, "the node was reset by somebody else; close and open it again" },
	{ ETIMEDOUT, "no end in the time given; wait longer, or look at kohaku status" },
	{ EINTR, "a signal came first; call again" },
};

static const char *general_text(int error)
{
	size_t i;

	for (i = 0; i < sizeof(general) / sizeof(general[0]); i++) {
		if (general[i].error == -error)
			return general[i].text;
	}
	return strerrordesc_np(-error);
}

static void explain_alloc(const struct kohaku_buf_alloc *alloc, int error, char *text, size_t size)
{
	const char *tier = alloc->tier == KOHAKU_TIER_STAGING ? "staging" : "DRAM";

	if (error == -ENOSPC)
		snprintf(text, size, "no room for %llu bytes in the %s of mesh %u; free buffers%s",
			 (unsigned long long)alloc->length, tier, alloc->mesh,
			 alloc->tier == KOHAKU_TIER_STAGING ? " or allow a fallback to DRAM" : "");
	else if (!alloc->length)
		snprintf(text, size, "a buffer of 0 bytes; ask for at least 1");
	else
		snprintf(text, size, "mesh %u or tier %u is not there; ask INFO", alloc->mesh,
			 alloc->tier);
}

static void explain_io(const struct kohaku_buf_io *io, char *text, size_t size)
{
	if ((io->offset | io->length) % KOHAKU_WORD_SIZE)
		snprintf(text, size, "offset %llu or length %llu is no multiple of 32; use whole words",
			 (unsigned long long)io->offset, (unsigned long long)io->length);
	else
		snprintf(text, size, "bytes %llu..+%llu leave buffer %u; stay within its length",
			 (unsigned long long)io->offset, (unsigned long long)io->length,
			 io->buffer);
}

static bool explain_slot(const struct kohaku_slot_query *query, int error, char *text, size_t size)
{
	if (error == -ENOENT)
		snprintf(text, size, "nobody in the slot has id %u; ask for the ids from 0 on",
			 query->occupant);
	else if (error == -EINVAL)
		snprintf(text, size, "mesh %u or id %u is not there; ask INFO for the meshes, ids end "
			 "at 15", query->mesh, query->occupant);
	else if (error == -EOPNOTSUPP)
		snprintf(text, size, "no transform slot is in reach; it needs the rv32 complex");
	else
		return false;
	return true;
}

static bool explain_specifically(struct kohaku_device *device, uint32_t command, const void *arg,
				 int error, char *text, size_t size)
{
	switch (command) {
	case KOHAKU_SUBMIT:
		return explain_submit(device, arg, error, text, size);
	case KOHAKU_BUF_ALLOC:
		if (error != -ENOSPC && error != -EINVAL)
			return false;
		explain_alloc(arg, error, text, size);
		return true;
	case KOHAKU_BUF_READ:
	case KOHAKU_BUF_WRITE:
		if (error != -EINVAL)
			return false;
		explain_io(arg, text, size);
		return true;
	case KOHAKU_SLOT_QUERY:
		return explain_slot(arg, error, text, size);
	default:
		return false;
	}
}

void explain_command(struct kohaku_device *device, uint32_t command, const void *arg, int error)
{
	const struct kohaku_command *row = kohaku_command_find(command);
	char text[KOHAKU_REASON_SIZE - 32];
	bool known;

	/* What is too short, or wrong by itself, was not looked at by the node either. */
	known = row && *(const uint32_t *)arg >= row->min_size && !kohaku_command_check(row, arg) &&
		explain_specifically(device, command, arg, error, text, sizeof(text));
	pthread_mutex_lock(&device->lock);
	snprintf(device->reason, sizeof(device->reason), "%s: %s", row ? row->name : "command",
		 known ? text : general_text(error));
	pthread_mutex_unlock(&device->lock);
}

void kohaku_device_reason(struct kohaku_device *device, char *text, size_t size)
{
	pthread_mutex_lock(&device->lock);
	snprintf(text, size, "%s", device->reason);
	pthread_mutex_unlock(&device->lock);
}
