// SPDX-License-Identifier: GPL-2.0
/*
 * The backend over the card: control windows in the user BAR, memory through the
 * DMA engines.
 */
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/uio.h>

#include "../core.h"
#include "pci.h"

/* The longest sleep between two looks at a mover that has long been busy. */
#define KOHAKU_PCI_POLL_US 1000

static int kohaku_pci_start(void *backend)
{
	struct kohaku_pci *pci = backend;
	void __iomem *irq = pci->config + XDMA_BLOCK_IRQ;
	int ret = 0;
	u32 i;

	pci_set_master(pci->pdev);
	for (i = 0; !ret && i < KOHAKU_ENGINES; i++)
		ret = kohaku_engine_start(&pci->engines[i]);
	/* Whatever an engine may still be doing, it must not reach the host's memory. */
	if (ret)
		pci_clear_master(pci->pdev);
	WRITE_ONCE(pci->wedged, ret);
	if (ret)
		return ret;
	/* With one vector only, both engines have it. */
	writel(pci->vectors > 1 ? KOHAKU_PUT(XDMA_IRQ_VECTOR(KOHAKU_ENGINE_C2H), 1) : 0,
	       irq + XDMA_IRQ_VECTORS);
	if (pci->vectors)
		writel(BIT(KOHAKU_ENGINES) - 1, irq + XDMA_IRQ_CHANNEL_SET);
	return 0;
}

static void kohaku_pci_stop(void *backend)
{
	struct kohaku_pci *pci = backend;
	u32 i;

	writel(BIT(KOHAKU_ENGINES) - 1, pci->config + XDMA_BLOCK_IRQ + XDMA_IRQ_CHANNEL_CLEAR);
	for (i = 0; i < KOHAKU_ENGINES; i++)
		kohaku_engine_stop(&pci->engines[i]);
	pci_clear_master(pci->pdev);
}

static void __iomem *kohaku_pci_register(struct kohaku_pci *pci, u32 mesh, u32 offset)
{
	return pci->user + XDMA_USER_MESH(mesh) + offset;
}

static u64 kohaku_pci_read64(void *backend, u32 mesh, u32 offset)
{
	struct kohaku_pci *pci = backend;
	u64 value;

	down_read(&pci->reset_lock);
	value = readq(kohaku_pci_register(pci, mesh, offset));
	if (offset == KOHAKU_CTL_AUX_STAT)
		pci->stale[mesh] = false;
	up_read(&pci->reset_lock);
	return value;
}

/*
 * The whole register in one store.  Where there is no such store the node sees
 * one write for each half, and two writes of CTRL would start the move twice: its
 * upper half is always 0 and is left out.
 */
static void kohaku_pci_store(void __iomem *at, u32 offset, u64 value)
{
	if (IS_ENABLED(CONFIG_64BIT) || offset != KOHAKU_CTL_AUX_CFG + KOHAKU_REG_CTRL)
		writeq(value, at);
	else
		writel(lower_32_bits(value), at);
}

/*
 * A reset takes all meshes.  One that was just being programmed for a move must
 * not start it with half of its registers: that GO is left out, and the runner
 * finds that nothing moved.
 */
static void kohaku_pci_write64(void *backend, u32 mesh, u32 offset, u64 value)
{
	struct kohaku_pci *pci = backend;

	down_read(&pci->reset_lock);
	if (!pci->stale[mesh] || offset != KOHAKU_CTL_AUX_CFG + KOHAKU_REG_CTRL)
		kohaku_pci_store(kohaku_pci_register(pci, mesh, offset), offset, value);
	up_read(&pci->reset_lock);
}

static int kohaku_pci_mem_io(void *backend, u64 addr, struct iov_iter *iter)
{
	struct kohaku_pci *pci = backend;
	bool write = iov_iter_rw(iter) == ITER_SOURCE;
	u64 host = KOHAKU_HOST_WINDOW(KOHAKU_GET(KOHAKU_ADDR_MESH, addr)) | addr;

	return kohaku_engine_transfer(&pci->engines[write ? KOHAKU_ENGINE_H2C : KOHAKU_ENGINE_C2H],
				      host, iter);
}

/*
 * Resets the function, and with it every mesh.  Only tries to have the device's
 * lock: whoever takes the driver away holds it and waits for us.
 */
static int kohaku_pci_reset(void *backend, u32 mesh)
{
	struct kohaku_pci *pci = backend;
	int ret;

	mutex_lock(&pci->engines[KOHAKU_ENGINE_H2C].lock);
	mutex_lock_nested(&pci->engines[KOHAKU_ENGINE_C2H].lock, SINGLE_DEPTH_NESTING);
	down_write(&pci->reset_lock);
	WRITE_ONCE(pci->resetter, current);
	ret = kohaku_injected() ? -EAGAIN : pci_try_reset_function(pci->pdev);
	WRITE_ONCE(pci->resetter, NULL);
	memset(pci->stale, true, sizeof(pci->stale));
	if (!ret)
		ret = kohaku_pci_start(pci);
	up_write(&pci->reset_lock);
	mutex_unlock(&pci->engines[KOHAKU_ENGINE_C2H].lock);
	mutex_unlock(&pci->engines[KOHAKU_ENGINE_H2C].lock);
	return ret;
}

static int kohaku_pci_no_reset(void *backend, u32 mesh)
{
	return -EOPNOTSUPP;
}

#define KOHAKU_PCI_OPS(can, how) {		\
	.name = "pci",				\
	.id = KOHAKU_BACKEND_PCI,		\
	.caps = (can),				\
	.poll_sleep_us = KOHAKU_PCI_POLL_US,	\
	.staging_by_mover = true,		\
	.start = kohaku_pci_start,		\
	.stop = kohaku_pci_stop,		\
	.reset = (how),				\
	.read64 = kohaku_pci_read64,		\
	.write64 = kohaku_pci_write64,		\
	.mem_io = kohaku_pci_mem_io,		\
}

static const struct kohaku_backend_ops kohaku_pci_ops =
	KOHAKU_PCI_OPS(KOHAKU_CAP_RESET, kohaku_pci_reset);
static const struct kohaku_backend_ops kohaku_pci_ops_no_reset =
	KOHAKU_PCI_OPS(0, kohaku_pci_no_reset);

/* Brings the card up and publishes its node. */
int kohaku_pci_up(struct kohaku_pci *pci)
{
	/* The host has no way to the processors, nor to the slot through them. */
	const struct kohaku_node_config config = { .meshes = pci->meshes };
	bool reset = pci->pdev->reset_methods[0];
	struct kohaku_node *node;

	node = kohaku_node_add(&pci->pdev->dev, reset ? &kohaku_pci_ops : &kohaku_pci_ops_no_reset,
			       pci, &config);
	if (IS_ERR(node))
		return PTR_ERR(node);
	WRITE_ONCE(pci->node, node);
	/* It may have been in use before it was known here. */
	if (READ_ONCE(pci->wedged))
		kohaku_node_wedge(node);
	dev_info(&pci->pdev->dev, "%s: %u mesh%s, %d interrupt%s, %s\n", kohaku_node_name(node),
		 pci->meshes, pci->meshes > 1 ? "es" : "", pci->vectors,
		 pci->vectors == 1 ? "" : "s", reset ? "can be reset" : "cannot be reset");
	return 0;
}

/* Takes the node away, whatever is going on; may be called again. */
void kohaku_pci_down(struct kohaku_pci *pci)
{
	if (!pci->node)
		return;
	kohaku_node_remove(pci->node);
	pci->node = NULL;
}
