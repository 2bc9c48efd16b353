// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a node is and has, what its commands take, and its reset.
 */
#include <errno.h>
#include <string.h>

#include "internal.h"

/* Ids that an occupant may have. */
#define OCCUPANT_IDS 16

int kohaku_device_info(struct kohaku_device *device, struct kohaku_info *info)
{
	*info = (struct kohaku_info){ .size = sizeof(*info) };
	return kohaku_device_command(device, KOHAKU_INFO, info);
}

int kohaku_device_probe(struct kohaku_device *device, uint32_t command,
			struct kohaku_probe *probe)
{
	*probe = (struct kohaku_probe){ .size = sizeof(*probe), .cmd = command };
	return kohaku_device_command(device, KOHAKU_PROBE, probe);
}

int kohaku_device_occupant(struct kohaku_device *device, uint32_t mesh, uint32_t occupant,
			   struct kohaku_slot_query *out)
{
	*out = (struct kohaku_slot_query){
		.size = sizeof(*out), .mesh = mesh, .occupant = occupant,
	};
	return kohaku_device_command(device, KOHAKU_SLOT_QUERY, out);
}

int kohaku_device_occupant_named(struct kohaku_device *device, uint32_t mesh, const char *name,
				 struct kohaku_slot_query *out)
{
	struct kohaku_slot_query query;
	uint32_t id;
	int err;

	for (id = 0; id < OCCUPANT_IDS; id++) {
		err = kohaku_device_occupant(device, mesh, id, &query);
		if (err && err != -ENOENT)
			return err;
		if (err || strcmp((const char *)query.out_name, name))
			continue;
		*out = query;
		return 0;
	}
	return -ENOENT;
}

int kohaku_device_reset(struct kohaku_device *device)
{
	struct kohaku_reset reset = { .size = sizeof(reset) };

	return kohaku_device_command(device, KOHAKU_RESET, &reset);
}
