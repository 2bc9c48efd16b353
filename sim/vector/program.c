// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* The instructions of the vector core. */
#include "program.h"

#define WORD_LANES 16
#define SCALAR_MASK 0xffffff

/* Where an operand comes from, and what element types there are. */
enum { SOURCE_VECTOR = 0, SOURCE_SCALAR = 1, SOURCE_K3 = 3, TYPE_FP16 = 1 };

/* Predicate modes; every one but these two writes where the predicate is clear. */
enum { ALWAYS = 0, WHERE_SET = 1 };

static u32 chunks_of(u32 length)
{
	return (length + WORD_LANES - 1) / WORD_LANES;
}

u32 sim_vector_cycles(u32 opcode, u32 length)
{
	switch (opcode) {
	case KOHAKU_VSETVL:
	case KOHAKU_VSETMODE:
	case KOHAKU_VSETI:
	case KOHAKU_VLOOP:
	case KOHAKU_VBAR:
	case KOHAKU_VFILL:
	case KOHAKU_VDRAIN:
		return 1;
	default:
		return chunks_of(length);
	}
}

static u16 *l1_word(struct sim_vector *core, u32 instruction, u32 chunk)
{
	const struct sim_vector_descriptor *descriptor =
		&core->descriptors[KOHAKU_GET(KOHAKU_V_AD, instruction)];
	u32 offset = KOHAKU_GET(KOHAKU_V_OFFSET, instruction);
	u64 at = descriptor->base + traffic_offset(descriptor, chunk) + offset;

	/* The offset is signed; its sign is lost in the size of L1. */
	return core->l1[at % KOHAKU_VECTOR_L1];
}

/* Whole words go between L1 and a register, whatever the vector length. */
static u32 load(struct sim_vector *core, u32 instruction)
{
	u16 *lanes = core->registers[KOHAKU_GET(KOHAKU_V_REG, instruction)];
	u32 chunk;

	if (KOHAKU_GET(KOHAKU_V_DTYPE, instruction) != TYPE_FP16)
		return SIM_VECTOR_F_DTYPE;
	for (chunk = 0; chunk < chunks_of(core->length); chunk++)
		memcpy(lanes + chunk * WORD_LANES, l1_word(core, instruction, chunk), KOHAKU_WORD);
	return SIM_VECTOR_OK;
}

static u32 store(struct sim_vector *core, u32 instruction)
{
	const u16 *lanes = core->registers[KOHAKU_GET(KOHAKU_V_REG, instruction)];
	u32 chunk;

	if (KOHAKU_GET(KOHAKU_V_DTYPE, instruction) != TYPE_FP16)
		return SIM_VECTOR_F_DTYPE;
	for (chunk = 0; chunk < chunks_of(core->length); chunk++)
		memcpy(l1_word(core, instruction, chunk), lanes + chunk * WORD_LANES, KOHAKU_WORD);
	return SIM_VECTOR_OK;
}

static bool lane_written(const struct sim_vector *core, u32 instruction, u32 lane)
{
	u32 mode = KOHAKU_GET(KOHAKU_V_PM, instruction);

	if (mode == ALWAYS)
		return true;
	return core->predicates[KOHAKU_GET(KOHAKU_V_PR, instruction)][lane] == (mode == WHERE_SET);
}

/* Rotates the lanes of each word; the predicate guards destination lanes. */
static u32 shuffle(struct sim_vector *core, u32 instruction)
{
	const u16 *a = core->registers[KOHAKU_GET(KOHAKU_V_VA, instruction)];
	u16 *d = core->registers[KOHAKU_GET(KOHAKU_V_VD, instruction)];
	u32 by = core->scalars[KOHAKU_GET(KOHAKU_V_VB, instruction)];
	u16 rotated[WORD_LANES];
	u32 chunk, i;

	for (chunk = 0; chunk < chunks_of(core->length); chunk++) {
		u32 first = chunk * WORD_LANES;

		for (i = 0; i < WORD_LANES; i++)
			rotated[i] = a[first + (i + by) % WORD_LANES];
		for (i = 0; i < WORD_LANES; i++)
			if (lane_written(core, instruction, first + i))
				d[first + i] = rotated[i];
	}
	return SIM_VECTOR_OK;
}

#define FP16_SIGN 0x8000
#define FP16_MAGNITUDE 0x7fff
#define FP16_INFINITY 0x7c00
#define SCALAR_SIGN 0x800000
#define SCALAR_MAGNITUDE 0x7fffff
#define SCALAR_INFINITY 0x7f8000
/* A scalar has 8 bits of exponent and 15 of mantissa, FP16 5 and 10. */
#define MANTISSA_SHIFT 5
#define EXPONENT_SHIFT ((127 - 15) << 15)

