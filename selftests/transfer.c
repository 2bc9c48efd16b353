// SPDX-License-Identifier: GPL-2.0
/*
 * The transfer fabric: pages, registers, programs, what is refused, and that it
 * belongs to one open file.
 */
#include "fabric_test.h"

#define BASE 0x40000000ULL
#define MAX_LANES 256

FIXTURE(transfer)
{
	struct sim_node node;
	int fd;
	struct kohaku_fabric_query query;
	struct kohaku_submit submit;
	unsigned char bytes[4096], seen[4096];
};

FIXTURE_SETUP(transfer)
{
	__u64 seed = 0x7a51;

	make_node(_metadata, &self->node, "kselftest-transfer", 2);
	self->fd = open_sim(_metadata, &self->node);
	if (query(self->fd, 0, &self->query) == EOPNOTSUPP)
		SKIP_SETUP("this node has no transfer fabric");
	random_bytes(&seed, self->bytes, sizeof(self->bytes));
}

FIXTURE_TEARDOWN(transfer)
{
	close(self->fd);
	sim_destroy(&self->node);
}

TEST_F(transfer, query_tells_the_geometry)
{
	struct kohaku_info info;

	test_info(self->fd, &info);
	EXPECT_TRUE(info.out_caps & KOHAKU_CAP_FABRIC);
	EXPECT_EQ(2, self->query.out_kamlet_columns);
	EXPECT_EQ(2, self->query.out_jamlet_rows);
	EXPECT_EQ(16, self->query.out_lanes);
	EXPECT_EQ(128, self->query.out_stripe_bytes);
	EXPECT_EQ(512, self->query.out_page_bytes);
	EXPECT_EQ(1024, self->query.out_max_insns);
	EXPECT_EQ(0, self->query.out_pages);
	EXPECT_EQ(0, self->query.out_ticks);
	EXPECT_EQ(0, self->query.out_protocol_errors);
}

TEST_F(transfer, pages_are_mapped_and_forgotten)
{
	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	EXPECT_EQ(EEXIST, map(self->fd, BASE, KOHAKU_FABRIC_SCALAR, RW));
	EXPECT_EQ(EINVAL, map(self->fd, BASE + 4, KOHAKU_FABRIC_VECTOR, RW));
	EXPECT_EQ(EINVAL, map(self->fd, BASE + 512, 3, RW));
	EXPECT_EQ(EOPNOTSUPP, map(self->fd, BASE + 512, KOHAKU_FABRIC_VECTOR, 4));
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_WRITE, BASE, self->bytes, 512));
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 512));
	EXPECT_EQ(0, memcmp(self->bytes, self->seen, 512));
	EXPECT_EQ(ENOENT, memory(self->fd, KOHAKU_FABRIC_READ, BASE + 1, self->seen, 512));
	EXPECT_EQ(ENOENT, memory(self->fd, KOHAKU_FABRIC_WRITE, BASE - 1, self->seen, 512));
	EXPECT_EQ(EINVAL, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 2 << 20));
	EXPECT_EQ(EFAULT, memory(self->fd, KOHAKU_FABRIC_READ, BASE, (void *)8, 512));
	EXPECT_EQ(ENOENT, unmap(self->fd, BASE + 512));
	ASSERT_EQ(0, unmap(self->fd, BASE));
	EXPECT_EQ(ENOENT, unmap(self->fd, BASE));
	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 512));
	EXPECT_TRUE(all_bytes(self->seen, 0, 512));
}

