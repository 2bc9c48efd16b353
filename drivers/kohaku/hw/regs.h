/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The node's registers: one header for who writes them (the driver) and who
 * decodes them (the model).  See Documentation/hardware/node.rst.
 */
#ifndef KOHAKU_HW_REGS_H
#define KOHAKU_HW_REGS_H

#include "types.h"

#define KOHAKU_BITS(hi, lo)	((~0ULL >> (63 - (hi))) & (~0ULL << (lo)))
#define KOHAKU_BIT(n)		(1ULL << (n))

/* Extracts and builds a field given by its mask, as bitfield.h does. */
#define KOHAKU_GET(mask, reg)	(((reg) & (mask)) >> __builtin_ctzll(mask))
#define KOHAKU_PUT(mask, val)	(((u64)(val) << __builtin_ctzll(mask)) & (mask))

/* The transfer granule: 32 bytes. All addresses are in bytes. */
#define KOHAKU_WORD_SHIFT	5
#define KOHAKU_WORD		(1U << KOHAKU_WORD_SHIFT)

/* The 40-bit address of a node. */
#define KOHAKU_ADDR_MASK	KOHAKU_BITS(39, 0)
#define KOHAKU_ADDR_ONCHIP	KOHAKU_BIT(39)
#define KOHAKU_ADDR_RESERVED	KOHAKU_BIT(38)
#define KOHAKU_ADDR_MESH	KOHAKU_BITS(37, 36)
#define KOHAKU_ADDR_LOCAL	KOHAKU_BITS(35, 0)
#define KOHAKU_ADDR_APERTURE	KOHAKU_BITS(35, 32)
#define KOHAKU_ADDR_OFFSET	KOHAKU_BITS(31, 0)
#define KOHAKU_APERTURE_STAGING	0
#define KOHAKU_APERTURE_IMPLEMENTED 0x37

/* The 43-bit address of the host: a window a mesh, then the 40-bit address. */
#define KOHAKU_HOST_WINDOW(mesh) ((u64)((mesh) + 1) << 40)

#define KOHAKU_MESHES_MAX	4
#define KOHAKU_DRAM_SIZE	(4ULL << 30)
#define KOHAKU_STAGING_SIZE	(2U << 20)

/* The mover's nine registers, as offsets into its AUX_CFG aperture. */
#define KOHAKU_REG_CTRL		0x00
#define KOHAKU_REG_HEADER	0x10
#define KOHAKU_REG_DIM_STAGE	0x18
#define KOHAKU_REG_DIM_LATCH	0x20
#define KOHAKU_REG_WINDOW	0x28
#define KOHAKU_REG_INDEX	0x30
#define KOHAKU_REG_SEED		0x38
#define KOHAKU_REG_IMM		0x40
#define KOHAKU_REG_GATHER	0x50
#define KOHAKU_REG_MASK		0xF8

#define KOHAKU_CTRL_MODE	KOHAKU_BITS(2, 0)
#define KOHAKU_CTRL_WIDTH	KOHAKU_BITS(4, 3)
#define KOHAKU_CTRL_FLAGS	KOHAKU_BITS(15, 8)
#define KOHAKU_CTRL_COALESCE	KOHAKU_BIT(11)
#define KOHAKU_CTRL_CAP		KOHAKU_BITS(15, 13)
#define KOHAKU_CTRL_GO		KOHAKU_BIT(16)

#define KOHAKU_MODE_COPY	0
#define KOHAKU_MODE_TRANSPOSE	1
#define KOHAKU_MODE_GATHER	2
#define KOHAKU_MODE_GENERATE	3
#define KOHAKU_MODE_FILL	4
#define KOHAKU_MODE_XFORM	5

/* Bit 0 of HEADER, DIM_STAGE and WINDOW names the walker. */
#define KOHAKU_WALKER_SRC	0
#define KOHAKU_WALKER_DST	1
#define KOHAKU_WALKER		KOHAKU_BIT(0)

#define KOHAKU_HEADER_BASE	KOHAKU_BITS(43, 4)
#define KOHAKU_HEADER_NDIM	KOHAKU_BITS(46, 44)
#define KOHAKU_HEADER_XFORM	KOHAKU_BITS(50, 47)
#define KOHAKU_HEADER_XMODE	KOHAKU_BITS(58, 55)

