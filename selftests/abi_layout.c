// SPDX-License-Identifier: GPL-2.0
/*
 * The facts of the ABI that must never change: command numbers, sizes, offsets.
 * Struct sizes only ever grow; a released offset or number stays for good.
 */
#include "kohaku_test.h"

#define EXPECT_OFFSET(type, member, offset) \
	EXPECT_EQ((size_t)(offset), offsetof(struct type, member))

/* A member that ends where the struct does: there is no padding behind it. */
#define EXPECT_LAST(type, member) \
	EXPECT_EQ(sizeof(struct type), \
		  offsetof(struct type, member) + sizeof(((struct type *)0)->member))

TEST(command_numbers)
{
	EXPECT_EQ(0xBA80, KOHAKU_INFO);
	EXPECT_EQ(0xBA81, KOHAKU_PROBE);
	EXPECT_EQ(0xBA82, KOHAKU_BUF_ALLOC);
	EXPECT_EQ(0xBA83, KOHAKU_BUF_FREE);
	EXPECT_EQ(0xBA84, KOHAKU_BUF_READ);
	EXPECT_EQ(0xBA85, KOHAKU_BUF_WRITE);
	EXPECT_EQ(0xBA86, KOHAKU_SUBMIT);
	EXPECT_EQ(0xBA87, KOHAKU_WAIT);
	EXPECT_EQ(0xBA88, KOHAKU_EVENTFD);
	EXPECT_EQ(0xBA89, KOHAKU_FAULT_READ);
	EXPECT_EQ(0xBA8A, KOHAKU_RESET);
	EXPECT_EQ(0xBA8B, KOHAKU_SLOT_QUERY);
	EXPECT_EQ(0xBA8C, KOHAKU_FABRIC_QUERY);
	EXPECT_EQ(0xBA8D, KOHAKU_FABRIC_MAP);
	EXPECT_EQ(0xBA8E, KOHAKU_FABRIC_UNMAP);
	EXPECT_EQ(0xBA8F, KOHAKU_FABRIC_LAYOUT);
	EXPECT_EQ(0xBA90, KOHAKU_FABRIC_READ);
	EXPECT_EQ(0xBA91, KOHAKU_FABRIC_WRITE);
	EXPECT_EQ(0xBA92, KOHAKU_FABRIC_RESULTS);
	EXPECT_EQ(0xBA93, KOHAKU_FABRIC_TRACE);
}

TEST(struct_sizes)
{
	EXPECT_EQ(96, sizeof(struct kohaku_info));
	EXPECT_EQ(32, sizeof(struct kohaku_probe));
	EXPECT_EQ(48, sizeof(struct kohaku_buf_alloc));
	EXPECT_EQ(8, sizeof(struct kohaku_buf_free));
	EXPECT_EQ(40, sizeof(struct kohaku_buf_io));
	EXPECT_EQ(16, sizeof(struct kohaku_dim));
	EXPECT_EQ(8, sizeof(struct kohaku_window));
	EXPECT_EQ(128, sizeof(struct kohaku_walker));
	EXPECT_EQ(304, sizeof(struct kohaku_move));
	EXPECT_EQ(24, sizeof(struct kohaku_slot_load));
	EXPECT_EQ(8, sizeof(struct kohaku_relayout_dim));
	EXPECT_EQ(96, sizeof(struct kohaku_relayout));
	EXPECT_EQ(312, sizeof(struct kohaku_op));
	EXPECT_EQ(112, sizeof(struct kohaku_completion));
	EXPECT_EQ(168, sizeof(struct kohaku_submit));
	EXPECT_EQ(136, sizeof(struct kohaku_wait));
	EXPECT_EQ(16, sizeof(struct kohaku_eventfd));
	EXPECT_EQ(16, sizeof(struct kohaku_reg_write));
	EXPECT_EQ(744, sizeof(struct kohaku_fault_read));
	EXPECT_EQ(8, sizeof(struct kohaku_reset));
	EXPECT_EQ(72, sizeof(struct kohaku_slot_query));
}

