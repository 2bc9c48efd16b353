// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What the card answers, and what it answers when it is told to misbehave.
 */
#include "sim/pcie/testing.h"

#include "hw/exec.h"

static u32 space_word(struct bench *bench, u32 offset)
{
	u32 value;

	assert_int_equal(pcie_space_read(bench->card, PCIE_SPACE_CONFIG, offset, &value, 4), 0);
	return value;
}

static void test_identity(void **unused)
{
	struct bench bench;
	u32 ones = U32_MAX;

	(void)unused;
	bench_begin(&bench, 2, NULL);
	assert_int_equal(space_word(&bench, PCI_VENDOR_ID), 0x903F10EE);
	assert_int_equal(space_word(&bench, PCI_SUBSYSTEM_VENDOR_ID), 0x000710EE);
	/* A BAR that is written with ones says how large it is. */
	pcie_space_write(bench.card, PCIE_SPACE_CONFIG, PCI_BASE_ADDRESS_0, &ones, 4);
	pcie_space_write(bench.card, PCIE_SPACE_CONFIG, PCI_BASE_ADDRESS_1, &ones, 4);
	pcie_space_write(bench.card, PCIE_SPACE_CONFIG, PCI_BASE_ADDRESS_2, &ones, 4);
	assert_int_equal(space_word(&bench, PCI_BASE_ADDRESS_0), 0xFF000000);
	assert_int_equal(space_word(&bench, PCI_BASE_ADDRESS_1), 0xFFFF0000);
	assert_int_equal(space_word(&bench, PCI_BASE_ADDRESS_2), 0);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C) >> 16, 0x1FC0);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_C2H) >> 16, 0x1FC1);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_IRQ) >> 16, 0x1FC2);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_COMMON) >> 16, 0x1FC6);
	/* One channel of each direction. */
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + 0x100), 0);
	assert_true(kohaku_caps_valid(user_read(&bench, XDMA_USER_MESH(1) + KOHAKU_CTL_CAPS)));
	assert_int_equal(user_read(&bench, XDMA_USER_MESH(2) + KOHAKU_CTL_CAPS), 0);
	bench_end(&bench);
}

static void test_bounds(void **unused)
{
	u8 bytes[16] = { 0 };
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	assert_int_equal(pcie_space_read(bench.card, PCIE_CONFIG_BAR, 0xFFFC, bytes, 4), 0);
	assert_int_equal(pcie_space_read(bench.card, PCIE_CONFIG_BAR, 0xFFFD, bytes, 4), -EINVAL);
	assert_int_equal(pcie_space_read(bench.card, PCIE_USER_BAR, ~0ULL, bytes, 4), -EINVAL);
	assert_int_equal(pcie_space_write(bench.card, PCIE_SPACE_CONFIG, 4096, bytes, 1), -EINVAL);
	assert_int_equal(pcie_space_read(bench.card, 3, 0, bytes, 1), -EINVAL);
	/* Odd pieces of registers, over their edges. */
	assert_int_equal(pcie_space_read(bench.card, PCIE_CONFIG_BAR, XDMA_BLOCK_IRQ + 1, bytes,
					 7), 0);
	assert_int_equal(bytes[1], 0xC2);
	assert_int_equal(bytes[2], 0x1F);
	bench_end(&bench);
}

/* Halves of a register are two writes of it, with what the other half was. */
static void test_strobes(void **unused)
{
	u32 at = XDMA_USER_MESH(0) + KOHAKU_CTL_IRQ_EN, half = 0x11223344;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	pcie_space_write(bench.card, PCIE_USER_BAR, at + 4, &half, 4);
	assert_true(user_read(&bench, at) == 0x1122334400000000);
	pcie_space_write(bench.card, PCIE_USER_BAR, at + 1, &half, 2);
	assert_true(user_read(&bench, at) == 0x1122334400334400);
	bench_end(&bench);
}

static u64 bus_read(void *ctx, u32 mesh, u32 offset)
{
	return user_read(ctx, XDMA_USER_MESH(mesh) + offset);
}

static void bus_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	struct bench *bench = ctx;

	pcie_space_write(bench->card, PCIE_USER_BAR, XDMA_USER_MESH(mesh) + offset, &value, 8);
}

