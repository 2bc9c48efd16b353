// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "hw/command.h"

static void every_number_has_its_own_row(void **state)
{
	u32 i;

	(void)state;
	for (i = 0; i < KOHAKU_COMMANDS; i++) {
		u32 nr = _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + i);
		const struct kohaku_command *command = kohaku_command_find(nr);

		assert_non_null(command);
		assert_int_equal(command->nr, nr);
		assert_true(command->min_size >= 8);
		assert_true(command->min_size <= command->size);
		assert_true(command->size <= sizeof(union kohaku_command_arg));
		assert_non_null(command->name);
	}
}

static void other_numbers_have_none(void **state)
{
	(void)state;
	assert_null(kohaku_command_find(0));
	assert_null(kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE - 1)));
	assert_null(kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + KOHAKU_COMMANDS)));
	assert_null(kohaku_command_find(_IO(KOHAKU_TYPE ^ 1, KOHAKU_NR_INFO)));
	assert_null(kohaku_command_find(_IOWR(KOHAKU_TYPE, KOHAKU_NR_INFO, struct kohaku_info)));
}

static void first_release_sizes_are_frozen(void **state)
{
	static const struct { u32 nr, min_size; } frozen[] = {
		{ KOHAKU_INFO, 96 }, { KOHAKU_PROBE, 40 }, { KOHAKU_BUF_ALLOC, 48 },
		{ KOHAKU_BUF_FREE, 8 }, { KOHAKU_BUF_READ, 40 }, { KOHAKU_BUF_WRITE, 40 },
		{ KOHAKU_SUBMIT, 168 }, { KOHAKU_WAIT, 136 }, { KOHAKU_EVENTFD, 16 },
		{ KOHAKU_FAULT_READ, 744 }, { KOHAKU_RESET, 8 }, { KOHAKU_SLOT_QUERY, 72 },
		{ KOHAKU_FABRIC_QUERY, 408 }, { KOHAKU_FABRIC_MAP, 32 },
		{ KOHAKU_FABRIC_UNMAP, 16 }, { KOHAKU_FABRIC_LAYOUT, 32 },
		{ KOHAKU_FABRIC_READ, 40 }, { KOHAKU_FABRIC_WRITE, 40 },
		{ KOHAKU_FABRIC_RESULTS, 40 }, { KOHAKU_FABRIC_TRACE, 32 },
	};
	u32 i;

	(void)state;
	assert_int_equal(ARRAY_SIZE(frozen), KOHAKU_COMMANDS);
	for (i = 0; i < ARRAY_SIZE(frozen); i++)
		assert_int_equal(kohaku_command_find(frozen[i].nr)->min_size, frozen[i].min_size);
}

/* A04, B02 */
static void structs_are_neither_short_nor_endless(void **state)
{
	const struct kohaku_command *command = kohaku_command_find(KOHAKU_SUBMIT);

	(void)state;
	assert_int_equal(kohaku_command_check_size(command, 0), -EINVAL);
	assert_int_equal(kohaku_command_check_size(command, 167), -EINVAL);
	assert_int_equal(kohaku_command_check_size(command, 168), 0);
	assert_int_equal(kohaku_command_check_size(command, 4096), 0);
	assert_int_equal(kohaku_command_check_size(command, 4097), -E2BIG);
	assert_int_equal(kohaku_command_check_size(command, U32_MAX), -E2BIG);
}

static void probe_answers_from_the_table(void **state)
{
	struct kohaku_probe probe = {
		.size = sizeof(probe), .cmd = KOHAKU_SUBMIT, .out_caps = ~0ULL,
	};

	(void)state;
	assert_int_equal(kohaku_command_probe(&probe), 0);
	assert_int_equal(probe.out_size, sizeof(struct kohaku_submit));
	assert_int_equal(probe.out_min_size, 168);
	assert_int_equal(probe.out_flags, KOHAKU_SUBMIT_ASYNC);
	assert_int_equal(probe.out_caps, 0);
	probe.cmd = _IO(KOHAKU_TYPE, 0);
	assert_int_equal(kohaku_command_probe(&probe), -ENOTTY);
}

static void each_unknown_flag_is_refused(void **state)
{
	u32 i, bit;

	(void)state;
	for (i = 0; i < KOHAKU_COMMANDS; i++) {
		const struct kohaku_command *command =
			kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + i));

		for (bit = 0; bit < 32 && command->flags_offset; bit++) {
			union kohaku_command_arg arg = { 0 };
			u32 flags = 1u << bit;

			memcpy((u8 *)&arg + command->flags_offset, &flags, sizeof(flags));
			assert_int_equal(kohaku_command_check(command, &arg),
					 command->flags >> bit & 1 ? 0 : -EOPNOTSUPP);
		}
	}
}

static void reserved_fields_must_be_zero(void **state)
{
	union kohaku_command_arg arg = { 0 };

	(void)state;
	arg.buf_io.__reserved = 1;
	assert_int_equal(kohaku_command_check(kohaku_command_find(KOHAKU_BUF_READ), &arg),
			 -EOPNOTSUPP);
	memset(&arg, 0, sizeof(arg));
	arg.probe.__reserved = 0x80000000;
	assert_int_equal(kohaku_command_check(kohaku_command_find(KOHAKU_PROBE), &arg),
			 -EOPNOTSUPP);
	memset(&arg, 0, sizeof(arg));
	arg.buf_free.buffer = ~0u;
	assert_int_equal(kohaku_command_check(kohaku_command_find(KOHAKU_BUF_FREE), &arg), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_its_own_row),
		cmocka_unit_test(other_numbers_have_none),
		cmocka_unit_test(first_release_sizes_are_frozen),
		cmocka_unit_test(structs_are_neither_short_nor_endless),
		cmocka_unit_test(probe_answers_from_the_table),
		cmocka_unit_test(each_unknown_flag_is_refused),
		cmocka_unit_test(reserved_fields_must_be_zero),
	};

	return cmocka_run_group_tests_name("hw/command", tests, NULL, NULL);
}
