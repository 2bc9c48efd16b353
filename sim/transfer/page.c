// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Pages: the fabric's memory by virtual address, and what its stripes look like.
 *
 * A vector page is kept as the memlets see it: line by line, in each line kamlet
 * by kamlet, word w of jamlet j at w * jamlets + j.  Line numbers count through
 * all pages of the table.
 */
#include "units.h"

static u32 page_lines(const struct fabric *fabric)
{
	return fabric->config.page_bytes / fabric->layout.line;
}

static u32 page_stripes(const struct fabric *fabric)
{
	return fabric->config.page_bytes / fabric->layout.stripe;
}

static u64 page_base(const struct fabric *fabric, u64 address)
{
	return address - address % fabric->config.page_bytes;
}

struct tf_page *tf_page_at(struct fabric *fabric, u64 address)
{
	struct tf_page *page = fabric->last_page;
	u32 i;

	if (page && address - page->page.address < fabric->config.page_bytes)
		return page;
	for (i = 0; i < FABRIC_PAGES_MAX; i++) {
		page = &fabric->pages[i];
		if (page->used && address - page->page.address < fabric->config.page_bytes) {
			fabric->last_page = page;
			return page;
		}
	}
	return NULL;
}

u32 tf_page_left(const struct fabric *fabric, u64 address)
{
	return fabric->config.page_bytes - (u32)(address % fabric->config.page_bytes);
}

u32 tf_fault_at(struct fabric *fabric, u64 address, bool store)
{
	const struct tf_page *page = tf_page_at(fabric, address);

	if (!page)
		return FABRIC_NO_PAGE;
	if (store)
		return page->page.writable ? FABRIC_OK : FABRIC_NOT_WRITABLE;
	return page->page.readable ? FABRIC_OK : FABRIC_NOT_READABLE;
}

u32 tf_line_number(const struct fabric *fabric, const struct tf_page *page, u32 offset)
{
	return (page - fabric->pages) * page_lines(fabric) + offset / fabric->layout.line;
}

struct tf_spot tf_page_spot(const struct fabric *fabric, const struct tf_page *page, u32 offset)
{
	const struct tf_layout *layout = &fabric->layout;
	u32 stripe = offset / layout->stripe;
	const struct tf_stripe *look = &page->stripes[stripe];
	struct tf_place place = tf_layout_place(layout, look->size, offset % layout->stripe);

	return (struct tf_spot) {
		.jamlet = layout->jamlet[look->order][place.lane],
		.line = tf_line_number(fabric, page, offset),
		.word = stripe % layout->words,
		.byte = place.byte,
	};
}

u64 *tf_dram_word(struct fabric *fabric, u32 jamlet, u32 line, u32 word)
{
	const struct tf_layout *layout = &fabric->layout;
	u32 lines = page_lines(fabric);
	u32 k = jamlet / layout->jamlets, j = jamlet % layout->jamlets;
	u32 index = ((line % lines * layout->kamlets + k) * layout->words + word) *
		    layout->jamlets + j;

	return (u64 *)fabric->pages[line / lines].bytes + index;
}

/* The word as it is now: cached, else in DRAM. */
static u64 *word_now(struct fabric *fabric, const struct tf_spot *spot, u32 *slot)
{
	u32 k = spot->jamlet / fabric->layout.jamlets;

	*slot = tf_kce_find(fabric, k, spot->line);
	if (*slot != TF_NO_SLOT)
		return tf_sram_word(fabric, spot->jamlet, *slot, spot->word);
	return tf_dram_word(fabric, spot->jamlet, spot->line, spot->word);
}

static u8 byte_read(struct fabric *fabric, const struct tf_page *page, u32 offset)
{
	struct tf_spot spot;
	u32 slot;

	if (page->page.memory != FABRIC_VECTOR)
		return page->bytes[offset];
	spot = tf_page_spot(fabric, page, offset);
	return *word_now(fabric, &spot, &slot) >> (8 * spot.byte);
}

static void byte_write(struct fabric *fabric, struct tf_page *page, u32 offset, u8 value)
{
	struct tf_spot spot;
	u32 slot;
	u64 *word;

	if (page->page.memory != FABRIC_VECTOR) {
		page->bytes[offset] = value;
		return;
	}
	spot = tf_page_spot(fabric, page, offset);
	word = word_now(fabric, &spot, &slot);
	*word = tf_merge(*word, (u64)value << (8 * spot.byte), spot.byte, 1);
	if (slot != TF_NO_SLOT)
		tf_kce_modified(fabric, spot.jamlet / fabric->layout.jamlets, slot);
}

void tf_stripe_convert(struct fabric *fabric, struct tf_page *page, u32 stripe, u32 size,
		       u32 order)
{
	u32 bytes = fabric->layout.stripe, at = stripe * bytes, i;

	for (i = 0; i < bytes; i++)
		fabric->scratch[i] = byte_read(fabric, page, at + i);
	page->stripes[stripe].size = size;
	page->stripes[stripe].order = order;
	for (i = 0; i < bytes; i++)
		byte_write(fabric, page, at + i, fabric->scratch[i]);
	fabric->counters.relayouts++;
}