#define KOHAKU_DIM_INDEX	KOHAKU_BITS(3, 1)
#define KOHAKU_DIM_COUNT	KOHAKU_BITS(19, 4)
#define KOHAKU_DIM_STRIDE	KOHAKU_BITS(51, 20)
#define KOHAKU_DIM_AXIS		KOHAKU_BITS(1, 0)
#define KOHAKU_DIM_STEP		KOHAKU_BITS(17, 2)
#define KOHAKU_DIMS_MAX		6

#define KOHAKU_WINDOW_AXIS	KOHAKU_BIT(1)
#define KOHAKU_WINDOW_BASE	KOHAKU_BITS(17, 2)
#define KOHAKU_WINDOW_EXTENT	KOHAKU_BITS(33, 18)

#define KOHAKU_INDEX_BASE	KOHAKU_BITS(39, 0)
#define KOHAKU_INDEX_COUNT	KOHAKU_BITS(55, 40)
#define KOHAKU_INDEX_MAX	2048
#define KOHAKU_GATHER_PITCH	KOHAKU_BITS(31, 0)
#define KOHAKU_GATHER_WORDS	KOHAKU_BITS(47, 32)

/* The host control window of a mesh: 64 KiB of 64-bit registers. */
#define KOHAKU_CTL_SIZE		0x10000
#define KOHAKU_CTL_STATUS	0x0008
#define KOHAKU_CTL_CAPS		0x0010
#define KOHAKU_CTL_IRQ_STAT	0x0018
#define KOHAKU_CTL_IRQ_EN	0x0020
#define KOHAKU_CTL_DST		0x0040
#define KOHAKU_CTL_LEN		0x0048
#define KOHAKU_CTL_KICK		0x0050
#define KOHAKU_CTL_STAT		0x0058
#define KOHAKU_CTL_CRED		0x0060
#define KOHAKU_CTL_BASE		0x0068
#define KOHAKU_CTL_SIG_DONE	0x0070
#define KOHAKU_CTL_AUX_STAT	0x0078
#define KOHAKU_CTL_AUX_STATW	0x0080
#define KOHAKU_CTL_AUX_CFG	0x0800
#define KOHAKU_CTL_INTERLINK	0x0880
#define KOHAKU_CTL_FLITS	0x2000

#define KOHAKU_STATUS_BUSY	KOHAKU_BIT(0)
#define KOHAKU_STATUS_ERROR	KOHAKU_BIT(1)
#define KOHAKU_STATUS_READY	KOHAKU_BIT(2)

#define KOHAKU_CAPS_FLIT	KOHAKU_BITS(15, 0)
#define KOHAKU_CAPS_POSITION	KOHAKU_BITS(23, 16)
#define KOHAKU_CAPS_GRID_LO	KOHAKU_BITS(31, 24)
#define KOHAKU_CAPS_GRID_HI	KOHAKU_BITS(39, 32)
#define KOHAKU_FLIT_WIDTH	288

/* The dispatcher: rounds of packets (flits) from its memory to the vector core. */
#define KOHAKU_FLITS_MAX	128
#define KOHAKU_FLIT_SIZE	40	/* bytes of one in that memory */
#define KOHAKU_DST_VECTOR	0x11	/* where the core is: row 1, column 1 */
#define KOHAKU_DISPATCH_BUSY	KOHAKU_BIT(0)
#define KOHAKU_DISPATCH_FAULT	KOHAKU_BITS(12, 8)	/* the first of the round */
#define KOHAKU_DISPATCH_AT	KOHAKU_BITS(23, 16)	/* its packet */
#define KOHAKU_DISPATCH_TAKEN	KOHAKU_BITS(31, 24)	/* packets */
#define KOHAKU_DISPATCH_CYCLES	KOHAKU_BITS(63, 32)	/* moving data not counted */
#define KOHAKU_SIG_DONE_COUNT	KOHAKU_BITS(31, 0)	/* rounds that ended */

#define KOHAKU_STAT_BUSY	KOHAKU_BIT(0)
#define KOHAKU_STAT_FAULT	KOHAKU_BITS(7, 4)
#define KOHAKU_STAT_WRITES	KOHAKU_BITS(23, 8)
#define KOHAKU_STAT_READS	KOHAKU_BITS(39, 24)
#define KOHAKU_STAT_DONE	KOHAKU_BITS(63, 40)
/* A read that nobody answered: the device is gone. */
#define KOHAKU_ALL_ONES		(~0ULL)

/* What the mover reports in a status word. */
#define KOHAKU_HW_FAULT_NONE	0
#define KOHAKU_HW_FAULT_INDEX	1
#define KOHAKU_HW_FAULT_RANGE	2
#define KOHAKU_HW_FAULT_AXI	3
#define KOHAKU_HW_FAULT_MODE	4
#define KOHAKU_HW_FAULT_WIDTH	5
#define KOHAKU_HW_FAULT_ALIGN	6
#define KOHAKU_HW_FAULT_PAD	7

