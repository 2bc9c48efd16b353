/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The card as a PCIe endpoint: config space and two BARs, with a simulated node
 * behind them.  How it is plugged into a machine is no matter of its own.
 */
#ifndef SIM_PCIE_ENDPOINT_H
#define SIM_PCIE_ENDPOINT_H

#include "hw/xdma.h"
#include "sim/node.h"
#include "sim/pcie/guest.h"
#include "sim/pcie/inject.h"
#include "sim/pcie/statistics.h"

#define PCIE_USER_BAR		0
#define PCIE_CONFIG_BAR		1
#define PCIE_BARS		6
#define PCIE_CONFIG_SIZE	4096
#define PCIE_VECTORS		8

/* Where an access to the endpoint goes: a BAR by its number, or config space. */
#define PCIE_SPACE_CONFIG	PCIE_BARS

/* The two directions, in the order of their interrupt bits. */
enum pcie_direction { PCIE_H2C, PCIE_C2H, PCIE_ENGINES };

/* One DMA engine. */
struct pcie_engine {
	enum pcie_direction direction;
	u32 control;
	u32 status;
	u32 completed;
	u32 interrupt;		/* mask */
	u64 first;		/* address of the first descriptor */
	u32 adjacent;

	bool stuck;		/* busy until the endpoint is reset */
	bool loaded;		/* descriptor is one that is being carried out */
	u64 next;		/* address of the one to fetch */
	u32 behind;		/* how many may be fetched along with it */
	struct xdma_descriptor descriptor;
	u32 done;		/* bytes of it that have been moved */
};

struct pcie_endpoint {
	struct sim_node *node;
	u32 meshes;
	struct pcie_inject inject;
	struct pcie_guest guest;
	u8 config[PCIE_CONFIG_SIZE];
	struct pcie_engine engines[PCIE_ENGINES];
	struct pcie_statistics statistics[PCIE_ENGINES];
	u32 irq_enabled;	/* mask of engines */
	u32 irq_pending;
	u32 irq_vectors;
	u8 msix[0x1000];	/* table and pending bits */

	u64 accesses;		/* events so far, what inject counts */
	u64 descriptors;
	u64 moves;
	u64 interrupts;

	void (*interrupt)(void *ctx, u32 vector);
	void *ctx;
};

/**
 * pcie_endpoint_create - make a card in its power-up state
 * @meshes: of the node on it, 1..4
 * @inject: what it does wrong
 *
 * Return: the card, NULL without memory or with a wrong number of meshes.
 */
struct pcie_endpoint *pcie_endpoint_create(u32 meshes, const struct pcie_inject *inject);
void pcie_endpoint_destroy(struct pcie_endpoint *endpoint);
/* Power-up state again; the memory of the node keeps its contents. */
void pcie_endpoint_reset(struct pcie_endpoint *endpoint);

/* Bytes of a space; 0: there is no such BAR. */
u64 pcie_space_size(u32 space);
/* Access to a space; -EINVAL outside of it.  Any size and alignment is answered. */
int pcie_space_read(struct pcie_endpoint *endpoint, u32 space, u64 offset, void *bytes,
		    u32 count);
int pcie_space_write(struct pcie_endpoint *endpoint, u32 space, u64 offset, const void *bytes,
		     u32 count);

/* Goes on with what is in progress for a bounded time; true while there is more. */
bool pcie_endpoint_run(struct pcie_endpoint *endpoint);

/* config.c */
void pcie_config_init(struct pcie_endpoint *endpoint);
void pcie_config_write(struct pcie_endpoint *endpoint, u32 offset, u8 value);
/* May the endpoint reach the machine's memory? */
bool pcie_config_master(const struct pcie_endpoint *endpoint);

/* xdma.c: the config BAR, word by word */
u32 pcie_xdma_read(struct pcie_endpoint *endpoint, u32 offset);
void pcie_xdma_write(struct pcie_endpoint *endpoint, u32 offset, u32 value);
/* Looks again which engine wants to interrupt, and does it. */
void pcie_xdma_interrupts(struct pcie_endpoint *endpoint);

/* engine.c */
void pcie_engine_control(struct pcie_endpoint *endpoint, struct pcie_engine *engine,
			 u32 control);
bool pcie_engine_run(struct pcie_endpoint *endpoint, struct pcie_engine *engine);

#endif
