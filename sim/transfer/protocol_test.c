// SPDX-License-Identifier: GPL-2.0
/*
 * Cases that a plainer reading of the protocol gets wrong, one rule each; see
 * "What the search taught" in Documentation/hardware/transfer.rst.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/transfer/transfer.h"

#define BASE	0x40000000ULL
#define PAGE	512
#define LANES	16

static u8 fill(u64 address)
{
	return address * 13 + address / PAGE;
}

static struct fabric *make(const struct fabric_config *config)
{
	struct fabric *fabric = fabric_create(config);

	assert_non_null(fabric);
	return fabric;
}

static void map(struct fabric *fabric, u32 n, u32 memory, u8 width)
{
	const struct fabric_page page = {
		.address = BASE + n * PAGE, .memory = memory, .readable = true, .writable = true,
	};
	u8 bytes[PAGE], widths[PAGE / 8];
	u32 i;

	memset(widths, width, sizeof(widths));
	for (i = 0; i < PAGE; i++)
		bytes[i] = fill(page.address + i);
	assert_int_equal(fabric_map(fabric, &page, widths, NULL), 0);
	assert_int_equal(fabric_write(fabric, page.address, bytes, PAGE), 0);
}

static struct fabric_op op(bool store, u32 mode, u32 width, u32 count, s32 reg, u64 base)
{
	return (struct fabric_op) {
		.store = store, .mode = mode, .width = width, .count = count, .group = 1,
		.reg = reg, .index = FABRIC_NONE, .mask = FABRIC_NONE, .writeset = FABRIC_NONE,
		.base = base,
	};
}

static void run(struct fabric *fabric, const struct fabric_op *ops, u32 count)
{
	u32 bad;

	assert_int_equal(fabric_submit(fabric, ops, count, &bad), 0);
	assert_int_equal(fabric_run(fabric, U64_MAX), 0);
	assert_int_equal(fabric_counters(fabric)->protocol_errors, 0);
}

static void set_register(struct fabric *fabric, u32 reg, u64 word)
{
	u64 words[LANES];
	u32 lane;

	for (lane = 0; lane < LANES; lane++)
		words[lane] = word;
	assert_int_equal(fabric_register_write(fabric, reg, words, 64), 0);
}

static void assert_bytes(struct fabric *fabric, u64 address, u32 size, u8 value)
{
	u8 bytes[PAGE];
	u32 i;

	assert_int_equal(fabric_read(fabric, address, bytes, size), 0);
	for (i = 0; i < size; i++)
		assert_int_equal(bytes[i], value);
}

/*
 * An element that reaches from a non-idempotent page into vector memory is held
 * back as several segments: each has to go out later, not just the first.
 */
static void held_back_element_goes_out_whole(void **state)
{
	struct fabric_config config;
	struct fabric *fabric;
	struct fabric_op load = op(false, FABRIC_STRIDE, 64, 1, 0, BASE + PAGE - 3);
	u64 words[LANES];
	u32 width, i;

	(void)state;
	fabric_config_default(&config);
	fabric = make(&config);
	map(fabric, 0, FABRIC_SCALAR_ONCE, 8);
	map(fabric, 1, FABRIC_VECTOR, 8);
	run(fabric, &load, 1);
	fabric_register_read(fabric, 0, words, &width);
	for (i = 0; i < 8; i++)
		assert_int_equal(words[0] >> (8 * i) & 0xff, fill(BASE + PAGE - 3 + i));
	assert_int_equal(fabric_counters(fabric)->once, 1);
	assert_int_equal(fabric_counters(fabric)->segments[0], 5);
	assert_int_equal(fabric_counters(fabric)->segments[1], 1);
	fabric_destroy(fabric);
}

/*
 * Two stores of one writeset touch disjoint bytes of a stripe, but the second
 * has the stripe converted, which moves the bytes of the first between lanes.
 */
