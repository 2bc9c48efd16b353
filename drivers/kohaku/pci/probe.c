// SPDX-License-Identifier: GPL-2.0
/*
 * The card as a PCI device: found, brought up, disturbed, taken away.
 *
 * Whenever the card may have lost the contents of its memory (a reset by somebody
 * else, an error on the bus, a suspended machine) its node goes and another comes:
 * open files answer ENODEV instead of other data than was put in.
 */
#include <linux/dma-mapping.h>
#include <linux/io-64-nonatomic-lo-hi.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include "../core.h"
#include "pci.h"

/* Is this the BAR with the registers of the DMA engines? */
static bool kohaku_pci_is_config(void __iomem *bar)
{
	return xdma_identifies(readl(bar + XDMA_BLOCK_IRQ + XDMA_ID), XDMA_BLOCK_IRQ) &&
	       xdma_identifies(readl(bar + XDMA_BLOCK_CONFIG + XDMA_ID), XDMA_BLOCK_CONFIG);
}

static u64 kohaku_pci_caps(void __iomem *user, u32 mesh)
{
	return readq(user + XDMA_USER_MESH(mesh) + KOHAKU_CTL_CAPS);
}

/* Maps a BAR from *bar on that has at least some bytes, and some more of it. */
static void __iomem *kohaku_pci_map(struct pci_dev *pdev, int *bar, resource_size_t least,
				    resource_size_t most)
{
	for (; *bar < PCI_STD_NUM_BARS; (*bar)++) {
		if ((pci_resource_flags(pdev, *bar) & IORESOURCE_MEM) &&
		    pci_resource_len(pdev, *bar) >= least)
			return kohaku_injected() ? NULL : pci_iomap(pdev, *bar, most);
	}
	return NULL;
}

static int kohaku_pci_find_config(struct kohaku_pci *pci, int *found)
{
	struct pci_dev *pdev = pci->pdev;
	void __iomem *regs;

	for (*found = 0; (regs = kohaku_pci_map(pdev, found, XDMA_CONFIG_SIZE, XDMA_CONFIG_SIZE));
	     (*found)++) {
		if (kohaku_pci_is_config(regs)) {
			pci->config = regs;
			return 0;
		}
		pci_iounmap(pdev, regs);
	}
	dev_err(&pdev->dev, "no BAR holds the registers of XDMA engines\n");
	return -ENODEV;
}

/* Meshes are numbered without gaps; the BAR may end before the fourth. */
static u32 kohaku_pci_count(void __iomem *user, resource_size_t size)
{
	u32 mesh = 0;

	while (mesh < KOHAKU_MESHES_MAX && XDMA_USER_MESH(mesh + 1) <= size &&
	       kohaku_caps_valid(kohaku_pci_caps(user, mesh)))
		mesh++;
	return mesh;
}

static int kohaku_pci_find_user(struct kohaku_pci *pci, int config)
{
	struct pci_dev *pdev = pci->pdev;
	void __iomem *regs;
	u64 caps = 0;
	int bar;

	for (bar = 0; (regs = kohaku_pci_map(pdev, &bar, XDMA_USER_MESH(1),
					     XDMA_USER_MESH(KOHAKU_MESHES_MAX))); bar++) {
		pci->meshes = bar == config ? 0 :
			      kohaku_pci_count(regs, pci_resource_len(pdev, bar));
		if (pci->meshes) {
			pci->user = regs;
			return 0;
		}
		caps = kohaku_pci_caps(regs, 0);
		pci_iounmap(pdev, regs);
	}
	dev_err(&pdev->dev, "no BAR holds the control window of a mesh: CAPS reads %#llx\n",
		caps);
	return -ENODEV;
}

static int kohaku_pci_identify(struct kohaku_pci *pci)
{
	int config, ret;

	ret = kohaku_pci_find_config(pci, &config);
	return ret ? ret : kohaku_pci_find_user(pci, config);
}

static void kohaku_pci_unmap(struct kohaku_pci *pci)
{
	if (pci->user)
		pci_iounmap(pci->pdev, pci->user);
	if (pci->config)
		pci_iounmap(pci->pdev, pci->config);
}

