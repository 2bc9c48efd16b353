// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku_kunit.ko: what must be right in the kernel's own types.  The portable
 * code has more tests beside it, in user space; here it is compiled as the driver
 * has it, with the kernel's types, memory and compiler flags.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/random.h>
#include <linux/xarray.h>

#include "hw/arena.h"
#include "hw/command.h"
#include "hw/exec.h"
#include "hw/limits.h"
#include "sim/node.h"

static void command_desc(const u32 *index, char *desc)
{
	const struct kohaku_command *command =
		kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + *index));

	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", command ? command->name : "missing");
}

static const u32 command_indices[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 };
KUNIT_ARRAY_PARAM(command, command_indices, command_desc);

/* A number without a row would be a command that the header has and nobody answers. */
static void command_has_a_row(struct kunit *test)
{
	u32 nr = _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + *(const u32 *)test->param_value);
	const struct kohaku_command *command = kohaku_command_find(nr);
	struct kohaku_probe probe = { .cmd = nr };

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, command);
	KUNIT_EXPECT_EQ(test, nr, command->nr);
	KUNIT_EXPECT_LE(test, command->min_size, command->size);
	KUNIT_EXPECT_LE(test, (size_t)command->size, sizeof(union kohaku_command_arg));
	KUNIT_EXPECT_LT(test, command->flags_offset, command->min_size);
	KUNIT_EXPECT_LT(test, command->reserved_offset, command->min_size);
	KUNIT_EXPECT_EQ(test, 0, kohaku_command_probe(&probe));
	KUNIT_EXPECT_EQ(test, command->size, probe.out_size);
	KUNIT_EXPECT_EQ(test, command->flags, probe.out_flags);
}

/* Every bit that a command does not know is refused, one by one. */
static void command_refuses_bits(struct kunit *test)
{
	u32 nr = _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + *(const u32 *)test->param_value);
	const struct kohaku_command *command = kohaku_command_find(nr);
	union kohaku_command_arg *arg = kunit_kzalloc(test, sizeof(*arg), GFP_KERNEL);
	u32 *flags, *reserved, bit;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, command);
	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, arg);
	flags = (void *)arg + command->flags_offset;
	reserved = (void *)arg + command->reserved_offset;
	KUNIT_EXPECT_EQ(test, 0, kohaku_command_check(command, arg));
	for (bit = 0; bit < 32; bit++) {
		bool knows = command->flags & BIT_ULL(bit);

		if (command->flags_offset) {
			*flags = BIT(bit);
			KUNIT_EXPECT_EQ(test, knows ? 0 : -EOPNOTSUPP,
					kohaku_command_check(command, arg));
			*flags = 0;
		}
		if (command->reserved_offset) {
			*reserved = BIT(bit);
			KUNIT_EXPECT_EQ(test, -EOPNOTSUPP, kohaku_command_check(command, arg));
			*reserved = 0;
		}
	}
}

static void command_table_ends(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, ARRAY_SIZE(command_indices), (size_t)KOHAKU_COMMANDS);
	KUNIT_EXPECT_NULL(test, kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE - 1)));
	KUNIT_EXPECT_NULL(test, kohaku_command_find(_IO(KOHAKU_TYPE, KOHAKU_CMD_BASE +
							KOHAKU_COMMANDS)));
	/* The right number under another letter, or with a size in it, is no command. */
	KUNIT_EXPECT_NULL(test, kohaku_command_find(_IO('k', KOHAKU_NR_INFO)));
	KUNIT_EXPECT_NULL(test, kohaku_command_find(_IOW(KOHAKU_TYPE, KOHAKU_NR_INFO, int)));
}

/* An id that is reserved is nobody's until it is published, and free after an abort. */
static void id_reserve_publish_abort(struct kunit *test)
{
	struct xarray ids;
	unsigned long index;
	u32 first, second;
	void *entry;

	xa_init_flags(&ids, XA_FLAGS_ALLOC1);
	KUNIT_ASSERT_EQ(test, 0, xa_alloc(&ids, &first, XA_ZERO_ENTRY, xa_limit_31b, GFP_KERNEL));
	KUNIT_EXPECT_NE(test, 0, first);
	KUNIT_EXPECT_NULL(test, xa_load(&ids, first));
	xa_for_each(&ids, index, entry)
		KUNIT_FAIL(test, "a reserved id is listed");

	KUNIT_ASSERT_EQ(test, 0, xa_alloc(&ids, &second, XA_ZERO_ENTRY, xa_limit_31b,
					  GFP_KERNEL));
	KUNIT_EXPECT_NE(test, first, second);
	KUNIT_EXPECT_FALSE(test, xa_is_err(xa_store(&ids, second, test, GFP_KERNEL)));
	KUNIT_EXPECT_PTR_EQ(test, (void *)test, xa_load(&ids, second));

	KUNIT_EXPECT_NULL(test, xa_erase(&ids, first));
	KUNIT_EXPECT_PTR_EQ(test, (void *)test, xa_erase(&ids, second));
	KUNIT_EXPECT_TRUE(test, xa_empty(&ids));
}

#define ARENA_UNITS	64
#define ARENA_BLOCKS	24

