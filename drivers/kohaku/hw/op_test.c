// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "hw/op.h"

static void opcodes_flags_and_meshes_are_checked(void **state)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_MARKER };
	u32 bit;

	(void)state;
	assert_int_equal(kohaku_op_check(&op, 1), 0);
	op.mesh = 1;
	assert_int_equal(kohaku_op_check(&op, 1), -EINVAL);
	assert_int_equal(kohaku_op_check(&op, 2), 0);
	for (bit = 0; bit < 32; bit++) {
		op.flags = 1u << bit;
		op.opcode = KOHAKU_OP_MARKER;
		assert_int_equal(kohaku_op_check(&op, 2),
				 op.flags == KOHAKU_OP_BARRIER ? 0 : -EOPNOTSUPP);
		op.opcode = KOHAKU_OP_MOVE;
		assert_int_equal(kohaku_op_check(&op, 2), bit < 2 ? 0 : -EOPNOTSUPP);
	}
	op.flags = 0;
	op.opcode = 0;
	assert_int_equal(kohaku_op_check(&op, 2), -EOPNOTSUPP);
	op.opcode = 0xffff;
	assert_int_equal(kohaku_op_check(&op, 2), -EOPNOTSUPP);
}

/* Whatever byte after the part that an opcode uses. */
static void unused_bytes_must_be_zero(void **state)
{
	struct kohaku_op op;
	size_t i, start = offsetof(struct kohaku_op, move);

	(void)state;
	for (i = start; i < sizeof(op); i++) {
		op = (struct kohaku_op){ .opcode = KOHAKU_OP_MARKER };
		((u8 *)&op)[i] = 1;
		assert_int_equal(kohaku_op_check(&op, 1), -EOPNOTSUPP);
	}
	for (i = start + sizeof(op.slot_load); i < sizeof(op); i++) {
		op = (struct kohaku_op){
			.opcode = KOHAKU_OP_SLOT_LOAD, .slot_load = { 5, 0, 1, 0, 0 },
		};
		assert_int_equal(kohaku_op_check(&op, 1), 0);
		((u8 *)&op)[i] = 1;
		assert_int_equal(kohaku_op_check(&op, 1), -EOPNOTSUPP);
	}
}

static void loads_stay_in_the_table(void **state)
{
	static const struct {
		struct kohaku_slot_load load;
		int error;
	} cases[] = {
		{ { 5, 0, 256, 0, 0 }, 0 },
		{ { 5, 255, 1, 0, 0 }, 0 },
		{ { 5, 0, 0, 0, 0 }, -EINVAL },
		{ { 5, 0, 257, 0, 0 }, -EINVAL },
		{ { 5, 1, 256, 0, 0 }, -EINVAL },
		{ { 5, 256, 1, 0, 0 }, -EINVAL },
		{ { 5, 2, U32_MAX, 0, 0 }, -EINVAL },
		{ { 5, U32_MAX, 2, 0, 0 }, -EINVAL },
		{ { 4, 0, 1, 0, 0 }, -EOPNOTSUPP },
		{ { 5, 0, 1, 1, 0 }, -EOPNOTSUPP },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kohaku_op op = {
			.opcode = KOHAKU_OP_SLOT_LOAD, .slot_load = cases[i].load,
		};

		assert_int_equal(kohaku_op_check(&op, 1), cases[i].error);
	}
}

static void transfers_run_on_mesh_0(void **state)
{
	static const struct {
		struct kohaku_transfer transfer;
		u16 mesh;
		int error;
	} cases[] = {
		{ { 64, 1024, 40 }, 0, 0 },
		{ { 64, 1, 4096 }, 0, 0 },
		{ { 0, 0, 0 }, 0, 0 },
		{ { 64, 1, 40 }, 1, -EINVAL },
		{ { 64, 1025, 40 }, 0, -EINVAL },
		{ { 64, U32_MAX, 40 }, 0, -EINVAL },
		{ { 64, 1, 39 }, 0, -EINVAL },
		{ { 64, 1, 4097 }, 0, -E2BIG },
	};
	u32 i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		struct kohaku_op op = {
			.opcode = KOHAKU_OP_TRANSFER, .mesh = cases[i].mesh,
			.transfer = cases[i].transfer,
		};

		assert_int_equal(kohaku_op_check(&op, 2), cases[i].error);
		((u8 *)&op)[sizeof(op) - 1] = 1;
		assert_int_equal(kohaku_op_check(&op, 2), -EOPNOTSUPP);
	}
}

static void verify_looks_at_the_highest_word(void **state)
{
	struct kohaku_op op = {
		.opcode = KOHAKU_OP_MOVE, .flags = KOHAKU_OP_VERIFY,
		.move = { .mode = KOHAKU_MOVE_COPY, .dst = { .offset = 64 } },
	};
	struct kohaku_move_facts facts = { .dst = { .lo = -64, .hi = 320 } };
	u64 addr = 0;

	(void)state;
	assert_true(kohaku_op_verifies(&op, 4096, &facts, &addr));
	assert_int_equal(addr, 4096 + 64 + 320);
	op.move.mode = KOHAKU_MOVE_XFORM;
	assert_true(kohaku_op_verifies(&op, 4096, &facts, &addr));
	assert_int_equal(addr, 4096 + 64 + 320 + 96);
	op.move.dst.offset = 65;
	assert_false(kohaku_op_verifies(&op, 4096, &facts, &addr));
	op.move.dst.offset = 64;
	facts.dst.empty = true;
	assert_false(kohaku_op_verifies(&op, 4096, &facts, &addr));
	facts.dst.empty = false;
	op.flags = 0;
	assert_false(kohaku_op_verifies(&op, 4096, &facts, &addr));
}

