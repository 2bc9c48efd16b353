// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * XFORM: words are read by the source walk, pass the transform slot entry by
 * entry, and leave as four words at each element of the destination walk.
 */
#include "sim/mesh.h"

/* Longest row of entries that is converted in one go. */
#define ROW_MAX 256

/* One entry on its way through. */
struct entry {
	u32 beats;
	u8 in[SIM_ENTRY_BEATS_MAX * KOHAKU_WORD];
	u8 out[SIM_ENTRY_BYTES];
	bool error;		/* a beat of a careful move failed */
};

static void account_write(struct sim_mesh *mesh, u64 addr)
{
	mesh->counters.write_bursts++;
	mesh->counters.write_beats += SIM_ENTRY_WORDS;
	if (mesh->probe.write)
		mesh->probe.write(mesh->probe.ctx, addr, SIM_ENTRY_WORDS);
}

/* Reads words that lie in one stretch of the source walk. */
static bool read_words(struct sim_mesh *mesh, const struct sim_stretch *src, u32 count,
		       struct entry *entry, u32 first)
{
	struct sim_mover *mover = &mesh->mover;
	u8 *in = entry->in + first * KOHAKU_WORD;
	u64 addr = src->addr;
	u32 i;

	for (i = 0; i < count; i++, addr += src->stride, in += KOHAKU_WORD) {
		const u8 *word = sim_view_at(&mover->from, mesh, addr & ~(u64)(KOHAKU_WORD - 1));

		if (!word) {
			sim_mover_fail(mesh, mover->from.reach);
			return false;
		}
		memcpy(in, word, KOHAKU_WORD);
		if (mover->careful) {
			entry->error |= sim_mover_beat_fails(mesh);
			entry->error |= sim_mover_read_fails(mesh, addr);
		}
	}
	sim_channel_add(&mover->read, src->addr, src->stride, count, mover->read_cap, 0);
	return true;
}

/* Fills an entry from the source walk; false when the move ends or hangs here. */
static bool read_entry(struct sim_mesh *mesh, struct entry *entry)
{
	struct sim_mover *mover = &mesh->mover;
	struct sim_stretch src;
	u32 have = 0;

	while (have < entry->beats) {
		u32 part;

		if (mover->src.done) {
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_RANGE);
			return false;
		}
		sim_walk_ahead(&mover->src, &src);
		if (!src.inside) {
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_PAD);
			return false;
		}
		part = min_t(u64, src.count, entry->beats - have);
		if (!read_words(mesh, &src, part, entry, have))
			return false;
		sim_walk_skip(&mover->src, part);
		have += part;
	}
	sim_channel_close(&mover->read);
	return true;
}

/* Writes an entry's four words; false when the move ends or hangs here. */
static bool write_entry(struct sim_mesh *mesh, u64 addr, struct entry *entry)
{
	struct sim_mover *mover = &mesh->mover;
	u32 i;

	for (i = 0; i < SIM_ENTRY_WORDS; i++) {
		const u8 *word = entry->out + i * KOHAKU_WORD;
		u64 at = (addr + i * KOHAKU_WORD) & KOHAKU_ADDR_MASK;
		u8 *to = sim_view_at(&mover->to, mesh, at);

		if (to) {
			memcpy(to, word, KOHAKU_WORD);
		} else if (mover->to.reach == SIM_REACH_REMOTE) {
			sim_interlink_post(mesh, at, word);
		} else {
			sim_mover_fail(mesh, mover->to.reach);
			return false;
		}
		if (mesh->probe.data)
			mesh->probe.data(mesh->probe.ctx, at, word, 1);
		if (mover->careful) {
			entry->error |= sim_mover_beat_fails(mesh);
			sim_mover_mark_written(mesh, at);
		}
	}
	account_write(mesh, addr);
	return true;
}

/* A suppressed entry is neither read nor written. */
static void skip_entry(struct sim_mesh *mesh, u32 beats)
{
	struct sim_mover *mover = &mesh->mover;
	struct sim_stretch src;

	while (beats && !mover->src.done) {
		u32 part;

		sim_walk_ahead(&mover->src, &src);
		part = min_t(u64, src.count, beats);
		sim_walk_skip(&mover->src, part);
		beats -= part;
	}
	if (beats)
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_RANGE);
}

static void pass_entry(struct sim_mesh *mesh, u32 beats, u64 addr)
{
	struct sim_mover *mover = &mesh->mover;
	struct entry entry = { .beats = beats };

	if (!read_entry(mesh, &entry))
		return;
	sim_bank_convert(&mesh->bank, mover->xform, mover->xform_mode, entry.in, entry.out, 1);
	if (!write_entry(mesh, addr, &entry))
		return;
	mover->elements++;
	if (entry.error)
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_AXI);
}

