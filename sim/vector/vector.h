/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The model of a vector core, as far as relayout needs it: instruction packets
 * in, memory traffic, cycles and faults out.
 *
 * Lanes hold FP16 bit patterns; nothing here computes with them.  Opcodes that
 * would, fault like unknown ones.  Locking is the caller's.
 */
#ifndef SIM_VECTOR_H
#define SIM_VECTOR_H

#include "hw/vector.h"

#define SIM_VECTOR_REGISTERS	16
#define SIM_VECTOR_SCALARS	16
#define SIM_VECTOR_PREDICATES	4

/* What ends a program early: numbers of the hardware, then our own. */
enum sim_vector_fault {
	SIM_VECTOR_OK = 0,
	SIM_VECTOR_F_DTYPE = 1,
	SIM_VECTOR_F_VSRC = 2,
	SIM_VECTOR_F_CHAIN = 3,
	SIM_VECTOR_F_OPCODE = 4,
	SIM_VECTOR_F_LEN = 5,
	SIM_VECTOR_F_LOOP = 6,
	SIM_VECTOR_F_VL = 7,
	SIM_VECTOR_F_REDVL = 8,
	SIM_VECTOR_F_CUDATA = 9,
	SIM_VECTOR_ENDLESS = 16,	/* it would never halt */
	SIM_VECTOR_MEMORY = 17,		/* memory refused an access */
	SIM_VECTOR_PACKET = 18,		/* not a packet, or none for this core */
};

/* The memory that a core fills from and drains to, by 40-bit address. */
struct sim_vector_memory {
	int (*read)(void *ctx, u64 addr, void *bytes, size_t size);
	int (*write)(void *ctx, u64 addr, const void *bytes, size_t size);
	void *ctx;
};

struct sim_vector_descriptor {
	u64 base;
	s32 stride[KOHAKU_VECTOR_DIMS];
	u32 bound[KOHAKU_VECTOR_DIMS];	/* 0 counts as 1 */
};

/* Everything a core remembers; it persists from program to program. */
struct sim_vector {
	struct sim_vector_memory memory;
	u32 imem[KOHAKU_VECTOR_IMEM];
	struct sim_vector_descriptor descriptors[KOHAKU_VECTOR_DESCRIPTORS];
	u16 l1[KOHAKU_VECTOR_L1][16];
	u16 registers[SIM_VECTOR_REGISTERS][KOHAKU_VECTOR_LANES];
	u32 scalars[SIM_VECTOR_SCALARS];	/* 24 bits */
	u32 constant;				/* K3 */
	bool predicates[SIM_VECTOR_PREDICATES][KOHAKU_VECTOR_LANES];
	u32 length;				/* vector length, 1..128 */
	u32 mode;
};

/* What a round of flits did. */
struct sim_vector_result {
	u32 flits;		/* taken */
	u32 runs;		/* programs started */
	u32 faults;		/* programs that faulted */
	u32 fault;		/* of the first of them, enum sim_vector_fault */
	u32 fault_flit;		/* its RUN, from 0 in this round */
	u64 cycles;		/* moving data not counted */
	u64 retired;		/* instructions */
	u64 words_read, read_bursts;
	u64 words_written, write_bursts;
};

struct sim_vector *sim_vector_create(const struct sim_vector_memory *memory);
void sim_vector_destroy(struct sim_vector *core);
/* Back to power-up; memory and L1 keep their contents. */
void sim_vector_reset(struct sim_vector *core);

/*
 * Takes a round of at most KOHAKU_VECTOR_ROUND flits, in order; a program that
 * faults ends, the flits after it are still taken.  result is set, not added to.
 * -EINVAL, and nothing taken: too many, or one of them is no instruction packet.
 */
int sim_vector_take(struct sim_vector *core, const struct kohaku_flit *flits, u32 count,
		    struct sim_vector_result *result);

/* Cycles of one instruction at a vector length. */
u32 sim_vector_cycles(u32 opcode, u32 length);
/* Cycles of the traffic of a round, priced like the mover's. */
u64 sim_vector_traffic_cycles(const struct sim_vector_result *result);

#endif
