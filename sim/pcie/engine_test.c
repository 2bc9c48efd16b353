// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The DMA engines: chains, what stops them, and their interrupts.
 */
#include "sim/pcie/testing.h"

#define RING 0x1000U		/* offset of the descriptors in host memory */
#define EVENTS ((u32)(XDMA_STOPPED | XDMA_COMPLETE | XDMA_IDLE_STOPPED | XDMA_ERRORS))

static void describe(struct bench *bench, u32 index, u64 src, u64 dst, u32 length, u32 flags)
{
	struct xdma_descriptor *ring = (struct xdma_descriptor *)(bench->host + RING);
	u64 next = HOST_BASE + RING + (index + 1) * sizeof(*ring);

	ring[index] = (struct xdma_descriptor){
		.control = (u32)XDMA_DESCRIPTOR_MAGIC_VALUE << 16 | flags,
		.length = length,
		.src_lo = (u32)src, .src_hi = src >> 32,
		.dst_lo = (u32)dst, .dst_hi = dst >> 32,
		.next_lo = (u32)next, .next_hi = next >> 32,
	};
}

static void go(struct bench *bench, u32 block)
{
	u32 scatter = block + XDMA_BLOCK_H2C_SG;

	config_write(bench, scatter + XDMA_FIRST_LO, HOST_BASE + RING);
	config_write(bench, scatter + XDMA_FIRST_HI, 0);
	config_write(bench, block + XDMA_CONTROL, EVENTS | XDMA_CONTROL_RUN);
}

/* Runs what is in the ring; status when it has come to rest or never will. */
static u32 run(struct bench *bench, u32 block)
{
	u32 turns = 0;

	go(bench, block);
	while (pcie_endpoint_run(bench->card) && ++turns < 10000)
		;
	return config_read(bench, block + XDMA_STATUS);
}

static void stop(struct bench *bench, u32 block)
{
	config_write(bench, block + XDMA_CONTROL_CLEAR, XDMA_CONTROL_RUN);
	config_read(bench, block + XDMA_STATUS_CLEARING);
}

static void arm(struct bench *bench)
{
	config_write(bench, XDMA_BLOCK_H2C + XDMA_INTERRUPT, EVENTS);
	config_write(bench, XDMA_BLOCK_C2H + XDMA_INTERRUPT, EVENTS);
	config_write(bench, XDMA_BLOCK_IRQ + XDMA_IRQ_VECTORS, 3 << 8 | 2);
	config_write(bench, XDMA_BLOCK_IRQ + XDMA_IRQ_CHANNEL_SET, 3);
}

#define LAST (XDMA_DESCRIPTOR_STOP | XDMA_DESCRIPTOR_COMPLETE)
#define GOOD ((u32)(XDMA_STOPPED | XDMA_COMPLETE))

/* There and back, in pieces that lie anywhere. */
static void check_chain(bool sealed)
{
	u8 *from, *to;
	struct bench bench;
	u32 i;

	bench_begin_on(&bench, make_host(sealed), 1, NULL);
	assert_int_equal(!!pcie_guest_at(&bench.card->guest, HOST_BASE, 1, true), sealed);
	arm(&bench);
	from = bench.host + 0x10000;
	to = bench.host + 0x80000;
	for (i = 0; i < 0x30000; i++)
		from[i] = random_bits();
	for (i = 0; i < 3; i++)
		describe(&bench, i, HOST_BASE + 0x10000 + i * 0x10000, CARD_BASE + i * 0x10000,
			 0x10000, i == 2 ? LAST : 0);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + XDMA_COMPLETED), 3);
	stop(&bench, XDMA_BLOCK_H2C);
	describe(&bench, 0, CARD_BASE, HOST_BASE + 0x80000, 0x2FFE0, 0);
	describe(&bench, 1, CARD_BASE + 0x2FFE0, HOST_BASE + 0x80000 + 0x2FFE0, 0x20, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_C2H), GOOD);
	assert_memory_equal(from, to, 0x30000);
	assert_int_equal(to[0x30000], 0);
	assert_int_equal(bench.interrupts[2], 1);
	assert_int_equal(bench.interrupts[3], 1);
	assert_int_equal(bench.card->statistics[PCIE_H2C].chains, 1);
	assert_int_equal(bench.card->statistics[PCIE_H2C].descriptors, 3);
	assert_int_equal(bench.card->statistics[PCIE_H2C].bytes, 0x30000);
	assert_int_equal(bench.card->statistics[PCIE_C2H].descriptors, 2);
	assert_int_equal(bench.card->statistics[PCIE_C2H].bytes, 0x30000);
	bench_end(&bench);
}

