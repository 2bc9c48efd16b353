// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Flits into a vector core. */
#include "program.h"

#include "sim/env.h"

struct sim_vector *sim_vector_create(const struct sim_vector_memory *memory)
{
	struct sim_vector *core = env_alloc(sizeof(*core));

	if (!core)
		return NULL;
	core->memory = *memory;
	sim_vector_reset(core);
	return core;
}

void sim_vector_destroy(struct sim_vector *core)
{
	env_free(core);
}

void sim_vector_reset(struct sim_vector *core)
{
	u32 i, dim;

	memset(core->imem, 0, sizeof(core->imem));
	memset(core->descriptors, 0, sizeof(core->descriptors));
	memset(core->registers, 0, sizeof(core->registers));
	memset(core->scalars, 0, sizeof(core->scalars));
	memset(core->predicates, 0, sizeof(core->predicates));
	for (i = 0; i < KOHAKU_VECTOR_DESCRIPTORS; i++)
		for (dim = 0; dim < KOHAKU_VECTOR_DIMS; dim++)
			core->descriptors[i].bound[dim] = 1;
	core->constant = 0;
	core->length = KOHAKU_VECTOR_LANES;
	core->mode = 0;
}

static s32 sign_extend(u64 value, u32 bits)
{
	return (s32)((u32)value << (32 - bits)) >> (32 - bits);
}

static void set_descriptor(struct sim_vector *core, const struct kohaku_flit_fields *fields)
{
	struct sim_vector_descriptor *descriptor = &core->descriptors[fields->index];

	if (!fields->field) {
		descriptor->base = fields->value;
		return;
	}
	descriptor->stride[fields->field - 1] =
		sign_extend(KOHAKU_GET(KOHAKU_DESC_STRIDE, fields->value), 18);
	descriptor->bound[fields->field - 1] = KOHAKU_GET(KOHAKU_DESC_BOUND, fields->value);
}

static void take_run(struct sim_vector *core, u32 pc, struct sim_vector_result *result)
{
	u32 fault = program_run(core, pc, result);

	result->runs++;
	if (!fault)
		return;
	if (!result->faults++) {
		result->fault = fault;
		result->fault_flit = result->flits;
	}
}

static void take(struct sim_vector *core, const struct kohaku_flit_fields *fields,
		 struct sim_vector_result *result)
{
	switch (fields->kind) {
	case KOHAKU_FLIT_IMEM:
		core->imem[fields->index] = fields->value;
		result->cycles++;
		break;
	case KOHAKU_FLIT_DESC:
		set_descriptor(core, fields);
		result->cycles++;
		break;
	case KOHAKU_FLIT_RUN:
		take_run(core, fields->index, result);
		break;
	}
	result->flits++;
}

int sim_vector_take(struct sim_vector *core, const struct kohaku_flit *flits, u32 count,
		    struct sim_vector_result *result)
{
	struct kohaku_flit_fields fields;
	u32 i;

	memset(result, 0, sizeof(*result));
	if (count > KOHAKU_VECTOR_ROUND)
		return -EINVAL;
	for (i = 0; i < count; i++)
		if (kohaku_flit_decode(&flits[i], &fields))
			return -EINVAL;
	for (i = 0; i < count; i++) {
		kohaku_flit_decode(&flits[i], &fields);
		take(core, &fields, result);
	}
	return 0;
}
