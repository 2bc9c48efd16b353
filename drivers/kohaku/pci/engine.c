// SPDX-License-Identifier: GPL-2.0
/*
 * The DMA engines of the card: host memory to its DRAM and back.
 *
 * A transfer is a chain of descriptors, one for each piece of host memory.  The
 * engine interrupts at the end of a chain, but what counts is what its registers
 * say: an interrupt that is early, twice or lost changes nothing but the time.
 */
#include <linux/bvec.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>
#include <linux/uio.h>

#include "../core.h"
#include "pci.h"

#define KOHAKU_ENGINE_MS	3000	/* a chain must be through by then */
#define KOHAKU_ENGINE_LOOK_MS	10	/* how often to look when no interrupt comes */
#define KOHAKU_ENGINE_STOP_US	100000
#define KOHAKU_ENGINE_ADJACENT	63	/* descriptors fetched with one at most */

#define KOHAKU_ENGINE_EVENTS \
	((u32)(XDMA_STOPPED | XDMA_COMPLETE | XDMA_IDLE_STOPPED | XDMA_ERRORS))

static struct device *kohaku_engine_dev(const struct kohaku_engine *engine)
{
	return &engine->pci->pdev->dev;
}

static const char *kohaku_engine_name(const struct kohaku_engine *engine)
{
	return engine->direction == DMA_TO_DEVICE ? "H2C" : "C2H";
}

irqreturn_t kohaku_engine_interrupt(int irq, void *data)
{
	struct kohaku_engine *engine = data;

	complete(&engine->interrupt);
	return IRQ_HANDLED;
}

int kohaku_engine_alloc(struct kohaku_pci *pci, u32 index)
{
	struct kohaku_engine *engine = &pci->engines[index];
	bool to_card = index == KOHAKU_ENGINE_H2C;

	engine->pci = pci;
	engine->block = to_card ? XDMA_BLOCK_H2C : XDMA_BLOCK_C2H;
	engine->regs = pci->config + engine->block;
	engine->scatter = pci->config + (to_card ? XDMA_BLOCK_H2C_SG : XDMA_BLOCK_C2H_SG);
	engine->direction = to_card ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
	mutex_init(&engine->lock);
	init_completion(&engine->interrupt);
	engine->ring = dma_alloc_coherent(&pci->pdev->dev, PAGE_SIZE, &engine->ring_addr,
					  GFP_KERNEL);
	engine->bounce = dma_alloc_coherent(&pci->pdev->dev, KOHAKU_BOUNCE_SIZE,
					    &engine->bounce_addr, GFP_KERNEL);
	return engine->ring && engine->bounce ? 0 : -ENOMEM;
}

void kohaku_engine_free(struct kohaku_engine *engine)
{
	struct device *dev = kohaku_engine_dev(engine);

	if (engine->ring)
		dma_free_coherent(dev, PAGE_SIZE, engine->ring, engine->ring_addr);
	if (engine->bounce)
		dma_free_coherent(dev, KOHAKU_BOUNCE_SIZE, engine->bounce, engine->bounce_addr);
}

/* Takes RUN away and waits until the engine has let go of host memory. */
static int kohaku_engine_halt(struct kohaku_engine *engine)
{
	u32 status;

	writel(XDMA_CONTROL_RUN, engine->regs + XDMA_CONTROL_CLEAR);
	if (readl_poll_timeout(engine->regs + XDMA_STATUS, status,
			       !(status & XDMA_BUSY) || status == U32_MAX, 10,
			       KOHAKU_ENGINE_STOP_US))
		return -EIO;
	return status == U32_MAX ? -ENODEV : 0;
}

/*
 * An engine that cannot be stopped might still write to memory that is about to
 * be somebody else's.  Without bus mastering it cannot.
 */
static void kohaku_engine_wedge(struct kohaku_engine *engine)
{
	struct kohaku_pci *pci = engine->pci;
	struct kohaku_node *node = READ_ONCE(pci->node);

	pci_clear_master(pci->pdev);
	dev_err(kohaku_engine_dev(engine),
		"the %s engine is wedged: no more DMA until the card is reset\n",
		kohaku_engine_name(engine));
	WRITE_ONCE(pci->wedged, true);
	if (node)
		kohaku_node_wedge(node);
}

