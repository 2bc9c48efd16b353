/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The bed of the mover recordings: one mesh, a flat 40-bit memory that a rule
 * fills, and a record of what crosses its bus.
 */
#ifndef REPLAY_BED_H
#define REPLAY_BED_H

#include "sim/node.h"

/* Bursts and words that are kept; of more there is only the count. */
#define BED_KEPT 24

struct bed_burst {
	u64 addr;
	u32 beats;
	bool index;
};

struct bed_word {
	u64 addr;
	u8 bytes[KOHAKU_WORD];
};

/* What one move did to the bus. */
struct bed_record {
	u64 reads, read_beats, index_reads;
	u64 writes, write_beats;
	struct bed_burst read[BED_KEPT], write[BED_KEPT];
	u64 words;
	struct bed_word word[BED_KEPT];
	u64 digest;		/* FNV-1a of address and data of every written beat */
};

struct bed;

struct bed *bed_create(u32 quirks);
void bed_destroy(struct bed *bed);
/* Back to reset, with memory as the rule has it. */
void bed_restart(struct bed *bed, u32 rule, u64 seed);
void bed_set_word(struct bed *bed, u64 addr, const u8 bytes[KOHAKU_WORD]);
/* Gives the bus an error at a beat of the next moves. */
void bed_read(struct bed *bed, u64 addr, void *bytes, size_t size);
/* Writes a mover register; false when it started a move that hangs. */
void bed_register(struct bed *bed, u32 offset, u64 value);
/* Runs the move to its end, in slices; false when it hangs. */
bool bed_run(struct bed *bed);
u64 bed_status(struct bed *bed);
struct sim_node *bed_node(struct bed *bed);
/* What the bus saw since the last call of bed_forget(). */
const struct bed_record *bed_record(const struct bed *bed);
void bed_forget(struct bed *bed);

#endif
