/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Test code: random moves, run on the model and by the oracle, and compared.
 */
#ifndef SIM_MOVER_WORLD_H
#define SIM_MOVER_WORLD_H

#include "hw/testing.h"

#include "sim/mesh.h"
#include "sim/mover_oracle.h"

#define ELEMENTS_MAX 3000

struct world {
	struct sim_node *node;
	struct sim_memory flat;
	struct oracle oracle;
	struct oracle_bursts reads, writes;
};

static void fill(void *ctx, u64 offset, void *chunk, size_t size)
{
	u64 *lane = chunk;
	size_t i;

	(void)ctx;
	for (i = 0; i < size / 8; i++)
		lane[i] = (offset + 8 * i) * 0x9E3779B97F4A7C15ULL;
}

static void on_read(void *ctx, u64 addr, u32 beats, bool index)
{
	struct oracle_bursts *bursts = &((struct world *)ctx)->reads;

	(void)index;
	bursts->list[bursts->count++] = (struct oracle_burst){ addr, beats };
}

static void on_write(void *ctx, u64 addr, u32 beats)
{
	struct oracle_bursts *bursts = &((struct world *)ctx)->writes;

	bursts->list[bursts->count++] = (struct oracle_burst){ addr, beats };
}

static void renew_memory(struct sim_memory *memory, u32 chunk_shift)
{
	sim_memory_destroy(memory);
	assert_int_equal(sim_memory_init(memory, 1ULL << 40, chunk_shift), 0);
	memory->fill = fill;
}

static s32 random_stride(void)
{
	switch (random_below(8)) {
	case 0:
		return 0;
	case 1:
		return -32;
	case 2:
		return (s32)random_below(64) - 32;
	case 3:
		return (s32)(random_below(1U << 27) << 5);	/* wraps sooner or later */
	case 4:
		return 32 * ((s32)random_below(400) - 200);
	default:
		return 32;
	}
}

/* Loops that often continue one another, so that merging is put to the test. */
static void random_dims(struct sim_walker_regs *regs)
{
	u32 total = 1;
	int i;

	regs->ndim = random_below(8);
	for (i = 5; i >= 0; i--) {
		struct sim_dim_regs *dim = &regs->dims[i];

		*dim = (struct sim_dim_regs){ random_below(7), random_stride(), 0, 0 };
		if (!random_below(6) && total < 40)
			dim->count = random_below(ELEMENTS_MAX / 50);
		if (total * (dim->count + 1) > ELEMENTS_MAX)
			dim->count = 1;
		total *= dim->count ? dim->count : 1;
		if (i < 5 && random_below(2))
			dim->stride = (s32)((u32)dim[1].stride *
					    (dim[1].count ? dim[1].count : 1));
		if (random_below(2))
			continue;
		dim->axis = random_below(4);
		dim->step = random_below(3) ? (s16)(random_below(5) - 2) : (s16)random_below(65536);
	}
}

static void random_walker(struct sim_walker_regs *regs, u64 base)
{
	u32 axis;

	random_dims(regs);
	regs->base = random_below(12) ? base & ~31ULL : base;
	if (!random_below(20))
		regs->base = ORACLE_MASK - random_below(4096);
	for (axis = 0; axis < 2; axis++) {
		struct sim_window_regs *window = &regs->windows[axis];

		*window = (struct sim_window_regs){ 0 };
		if (random_below(3))
			continue;
		window->base = random_below(4) ? (s16)(random_below(8) - 4)
					       : (s16)random_below(65536);
		window->extent = random_below(4) ? random_below(30) : random_below(65536);
		if (!random_below(6))
			*window = (struct sim_window_regs){ S16_MAX - random_below(6), 40000 };
	}
}

