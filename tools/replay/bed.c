// SPDX-License-Identifier: GPL-2.0
/*
 * The bed of the mover recordings.
 */
#include "bed.h"

#include <stdlib.h>

#include "replay.h"
#include "sim/mesh.h"

#define MAP_SIZE	(1ULL << 40)
#define PAGE_BITS	12

struct bed {
	struct sim_node *node;
	struct sim_memory memory;
	u32 rule;
	u64 seed;
	u32 slice;
	struct bed_record record;
};

static u64 mix(u64 z)
{
	z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
	z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
	return z ^ z >> 31;
}

/* Rule 1 makes halfwords look like fp16 of moderate size. */
static u64 as_halves(u64 lane, u64 word)
{
	u64 result = 0;
	u32 i;

	for (i = 0; i < 64; i += 16) {
		u32 half = lane >> i & 0xFFFF;
		u32 exponent = (half >> 10 & 7) + (word >> 3 & 15) + 1;

		result |= (u64)((half & 0x83FF) | exponent << 10) << i;
	}
	return result;
}

static void fill(void *ctx, u64 offset, void *chunk, size_t size)
{
	const struct bed *bed = ctx;
	u64 *lane = chunk;
	size_t i;

	for (i = 0; i < size / 8; i++) {
		u64 number = offset / 8 + i;

		lane[i] = mix(bed->seed + number * 0x9E3779B97F4A7C15ULL);
		if (bed->rule == 1)
			lane[i] = as_halves(lane[i], number / 4);
	}
}

static void keep(struct bed_burst *kept, u64 *count, u64 addr, u32 beats, bool index)
{
	if (*count < BED_KEPT)
		kept[*count] = (struct bed_burst){ addr, beats, index };
	(*count)++;
}

static void on_read(void *ctx, u64 addr, u32 beats, bool index)
{
	struct bed_record *record = &((struct bed *)ctx)->record;

	keep(record->read, &record->reads, addr, beats, index);
	record->read_beats += beats;
	record->index_reads += index;
}

static void on_write(void *ctx, u64 addr, u32 beats)
{
	struct bed_record *record = &((struct bed *)ctx)->record;

	keep(record->write, &record->writes, addr, beats, false);
	record->write_beats += beats;
}

static void on_data(void *ctx, u64 addr, const void *bytes, u32 beats)
{
	struct bed_record *record = &((struct bed *)ctx)->record;
	const u8 *word = bytes;

	for (; beats; beats--, addr += KOHAKU_WORD, word += KOHAKU_WORD) {
		if (record->words < BED_KEPT) {
			record->word[record->words].addr = addr;
			memcpy(record->word[record->words].bytes, word, KOHAKU_WORD);
		}
		record->words++;
		record->digest = replay_fnv(record->digest, &addr, sizeof(addr));
		record->digest = replay_fnv(record->digest, word, KOHAKU_WORD);
	}
}

struct bed *bed_create(u32 quirks)
{
	struct sim_config config = { .meshes = 1, .quirks = quirks, .slot_depth = 1 };
	struct bed *bed = calloc(1, sizeof(*bed));
	struct sim_probe probe = { on_read, on_write, on_data, bed };

	if (!bed)
		return NULL;
	bed->node = sim_node_create(&config);
	if (!bed->node) {
		free(bed);
		return NULL;
	}
	sim_mesh_probe(bed->node, 0, &probe);
	return bed;
}

void bed_destroy(struct bed *bed)
{
	bed->node->meshes[0].flat = NULL;
	sim_memory_destroy(&bed->memory);
	sim_node_destroy(bed->node);
	free(bed);
}

void bed_restart(struct bed *bed, u32 rule, u64 seed)
{
	sim_memory_destroy(&bed->memory);
	if (sim_memory_init(&bed->memory, MAP_SIZE, PAGE_BITS))
		abort();
	bed->memory.fill = fill;
	bed->memory.fill_ctx = bed;
	bed->rule = rule;
	bed->seed = seed;
	bed->node->meshes[0].flat = &bed->memory;
	sim_mesh_reset(bed->node, 0);
	memset(bed->node->meshes[0].mover.gather.indices, 0,
	       sizeof(bed->node->meshes[0].mover.gather.indices));
	bed_forget(bed);
}

/* Only a page that is there holds what the rule says. */
static u8 *touch(struct bed *bed, u64 addr)
{
	u8 *bytes = sim_memory_get(&bed->memory, addr);

	if (!bytes)
		abort();
	return bytes;
}

void bed_set_word(struct bed *bed, u64 addr, const u8 bytes[KOHAKU_WORD])
{
	memcpy(touch(bed, addr), bytes, KOHAKU_WORD);
}

void bed_read(struct bed *bed, u64 addr, void *bytes, size_t size)
{
	memcpy(bytes, touch(bed, addr), size);
}

void bed_register(struct bed *bed, u32 offset, u64 value)
{
	sim_window_write(bed->node, 0, KOHAKU_CTL_AUX_CFG + offset, value, 0xFF);
}

bool bed_run(struct bed *bed)
{
	struct sim_mesh *mesh = &bed->node->meshes[0];

	/* Slices of all sizes show that a move resumes where it was. */
	while (sim_mesh_run(bed->node, 0, 1 + bed->slice++ % 97)) {
		if (mesh->mover.hung)
			return false;
	}
	return true;
}

u64 bed_status(struct bed *bed)
{
	return sim_window_read(bed->node, 0, KOHAKU_CTL_AUX_STAT);
}

struct sim_node *bed_node(struct bed *bed)
{
	return bed->node;
}

const struct bed_record *bed_record(const struct bed *bed)
{
	return &bed->record;
}

void bed_forget(struct bed *bed)
{
	bed->record = (struct bed_record){ .digest = REPLAY_FNV_START };
}
