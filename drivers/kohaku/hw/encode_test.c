// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Register programs, decoded by the model's registers.
 */
#include "hw/testing.h"

#include "hw/move.h"
#include "sim/registers.h"

#define SRC KOHAKU_WALKER_SRC
#define DST KOHAKU_WALKER_DST

/* What an earlier move may have left behind: anything. */
static void scramble(struct sim_registers *regs)
{
	u32 walker, i;

	sim_registers_reset(regs);
	for (walker = 0; walker < 2; walker++)
		for (i = 0; i < 8; i++) {
			sim_registers_write(regs, KOHAKU_REG_WINDOW, random_bits());
			sim_registers_write(regs, KOHAKU_REG_DIM_STAGE, random_bits());
			sim_registers_write(regs, KOHAKU_REG_DIM_LATCH, random_bits());
			sim_registers_write(regs, KOHAKU_REG_HEADER, random_bits());
		}
	sim_registers_write(regs, KOHAKU_REG_IMM, random_bits());
	sim_registers_write(regs, KOHAKU_REG_SEED, random_bits());
	sim_registers_write(regs, KOHAKU_REG_INDEX, random_bits());
	sim_registers_write(regs, KOHAKU_REG_GATHER, random_bits());
	sim_registers_write(regs, KOHAKU_REG_CTRL, random_bits());
}

/* Runs a program from a scrambled state; GO must come last and only there. */
static void decode(const struct kohaku_program *program, struct sim_registers *regs)
{
	u32 i;

	assert_true(program->length > 0 && program->length <= KOHAKU_MAX_PROGRAM);
	scramble(regs);
	for (i = 0; i < program->length; i++) {
		bool go = sim_registers_write(regs, program->writes[i].offset,
					      program->writes[i].value);

		assert_int_equal(go, i == program->length - 1);
		assert_int_equal(program->writes[i].__reserved, 0);
	}
}

static void random_walker(struct kohaku_walker *walker)
{
	u32 i;

	*walker = (struct kohaku_walker){
		.ndim = random_between(1, 6),
		.offset = random_bits() & 0xffffffe0,
	};
	for (i = 0; i < walker->ndim; i++)
		walker->dims[i] = (struct kohaku_dim){
			.stride = (s32)random_bits(),
			.count = random_between(1, 65535),
			.step = (s16)random_bits(),
			.axis = random_between(0, 2),
		};
	for (i = 0; i < 2; i++)
		walker->windows[i] = (struct kohaku_window){ (s16)random_bits(),
							     (u16)random_bits() };
}

static void assert_walker(const struct sim_walker_regs *regs, const struct kohaku_walker *walker,
			  u64 addr)
{
	u32 i;

	assert_true(regs->base == ((addr + walker->offset) & KOHAKU_ADDR_MASK));
	assert_int_equal(regs->ndim, walker->ndim);
	for (i = 0; i < walker->ndim; i++) {
		assert_int_equal(regs->dims[i].count, walker->dims[i].count);
		assert_int_equal(regs->dims[i].stride, walker->dims[i].stride);
		assert_int_equal(regs->dims[i].step, walker->dims[i].step);
		assert_int_equal(regs->dims[i].axis, walker->dims[i].axis);
	}
	for (i = 0; i < 2; i++) {
		assert_int_equal(regs->windows[i].base, walker->windows[i].base);
		assert_int_equal(regs->windows[i].extent, walker->windows[i].extent);
	}
}