static int kohaku_pci_engines(struct kohaku_pci *pci)
{
	u32 i;
	int ret = 0;

	for (i = 0; !ret && i < KOHAKU_ENGINES; i++)
		ret = kohaku_engine_alloc(pci, i);
	return ret;
}

static void kohaku_pci_engines_free(struct kohaku_pci *pci)
{
	u32 i;

	for (i = 0; i < KOHAKU_ENGINES; i++) {
		if (pci->engines[i].pci)
			kohaku_engine_free(&pci->engines[i]);
	}
}

/* An interrupt each if there are two, else one for both; engine i has the i-th. */
static int kohaku_pci_request(struct kohaku_pci *pci)
{
	u32 i;
	int ret;

	ret = kohaku_injected() ? -ENOSPC :
	      pci_alloc_irq_vectors(pci->pdev, 1, KOHAKU_ENGINES, PCI_IRQ_MSIX | PCI_IRQ_MSI);
	if (ret < 0) {
		dev_warn(&pci->pdev->dev, "no interrupts (%d): DMA is polled\n", ret);
		return 0;
	}
	pci->vectors = ret;
	for (i = 0; i < KOHAKU_ENGINES; i++) {
		ret = kohaku_injected() ? -EBUSY :
		      request_irq(pci_irq_vector(pci->pdev, min_t(int, i, pci->vectors - 1)),
				  kohaku_engine_interrupt, IRQF_SHARED, "kohaku",
				  &pci->engines[i]);
		if (ret)
			break;
	}
	if (!ret)
		return 0;
	while (i--)
		free_irq(pci_irq_vector(pci->pdev, min_t(int, i, pci->vectors - 1)),
			 &pci->engines[i]);
	pci_free_irq_vectors(pci->pdev);
	return ret;
}

static void kohaku_pci_free_interrupts(struct kohaku_pci *pci)
{
	int i;

	if (!pci->vectors)
		return;
	for (i = 0; i < KOHAKU_ENGINES; i++)
		free_irq(pci_irq_vector(pci->pdev, min(i, pci->vectors - 1)), &pci->engines[i]);
	pci_free_irq_vectors(pci->pdev);
}

static int kohaku_pci_enable(struct pci_dev *pdev)
{
	int ret;

	ret = kohaku_injected() ? -EIO : pci_enable_device(pdev);
	if (ret)
		return ret;
	ret = kohaku_injected() ? -EBUSY : pci_request_regions(pdev, "kohaku");
	if (ret)
		goto err_device;
	ret = kohaku_injected() ? -EIO :
	      dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		goto err_regions;
	/* What a descriptor can say; where a piece lies does not matter. */
	dma_set_max_seg_size(&pdev->dev, round_down(XDMA_DESCRIPTOR_LENGTH, KOHAKU_WORD));
	dma_set_seg_boundary(&pdev->dev, ULONG_MAX);
	return 0;

err_regions:
	pci_release_regions(pdev);
err_device:
	pci_disable_device(pdev);
	return ret;
}

static void kohaku_pci_disable(struct pci_dev *pdev)
{
	pci_release_regions(pdev);
	pci_disable_device(pdev);
}

static struct kohaku_pci *kohaku_pci_new(struct pci_dev *pdev)
{
	struct kohaku_pci *pci = kohaku_injected() ? NULL : kzalloc(sizeof(*pci), GFP_KERNEL);

	if (!pci)
		return NULL;
	pci->pdev = pdev;
	init_rwsem(&pci->reset_lock);
	pci_set_drvdata(pdev, pci);
	return pci;
}

static int kohaku_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct kohaku_pci *pci = kohaku_pci_new(pdev);
	int ret;

	if (!pci)
		return -ENOMEM;
	ret = kohaku_pci_enable(pdev);
	if (ret)
		goto err_free;
	ret = kohaku_pci_identify(pci);
	if (ret)
		goto err_unmap;
	ret = kohaku_pci_engines(pci);
	if (ret)
		goto err_engines;
	ret = kohaku_pci_request(pci);
	if (ret)
		goto err_engines;
	ret = kohaku_pci_up(pci);
	if (ret)
		goto err_interrupts;
	/* What the card gets back after an error on the bus. */
	pci_save_state(pdev);
	return 0;

