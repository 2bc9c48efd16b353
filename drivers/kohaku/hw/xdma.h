/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The PCIe endpoint of the card: registers and descriptors of its DMA engines,
 * as AMD's product guide PG195 names them, and where the node lies behind it.
 */
#ifndef KOHAKU_HW_XDMA_H
#define KOHAKU_HW_XDMA_H

#include "regs.h"

#define XDMA_VENDOR		0x10EE
#define XDMA_DEVICE		0x903F

/* The user BAR: AXI-Lite, with the control windows of the meshes. */
#define XDMA_USER_SIZE		0x1000000
#define XDMA_USER_MESH(mesh)	(0x800000 + (u32)(mesh) * KOHAKU_CTL_SIZE)

/*
 * The config BAR: blocks of 4 KiB, in a block 256 bytes a channel.  Each channel
 * begins with an identifier that says which block it is.
 */
#define XDMA_CONFIG_SIZE	0x10000
#define XDMA_BLOCK		0xF000
#define XDMA_CHANNEL		0x0F00
#define XDMA_REGISTER		0x00FF

#define XDMA_BLOCK_H2C		0x0000	/* host to card */
#define XDMA_BLOCK_C2H		0x1000	/* card to host */
#define XDMA_BLOCK_IRQ		0x2000
#define XDMA_BLOCK_CONFIG	0x3000
#define XDMA_BLOCK_H2C_SG	0x4000
#define XDMA_BLOCK_C2H_SG	0x5000
#define XDMA_BLOCK_COMMON	0x6000
#define XDMA_MSIX_TABLE		0x8000
#define XDMA_MSIX_PBA		0x8FE0

/* Of every block. */
#define XDMA_ID			0x00
#define XDMA_ID_MAGIC		KOHAKU_BITS(31, 20)
#define XDMA_ID_BLOCK		KOHAKU_BITS(19, 16)	/* the block's address >> 12 */
#define XDMA_ID_STREAM		KOHAKU_BIT(15)
#define XDMA_ID_CHANNEL		KOHAKU_BITS(11, 8)
#define XDMA_ID_VERSION		KOHAKU_BITS(7, 0)
#define XDMA_ID_MAGIC_VALUE	0x1FC

/* A channel's own block.  Offsets +4 and +8 of a mask set and clear its bits. */
#define XDMA_CONTROL		0x04
#define XDMA_CONTROL_SET	0x08
#define XDMA_CONTROL_CLEAR	0x0C
#define XDMA_STATUS		0x40	/* a 1 that is written clears */
#define XDMA_STATUS_CLEARING	0x44	/* the same, cleared by reading */
#define XDMA_COMPLETED		0x48	/* descriptors since RUN was set */
#define XDMA_ALIGNMENT		0x4C
#define XDMA_INTERRUPT		0x90	/* which status bits interrupt */
#define XDMA_INTERRUPT_SET	0x94
#define XDMA_INTERRUPT_CLEAR	0x98

#define XDMA_CONTROL_RUN	KOHAKU_BIT(0)

/* Bits of STATUS and, but for BUSY, of CONTROL and INTERRUPT. */
#define XDMA_BUSY		KOHAKU_BIT(0)
#define XDMA_STOPPED		KOHAKU_BIT(1)	/* a descriptor said stop */
#define XDMA_COMPLETE		KOHAKU_BIT(2)	/* a descriptor said so */
#define XDMA_ALIGN_MISMATCH	KOHAKU_BIT(3)
#define XDMA_MAGIC_STOPPED	KOHAKU_BIT(4)
#define XDMA_INVALID_LENGTH	KOHAKU_BIT(5)
#define XDMA_IDLE_STOPPED	KOHAKU_BIT(6)
#define XDMA_READ_ERROR		KOHAKU_BITS(13, 9)
#define XDMA_WRITE_ERROR	KOHAKU_BITS(18, 14)
#define XDMA_DESCRIPTOR_ERROR	KOHAKU_BITS(23, 19)
#define XDMA_ERRORS		(XDMA_ALIGN_MISMATCH | XDMA_MAGIC_STOPPED | \
				 XDMA_INVALID_LENGTH | XDMA_READ_ERROR | \
				 XDMA_WRITE_ERROR | XDMA_DESCRIPTOR_ERROR)

/* Who answered with an error: the card's bus (AXI) or the host (PCIe). */
#define XDMA_H2C_READ_REFUSED	KOHAKU_BIT(9)	/* the host */
#define XDMA_H2C_WRITE_DECODE	KOHAKU_BIT(14)	/* nothing at that address */
#define XDMA_H2C_WRITE_SLAVE	KOHAKU_BIT(15)
#define XDMA_C2H_READ_DECODE	KOHAKU_BIT(9)
#define XDMA_C2H_READ_SLAVE	KOHAKU_BIT(10)
#define XDMA_DESCRIPTOR_REFUSED	KOHAKU_BIT(19)	/* the host */

#define XDMA_ALIGNMENT_ADDRESS	KOHAKU_BITS(23, 16)	/* bytes */
#define XDMA_ALIGNMENT_LENGTH	KOHAKU_BITS(15, 8)	/* bytes */
#define XDMA_ALIGNMENT_BITS	KOHAKU_BITS(7, 0)	/* of an address */

/* A channel's scatter-gather block: where its first descriptor is. */
#define XDMA_FIRST_LO		0x80
#define XDMA_FIRST_HI		0x84
#define XDMA_FIRST_ADJACENT	0x88

/* The interrupt block.  Channel interrupts: first those of H2C, then of C2H. */
#define XDMA_IRQ_CHANNEL	0x10	/* mask */
#define XDMA_IRQ_CHANNEL_SET	0x14
#define XDMA_IRQ_CHANNEL_CLEAR	0x18
#define XDMA_IRQ_REQUEST	0x44
#define XDMA_IRQ_PENDING	0x4C
#define XDMA_IRQ_VECTORS	0xA0	/* five bits for each of four channels */
#define XDMA_IRQ_VECTOR(bit)	KOHAKU_BITS((bit) * 8 + 4, (bit) * 8)

/* Descriptors are chained through host memory. */
struct xdma_descriptor {
	__le32 control;
	__le32 length;		/* bytes, 28 bits */
	__le32 src_lo;
	__le32 src_hi;
	__le32 dst_lo;
	__le32 dst_hi;
	__le32 next_lo;
	__le32 next_hi;
};

static_assert(sizeof(struct xdma_descriptor) == 32, "XDMA descriptor");

#define XDMA_DESCRIPTOR_MAGIC	KOHAKU_BITS(31, 16)
#define XDMA_DESCRIPTOR_MAGIC_VALUE 0xAD4B
/* Descriptors that follow the next one without a gap, in one page with it. */
#define XDMA_DESCRIPTOR_ADJACENT KOHAKU_BITS(13, 8)
#define XDMA_PAGE		0x1000U
#define XDMA_DESCRIPTOR_COMPLETE KOHAKU_BIT(1)
#define XDMA_DESCRIPTOR_STOP	KOHAKU_BIT(0)
#define XDMA_DESCRIPTOR_LENGTH	KOHAKU_BITS(27, 0)

/* Does an identifier register belong to that block? */
static inline bool xdma_identifies(u32 id, u32 block)
{
	return KOHAKU_GET(XDMA_ID_MAGIC, id) == XDMA_ID_MAGIC_VALUE &&
	       KOHAKU_GET(XDMA_ID_BLOCK, id) == block >> 12;
}

#endif