static void test_chain(void **unused)
{
	(void)unused;
	check_chain(true);
	check_chain(false);
}

/* Memory that may be read but not written, and memory that ends. */
static void test_permissions(void **unused)
{
	struct pcie_range range = {
		.addr = HOST_BASE, .size = HOST_SIZE, .readable = true,
	};
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	assert_int_equal(pcie_guest_unmap(&bench.card->guest, HOST_BASE, HOST_SIZE), 0);
	range.fd = make_host(true);
	assert_int_equal(pcie_guest_map(&bench.card->guest, &range), 0);
	assert_non_null(pcie_guest_at(&bench.card->guest, HOST_BASE + HOST_SIZE - 32, 32, false));
	assert_null(pcie_guest_at(&bench.card->guest, HOST_BASE + HOST_SIZE - 32, 33, false));
	assert_null(pcie_guest_at(&bench.card->guest, HOST_BASE - 1, 1, false));
	assert_null(pcie_guest_at(&bench.card->guest, HOST_BASE, 32, true));
	assert_int_equal(pcie_guest_write(&bench.card->guest, HOST_BASE, "x", 1), -EFAULT);
	/* A file that ends before its range does is never mapped. */
	assert_int_equal(pcie_guest_unmap(&bench.card->guest, HOST_BASE, HOST_SIZE), 0);
	range.fd = make_host(true);
	range.size += 1;
	assert_int_equal(pcie_guest_map(&bench.card->guest, &range), 0);
	assert_null(pcie_guest_at(&bench.card->guest, HOST_BASE, 32, false));
	bench_end(&bench);
}

/* Fetched together but not in one page: the engine refuses them. */
static void test_page_end(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	config_write(&bench, XDMA_BLOCK_H2C_SG + XDMA_FIRST_ADJACENT, 63);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
	stop(&bench, XDMA_BLOCK_H2C);
	describe(&bench, 65, HOST_BASE, CARD_BASE, 32, LAST);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, 63 << 8);
	((struct xdma_descriptor *)(bench.host + RING))->next_lo += 64 * 32;
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_DESCRIPTOR_REFUSED);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + XDMA_COMPLETED), 1);
	bench_end(&bench);
}

/* A chain without end runs until it is told to stop, a bounded time a turn. */
static void test_endless(void **unused)
{
	struct xdma_descriptor *ring;
	struct bench bench;
	u32 i;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, 0);
	ring = (struct xdma_descriptor *)(bench.host + RING);
	ring->next_lo = HOST_BASE + RING;
	go(&bench, XDMA_BLOCK_H2C);
	for (i = 0; i < 100; i++)
		assert_true(pcie_endpoint_run(bench.card));
	i = config_read(&bench, XDMA_BLOCK_H2C + XDMA_COMPLETED);
	assert_in_range(i, 100, 100 * 64);
	config_write(&bench, XDMA_BLOCK_H2C + XDMA_CONTROL_CLEAR, XDMA_CONTROL_RUN);
	assert_false(pcie_endpoint_run(bench.card));
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + XDMA_STATUS),
			 XDMA_IDLE_STOPPED);
	bench_end(&bench);
}

static void test_bad_descriptors(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	bench.host[RING + 3] = 0;
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_MAGIC_STOPPED);
	stop(&bench, XDMA_BLOCK_H2C);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 0, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_INVALID_LENGTH);
	stop(&bench, XDMA_BLOCK_H2C);
	/* Host memory that ends in the middle. */
	describe(&bench, 0, HOST_BASE + HOST_SIZE - 32, CARD_BASE, 64, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_H2C_READ_REFUSED);
	stop(&bench, XDMA_BLOCK_H2C);
	describe(&bench, 0, CARD_BASE, HOST_BASE - 32, 64, LAST);
	assert_true(run(&bench, XDMA_BLOCK_C2H) & XDMA_WRITE_ERROR);
	stop(&bench, XDMA_BLOCK_C2H);
	/* Descriptors where there is no memory. */
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, 0);
	((struct xdma_descriptor *)(bench.host + RING))->next_lo = 0;
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_DESCRIPTOR_REFUSED);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + XDMA_COMPLETED), 1);
	bench_end(&bench);
}

