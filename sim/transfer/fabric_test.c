// SPDX-License-Identifier: GPL-2.0
/* What a fabric refuses, how it is stopped, and what a host sees of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "sim/transfer/transfer.h"

#define BASE	0x1000000ULL
#define PAGE	512
#define LANES	16

static const struct fabric_op good = {
	.mode = FABRIC_UNIT, .width = 32, .group = 1, .reg = 4, .index = FABRIC_NONE,
	.mask = FABRIC_NONE, .writeset = FABRIC_NONE, .count = 32, .base = BASE,
};

static int set_up(void **state)
{
	struct fabric_page page = { .address = BASE, .readable = true, .writable = true };
	struct fabric_config config;
	struct fabric *fabric;

	fabric_config_default(&config);
	fabric = fabric_create(&config);
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), 0);
	page.address += PAGE;
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), 0);
	*state = fabric;
	return 0;
}

static int tear_down(void **state)
{
	fabric_destroy(*state);
	return 0;
}

#define assert_config(valid, field, value) do {				\
	struct fabric_config config;					\
									\
	fabric_config_default(&config);					\
	config.field = (value);						\
	assert_int_equal(fabric_config_valid(&config), valid);		\
} while (0)

static void config_is_checked(void **state)
{
	(void)state;
	assert_config(true, slots, 4);
	assert_config(false, slots, 3);
	assert_config(false, slots, 65);
	assert_config(false, kamlet_columns, 0);
	assert_config(false, kamlet_rows, 5);
	assert_config(false, jamlet_columns, 5);
	assert_config(false, jamlet_rows, 0);
	assert_config(false, line_words, 3);
	assert_config(false, line_words, 16);
	assert_config(true, page_bytes, 1024);
	assert_config(false, page_bytes, 768);
	assert_config(false, page_bytes, 0);
	assert_config(false, page_bytes, 2U << 20);
	assert_config(true, rows, 1);
	assert_config(false, rows, 0);
	assert_config(false, rows, 17);
	assert_config(false, waits, 0);
	assert_config(false, waits, 33);
	assert_config(true, idents, 2);
	assert_config(false, idents, 1);
	assert_config(false, idents, 129);
	assert_config(false, syncs, 1);
	assert_config(false, syncs, 9);
	assert_config(false, order, 1);
	assert_config(false, order, 6);
	assert_null(fabric_create(&(struct fabric_config) { .slots = 1 }));
}

static void pages_are_checked(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_page page = { .address = BASE };
	const u8 widths[4] = { 8, 16, 24, 32 }, orders[4] = { 2, 1, 2, 2 };
	u32 i;

	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), -EEXIST);
	page.address = BASE + 2 * PAGE + 8;
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), -EINVAL);
	page.address = BASE + 2 * PAGE;
	assert_int_equal(fabric_map(fabric, &page, widths, NULL), -EINVAL);
	assert_int_equal(fabric_map(fabric, &page, NULL, orders), -EINVAL);
	page.memory = FABRIC_MEMORIES;
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), -EINVAL);
	page.memory = FABRIC_SCALAR;
	for (i = 2; i < FABRIC_PAGES_MAX; i++, page.address += PAGE)
		assert_int_equal(fabric_map(fabric, &page, NULL, NULL), 0);
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), -ENOSPC);
	assert_int_equal(fabric_unmap(fabric, page.address), -ENOENT);
	assert_int_equal(fabric_unmap(fabric, BASE + 8), -ENOENT);
	assert_int_equal(fabric_unmap(fabric, BASE), 0);
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), 0);
}

#define assert_refused(field, value) do {				\
	struct fabric_op ops[3] = { good, good, good };			\
	u32 bad = 0;							\
									\
	ops[1].field = (value);						\
	assert_int_equal(fabric_submit(fabric, ops, 3, &bad), -EINVAL);	\
	assert_int_equal(bad, 1);					\
	assert_int_equal(fabric_run(fabric, 1), 0);			\
} while (0)

static void operations_are_checked(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_op op = good;

	assert_int_equal(fabric_check(fabric, &good), 0);
	assert_refused(mode, FABRIC_MODES);
	assert_refused(width, 0);
	assert_refused(width, 1);
	assert_refused(width, 128);
	assert_refused(group, 0);
	assert_refused(group, 3);
	assert_refused(group, 16);
	assert_refused(reg, -1);
	assert_refused(reg, 32);
	assert_refused(count, 33);
	assert_refused(count, U32_MAX);
	assert_refused(mask, 32);
	assert_refused(mask, 4);
	assert_refused(mask, -2);
	assert_refused(index, 1);
	assert_refused(index_width, 32);
	assert_refused(stride, 4);
	assert_refused(writeset, 8);
	assert_refused(writeset, -2);
	op.group = 8;
	op.reg = 25;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
	op.reg = 24;
	assert_int_equal(fabric_check(fabric, &op), 0);
	assert_int_equal(fabric_counters(fabric)->messages[FABRIC_KINSTR], 0);
}

static void indexes_are_checked(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_op op = good;

	op.mode = FABRIC_INDEX;
	op.index_width = 32;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
	op.index = 8;
	assert_int_equal(fabric_check(fabric, &op), 0);
	op.index_width = 12;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
	/* Two registers of 64-bit indexes to one of 32-bit data. */
	op.index_width = 64;
	op.index = 31;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
	op.index = 3;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
	op.store = true;
	assert_int_equal(fabric_check(fabric, &op), 0);
	/* Sixteen registers of indexes. */
	op = good;
	op.mode = FABRIC_INDEX;
	op.width = 8;
	op.group = 2;
	op.index = 8;
	op.index_width = 64;
	assert_int_equal(fabric_check(fabric, &op), -EINVAL);
}

