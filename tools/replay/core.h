/* SPDX-License-Identifier: GPL-2.0 */
/* A vector core with the memory that the recordings used. */
#ifndef CORE_H
#define CORE_H

#include "hw/vector.h"
#include "sim/vector/vector.h"

#define CORE_DRAM	0x80000000ULL
#define CORE_DRAM_SIZE	(4U << 20)
#define CORE_STAGING	0x8000000000ULL
#define CORE_STAGING_SIZE (2U << 20)
/* Where the index word, the source and the destination lie. */
#define CORE_INDEX	0x8000f000ULL
#define CORE_SRC	0x80010000ULL
#define CORE_DST	0x80200000ULL

struct core {
	u8 *dram;
	u8 *staging;
	struct sim_vector *vector;
	/* The program being collected, and what the rounds so far did. */
	struct kohaku_flit round[KOHAKU_VECTOR_ROUND];
	u32 round_flits;
	u64 flits, cycles, retired;
	u32 faults;
	/* Sees every flit, when set. */
	int (*watch)(void *ctx, const struct kohaku_flit *flit);
	void *watch_ctx;
};

bool core_open(struct core *core);
void core_close(struct core *core);
/* The bytes at an address of either memory, NULL when they are not there. */
void *core_memory(struct core *core, u64 addr, size_t size);
/* Runs a pass over pairs in rounds; the figures start from zero.  False on a fault. */
bool core_run(struct core *core, const struct kohaku_vector_pass *pass,
	      const struct kohaku_vector_pair *pairs, u32 count);

#endif