/* Where nothing answers on the card, nothing ever ends; only a reset helps. */
static void test_unanswered(void **unused)
{
	static const u64 nowhere[] = {
		KOHAKU_HOST_WINDOW(0) | KOHAKU_ADDR_ONCHIP,	/* staging */
		KOHAKU_HOST_WINDOW(0) | KOHAKU_DRAM_SIZE,
		KOHAKU_HOST_WINDOW(1) | 0,			/* without the mesh inside */
		0,
	};
	struct bench bench;
	u32 i;

	(void)unused;
	bench_begin(&bench, 2, NULL);
	for (i = 0; i < ARRAY_SIZE(nowhere); i++) {
		describe(&bench, 0, HOST_BASE, nowhere[i], 32, LAST);
		assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_BUSY);
		stop(&bench, XDMA_BLOCK_H2C);
		assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_BUSY);
		pcie_endpoint_reset(bench.card);
		set_master(&bench);
		describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
		assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
		stop(&bench, XDMA_BLOCK_H2C);
	}
	bench_end(&bench);
}

/* Never-written memory: an error, and the engine does not get over it. */
static void test_ecc(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, "ecc");
	describe(&bench, 0, HOST_BASE, CARD_BASE, 64, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
	describe(&bench, 0, CARD_BASE, HOST_BASE, 64, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_C2H), GOOD);
	stop(&bench, XDMA_BLOCK_C2H);
	describe(&bench, 0, CARD_BASE, HOST_BASE, 96, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_C2H), XDMA_BUSY | XDMA_C2H_READ_SLAVE);
	stop(&bench, XDMA_BLOCK_C2H);
	describe(&bench, 0, CARD_BASE, HOST_BASE, 64, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_C2H), XDMA_BUSY);
	bench_end(&bench);
}

static void test_injected(void **unused)
{
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, "engine-error=2");
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
	stop(&bench, XDMA_BLOCK_H2C);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_H2C_WRITE_SLAVE);
	stop(&bench, XDMA_BLOCK_H2C);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
	bench_end(&bench);

	bench_begin(&bench, 1, "engine-hang=1");
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_BUSY);
	bench_end(&bench);
}

/* Without bus mastering the machine's memory is out of reach, also in mid-chain. */
static void test_no_master(void **unused)
{
	u16 off = PCI_COMMAND_MEMORY;
	struct bench bench;

	(void)unused;
	bench_begin(&bench, 1, NULL);
	pcie_space_write(bench.card, PCIE_SPACE_CONFIG, PCI_COMMAND, &off, 2);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	assert_int_equal(run(&bench, XDMA_BLOCK_H2C), XDMA_BUSY);
	set_master(&bench);
	pcie_endpoint_run(bench.card);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_H2C + XDMA_STATUS), GOOD);
	bench_end(&bench);
}

static u32 interrupts_of(const char *inject, u32 chains)
{
	struct bench bench;
	u32 count;

	bench_begin(&bench, 1, inject);
	arm(&bench);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	while (chains--) {
		assert_int_equal(run(&bench, XDMA_BLOCK_H2C), GOOD);
		stop(&bench, XDMA_BLOCK_H2C);
	}
	count = bench.interrupts[2];
	bench_end(&bench);
	return count;
}

static void test_interrupts(void **unused)
{
	struct bench bench;

	(void)unused;
	assert_int_equal(interrupts_of(NULL, 6), 6);
	assert_int_equal(interrupts_of("lost-interrupt=3", 6), 4);
	assert_int_equal(interrupts_of("lost-interrupt", 6), 0);
	assert_int_equal(interrupts_of("spurious-interrupt=1", 2), 6);
	/* Not allowed: pending, and sent as soon as it is. */
	bench_begin(&bench, 1, NULL);
	arm(&bench);
	config_write(&bench, XDMA_BLOCK_IRQ + XDMA_IRQ_CHANNEL_CLEAR, 1);
	describe(&bench, 0, HOST_BASE, CARD_BASE, 32, LAST);
	run(&bench, XDMA_BLOCK_H2C);
	assert_int_equal(config_read(&bench, XDMA_BLOCK_IRQ + XDMA_IRQ_REQUEST), 1);
	assert_int_equal(bench.interrupts[2], 0);
	config_write(&bench, XDMA_BLOCK_IRQ + XDMA_IRQ_CHANNEL_SET, 1);
	assert_int_equal(bench.interrupts[2], 1);
	bench_end(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chain),
		cmocka_unit_test(test_permissions),
		cmocka_unit_test(test_page_end),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_bad_descriptors),
		cmocka_unit_test(test_unanswered),
		cmocka_unit_test(test_ecc),
		cmocka_unit_test(test_injected),
		cmocka_unit_test(test_no_master),
		cmocka_unit_test(test_interrupts),
	};

	testing_seed("engine");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
