/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Test code: nodes and small moves for unit tests.
 */
#ifndef SIM_TEST_MOVES_H
#define SIM_TEST_MOVES_H

#include "sim/node.h"

#define TEST_SRC 0x100000ULL
#define TEST_DST 0x200000ULL

static inline struct sim_node *test_node(u32 meshes, enum sim_complex complex)
{
	struct sim_config config = { .meshes = meshes, .complex = complex, .slot_depth = 1 };

	return sim_node_create(&config);
}

static inline void test_write(struct sim_node *node, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(node, mesh, KOHAKU_CTL_AUX_CFG + offset, value, 0xFF);
}

static inline u64 test_header(u32 walker, u64 base)
{
	return walker | KOHAKU_PUT(KOHAKU_HEADER_BASE, base) | KOHAKU_PUT(KOHAKU_HEADER_NDIM, 1);
}

static inline u64 test_stage(u32 walker, u32 count, s32 stride)
{
	return walker | KOHAKU_PUT(KOHAKU_DIM_COUNT, count) |
	       KOHAKU_PUT(KOHAKU_DIM_STRIDE, (u32)stride);
}

/* One dimension, no windows; extra goes into the header. */
static inline void test_walker(struct sim_node *node, u32 mesh, u32 walker, u64 base, u32 count,
			       s32 stride, u64 extra)
{
	test_write(node, mesh, KOHAKU_REG_HEADER, test_header(walker, base) | extra);
	test_write(node, mesh, KOHAKU_REG_DIM_STAGE, test_stage(walker, count, stride));
	test_write(node, mesh, KOHAKU_REG_DIM_LATCH, 0);
}

static inline void test_go(struct sim_node *node, u32 mesh, u32 mode)
{
	test_write(node, mesh, KOHAKU_REG_CTRL, mode | KOHAKU_CTRL_COALESCE | KOHAKU_CTRL_GO);
}

/* Starts a COPY of words that lie one behind the other. */
static inline void test_copy(struct sim_node *node, u32 mesh, u64 dst, u64 src, u32 words)
{
	test_walker(node, mesh, KOHAKU_WALKER_SRC, src, words, KOHAKU_WORD, 0);
	test_walker(node, mesh, KOHAKU_WALKER_DST, dst, words, KOHAKU_WORD, 0);
	test_go(node, mesh, KOHAKU_MODE_COPY);
}

static inline u64 test_status(struct sim_node *node, u32 mesh)
{
	return sim_window_read(node, mesh, KOHAKU_CTL_AUX_STAT);
}

static inline u32 test_fault(struct sim_node *node, u32 mesh)
{
	return KOHAKU_GET(KOHAKU_STAT_FAULT, test_status(node, mesh));
}

/* Host address of a byte of a mesh's memory. */
static inline u64 test_host(u32 mesh, u64 addr)
{
	return KOHAKU_HOST_WINDOW(mesh) | KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh) | addr;
}

/* Words of bytes that tell where they come from. */
static inline void test_put(struct sim_node *node, u32 mesh, u64 addr, u32 words, u8 mark)
{
	u8 word[KOHAKU_WORD];
	u32 i;

	for (i = 0; i < words; i++) {
		memset(word, mark, sizeof(word));
		memcpy(word, &i, sizeof(i));
		sim_mem_write(node, test_host(mesh, addr + i * KOHAKU_WORD), word, sizeof(word));
	}
}

/* How many of the words at addr are those that test_put() made, from the first on. */
static inline u32 test_count(struct sim_node *node, u32 mesh, u64 addr, u32 words, u8 mark)
{
	u8 word[KOHAKU_WORD], wanted[KOHAKU_WORD];
	u32 i;

	for (i = 0; i < words; i++) {
		memset(wanted, mark, sizeof(wanted));
		memcpy(wanted, &i, sizeof(i));
		sim_mem_read(node, test_host(mesh, addr + i * KOHAKU_WORD), word, sizeof(word));
		if (memcmp(word, wanted, sizeof(word)))
			break;
	}
	return i;
}

#endif
