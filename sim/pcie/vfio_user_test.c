// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Messages of a client: those that are answered, those that are refused, and those
 * that end the connection.
 */
#include "sim/pcie/testing.h"

#include <linux/vfio.h>
#include <sys/eventfd.h>

#include "sim/pcie/vfio_user.h"

static struct vfio_user_message message;
static struct vfio_user_session session;
static struct pcie_endpoint *card;

static int begin(void **unused)
{
	const struct pcie_inject healthy = { 0 };

	(void)unused;
	card = pcie_endpoint_create(1, &healthy);
	assert_non_null(card);
	vfio_user_begin(&session, card);
	return 0;
}

static int end(void **unused)
{
	(void)unused;
	vfio_user_end(&session);
	pcie_endpoint_destroy(card);
	return 0;
}

/* Hands a message over as the server does. */
static int ask(u32 command, const void *payload, u32 size, int fd)
{
	int ret;

	memset(&message, 0, sizeof(message));
	message.header = (struct vfio_user_header){
		.id = 7, .command = command, .size = sizeof(message.header) + size,
	};
	memcpy(message.payload, payload, size);
	message.fds[0] = fd;
	message.fd_count = fd >= 0;
	ret = vfio_user_check_header(&session, &message.header);
	return ret ? ret : vfio_user_handle(&session, &message);
}

static void expect_reply(int ret, u32 size)
{
	assert_int_equal(ret, 1);
	assert_int_equal(message.header.flags, VFIO_USER_REPLY);
	assert_int_equal(message.header.id, 7);
	assert_int_equal(message.header.size, sizeof(message.header) + size);
}

static void expect_error(int ret, u32 error)
{
	assert_int_equal(ret, 1);
	assert_int_equal(message.header.flags, VFIO_USER_REPLY | VFIO_USER_ERROR);
	assert_int_equal(message.header.error, error);
	assert_int_equal(message.header.size, sizeof(message.header));
}

static void expect_end(int ret, const char *reason)
{
	assert_int_equal(ret, -EPROTO);
	assert_string_equal(session.reason, reason);
}

static void greet(void)
{
	static const u8 version[] = "\0\0\0\0{}";

	assert_int_equal(ask(VFIO_USER_VERSION, version, sizeof(version), -1), 1);
	assert_string_equal((char *)message.payload + 4,
			    "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":65536}}");
}

static void test_version(void **unused)
{
	static const u8 newer[] = { 1, 0, 0, 0 }, open[] = { 0, 0, 0, 0, '{' };
	u32 info[4] = { 16 };

	(void)unused;
	expect_end(ask(VFIO_USER_DEVICE_GET_INFO, info, 16, -1),
		   "the first message is not VERSION");
	expect_end(ask(VFIO_USER_VERSION, newer, 2, -1), "VERSION is too short");
	expect_end(ask(VFIO_USER_VERSION, newer, 4, -1), "a major version other than 0");
	expect_end(ask(VFIO_USER_VERSION, open, 5, -1), "VERSION has no end");
	greet();
	expect_end(ask(VFIO_USER_VERSION, open, 4, -1), "a second VERSION");
}

static void test_header(void **unused)
{
	static const struct {
		struct vfio_user_header header;
		const char *reason;
	} cases[] = {
		{ { .command = 4, .size = 15 }, "size is less than a header's" },
		{ { .command = 4, .size = 0 }, "size is less than a header's" },
		{ { .command = 4, .size = VFIO_USER_MESSAGE_MAX + 1 },
		  "size is more than any message's" },
		{ { .command = 4, .size = U32_MAX }, "size is more than any message's" },
		{ { .command = 4, .size = 16, .flags = VFIO_USER_REPLY }, "not a command" },
		{ { .command = 0, .size = 16 }, "no such command" },
		{ { .command = 999, .size = 16 }, "no such command" },
	};
	u32 i;

	(void)unused;
	greet();
	for (i = 0; i < ARRAY_SIZE(cases); i++)
		expect_end(vfio_user_check_header(&session, &cases[i].header), cases[i].reason);
}

