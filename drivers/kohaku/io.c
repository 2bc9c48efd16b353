// SPDX-License-Identifier: GPL-2.0
/*
 * BUF_READ and BUF_WRITE: between user memory and a buffer, without a copy in
 * between.  User pages are pinned first, so that the backend never faults.
 */
#include <linux/bvec.h>
#include <linux/freezer.h>
#include <linux/mm.h>
#include <linux/uio.h>

#include "core.h"

#define KOHAKU_PIN_PAGES 512

/* Some pages of user memory, pinned. */
struct kohaku_pinned {
	struct page *pages[KOHAKU_PIN_PAGES];
	struct bio_vec vecs[KOHAKU_PIN_PAGES];	/* runs of adjacent pages */
	int count;		/* of pages */
	int runs;
	size_t length;		/* bytes they cover, whole words */
};

/* Room for pins: what the file's last transfer left, so that most allocate nothing. */
static struct kohaku_pinned *kohaku_pinned_take(struct kohaku_file *file)
{
	struct kohaku_pinned *pinned = xchg(&file->pinned, NULL);

	return pinned ? pinned : kvmalloc(sizeof(*pinned), GFP_KERNEL_ACCOUNT);
}

static void kohaku_pinned_leave(struct kohaku_file *file, struct kohaku_pinned *pinned)
{
	kvfree(xchg(&file->pinned, pinned));
}

/* The file is closed and nobody uses it any more. */
void kohaku_pinned_free(struct kohaku_file *file)
{
	kvfree(file->pinned);
}

/* Does a page lie right behind another, in memory and in the kernel's map of it? */
static bool kohaku_adjacent(const struct page *page, const struct page *next)
{
	return next == page + 1 && page_to_pfn(next) == page_to_pfn(page) + 1;
}

/* Makes runs of the pinned pages; the first begins skip bytes into its page. */
static void kohaku_pinned_runs(struct kohaku_pinned *pinned, size_t skip, size_t want)
{
	int i;

	pinned->runs = 0;
	for (i = 0; i < pinned->count; i++) {
		size_t part = min_t(size_t, want, PAGE_SIZE - skip);

		if (i && kohaku_adjacent(pinned->pages[i - 1], pinned->pages[i]))
			pinned->vecs[pinned->runs - 1].bv_len += part;
		else
			pinned->vecs[pinned->runs++] = (struct bio_vec) {
				.bv_page = pinned->pages[i], .bv_offset = skip, .bv_len = part,
			};
		want -= part;
		skip = 0;
	}
}

static int kohaku_pin(struct kohaku_pinned *pinned, u64 data, u64 length, bool write)
{
	size_t skip = offset_in_page(data);
	size_t want = min_t(u64, length, KOHAKU_PIN_PAGES * PAGE_SIZE - skip);

	/* Reading a buffer writes the user's memory, and the other way round. */
	pinned->count = pin_user_pages_fast(data - skip, DIV_ROUND_UP(skip + want, PAGE_SIZE),
					    write ? 0 : FOLL_WRITE, pinned->pages);
	/* Addresses that no process can have are faults like any other. */
	if (!pinned->count || pinned->count == -EOVERFLOW)
		return -EFAULT;
	if (pinned->count < 0)
		return pinned->count;
	want = min_t(size_t, want, pinned->count * PAGE_SIZE - skip);
	pinned->length = round_down(want, KOHAKU_WORD);
	kohaku_pinned_runs(pinned, skip, want);
	return 0;
}

static void kohaku_unpin(struct kohaku_pinned *pinned, bool write)
{
	unpin_user_pages_dirty_lock(pinned->pages, pinned->count, !write);
}

static int kohaku_io_part(struct kohaku_node *node, u64 addr, struct kohaku_pinned *pinned,
			  bool write)
{
	struct kohaku_guard guard = kohaku_enter(node);
	struct iov_iter iter;
	int ret = -ENODEV;

	iov_iter_bvec(&iter, write ? ITER_SOURCE : ITER_DEST, pinned->vecs, pinned->runs,
		      pinned->length);
	if (guard.alive) {
		ret = node->ops->mem_io(node->backend, addr, &iter);
		if (ret == -ENODEV)
			kohaku_node_lost(node);
	}
	kohaku_leave(guard);
	return ret;
}

static int kohaku_io_parts(struct kohaku_node *node, struct kohaku_pinned *pinned, u64 addr,
			   u64 data, u64 length, bool write)
{
	int ret = 0;

	while (length && !ret) {
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = kohaku_pin(pinned, data, length, write);
		if (ret)
			return ret;
		/* The page that holds the end of a word could not be had. */
		ret = pinned->length ? kohaku_io_part(node, addr, pinned, write) : -EFAULT;
		kohaku_unpin(pinned, write);
		addr += pinned->length;
		data += pinned->length;
		length -= pinned->length;
		cond_resched();
		/* A long one must not keep the machine from being suspended. */
		try_to_freeze();
	}
	return ret;
}

/* Copies between user memory and the node's, which the backend reaches. */
int kohaku_io(struct kohaku_file *file, u64 addr, u64 data, u64 length, bool write)
{
	struct kohaku_pinned *pinned = kohaku_pinned_take(file);
	int ret;

	if (!pinned)
		return -ENOMEM;
	ret = kohaku_io_parts(file->node, pinned, addr, data, length, write);
	kohaku_pinned_leave(file, pinned);
	return ret;
}

/* Copies between kernel memory and the node's; the caller may call the backend. */
int kohaku_mem(struct kohaku_node *node, u64 addr, void *bytes, size_t size, bool write)
{
	struct kvec vec = { .iov_base = bytes, .iov_len = size };
	struct iov_iter iter;

	iov_iter_kvec(&iter, write ? ITER_SOURCE : ITER_DEST, &vec, 1, size);
	return node->ops->mem_io(node->backend, addr, &iter);
}

int kohaku_buf_io(struct kohaku_call *call)
{
	const struct kohaku_buf_io *io = &call->arg.buf_io;
	bool write = call->command->nr == KOHAKU_BUF_WRITE;
	struct kohaku_buffer *buffer;
	int ret;

	buffer = kohaku_buffer_get(call->file, io->buffer);
	if (!buffer)
		return -ENOENT;
	ret = kohaku_buf_io_check(io, buffer->region.size);
	if (ret)
		goto out;
	if (buffer->tier == KOHAKU_TIER_STAGING && buffer->node->ops->staging_by_mover)
		ret = kohaku_carry_io(call->file, buffer, io, write);
	else
		ret = kohaku_io(call->file, buffer->region.addr + io->offset, io->data, io->length,
				write);
out:
	kohaku_buffer_put(buffer);
	return ret;
}