static void program_length_is_checked(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_op *ops = calloc(FABRIC_PROGRAM_MAX + 1, sizeof(*ops));
	u32 i, bad;

	for (i = 0; i <= FABRIC_PROGRAM_MAX; i++)
		ops[i] = good;
	assert_int_equal(fabric_submit(fabric, ops, FABRIC_PROGRAM_MAX + 1, &bad), -E2BIG);
	assert_int_equal(fabric_submit(fabric, ops, FABRIC_PROGRAM_MAX, &bad), 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	assert_int_equal(fabric_counters(fabric)->nonlocal, FABRIC_PROGRAM_MAX);
	assert_int_equal(fabric_submit(fabric, NULL, 0, &bad), 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	free(ops);
}

static void host_waits_for_program(void **state)
{
	struct fabric *fabric = *state;
	const struct fabric_page page = { .address = BASE + 8 * PAGE };
	u64 words[LANES] = { 0 };
	u32 width, bad;

	assert_int_equal(fabric_submit(fabric, &good, 1, &bad), 0);
	assert_int_equal(fabric_submit(fabric, &good, 1, &bad), -EBUSY);
	assert_int_equal(fabric_read(fabric, BASE, words, 8), -EBUSY);
	assert_int_equal(fabric_write(fabric, BASE, words, 8), -EBUSY);
	assert_int_equal(fabric_register_read(fabric, 0, words, &width), -EBUSY);
	assert_int_equal(fabric_register_write(fabric, 0, words, 8), -EBUSY);
	assert_int_equal(fabric_map(fabric, &page, NULL, NULL), -EBUSY);
	assert_int_equal(fabric_unmap(fabric, BASE), -EBUSY);
	assert_int_equal(fabric_flush(fabric), -EBUSY);
	assert_int_equal(fabric_run(fabric, 1), -EINPROGRESS);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	assert_int_equal(fabric_register_read(fabric, 4, words, &width), 0);
	assert_int_equal(width, 32);
	assert_int_equal(fabric_register_read(fabric, 32, words, &width), -EINVAL);
	assert_int_equal(fabric_register_write(fabric, 0, words, 24), -EINVAL);
}

static void memory_keeps_bytes(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_op op = good;
	u8 in[2 * PAGE], out[2 * PAGE];
	u32 i, bad, width, order;

	for (i = 0; i < 2 * PAGE; i++)
		in[i] = i * 7;
	assert_int_equal(fabric_write(fabric, BASE, in, 2 * PAGE), 0);
	assert_int_equal(fabric_read(fabric, BASE, out, 2 * PAGE), 0);
	assert_memory_equal(in, out, 2 * PAGE);
	assert_int_equal(fabric_read(fabric, BASE + 8, out, 2 * PAGE), -ENOENT);
	assert_int_equal(fabric_read(fabric, ~0ULL - 3, out, 8), -ENOENT);
	assert_int_equal(fabric_read(fabric, BASE - 1, out, 2), -ENOENT);
	/* Cached and modified, then written by the host, then written back. */
	assert_int_equal(fabric_submit(fabric, &op, 1, &bad), 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	op.store = true;
	op.base += 128;
	assert_int_equal(fabric_submit(fabric, &op, 1, &bad), 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	memcpy(&in[128], in, 128);
	in[130] = 0xee;
	assert_int_equal(fabric_write(fabric, BASE + 130, &in[130], 1), 0);
	for (i = 0; i < 2; i++) {
		assert_int_equal(fabric_read(fabric, BASE, out, 2 * PAGE), 0);
		assert_memory_equal(in, out, 2 * PAGE);
		assert_int_equal(fabric_flush(fabric), 0);
	}
	/* The aligned store stamped its width on its stripe and on no other. */
	assert_int_equal(fabric_stripe(fabric, BASE + 255, &width, &order), 0);
	assert_int_equal(width, 32);
	assert_int_equal(fabric_stripe(fabric, BASE + 256, &width, &order), 0);
	assert_int_equal(width, 64);
	assert_int_equal(fabric_stripe(fabric, BASE - 1, &width, &order), -ENOENT);
}

/* A program too long for its limit ends, can be dropped, and leaves a fabric that works. */
static void limits_end_programs(void **state)
{
	struct fabric_page page = { .address = BASE, .readable = true, .writable = true };
	struct fabric_config config;
	struct fabric *fabric;
	struct fabric_op op = good;
	u8 before[PAGE], after[PAGE];
	u32 limit, bad, i;
	int err;

	(void)state;
	fabric_config_default(&config);
	for (i = 0; i < PAGE; i++)
		before[i] = i;
	for (limit = 1; limit < 120; limit++) {
		config.tick_limit = limit;
		fabric = fabric_create(&config);
		assert_int_equal(fabric_map(fabric, &page, NULL, NULL), 0);
		assert_int_equal(fabric_write(fabric, BASE, before, PAGE), 0);
		op.store = true;
		op.base = BASE + 3;
		assert_int_equal(fabric_submit(fabric, &op, 1, &bad), 0);
		err = fabric_run(fabric, U64_MAX);
		assert_true(!err || err == -ETIMEDOUT);
		assert_int_equal(fabric_run(fabric, U64_MAX), err);
		fabric_abort(fabric);
		/* Each byte is the old one or the stored one. */
		assert_int_equal(fabric_read(fabric, BASE, after, PAGE), 0);
		for (i = 0; i < PAGE; i++)
			assert_true(after[i] == before[i] || (i >= 3 && i < 131 && !after[i]));
		assert_int_equal(fabric_submit(fabric, NULL, 0, &bad), 0);
		assert_int_equal(fabric_run(fabric, U64_MAX), 0);
		fabric_destroy(fabric);
	}
}

static void same_program_same_figures(void **state)
{
	struct fabric_counters first;
	struct fabric_op ops[2] = { good, good };
	void *other = NULL;
	u32 bad, n;
	u64 slice;

	ops[1].store = true;
	ops[1].base += 13;
	assert_int_equal(set_up(&other), 0);
	for (n = 0; n < 2; n++) {
		struct fabric *fabric = n ? other : *state;

		slice = n ? 1 : U64_MAX;
		assert_int_equal(fabric_submit(fabric, ops, 2, &bad), 0);
		while (fabric_run(fabric, slice) == -EINPROGRESS)
			continue;
		if (!n)
			first = *fabric_counters(fabric);
		else
			assert_memory_equal(&first, fabric_counters(fabric), sizeof(first));
	}
	assert_true(first.cycles > 0);
	fabric_destroy(other);
}

static void tables_are_shown(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_row_view row;
	struct fabric_slot_view slot;
	struct fabric_op op = good;
	u32 bad;

	op.base += 5;
	assert_int_equal(fabric_submit(fabric, &op, 1, &bad), 0);
	while (!fabric_dump_rows(fabric, 0, &row, 1))
		assert_int_equal(fabric_run(fabric, 1), -EINPROGRESS);
	assert_int_equal(row.op, 0);
	assert_int_equal(row.state, FABRIC_ROW_ACTIVE);
	assert_true(row.push);
	assert_true(row.open > 0);
	assert_int_equal(row.writeset, 8);
	assert_int_equal(fabric_dump_slots(fabric, 0, &slot, 1), 1);
	assert_int_equal(slot.pins, 1);
	assert_int_equal(slot.state, FABRIC_LINE_RESERVED);
	assert_string_equal(fabric_line_state_name(slot.state), "RESERVED");
	assert_string_equal(fabric_message_name(FABRIC_WR_RETRY), "WR_RETRY");
	assert_string_equal(fabric_message_name(FABRIC_MESSAGES), "?");
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	assert_int_equal(fabric_dump_rows(fabric, 0, &row, 1), 0);
}

/* Strided bytes come by requests, and those for a line that is not there are parked. */
static void parked_requests_are_shown(void **state)
{
	struct fabric *fabric = *state;
	struct fabric_wait_view waits[FABRIC_WAITS_MAX];
	struct fabric_op op = good;
	u32 bad, k = 0, count, i;

	op.mode = FABRIC_STRIDE;
	op.stride = 24;
	op.store = true;
	assert_int_equal(fabric_submit(fabric, &op, 1, &bad), 0);
	while (!(count = fabric_dump_waits(fabric, k, waits, FABRIC_WAITS_MAX))) {
		assert_int_equal(fabric_run(fabric, 1), -EINPROGRESS);
		k = (k + 1) % 4;
	}
	for (i = 0; i < count; i++) {
		assert_int_equal(waits[i].source.unit, FABRIC_JAMLET);
		assert_in_range(waits[i].size, 1, 8);
		assert_in_range(waits[i].byte, 0, 7);
		assert_true(waits[i].write);
		assert_false(waits[i].retried);
	}
	assert_true(fabric_tick(fabric) > 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	for (k = 0; k < 4; k++)
		assert_int_equal(fabric_dump_waits(fabric, k, waits, FABRIC_WAITS_MAX), 0);
}

#define fabric_test(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(config_is_checked),
		fabric_test(pages_are_checked),
		fabric_test(operations_are_checked),
		fabric_test(indexes_are_checked),
		fabric_test(program_length_is_checked),
		fabric_test(host_waits_for_program),
		fabric_test(memory_keeps_bytes),
		cmocka_unit_test(limits_end_programs),
		fabric_test(same_program_same_figures),
		fabric_test(tables_are_shown),
		fabric_test(parked_requests_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
