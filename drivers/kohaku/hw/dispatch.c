// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Runs one program on the vector core of one mesh.
 */
#include "dispatch.h"

#define ROUND_FULL 1

static u64 read_register(const struct kohaku_dispatch *dispatch, u32 offset)
{
	return dispatch->bus->read64(dispatch->bus->ctx, dispatch->mesh, offset);
}

static void write_register(const struct kohaku_dispatch *dispatch, u32 offset, u64 value)
{
	dispatch->bus->write64(dispatch->bus->ctx, dispatch->mesh, offset, value);
}

bool kohaku_vector_present(const struct kohaku_bus *bus, u32 mesh)
{
	/* Where there is no dispatcher the register reads 0. */
	return bus->read64(bus->ctx, mesh, KOHAKU_CTL_CRED) == KOHAKU_FLITS_MAX;
}

/* Takes a flit into the round that is put together. */
static int put_flit(void *ctx, const struct kohaku_flit *flit)
{
	struct kohaku_dispatch *dispatch = ctx;
	u32 offset = KOHAKU_CTL_FLITS + dispatch->sent * KOHAKU_FLIT_SIZE;
	u32 i;

	if (dispatch->sent == KOHAKU_FLITS_MAX)
		return ROUND_FULL;
	for (i = 0; i < ARRAY_SIZE(flit->words); i++)
		write_register(dispatch, offset + i * sizeof(u64), flit->words[i]);
	dispatch->sent++;
	return 0;
}

/* -EINVAL: a flit of the program does not fit its fields. */
static int send_round(struct kohaku_dispatch *dispatch)
{
	const struct kohaku_flit_sink sink = { put_flit, dispatch };
	u64 done = read_register(dispatch, KOHAKU_CTL_SIG_DONE);
	int error;

	dispatch->done_before = KOHAKU_GET(KOHAKU_SIG_DONE_COUNT, done);
	dispatch->sent = 0;
	error = kohaku_vector_program_emit(dispatch->program, dispatch->next, &sink);
	if (error < 0)
		return error;
	dispatch->next += dispatch->sent;
	write_register(dispatch, KOHAKU_CTL_DST, KOHAKU_DST_VECTOR);
	write_register(dispatch, KOHAKU_CTL_BASE, 0);
	write_register(dispatch, KOHAKU_CTL_LEN, dispatch->sent);
	write_register(dispatch, KOHAKU_CTL_KICK, 1);
	return 0;
}

int kohaku_dispatch_start(struct kohaku_dispatch *dispatch, const struct kohaku_bus *bus,
			  u32 mesh, const struct kohaku_vector_program *program)
{
	u64 stat;

	*dispatch = (struct kohaku_dispatch){ .bus = bus, .mesh = mesh, .program = program };
	stat = read_register(dispatch, KOHAKU_CTL_STAT);
	if (stat == KOHAKU_ALL_ONES)
		return -ENODEV;
	if (stat & KOHAKU_DISPATCH_BUSY)
		return -EBUSY;
	return send_round(dispatch);
}

/* How the round that is over ended. */
static u32 round_fault(struct kohaku_dispatch *dispatch, u64 stat)
{
	u32 taken = (u32)KOHAKU_GET(KOHAKU_DISPATCH_TAKEN, stat);
	u32 fault = (u32)KOHAKU_GET(KOHAKU_DISPATCH_FAULT, stat);
	u32 done = (u32)KOHAKU_GET(KOHAKU_SIG_DONE_COUNT,
				   read_register(dispatch, KOHAKU_CTL_SIG_DONE));

	dispatch->flits += taken;
	dispatch->cycles += KOHAKU_GET(KOHAKU_DISPATCH_CYCLES, stat);
	if (fault) {
		dispatch->fault_flit = dispatch->next - dispatch->sent +
				       KOHAKU_GET(KOHAKU_DISPATCH_AT, stat);
		return KOHAKU_FAULT_VECTOR + fault;
	}
	if (taken != dispatch->sent || done - dispatch->done_before != 1)
		return KOHAKU_FAULT_NO_MOTION;
	return KOHAKU_FAULT_NONE;
}

int kohaku_dispatch_poll(struct kohaku_dispatch *dispatch, u32 *fault)
{
	u64 stat = read_register(dispatch, KOHAKU_CTL_STAT);
	int error;

	if (stat == KOHAKU_ALL_ONES)
		return -ENODEV;
	if (stat & KOHAKU_DISPATCH_BUSY)
		return -EINPROGRESS;
	*fault = round_fault(dispatch, stat);
	if (*fault || dispatch->next == kohaku_vector_program_flits(dispatch->program))
		return 0;
	error = send_round(dispatch);
	return error ? error : -EINPROGRESS;
}
