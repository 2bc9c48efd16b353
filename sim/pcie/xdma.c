// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The config BAR: the register blocks of the DMA engines and their interrupts.
 */
#include "sim/pcie/endpoint.h"

#define VERSION 6	/* what the IP of Vivado 2020 and later calls itself */

/* The plain register of a mask, of one that sets bits of it, of one that clears. */
static u32 masked_write(u32 old, u32 offset, u32 value)
{
	switch (offset & 0xC) {
	case 0x8:
		return old | value;
	case 0xC:
		return old & ~value;
	}
	return value;
}

static struct pcie_engine *engine_of(struct pcie_endpoint *endpoint, u32 offset)
{
	if (offset & XDMA_CHANNEL)
		return NULL;
	switch (offset & XDMA_BLOCK) {
	case XDMA_BLOCK_H2C:
	case XDMA_BLOCK_H2C_SG:
		return &endpoint->engines[PCIE_H2C];
	case XDMA_BLOCK_C2H:
	case XDMA_BLOCK_C2H_SG:
		return &endpoint->engines[PCIE_C2H];
	}
	return NULL;
}

static u32 read_channel(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 reg)
{
	u32 status = engine->status;

	switch (reg) {
	case XDMA_CONTROL:
		return engine->control;
	case XDMA_STATUS_CLEARING:
		engine->status &= XDMA_BUSY;
		pcie_xdma_interrupts(endpoint);
		return status;
	case XDMA_STATUS:
		return status;
	case XDMA_COMPLETED:
		return engine->completed;
	case XDMA_ALIGNMENT:
		return KOHAKU_PUT(XDMA_ALIGNMENT_ADDRESS, 1) |
		       KOHAKU_PUT(XDMA_ALIGNMENT_LENGTH, 1) |
		       KOHAKU_PUT(XDMA_ALIGNMENT_BITS, 64);
	case XDMA_INTERRUPT:
		return engine->interrupt;
	}
	return 0;
}

static void write_channel(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 reg,
			  u32 value)
{
	switch (reg) {
	case XDMA_CONTROL:
	case XDMA_CONTROL_SET:
	case XDMA_CONTROL_CLEAR:
		pcie_engine_control(endpoint, engine, masked_write(engine->control, reg, value));
		break;
	case XDMA_STATUS:
		engine->status &= ~value | XDMA_BUSY;
		break;
	case XDMA_INTERRUPT:
		engine->interrupt = value;
		break;
	case XDMA_INTERRUPT_SET:
		engine->interrupt |= value;
		break;
	case XDMA_INTERRUPT_CLEAR:
		engine->interrupt &= ~value;
		break;
	}
	pcie_xdma_interrupts(endpoint);
}

static u32 read_scatter(const struct pcie_engine *engine, u32 reg)
{
	switch (reg) {
	case XDMA_FIRST_LO:
		return (u32)engine->first;
	case XDMA_FIRST_HI:
		return engine->first >> 32;
	case XDMA_FIRST_ADJACENT:
		return engine->adjacent;
	}
	return 0;
}

static void write_scatter(struct pcie_engine *engine, u32 reg, u32 value)
{
	switch (reg) {
	case XDMA_FIRST_LO:
		engine->first = (engine->first & ~(u64)U32_MAX) | value;
		break;
	case XDMA_FIRST_HI:
		engine->first = (engine->first & U32_MAX) | (u64)value << 32;
		break;
	case XDMA_FIRST_ADJACENT:
		engine->adjacent = value & 0x3F;
		break;
	}
}

/* The engines that ask for an interrupt, allowed or not. */
static u32 requests(const struct pcie_endpoint *endpoint)
{
	u32 mask = 0, i;

	for (i = 0; i < PCIE_ENGINES; i++) {
		const struct pcie_engine *engine = &endpoint->engines[i];

		if (engine->status & engine->interrupt & ~XDMA_BUSY)
			mask |= 1U << i;
	}
	return mask;
}

