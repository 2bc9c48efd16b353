// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The memory of the machine that the endpoint is plugged into.
 *
 * It arrives as files.  One that is sealed against shrinking is mapped.  Others
 * are read and written: whoever gave one may truncate it at any time, and that
 * must not kill this process.
 */
#include "sim/pcie/guest.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool wraps(u64 addr, u64 size)
{
	return !size || addr + size - 1 < addr;
}

static bool overlap(const struct pcie_range *range, u64 addr, u64 last)
{
	return range->addr <= last && addr <= range->addr + range->size - 1;
}

static u8 *map_file(const struct pcie_range *range)
{
	int seals = fcntl(range->fd, F_GET_SEALS);
	struct stat stat;
	void *map;

	if (seals < 0 || !(seals & F_SEAL_SHRINK) || fstat(range->fd, &stat) ||
	    range->offset + range->size > (u64)stat.st_size)
		return NULL;
	map = mmap(NULL, range->size, (range->readable ? PROT_READ : 0) |
		   (range->writable ? PROT_WRITE : 0), MAP_SHARED, range->fd, range->offset);
	return map == MAP_FAILED ? NULL : map;
}

int pcie_guest_map(struct pcie_guest *guest, const struct pcie_range *range)
{
	u32 i;

	if (wraps(range->addr, range->size) || wraps(range->offset, range->size) ||
	    range->offset + range->size - 1 > S64_MAX)
		return -EINVAL;
	for (i = 0; i < guest->count; i++) {
		if (overlap(&guest->ranges[i], range->addr, range->addr + range->size - 1))
			return -EEXIST;
	}
	if (guest->count == PCIE_GUEST_RANGES)
		return -ENOSPC;
	guest->ranges[guest->count] = *range;
	guest->ranges[guest->count++].map = map_file(range);
	return 0;
}

static void remove_range(struct pcie_guest *guest, u32 i)
{
	struct pcie_range *range = &guest->ranges[i];

	if (range->map)
		munmap(range->map, range->size);
	close(range->fd);
	*range = guest->ranges[--guest->count];
}

int pcie_guest_unmap(struct pcie_guest *guest, u64 addr, u64 size)
{
	u64 last = addr + size - 1;
	u32 i;

	if (wraps(addr, size))
		return -EINVAL;
	for (i = 0; i < guest->count; i++) {
		const struct pcie_range *range = &guest->ranges[i];

		if (overlap(range, addr, last) &&
		    (range->addr < addr || range->addr + range->size - 1 > last))
			return -ENOENT;
	}
	for (i = guest->count; i-- > 0;) {
		if (overlap(&guest->ranges[i], addr, last))
			remove_range(guest, i);
	}
	return 0;
}

void pcie_guest_clear(struct pcie_guest *guest)
{
	while (guest->count)
		remove_range(guest, guest->count - 1);
}

static const struct pcie_range *find(const struct pcie_guest *guest, u64 addr)
{
	u32 i;

	for (i = 0; i < guest->count; i++) {
		const struct pcie_range *range = &guest->ranges[i];

		if (addr >= range->addr && addr - range->addr < range->size)
			return range;
	}
	return NULL;
}

void *pcie_guest_at(const struct pcie_guest *guest, u64 addr, size_t size, bool write)
{
	const struct pcie_range *range = find(guest, addr);

	if (!range || !range->map || size > range->size - (addr - range->addr))
		return NULL;
	return (write ? range->writable : range->readable) ? range->map + (addr - range->addr) :
	       NULL;
}

static bool read_range(const struct pcie_range *range, u64 at, void *bytes, size_t size)
{
	if (!range->map)
		return pread(range->fd, bytes, size, range->offset + at) == (ssize_t)size;
	memcpy(bytes, range->map + at, size);
	return true;
}

static bool write_range(const struct pcie_range *range, u64 at, const void *bytes, size_t size)
{
	if (!range->map)
		return pwrite(range->fd, bytes, size, range->offset + at) == (ssize_t)size;
	memcpy(range->map + at, bytes, size);
	return true;
}

int pcie_guest_read(const struct pcie_guest *guest, u64 addr, void *bytes, size_t size)
{
	while (size) {
		const struct pcie_range *range = find(guest, addr);
		size_t part;

		if (!range || !range->readable)
			return -EFAULT;
		part = min_t(u64, size, range->size - (addr - range->addr));
		if (!read_range(range, addr - range->addr, bytes, part))
			return -EFAULT;
		bytes = (u8 *)bytes + part;
		addr += part;
		size -= part;
	}
	return 0;
}

int pcie_guest_write(const struct pcie_guest *guest, u64 addr, const void *bytes, size_t size)
{
	while (size) {
		const struct pcie_range *range = find(guest, addr);
		size_t part;

		if (!range || !range->writable)
			return -EFAULT;
		part = min_t(u64, size, range->size - (addr - range->addr));
		if (!write_range(range, addr - range->addr, bytes, part))
			return -EFAULT;
		bytes = (const u8 *)bytes + part;
		addr += part;
		size -= part;
	}
	return 0;
}