static void test_round_trip(void **unused)
{
	struct kohaku_program program;
	struct sim_registers regs;
	u32 i;

	(void)unused;
	testing_seed("round_trip");
	for (i = 0; i < 20000; i++) {
		struct kohaku_move move = {
			.mode = random_between(0, 5),
			.width = random_between(0, 2),
			.flags = random_between(0, 1),
			.burst_cap = random_between(0, 7),
			.imm = random_bits(), .seed = random_bits(),
			.index_count = random_between(0, 2048),
			.pitch = random_bits(), .row_words = random_between(0, 65535),
			.xform = random_between(0, 15), .xform_mode = random_between(0, 15),
		};
		u64 src = random_bits() & KOHAKU_ADDR_MASK, dst = random_bits() & KOHAKU_ADDR_MASK;
		u64 index = random_bits() & KOHAKU_ADDR_MASK;

		random_walker(&move.src);
		random_walker(&move.dst);
		kohaku_move_encode(&move, src, dst, index, &program);
		decode(&program, &regs);
		assert_walker(&regs.walkers[SRC], &move.src, src);
		assert_walker(&regs.walkers[DST], &move.dst, dst);
		assert_int_equal(regs.mode, move.mode);
		assert_int_equal(regs.width, move.width);
		assert_int_equal(regs.flags, move.flags << 11 | move.burst_cap << 13);
		assert_int_equal(regs.imm, move.imm);
		assert_true(regs.seed == move.seed);
		assert_true(regs.gather_base == regs.walkers[SRC].base);
		assert_true(regs.index_base == index);
		assert_int_equal(regs.index_count, move.index_count);
		assert_int_equal(regs.pitch, move.pitch);
		assert_int_equal(regs.row_words, move.row_words);
		assert_int_equal(regs.xform, move.xform);
		assert_int_equal(regs.xform_mode, move.xform_mode);
	}
}

/* The largest program there is must fit, and does not fill the array. */
static void test_longest(void **unused)
{
	struct kohaku_move move = { .src.ndim = 6, .dst.ndim = 6 };
	struct kohaku_program program;

	(void)unused;
	kohaku_move_encode(&move, 0, 0, 0, &program);
	assert_int_equal(program.length, 4 + 2 + 2 * 12 + 4 + 1);
}

/* What a fill without a source leaves in the source's registers is harmless. */
static void test_no_source(void **unused)
{
	struct kohaku_move move = { .mode = KOHAKU_MOVE_FILL, .dst.ndim = 1 };
	struct kohaku_program program;
	struct sim_registers regs;

	(void)unused;
	move.dst.dims[0] = (struct kohaku_dim){ 32, 4, 0, 0 };
	kohaku_move_encode(&move, 0, 0x1000, 0, &program);
	decode(&program, &regs);
	assert_int_equal(regs.walkers[SRC].ndim, 0);
	assert_true(regs.walkers[SRC].base == 0);
	assert_int_equal(regs.walkers[SRC].windows[0].extent, 0);
	assert_int_equal(regs.walkers[SRC].windows[1].extent, 0);
}

/* The words that a zeroing program covers, in order: addr, addr + 32, .. */
static void assert_zeroes(u64 addr, u64 size, u64 expected)
{
	struct kohaku_program program;
	struct sim_registers regs;
	const struct sim_dim_regs *rows = &regs.walkers[DST].dims[0];
	const struct sim_dim_regs *row = &regs.walkers[DST].dims[1];

	assert_true(kohaku_zero_encode(addr, size, &program) == expected);
	decode(&program, &regs);
	assert_int_equal(regs.mode, KOHAKU_MODE_FILL);
	assert_int_equal(regs.imm, 0);
	assert_true(regs.walkers[DST].base == addr);
	assert_int_equal(regs.walkers[DST].ndim, 2);
	assert_int_equal(regs.walkers[DST].windows[0].extent, 0);
	assert_int_equal(regs.walkers[DST].windows[1].extent, 0);
	assert_int_equal(row->stride, 32);
	assert_int_equal(rows->stride, 32768 * 32);
	assert_true((u64)rows->count * row->count * 32 == expected);
	assert_true(rows->count == 1 || row->count == 32768);
	assert_true((s64)(rows->count - 1) * rows->stride + (s64)(row->count - 1) * 32 <= S32_MAX);
}

static void test_zero(void **unused)
{
	(void)unused;
	assert_zeroes(0, 32, 32);
	assert_zeroes(0x9000000000, 4096, 4096);
	assert_zeroes(0x1000, 32767 * 32, 32767 * 32);
	assert_zeroes(0x1000, 32768 * 32, 32768 * 32);
	/* The rest of a row is left for the next program. */
	assert_zeroes(0x1000, 100000 * 32, 98304 * 32);
	assert_zeroes(0x1000, (100000 - 98304) * 32, 1696 * 32);
	assert_zeroes(0, 1ULL << 31, 1ULL << 31);
	assert_zeroes(0, 1ULL << 32, 1ULL << 31);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_no_source),
		cmocka_unit_test(test_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
