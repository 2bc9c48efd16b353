// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A device and the node behind the driver.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

static int kernel_command(struct kohaku_device *device, uint32_t command, void *arg)
{
	return ioctl(device->fd, command, arg) < 0 ? -errno : 0;
}

static ssize_t kernel_read(struct kohaku_device *device, void *records, size_t size)
{
	ssize_t bytes = read(device->fd, records, size);

	return bytes < 0 ? -errno : bytes;
}

static int kernel_map(struct kohaku_device *device, uint64_t offset, uint64_t length, void **out)
{
	void *address = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, device->fd,
			     (off_t)offset);

	if (address == MAP_FAILED)
		return -errno;
	*out = address;
	return 0;
}

static void kernel_unmap(struct kohaku_device *device, void *address, uint64_t length)
{
	(void)device;
	munmap(address, length);
}

static void kernel_close(struct kohaku_device *device)
{
	close(device->fd);
}

const struct backend kernel_backend = {
	.command = kernel_command,
	.read = kernel_read,
	.map = kernel_map,
	.unmap = kernel_unmap,
	.close = kernel_close,
};

int kohaku_device_command(struct kohaku_device *device, uint32_t command, void *arg)
{
	int err = device->backend->command(device, command, arg);

	if (err)
		explain_command(device, command, arg, err);
	return err;
}

const char *kohaku_device_name(const struct kohaku_device *device)
{
	return device->name;
}

int kohaku_device_fd(const struct kohaku_device *device)
{
	return device->fd;
}
