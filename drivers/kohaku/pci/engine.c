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
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/uio.h>

#include "../core.h"
#include "pci.h"

#define KOHAKU_ENGINE_MS	3000	/* a chain must be through by then */
#define KOHAKU_ENGINE_LOOK_MS	10	/* how often to look when no interrupt comes */
#define KOHAKU_ENGINE_STOP_US	100000
/* Descriptors fetched with one at most; those of a page can be fetched together. */
#define KOHAKU_ENGINE_ADJACENT	63
#define KOHAKU_ENGINE_PAGE	(XDMA_PAGE / (u32)sizeof(struct xdma_descriptor))
#define KOHAKU_RING_BYTES	(KOHAKU_RING_SIZE * sizeof(struct xdma_descriptor))

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
	struct device *dev = &pci->pdev->dev;

	engine->pci = pci;
	engine->block = to_card ? XDMA_BLOCK_H2C : XDMA_BLOCK_C2H;
	engine->regs = pci->config + engine->block;
	engine->scatter = pci->config + (to_card ? XDMA_BLOCK_H2C_SG : XDMA_BLOCK_C2H_SG);
	engine->direction = to_card ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
	mutex_init(&engine->lock);
	init_completion(&engine->interrupt);
	engine->ring = kohaku_injected() ? NULL :
		       dma_alloc_coherent(dev, KOHAKU_RING_BYTES, &engine->ring_addr, GFP_KERNEL);
	engine->bounce = kohaku_injected() ? NULL :
			 dma_alloc_coherent(dev, KOHAKU_BOUNCE_SIZE, &engine->bounce_addr,
					    GFP_KERNEL);
	engine->pieces = kohaku_injected() ? NULL :
			 kvcalloc(KOHAKU_RING_SIZE, sizeof(*engine->pieces), GFP_KERNEL);
	if (!engine->ring || !engine->bounce || !engine->pieces)
		return -ENOMEM;
	sg_init_table(engine->pieces, KOHAKU_RING_SIZE);
	engine->piece_max = round_down(min_t(size_t, dma_max_mapping_size(dev),
					     dma_get_max_seg_size(dev)), KOHAKU_WORD);
	return 0;
}

void kohaku_engine_free(struct kohaku_engine *engine)
{
	struct device *dev = kohaku_engine_dev(engine);

	if (engine->ring)
		dma_free_coherent(dev, KOHAKU_RING_BYTES, engine->ring, engine->ring_addr);
	if (engine->bounce)
		dma_free_coherent(dev, KOHAKU_BOUNCE_SIZE, engine->bounce, engine->bounce_addr);
	kvfree(engine->pieces);
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

	if (kohaku_injected() || !xdma_identifies(readl(engine->regs + XDMA_ID), engine->block))
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

/* How many descriptors behind the i-th may be fetched along with it. */
static u32 kohaku_engine_adjacent(const struct kohaku_engine *engine, u32 i)
{
	u32 in_page = KOHAKU_ENGINE_PAGE - 1 - i % KOHAKU_ENGINE_PAGE;

	return min3(engine->count - 1 - i, in_page, (u32)KOHAKU_ENGINE_ADJACENT);
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
		bool last = i == engine->count - 1;
		u32 control = KOHAKU_PUT(XDMA_DESCRIPTOR_MAGIC, XDMA_DESCRIPTOR_MAGIC_VALUE);

		if (!last)
			control |= KOHAKU_PUT(XDMA_DESCRIPTOR_ADJACENT,
					      kohaku_engine_adjacent(engine, i + 1));
		else
			control |= XDMA_DESCRIPTOR_STOP | XDMA_DESCRIPTOR_COMPLETE;
		engine->ring[i].control = cpu_to_le32(control);
		engine->ring[i].next_lo = cpu_to_le32(last ? 0 : lower_32_bits(next));
		engine->ring[i].next_hi = cpu_to_le32(last ? 0 : upper_32_bits(next));
	}
}

