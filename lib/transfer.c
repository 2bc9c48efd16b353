// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The commands of the transfer fabric.
 */
#include <errno.h>

#include "hw/limits.h"
#include "internal.h"
#include "kohaku_transfer.h"
#include "sim/transfer/transfer.h"

int kohaku_fabric_query(struct kohaku_device *device, int clear, struct kohaku_fabric_query *out)
{
	*out = (struct kohaku_fabric_query){
		.size = sizeof(*out), .flags = clear ? KOHAKU_FABRIC_CLEAR : 0,
	};
	return kohaku_device_command(device, KOHAKU_FABRIC_QUERY, out);
}

int kohaku_fabric_map(struct kohaku_device *device, uint64_t address, uint32_t memory,
		      uint32_t flags, const struct kohaku_fabric_stripe *stripes,
		      uint32_t count)
{
	struct kohaku_fabric_map map = {
		.size = sizeof(map),
		.flags = flags,
		.address = address,
		.memory = memory,
		.stripe_count = stripes ? count : 0,
		.stripes = (uintptr_t)stripes,
	};

	return kohaku_device_command(device, KOHAKU_FABRIC_MAP, &map);
}

int kohaku_fabric_unmap(struct kohaku_device *device, uint64_t address)
{
	struct kohaku_fabric_unmap unmap = { .size = sizeof(unmap), .address = address };

	return kohaku_device_command(device, KOHAKU_FABRIC_UNMAP, &unmap);
}

int kohaku_fabric_layout(struct kohaku_device *device, uint64_t address,
			 struct kohaku_fabric_stripe *stripes, uint32_t count)
{
	struct kohaku_fabric_layout layout = {
		.size = sizeof(layout),
		.address = address,
		.stripe_count = count,
		.stripes = (uintptr_t)stripes,
	};

	return kohaku_device_command(device, KOHAKU_FABRIC_LAYOUT, &layout);
}

/* What one command takes is limited; more goes in several. */
static int memory_io(struct kohaku_device *device, uint32_t command, uint64_t address,
		     uintptr_t bytes, size_t length)
{
	struct kohaku_fabric_io io = { .size = sizeof(io), .space = KOHAKU_FABRIC_MEMORY };
	size_t done;
	int err = 0;

	for (done = 0; !err && done < length; done += io.length) {
		io.address = address + done;
		io.data = bytes + done;
		io.length = length - done < KOHAKU_MAX_FABRIC_IO ? length - done :
								   KOHAKU_MAX_FABRIC_IO;
		err = kohaku_device_command(device, command, &io);
	}
	return err;
}

int kohaku_fabric_read(struct kohaku_device *device, uint64_t address, void *bytes,
		       size_t length)
{
	return memory_io(device, KOHAKU_FABRIC_READ, address, (uintptr_t)bytes, length);
}

int kohaku_fabric_write(struct kohaku_device *device, uint64_t address, const void *bytes,
			size_t length)
{
	return memory_io(device, KOHAKU_FABRIC_WRITE, address, (uintptr_t)bytes, length);
}

int kohaku_fabric_register_read(struct kohaku_device *device, uint32_t reg, uint64_t *words,
				uint32_t lanes, uint32_t *width)
{
	struct kohaku_fabric_io io = {
		.size = sizeof(io),
		.space = KOHAKU_FABRIC_REGISTER,
		.address = reg,
		.length = (uint64_t)lanes * sizeof(*words),
		.data = (uintptr_t)words,
	};
	int err = kohaku_device_command(device, KOHAKU_FABRIC_READ, &io);

	if (!err && width)
		*width = io.width;
	return err;
}

int kohaku_fabric_register_write(struct kohaku_device *device, uint32_t reg,
				 const uint64_t *words, uint32_t lanes, uint32_t width)
{
	struct kohaku_fabric_io io = {
		.size = sizeof(io),
		.space = KOHAKU_FABRIC_REGISTER,
		.width = width,
		.address = reg,
		.length = (uint64_t)lanes * sizeof(*words),
		.data = (uintptr_t)words,
	};

	return kohaku_device_command(device, KOHAKU_FABRIC_WRITE, &io);
}

int kohaku_fabric_results(struct kohaku_device *device, struct kohaku_transfer_result *results,
			  uint32_t count)
{
	struct kohaku_fabric_results all = {
		.size = sizeof(all),
		.count = count,
		.stride = sizeof(*results),
		.results = (uintptr_t)results,
	};
	int err = kohaku_device_command(device, KOHAKU_FABRIC_RESULTS, &all);

	return err ? err : (int)all.count;
}

int kohaku_fabric_run(struct kohaku_device *device, const struct kohaku_transfer_insn *insns,
		      uint32_t count, struct kohaku_transfer_result *results, uint32_t *bad)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_TRANSFER };
	struct kohaku_submit submit = {
		.size = sizeof(submit), .ops = (uintptr_t)&op, .count = 1, .stride = sizeof(op),
	};
	int err;

	op.transfer = (struct kohaku_transfer){ (uintptr_t)insns, count, sizeof(*insns) };
	err = kohaku_device_command(device, KOHAKU_SUBMIT, &submit);
	while (err == -EINTR)
		err = kohaku_wait(device, submit.out_job, KOHAKU_FOREVER, &submit.completion);
	if (err && bad)
		*bad = submit.out_part;
	if (!err && submit.completion.fault != KOHAKU_FAULT_PAGE)
		err = submit.completion.status;
	if (!err)
		err = kohaku_fabric_results(device, results, count);
	return err < 0 ? err : 0;
}

int kohaku_fabric_trace(struct kohaku_device *device, uint32_t flags,
			struct kohaku_fabric_event *events, uint32_t count, uint64_t *lost)
{
	struct kohaku_fabric_trace trace = {
		.size = sizeof(trace),
		.flags = flags,
		.count = count,
		.stride = sizeof(*events),
		.events = (uintptr_t)events,
	};
	int err = kohaku_device_command(device, KOHAKU_FABRIC_TRACE, &trace);

	if (!err && lost)
		*lost = trace.out_lost;
	return err ? err : (int)trace.count;
}

const char *kohaku_fabric_message_name(uint32_t type)
{
	return fabric_message_name(type);
}

const char *kohaku_fabric_state_name(uint32_t kind, uint32_t state)
{
	switch (kind) {
	case KOHAKU_FABRIC_ROW:
		return fabric_row_state_name(state);
	case KOHAKU_FABRIC_BYTE:
		return fabric_byte_state_name(state);
	case KOHAKU_FABRIC_LINE:
		return fabric_line_state_name(state);
	default:
		return "?";
	}
}

const char *kohaku_transfer_fault_text(uint32_t fault)
{
	switch (fault) {
	case KOHAKU_TRANSFER_OK:
		return "none";
	case KOHAKU_TRANSFER_NO_PAGE:
		return "no page";
	case KOHAKU_TRANSFER_NOT_READABLE:
		return "not readable";
	case KOHAKU_TRANSFER_NOT_WRITABLE:
		return "not writable";
	default:
		return "unknown";
	}
}
