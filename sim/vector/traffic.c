// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Fills and drains: words between memory and L1. */
#include "program.h"

#include "sim/cost.h"

static u32 bound_of(const struct sim_vector_descriptor *descriptor, u32 dim)
{
	return descriptor->bound[dim] ? descriptor->bound[dim] : 1;
}

static u64 length_of(const struct sim_vector_descriptor *descriptor)
{
	u64 length = 1;
	u32 dim;

	for (dim = 0; dim < KOHAKU_VECTOR_DIMS; dim++)
		length *= bound_of(descriptor, dim);
	return length;
}

s64 traffic_offset(const struct sim_vector_descriptor *descriptor, u32 i)
{
	u64 length = length_of(descriptor);
	s64 offset = 0;
	u32 dim;

	if (i >= length)
		i = length - 1;
	for (dim = 0; dim < KOHAKU_VECTOR_DIMS && i; dim++) {
		offset += (s64)descriptor->stride[dim] * (i % bound_of(descriptor, dim));
		i /= bound_of(descriptor, dim);
	}
	return offset;
}

/* A walk's words, one address after the other. */
struct walk {
	const struct sim_vector_descriptor *descriptor;
	u32 length;
	u32 l1;
};

static u32 walk_start(struct sim_vector *core, u32 instruction, struct walk *walk)
{
	u64 length;

	walk->descriptor = &core->descriptors[KOHAKU_GET(KOHAKU_V_AD, instruction)];
	length = length_of(walk->descriptor);
	if (length > KOHAKU_VECTOR_WALK_MAX)
		return SIM_VECTOR_F_LEN;
	walk->length = length;
	walk->l1 = KOHAKU_GET(KOHAKU_V_OFFSET, instruction);
	return SIM_VECTOR_OK;
}

static u64 walk_address(const struct walk *walk, u32 i)
{
	return (walk->descriptor->base + traffic_offset(walk->descriptor, i)) & KOHAKU_ADDR_MASK;
}

/* Does word i begin a burst?  Bursts are of adjacent words in one page. */
static bool walk_starts_burst(const struct walk *walk, u32 i)
{
	u64 addr = walk_address(walk, i);

	return !i || addr % KOHAKU_BURST_PAGE == 0 ||
	       addr != walk_address(walk, i - 1) + KOHAKU_WORD;
}

static u16 *walk_l1(struct sim_vector *core, const struct walk *walk, u32 i)
{
	return core->l1[(walk->l1 + i) % KOHAKU_VECTOR_L1];
}

u32 traffic_fill(struct sim_vector *core, u32 instruction, struct sim_vector_result *result)
{
	const struct sim_vector_memory *memory = &core->memory;
	struct walk walk;
	u32 fault = walk_start(core, instruction, &walk);
	u32 i;

	for (i = 0; !fault && i < walk.length; i++) {
		if (memory->read(memory->ctx, walk_address(&walk, i), walk_l1(core, &walk, i),
				 KOHAKU_WORD))
			return SIM_VECTOR_MEMORY;
		result->words_read++;
		result->read_bursts += walk_starts_burst(&walk, i);
	}
	return fault;
}

u32 traffic_drain(struct sim_vector *core, u32 instruction, struct sim_vector_result *result)
{
	const struct sim_vector_memory *memory = &core->memory;
	struct walk walk;
	u32 fault = walk_start(core, instruction, &walk);
	u32 i;

	for (i = 0; !fault && i < walk.length; i++) {
		if (memory->write(memory->ctx, walk_address(&walk, i), walk_l1(core, &walk, i),
				  KOHAKU_WORD))
			return SIM_VECTOR_MEMORY;
		result->words_written++;
		result->write_bursts += walk_starts_burst(&walk, i);
	}
	return fault;
}

/* A core fills and then drains, so unlike in a move the two add up. */
u64 sim_vector_traffic_cycles(const struct sim_vector_result *result)
{
	const struct sim_effort fills = {
		.mode = KOHAKU_MODE_COPY,
		.elements = result->words_read,
		.reads = result->read_bursts,
		.read_words = result->words_read,
	};
	const struct sim_effort drains = {
		.mode = KOHAKU_MODE_COPY,
		.elements = result->words_written,
		.writes = result->write_bursts,
		.write_words = result->words_written,
	};

	return sim_cost(&fills) + sim_cost(&drains) - 2 * SIM_COST_MOVE;
}
