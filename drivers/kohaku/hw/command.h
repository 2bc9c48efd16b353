/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The commands of the device file: how long their structs are, which flags they
 * know, which fields are reserved.  Driver and embedded node dispatch by this
 * table, so that both refuse the same structs with the same errno.
 */
#ifndef KOHAKU_HW_COMMAND_H
#define KOHAKU_HW_COMMAND_H

#include "types.h"
#include <linux/kohaku.h>

#define KOHAKU_COMMANDS (KOHAKU_NR_FABRIC_TRACE - KOHAKU_CMD_BASE + 1)

struct kohaku_command {
	u32 nr;			/* the whole command number, e.g. KOHAKU_SUBMIT */
	u32 size;		/* its struct as this source knows it, bytes */
	u32 min_size;		/* its struct in the first release */
	u32 flags_offset;	/* of its flags field, 0: it has none */
	u32 reserved_offset;	/* of its reserved field, 0: it has none */
	u64 flags;		/* flags that it knows */
	const char *name;	/* for people: "SUBMIT" */
};

/* Every command struct; what a dispatcher copies one into. */
union kohaku_command_arg {
	u32 size;
	struct kohaku_info info;
	struct kohaku_probe probe;
	struct kohaku_buf_alloc buf_alloc;
	struct kohaku_buf_free buf_free;
	struct kohaku_buf_io buf_io;
	struct kohaku_submit submit;
	struct kohaku_wait wait;
	struct kohaku_eventfd eventfd;
	struct kohaku_fault_read fault_read;
	struct kohaku_reset reset;
	struct kohaku_slot_query slot_query;
	struct kohaku_fabric_query fabric_query;
	struct kohaku_fabric_map fabric_map;
	struct kohaku_fabric_unmap fabric_unmap;
	struct kohaku_fabric_layout fabric_layout;
	struct kohaku_fabric_io fabric_io;
	struct kohaku_fabric_results fabric_results;
	struct kohaku_fabric_trace fabric_trace;
};

/* Row of a command number, NULL: no such command. */
const struct kohaku_command *kohaku_command_find(u32 nr);

/*
 * Answers PROBE, but for capabilities: those are the node's.  -ENOTTY: no such
 * command.
 */
int kohaku_command_probe(struct kohaku_probe *probe);

/*
 * May the struct of a command have size bytes?  -EINVAL: fewer than in the first
 * release; -E2BIG: more than any will ever have.
 */
int kohaku_command_check_size(const struct kohaku_command *command, u32 size);

/*
 * Looks at the flags and the reserved field of a struct that was copied in.
 * -EOPNOTSUPP: one of them has a bit that this source does not know.
 */
int kohaku_command_check(const struct kohaku_command *command,
			 const union kohaku_command_arg *arg);

#endif
