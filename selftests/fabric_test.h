/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The FABRIC commands and TRANSFER programs, each 0 or errno.
 */
#ifndef SELFTESTS_FABRIC_TEST_H
#define SELFTESTS_FABRIC_TEST_H

#include "node_fs.h"

#define RW (KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE)

static inline int query(int fd, __u32 flags, struct kohaku_fabric_query *query)
{
	memset(query, 0xcc, sizeof(*query));
	query->size = sizeof(*query);
	query->flags = flags;
	return _test_cmd(fd, KOHAKU_FABRIC_QUERY, query);
}

static inline int map(int fd, __u64 address, __u32 memory, __u32 flags)
{
	struct kohaku_fabric_map arg = {
		.size = sizeof(arg), .flags = flags, .address = address, .memory = memory,
	};

	return _test_cmd(fd, KOHAKU_FABRIC_MAP, &arg);
}

static inline int unmap(int fd, __u64 address)
{
	struct kohaku_fabric_unmap arg = { .size = sizeof(arg), .address = address };

	return _test_cmd(fd, KOHAKU_FABRIC_UNMAP, &arg);
}

static inline int memory(int fd, unsigned long nr, __u64 address, const void *data, __u64 length)
{
	struct kohaku_fabric_io arg = {
		.size = sizeof(arg),
		.space = KOHAKU_FABRIC_MEMORY,
		.address = address,
		.length = length,
		.data = user_address(data),
	};

	return _test_cmd(fd, nr, &arg);
}

static inline int reg(int fd, unsigned long nr, __u32 number, __u32 width, const void *words,
		      __u64 length)
{
	struct kohaku_fabric_io arg = {
		.size = sizeof(arg),
		.space = KOHAKU_FABRIC_REGISTER,
		.width = nr == KOHAKU_FABRIC_WRITE ? width : 0,
		.address = number,
		.length = length,
		.data = user_address(words),
	};

	return _test_cmd(fd, nr, &arg);
}

/* count bytes from or to register 0. */
static inline struct kohaku_transfer_insn insn(__u32 flags, __u64 base, __u32 count)
{
	struct kohaku_transfer_insn insn = {
		.flags = flags, .width = 8, .group = 1, .count = count, .base = base,
	};

	return insn;
}

static inline struct kohaku_op op_transfer(const struct kohaku_transfer_insn *insns, __u32 count)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_TRANSFER };

	op.transfer = (struct kohaku_transfer){ user_address(insns), count, sizeof(*insns) };
	return op;
}

static inline int results(int fd, struct kohaku_transfer_result *to, __u32 room,
			  struct kohaku_fabric_results *arg)
{
	memset(arg, 0xcc, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = 0;
	arg->count = room;
	arg->stride = sizeof(*to);
	arg->results = user_address(to);
	arg->__reserved = 0;
	return _test_cmd(fd, KOHAKU_FABRIC_RESULTS, arg);
}

static inline int trace(int fd, __u32 flags, struct kohaku_fabric_event *events, __u32 room,
			struct kohaku_fabric_trace *arg)
{
	memset(arg, 0xcc, sizeof(*arg));
	arg->size = sizeof(*arg);
	arg->flags = flags;
	arg->count = room;
	arg->stride = sizeof(*events);
	arg->events = user_address(events);
	return _test_cmd(fd, KOHAKU_FABRIC_TRACE, arg);
}

#endif