TEST_F(transfer, no_more_pages_than_told)
{
	for (__u32 i = 0; i < self->query.out_max_pages; i++)
		ASSERT_EQ(0, map(self->fd, BASE + i * 512, i % 3, RW));
	EXPECT_EQ(ENOSPC, map(self->fd, 0, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, query(self->fd, 0, &self->query));
	EXPECT_EQ(self->query.out_max_pages, self->query.out_pages);
}

TEST_F(transfer, stripes_have_layouts)
{
	struct kohaku_fabric_stripe stripes[4] = { { 8, 2 }, { 16, 3 }, { 32, 4 }, { 64, 0 } };
	struct kohaku_fabric_stripe seen[4] = { 0 };
	struct kohaku_fabric_map arg = {
		.size = sizeof(arg), .flags = RW, .address = BASE,
		.stripe_count = 4, .stripes = user_address(stripes),
	};
	struct kohaku_fabric_layout layout = {
		.size = sizeof(layout), .address = BASE, .stripe_count = 3,
		.stripes = user_address(seen),
	};

	arg.stripe_count = 3;
	EXPECT_EQ(EINVAL, _test_cmd(self->fd, KOHAKU_FABRIC_MAP, &arg));
	arg.stripe_count = 4;
	stripes[2].width = 24;
	EXPECT_EQ(EINVAL, _test_cmd(self->fd, KOHAKU_FABRIC_MAP, &arg));
	stripes[2].width = 32;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_FABRIC_MAP, &arg));
	EXPECT_EQ(EMSGSIZE, _test_cmd(self->fd, KOHAKU_FABRIC_LAYOUT, &layout));
	EXPECT_EQ(4, layout.stripe_count);
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_FABRIC_LAYOUT, &layout));
	EXPECT_EQ(0, memcmp(stripes, seen, sizeof(seen)));
	layout.address = BASE + 512;
	EXPECT_EQ(ENOENT, _test_cmd(self->fd, KOHAKU_FABRIC_LAYOUT, &layout));
}

TEST_F(transfer, registers_keep_words_and_width)
{
	__u64 words[16], back[16];

	memcpy(words, self->bytes, sizeof(words));
	ASSERT_EQ(0, reg(self->fd, KOHAKU_FABRIC_WRITE, 31, 16, words, sizeof(words)));
	ASSERT_EQ(0, reg(self->fd, KOHAKU_FABRIC_READ, 31, 0, back, sizeof(back)));
	EXPECT_EQ(0, memcmp(words, back, sizeof(back)));
	EXPECT_EQ(EINVAL, reg(self->fd, KOHAKU_FABRIC_READ, 32, 0, back, sizeof(back)));
	EXPECT_EQ(EINVAL, reg(self->fd, KOHAKU_FABRIC_READ, 0, 0, back, sizeof(back) - 8));
	EXPECT_EQ(EINVAL, reg(self->fd, KOHAKU_FABRIC_WRITE, 0, 24, words, sizeof(words)));
}

/* A load at one address and a store at another move bytes between lanes. */
TEST_F(transfer, a_program_copies)
{
	struct kohaku_transfer_insn insns[2] = {
		insn(0, BASE + 3, 101), insn(KOHAKU_TRANSFER_STORE, BASE + 512 + 77, 101),
	};
	struct kohaku_op op = op_transfer(insns, 2);
	struct kohaku_transfer_result result[2];
	struct kohaku_fabric_results arg;

	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, map(self->fd, BASE + 512, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_WRITE, BASE, self->bytes, 512));
	EXPECT_EQ(ENOENT, results(self->fd, result, 2, &arg));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 0);
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_READ, BASE + 512, self->seen, 512));
	EXPECT_EQ(0, memcmp(self->bytes + 3, self->seen + 77, 101));
	EXPECT_TRUE(all_bytes(self->seen, 0, 77));
	EXPECT_TRUE(all_bytes(self->seen + 178, 0, 512 - 178));
	EXPECT_EQ(EMSGSIZE, results(self->fd, result, 1, &arg));
	EXPECT_EQ(2, arg.count);
	ASSERT_EQ(0, results(self->fd, result, 2, &arg));
	EXPECT_EQ(self->submit.out_job, arg.out_job);
	EXPECT_EQ(0, result[0].fault);
	EXPECT_GT(result[1].end, result[0].start);
	ASSERT_EQ(0, query(self->fd, KOHAKU_FABRIC_CLEAR, &self->query));
	EXPECT_LT(0, self->query.out_nonlocal);
	EXPECT_LT(0, self->query.out_ticks);
	ASSERT_EQ(0, query(self->fd, 0, &self->query));
	EXPECT_EQ(0, self->query.out_ticks);
}

