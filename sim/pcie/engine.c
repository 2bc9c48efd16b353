// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A DMA engine: fetches descriptors from host memory and carries them out, a
 * bounded number of bytes a call, so that a chain may be as long as it likes.
 */
#include "sim/pcie/endpoint.h"

#define PART 0x10000	/* bytes of one call */

/* Status is recorded only where control asks for it; BUSY is no record. */
static void log_status(struct pcie_engine *engine, u32 bits)
{
	engine->status |= bits & engine->control;
}

static void stop(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 bits)
{
	engine->loaded = false;
	engine->status &= ~XDMA_BUSY;
	log_status(engine, bits);
	pcie_xdma_interrupts(endpoint);
}

void pcie_engine_control(struct pcie_endpoint *endpoint, struct pcie_engine *engine,
			 u32 control)
{
	bool starts = control & ~engine->control & XDMA_CONTROL_RUN;
	u32 spurious = endpoint->inject.spurious_interrupt;

	engine->control = control;
	if (!starts || engine->status & XDMA_BUSY)
		return;
	engine->status |= XDMA_BUSY;
	engine->completed = 0;
	engine->next = engine->first;
	engine->loaded = false;
	if (spurious && endpoint->interrupts % spurious == 0 && endpoint->interrupt)
		endpoint->interrupt(endpoint->ctx,
				    KOHAKU_GET(XDMA_IRQ_VECTOR(engine->direction),
					       endpoint->irq_vectors));
}

/* The next descriptor; false when the engine stopped for want of a good one. */
static bool fetch(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	struct xdma_descriptor *descriptor = &engine->descriptor;

	if (pcie_guest_read(&endpoint->guest, engine->next, descriptor, sizeof(*descriptor))) {
		stop(endpoint, engine, XDMA_DESCRIPTOR_REFUSED);
		return false;
	}
	if (KOHAKU_GET(XDMA_DESCRIPTOR_MAGIC, descriptor->control) !=
	    XDMA_DESCRIPTOR_MAGIC_VALUE) {
		stop(endpoint, engine, XDMA_MAGIC_STOPPED);
		return false;
	}
	if (!(descriptor->length & XDMA_DESCRIPTOR_LENGTH)) {
		stop(endpoint, engine, XDMA_INVALID_LENGTH);
		return false;
	}
	engine->done = 0;
	engine->loaded = true;
	endpoint->descriptors++;
	return true;
}

/* The card's bus does not answer for an address: the access never ends. */
static void hang(struct pcie_engine *engine)
{
	engine->stuck = true;
}

/* An error of the card's bus; with ECC the engine does not get over it. */
static void bus_error(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	u32 bit = engine->direction == PCIE_H2C ? XDMA_H2C_WRITE_SLAVE : XDMA_C2H_READ_SLAVE;

	stop(endpoint, engine, bit);
	if (endpoint->inject.ecc) {
		engine->status |= XDMA_BUSY;
		hang(engine);
	}
}

/* Moves some bytes of the descriptor; 0 or what was in the way. */
static int carry(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 size)
{
	const struct xdma_descriptor *descriptor = &engine->descriptor;
	u64 src = ((u64)descriptor->src_hi << 32 | descriptor->src_lo) + engine->done;
	u64 dst = ((u64)descriptor->dst_hi << 32 | descriptor->dst_lo) + engine->done;
	bool to_card = engine->direction == PCIE_H2C;
	u64 card = to_card ? dst : src;
	u8 bytes[PART];
	int err;

	/* Host accesses do not reach what is on the chip. */
	if (card & KOHAKU_ADDR_ONCHIP)
		return -EINVAL;
	if (to_card) {
		err = pcie_guest_read(&endpoint->guest, src, bytes, size);
		return err ? err : sim_mem_write(endpoint->node, dst, bytes, size);
	}
	err = sim_mem_read(endpoint->node, src, bytes, size);
	return err ? err : pcie_guest_write(&endpoint->guest, dst, bytes, size);
}

static void refuse(struct pcie_endpoint *endpoint, struct pcie_engine *engine, int err)
{
	if (err == -EINVAL)
		hang(engine);
	else if (err == -EFAULT)
		stop(endpoint, engine, engine->direction == PCIE_H2C ? XDMA_H2C_READ_REFUSED :
		     XDMA_WRITE_ERROR);
	else
		bus_error(endpoint, engine);
}

/* A descriptor is through: on to the next one, if there is to be one. */
static void finish(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	const struct xdma_descriptor *descriptor = &engine->descriptor;

	engine->loaded = false;
	engine->completed++;
	if (descriptor->control & XDMA_DESCRIPTOR_COMPLETE)
		log_status(engine, XDMA_COMPLETE);
	if (descriptor->control & XDMA_DESCRIPTOR_STOP)
		stop(endpoint, engine, XDMA_STOPPED);
	else if (!(engine->control & XDMA_CONTROL_RUN))
		stop(endpoint, engine, XDMA_IDLE_STOPPED);
	engine->next = (u64)descriptor->next_hi << 32 | descriptor->next_lo;
	pcie_xdma_interrupts(endpoint);
}

bool pcie_engine_run(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	u32 length, part;
	int err;

	if (!(engine->status & XDMA_BUSY) || engine->stuck || !pcie_config_master(endpoint))
		return false;
	if (!engine->loaded && !fetch(endpoint, engine))
		return false;
	if (!engine->done && endpoint->descriptors == endpoint->inject.engine_hang) {
		hang(engine);
		return false;
	}
	if (!engine->done && endpoint->descriptors == endpoint->inject.engine_error) {
		bus_error(endpoint, engine);
		return false;
	}
	length = engine->descriptor.length & XDMA_DESCRIPTOR_LENGTH;
	part = min(length - engine->done, (u32)PART);
	err = carry(endpoint, engine, part);
	if (err) {
		refuse(endpoint, engine, err);
		return false;
	}
	engine->done += part;
	if (engine->done == length)
		finish(endpoint, engine);
	return engine->status & XDMA_BUSY;
}