/* Makes an engine ready, whatever it was left in. */
int kohaku_engine_start(struct kohaku_engine *engine)
{
	u32 alignment;
	int ret;

	if (!xdma_identifies(readl(engine->regs + XDMA_ID), engine->block))
		return -ENODEV;
	ret = kohaku_engine_halt(engine);
	if (ret == -EIO)
		dev_err(kohaku_engine_dev(engine), "the %s engine is wedged: reset the card\n",
			kohaku_engine_name(engine));
	if (ret)
		return ret;
	alignment = readl(engine->regs + XDMA_ALIGNMENT);
	if (KOHAKU_GET(XDMA_ALIGNMENT_ADDRESS, alignment) > KOHAKU_WORD ||
	    KOHAKU_GET(XDMA_ALIGNMENT_LENGTH, alignment) > KOHAKU_WORD) {
		dev_err(kohaku_engine_dev(engine), "the %s engine is built for larger words\n",
			kohaku_engine_name(engine));
		return -ENODEV;
	}
	readl(engine->regs + XDMA_STATUS_CLEARING);
	writel(KOHAKU_ENGINE_EVENTS, engine->regs + XDMA_INTERRUPT);
	return 0;
}

void kohaku_engine_stop(struct kohaku_engine *engine)
{
	writel(0, engine->regs + XDMA_INTERRUPT);
	kohaku_engine_halt(engine);
}

static u32 kohaku_engine_adjacent(u32 count)
{
	return min_t(u32, count, KOHAKU_ENGINE_ADJACENT);
}

/* Appends a piece of host memory to the chain. */
static void kohaku_engine_append(struct kohaku_engine *engine, u64 card, dma_addr_t host,
				 u32 size)
{
	struct xdma_descriptor *descriptor = &engine->ring[engine->count++];
	u64 src = engine->direction == DMA_TO_DEVICE ? host : card;
	u64 dst = engine->direction == DMA_TO_DEVICE ? card : host;

	descriptor->length = cpu_to_le32(size);
	descriptor->src_lo = cpu_to_le32(lower_32_bits(src));
	descriptor->src_hi = cpu_to_le32(upper_32_bits(src));
	descriptor->dst_lo = cpu_to_le32(lower_32_bits(dst));
	descriptor->dst_hi = cpu_to_le32(upper_32_bits(dst));
}

static void kohaku_engine_link(struct kohaku_engine *engine)
{
	u32 i;

	for (i = 0; i < engine->count; i++) {
		u64 next = engine->ring_addr + (i + 1) * sizeof(*engine->ring);
		u32 after = engine->count - 1 - i;	/* descriptors that follow */
		u32 control = KOHAKU_PUT(XDMA_DESCRIPTOR_MAGIC, XDMA_DESCRIPTOR_MAGIC_VALUE);

		if (after)
			control |= KOHAKU_PUT(XDMA_DESCRIPTOR_ADJACENT,
					      kohaku_engine_adjacent(after - 1));
		else
			control |= XDMA_DESCRIPTOR_STOP | XDMA_DESCRIPTOR_COMPLETE;
		engine->ring[i].control = cpu_to_le32(control);
		engine->ring[i].next_lo = cpu_to_le32(after ? lower_32_bits(next) : 0);
		engine->ring[i].next_hi = cpu_to_le32(after ? upper_32_bits(next) : 0);
	}
}

static void kohaku_engine_go(struct kohaku_engine *engine)
{
	reinit_completion(&engine->interrupt);
	writel(lower_32_bits(engine->ring_addr), engine->scatter + XDMA_FIRST_LO);
	writel(upper_32_bits(engine->ring_addr), engine->scatter + XDMA_FIRST_HI);
	writel(kohaku_engine_adjacent(engine->count - 1),
	       engine->scatter + XDMA_FIRST_ADJACENT);
	writel(KOHAKU_ENGINE_EVENTS | XDMA_CONTROL_RUN, engine->regs + XDMA_CONTROL);
}

static void kohaku_engine_sleep(struct kohaku_engine *engine)
{
	if (engine->pci->vectors)
		wait_for_completion_timeout(&engine->interrupt,
					    msecs_to_jiffies(KOHAKU_ENGINE_LOOK_MS));
	else
		usleep_range(20, 50);
}

/* Waits until the engine has come to rest; its status then. */
static int kohaku_engine_wait(struct kohaku_engine *engine, u32 *status)
{
	unsigned long end = jiffies + msecs_to_jiffies(KOHAKU_ENGINE_MS);

	for (;;) {
		bool late = time_after(jiffies, end);

		*status = readl(engine->regs + XDMA_STATUS);
		if (*status == U32_MAX)
			return -ENODEV;
		if (!(*status & XDMA_BUSY))
			return 0;
		if (late || (*status & XDMA_ERRORS))
			return -ETIMEDOUT;
		kohaku_engine_sleep(engine);
	}
}

