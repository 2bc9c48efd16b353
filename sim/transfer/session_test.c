// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Sessions: instructions as user space writes them, steps, faults, the trace.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "sim/transfer/session.h"

#define BASE 0x1000

static struct fabric_session session;

static int open_session(void **state)
{
	const struct kohaku_fabric_map map = {
		.address = BASE, .flags = KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE,
	};
	struct fabric_config config;

	(void)state;
	fabric_config_default(&config);
	return fabric_session_init(&session, &config) || fabric_session_map(&session, &map, NULL);
}

static int close_session(void **state)
{
	(void)state;
	fabric_session_exit(&session);
	return 0;
}

static struct kohaku_transfer_insn insn(u32 flags, u64 base, u32 count)
{
	return (struct kohaku_transfer_insn) {
		.flags = flags, .width = 8, .group = 1, .count = count, .base = base,
	};
}

/* Runs one instruction to its end; the fault code. */
static u32 run(const struct kohaku_transfer_insn *insn, u32 *steps)
{
	struct fabric_op op;
	u32 fault = ~0U;
	int err;

	assert_int_equal(fabric_session_insn(&session, insn, &op), 0);
	assert_int_equal(fabric_session_start(&session, &op, 1, 7, 3), 0);
	for (*steps = 1; (err = fabric_session_step(&session, &fault)) == -EINPROGRESS; ++*steps)
		assert_true(*steps < 1000);
	assert_int_equal(err, 0);
	return fault;
}

/* Every byte that a plain instruction does not use, and every flag. */
static void unused_fields_are_refused(void **state)
{
	const struct kohaku_transfer_insn good = insn(0, BASE, 4);
	static const size_t unused[] = {
		offsetof(struct kohaku_transfer_insn, index_width),
		offsetof(struct kohaku_transfer_insn, index),
		offsetof(struct kohaku_transfer_insn, mask),
		offsetof(struct kohaku_transfer_insn, writeset),
		offsetof(struct kohaku_transfer_insn, __reserved),
		offsetof(struct kohaku_transfer_insn, __reserved1),
		offsetof(struct kohaku_transfer_insn, __reserved1) + 1,
		offsetof(struct kohaku_transfer_insn, stride),
		offsetof(struct kohaku_transfer_insn, stride) + 7,
	};
	struct kohaku_transfer_insn bad;
	struct fabric_op op;
	u32 i;

	(void)state;
	assert_int_equal(fabric_session_insn(&session, &good, &op), 0);
	assert_int_equal(op.index, FABRIC_NONE);
	assert_int_equal(op.mask, FABRIC_NONE);
	assert_int_equal(op.writeset, FABRIC_NONE);
	for (i = 0; i < ARRAY_SIZE(unused); i++) {
		bad = good;
		((u8 *)&bad)[unused[i]] = 1;
		assert_int_equal(fabric_session_insn(&session, &bad, &op), -EOPNOTSUPP);
	}
	for (i = 4; i < 32; i++) {
		bad = good;
		bad.flags = 1U << i;
		assert_int_equal(fabric_session_insn(&session, &bad, &op), -EOPNOTSUPP);
	}
	bad = good;
	bad.mode = 3;
	assert_int_equal(fabric_session_insn(&session, &bad, &op), -EOPNOTSUPP);
	bad = good;
	bad.flags = KOHAKU_TRANSFER_MASKED | KOHAKU_TRANSFER_DISJOINT;
	bad.mask = 9;
	bad.writeset = 7;
	assert_int_equal(fabric_session_insn(&session, &bad, &op), 0);
	assert_int_equal(op.mask, 9);
	assert_int_equal(op.writeset, 7);
	bad.writeset = 8;
	assert_int_equal(fabric_session_insn(&session, &bad, &op), -EINVAL);
}

static void a_running_program_keeps_others_out(void **state)
{
	struct kohaku_fabric_map map = { .address = 0x4000 };
	struct kohaku_fabric_query query = { .flags = KOHAKU_FABRIC_CLEAR };
	struct kohaku_fabric_results results = {
		.count = 1, .stride = sizeof(struct kohaku_transfer_result),
	};
	struct kohaku_fabric_stripe stripes[4];
	struct kohaku_transfer_insn load = insn(0, BASE + 1, 100);
	struct kohaku_fabric_io io = { .space = KOHAKU_FABRIC_MEMORY, .address = BASE };
	struct fabric_op op;

	(void)state;
	io.length = 8;
	assert_int_equal(fabric_session_results(&session, &results), -ENOENT);
	assert_int_equal(fabric_session_insn(&session, &load, &op), 0);
	assert_int_equal(fabric_session_start(&session, &op, 1, 1, 0), 0);
	assert_int_equal(fabric_session_start(&session, &op, 1, 2, 0), -EBUSY);
	assert_int_equal(fabric_session_map(&session, &map, NULL), -EBUSY);
	assert_int_equal(fabric_session_unmap(&session, BASE), -EBUSY);
	assert_int_equal(fabric_session_layout(&session, BASE, stripes), -EBUSY);
	assert_int_equal(fabric_session_query(&session, &query), -EBUSY);
	assert_int_equal(fabric_session_results(&session, &results), -EBUSY);
	assert_int_equal(fabric_session_io(&session, &io, stripes, false), -EBUSY);
	query.flags = 0;
	assert_int_equal(fabric_session_query(&session, &query), 0);
	assert_int_equal(query.out_pages, 1);
	fabric_session_stop(&session);
	assert_int_equal(fabric_session_results(&session, &results), -ENOENT);
	assert_int_equal(fabric_session_unmap(&session, BASE), 0);
	assert_int_equal(fabric_session_query(&session, &query), 0);
	assert_int_equal(query.out_pages, 0);
}

