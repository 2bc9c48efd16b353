/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The card: how it is found (probe.c), the backend over it (node.c), and the DMA
 * engines through which its memory is reached (engine.c).
 */
#ifndef KOHAKU_PCI_H
#define KOHAKU_PCI_H

#include <linux/completion.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/rwsem.h>

#include "hw/xdma.h"

struct iov_iter;
struct scatterlist;
struct kohaku_backend_ops;
struct kohaku_node;
struct kohaku_pci;

#define KOHAKU_RING_SIZE	512	/* descriptors of a chain */
#define KOHAKU_BOUNCE_SIZE	SZ_16K

/* A DMA engine, one direction. */
struct kohaku_engine {
	struct kohaku_pci *pci;
	void __iomem *regs;
	void __iomem *scatter;
	u32 block;
	enum dma_data_direction direction;
	struct completion interrupt;

	struct mutex lock;		/* of all below: one transfer at a time */
	struct xdma_descriptor *ring;
	dma_addr_t ring_addr;
	void *bounce;			/* for what the engine cannot reach */
	dma_addr_t bounce_addr;
	struct scatterlist *pieces;	/* of host memory, as many as descriptors */
	size_t piece_max;		/* bytes of one */
	u32 count;			/* descriptors of the chain being built */
};

enum { KOHAKU_ENGINE_H2C, KOHAKU_ENGINE_C2H, KOHAKU_ENGINES };

struct kohaku_pci {
	struct pci_dev *pdev;
	struct kohaku_node *node;	/* NULL while the card is down */
	void __iomem *user;
	void __iomem *config;
	u32 meshes;
	int vectors;			/* interrupts there are, 0: engines are polled */
	struct kohaku_engine engines[KOHAKU_ENGINES];
	bool wedged;			/* an engine cannot be stopped: no more DMA */

	struct rw_semaphore reset_lock;	/* held for reading while registers are used */
	struct task_struct *resetter;	/* who resets the function, if it is the driver */
	bool stale[KOHAKU_MESHES_MAX];	/* a reset came between status and GO */
};

/* engine.c */
int kohaku_engine_alloc(struct kohaku_pci *pci, u32 index);
void kohaku_engine_free(struct kohaku_engine *engine);
int kohaku_engine_start(struct kohaku_engine *engine);
void kohaku_engine_stop(struct kohaku_engine *engine);
int kohaku_engine_transfer(struct kohaku_engine *engine, u64 card, struct iov_iter *iter);
irqreturn_t kohaku_engine_interrupt(int irq, void *data);

/* node.c */
int kohaku_pci_up(struct kohaku_pci *pci);
void kohaku_pci_down(struct kohaku_pci *pci);

/* probe.c */
#ifdef CONFIG_PCI
int kohaku_pci_init(void);
void kohaku_pci_exit(void);
#else
static inline int kohaku_pci_init(void)
{
	return 0;
}

static inline void kohaku_pci_exit(void)
{
}
#endif

#endif
