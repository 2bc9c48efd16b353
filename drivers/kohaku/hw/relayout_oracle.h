/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Test code: random RELAYOUTs, an oracle that looks at every word of every run, and
 * a node to run them on.
 */
#ifndef KOHAKU_HW_RELAYOUT_ORACLE_H
#define KOHAKU_HW_RELAYOUT_ORACLE_H

#include "testing.h"

#include "dispatch.h"
#include "relayout.h"
#include "sim/node.h"

#define BLOCK_MAX 64
#define BUFFER (256 * KOHAKU_WORD)
#define SRC 0x1000ULL
#define DST (SRC + BUFFER)
/* Words of both buffers. */
#define MAP (2 * BUFFER / KOHAKU_WORD)
#define INDEX 0x40ULL

static u32 starts[BLOCK_MAX];

/* Where word i of run r lies in its block; -1: the plan is malformed. */
static s64 oracle_walk(const struct kohaku_relayout *plan, const u32 *first, u32 run, u32 i)
{
	s64 at = first ? (s64)first[run] * KOHAKU_WORD
		       : (s64)run * plan->words * KOHAKU_WORD;

	for (int dim = plan->ndim - 1; dim >= 0; dim--) {
		at += (s64)plan->dims[dim].stride * (i % plan->dims[dim].count);
		i /= plan->dims[dim].count;
	}
	return at;
}

static bool oracle_fields(const struct kohaku_relayout *plan)
{
	u64 product = 1;

	if (plan->ndim > 4 || !plan->count || !plan->words || plan->words > 256)
		return false;
	if (plan->flags & KOHAKU_RELAYOUT_TRANSPOSE && plan->words % 16)
		return false;
	for (u32 i = 0; i < 4; i++) {
		const struct kohaku_relayout_dim *dim = &plan->dims[i];

		if (i >= plan->ndim) {
			if (dim->stride || dim->count)
				return false;
			continue;
		}
		if (dim->stride % 32 || dim->stride < -131072 || dim->stride > 131071)
			return false;
		product *= dim->count;
		if (!dim->count || product > 256)
			return false;
	}
	return product == plan->words;
}

/* Gaps between blocks count as theirs. */
static void close_gaps(const u8 *words, u32 *first, u32 *last)
{
	*first = U32_MAX;
	for (u32 i = 0; i < MAP; i++) {
		if (!words[i])
			continue;
		*first = min(*first, i);
		*last = i;
	}
}

static bool spans_meet(const u8 *a, const u8 *b)
{
	u32 first_a, last_a = 0, first_b, last_b = 0;

	close_gaps(a, &first_a, &last_a);
	close_gaps(b, &first_b, &last_b);
	return first_a <= last_b && first_b <= last_a;
}

/* Every word that the plan touches, by enumeration. */
static bool oracle_accepts(const struct kohaku_relayout_task *task)
{
	const struct kohaku_relayout *plan = task->relayout;
	bool in_place = plan->flags & KOHAKU_RELAYOUT_IN_PLACE;
	s64 block = (s64)plan->words * plan->runs * KOHAKU_WORD;
	static u8 read[MAP], written[MAP];

	if (!oracle_fields(plan) || plan->src_offset % 32 || plan->dst_offset % 32 ||
	    plan->src_stride % 32 || plan->dst_stride % 32)
		return false;
	memset(read, 0, sizeof(read));
	memset(written, 0, sizeof(written));
	for (u32 b = 0; b < plan->count; b++) {
		__int128 src = (__int128)plan->src_offset + (__int128)b * plan->src_stride;
		__int128 dst = (__int128)plan->dst_offset + (__int128)b * plan->dst_stride;

		if (src + block > (__int128)task->src.size ||
		    dst + block > (__int128)task->dst.size)
			return false;
		src += task->src.addr - SRC;
		dst += task->dst.addr - SRC;
		for (s64 at = 0; at < block; at += KOHAKU_WORD) {
			read[(src + at) / KOHAKU_WORD] = 1;
			if (written[(dst + at) / KOHAKU_WORD]++)
				return false;
		}
	}
	if (in_place && (task->src.addr + plan->src_offset != task->dst.addr + plan->dst_offset ||
			 (plan->count > 1 && plan->src_stride != plan->dst_stride)))
		return false;
	if (!in_place && spans_meet(read, written))
		return false;
	for (u32 run = 0; run < plan->runs; run++) {
		u8 hit[256] = { 0 };

		for (u32 i = 0; i < plan->words; i++) {
			s64 at = oracle_walk(plan, task->starts, run, i);
			s64 in_run = at / KOHAKU_WORD - (s64)run * plan->words;

			if (at < 0 || at >= block)
				return false;
			if (in_place && (in_run < 0 || in_run >= plan->words || hit[in_run]++))
				return false;
		}
	}
	return true;
}