/* The same value as a scalar; every FP16 number is one. */
static u32 widen(u16 half)
{
	u32 sign = half & FP16_SIGN ? SCALAR_SIGN : 0;
	u32 magnitude = half & FP16_MAGNITUDE;
	u32 shift = 0;

	if (!magnitude)
		return sign;
	if (magnitude >= FP16_INFINITY)
		return sign | SCALAR_INFINITY | (magnitude - FP16_INFINITY) << MANTISSA_SHIFT;
	if (magnitude >> 10)
		return sign | ((magnitude << MANTISSA_SHIFT) + EXPONENT_SHIFT);
	/* Subnormal: bring the leading bit to where it is implied. */
	while (!(magnitude >> 10)) {
		magnitude <<= 1;
		shift++;
	}
	return sign | ((magnitude << MANTISSA_SHIFT) + EXPONENT_SHIFT - (shift << 15));
}

static bool scalars_equal(u32 a, u32 b)
{
	if ((a & SCALAR_MAGNITUDE) > SCALAR_INFINITY || (b & SCALAR_MAGNITUDE) > SCALAR_INFINITY)
		return false;
	return a == b || !((a | b) & SCALAR_MAGNITUDE);
}

static u32 compare(struct sim_vector *core, u32 instruction)
{
	const u16 *a = core->registers[KOHAKU_GET(KOHAKU_V_VA, instruction)];
	bool *p = core->predicates[KOHAKU_GET(KOHAKU_V_PR, instruction)];
	u32 source = KOHAKU_GET(KOHAKU_V_SB, instruction);
	u32 b = KOHAKU_GET(KOHAKU_V_VB, instruction);
	u32 lane;

	if (KOHAKU_GET(KOHAKU_V_SA, instruction) != SOURCE_VECTOR || source > SOURCE_SCALAR)
		return SIM_VECTOR_F_VSRC;
	for (lane = 0; lane < core->length; lane++) {
		u32 with = source == SOURCE_SCALAR ? core->scalars[b]
						   : widen(core->registers[b][lane]);

		p[lane] = scalars_equal(widen(a[lane]), with);
	}
	return SIM_VECTOR_OK;
}

static void set_scalar(struct sim_vector *core, u32 instruction, u32 value)
{
	if (KOHAKU_GET(KOHAKU_V_SA, instruction) == SOURCE_K3)
		core->constant = value & SCALAR_MASK;
	else
		core->scalars[KOHAKU_GET(KOHAKU_V_VD, instruction)] = value & SCALAR_MASK;
}

static u32 set_length(struct sim_vector *core, u32 instruction)
{
	u32 length = core->scalars[KOHAKU_GET(KOHAKU_V_VA, instruction)];

	if (!length || length > KOHAKU_VECTOR_LANES)
		return SIM_VECTOR_F_VL;
	core->length = length;
	return SIM_VECTOR_OK;
}

static u32 execute(struct sim_vector *core, u32 instruction, u32 next,
		   struct sim_vector_result *result)
{
	switch (KOHAKU_GET(KOHAKU_V_OP, instruction)) {
	case KOHAKU_VCMPEQ:
		return compare(core, instruction);
	case KOHAKU_VLD:
		return load(core, instruction);
	case KOHAKU_VST:
		return store(core, instruction);
	case KOHAKU_VSHUF:
		return shuffle(core, instruction);
	case KOHAKU_VSETVL:
		return set_length(core, instruction);
	case KOHAKU_VSETMODE:
		core->mode = KOHAKU_GET(KOHAKU_V_VA, instruction) & 3;
		return SIM_VECTOR_OK;
	case KOHAKU_VSETI:
		set_scalar(core, instruction, next);
		return SIM_VECTOR_OK;
	case KOHAKU_VBAR:	/* fills are done when they return */
	case KOHAKU_VHALT:
		return SIM_VECTOR_OK;
	case KOHAKU_VFILL:
		return traffic_fill(core, instruction, result);
	case KOHAKU_VDRAIN:
		/* Bit 24 sends to a neighbour, which this core does not have. */
		if (KOHAKU_GET(KOHAKU_V_DTYPE, instruction) & 1)
			return SIM_VECTOR_F_OPCODE;
		return traffic_drain(core, instruction, result);
	default:
		return SIM_VECTOR_F_OPCODE;
	}
}

/*
 * No instruction jumps: a program that has retired as many instructions as there
 * is memory for has come round to where it was, and never halts.
 */
u32 program_run(struct sim_vector *core, u32 pc, struct sim_vector_result *result)
{
	u32 retired;

	for (retired = 0; retired < KOHAKU_VECTOR_IMEM; retired++) {
		u32 instruction = core->imem[pc % KOHAKU_VECTOR_IMEM];
		u32 opcode = KOHAKU_GET(KOHAKU_V_OP, instruction);
		u32 fault = execute(core, instruction, core->imem[(pc + 1) % KOHAKU_VECTOR_IMEM],
				    result);

		result->cycles += sim_vector_cycles(opcode, core->length);
		result->retired++;
		if (fault || opcode == KOHAKU_VHALT)
			return fault;
		pc += opcode == KOHAKU_VSETI ? 2 : 1;
	}
	return SIM_VECTOR_ENDLESS;
}