static void test_infos(void **unused)
{
	struct vfio_region_info region = { .argsz = sizeof(region), .index = 0 };
	struct vfio_irq_info irq = { .argsz = sizeof(irq), .index = VFIO_PCI_MSIX_IRQ_INDEX };
	u32 info[4] = { sizeof(info) };

	(void)unused;
	greet();
	expect_reply(ask(VFIO_USER_DEVICE_GET_INFO, info, sizeof(info), -1), sizeof(info));
	memcpy(info, message.payload, sizeof(info));
	assert_int_equal(info[1], VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET);
	assert_int_equal(info[2], VFIO_PCI_NUM_REGIONS);
	expect_end(ask(VFIO_USER_DEVICE_GET_INFO, info, 15, -1), "GET_INFO is too short");

	expect_reply(ask(VFIO_USER_DEVICE_GET_REGION_INFO, &region, sizeof(region), -1),
		     sizeof(region));
	memcpy(&region, message.payload, sizeof(region));
	assert_int_equal(region.size, XDMA_USER_SIZE);
	region.index = 2;
	expect_reply(ask(VFIO_USER_DEVICE_GET_REGION_INFO, &region, sizeof(region), -1),
		     sizeof(region));
	memcpy(&region, message.payload, sizeof(region));
	assert_int_equal(region.size, 0);
	region.index = VFIO_PCI_NUM_REGIONS;
	expect_error(ask(VFIO_USER_DEVICE_GET_REGION_INFO, &region, sizeof(region), -1), EINVAL);

	expect_reply(ask(VFIO_USER_DEVICE_GET_IRQ_INFO, &irq, sizeof(irq), -1), sizeof(irq));
	memcpy(&irq, message.payload, sizeof(irq));
	assert_int_equal(irq.count, PCIE_VECTORS);
	irq.index = U32_MAX;
	expect_error(ask(VFIO_USER_DEVICE_GET_IRQ_INFO, &irq, sizeof(irq), -1), EINVAL);
	expect_error(ask(VFIO_USER_DMA_READ, info, sizeof(info), -1), ENOTSUP);
}

static void test_regions(void **unused)
{
	struct { u64 offset; u32 region, count; u32 data[4]; } access = {
		.offset = XDMA_BLOCK_IRQ, .region = PCIE_CONFIG_BAR, .count = 4,
	};

	(void)unused;
	greet();
	expect_reply(ask(VFIO_USER_REGION_READ, &access, 16, -1), 20);
	memcpy(&access, message.payload, 20);
	assert_int_equal(access.data[0] >> 16, 0x1FC2);
	access.offset = XDMA_BLOCK_H2C + XDMA_INTERRUPT;
	access.data[0] = 6;
	expect_reply(ask(VFIO_USER_REGION_WRITE, &access, 20, -1), 16);
	assert_int_equal(card->engines[PCIE_H2C].interrupt, 6);
	expect_end(ask(VFIO_USER_REGION_WRITE, &access, 19, -1),
		   "a region write without all of its bytes");
	access.count = VFIO_USER_DATA_MAX + 1;
	expect_end(ask(VFIO_USER_REGION_READ, &access, 16, -1),
		   "a region access of too many bytes");
	access.count = VFIO_USER_DATA_MAX;
	access.offset = 0;
	expect_reply(ask(VFIO_USER_REGION_READ, &access, 16, -1), 16 + VFIO_USER_DATA_MAX);
	access.offset = 1;
	expect_error(ask(VFIO_USER_REGION_READ, &access, 16, -1), EINVAL);
	access.region = U32_MAX;
	expect_error(ask(VFIO_USER_REGION_READ, &access, 16, -1), EINVAL);
	access.region = VFIO_PCI_ROM_REGION_INDEX;
	expect_error(ask(VFIO_USER_REGION_READ, &access, 16, -1), EINVAL);
}

/* A write that wants no answer is done and gets none. */
static void test_posted(void **unused)
{
	struct { u64 offset; u32 region, count, data; } access = {
		.offset = XDMA_BLOCK_C2H + XDMA_INTERRUPT, .region = PCIE_CONFIG_BAR,
		.count = 4, .data = 2,
	};

	(void)unused;
	greet();
	memset(&message, 0, sizeof(message));
	message.header = (struct vfio_user_header){
		.command = VFIO_USER_REGION_WRITE, .size = 16 + 20, .flags = VFIO_USER_NO_REPLY,
	};
	memcpy(message.payload, &access, 20);
	assert_int_equal(vfio_user_handle(&session, &message), 0);
	assert_int_equal(card->engines[PCIE_C2H].interrupt, 2);
}

