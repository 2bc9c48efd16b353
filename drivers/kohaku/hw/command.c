// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "command.h"
#include "limits.h"

#define END_OF(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

/* last is the last member that the first release had; it never changes. */
#define COMMAND(id, type, last, has_flags, reserved, known)			\
	[KOHAKU_NR_##id - KOHAKU_CMD_BASE] = {					\
		.nr = KOHAKU_##id,						\
		.size = sizeof(struct type),					\
		.min_size = END_OF(struct type, last),				\
		.flags_offset = has_flags,					\
		.reserved_offset = reserved,					\
		.flags = known,							\
		.name = #id,							\
	}
#define AT(type, member) offsetof(struct type, member)

static const struct kohaku_command commands[KOHAKU_COMMANDS] = {
	COMMAND(INFO, kohaku_info, out_max_timeout_ns, AT(kohaku_info, flags), 0, 0),
	COMMAND(PROBE, kohaku_probe, out_caps, AT(kohaku_probe, flags),
		AT(kohaku_probe, __reserved), 0),
	COMMAND(BUF_ALLOC, kohaku_buf_alloc, out_tier, AT(kohaku_buf_alloc, flags), 0,
		KOHAKU_BUF_FALLBACK),
	COMMAND(BUF_FREE, kohaku_buf_free, buffer, 0, 0, 0),
	COMMAND(BUF_READ, kohaku_buf_io, data, AT(kohaku_buf_io, flags),
		AT(kohaku_buf_io, __reserved), 0),
	COMMAND(BUF_WRITE, kohaku_buf_io, data, AT(kohaku_buf_io, flags),
		AT(kohaku_buf_io, __reserved), 0),
	COMMAND(SUBMIT, kohaku_submit, completion, AT(kohaku_submit, flags), 0,
		KOHAKU_SUBMIT_ASYNC),
	COMMAND(WAIT, kohaku_wait, completion, AT(kohaku_wait, flags), 0, 0),
	COMMAND(EVENTFD, kohaku_eventfd, __reserved, AT(kohaku_eventfd, flags),
		AT(kohaku_eventfd, __reserved), 0),
	COMMAND(FAULT_READ, kohaku_fault_read, out_program, AT(kohaku_fault_read, flags), 0,
		KOHAKU_FAULT_CLEAR),
	COMMAND(RESET, kohaku_reset, flags, AT(kohaku_reset, flags), 0, 0),
	COMMAND(SLOT_QUERY, kohaku_slot_query, out_name, AT(kohaku_slot_query, flags), 0, 0),
	COMMAND(FABRIC_QUERY, kohaku_fabric_query, out_top_in_flight,
		AT(kohaku_fabric_query, flags), 0, KOHAKU_FABRIC_CLEAR),
	COMMAND(FABRIC_MAP, kohaku_fabric_map, stripes, AT(kohaku_fabric_map, flags), 0,
		KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE),
	COMMAND(FABRIC_UNMAP, kohaku_fabric_unmap, address, AT(kohaku_fabric_unmap, flags), 0, 0),
	COMMAND(FABRIC_LAYOUT, kohaku_fabric_layout, stripes, AT(kohaku_fabric_layout, flags),
		AT(kohaku_fabric_layout, __reserved), 0),
	COMMAND(FABRIC_READ, kohaku_fabric_io, data, AT(kohaku_fabric_io, flags), 0, 0),
	COMMAND(FABRIC_WRITE, kohaku_fabric_io, data, AT(kohaku_fabric_io, flags), 0, 0),
	COMMAND(FABRIC_RESULTS, kohaku_fabric_results, __reserved,
		AT(kohaku_fabric_results, flags), AT(kohaku_fabric_results, __reserved), 0),
	COMMAND(FABRIC_TRACE, kohaku_fabric_trace, out_lost, AT(kohaku_fabric_trace, flags), 0,
		KOHAKU_FABRIC_TRACE_START | KOHAKU_FABRIC_TRACE_STOP),
};

const struct kohaku_command *kohaku_command_find(u32 nr)
{
	u32 index = _IOC_NR(nr) - KOHAKU_CMD_BASE;

	if (index >= KOHAKU_COMMANDS || commands[index].nr != nr)
		return NULL;
	return &commands[index];
}

int kohaku_command_probe(struct kohaku_probe *probe)
{
	const struct kohaku_command *command = kohaku_command_find(probe->cmd);

	if (!command)
		return -ENOTTY;
	probe->out_size = command->size;
	probe->out_min_size = command->min_size;
	probe->out_flags = command->flags;
	probe->out_caps = 0;
	return 0;
}

int kohaku_command_check_size(const struct kohaku_command *command, u32 size)
{
	if (size < command->min_size)
		return -EINVAL;
	/* Nobody shall have user memory scanned for zeros at will. */
	return size > KOHAKU_MAX_STRUCT ? -E2BIG : 0;
}

static u32 field(const union kohaku_command_arg *arg, u32 offset)
{
	u32 value;

	memcpy(&value, (const u8 *)arg + offset, sizeof(value));
	return value;
}

int kohaku_command_check(const struct kohaku_command *command,
			 const union kohaku_command_arg *arg)
{
	if (command->flags_offset && field(arg, command->flags_offset) & ~command->flags)
		return -EOPNOTSUPP;
	if (command->reserved_offset && field(arg, command->reserved_offset))
		return -EOPNOTSUPP;
	return 0;
}
