/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/* The 40-bit address of a node: composing it and taking it apart. */
#ifndef KOHAKU_HW_ADDRESS_H
#define KOHAKU_HW_ADDRESS_H

#include "regs.h"

/*
 * The address of a byte behind an aperture of a mesh.  -EINVAL: no such mesh or
 * aperture, or the offset is past the staging store, which would wrap.
 */
static inline int kohaku_address_onchip(u32 mesh, u32 aperture, u64 offset, u64 *addr)
{
	if (mesh >= KOHAKU_MESHES_MAX || aperture > 15 || offset >= KOHAKU_STAGING_SIZE ||
	    !(KOHAKU_APERTURE_IMPLEMENTED & KOHAKU_BIT(aperture)))
		return -EINVAL;
	*addr = KOHAKU_ADDR_ONCHIP | KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) |
		KOHAKU_PUT(KOHAKU_ADDR_APERTURE, aperture) | offset;
	return 0;
}

/* The aperture that an address names; -1 for DRAM. */
static inline int kohaku_address_aperture(u64 addr)
{
	return addr & KOHAKU_ADDR_ONCHIP ? (int)KOHAKU_GET(KOHAKU_ADDR_APERTURE, addr) : -1;
}

static inline u32 kohaku_address_mesh(u64 addr)
{
	return KOHAKU_GET(KOHAKU_ADDR_MESH, addr);
}

/* What the staging store makes of an address: it looks at 21 bits only. */
static inline u64 kohaku_address_staging_offset(u64 addr)
{
	return addr & (KOHAKU_STAGING_SIZE - 1);
}

/* Links between two meshes; they form an open path, 0-1-3-2. */
static inline u32 kohaku_address_hops(u32 a, u32 b)
{
	/* The place of mesh m on the path. */
	u32 from = a ^ a >> 1, to = b ^ b >> 1;

	return from > to ? from - to : to - from;
}

#endif
