// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A DMA engine: fetches descriptors from host memory and carries them out, a
 * bounded number of bytes a call, so that a chain may be as long as it likes.
 */
#include "sim/pcie/endpoint.h"

#define PART		0x10000	/* bytes at a time */
#define TURN		64	/* descriptors, or parts of one, of one call */

/* Status is recorded only where control asks for it; BUSY is no record. */
static void log_status(struct pcie_engine *engine, u32 bits)
{
	engine->status |= bits & engine->control;
}

static struct pcie_statistics *statistics_of(struct pcie_endpoint *endpoint,
					     const struct pcie_engine *engine)
{
	return &endpoint->statistics[engine->direction];
}

static void stop(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 bits)
{
	engine->loaded = false;
	engine->status &= ~XDMA_BUSY;
	log_status(engine, bits);
	pcie_statistics_stop(statistics_of(endpoint, engine));
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
	pcie_statistics_start(statistics_of(endpoint, engine));
	engine->completed = 0;
	engine->next = engine->first;
	engine->behind = engine->adjacent;
	engine->loaded = false;
	if (spurious && endpoint->interrupts % spurious == 0 && endpoint->interrupt)
		endpoint->interrupt(endpoint->ctx,
				    KOHAKU_GET(XDMA_IRQ_VECTOR(engine->direction),
					       endpoint->irq_vectors));
}

/* Descriptors that may be fetched together lie in one page. */
static bool crosses_page(const struct pcie_engine *engine)
{
	return engine->next % XDMA_PAGE + (engine->behind + 1) * sizeof(engine->descriptor) >
	       XDMA_PAGE;
}

/* The next descriptor; false when the engine stopped for want of a good one. */
static bool fetch(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	struct xdma_descriptor *descriptor = &engine->descriptor;

	if (crosses_page(engine) ||
	    pcie_guest_read(&endpoint->guest, engine->next, descriptor, sizeof(*descriptor))) {
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
	statistics_of(endpoint, engine)->descriptors++;
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

static int carry_to_card(struct pcie_endpoint *endpoint, u64 host, u64 card, u32 size)
{
	const void *from = pcie_guest_at(&endpoint->guest, host, size, false);
	u8 bytes[PART];
	int err;

	if (from)
		return sim_mem_write(endpoint->node, card, from, size);
	err = pcie_guest_read(&endpoint->guest, host, bytes, size);
	return err ? err : sim_mem_write(endpoint->node, card, bytes, size);
}

static int carry_to_host(struct pcie_endpoint *endpoint, u64 host, u64 card, u32 size)
{
	void *to = pcie_guest_at(&endpoint->guest, host, size, true);
	u8 bytes[PART];
	int err;

	if (to)
		return sim_mem_read(endpoint->node, card, to, size);
	err = sim_mem_read(endpoint->node, card, bytes, size);
	return err ? err : pcie_guest_write(&endpoint->guest, host, bytes, size);
}

/* Moves some bytes of the descriptor; 0 or what was in the way. */
static int carry(struct pcie_endpoint *endpoint, struct pcie_engine *engine, u32 size)
{
	const struct xdma_descriptor *descriptor = &engine->descriptor;
	u64 src = ((u64)descriptor->src_hi << 32 | descriptor->src_lo) + engine->done;
	u64 dst = ((u64)descriptor->dst_hi << 32 | descriptor->dst_lo) + engine->done;
	bool to_card = engine->direction == PCIE_H2C;
	u64 card = to_card ? dst : src;

	/* Host accesses do not reach what is on the chip. */
	if (card & KOHAKU_ADDR_ONCHIP)
		return -EINVAL;
	return to_card ? carry_to_card(endpoint, src, card, size) :
			 carry_to_host(endpoint, dst, card, size);
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
	engine->behind = KOHAKU_GET(XDMA_DESCRIPTOR_ADJACENT, descriptor->control);
	pcie_xdma_interrupts(endpoint);
}

/* Carries a descriptor out, or a part of it; false when the engine cannot go on. */
static bool advance(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	u32 length, part;
	int err;

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
	statistics_of(endpoint, engine)->bytes += part;
	if (engine->done == length)
		finish(endpoint, engine);
	return engine->status & XDMA_BUSY;
}

bool pcie_engine_run(struct pcie_endpoint *endpoint, struct pcie_engine *engine)
{
	bool more = engine->status & XDMA_BUSY && !engine->stuck && pcie_config_master(endpoint);
	u32 i;

	for (i = 0; more && i < TURN; i++)
		more = advance(endpoint, engine);
	return more;
}