TEST(info_offsets)
{
	EXPECT_OFFSET(kohaku_info, size, 0);
	EXPECT_OFFSET(kohaku_info, flags, 4);
	EXPECT_OFFSET(kohaku_info, out_caps, 8);
	EXPECT_OFFSET(kohaku_info, out_node, 16);
	EXPECT_OFFSET(kohaku_info, out_backend, 20);
	EXPECT_OFFSET(kohaku_info, out_state, 24);
	EXPECT_OFFSET(kohaku_info, out_meshes, 28);
	EXPECT_OFFSET(kohaku_info, out_dram_size, 32);
	EXPECT_OFFSET(kohaku_info, out_staging_size, 40);
	EXPECT_OFFSET(kohaku_info, out_max_ops, 48);
	EXPECT_OFFSET(kohaku_info, out_max_jobs, 52);
	EXPECT_OFFSET(kohaku_info, out_max_buffers, 56);
	EXPECT_OFFSET(kohaku_info, out_max_indices, 60);
	EXPECT_OFFSET(kohaku_info, out_alignment, 64);
	EXPECT_OFFSET(kohaku_info, out_staging_alignment, 68);
	EXPECT_OFFSET(kohaku_info, out_complex, 72);
	EXPECT_OFFSET(kohaku_info, out_slot_depth, 76);
	EXPECT_OFFSET(kohaku_info, out_default_timeout_ns, 80);
	EXPECT_OFFSET(kohaku_info, out_max_timeout_ns, 88);
	EXPECT_OFFSET(kohaku_probe, cmd, 8);
	EXPECT_OFFSET(kohaku_probe, out_size, 12);
	EXPECT_OFFSET(kohaku_probe, out_min_size, 16);
	EXPECT_OFFSET(kohaku_probe, out_flags, 24);
	EXPECT_LAST(kohaku_probe, out_flags);
}

TEST(buffer_offsets)
{
	EXPECT_OFFSET(kohaku_buf_alloc, flags, 4);
	EXPECT_OFFSET(kohaku_buf_alloc, mesh, 8);
	EXPECT_OFFSET(kohaku_buf_alloc, tier, 12);
	EXPECT_OFFSET(kohaku_buf_alloc, length, 16);
	EXPECT_OFFSET(kohaku_buf_alloc, out_length, 24);
	EXPECT_OFFSET(kohaku_buf_alloc, out_map_offset, 32);
	EXPECT_OFFSET(kohaku_buf_alloc, out_buffer, 40);
	EXPECT_OFFSET(kohaku_buf_alloc, out_tier, 44);
	EXPECT_OFFSET(kohaku_buf_free, buffer, 4);
	EXPECT_OFFSET(kohaku_buf_io, flags, 4);
	EXPECT_OFFSET(kohaku_buf_io, buffer, 8);
	EXPECT_OFFSET(kohaku_buf_io, __reserved, 12);
	EXPECT_OFFSET(kohaku_buf_io, offset, 16);
	EXPECT_OFFSET(kohaku_buf_io, length, 24);
	EXPECT_OFFSET(kohaku_buf_io, data, 32);
}

TEST(walker_offsets)
{
	EXPECT_OFFSET(kohaku_dim, stride, 0);
	EXPECT_OFFSET(kohaku_dim, count, 8);
	EXPECT_OFFSET(kohaku_dim, step, 12);
	EXPECT_OFFSET(kohaku_dim, axis, 14);
	EXPECT_OFFSET(kohaku_window, base, 0);
	EXPECT_OFFSET(kohaku_window, extent, 4);
	EXPECT_OFFSET(kohaku_walker, buffer, 0);
	EXPECT_OFFSET(kohaku_walker, ndim, 4);
	EXPECT_OFFSET(kohaku_walker, offset, 8);
	EXPECT_OFFSET(kohaku_walker, dims, 16);
	EXPECT_OFFSET(kohaku_walker, windows, 112);
	EXPECT_LAST(kohaku_walker, windows);
}