/*
 * The transform slot: 32-bit registers of each occupant, which only the processor
 * of an RV32 complex reaches.
 */
#define KOHAKU_RV32_NODE	0xF0000000u
#define KOHAKU_RV32_SLOT	KOHAKU_BIT(16)
#define KOHAKU_SLOT_ID		KOHAKU_BITS(11, 8)
#define KOHAKU_SLOT_IDS		16
#define KOHAKU_SLOT_FAULT	0x00	/* of the bank; any write clears it */
#define KOHAKU_SLOT_GEOMETRY	0x04	/* 0: no occupant */
#define KOHAKU_SLOT_IN_BITS	KOHAKU_BITS(15, 0)
#define KOHAKU_SLOT_OUT_WORDS	KOHAKU_BITS(23, 16)

/* Occupants, and the registers that one of them adds. */
#define KOHAKU_OCCUPANT_BYPASS	0
#define KOHAKU_OCCUPANT_QUANTISE 1
#define KOHAKU_OCCUPANT_GT4	2
#define KOHAKU_OCCUPANT_DEQUANTISE 3
#define KOHAKU_OCCUPANT_SWIZZLE	4
#define KOHAKU_OCCUPANT_PALETTE	5
#define KOHAKU_PALETTE_INDEX	0x08
#define KOHAKU_PALETTE_DATA	0x0C	/* a write steps the index */
#define KOHAKU_PALETTE_SIZE	256

/* The interlink of a node of several meshes: its registers in AUX_CFG, .. */
#define KOHAKU_LINK_CONTROL	0x80
#define KOHAKU_LINK_CLEAR	KOHAKU_BIT(0)	/* forgets the sticky faults */
#define KOHAKU_LINK_MARK	KOHAKU_BIT(1)	/* sends a marker to .. */
#define KOHAKU_LINK_MARK_MESH	KOHAKU_BITS(5, 4)
#define KOHAKU_LINK_MARK_TAG	KOHAKU_BITS(63, 32)
#define KOHAKU_LINK_MESH_ID	0x88
#define KOHAKU_LINK_DOORBELL	0x90
#define KOHAKU_LINK_MESH	KOHAKU_BITS(1, 0)

/* .. and its sixteen status words, AUX_STATW[]; by mesh where an index is added. */
#define KOHAKU_LINK_STATUS	0
#define KOHAKU_LINK_SENT	4	/* towards mesh .. */
#define KOHAKU_LINK_RECEIVED	8	/* from mesh .. */
#define KOHAKU_LINK_MARKED	12	/* markers back from mesh .. */
#define KOHAKU_LINK_WORDS	16

#define KOHAKU_LINK_PRESENT	KOHAKU_BIT(0)
#define KOHAKU_LINK_OWN		KOHAKU_BITS(2, 1)
#define KOHAKU_LINK_FAULT	KOHAKU_BITS(7, 4)
#define KOHAKU_LINK_MESHES	KOHAKU_BITS(15, 8)
#define KOHAKU_LINK_IN_FLIGHT	KOHAKU_BITS(63, 32)
#define KOHAKU_LINK_POSTED	KOHAKU_BITS(31, 0)	/* SENT: words */
#define KOHAKU_LINK_LANDED	KOHAKU_BITS(63, 32)
#define KOHAKU_LINK_ARRIVED	KOHAKU_BITS(31, 0)	/* RECEIVED: words */
#define KOHAKU_LINK_RUNG	KOHAKU_BITS(63, 32)	/* doorbells */
#define KOHAKU_LINK_TAG		KOHAKU_BITS(31, 0)	/* MARKED: of the last */
#define KOHAKU_LINK_COUNT	KOHAKU_BITS(63, 32)

/* Bits of KOHAKU_LINK_FAULT. */
#define KOHAKU_LINK_FAULT_ID	KOHAKU_BIT(0)	/* given an id that is not its own */
#define KOHAKU_LINK_FAULT_MESH	KOHAKU_BIT(1)	/* doorbell or marker to no other mesh */
#define KOHAKU_LINK_FAULT_AXI	KOHAKU_BIT(3)	/* a word that no memory took */

/* Bursts: at most 128 beats, never across a 4 KiB page. */
#define KOHAKU_BURST_MAX	128
#define KOHAKU_BURST_PAGE	4096

#endif