/* Marks the units of a block; false when one of them is somebody else's. */
static bool arena_mark(u8 *owner, const struct kohaku_block *block, u8 from, u8 to)
{
	u64 unit;

	for (unit = block->start / PAGE_SIZE; unit < (block->start + block->size) / PAGE_SIZE;
	     unit++) {
		if (unit >= ARENA_UNITS || owner[unit] != from)
			return false;
		owner[unit] = to;
	}
	return true;
}

static u32 arena_longest_gap(const u8 *owner)
{
	u32 longest = 0, length = 0, unit;

	for (unit = 0; unit < ARENA_UNITS; unit++) {
		length = owner[unit] ? 0 : length + 1;
		longest = max(longest, length);
	}
	return longest;
}

/* Blocks at random against a plain map of who owns what. */
static void arena_never_overlaps(struct kunit *test)
{
	struct kohaku_block *blocks = kunit_kcalloc(test, ARENA_BLOCKS, sizeof(*blocks),
						    GFP_KERNEL);
	u8 owner[ARENA_UNITS] = { 0 };
	struct kohaku_arena arena;
	u32 step;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, blocks);
	kohaku_arena_init(&arena, ARENA_UNITS * PAGE_SIZE, PAGE_SIZE);
	for (step = 0; step < 5000; step++) {
		u32 i = get_random_u32() % ARENA_BLOCKS, units = 1 + get_random_u32() % 12;

		if (blocks[i].size) {
			KUNIT_ASSERT_TRUE(test, arena_mark(owner, &blocks[i], i + 1, 0));
			kohaku_arena_free(&arena, &blocks[i]);
			kohaku_arena_trim(&arena);
			KUNIT_ASSERT_EQ(test, 0ULL, blocks[i].size);
		} else if (units > arena_longest_gap(owner)) {
			KUNIT_ASSERT_EQ(test, -ENOSPC, kohaku_arena_alloc(&arena, &blocks[i],
									  units * PAGE_SIZE));
		} else {
			KUNIT_ASSERT_EQ(test, 0, kohaku_arena_alloc(&arena, &blocks[i],
								    units * PAGE_SIZE));
			KUNIT_ASSERT_TRUE(test, arena_mark(owner, &blocks[i], 0, i + 1));
		}
		KUNIT_ASSERT_EQ(test, (u64)arena_longest_gap(owner) * PAGE_SIZE,
				kohaku_arena_largest_free(&arena));
	}
}

/* A mover that does nothing but count. */
static u64 counting_read64(void *ctx, u32 mesh, u32 offset)
{
	return KOHAKU_PUT(KOHAKU_STAT_DONE, *(u32 *)ctx);
}

static void counting_write64(void *ctx, u32 mesh, u32 offset, u64 value)
{
}

/* The done counter has 24 bits: the move after the last of them ends well too. */
static void done_counter_wraps(struct kunit *test)
{
	struct kohaku_program *program = kunit_kzalloc(test, sizeof(*program), GFP_KERNEL);
	struct kohaku_exec exec;
	u32 fault, done = 0xffffff;
	struct kohaku_bus bus = {
		.read64 = counting_read64, .write64 = counting_write64, .ctx = &done,
	};

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, program);
	KUNIT_ASSERT_EQ(test, 0, kohaku_exec_start(&exec, &bus, 0, program));
	KUNIT_EXPECT_EQ(test, 0, kohaku_exec_poll(&exec, &fault));
	KUNIT_EXPECT_EQ(test, (u32)KOHAKU_FAULT_NO_MOTION, fault);
	done = 0;
	KUNIT_EXPECT_EQ(test, 0, kohaku_exec_poll(&exec, &fault));
	KUNIT_EXPECT_EQ(test, (u32)KOHAKU_FAULT_NONE, fault);
	/* Two moves are not one. */
	done = 1;
	KUNIT_EXPECT_EQ(test, 0, kohaku_exec_poll(&exec, &fault));
	KUNIT_EXPECT_EQ(test, (u32)KOHAKU_FAULT_NO_MOTION, fault);
}

static void config_is_checked(struct kunit *test)
{
	struct sim_config config = { .complex = SIM_COMPLEX_RV64, .slot_depth = 1 };
	u32 meshes;

	for (meshes = 0; meshes <= KOHAKU_MAX_MESHES + 1; meshes++) {
		config.meshes = meshes;
		KUNIT_EXPECT_EQ(test, meshes >= 1 && meshes <= KOHAKU_MAX_MESHES,
				sim_config_valid(&config));
	}
	config.meshes = 1;
	config.slot_depth = 3;
	KUNIT_EXPECT_FALSE(test, sim_config_valid(&config));
}

static struct kunit_case kohaku_cases[] = {
	KUNIT_CASE_PARAM(command_has_a_row, command_gen_params),
	KUNIT_CASE_PARAM(command_refuses_bits, command_gen_params),
	KUNIT_CASE(command_table_ends),
	KUNIT_CASE(id_reserve_publish_abort),
	KUNIT_CASE(arena_never_overlaps),
	KUNIT_CASE(done_counter_wraps),
	KUNIT_CASE(config_is_checked),
	{}
};

static struct kunit_suite kohaku_suite = {
	.name = "kohaku",
	.test_cases = kohaku_cases,
};

kunit_test_suite(kohaku_suite);

MODULE_DESCRIPTION("Unit tests of the Kohaku driver");
MODULE_LICENSE("GPL");