/* Runs the chain; 0 when all of it was carried out. */
static int kohaku_engine_run(struct kohaku_engine *engine)
{
	u32 status, completed;
	int ret;

	kohaku_engine_link(engine);
	kohaku_engine_go(engine);
	ret = kohaku_engine_wait(engine, &status);
	if (ret == -ENODEV)
		return ret;
	completed = readl(engine->regs + XDMA_COMPLETED);
	ret = kohaku_engine_halt(engine);
	if (ret == -EIO)
		kohaku_engine_wedge(engine);
	status |= readl(engine->regs + XDMA_STATUS_CLEARING);
	if (ret)
		return ret;
	if (!(status & XDMA_ERRORS) && completed == engine->count)
		return 0;
	dev_err_ratelimited(kohaku_engine_dev(engine),
			    "%s transfer failed: status %#x, %u of %u descriptors done\n",
			    kohaku_engine_name(engine), status, completed, engine->count);
	return -EIO;
}

/*
 * The piece of host memory at the front of an iterator, if the engine can reach
 * it: pinned pages, and whole words, since the card's memory takes no less.
 */
static u32 kohaku_engine_piece(const struct iov_iter *iter, struct page **page, size_t *offset)
{
	u32 size = iov_iter_single_seg_count(iter);

	if (!size || !iov_iter_is_bvec(iter))
		return 0;
	*page = iter->bvec->bv_page;
	*offset = iter->bvec->bv_offset + iter->iov_offset;
	return IS_ALIGNED(*offset | size, KOHAKU_WORD) ? size : 0;
}

static int kohaku_engine_map(struct kohaku_engine *engine, u64 card, struct iov_iter *iter)
{
	struct device *dev = kohaku_engine_dev(engine);
	struct kohaku_piece *piece;
	struct page *page;
	size_t offset;
	u32 size;

	while (engine->count < KOHAKU_RING_SIZE) {
		size = kohaku_engine_piece(iter, &page, &offset);
		if (!size)
			break;
		piece = &engine->pieces[engine->count];
		piece->addr = dma_map_page(dev, page, offset, size, engine->direction);
		if (dma_mapping_error(dev, piece->addr))
			return -ENOMEM;
		piece->size = size;
		kohaku_engine_append(engine, card, piece->addr, size);
		iov_iter_advance(iter, size);
		card += size;
	}
	return 0;
}

static void kohaku_engine_unmap(struct kohaku_engine *engine)
{
	u32 i;

	for (i = 0; i < engine->count; i++)
		dma_unmap_page(kohaku_engine_dev(engine), engine->pieces[i].addr,
			       engine->pieces[i].size, engine->direction);
}

/* Moves what lies in pages that the engine can reach, up to a full ring. */
static int kohaku_engine_direct(struct kohaku_engine *engine, u64 card, struct iov_iter *iter)
{
	int ret;

	engine->count = 0;
	ret = kohaku_engine_map(engine, card, iter);
	if (!ret && engine->count)
		ret = kohaku_engine_run(engine);
	kohaku_engine_unmap(engine);
	return ret;
}

/* Moves the rest through memory of the engine's own. */
static int kohaku_engine_bounce(struct kohaku_engine *engine, u64 card, struct iov_iter *iter)
{
	size_t size = min_t(size_t, iov_iter_count(iter), KOHAKU_BOUNCE_SIZE);
	int ret;

	if (engine->direction == DMA_TO_DEVICE &&
	    copy_from_iter(engine->bounce, size, iter) != size)
		return -EFAULT;
	engine->count = 0;
	kohaku_engine_append(engine, card, engine->bounce_addr, size);
	ret = kohaku_engine_run(engine);
	if (!ret && engine->direction == DMA_FROM_DEVICE &&
	    copy_to_iter(engine->bounce, size, iter) != size)
		return -EFAULT;
	return ret;
}

/**
 * kohaku_engine_transfer - move bytes between the host and the card's DRAM
 * @engine: of the direction that @iter asks for
 * @card: 43-bit address on the card, a whole word
 * @iter: kernel memory or pinned pages, whole words
 *
 * Return: 0; -EIO when the card's memory answered with an error or the engine is
 * wedged; -ENODEV when the card is gone.
 */
int kohaku_engine_transfer(struct kohaku_engine *engine, u64 card, struct iov_iter *iter)
{
	u64 end = card + iov_iter_count(iter);
	int ret = 0;

	mutex_lock(&engine->lock);
	while (!ret && iov_iter_count(iter)) {
		size_t left = iov_iter_count(iter);

		ret = READ_ONCE(engine->pci->wedged) ? -EIO :
		      kohaku_engine_direct(engine, end - left, iter);
		if (!ret && iov_iter_count(iter) == left)
			ret = kohaku_engine_bounce(engine, end - left, iter);
	}
	mutex_unlock(&engine->lock);
	return ret;
}