TEST_F(transfer, a_fault_names_element_and_address)
{
	struct kohaku_transfer_insn insns[2] = {
		insn(0, BASE, 8), insn(KOHAKU_TRANSFER_STORE, BASE + 500, 100),
	};
	struct kohaku_op ops[2] = { op_transfer(insns, 2), op_marker(0) };
	struct kohaku_transfer_result result[2];
	struct kohaku_fabric_results arg;
	struct kohaku_fault_read fault;

	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	test_submit(self->fd, ops, 2, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_PAGE, self->submit.completion.fault);
	EXPECT_EQ(0, self->submit.completion.fault_index);
	EXPECT_EQ(0, self->submit.completion.ops_done);
	ASSERT_EQ(0, results(self->fd, result, 2, &arg));
	EXPECT_EQ(KOHAKU_TRANSFER_OK, result[0].fault);
	EXPECT_EQ(KOHAKU_TRANSFER_NO_PAGE, result[1].fault);
	EXPECT_EQ(12, result[1].element);
	EXPECT_EQ(BASE + 512, result[1].address);
	test_fault_read(self->fd, KOHAKU_FAULT_CLEAR, &fault);
	EXPECT_EQ(KOHAKU_FAULT_PAGE, fault.out_code);
	EXPECT_EQ(12, fault.out_element);
	EXPECT_EQ(1, fault.out_indices[0]);
	EXPECT_EQ(BASE + 512, fault.out_dst_offset);
	EXPECT_EQ(0, fault.out_program_length);
}

/* The last instruction is wrong in one way: its index is told and nothing ran. */
TEST_F(transfer, wrong_instructions_are_refused)
{
	struct kohaku_transfer_insn insns[3], good = insn(KOHAKU_TRANSFER_STORE, BASE, 64);
	struct kohaku_op op = op_transfer(insns, 3);
	struct { struct kohaku_transfer_insn insn; int err; } bad[] = {
		{ good, EOPNOTSUPP }, { good, EOPNOTSUPP }, { good, EINVAL }, { good, EINVAL },
		{ good, EINVAL }, { good, EOPNOTSUPP }, { good, EOPNOTSUPP }, { good, EOPNOTSUPP },
		{ good, EOPNOTSUPP }, { good, EINVAL }, { good, EINVAL },
	};
	__u64 ones[16];

	memset(ones, 0xff, sizeof(ones));
	bad[0].insn.flags |= 16;
	bad[1].insn.mode = 3;
	bad[2].insn.width = 24;
	bad[3].insn.group = 3;
	bad[4].insn.reg = 32;
	bad[5].insn.index = 1;
	bad[6].insn.mask = 1;
	bad[7].insn.stride = 1;
	bad[8].insn.__reserved = 1;
	bad[9].insn.count = 129;
	bad[10].insn.flags |= KOHAKU_TRANSFER_DISJOINT;
	bad[10].insn.writeset = 8;
	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, reg(self->fd, KOHAKU_FABRIC_WRITE, 0, 8, ones, sizeof(ones)));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++) {
		insns[0] = good;
		insns[1] = good;
		insns[2] = bad[i].insn;
		EXPECT_EQ(bad[i].err, _test_submit(self->fd, &op, 1, 0, &self->submit)) {
			TH_LOG("case %u", i);
		}
		EXPECT_EQ(2, self->submit.out_part);
	}
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 512));
	EXPECT_TRUE(all_bytes(self->seen, 0, 512));
}

TEST_F(transfer, wrong_operations_are_refused)
{
	struct kohaku_transfer_insn insns[1] = { insn(0, BASE, 8) };
	struct kohaku_op op = op_transfer(insns, 1);

	op.mesh = 1;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = op_transfer(insns, 1025);
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = op_transfer(insns, 1);
	op.transfer.stride--;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op = op_transfer(insns, 1);
	op.flags = KOHAKU_OP_VERIFY;
	test_err_submit(EOPNOTSUPP, self->fd, &op, 1, 0, &self->submit);
	op = op_transfer((void *)8, 1);
	test_err_submit(EFAULT, self->fd, &op, 1, 0, &self->submit);
	op = op_transfer(insns, 1);
	op.move.seed = 1;
	EXPECT_NE(0, _test_submit(self->fd, &op, 1, 0, &self->submit));
	op = op_transfer(NULL, 0);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	EXPECT_EQ(0, self->submit.completion.status);
}

/* What one file maps, writes and loads is not there for another one. */
TEST_F(transfer, files_are_apart)
{
	int other = open_sim(_metadata, &self->node);
	struct kohaku_fabric_query seen;
	__u64 words[16];

	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_WRITE, BASE, self->bytes, 512));
	ASSERT_EQ(0, reg(self->fd, KOHAKU_FABRIC_WRITE, 0, 64, self->bytes, sizeof(words)));
	EXPECT_EQ(ENOENT, memory(other, KOHAKU_FABRIC_READ, BASE, self->seen, 1));
	ASSERT_EQ(0, reg(other, KOHAKU_FABRIC_READ, 0, 0, words, sizeof(words)));
	EXPECT_TRUE(all_bytes(words, 0, sizeof(words)));
	ASSERT_EQ(0, query(other, 0, &seen));
	EXPECT_EQ(0, seen.out_pages);
	EXPECT_EQ(ENOENT, unmap(other, BASE));
	close(other);
	ASSERT_EQ(0, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 512));
	EXPECT_EQ(0, memcmp(self->bytes, self->seen, 512));
}

