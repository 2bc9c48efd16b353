// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Runs one register program on one mesh: program, GO, poll, check.
 */
#include "exec.h"

#define POSITION_WIDTH_MAX 8

struct kohaku_status kohaku_status_decode(u64 aux_stat)
{
	return (struct kohaku_status){
		.busy = aux_stat & KOHAKU_STAT_BUSY,
		.gone = aux_stat == KOHAKU_ALL_ONES,
		.fault = KOHAKU_GET(KOHAKU_STAT_FAULT, aux_stat),
		.done = KOHAKU_GET(KOHAKU_STAT_DONE, aux_stat),
	};
}

static struct kohaku_status read_status(const struct kohaku_bus *bus, u32 mesh)
{
	return kohaku_status_decode(bus->read64(bus->ctx, mesh, KOHAKU_CTL_AUX_STAT));
}

int kohaku_exec_start(struct kohaku_exec *exec, const struct kohaku_bus *bus, u32 mesh,
		      const struct kohaku_program *program)
{
	struct kohaku_status status = read_status(bus, mesh);
	u32 i;

	if (status.gone)
		return -ENODEV;
	/* Writes would change the running move, and its GO would be lost. */
	if (status.busy)
		return -EBUSY;
	*exec = (struct kohaku_exec){
		.bus = bus, .mesh = mesh, .done_before = status.done, .far = mesh,
	};
	for (i = 0; i < program->length; i++)
		bus->write64(bus->ctx, mesh, KOHAKU_CTL_AUX_CFG + program->writes[i].offset,
			     program->writes[i].value);
	return 0;
}

static u64 link_status(const struct kohaku_bus *bus, u32 mesh, u32 word)
{
	return bus->read64(bus->ctx, mesh, KOHAKU_CTL_AUX_STATW + word * sizeof(u64));
}

bool kohaku_link_present(const struct kohaku_bus *bus, u32 mesh)
{
	u64 status = link_status(bus, mesh, KOHAKU_LINK_STATUS);

	return status != KOHAKU_ALL_ONES && (status & KOHAKU_LINK_PRESENT);
}

void kohaku_exec_land(struct kohaku_exec *exec, u32 far)
{
	exec->far = far;
}

static void write_link(struct kohaku_exec *exec, u64 control)
{
	exec->bus->write64(exec->bus->ctx, exec->mesh, KOHAKU_CTL_AUX_CFG + KOHAKU_LINK_CONTROL,
			   control);
}

static void send_marker(struct kohaku_exec *exec)
{
	u64 marked = link_status(exec->bus, exec->mesh, KOHAKU_LINK_MARKED + exec->far);

	/* Any number but the last marker's, and 0. */
	exec->tag = (u32)KOHAKU_GET(KOHAKU_LINK_TAG, marked) + 1;
	exec->tag += !exec->tag;
	write_link(exec, KOHAKU_LINK_MARK | KOHAKU_PUT(KOHAKU_LINK_MARK_MESH, exec->far) |
			 KOHAKU_PUT(KOHAKU_LINK_MARK_TAG, exec->tag));
}

/* Has the marker come back? Then what was written before it has landed. */
static int poll_marker(struct kohaku_exec *exec, u32 *fault)
{
	u64 marked, status;

	if (!exec->tag) {
		send_marker(exec);
		return -EINPROGRESS;
	}
	marked = link_status(exec->bus, exec->mesh, KOHAKU_LINK_MARKED + exec->far);
	if (marked == KOHAKU_ALL_ONES)
		return -ENODEV;
	if (KOHAKU_GET(KOHAKU_LINK_TAG, marked) != exec->tag)
		return -EINPROGRESS;
	status = link_status(exec->bus, exec->mesh, KOHAKU_LINK_STATUS);
	/* No memory took a word; sticky, so forgotten here. */
	if (KOHAKU_GET(KOHAKU_LINK_FAULT, status) & KOHAKU_LINK_FAULT_AXI) {
		*fault = *fault ? *fault : KOHAKU_FAULT_AXI;
		write_link(exec, KOHAKU_LINK_CLEAR);
	}
	return 0;
}

int kohaku_exec_poll(struct kohaku_exec *exec, u32 *fault)
{
	struct kohaku_status status = read_status(exec->bus, exec->mesh);
	u32 moves;

	if (status.gone)
		return -ENODEV;
	if (status.busy)
		return -EINPROGRESS;
	moves = (status.done - exec->done_before) & KOHAKU_GET(KOHAKU_STAT_DONE, ~0ULL);
	if (!status.fault && moves != 1)
		*fault = KOHAKU_FAULT_NO_MOTION;
	else
		*fault = status.fault;
	return exec->far == exec->mesh ? 0 : poll_marker(exec, fault);
}

bool kohaku_caps_valid(u64 caps)
{
	u32 position = KOHAKU_GET(KOHAKU_CAPS_POSITION, caps);

	return KOHAKU_GET(KOHAKU_CAPS_FLIT, caps) == KOHAKU_FLIT_WIDTH &&
	       position > 0 && position <= POSITION_WIDTH_MAX;
}