/* Fills a word of DRAM; how it ended and what is there then. */
static int fill_word(struct bench *bench, u32 *fault, u32 *word)
{
	const struct kohaku_bus bus = { .read64 = bus_read, .write64 = bus_write, .ctx = bench };
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_FILL, .width = 2, .imm = 0xABCD1234,
		.dst = { .ndim = 1, .dims = { { .count = 1 } } },
	};
	struct kohaku_program program;
	struct kohaku_exec exec;
	int ret, polls = 0;

	kohaku_move_encode(&move, 0, CARD_BASE & KOHAKU_ADDR_MASK, 0, &program);
	ret = kohaku_exec_start(&exec, &bus, 0, &program);
	do {
		ret = ret ? ret : kohaku_exec_poll(&exec, fault);
	} while (ret == -EINPROGRESS && ++polls < 10 && !(ret = 0));
	assert_int_equal(sim_mem_read(bench->card->node, CARD_BASE, word, 4), 0);
	return polls == 10 ? -ETIMEDOUT : ret;
}

static void test_move(void **unused)
{
	u32 fault = 99, word;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	assert_int_equal(fill_word(&bench, &fault, &word), 0);
	assert_int_equal(fault, 0);
	assert_int_equal(word, 0xABCD1234);
	bench_end(&bench);
}

/* "Done" goes up, no fault is raised, and nothing has moved. */
static void test_pre_strobe(void **unused)
{
	u32 fault = 99, word;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, "pre-strobe");
	assert_int_equal(fill_word(&bench, &fault, &word), 0);
	assert_int_not_equal(word, 0xABCD1234);
	bench_end(&bench);
}

static void test_mover_hang(void **unused)
{
	u32 fault = 99, word;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, "mover-hang=2");
	assert_int_equal(fill_word(&bench, &fault, &word), 0);
	assert_int_equal(fill_word(&bench, &fault, &word), -ETIMEDOUT);
	pcie_endpoint_run(bench.card);
	assert_int_equal(fill_word(&bench, &fault, &word), -EBUSY);
	pcie_endpoint_reset(bench.card);
	assert_int_equal(fill_word(&bench, &fault, &word), 0);
	bench_end(&bench);
}

static void test_gone(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, "gone=3");
	assert_int_equal(config_read(&bench, XDMA_BLOCK_IRQ) >> 16, 0x1FC2);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_IRQ) >> 16, 0x1FC2);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_IRQ), U32_MAX);
	assert_true(user_read(&bench, XDMA_USER_MESH(0) + KOHAKU_CTL_AUX_STAT) ==
		    KOHAKU_ALL_ONES);
	assert_int_equal(space_word(&bench, PCI_VENDOR_ID), U32_MAX);
	bench_end(&bench);
}

/* A function-level reset, where there is one. */
static void function_reset(struct bench *bench)
{
	u16 control = PCI_EXP_DEVCTL_BCR_FLR;
	u32 at = 0x40 + PCI_EXP_DEVCTL;

	assert_int_equal(pcie_space_write(bench->card, PCIE_SPACE_CONFIG, at, &control, 2), 0);
}

static void test_reset(void **unused)
{
	u32 at = XDMA_BLOCK_H2C + XDMA_INTERRUPT, command;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	config_write(&bench, at, 6);
	function_reset(&bench);
	assert_int_equal(config_read(&bench, at), 0);
	command = space_word(&bench, PCI_COMMAND);
	assert_int_equal(command & PCI_COMMAND_MASTER, 0);
	bench_end(&bench);

	bench_begin(&bench, 1, "no-reset");
	config_write(&bench, at, 6);
	function_reset(&bench);
	assert_int_equal(config_read(&bench, at), 6);
	bench_end(&bench);
}

static void test_names(void **unused)
{
	struct pcie_inject inject = { 0 };
	const char *help;

	(void)unused;
	assert_int_equal(pcie_inject_set(&inject, "gone=4294967295"), 0);
	assert_int_equal(inject.gone, U32_MAX);
	assert_int_equal(pcie_inject_set(&inject, "slow"), 0);
	assert_int_equal(inject.slow, 1);
	assert_int_equal(pcie_inject_set(&inject, "gone=4294967296"), -EINVAL);
	assert_int_equal(pcie_inject_set(&inject, "gone="), -EINVAL);
	assert_int_equal(pcie_inject_set(&inject, "gone=-1"), -EINVAL);
	assert_int_equal(pcie_inject_set(&inject, "gone=1x"), -EINVAL);
	assert_int_equal(pcie_inject_set(&inject, "gon=1"), -EINVAL);
	assert_int_equal(pcie_inject_set(&inject, ""), -EINVAL);
	assert_string_equal(pcie_inject_name(0, &help), "pre-strobe");
	assert_null(pcie_inject_name(11, &help));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_identity),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_strobes),
		cmocka_unit_test(test_move),
		cmocka_unit_test(test_pre_strobe),
		cmocka_unit_test(test_mover_hang),
		cmocka_unit_test(test_gone),
		cmocka_unit_test(test_reset),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