static void sentinels_differ(void **state)
{
	u8 first[KOHAKU_WORD_SIZE], other[KOHAKU_WORD_SIZE];
	u64 nonce;

	(void)state;
	kohaku_op_sentinel(0, first);
	kohaku_op_sentinel(0, other);
	assert_memory_equal(first, other, sizeof(first));
	for (nonce = 1; nonce < 1000; nonce++) {
		kohaku_op_sentinel(nonce, other);
		assert_memory_not_equal(first, other, sizeof(first));
		assert_memory_not_equal(first, other, 8);
	}
	/* No part of a sentinel repeats another one. */
	assert_memory_not_equal(first, first + 8, 8);
	assert_memory_not_equal(first + 16, first + 24, 8);
}

static void a_misaligned_element_is_found(void **state)
{
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_COPY,
		.src = { .ndim = 1, .offset = 1024, .dims = { { 64, 6, 0, 0 } } },
		.dst = { .ndim = 2, .offset = 32, .dims = { { 2000, 2, 0, 0 }, { 32, 3, 0, 0 } } },
	};
	struct kohaku_fault_read record = { .out_code = KOHAKU_FAULT_ALIGN };
	static const u32 rows[] = { 7, 9 };

	(void)state;
	kohaku_op_locate_fault(&move, 4096, NULL, 1000, &record);
	assert_int_equal(record.out_element, 3);
	assert_int_equal(record.out_indices[0], 1);
	assert_int_equal(record.out_indices[1], 0);
	assert_int_equal(record.out_dst_offset, 32 + 2000);
	assert_int_equal(record.out_src_offset, 1024 + 3 * 64);
	assert_int_equal(record.out_words, 3);
	move.mode = KOHAKU_MOVE_GATHER;
	move.pitch = 256;
	move.row_words = 2;
	kohaku_op_locate_fault(&move, 4096, rows, 1000, &record);
	assert_int_equal(record.out_src_offset, 1024 + 9 * 256 + 32);
	record.out_code = KOHAKU_FAULT_AXI;
	record.out_words = 77;
	kohaku_op_locate_fault(&move, 4096, rows, 1000, &record);
	assert_int_equal(record.out_element, KOHAKU_ELEMENT_UNKNOWN);
	assert_int_equal(record.out_words, 77);
}

static void every_fault_has_a_name(void **state)
{
	u32 code, k;

	(void)state;
	for (code = KOHAKU_FAULT_NONE; code <= KOHAKU_FAULT_MEMORY; code++) {
		const char *name = kohaku_fault_code_name(code);

		if (code > KOHAKU_FAULT_PAD && code < KOHAKU_FAULT_NO_MOTION) {
			assert_string_equal(name, "unknown fault");
			continue;
		}
		for (k = 0; k < code; k++)
			assert_string_not_equal(name, kohaku_fault_code_name(k));
	}
	assert_string_equal(kohaku_fault_code_name(KOHAKU_FAULT_PAGE),
			    "no page there, or one that forbids the access");
}

static void faults_of_the_vector_core_have_names(void **state)
{
	u32 code, k;

	(void)state;
	for (code = KOHAKU_FAULT_VECTOR; code <= KOHAKU_FAULT_VECTOR_PACKET; code++) {
		const char *name = kohaku_fault_code_name(code);

		assert_memory_equal(name, "vector core: ", 13);
		if (code == KOHAKU_FAULT_VECTOR ||
		    (code > KOHAKU_FAULT_VECTOR_UNIT && code < KOHAKU_FAULT_VECTOR_ENDLESS)) {
			assert_string_equal(name, "vector core: unknown fault");
			continue;
		}
		for (k = KOHAKU_FAULT_VECTOR; k < code; k++)
			assert_string_not_equal(name, kohaku_fault_code_name(k));
	}
	assert_string_equal(kohaku_fault_code_name(code), "unknown fault");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opcodes_flags_and_meshes_are_checked),
		cmocka_unit_test(unused_bytes_must_be_zero),
		cmocka_unit_test(loads_stay_in_the_table),
		cmocka_unit_test(transfers_run_on_mesh_0),
		cmocka_unit_test(verify_looks_at_the_highest_word),
		cmocka_unit_test(sentinels_differ),
		cmocka_unit_test(a_misaligned_element_is_found),
		cmocka_unit_test(every_fault_has_a_name),
		cmocka_unit_test(faults_of_the_vector_core_have_names),
	};

	return cmocka_run_group_tests_name("hw/op", tests, NULL, NULL);
}