TEST(move_offsets)
{
	EXPECT_OFFSET(kohaku_move, mode, 0);
	EXPECT_OFFSET(kohaku_move, width, 2);
	EXPECT_OFFSET(kohaku_move, flags, 4);
	EXPECT_OFFSET(kohaku_move, burst_cap, 8);
	EXPECT_OFFSET(kohaku_move, imm, 12);
	EXPECT_OFFSET(kohaku_move, seed, 16);
	EXPECT_OFFSET(kohaku_move, indices, 24);
	EXPECT_OFFSET(kohaku_move, index_count, 32);
	EXPECT_OFFSET(kohaku_move, pitch, 36);
	EXPECT_OFFSET(kohaku_move, row_words, 40);
	EXPECT_OFFSET(kohaku_move, xform, 44);
	EXPECT_OFFSET(kohaku_move, xform_mode, 46);
	EXPECT_OFFSET(kohaku_move, src, 48);
	EXPECT_OFFSET(kohaku_move, dst, 176);
	EXPECT_OFFSET(kohaku_op, mesh, 2);
	EXPECT_OFFSET(kohaku_op, flags, 4);
	EXPECT_OFFSET(kohaku_op, move, 8);
	EXPECT_OFFSET(kohaku_op, slot_load, 8);
	EXPECT_OFFSET(kohaku_op, transfer, 8);
	EXPECT_OFFSET(kohaku_op, relayout, 8);
}

TEST(relayout_offsets)
{
	EXPECT_OFFSET(kohaku_relayout, flags, 2);
	EXPECT_OFFSET(kohaku_relayout, words, 4);
	EXPECT_OFFSET(kohaku_relayout, ndim, 6);
	EXPECT_OFFSET(kohaku_relayout, runs, 8);
	EXPECT_OFFSET(kohaku_relayout, count, 12);
	EXPECT_OFFSET(kohaku_relayout, starts, 16);
	EXPECT_OFFSET(kohaku_relayout, dims, 24);
	EXPECT_OFFSET(kohaku_relayout_dim, count, 4);
	EXPECT_OFFSET(kohaku_relayout, src_buffer, 56);
	EXPECT_OFFSET(kohaku_relayout, dst_buffer, 60);
	EXPECT_OFFSET(kohaku_relayout, src_offset, 64);
	EXPECT_OFFSET(kohaku_relayout, dst_offset, 72);
	EXPECT_OFFSET(kohaku_relayout, src_stride, 80);
	EXPECT_OFFSET(kohaku_relayout, dst_stride, 88);
	EXPECT_LAST(kohaku_relayout, dst_stride);
}

TEST(fabric_layout)
{
	EXPECT_EQ(40, sizeof(struct kohaku_transfer_insn));
	EXPECT_OFFSET(kohaku_transfer_insn, width, 6);
	EXPECT_OFFSET(kohaku_transfer_insn, writeset, 12);
	EXPECT_OFFSET(kohaku_transfer_insn, count, 16);
	EXPECT_OFFSET(kohaku_transfer_insn, base, 24);
	EXPECT_OFFSET(kohaku_transfer_insn, stride, 32);
	EXPECT_EQ(16, sizeof(struct kohaku_transfer));
	EXPECT_EQ(408, sizeof(struct kohaku_fabric_query));
	EXPECT_OFFSET(kohaku_fabric_query, out_messages, 80);
	EXPECT_OFFSET(kohaku_fabric_query, out_drops, 256);
	EXPECT_OFFSET(kohaku_fabric_query, out_ticks, 376);
	EXPECT_LAST(kohaku_fabric_query, out_top_in_flight);
	EXPECT_EQ(2, sizeof(struct kohaku_fabric_stripe));
	EXPECT_EQ(32, sizeof(struct kohaku_fabric_map));
	EXPECT_OFFSET(kohaku_fabric_map, stripes, 24);
	EXPECT_EQ(16, sizeof(struct kohaku_fabric_unmap));
	EXPECT_EQ(32, sizeof(struct kohaku_fabric_layout));
	EXPECT_OFFSET(kohaku_fabric_layout, stripes, 24);
	EXPECT_EQ(40, sizeof(struct kohaku_fabric_io));
	EXPECT_OFFSET(kohaku_fabric_io, data, 32);
	EXPECT_EQ(40, sizeof(struct kohaku_transfer_result));
	EXPECT_EQ(40, sizeof(struct kohaku_fabric_results));
	EXPECT_OFFSET(kohaku_fabric_results, out_job, 24);
	EXPECT_EQ(4, sizeof(struct kohaku_fabric_party));
	EXPECT_EQ(40, sizeof(struct kohaku_fabric_event));
	EXPECT_OFFSET(kohaku_fabric_event, insn, 32);
	EXPECT_EQ(32, sizeof(struct kohaku_fabric_trace));
	EXPECT_OFFSET(kohaku_fabric_trace, out_lost, 24);
}