static void test_memory(void **unused)
{
	struct { u32 argsz, flags; u64 offset, addr, size; } map = {
		.argsz = 32, .flags = 3, .addr = 0x1000, .size = 0x2000,
	};
	struct { u32 argsz, flags; u64 addr, size; } unmap = {
		.argsz = 24, .addr = 0x1000, .size = 0x1000,
	};
	u8 bytes[0x2000];
	int fd = memfd_create("m", 0);

	(void)unused;
	greet();
	assert_int_equal(ftruncate(fd, 0x1800), 0);
	expect_end(ask(VFIO_USER_DMA_MAP, &map, 31, -1), "DMA_MAP of a wrong size");
	expect_reply(ask(VFIO_USER_DMA_MAP, &map, 32, dup(fd)), 0);
	assert_int_equal(message.fds[0], -1);
	assert_int_equal(pcie_guest_read(&card->guest, 0x1000, bytes, 0x1000), 0);
	/* The file is shorter than what it was mapped as. */
	assert_int_equal(pcie_guest_read(&card->guest, 0x1000, bytes, 0x2000), -EFAULT);
	assert_int_equal(pcie_guest_read(&card->guest, 0xFFF, bytes, 2), -EFAULT);
	/* Overlap: refused, and the file stays ours. */
	expect_error(ask(VFIO_USER_DMA_MAP, &map, 32, fd), EEXIST);
	assert_int_equal(message.fds[0], fd);
	expect_error(ask(VFIO_USER_DMA_UNMAP, &unmap, 24, -1), ENOENT);
	unmap.size = 0x2000;
	expect_reply(ask(VFIO_USER_DMA_UNMAP, &unmap, 24, -1), 24);
	assert_int_equal(pcie_guest_read(&card->guest, 0x1000, bytes, 1), -EFAULT);
	/* Wrapping, empty, beyond any file. */
	map.addr = ~0ULL;
	expect_error(ask(VFIO_USER_DMA_MAP, &map, 32, fd), EINVAL);
	map.addr = 0;
	map.size = 0;
	expect_error(ask(VFIO_USER_DMA_MAP, &map, 32, fd), EINVAL);
	map.size = 32;
	map.offset = S64_MAX;
	expect_error(ask(VFIO_USER_DMA_MAP, &map, 32, fd), EINVAL);
	close(fd);
}

static void test_interrupts(void **unused)
{
	struct vfio_irq_set set = {
		.argsz = sizeof(set), .index = VFIO_PCI_MSIX_IRQ_INDEX, .start = 1, .count = 1,
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
	};
	int fd = eventfd(0, EFD_NONBLOCK);
	u64 count = 0;

	(void)unused;
	greet();
	expect_reply(ask(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), dup(fd)), 0);
	card->interrupt(card->ctx, 1);
	card->interrupt(card->ctx, 0);
	assert_int_equal(read(fd, &count, 8), 8);
	assert_int_equal(count, 1);
	set.count = 2;
	expect_end(ask(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), fd),
		   "SET_IRQS with files of another number");
	set.start = PCIE_VECTORS;
	set.count = 1;
	expect_error(ask(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), -1), EINVAL);
	set.start = 1;
	set.count = U32_MAX;
	expect_error(ask(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), -1), EINVAL);
	/* Without a vector: all of them are let go. */
	set.start = 0;
	set.count = 0;
	set.flags = VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER;
	expect_reply(ask(VFIO_USER_DEVICE_SET_IRQS, &set, sizeof(set), -1), 0);
	assert_int_equal(session.irqs[1], -1);
	close(fd);
}

static void test_reset(void **unused)
{
	u32 info[4] = { sizeof(info) };

	(void)unused;
	greet();
	card->engines[PCIE_H2C].interrupt = 6;
	expect_reply(ask(VFIO_USER_DEVICE_RESET, info, 0, -1), 0);
	assert_int_equal(card->engines[PCIE_H2C].interrupt, 0);
	card->inject.no_reset = 1;
	expect_error(ask(VFIO_USER_DEVICE_RESET, info, 0, -1), ENOTSUP);
	expect_reply(ask(VFIO_USER_DEVICE_GET_INFO, info, sizeof(info), -1), sizeof(info));
	memcpy(info, message.payload, sizeof(info));
	assert_int_equal(info[1], VFIO_DEVICE_FLAGS_PCI);
}

/* Whatever comes, the answer is a reply of a legal size, an error, or an end. */
static void test_random(void **unused)
{
	u8 payload[64];
	u32 i, at;
	int ret;

	(void)unused;
	greet();
	for (i = 0; i < 200000; i++) {
		for (at = 0; at < sizeof(payload); at++)
			payload[at] = random_once_in(2) ? 0 : random_bits() >> random_between(0, 7);
		ret = ask(random_between(2, 13), payload, random_between(0, sizeof(payload)), -1);
		assert_true(ret == 1 || ret == -EPROTO);
		if (ret == 1)
			assert_true(message.header.size <= VFIO_USER_MESSAGE_MAX);
		pcie_endpoint_run(card);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_version, begin, end),
		cmocka_unit_test_setup_teardown(test_header, begin, end),
		cmocka_unit_test_setup_teardown(test_infos, begin, end),
		cmocka_unit_test_setup_teardown(test_regions, begin, end),
		cmocka_unit_test_setup_teardown(test_posted, begin, end),
		cmocka_unit_test_setup_teardown(test_memory, begin, end),
		cmocka_unit_test_setup_teardown(test_interrupts, begin, end),
		cmocka_unit_test_setup_teardown(test_reset, begin, end),
		cmocka_unit_test_setup_teardown(test_random, begin, end),
	};

	testing_seed("vfio_user");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