/* Mostly right, with something wrong now and then. */
static void random_plan(struct kohaku_relayout *plan, struct kohaku_relayout_task *task)
{
	u32 left, stride = 1;
	bool near = random_once_in(3);

	*plan = (struct kohaku_relayout){
		.mode = random_between(0, 1),
		.words = 1 << random_between(0, 4),
		.runs = random_between(1, 4),
		.count = random_between(1, 3),
	};
	if (plan->words == 16 && random_once_in(2))
		plan->flags |= KOHAKU_RELAYOUT_TRANSPOSE;
	left = plan->words;
	plan->ndim = random_between(0, 3);
	for (int i = plan->ndim - 1; i >= 0; i--) {
		u32 count = i ? 1U << random_between(0, 2) : left;

		count = count > left ? left : count;
		plan->dims[i].count = count;
		plan->dims[i].stride = (s32)stride * KOHAKU_WORD;
		stride *= count;
		left /= count;
	}
	if (plan->ndim && random_once_in(4))
		plan->dims[random_between(0, plan->ndim - 1)].stride =
			32 * ((s32)random_between(0, 20) - 10);
	for (u32 i = 0; i < plan->runs; i++)
		starts[i] = near ? i * plan->words
				 : random_between(0, plan->words * plan->runs - 1);
	if (!near && random_once_in(2))
		for (u32 i = 0; i < plan->runs; i++)
			starts[i] = (plan->runs - 1 - i) * plan->words;
	plan->src_offset = 32 * random_between(0, 64);
	plan->dst_offset = 32 * random_between(0, 64);
	plan->src_stride = (u64)plan->words * plan->runs * 32;
	plan->dst_stride = plan->src_stride + 32 * random_between(0, 8);
	*task = (struct kohaku_relayout_task){
		.relayout = plan,
		.starts = random_once_in(3) ? NULL : starts,
		.src = { SRC, BUFFER },
		.dst = { DST, BUFFER },
	};
	if (random_once_in(3)) {
		plan->flags |= KOHAKU_RELAYOUT_IN_PLACE;
		task->dst = task->src;
		plan->dst_offset = plan->src_offset;
		plan->dst_stride = plan->src_stride;
	}
}

static void spoil(struct kohaku_relayout *plan, struct kohaku_relayout_task *task)
{
	u64 wild = random_bits() >> (random_once_in(2) ? 0 : 51);
	u32 dim = random_between(0, 3);

	switch (random_between(0, 11)) {
	case 0:
		plan->words += 1;
		break;
	case 1:
		plan->ndim = random_between(0, 6);
		break;
	case 2:
		plan->count = random_once_in(2) ? 0 : U32_MAX;
		break;
	case 3:
		plan->dims[dim].count = random_once_in(2) ? 0 : U32_MAX;
		break;
	case 4:
		plan->dims[dim].stride = random_bits();
		break;
	case 5:
		plan->src_offset = wild;
		break;
	case 6:
		plan->dst_offset = wild & ~31ULL;
		break;
	case 7:
		plan->src_stride = wild & ~31ULL;
		break;
	case 8:
		plan->dst_stride = random_once_in(2) ? 0 : wild & ~31ULL;
		break;
	case 9:
		starts[0] = random_once_in(2) ? U32_MAX : BLOCK_MAX;
		break;
	case 10:
		task->dst = task->src;
		break;
	case 11:
		plan->words = random_once_in(2) ? 0 : 512;
		break;
	}
}

static u64 bus_read(void *ctx, u32 mesh, u32 offset)
{
	return sim_window_read(ctx, mesh, offset);
}

static void bus_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(ctx, mesh, offset, value, 0xff);
}