/* Entries ahead that lie one behind the other on both sides. */
static u32 count_row(struct sim_mesh *mesh, u32 beats, const struct sim_stretch *src,
		     const struct sim_stretch *dst)
{
	struct sim_mover *mover = &mesh->mover;
	u64 size = (u64)beats * KOHAKU_WORD;
	u64 count = min_t(u64, min(src->count / beats, dst->count), ROW_MAX);

	if (mover->careful || !src->inside || src->stride != KOHAKU_WORD ||
	    (src->addr | dst->addr) & (KOHAKU_WORD - 1) ||
	    (count > 1 && dst->stride != SIM_ENTRY_BYTES))
		return 0;
	count = min(count, sim_view_count(&mover->from, src->addr, KOHAKU_WORD, count * beats) /
			   beats);
	count = min(count, sim_view_count(&mover->to, dst->addr, KOHAKU_WORD,
					  count * SIM_ENTRY_WORDS) / SIM_ENTRY_WORDS);
	/* What a later entry reads must not be what an earlier one writes. */
	if (src->addr < dst->addr + count * SIM_ENTRY_BYTES &&
	    dst->addr < src->addr + count * size)
		return 0;
	return count;
}

/* Entries that are a burst each, with nobody to be told of every one. */
static bool account_alike(struct sim_mesh *mesh, u32 beats, u64 src, u32 count)
{
	const struct sim_probe *probe = &mesh->probe;

	if (probe->read || probe->write || probe->data || src % (beats * KOHAKU_WORD) ||
	    mesh->mover.read_cap < beats)
		return false;
	mesh->counters.read_bursts += count;
	mesh->counters.read_beats += (u64)count * beats;
	mesh->counters.write_bursts += count;
	mesh->counters.write_beats += (u64)count * SIM_ENTRY_WORDS;
	return true;
}

static void account_row(struct sim_mesh *mesh, u32 beats, u64 src, u64 dst, const u8 *out,
			u32 count)
{
	struct sim_mover *mover = &mesh->mover;
	u32 i;

	mover->elements += count;
	if (account_alike(mesh, beats, src, count))
		return;
	if (mesh->probe.data)
		mesh->probe.data(mesh->probe.ctx, dst, out, count * SIM_ENTRY_WORDS);
	for (i = 0; i < count; i++) {
		sim_channel_add(&mover->read, src, KOHAKU_WORD, beats, mover->read_cap, 0);
		sim_channel_close(&mover->read);
		account_write(mesh, dst);
		src += (u64)beats * KOHAKU_WORD;
		dst += SIM_ENTRY_BYTES;
	}
}

/* Converts in place of memory, without a copy in between; returns how many entries. */
static u32 pass_row(struct sim_mesh *mesh, u32 beats, const struct sim_stretch *src,
		    const struct sim_stretch *dst)
{
	struct sim_mover *mover = &mesh->mover;
	u32 count = count_row(mesh, beats, src, dst);
	const u8 *in;
	u8 *out;

	if (!count)
		return 0;
	in = sim_view_at(&mover->from, mesh, src->addr);
	out = in ? sim_view_at(&mover->to, mesh, dst->addr) : NULL;
	if (!out)
		return 0;
	sim_bank_convert(&mesh->bank, mover->xform, mover->xform_mode, in, out, count);
	account_row(mesh, beats, src->addr, dst->addr, out, count);
	sim_walk_skip(&mover->src, (u64)count * beats);
	return count;
}

/* Takes one step; returns the source words it went through. */
static u64 step(struct sim_mesh *mesh)
{
	struct sim_mover *mover = &mesh->mover;
	u32 beats = sim_bank_beats(mover->xform);
	struct sim_stretch src, dst;
	u32 entries;

	sim_walk_ahead(&mover->src, &src);
	sim_walk_ahead(&mover->dst, &dst);
	if (dst.inside && dst.addr & (KOHAKU_WORD - 1)) {
		sim_mover_retire(mesh, KOHAKU_HW_FAULT_ALIGN);
		return 0;
	}
	entries = dst.inside ? pass_row(mesh, beats, &src, &dst) : 0;
	if (!entries) {
		entries = 1;
		if (dst.inside)
			pass_entry(mesh, beats, dst.addr);
		else
			skip_entry(mesh, beats);
	}
	sim_walk_skip(&mover->dst, entries);
	return (u64)entries * beats;
}

u64 sim_transform_run(struct sim_mesh *mesh, u64 words)
{
	struct sim_mover *mover = &mesh->mover;

	while (words && mover->busy && !mover->hung &&
	       sim_bank_granted(&mesh->bank, SIM_REQUESTER_MOVER)) {
		words -= min(words, step(mesh));
		if (mover->busy && !mover->hung && mover->src.done)
			sim_mover_retire(mesh, KOHAKU_HW_FAULT_NONE);
	}
	return words;
}
