// SPDX-License-Identifier: GPL-2.0
/* Recordings of where lanes and bytes lie, of segments and of reductions. */
#include "transfer.h"

#include "sim/transfer/layout.h"
#include "sim/transfer/sync.h"

#include <stdlib.h>
#include <string.h>

/* All recordings are of the default geometry. */
static const struct tf_layout *layout(void)
{
	static struct tf_layout layout;
	struct fabric_config config;

	if (!layout.lanes) {
		fabric_config_default(&config);
		tf_layout_init(&layout, &config);
	}
	return &layout;
}

enum outcome transfer_lane(struct recording *recording)
{
	const struct tf_layout *l = layout();
	u32 g = l->jamlet[token_number(recording, 1)][token_number(recording, 2)];

	return same(recording, "x", l->x[g], token_number(recording, 3)) &&
	       same(recording, "y", l->y[g], token_number(recording, 4)) &&
	       same(recording, "kamlet", g / l->jamlets, token_number(recording, 5)) &&
	       same(recording, "jamlet", g % l->jamlets, token_number(recording, 6)) ?
	       PASSED : FAILED;
}

enum outcome transfer_map(struct recording *recording)
{
	const struct tf_layout *l = layout();
	u64 address = token_number(recording, 3);
	u32 stripe = address / l->stripe;
	struct tf_place place = tf_layout_place(l, token_number(recording, 2) / 8,
						address % l->stripe);
	u32 g = l->jamlet[token_number(recording, 1)][place.lane];
	u32 j = g % l->jamlets;

	return same(recording, "kamlet", g / l->jamlets, token_number(recording, 4)) &&
	       same(recording, "jamlet", j, token_number(recording, 5)) &&
	       same(recording, "kamlet address", stripe * l->jamlets * 8 + j * 8 + place.byte,
		    token_number(recording, 6)) &&
	       same(recording, "line", stripe / l->words, token_number(recording, 7)) &&
	       same(recording, "word", stripe % l->words, token_number(recording, 8)) &&
	       same(recording, "byte", place.byte, token_number(recording, 9)) ? PASSED : FAILED;
}

enum outcome transfer_register(struct recording *recording)
{
	const struct tf_layout *l = layout();
	u32 size = token_number(recording, 1) / 8, offset = token_number(recording, 2);
	struct tf_place place = tf_layout_place(l, size, offset % l->stripe);

	return same(recording, "register", offset / l->stripe, token_number(recording, 3)) &&
	       same(recording, "lane", place.lane, token_number(recording, 4)) &&
	       same(recording, "byte", place.byte, token_number(recording, 5)) &&
	       same(recording, "offset", tf_layout_offset(l, size, place.lane, place.byte),
		    offset % l->stripe) ? PASSED : FAILED;
}

/* One segment: register, memory stripe, size; as the recordings number them. */
struct segment {
	int64_t n[7];
};

static void describe(u32 mem_size, u32 reg_size, u64 address, u32 r,
		     u32 size, struct segment *segment)
{
	const struct tf_layout *l = layout();
	struct tf_place reg = tf_layout_place(l, reg_size, r % l->stripe);
	struct tf_place mem = tf_layout_place(l, mem_size, address % l->stripe);

	*segment = (struct segment) { {
		r / l->stripe, reg.lane, 8 * reg.byte,
		address / l->stripe, mem.lane, 8 * mem.byte, 8 * size,
	} };
}

/* The segments of count elements from first on; returns how many. */
static u32 cut(u32 mem_size, u32 reg_size, u64 address, u32 first, u32 count,
	       struct segment *segments)
{
	u32 r = first * reg_size, end = (first + count) * reg_size, n = 0, size;

	for (; r < end; r += size, address += size) {
		size = tf_segment_bytes(address, mem_size, reg_size - r % reg_size);
		describe(mem_size, reg_size, address, r, size, &segments[n++]);
	}
	return n;
}

static bool listed(const struct recording *recording, const struct segment *segments, u32 n)
{
	struct segment wanted;

	for (int i = 0; i < 7; i++)
		wanted.n[i] = token_number(recording, i + 1);
	for (u32 i = 0; i < n; i++)
		if (!memcmp(&segments[i], &wanted, sizeof(wanted)))
			return true;
	return false;
}

enum outcome transfer_segments(struct recording *recording)
{
	static struct segment segments[8 * 8 * 64];
	u32 recorded = token_number(recording, 7);
	u32 n = cut(token_number(recording, 2) / 8, token_number(recording, 3) / 8,
			 token_number(recording, 4), token_number(recording, 5),
			 token_number(recording, 6), segments);
	bool good = same(recording, "segments", n, recorded);

	while (recording_next_if(recording, "seg"))
		if (!listed(recording, segments, n)) {
			fail(recording, "no such segment");
			good = false;
		}
	return recording_next_if(recording, "end") && good ? PASSED : FAILED;
}

static const char *const reductions[] = {
	[TF_MINU] = "minu", [TF_MAXU] = "maxu", [TF_MIN] = "min",
	[TF_MAX] = "max", [TF_AND] = "and", [TF_OR] = "or",
};

struct reduction {
	u32 columns, rows, bits, words;
	enum tf_reduction op;
	u64 at[TF_NODES];
	u64 value;
	bool any;
};

static u32 node_of(const struct recording *recording, u32 columns)
{
	int64_t y = token_number(recording, 2);

	return y < 0 ? TF_NODE_LAMLET : y * columns + token_number(recording, 1);
}

static void trigger(const struct recording *recording, struct reduction *r)
{
	u64 value = strtoull(token(recording, 4), NULL, 10);

	r->at[node_of(recording, r->columns)] = token_number(recording, 3);
	if (token_is(recording, 4, "none"))
		return;
	r->value = r->any ? tf_reduce(r->op, r->bits, r->value, value) : value;
	r->any = true;
}

/* The cycle is a contract only where all packets are of one length. */
static bool finished(const struct recording *recording, const struct reduction *r)
{
	u64 due = tf_sync_due(r->columns, r->columns * r->rows, r->at,
				   node_of(recording, r->columns), r->words);

	if (r->words && !same(recording, "cycle", due, token_number(recording, 3)))
		return false;
	if (!r->any)
		return token_is(recording, 4, "none");
	return same(recording, "value", r->value, strtoull(token(recording, 4), NULL, 10));
}

static bool packets(const struct recording *recording, const struct reduction *r)
{
	u32 links = tf_sync_links(r->columns, r->rows);

	return same(recording, "packets", links, token_number(recording, 1)) &&
	       (!r->words ||
		same(recording, "words", links * r->words, number_after(recording, "words")));
}

enum outcome transfer_sync(struct recording *recording)
{
	struct reduction r = {
		.columns = token_number(recording, 2),
		.rows = token_number(recording, 3),
		.bits = token_number(recording, 5),
		.words = token_number(recording, 6),
	};
	bool good = true;

	while (r.op < TF_OR && !token_is(recording, 4, reductions[r.op]))
		r.op++;
	while (recording_next_if(recording, "trig"))
		trigger(recording, &r);
	if (r.words)
		good = same(recording, "packet", tf_sync_words(r.any ? r.bits : 0), r.words);
	while (recording_next_if(recording, "done"))
		good &= finished(recording, &r);
	if (recording_next_if(recording, "packets"))
		good &= packets(recording, &r);
	return recording_next_if(recording, "end") && good ? PASSED : FAILED;
}

/* Message logs of another implementation: to read, not to compare. */
enum outcome transfer_scenario(struct recording *recording)
{
	while (recording_next(recording) && !token_is(recording, 0, "end"))
		continue;
	return SKIPPED;
}