static struct sim_node *node;
static struct kohaku_bus bus = { .read64 = bus_read, .write64 = bus_write };
static u8 before[MAP][KOHAKU_WORD], expected[MAP][KOHAKU_WORD], after[MAP][KOHAKU_WORD];

/* A node whose buffers hold random words; 0, or -1. */
static int open_node(void)
{
	const struct sim_config config = { .meshes = 1, .slot_depth = 1 };

	node = sim_node_create(&config);
	bus.ctx = node;
	for (u32 i = 0; i < MAP; i++)
		for (u32 j = 0; j < KOHAKU_WORD; j++)
			before[i][j] = random_bits();
	if (!node || sim_mem_write(node, KOHAKU_HOST_WINDOW(0) + INDEX, kohaku_vector_index,
				   KOHAKU_WORD))
		return -1;
	return sim_mem_write(node, KOHAKU_HOST_WINDOW(0) + SRC, before, sizeof(before));
}

/* Granule i of word j becomes granule j of word i, in every four words. */
static void transpose(u8 (*words)[KOHAKU_WORD], u32 count)
{
	for (u32 four = 0; four < count; four += 4)
		for (u32 i = 0; i < 4; i++)
			for (u32 j = 0; j < i; j++) {
				u8 granule[8];

				memcpy(granule, words[four + i] + 8 * j, 8);
				memcpy(words[four + i] + 8 * j, words[four + j] + 8 * i, 8);
				memcpy(words[four + j] + 8 * i, granule, 8);
			}
}

/* What a run does, from before to expected. */
static void expect_run(const struct kohaku_relayout_task *task, u32 block, u32 run)
{
	const struct kohaku_relayout *plan = task->relayout;
	u64 src = task->src.addr - SRC + plan->src_offset + block * plan->src_stride;
	u64 dst = task->dst.addr - SRC + plan->dst_offset + block * plan->dst_stride;
	u64 in_order = (u64)run * plan->words * KOHAKU_WORD;
	u8 words[256][KOHAKU_WORD];

	for (u32 i = 0; i < plan->words; i++) {
		u64 from = plan->mode == KOHAKU_RELAYOUT_FILL ?
			(u64)oracle_walk(plan, task->starts, run, i) : in_order + i * KOHAKU_WORD;

		memcpy(words[i], before[(src + from) / KOHAKU_WORD], KOHAKU_WORD);
	}
	if (plan->flags & KOHAKU_RELAYOUT_TRANSPOSE)
		transpose(words, plan->words);
	for (u32 i = 0; i < plan->words; i++) {
		u64 to = plan->mode == KOHAKU_RELAYOUT_FILL ? in_order + i * KOHAKU_WORD :
			(u64)oracle_walk(plan, task->starts, run, i);

		memcpy(expected[(dst + to) / KOHAKU_WORD], words[i], KOHAKU_WORD);
	}
}

static void run_plan(const struct kohaku_relayout_task *task)
{
	struct kohaku_vector_program program;
	struct kohaku_dispatch dispatch;
	u32 fault = 99;
	int error;

	kohaku_relayout_program(task, INDEX, &program);
	assert_int_equal(kohaku_dispatch_start(&dispatch, &bus, 0, &program), 0);
	do
		error = kohaku_dispatch_poll(&dispatch, &fault);
	while (error == -EINPROGRESS);
	assert_int_equal(error, 0);
	assert_int_equal(fault, KOHAKU_FAULT_NONE);
	assert_int_equal(dispatch.flits, kohaku_vector_program_flits(&program));
	assert_int_equal(dispatch.cycles,
			 dispatch.flits + (u64)task->relayout->runs * task->relayout->count *
			 (kohaku_vector_run_cycles(task->relayout->words,
						   program.pass.transpose) - 1));
}

/* Runs a checked plan, and compares every word of both buffers. */
static void check_run(const struct kohaku_relayout_task *task)
{
	memcpy(expected, before, sizeof(before));
	for (u32 block = 0; block < task->relayout->count; block++)
		for (u32 run = 0; run < task->relayout->runs; run++)
			expect_run(task, block, run);
	run_plan(task);
	assert_int_equal(sim_mem_read(node, KOHAKU_HOST_WINDOW(0) + SRC, after, sizeof(after)), 0);
	assert_memory_equal(after, expected, sizeof(after));
	memcpy(before, after, sizeof(before));
}

#endif