TEST_F(transfer, the_trace_is_in_order)
{
	static struct kohaku_fabric_event events[4096];
	struct kohaku_transfer_insn insns[1] = { insn(0, BASE + 1, 64) };
	struct kohaku_op op = op_transfer(insns, 1);
	struct kohaku_fabric_trace arg;
	__u32 sent = 0;

	EXPECT_EQ(ENOENT, trace(self->fd, 0, events, 4096, &arg));
	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	ASSERT_EQ(0, trace(self->fd, KOHAKU_FABRIC_TRACE_START, events, 0, &arg));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_EQ(0, trace(self->fd, KOHAKU_FABRIC_TRACE_STOP, events, 4096, &arg));
	EXPECT_EQ(0, arg.out_lost);
	ASSERT_LT(0, arg.count);
	ASSERT_GT(4096, arg.count);
	ASSERT_EQ(0, query(self->fd, 0, &self->query));
	for (__u32 i = 0; i < arg.count; i++) {
		if (i)
			EXPECT_LE(events[i - 1].tick, events[i].tick);
		sent += events[i].kind == KOHAKU_FABRIC_SEND && events[i].type == 0;
	}
	EXPECT_EQ(self->query.out_messages[0], sent);
	EXPECT_EQ(ENOENT, trace(self->fd, 0, events, 4096, &arg));
}

/* Programs that keep the fabric busy for long. */
static void fill_program(struct kohaku_transfer_insn *insns, __u32 count)
{
	for (__u32 i = 0; i < count; i++) {
		insns[i] = insn(KOHAKU_TRANSFER_STORE | KOHAKU_TRANSFER_WAIT, BASE, 128);
		insns[i].mode = KOHAKU_TRANSFER_STRIDE;
		insns[i].stride = 3;
	}
}

TEST_F_TIMEOUT(transfer, deadlines_and_closing_end_a_program, 60)
{
	static struct kohaku_transfer_insn insns[1024];
	struct kohaku_op op = op_transfer(insns, 1024);
	struct kohaku_submit submit;
	struct kohaku_transfer_result result;
	struct kohaku_fabric_results arg;
	int other;

	fill_program(insns, 1024);
	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	submit_init(&submit, &op, 1, 0);
	submit.timeout_ns = 1;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &submit));
	EXPECT_EQ(-ETIMEDOUT, submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_TIMEOUT, submit.completion.fault);
	EXPECT_EQ(ENOENT, results(self->fd, &result, 1, &arg));
	op = op_transfer(insns, 1);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	EXPECT_EQ(0, self->submit.completion.status);
	for (unsigned int i = 0; i < 8; i++) {
		other = open_sim(_metadata, &self->node);
		ASSERT_EQ(0, map(other, BASE, KOHAKU_FABRIC_VECTOR, RW));
		op = op_transfer(insns, 1024);
		test_submit(other, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
		close(other);
	}
	op = op_transfer(insns, 1);
	test_submit(self->fd, &op, 1, 0, &self->submit);
	EXPECT_EQ(0, self->submit.completion.status);
}

TEST_F(transfer, nodes_without_one_say_so)
{
	struct kohaku_fabric_layout layout = { .size = sizeof(layout), .address = BASE };
	struct kohaku_transfer_insn insns[1] = { insn(0, BASE, 8) };
	struct kohaku_op op = op_transfer(insns, 1);
	struct kohaku_transfer_result result;
	struct kohaku_fabric_results arg;
	struct kohaku_fabric_trace events;
	struct kohaku_info info;

	close(self->fd);
	ASSERT_EQ(0, sim_unplug(&self->node));
	ASSERT_EQ(0, sim_attribute(&self->node, "fabric", "none"));
	ASSERT_EQ(0, sim_plug(&self->node));
	self->fd = open_sim(_metadata, &self->node);
	test_info(self->fd, &info);
	EXPECT_FALSE(info.out_caps & KOHAKU_CAP_FABRIC);
	EXPECT_EQ(EOPNOTSUPP, query(self->fd, 0, &self->query));
	EXPECT_EQ(EOPNOTSUPP, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	EXPECT_EQ(EOPNOTSUPP, unmap(self->fd, BASE));
	EXPECT_EQ(EOPNOTSUPP, _test_cmd(self->fd, KOHAKU_FABRIC_LAYOUT, &layout));
	EXPECT_EQ(EOPNOTSUPP, memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, 8));
	EXPECT_EQ(EOPNOTSUPP, results(self->fd, &result, 1, &arg));
	EXPECT_EQ(EOPNOTSUPP, trace(self->fd, KOHAKU_FABRIC_TRACE_START, NULL, 0, &events));
	test_err_submit(EOPNOTSUPP, self->fd, &op, 1, 0, &self->submit);
}

