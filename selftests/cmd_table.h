/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Every command with its struct, for tests that treat all of them alike.
 *
 * A command "idles" when its struct of zeros, apart from size and what the row
 * sets, is refused for want of an object or does nothing: such a call is
 * harmless and its errno known.
 */
#ifndef SELFTESTS_CMD_TABLE_H
#define SELFTESTS_CMD_TABLE_H

#include "kohaku_test.h"

struct cmd_row {
	unsigned long nr;
	const char *name;
	size_t size;
	size_t flags;		/* offset of its flags, 0: it has none */
	size_t reserved;	/* offset of its reserved field, 0: it has none */
	__u32 known_flags;
	int idle;		/* errno of the idle call */
	__u64 cap;		/* KOHAKU_CAP_* without which there is no such command */
};

#define FLAGS(type) offsetof(struct type, flags)
#define RESERVED(type) offsetof(struct type, __reserved)
#define CMD(_nr, _type, _flags, _reserved, _known, _idle) \
	{ KOHAKU_##_nr, #_nr, sizeof(struct _type), _flags, _reserved, _known, _idle, 0 }
#define FABRIC(_nr, _type, _reserved, _known, _idle) \
	{ KOHAKU_FABRIC_##_nr, "FABRIC_" #_nr, sizeof(struct kohaku_fabric_##_type), \
	  FLAGS(kohaku_fabric_##_type), _reserved, _known, _idle, KOHAKU_CAP_FABRIC }

static const struct cmd_row cmd_table[] = {
	CMD(INFO, kohaku_info, FLAGS(kohaku_info), 0, 0, 0),
	CMD(PROBE, kohaku_probe, FLAGS(kohaku_probe), RESERVED(kohaku_probe), 0, ENOTTY),
	CMD(BUF_ALLOC, kohaku_buf_alloc, FLAGS(kohaku_buf_alloc), 0, KOHAKU_BUF_FALLBACK, EINVAL),
	CMD(BUF_FREE, kohaku_buf_free, 0, 0, 0, ENOENT),
	CMD(BUF_READ, kohaku_buf_io, FLAGS(kohaku_buf_io), RESERVED(kohaku_buf_io), 0, ENOENT),
	CMD(BUF_WRITE, kohaku_buf_io, FLAGS(kohaku_buf_io), RESERVED(kohaku_buf_io), 0, ENOENT),
	CMD(SUBMIT, kohaku_submit, FLAGS(kohaku_submit), 0, KOHAKU_SUBMIT_ASYNC, 0),
	CMD(WAIT, kohaku_wait, FLAGS(kohaku_wait), 0, 0, ENOENT),
	CMD(EVENTFD, kohaku_eventfd, FLAGS(kohaku_eventfd), RESERVED(kohaku_eventfd), 0, 0),
	CMD(FAULT_READ, kohaku_fault_read, FLAGS(kohaku_fault_read), RESERVED(kohaku_fault_read),
	    KOHAKU_FAULT_CLEAR, ENOENT),
	CMD(RESET, kohaku_reset, FLAGS(kohaku_reset), 0, 0, 0),
	{ KOHAKU_SLOT_QUERY, "SLOT_QUERY", sizeof(struct kohaku_slot_query),
	  FLAGS(kohaku_slot_query), 0, 0, ENOENT, KOHAKU_CAP_SLOT },
	FABRIC(QUERY, query, 0, KOHAKU_FABRIC_CLEAR, 0),
	FABRIC(MAP, map, 0, KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE, EINVAL),
	FABRIC(UNMAP, unmap, 0, 0, ENOENT),
	FABRIC(LAYOUT, layout, RESERVED(kohaku_fabric_layout), 0, ENOENT),
	FABRIC(READ, io, 0, 0, ENOENT),
	FABRIC(WRITE, io, 0, 0, ENOENT),
	FABRIC(RESULTS, results, RESERVED(kohaku_fabric_results), 0, ENOENT),
	FABRIC(TRACE, trace, 0, KOHAKU_FABRIC_TRACE_START | KOHAKU_FABRIC_TRACE_STOP, ENOENT),
};

/* Large enough for any command struct and some more. */
union cmd_arg {
	__u32 size;
	struct kohaku_buf_alloc alloc;
	struct kohaku_submit submit;
	struct kohaku_eventfd eventfd;
	struct kohaku_slot_query slot_query;
	struct kohaku_fabric_map map;
	struct kohaku_fabric_io io;
	struct kohaku_fabric_results results;
	struct kohaku_fabric_trace trace;
	unsigned char bytes[2048];
};

/* The idle call of a row, said to be size bytes long. */
static inline void cmd_idle(const struct cmd_row *row, union cmd_arg *arg, __u32 size)
{
	memset(arg, 0, sizeof(*arg));
	arg->size = size;
	if (row->nr == KOHAKU_SUBMIT)
		arg->submit.stride = sizeof(struct kohaku_op);
	if (row->nr == KOHAKU_EVENTFD)
		arg->eventfd.fd = -1;
	if (row->nr == KOHAKU_BUF_ALLOC)
		arg->alloc.tier = KOHAKU_TIER_DRAM;
	if (row->nr == KOHAKU_SLOT_QUERY)
		arg->slot_query.occupant = 15;
	if (row->nr == KOHAKU_FABRIC_MAP)
		arg->map.address = 1;
	if (row->nr == KOHAKU_FABRIC_READ || row->nr == KOHAKU_FABRIC_WRITE) {
		arg->io.space = KOHAKU_FABRIC_MEMORY;
		arg->io.length = 8;
		arg->io.data = user_address(&arg->bytes[1024]);
	}
	if (row->nr == KOHAKU_FABRIC_RESULTS)
		arg->results.stride = sizeof(struct kohaku_transfer_result);
	if (row->nr == KOHAKU_FABRIC_TRACE)
		arg->trace.stride = sizeof(struct kohaku_fabric_event);
}

/* Does this node have the command at all? */
static inline bool cmd_exists(int fd, const struct cmd_row *row)
{
	struct kohaku_info info;

	return !row->cap || (!_test_info(fd, &info) && info.out_caps & row->cap);
}

/* Is the idle call one that leaves the node alone? */
static inline bool cmd_idles(const struct cmd_row *row)
{
	return row->nr != KOHAKU_RESET;
}

#endif
