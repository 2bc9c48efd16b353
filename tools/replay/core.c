// SPDX-License-Identifier: GPL-2.0
#include "core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *core_memory(struct core *core, u64 addr, size_t size)
{
	if (addr >= CORE_DRAM && addr - CORE_DRAM <= CORE_DRAM_SIZE - size)
		return core->dram + (addr - CORE_DRAM);
	if (addr >= CORE_STAGING && addr - CORE_STAGING <= CORE_STAGING_SIZE - size)
		return core->staging + (addr - CORE_STAGING);
	return NULL;
}

static int read_memory(void *ctx, u64 addr, void *bytes, size_t size)
{
	void *at = core_memory(ctx, addr, size);

	if (!at)
		return -EINVAL;
	memcpy(bytes, at, size);
	return 0;
}

static int write_memory(void *ctx, u64 addr, const void *bytes, size_t size)
{
	void *at = core_memory(ctx, addr, size);

	if (!at)
		return -EINVAL;
	memcpy(at, bytes, size);
	return 0;
}

bool core_open(struct core *core)
{
	const struct sim_vector_memory memory = { read_memory, write_memory, core };

	memset(core, 0, sizeof(*core));
	core->dram = calloc(1, CORE_DRAM_SIZE);
	core->staging = calloc(1, CORE_STAGING_SIZE);
	core->vector = sim_vector_create(&memory);
	if (!core->dram || !core->staging || !core->vector)
		return false;
	memcpy(core_memory(core, CORE_INDEX, KOHAKU_WORD), kohaku_vector_index, KOHAKU_WORD);
	return true;
}

void core_close(struct core *core)
{
	free(core->dram);
	free(core->staging);
	if (core->vector)
		sim_vector_destroy(core->vector);
}

static int flush(struct core *core)
{
	struct sim_vector_result result;
	int error = sim_vector_take(core->vector, core->round, core->round_flits, &result);

	if (error)
		return error;
	core->flits += result.flits;
	core->cycles += result.cycles;
	core->retired += result.retired;
	core->faults += result.faults;
	core->round_flits = 0;
	return 0;
}

static int put(void *ctx, const struct kohaku_flit *flit)
{
	struct core *core = ctx;
	int error = core->watch ? core->watch(core->watch_ctx, flit) : 0;

	if (error)
		return error;
	core->round[core->round_flits++] = *flit;
	return core->round_flits == KOHAKU_VECTOR_ROUND ? flush(core) : 0;
}

bool core_run(struct core *core, const struct kohaku_vector_pass *pass,
	      const struct kohaku_vector_pair *pairs, u32 count)
{
	const struct kohaku_flit_sink sink = { put, core };

	core->round_flits = 0;
	core->flits = 0;
	core->cycles = 0;
	core->retired = 0;
	core->faults = 0;
	if (kohaku_vector_check(pass) ||
	    kohaku_vector_emit(pass, pairs, count, CORE_INDEX, &sink) || flush(core))
		return false;
	return !core->faults;
}