static void relayout_ignores_writesets(void **state)
{
	const struct fabric_op warm = op(false, FABRIC_UNIT, 8, 128, 2, BASE);
	struct fabric_op ops[2] = {
		op(true, FABRIC_STRIDE, 8, 16, 0, BASE + 64),
		op(true, FABRIC_UNIT, 32, 8, 1, BASE),
	};
	struct fabric_config config;
	struct fabric *fabric;
	u32 i;

	(void)state;
	fabric_config_default(&config);
	fabric = make(&config);
	map(fabric, 0, FABRIC_VECTOR, 8);
	ops[0].stride = 3;
	ops[0].writeset = 5;
	ops[1].writeset = 5;
	set_register(fabric, 0, 0xaaaaaaaaaaaaaaaaULL);
	set_register(fabric, 1, 0xbbbbbbbbbbbbbbbbULL);
	run(fabric, &warm, 1);
	run(fabric, ops, 2);
	assert_int_equal(fabric_counters(fabric)->relayouts, 1);
	assert_bytes(fabric, BASE, 32, 0xbb);
	for (i = 0; i < 16; i++)
		assert_bytes(fabric, BASE + 64 + 3 * i, 1, 0xaa);
	assert_bytes(fabric, BASE + 127, 1, fill(BASE + 127));
	fabric_destroy(fabric);
}

/*
 * A stripe must not be converted while its line is on its way to DRAM for the
 * sake of another line, though nobody who uses it is in any table.
 */
static void relayout_waits_for_eviction(void **state)
{
	struct fabric_config config;
	struct fabric *fabric;
	struct fabric_op ops[6];
	u64 words[LANES];
	u8 bytes[128];
	u32 n;

	(void)state;
	fabric_config_default(&config);
	config.slots = 4;
	fabric = make(&config);
	for (n = 0; n < 5; n++)
		map(fabric, n, FABRIC_VECTOR, 32);
	for (n = 0; n < LANES; n++)
		words[n] = 0x7060504030201000ULL + 0x0101010101010101ULL * n;
	assert_int_equal(fabric_register_write(fabric, 0, words, 32), 0);
	set_register(fabric, 1, 0xbbbbbbbbbbbbbbbbULL);
	for (n = 0; n < 4; n++)
		ops[n] = op(true, FABRIC_UNIT, 32, 32, 0, BASE + n * PAGE);
	ops[4] = op(false, FABRIC_UNIT, 32, 32, 2, BASE + 4 * PAGE);
	ops[5] = op(true, FABRIC_UNIT, 16, 16, 1, BASE);
	run(fabric, ops, 4);
	run(fabric, &ops[4], 2);
	assert_bytes(fabric, BASE, 32, 0xbb);
	assert_int_equal(fabric_read(fabric, BASE, bytes, sizeof(bytes)), 0);
	for (n = 32; n < sizeof(bytes); n++)
		assert_int_equal(bytes[n], (u8)(words[n / 4 % LANES] >> (n / 64 * 32 + n % 4 * 8)));
	assert_int_equal(fabric_counters(fabric)->relayouts, 1);
	fabric_destroy(fabric);
}

/*
 * Kamlets may be through with a kinstruction, barrier included, before the far
 * slower fault reduction reaches the lamlet: its name is not free until then.
 */