static void random_registers(struct sim_registers *regs)
{
	static const u8 modes[] = { 0, 0, 0, 0, 2, 2, 3, 4, 4, 5, 5, 6, 7, 1 };

	sim_registers_reset(regs);
	regs->mode = modes[random_below(ARRAY_SIZE(modes))];
	regs->width = random_below(30) ? random_below(3) : 3;
	regs->flags = random_below(256) << 8;
	regs->imm = (u32)random_below(1ULL << 32);
	regs->seed = random_below(1ULL << 50);
	/* Now and then both sides share memory. */
	random_walker(&regs->walkers[0], random_below(1ULL << 30));
	random_walker(&regs->walkers[1], random_below(4) ? random_below(1ULL << 39) :
						   regs->walkers[0].base + 32 * random_below(40));
	regs->gather_base = regs->walkers[0].base;
	regs->index_base = random_below(1ULL << 39) & ~31ULL;
	regs->index_count = random_below(25) ? random_below(60) : 2040 + random_below(10);
	regs->pitch = random_below(2) ? 32 * random_below(300) : (u32)(random_below(1U << 27) << 5);
	regs->row_words = random_below(10) ? random_below(20) : 0;
	regs->xform = random_below(7);
	regs->xform_mode = random_below(2);
	/* Most transforms should be whole. */
	if (regs->mode == 5 && random_below(3)) {
		regs->walkers[0].dims[5].count = 8;
		regs->walkers[0].dims[5].stride = 32 << random_below(2);
		regs->walkers[0].ndim = 6;
		regs->walkers[0].windows[0].extent = 0;
		regs->walkers[0].windows[1].extent = 0;
		regs->walkers[1].dims[5].stride = 128;
	}
}

static void assert_same_bursts(const struct oracle_bursts *got, const struct oracle_bursts *wanted)
{
	u32 i;

	assert_int_equal(got->count, wanted->count);
	for (i = 0; i < got->count; i++) {
		assert_int_equal(got->list[i].addr, wanted->list[i].addr);
		assert_int_equal(got->list[i].beats, wanted->list[i].beats);
	}
}

/* Every chunk that either side touched. */
static void assert_same_memory(const struct sim_memory *one, struct sim_memory *other)
{
	u64 leaves = one->size >> one->chunk_shift >> one->leaf_bits;
	u64 i, k;

	for (i = 0; i < leaves; i++) {
		for (k = 0; one->root[i] && k < 1ULL << one->leaf_bits; k++) {
			u64 offset = ((i << one->leaf_bits) + k) << one->chunk_shift;

			if (one->root[i][k])
				assert_memory_equal(one->root[i][k],
						    sim_memory_get(other, offset),
						    sim_memory_chunk_size(one));
		}
	}
}

static void run_in_slices(struct world *world, bool watched)
{
	struct sim_probe probe = { on_read, on_write, NULL, world };
	struct sim_mesh *mesh = &world->node->meshes[0];
	u32 slice = 1 + random_below(random_once_in(2) ? 200 : 2 * ELEMENTS_MAX);

	sim_mesh_probe(world->node, 0, watched ? &probe : &(struct sim_probe){ 0 });
	world->reads.count = 0;
	world->writes.count = 0;
	sim_window_write(world->node, 0, KOHAKU_CTL_AUX_CFG,
			 mesh->mover.regs.mode | mesh->mover.regs.width << 3 |
				 mesh->mover.regs.flags | KOHAKU_CTRL_GO, 0xFF);
	while (sim_mesh_run(world->node, 0, slice))
		assert_false(mesh->mover.hung);
}

static void compare_move(struct world *world, const struct sim_registers *regs, bool watched)
{
	struct sim_mesh *mesh = &world->node->meshes[0];
	struct sim_counters before = mesh->counters;
	u32 done = mesh->mover.done;

	mesh->mover.regs = *regs;
	run_in_slices(world, watched);
	assert_int_equal(mesh->mover.fault, world->oracle.fault);
	assert_int_equal(mesh->mover.done - done, !world->oracle.fault);
	if (watched) {
		assert_same_bursts(&world->reads, &world->oracle.reads);
		assert_same_bursts(&world->writes, &world->oracle.writes);
	}
	assert_int_equal(mesh->counters.read_bursts - before.read_bursts,
			 world->oracle.reads.count);
	assert_int_equal(mesh->counters.write_bursts - before.write_bursts,
			 world->oracle.writes.count);
	assert_int_equal(mesh->bank.fault, world->oracle.bank.fault);
}

#endif
