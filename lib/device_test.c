// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The driver as a backend, over files that are no device: what the system calls
 * answer comes through, and errno as a negative number.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

static void commands_answer_errno(void **state)
{
	struct kohaku_info info = { .size = sizeof(info) };
	struct kohaku_device device = { .fd = open("/dev/null", O_RDWR | O_CLOEXEC) };

	(void)state;
	assert_true(device.fd >= 0);
	assert_int_equal(kernel_backend.command(&device, KOHAKU_INFO, &info), -ENOTTY);
	kernel_backend.close(&device);
	assert_int_equal(kernel_backend.command(&device, KOHAKU_INFO, &info), -EBADF);
}

static void records_are_read(void **state)
{
	struct kohaku_completion records[2] = { { .job = 7 }, { .job = 8 } }, got[3];
	struct kohaku_device device;
	int ends[2];

	(void)state;
	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	device.fd = ends[0];
	assert_int_equal(kernel_backend.read(&device, got, sizeof(got)), -EAGAIN);
	assert_int_equal(write(ends[1], records, sizeof(records)), sizeof(records));
	assert_int_equal(kernel_backend.read(&device, got, sizeof(got)), sizeof(records));
	assert_memory_equal(got, records, sizeof(records));
	close(ends[1]);
	kernel_backend.close(&device);
}

static void buffers_are_mapped_at_their_offset(void **state)
{
	struct kohaku_device device = { .fd = memfd_create("buffers", MFD_CLOEXEC) };
	const char text[] = "the second page";
	char there[sizeof(text)];
	void *address = NULL;

	(void)state;
	assert_true(device.fd >= 0);
	assert_int_equal(ftruncate(device.fd, 8192), 0);
	assert_int_equal(pwrite(device.fd, text, sizeof(text), 4096), sizeof(text));
	assert_int_equal(kernel_backend.map(&device, 4096, 4096, &address), 0);
	assert_string_equal(address, text);
	/* Shared: what is written there is in the file. */
	memcpy(address, "THE", 3);
	assert_int_equal(pread(device.fd, there, sizeof(there), 4096), sizeof(there));
	assert_string_equal(there, "THE second page");
	kernel_backend.unmap(&device, address, 4096);
	address = NULL;
	assert_int_equal(kernel_backend.map(&device, 1, 4096, &address), -EINVAL);
	assert_null(address);
	kernel_backend.close(&device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_answer_errno),
		cmocka_unit_test(records_are_read),
		cmocka_unit_test(buffers_are_mapped_at_their_offset),
	};

	return cmocka_run_group_tests_name("lib/device", tests, NULL, NULL);
}