TEST_F(transfer, configfs_decides)
{
	static const char *const bad[] = { "\n", "2x2", "9x2:2x2", "2x2:2x2/rows=0", "2x2:2x2 x" };
	char file[256], text[256];

	EXPECT_EQ(EBUSY, sim_attribute(&self->node, "fabric", "none"));
	close(self->fd);
	ASSERT_EQ(0, sim_unplug(&self->node));
	for (unsigned int i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT_EQ(EINVAL, sim_attribute(&self->node, "fabric", bad[i]));
	ASSERT_EQ(0, sim_attribute(&self->node, "fabric", "4x2:1x2/page=4096/rows=2\n"));
	snprintf(file, sizeof(file), "%s/fabric", self->node.folder);
	ASSERT_EQ(0, text_read(file, text, sizeof(text)));
	EXPECT_STREQ("4x2:1x2/page=4096/rows=2", text);
	ASSERT_EQ(0, sim_plug(&self->node));
	self->fd = open_sim(_metadata, &self->node);
	ASSERT_EQ(0, query(self->fd, 0, &self->query));
	EXPECT_EQ(4, self->query.out_kamlet_columns);
	EXPECT_EQ(1, self->query.out_jamlet_columns);
	EXPECT_EQ(4096, self->query.out_page_bytes);
	EXPECT_EQ(2, self->query.out_rows);
}

TEST_F(transfer, debugfs_shows_the_tables)
{
	struct kohaku_transfer_insn insns[1] = { insn(0, BASE, 128) };
	struct kohaku_op op = op_transfer(insns, 1);
	char file[256], text[8192];

	ASSERT_EQ(0, map(self->fd, BASE, KOHAKU_FABRIC_VECTOR, RW));
	test_submit(self->fd, &op, 1, 0, &self->submit);
	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/fabric", node_name(self->node.path));
	if (text_read(file, text, sizeof(text)))
		SKIP(return, "no debugfs");
	EXPECT_NE(NULL, strstr(text, "kamlets 2x2 jamlets 2x2 pages 1 of 512 bytes\n"));
	EXPECT_NE(NULL, strstr(text, " kamlet 3\n"));
	EXPECT_NE(NULL, strstr(text, "line     0 CLEAN"));
}

/* More lines than a cache has slots. */
#define PAGES 64

/* While a program runs its rows are there, and what waits for a cache line. */
TEST_F_TIMEOUT(transfer, debugfs_shows_a_program_at_work, 60)
{
	static struct kohaku_transfer_insn insns[1024];
	struct kohaku_op op = op_transfer(insns, 1024);
	static char text[1 << 18];
	bool row = false, wait = false;
	char file[256];

	fill_program(insns, 1024);
	for (unsigned int i = 0; i < 1024; i++)
		insns[i].base += i % PAGES * 512;
	for (unsigned int i = 0; i < PAGES; i++)
		ASSERT_EQ(0, map(self->fd, BASE + i * 512, KOHAKU_FABRIC_VECTOR, RW));
	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/fabric", node_name(self->node.path));
	if (text_read(file, text, sizeof(text)))
		SKIP(return, "no debugfs");
	for (unsigned int i = 0; i < 1000 && !(row && wait); i++) {
		struct kohaku_completion completion;

		if (!i || !_test_wait(self->fd, self->submit.out_job, 0, &completion))
			test_submit(self->fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
		ASSERT_EQ(0, text_read(file, text, sizeof(text)));
		row |= strstr(text, "  row ") && strstr(text, "running");
		wait |= !!strstr(text, "  wait ident ");
	}
	EXPECT_TRUE(row);
	EXPECT_TRUE(wait);
}

TEST_HARNESS_MAIN
