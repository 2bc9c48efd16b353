/* SPDX-License-Identifier: GPL-2.0 */
/* A recorded program, and what was seen of a run of it. */
#ifndef TRANSFER_PROGRAM_H
#define TRANSFER_PROGRAM_H

#include "transfer.h"
#include "sim/transfer/transfer.h"

#define LANES	16
#define STRIPES	4
#define PAGE	512
#define OPS	8
#define REGS	32

struct program {
	struct fabric_config config;
	u64 seed;
	size_t begin;			/* line of the record after "geom" */
	struct fabric_page pages[FABRIC_PAGES_MAX];
	u8 widths[FABRIC_PAGES_MAX][STRIPES];
	u8 memory[FABRIC_PAGES_MAX][PAGE];	/* what is expected */
	u8 either[FABRIC_PAGES_MAX][PAGE];	/* what may be there as well */
	u8 may[FABRIC_PAGES_MAX][PAGE];
	u32 page_count;
	u64 regs[REGS][LANES], expected[REGS][LANES], ignore[REGS][LANES];
	u32 reg_widths[REGS];
	bool compared[REGS];
	struct fabric_op ops[OPS];
	struct fabric_result faults[OPS];
	u64 work[OPS][6];
	u32 op_count;
};

struct seen {
	struct fabric_result results[OPS];
	u64 regs[REGS][LANES];
	u8 memory[FABRIC_PAGES_MAX][PAGE];
	u8 widths[FABRIC_PAGES_MAX][STRIPES];
	struct fabric_counters counters;
};

/* Each runs a program from its start: NULL, or what went wrong. */
const char *program_run_model(const struct program *program, const struct fabric_config *config,
			      struct seen *seen, struct seen *flushed);
const char *program_run_node(const struct program *program, struct seen *seen);

/* Is the node's fabric, as far as outcomes depend on it, what the program is for? */
bool program_fits_node(const struct program *program);

#endif