static void kohaku_engine_go(struct kohaku_engine *engine)
{
	reinit_completion(&engine->interrupt);
	writel(lower_32_bits(engine->ring_addr), engine->scatter + XDMA_FIRST_LO);
	writel(upper_32_bits(engine->ring_addr), engine->scatter + XDMA_FIRST_HI);
	writel(kohaku_engine_adjacent(engine, 0), engine->scatter + XDMA_FIRST_ADJACENT);
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

/*
 * Waits until the engine has come to rest.  *status has what it said meanwhile: a
 * look clears it.  Reads of registers are slow, so nobody looks before there is
 * reason to.
 */
static int kohaku_engine_wait(struct kohaku_engine *engine, u32 *status)
{
	unsigned long end = jiffies + msecs_to_jiffies(KOHAKU_ENGINE_MS);

	*status = 0;
	for (;;) {
		bool late = time_after(jiffies, end);
		u32 now;

		kohaku_engine_sleep(engine);
		now = readl(engine->regs + XDMA_STATUS_CLEARING);
		if (now == U32_MAX)
			return -ENODEV;
		*status |= now;
		if (!(now & XDMA_BUSY))
			return 0;
		if (late || (*status & XDMA_ERRORS))
			return -ETIMEDOUT;
	}
}

/* Lets an engine go that has come to rest, or makes one rest that has not. */
static int kohaku_engine_end(struct kohaku_engine *engine, bool rests, u32 *status)
{
	int ret;

	if (rests) {
		writel(XDMA_CONTROL_RUN, engine->regs + XDMA_CONTROL_CLEAR);
		return 0;
	}
	ret = kohaku_engine_halt(engine);
	if (ret == -EIO)
		kohaku_engine_wedge(engine);
	*status |= readl(engine->regs + XDMA_STATUS_CLEARING);
	return ret;
}

/* Runs the chain; 0 when all of it was carried out. */
static int kohaku_engine_run(struct kohaku_engine *engine)
{
	u32 status, completed;
	int ret;

	if (kohaku_injected())
		return -EIO;
	kohaku_engine_link(engine);
	kohaku_engine_go(engine);
	ret = kohaku_engine_wait(engine, &status);
	if (ret == -ENODEV)
		return ret;
	completed = readl(engine->regs + XDMA_COMPLETED);
	ret = kohaku_engine_end(engine, !ret, &status);
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
static size_t kohaku_engine_piece(const struct kohaku_engine *engine, const struct iov_iter *iter,
				  struct page **page, size_t *offset)
{
	size_t size = min(iov_iter_single_seg_count(iter), engine->piece_max);

	if (!size || !iov_iter_is_bvec(iter))
		return 0;
	*offset = iter->bvec->bv_offset + iter->iov_offset;
	*page = iter->bvec->bv_page + (*offset >> PAGE_SHIFT);
	*offset = offset_in_page(*offset);
	return IS_ALIGNED(*offset | size, KOHAKU_WORD) ? size : 0;
}

/* Takes pieces off an iterator, as many as a ring has room for. */
static u32 kohaku_engine_gather(struct kohaku_engine *engine, struct iov_iter *iter)
{
	struct page *page;
	size_t offset, size;
	u32 count = 0;

	while (count < KOHAKU_RING_SIZE) {
		size = kohaku_engine_piece(engine, iter, &page, &offset);
		if (!size)
			break;
		sg_set_page(&engine->pieces[count++], page, size, offset);
		iov_iter_advance(iter, size);
	}
	return count;
}

/* Maps the pieces, runs a chain over them, and unmaps them again. */
static int kohaku_engine_mapped(struct kohaku_engine *engine, u64 card, u32 count)
{
	struct device *dev = kohaku_engine_dev(engine);
	struct scatterlist *piece;
	int mapped, i, ret;

	mapped = kohaku_injected() ? 0 :
		 dma_map_sg(dev, engine->pieces, count, engine->direction);
	if (!mapped)
		return -ENOMEM;
	engine->count = 0;
	for_each_sg(engine->pieces, piece, mapped, i) {
		kohaku_engine_append(engine, card, sg_dma_address(piece), sg_dma_len(piece));
		card += sg_dma_len(piece);
	}
	ret = kohaku_engine_run(engine);
	dma_unmap_sg(dev, engine->pieces, count, engine->direction);
	return ret;
}

/* Moves what lies in pages that the engine can reach, up to a full ring. */
static int kohaku_engine_direct(struct kohaku_engine *engine, u64 card, struct iov_iter *iter)
{
	u32 count = kohaku_engine_gather(engine, iter);
	int ret;

	if (!count)
		return 0;
	sg_mark_end(&engine->pieces[count - 1]);
	ret = kohaku_engine_mapped(engine, card, count);
	sg_unmark_end(&engine->pieces[count - 1]);
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