static void name_outlives_late_fault(void **state)
{
	const struct fabric_op warm = op(false, FABRIC_UNIT, 64, 2, 3, BASE);
	struct fabric_op ops[5] = {
		op(true, FABRIC_UNIT, 8, 8, 4, BASE + 259),
		op(false, FABRIC_STRIDE, 64, 1, 0, BASE + PAGE),
		op(false, FABRIC_UNIT, 64, 2, 1, BASE),
		op(false, FABRIC_UNIT, 64, 2, 2, BASE),
		op(false, FABRIC_UNIT, 64, 2, 3, BASE),
	};
	const struct fabric_result *results;
	struct fabric_config config;
	struct fabric *fabric;
	u32 i;

	(void)state;
	fabric_config_default(&config);
	config.kamlet_columns = 1;
	config.kamlet_rows = 1;
	config.idents = 3;
	fabric = make(&config);
	map(fabric, 0, FABRIC_VECTOR, 64);
	run(fabric, &warm, 1);
	run(fabric, ops, 5);
	results = fabric_results(fabric);
	assert_int_equal(results[1].fault, FABRIC_NO_PAGE);
	assert_int_equal(results[1].element, 0);
	assert_int_equal(results[1].address, BASE + PAGE);
	for (i = 0; i < 5; i++)
		assert_true(i == 1 || results[i].fault == FABRIC_OK);
	fabric_destroy(fabric);
}

/* Where a unit-stride operation ends may hang on a mask that is still being loaded. */
static void fault_waits_for_mask(void **state)
{
	struct fabric_op ops[2] = {
		op(false, FABRIC_UNIT, 64, 16, 0, BASE),
		op(false, FABRIC_UNIT, 64, 16, 1, BASE + PAGE - 64),
	};
	const struct fabric_result *results;
	struct fabric_config config;
	struct fabric *fabric;
	u8 mask[128] = { 0 };
	u32 lane;

	(void)state;
	fabric_config_default(&config);
	fabric = make(&config);
	map(fabric, 0, FABRIC_VECTOR, 8);
	/* Elements 8 and on lie past the page; 10 is the first that counts. */
	for (lane = 0; lane < LANES; lane++)
		mask[8 * lane] = lane < 8 || lane >= 10;
	assert_int_equal(fabric_write(fabric, BASE, mask, sizeof(mask)), 0);
	set_register(fabric, 0, 0);
	ops[1].mask = 0;
	run(fabric, ops, 2);
	results = fabric_results(fabric);
	assert_int_equal(results[1].fault, FABRIC_NO_PAGE);
	assert_int_equal(results[1].element, 10);
	assert_int_equal(results[1].address, BASE + PAGE + 16);
	fabric_destroy(fabric);
}

/* A later chunk hears of an earlier one's fault before it touches such pages. */
static void later_chunk_respects_fault(void **state)
{
	struct fabric_op store = op(true, FABRIC_STRIDE, 64, 32, 0, BASE - 64);
	struct fabric_config config;
	struct fabric *fabric;
	u32 i;

	(void)state;
	fabric_config_default(&config);
	fabric = make(&config);
	map(fabric, 0, FABRIC_VECTOR, 64);
	map(fabric, 1, FABRIC_VECTOR, 64);
	map(fabric, 2, FABRIC_SCALAR_ONCE, 64);
	map(fabric, 3, FABRIC_SCALAR_ONCE, 64);
	store.group = 2;
	store.stride = 64;
	set_register(fabric, 0, 0xaaaaaaaaaaaaaaaaULL);
	set_register(fabric, 1, 0xaaaaaaaaaaaaaaaaULL);
	run(fabric, &store, 1);
	/* Only element 0 faults; those of the second chunk from 17 on are held back. */
	assert_int_equal(fabric_results(fabric)->fault, FABRIC_NO_PAGE);
	assert_int_equal(fabric_results(fabric)->element, 0);
	assert_int_equal(fabric_counters(fabric)->fault_syncs, 2);
	assert_int_equal(fabric_counters(fabric)->once, 0);
	for (i = 0; i < 2 * PAGE; i += 64)
		assert_bytes(fabric, BASE + 2 * PAGE + i, 1, fill(BASE + 2 * PAGE + i));
	fabric_destroy(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(held_back_element_goes_out_whole),
		cmocka_unit_test(relayout_ignores_writesets),
		cmocka_unit_test(relayout_waits_for_eviction),
		cmocka_unit_test(name_outlives_late_fault),
		cmocka_unit_test(fault_waits_for_mask),
		cmocka_unit_test(later_chunk_respects_fault),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
