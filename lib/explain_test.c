// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Why a job was refused, in words that name the place.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "kohaku.h"

#define PAGE 4096

static struct kohaku_device *device;
static struct kohaku_buffer *buffer;

static void open_node(const char *name)
{
	assert_int_equal(kohaku_open(name, &device), 0);
	assert_int_equal(kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, PAGE, &buffer), 0);
}

/* Submits one operation that is wrong, and looks for words in the explanation. */
static void assert_explained(const struct kohaku_op *op, int error, const char *words)
{
	struct kohaku_submit submit = {
		.size = sizeof(submit), .ops = (uintptr_t)op, .count = 1, .stride = sizeof(*op),
	};
	char reason[KOHAKU_REASON_SIZE];

	assert_int_equal(kohaku_device_command(device, KOHAKU_SUBMIT, &submit), error);
	kohaku_device_reason(device, reason, sizeof(reason));
	if (!strstr(reason, words))
		fail_msg("'%s' does not say '%s'", reason, words);
}

static struct kohaku_op fill_op(void)
{
	return (struct kohaku_op){
		.opcode = KOHAKU_OP_MOVE,
		.move = {
			.mode = KOHAKU_MOVE_FILL,
			.dst = { .buffer = kohaku_buffer_id(buffer), .ndim = 2,
				 .dims = { { 1024, 2, 0, 0 }, { 32, 4, 0, 0 } } },
		},
	};
}

static void moves_name_the_walker_and_the_dimension(void **state)
{
	struct kohaku_op op;

	(void)state;
	open_node("sim:");
	op = fill_op();
	op.move.dst.dims[1].count = 0;
	assert_explained(&op, -EINVAL, "operation 0, destination walker, dimension 1: ");
	op = fill_op();
	op.move.dst.buffer = 99;
	assert_explained(&op, -ENOENT, "there is no buffer 99");
	op.move.mode = KOHAKU_MOVE_COPY;
	op.move.src = op.move.dst;
	op.move.dst.buffer = kohaku_buffer_id(buffer);
	op.move.src.buffer = 98;
	assert_explained(&op, -ENOENT, "there is no buffer 98");
	op = fill_op();
	op.flags = 1U << 31;
	assert_explained(&op, -EOPNOTSUPP, "unknown opcode or flag");
	op = fill_op();
	op.move.mode = 1;
	assert_explained(&op, -EOPNOTSUPP, "operation 0: ");
	kohaku_close(device);
}

/* Dims that move both axes at once cannot be judged without looking at elements. */
static void coupled_windows_are_judged_like_the_node_does(void **state)
{
	struct kohaku_op op;
	uint32_t i;

	(void)state;
	open_node("sim:");
	op = fill_op();
	op.move.dst.ndim = 4;
	for (i = 0; i < 4; i++)
		op.move.dst.dims[i] = (struct kohaku_dim){
			.stride = (i * 1024 + 64) * 32, .count = 5, .step = (__s16)(i % 2 ? -3 : 5),
			.axis = 1,
		};
	op.move.dst.windows[0] = (struct kohaku_window){ .base = 0, .extent = 4 };
	assert_explained(&op, -EINVAL, "destination walker: the walk leaves its buffer");
	kohaku_close(device);
}

static void relayouts_say_what_is_not_there(void **state)
{
	struct kohaku_op op = {
		.opcode = KOHAKU_OP_RELAYOUT,
		.relayout = { .words = 1, .ndim = 1, .runs = 1, .count = 1,
			      .dims = { { 32, 1 } }, .src_buffer = 50, .dst_buffer = 51 },
	};

	(void)state;
	open_node("sim:");
	assert_explained(&op, -ENOENT, "there is no buffer 50");
	op.relayout.src_buffer = kohaku_buffer_id(buffer);
	assert_explained(&op, -ENOENT, "there is no buffer 51");
	op.relayout.dst_buffer = kohaku_buffer_id(buffer);
	op.relayout.runs = 0;
	assert_explained(&op, -EINVAL, "a block has no runs, or too many");
	kohaku_close(device);
}

static void nodes_without_a_part_say_so(void **state)
{
	struct kohaku_op transfer = {
		.opcode = KOHAKU_OP_TRANSFER,
		.transfer = { .stride = sizeof(struct kohaku_transfer_insn) },
	};

	(void)state;
	open_node("sim:fabric=none");
	assert_explained(&transfer, -EOPNOTSUPP, "no transfer fabric");
	kohaku_close(device);
	open_node("sim:meshes=2");
	transfer.mesh = 1;
	assert_explained(&transfer, -EINVAL, "in the queue of mesh 0");
	transfer.mesh = 0;
	transfer.transfer.count = 1025;
	assert_explained(&transfer, -EINVAL, "1025 instructions; a program takes 1024");
	kohaku_close(device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_name_the_walker_and_the_dimension),
		cmocka_unit_test(coupled_windows_are_judged_like_the_node_does),
		cmocka_unit_test(relayouts_say_what_is_not_there),
		cmocka_unit_test(nodes_without_a_part_say_so),
	};

	return cmocka_run_group_tests_name("lib/explain", tests, NULL, NULL);
}