static u32 read_irq(const struct pcie_endpoint *endpoint, u32 reg)
{
	switch (reg) {
	case XDMA_IRQ_CHANNEL:
		return endpoint->irq_enabled;
	case XDMA_IRQ_REQUEST:
		return requests(endpoint);
	case XDMA_IRQ_PENDING:
		return endpoint->irq_pending;
	case XDMA_IRQ_VECTORS:
		return endpoint->irq_vectors;
	}
	return 0;
}

static void write_irq(struct pcie_endpoint *endpoint, u32 reg, u32 value)
{
	u32 old = endpoint->irq_enabled;

	if (reg == XDMA_IRQ_CHANNEL)
		endpoint->irq_enabled = value;
	else if (reg == XDMA_IRQ_CHANNEL_SET)
		endpoint->irq_enabled = old | value;
	else if (reg == XDMA_IRQ_CHANNEL_CLEAR)
		endpoint->irq_enabled = old & ~value;
	else if (reg == XDMA_IRQ_VECTORS)
		endpoint->irq_vectors = value;
	pcie_xdma_interrupts(endpoint);
}

static void send(struct pcie_endpoint *endpoint, u32 bit)
{
	u32 vector = KOHAKU_GET(XDMA_IRQ_VECTOR(bit), endpoint->irq_vectors);
	u32 lost = endpoint->inject.lost_interrupt;
	u32 spurious = endpoint->inject.spurious_interrupt;

	endpoint->interrupts++;
	if (!endpoint->interrupt || (lost && endpoint->interrupts % lost == 0))
		return;
	endpoint->interrupt(endpoint->ctx, vector);
	if (spurious && endpoint->interrupts % spurious == 0)
		endpoint->interrupt(endpoint->ctx, vector);
}

/* A message is sent when a request appears, not while it stays. */
void pcie_xdma_interrupts(struct pcie_endpoint *endpoint)
{
	u32 pending = requests(endpoint) & endpoint->irq_enabled;
	u32 fresh = pending & ~endpoint->irq_pending;
	u32 bit;

	endpoint->irq_pending = pending;
	for (bit = 0; bit < PCIE_ENGINES; bit++) {
		if (fresh >> bit & 1)
			send(endpoint, bit);
	}
}

static u32 identifier(u32 offset)
{
	return (u32)(KOHAKU_PUT(XDMA_ID_MAGIC, XDMA_ID_MAGIC_VALUE) |
		     KOHAKU_PUT(XDMA_ID_BLOCK, (offset & XDMA_BLOCK) >> 12) |
		     KOHAKU_PUT(XDMA_ID_VERSION, VERSION));
}

u32 pcie_xdma_read(struct pcie_endpoint *endpoint, u32 offset)
{
	u32 block = offset & XDMA_BLOCK, reg = offset & XDMA_REGISTER;
	struct pcie_engine *engine = engine_of(endpoint, offset);
	u32 value = 0;

	if (block == XDMA_MSIX_TABLE) {
		memcpy(&value, &endpoint->msix[offset & ~XDMA_BLOCK], sizeof(value));
		return value;
	}
	if (block > XDMA_BLOCK_COMMON || offset & XDMA_CHANNEL)
		return 0;
	if (reg == XDMA_ID)
		return identifier(offset);
	if (block == XDMA_BLOCK_IRQ)
		return read_irq(endpoint, reg);
	if (!engine)
		return 0;
	if (block <= XDMA_BLOCK_C2H)
		return read_channel(endpoint, engine, reg);
	return read_scatter(engine, reg);
}

void pcie_xdma_write(struct pcie_endpoint *endpoint, u32 offset, u32 value)
{
	u32 block = offset & XDMA_BLOCK, reg = offset & XDMA_REGISTER;
	struct pcie_engine *engine = engine_of(endpoint, offset);

	if (block == XDMA_MSIX_TABLE) {
		memcpy(&endpoint->msix[offset & ~XDMA_BLOCK], &value, sizeof(value));
		return;
	}
	if (block == XDMA_BLOCK_IRQ && !(offset & XDMA_CHANNEL))
		write_irq(endpoint, reg, value);
	if (!engine)
		return;
	if (block <= XDMA_BLOCK_C2H)
		write_channel(endpoint, engine, reg, value);
	else
		write_scatter(engine, reg, value);
}
