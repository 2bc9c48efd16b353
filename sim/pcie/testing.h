/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A card in the hands of a unit test: its registers, and a machine's memory.
 */
#ifndef SIM_PCIE_TESTING_H
#define SIM_PCIE_TESTING_H

#include "hw/testing.h"

#include <fcntl.h>
#include <linux/pci_regs.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/pcie/endpoint.h"

#define HOST_BASE 0x100000ULL	/* where the machine's memory lies on the bus */
#define HOST_SIZE 0x200000ULL
#define CARD_BASE (KOHAKU_HOST_WINDOW(0) | 0x4000)

struct bench {
	struct pcie_endpoint *card;
	int fd;
	u8 *host;
	u32 interrupts[PCIE_VECTORS];
};

static inline void count_interrupt(void *ctx, u32 vector)
{
	struct bench *bench = ctx;

	assert_true(vector < PCIE_VECTORS);
	bench->interrupts[vector]++;
}

static inline u32 config_read(struct bench *bench, u32 offset)
{
	u32 value;

	assert_int_equal(pcie_space_read(bench->card, PCIE_CONFIG_BAR, offset, &value, 4), 0);
	return value;
}

static inline void config_write(struct bench *bench, u32 offset, u32 value)
{
	assert_int_equal(pcie_space_write(bench->card, PCIE_CONFIG_BAR, offset, &value, 4), 0);
}

static inline u64 user_read(struct bench *bench, u32 offset)
{
	u64 value;

	assert_int_equal(pcie_space_read(bench->card, PCIE_USER_BAR, offset, &value, 8), 0);
	return value;
}

static inline void set_master(struct bench *bench)
{
	u16 command = PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER;

	assert_int_equal(pcie_space_write(bench->card, PCIE_SPACE_CONFIG, PCI_COMMAND, &command,
					  2), 0);
}

/* Memory as QEMU gives it is sealed. */
static inline int make_host(bool sealed)
{
	int fd = memfd_create("host", MFD_ALLOW_SEALING);

	assert_int_equal(ftruncate(fd, HOST_SIZE), 0);
	if (sealed)
		assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK), 0);
	return fd;
}

static inline void bench_begin_on(struct bench *bench, int host, u32 meshes, const char *inject)
{
	struct pcie_inject wrong = { 0 };
	struct pcie_range range = {
		.addr = HOST_BASE, .size = HOST_SIZE, .readable = true, .writable = true,
		.fd = host,
	};

	memset(bench, 0, sizeof(*bench));
	if (inject)
		assert_int_equal(pcie_inject_set(&wrong, inject), 0);
	bench->card = pcie_endpoint_create(meshes, &wrong);
	assert_non_null(bench->card);
	bench->card->interrupt = count_interrupt;
	bench->card->ctx = bench;
	bench->host = mmap(NULL, HOST_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, range.fd, 0);
	assert_true(bench->host != MAP_FAILED);
	assert_int_equal(pcie_guest_map(&bench->card->guest, &range), 0);
	set_master(bench);
}

static inline void bench_begin(struct bench *bench, u32 meshes, const char *inject)
{
	bench_begin_on(bench, make_host(true), meshes, inject);
}

static inline void bench_end(struct bench *bench)
{
	munmap(bench->host, HOST_SIZE);
	pcie_endpoint_destroy(bench->card);
}

#endif