TEST(slot_offsets)
{
	EXPECT_OFFSET(kohaku_slot_load, occupant, 0);
	EXPECT_OFFSET(kohaku_slot_load, first, 4);
	EXPECT_OFFSET(kohaku_slot_load, count, 8);
	EXPECT_OFFSET(kohaku_slot_load, __reserved, 12);
	EXPECT_OFFSET(kohaku_slot_load, values, 16);
	EXPECT_OFFSET(kohaku_slot_query, mesh, 8);
	EXPECT_OFFSET(kohaku_slot_query, occupant, 12);
	EXPECT_OFFSET(kohaku_slot_query, out_in_words, 16);
	EXPECT_OFFSET(kohaku_slot_query, out_out_words, 20);
	EXPECT_OFFSET(kohaku_slot_query, out_bank_fault, 24);
	EXPECT_OFFSET(kohaku_slot_query, table_count, 28);
	EXPECT_OFFSET(kohaku_slot_query, table, 32);
	EXPECT_OFFSET(kohaku_slot_query, out_name, 40);
	EXPECT_LAST(kohaku_slot_query, out_name);
}

TEST(job_offsets)
{
	EXPECT_OFFSET(kohaku_completion, status, 4);
	EXPECT_OFFSET(kohaku_completion, job, 8);
	EXPECT_OFFSET(kohaku_completion, cookie, 16);
	EXPECT_OFFSET(kohaku_completion, fault, 24);
	EXPECT_OFFSET(kohaku_completion, fault_index, 28);
	EXPECT_OFFSET(kohaku_completion, ops_done, 32);
	EXPECT_OFFSET(kohaku_completion, words, 40);
	EXPECT_OFFSET(kohaku_completion, read_bursts, 48);
	EXPECT_OFFSET(kohaku_completion, cycles, 80);
	EXPECT_OFFSET(kohaku_completion, duration_ns, 88);
	EXPECT_OFFSET(kohaku_completion, flits, 96);
	EXPECT_OFFSET(kohaku_completion, core_cycles, 104);
	EXPECT_OFFSET(kohaku_submit, flags, 4);
	EXPECT_OFFSET(kohaku_submit, ops, 8);
	EXPECT_OFFSET(kohaku_submit, count, 16);
	EXPECT_OFFSET(kohaku_submit, stride, 20);
	EXPECT_OFFSET(kohaku_submit, timeout_ns, 24);
	EXPECT_OFFSET(kohaku_submit, cookie, 32);
	EXPECT_OFFSET(kohaku_submit, out_job, 40);
	EXPECT_OFFSET(kohaku_submit, out_index, 48);
	EXPECT_OFFSET(kohaku_submit, out_part, 52);
	EXPECT_OFFSET(kohaku_submit, completion, 56);
	EXPECT_OFFSET(kohaku_wait, job, 8);
	EXPECT_OFFSET(kohaku_wait, deadline_ns, 16);
	EXPECT_OFFSET(kohaku_wait, completion, 24);
	EXPECT_OFFSET(kohaku_eventfd, fd, 8);
}