static void faults_are_recorded_where_they_are(void **state)
{
	struct kohaku_transfer_insn store = insn(KOHAKU_TRANSFER_STORE, BASE + 500, 20);
	struct kohaku_transfer_insn load = insn(0, BASE + 508, 20);
	struct kohaku_transfer_result result;
	struct kohaku_fault_read record = { 0 };
	struct kohaku_fabric_results results = {
		.count = 0, .stride = sizeof(result),
	};
	struct fabric_op op;
	u32 steps;

	(void)state;
	assert_int_equal(run(&store, &steps), KOHAKU_FAULT_PAGE);
	fabric_session_insn(&session, &store, &op);
	fabric_session_fault(&session, &op, &record);
	assert_int_equal(record.out_element, 12);
	assert_int_equal(record.out_dst_offset, BASE + 512);
	assert_int_equal(record.out_src_offset, 0);
	assert_int_equal(fabric_session_results(&session, &results), -EMSGSIZE);
	assert_int_equal(results.count, 1);
	assert_int_equal(results.out_job, 7);
	assert_int_equal(results.out_index, 3);
	fabric_session_result(&session, 0, &result);
	assert_int_equal(result.fault, KOHAKU_TRANSFER_NO_PAGE);
	assert_int_equal(result.address, BASE + 512);
	memset(&record, 0, sizeof(record));
	assert_int_equal(run(&load, &steps), KOHAKU_FAULT_PAGE);
	fabric_session_insn(&session, &load, &op);
	fabric_session_fault(&session, &op, &record);
	assert_int_equal(record.out_element, 4);
	assert_int_equal(record.out_src_offset, BASE + 512);
	load.count = 4;
	assert_int_equal(run(&load, &steps), KOHAKU_FAULT_NONE);
}

/* Work of one call is bounded: a long program takes many. */
static void steps_are_bounded(void **state)
{
	struct kohaku_transfer_insn load = insn(0, BASE + 1, 1024);
	u32 steps;

	(void)state;
	/* All elements are one byte of one lane, which answers one after the other. */
	load.mode = KOHAKU_TRANSFER_STRIDE;
	load.group = 8;
	assert_int_equal(run(&load, &steps), KOHAKU_FAULT_NONE);
	assert_true(steps > 10);
}

static void a_full_trace_counts_what_it_loses(void **state)
{
	struct kohaku_transfer_insn load = insn(0, BASE + 1, 128);
	static struct kohaku_fabric_event events[FABRIC_SESSION_EVENTS];
	u32 steps, i;

	(void)state;
	assert_int_equal(fabric_session_trace_start(&session), 0);
	run(&load, &steps);
	i = fabric_session_trace_take(&session, events, FABRIC_SESSION_EVENTS);
	assert_true(i > 100 && i < FABRIC_SESSION_EVENTS);
	assert_int_equal(session.lost, 0);
	while (!session.lost)
		run(&load, &steps);
	assert_int_equal(session.kept, FABRIC_SESSION_EVENTS);
	assert_int_equal(fabric_session_trace_take(&session, events, 10), 10);
	assert_int_equal(fabric_session_trace_take(&session, events + 10, FABRIC_SESSION_EVENTS),
			 FABRIC_SESSION_EVENTS - 10);
	for (i = 1; i < FABRIC_SESSION_EVENTS; i++)
		assert_true(events[i - 1].tick <= events[i].tick);
	fabric_session_trace_stop(&session);
	run(&load, &steps);
	assert_int_equal(fabric_session_trace_take(&session, events, 1), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(unused_fields_are_refused),
		TEST(a_running_program_keeps_others_out),
		TEST(faults_are_recorded_where_they_are),
		TEST(steps_are_bounded),
		TEST(a_full_trace_counts_what_it_loses),
	};

	return cmocka_run_group_tests_name("sim/transfer/session", tests, NULL, NULL);
}