static bool width_valid(u32 width)
{
	return width == 8 || width == 16 || width == 32 || width == 64;
}

static int page_check(struct fabric *fabric, const struct fabric_page *page, const u8 *widths,
		      const u8 *orders)
{
	u32 i;

	if (fabric->running)
		return -EBUSY;
	if (page->memory >= FABRIC_MEMORIES || page->address % fabric->config.page_bytes)
		return -EINVAL;
	for (i = 0; page->memory == FABRIC_VECTOR && i < page_stripes(fabric); i++) {
		if (widths && !width_valid(widths[i]))
			return -EINVAL;
		if (orders && (orders[i] >= FABRIC_ORDERS || !fabric->layout.valid[orders[i]]))
			return -EINVAL;
	}
	if (tf_page_at(fabric, page->address))
		return -EEXIST;
	return fabric->page_count == FABRIC_PAGES_MAX ? -ENOSPC : 0;
}

/* The entry is as if there had never been one: fabric_destroy() looks at all of them. */
static void page_drop(struct tf_page *entry)
{
	env_free(entry->bytes);
	env_free(entry->stripes);
	memset(entry, 0, sizeof(*entry));
}

int fabric_map(struct fabric *fabric, const struct fabric_page *page, const u8 *widths,
	       const u8 *orders)
{
	int err = page_check(fabric, page, widths, orders);
	struct tf_page *entry = fabric->pages;
	struct tf_stripe *stripe;
	u32 i;

	if (err)
		return err;
	while (entry->used)
		entry++;
	entry->bytes = env_alloc(fabric->config.page_bytes);
	entry->stripes = env_alloc(page_stripes(fabric) * sizeof(*entry->stripes));
	if (!entry->bytes || !entry->stripes) {
		page_drop(entry);
		return -ENOMEM;
	}
	for (i = 0; page->memory == FABRIC_VECTOR && i < page_stripes(fabric); i++) {
		stripe = &entry->stripes[i];
		stripe->size = widths ? widths[i] / 8 : 8;
		stripe->order = orders ? orders[i] : fabric->config.order;
		stripe->next_size = stripe->size;
		stripe->next_order = stripe->order;
	}
	entry->page = *page;
	entry->used = true;
	fabric->page_count++;
	return 0;
}

int fabric_unmap(struct fabric *fabric, u64 address)
{
	struct tf_page *page = tf_page_at(fabric, address);

	if (fabric->running)
		return -EBUSY;
	if (!page || page->page.address != address)
		return -ENOENT;
	fabric_flush(fabric);
	page_drop(page);
	fabric->last_page = NULL;
	fabric->page_count--;
	return 0;
}

int fabric_stripe(const struct fabric *fabric, u64 address, u32 *width, u32 *order)
{
	u64 base = page_base(fabric, address);
	const struct tf_page *page;
	const struct tf_stripe *stripe;
	u32 i;

	for (i = 0; i < FABRIC_PAGES_MAX; i++) {
		page = &fabric->pages[i];
		if (!page->used || page->page.address != base ||
		    page->page.memory != FABRIC_VECTOR)
			continue;
		stripe = &page->stripes[(u32)(address - base) / fabric->layout.stripe];
		*width = stripe->size * 8;
		*order = stripe->order;
		return 0;
	}
	return -ENOENT;
}

static int range_check(struct fabric *fabric, u64 address, u32 size)
{
	u64 last = address + size - 1;
	u64 at;

	if (fabric->running)
		return -EBUSY;
	if (!size)
		return 0;
	if (last < address)
		return -ENOENT;
	for (at = page_base(fabric, address);; at += fabric->config.page_bytes) {
		if (!tf_page_at(fabric, at))
			return -ENOENT;
		if (last - at < fabric->config.page_bytes)
			return 0;
	}
}

int fabric_read(struct fabric *fabric, u64 address, void *bytes, u32 size)
{
	int err = range_check(fabric, address, size);
	const struct tf_page *page;
	u8 *out = bytes;

	for (; !err && size; size--, address++) {
		page = tf_page_at(fabric, address);
		*out++ = byte_read(fabric, page, address - page->page.address);
	}
	return err;
}

int fabric_write(struct fabric *fabric, u64 address, const void *bytes, u32 size)
{
	int err = range_check(fabric, address, size);
	const u8 *in = bytes;
	struct tf_page *page;

	for (; !err && size; size--, address++) {
		page = tf_page_at(fabric, address);
		byte_write(fabric, page, address - page->page.address, *in++);
	}
	return err;
}

int fabric_flush(struct fabric *fabric)
{
	if (fabric->running)
		return -EBUSY;
	tf_kce_write_back(fabric);
	return 0;
}
