/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A fabric as an open file uses it: the TRANSFER operation and the FABRIC commands
 * of <linux/kohaku.h>, all but the copies from and to user memory.
 *
 * Locking is the caller's, as for the fabric itself.
 */
#ifndef SIM_TRANSFER_SESSION_H
#define SIM_TRANSFER_SESSION_H

#include <linux/kohaku.h>

#include "transfer.h"

/* Ticks with events that one step works through at most. */
#define FABRIC_SESSION_STEP	64
/* Events that a trace holds. */
#define FABRIC_SESSION_EVENTS	65536

/**
 * struct fabric_session - the fabric of an open file
 * @fabric: the fabric
 * @running: a program is under way
 * @ended: there are results
 * @pages: pages that are mapped
 * @job: job of the last program
 * @index: its operation there
 * @count: its instructions
 * @events: the trace, a ring; NULL: none is kept
 * @first: oldest event in it
 * @kept: events in it
 * @lost: events that found it full
 */
struct fabric_session {
	struct fabric *fabric;
	bool running, ended;
	u32 pages;
	u64 job;
	u32 index;
	u32 count;
	struct kohaku_fabric_event *events;
	u32 first, kept;
	u64 lost;
};

/**
 * fabric_session_init() - make a cold fabric
 * @session: to be filled
 * @config: a valid configuration; its tick limit is not used, since whoever steps a
 *	program has a deadline by the clock
 *
 * Return: 0 or -ENOMEM.
 */
int fabric_session_init(struct fabric_session *session, const struct fabric_config *config);
void fabric_session_exit(struct fabric_session *session);

/* FABRIC_QUERY, with what its flags ask for.  -EBUSY. */
int fabric_session_query(struct fabric_session *session, struct kohaku_fabric_query *query);

/* Stripes of a page. */
u32 fabric_session_stripes(const struct fabric_session *session);
/* Is map->stripe_count a number of stripes that the memory's pages have?  -EINVAL. */
int fabric_session_map_check(const struct fabric_session *session,
			     const struct kohaku_fabric_map *map);
/* FABRIC_MAP, checked, with map->stripe_count stripes.  As fabric_map(). */
int fabric_session_map(struct fabric_session *session, const struct kohaku_fabric_map *map,
		       const struct kohaku_fabric_stripe *stripes);
/* FABRIC_UNMAP.  As fabric_unmap(). */
int fabric_session_unmap(struct fabric_session *session, u64 address);
/* FABRIC_LAYOUT: fills the stripes of a page.  -ENOENT, -EBUSY. */
int fabric_session_layout(struct fabric_session *session, u64 address,
			  struct kohaku_fabric_stripe *stripes);

/**
 * fabric_session_io_check() - is a FABRIC_READ or FABRIC_WRITE well formed?
 * @session: the fabric
 * @io: the command
 * @write: it is a FABRIC_WRITE
 *
 * Return: 0, -EINVAL or -EOPNOTSUPP.
 */
int fabric_session_io_check(const struct fabric_session *session,
			    const struct kohaku_fabric_io *io, bool write);
/* Runs a checked one on io->length bytes, 8-byte aligned.  -ENOENT, -EBUSY, -EINVAL. */
int fabric_session_io(struct fabric_session *session, struct kohaku_fabric_io *io, void *bytes,
		      bool write);

/**
 * fabric_session_insn() - turn an instruction into the fabric's own form
 * @session: the fabric
 * @insn: as user space wrote it
 * @op: receives it
 *
 * Return: 0, -EINVAL, or -EOPNOTSUPP for something unknown or a field that is not
 * used and not zero.
 */
int fabric_session_insn(const struct fabric_session *session,
			const struct kohaku_transfer_insn *insn, struct fabric_op *op);

/**
 * fabric_session_start() - take up a program
 * @session: the fabric
 * @ops: from fabric_session_insn()
 * @count: how many, at most FABRIC_PROGRAM_MAX
 * @job: its job
 * @index: its operation there
 *
 * Return: 0 or what fabric_submit() says.
 */
int fabric_session_start(struct fabric_session *session, const struct fabric_op *ops, u32 count,
			 u64 job, u32 index);
/**
 * fabric_session_step() - advance the program, a bounded amount of work
 * @session: the fabric
 * @fault: when it has ended: KOHAKU_FAULT_NONE or KOHAKU_FAULT_PAGE
 *
 * Return: 0 ended, -EINPROGRESS, or -ETIMEDOUT: it will never end.
 */
int fabric_session_step(struct fabric_session *session, u32 *fault);
/* Gives the program up; nothing when none runs. */
void fabric_session_stop(struct fabric_session *session);

/* FABRIC_RESULTS but for the results.  -ENOENT, -EBUSY, -EMSGSIZE. */
int fabric_session_results(const struct fabric_session *session,
			   struct kohaku_fabric_results *results);
/* Result of one instruction. */
void fabric_session_result(const struct fabric_session *session, u32 insn,
			   struct kohaku_transfer_result *result);
/* Fills element and addresses of a fault record from the first fault of the program. */
void fabric_session_fault(const struct fabric_session *session, const struct fabric_op *ops,
			  struct kohaku_fault_read *record);

/* Is a FABRIC_TRACE well formed?  -EINVAL, -E2BIG. */
int fabric_session_trace_check(const struct kohaku_fabric_trace *trace);
/* -ENOMEM. */
int fabric_session_trace_start(struct fabric_session *session);
void fabric_session_trace_stop(struct fabric_session *session);
/* Takes up to max events out, oldest first; returns how many. */
u32 fabric_session_trace_take(struct fabric_session *session, struct kohaku_fabric_event *events,
			      u32 max);

#endif