TEST(fault_offsets)
{
	EXPECT_OFFSET(kohaku_fault_read, out_count, 8);
	EXPECT_OFFSET(kohaku_fault_read, out_job, 16);
	EXPECT_OFFSET(kohaku_fault_read, out_index, 24);
	EXPECT_OFFSET(kohaku_fault_read, out_mesh, 28);
	EXPECT_OFFSET(kohaku_fault_read, out_code, 32);
	EXPECT_OFFSET(kohaku_fault_read, out_bank_fault, 36);
	EXPECT_OFFSET(kohaku_fault_read, out_element, 40);
	EXPECT_OFFSET(kohaku_fault_read, out_indices, 48);
	EXPECT_OFFSET(kohaku_fault_read, out_src_offset, 72);
	EXPECT_OFFSET(kohaku_fault_read, out_dst_offset, 80);
	EXPECT_OFFSET(kohaku_fault_read, out_words, 88);
	EXPECT_OFFSET(kohaku_fault_read, out_program_length, 96);
	EXPECT_OFFSET(kohaku_fault_read, out_program, 104);
	EXPECT_LAST(kohaku_fault_read, out_program);
	EXPECT_OFFSET(kohaku_reg_write, value, 8);
}

TEST(values)
{
	EXPECT_EQ(32, KOHAKU_WORD_SIZE);
	EXPECT_EQ(6, KOHAKU_MAX_DIMS);
	EXPECT_EQ(4, KOHAKU_MAX_MESHES);
	EXPECT_EQ(40, KOHAKU_MAX_PROGRAM);
	EXPECT_EQ(1, KOHAKU_CAP_MMAP);
	EXPECT_EQ(2, KOHAKU_CAP_COUNTERS);
	EXPECT_EQ(4, KOHAKU_CAP_RESET);
	EXPECT_EQ(8, KOHAKU_CAP_SLOT);
	EXPECT_EQ(16, KOHAKU_CAP_LINK);
	EXPECT_EQ(64, KOHAKU_CAP_FABRIC);
	EXPECT_EQ(0, KOHAKU_COMPLEX_NONE);
	EXPECT_EQ(1, KOHAKU_COMPLEX_RV32);
	EXPECT_EQ(2, KOHAKU_COMPLEX_RV64);
	EXPECT_EQ(1, KOHAKU_BACKEND_SIM);
	EXPECT_EQ(2, KOHAKU_BACKEND_PCI);
	EXPECT_EQ(1, KOHAKU_NODE_OK);
	EXPECT_EQ(2, KOHAKU_NODE_WEDGED);
	EXPECT_EQ(1, KOHAKU_TIER_DRAM);
	EXPECT_EQ(2, KOHAKU_TIER_STAGING);
	EXPECT_EQ(1, KOHAKU_BUF_FALLBACK);
	EXPECT_EQ(0, KOHAKU_MOVE_COPY);
	EXPECT_EQ(2, KOHAKU_MOVE_GATHER);
	EXPECT_EQ(3, KOHAKU_MOVE_GENERATE);
	EXPECT_EQ(4, KOHAKU_MOVE_FILL);
	EXPECT_EQ(5, KOHAKU_MOVE_XFORM);
	EXPECT_EQ(1, KOHAKU_MOVE_COALESCE);
	EXPECT_EQ(1, KOHAKU_OP_MARKER);
	EXPECT_EQ(2, KOHAKU_OP_MOVE);
	EXPECT_EQ(3, KOHAKU_OP_SLOT_LOAD);
	EXPECT_EQ(5, KOHAKU_OP_TRANSFER);
	EXPECT_EQ(1, KOHAKU_OP_BARRIER);
	EXPECT_EQ(2, KOHAKU_OP_VERIFY);
	EXPECT_EQ(1, KOHAKU_SUBMIT_ASYNC);
	EXPECT_EQ(1, KOHAKU_FAULT_CLEAR);
	EXPECT_EQ(6, KOHAKU_FAULT_ALIGN);
	EXPECT_EQ(16, KOHAKU_FAULT_NO_MOTION);
	EXPECT_EQ(17, KOHAKU_FAULT_TIMEOUT);
	EXPECT_EQ(18, KOHAKU_FAULT_MEMORY);
	EXPECT_EQ(20, KOHAKU_FAULT_PAGE);
}

TEST_HARNESS_MAIN
