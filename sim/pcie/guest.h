/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The memory of the machine that the endpoint is plugged into.
 */
#ifndef SIM_PCIE_GUEST_H
#define SIM_PCIE_GUEST_H

#include "hw/types.h"

/* Behind an IOMMU every page that is mapped for DMA is a range. */
#define PCIE_GUEST_RANGES 8192

/* A range of bus addresses and the part of a file that lies there. */
struct pcie_range {
	u64 addr;
	u64 size;
	u64 offset;
	int fd;
	bool readable;
	bool writable;
	u8 *map;		/* where it lies in this process; NULL: read and write fd */
};

struct pcie_guest {
	u32 count;
	struct pcie_range ranges[PCIE_GUEST_RANGES];
};

/**
 * pcie_guest_map - let the endpoint reach a range
 * @guest: the machine's memory
 * @range: what to add; its fd is the guest's from now on, map is not looked at
 *
 * Return: 0; -EINVAL when the range is empty or wraps, -EEXIST when it overlaps
 * another, -ENOSPC.  On error the fd stays the caller's.
 */
int pcie_guest_map(struct pcie_guest *guest, const struct pcie_range *range);
/* Takes away all ranges that lie within one; -ENOENT when one is cut by its end. */
int pcie_guest_unmap(struct pcie_guest *guest, u64 addr, u64 size);
void pcie_guest_clear(struct pcie_guest *guest);

/* DMA; -EFAULT where no range, or no bytes, or no permission is. */
int pcie_guest_read(const struct pcie_guest *guest, u64 addr, void *bytes, size_t size);
int pcie_guest_write(const struct pcie_guest *guest, u64 addr, const void *bytes, size_t size);
/* Where memory to be read or written lies in this process; NULL: only by the two above. */
void *pcie_guest_at(const struct pcie_guest *guest, u64 addr, size_t size, bool write);

#endif