err_interrupts:
	kohaku_pci_free_interrupts(pci);
err_engines:
	kohaku_pci_engines_free(pci);
err_unmap:
	kohaku_pci_unmap(pci);
	kohaku_pci_disable(pdev);
err_free:
	kfree(pci);
	return ret;
}

static void kohaku_pci_remove(struct pci_dev *pdev)
{
	struct kohaku_pci *pci = pci_get_drvdata(pdev);

	kohaku_pci_down(pci);
	kohaku_pci_free_interrupts(pci);
	kohaku_pci_engines_free(pci);
	kohaku_pci_unmap(pci);
	kohaku_pci_disable(pdev);
	kfree(pci);
}

/* The machine goes down: no DMA into the next kernel's memory. */
static void kohaku_pci_shutdown(struct pci_dev *pdev)
{
	kohaku_pci_down(pci_get_drvdata(pdev));
}

static int kohaku_pci_suspend(struct device *dev)
{
	kohaku_pci_down(dev_get_drvdata(dev));
	return 0;
}

static int kohaku_pci_resume(struct device *dev)
{
	return kohaku_pci_up(dev_get_drvdata(dev));
}

static DEFINE_SIMPLE_DEV_PM_OPS(kohaku_pci_pm, kohaku_pci_suspend, kohaku_pci_resume);

static pci_ers_result_t kohaku_pci_error_detected(struct pci_dev *pdev,
						  pci_channel_state_t state)
{
	struct kohaku_pci *pci = pci_get_drvdata(pdev);

	if (state == pci_channel_io_normal)
		return PCI_ERS_RESULT_CAN_RECOVER;
	if (pci->node)
		kohaku_node_lost(pci->node);
	kohaku_pci_down(pci);
	return state == pci_channel_io_frozen ? PCI_ERS_RESULT_NEED_RESET :
	       PCI_ERS_RESULT_DISCONNECT;
}

static pci_ers_result_t kohaku_pci_slot_reset(struct pci_dev *pdev)
{
	pci_restore_state(pdev);
	pci_save_state(pdev);
	return PCI_ERS_RESULT_RECOVERED;
}

static void kohaku_pci_error_resume(struct pci_dev *pdev)
{
	struct kohaku_pci *pci = pci_get_drvdata(pdev);

	if (!pci->node && kohaku_pci_up(pci))
		dev_err(&pdev->dev, "the card does not come up again\n");
}

static void kohaku_pci_reset_prepare(struct pci_dev *pdev)
{
	struct kohaku_pci *pci = pci_get_drvdata(pdev);

	if (READ_ONCE(pci->resetter) != current)
		kohaku_pci_down(pci);
}

static void kohaku_pci_reset_done(struct pci_dev *pdev)
{
	struct kohaku_pci *pci = pci_get_drvdata(pdev);

	if (READ_ONCE(pci->resetter) != current)
		kohaku_pci_error_resume(pdev);
}

static const struct pci_error_handlers kohaku_pci_errors = {
	.error_detected = kohaku_pci_error_detected,
	.slot_reset = kohaku_pci_slot_reset,
	.resume = kohaku_pci_error_resume,
	.reset_prepare = kohaku_pci_reset_prepare,
	.reset_done = kohaku_pci_reset_done,
};

/* Cards with another id: echo VENDOR DEVICE > /sys/bus/pci/drivers/kohaku/new_id */
static const struct pci_device_id kohaku_pci_ids[] = {
	{ PCI_DEVICE(XDMA_VENDOR, XDMA_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, kohaku_pci_ids);

static struct pci_driver kohaku_pci_driver = {
	.name = "kohaku",
	.id_table = kohaku_pci_ids,
	.probe = kohaku_pci_probe,
	.remove = kohaku_pci_remove,
	.shutdown = kohaku_pci_shutdown,
	.err_handler = &kohaku_pci_errors,
	.driver.pm = pm_sleep_ptr(&kohaku_pci_pm),
};

int kohaku_pci_init(void)
{
	return pci_register_driver(&kohaku_pci_driver);
}

void kohaku_pci_exit(void)
{
	pci_unregister_driver(&kohaku_pci_driver);
}
