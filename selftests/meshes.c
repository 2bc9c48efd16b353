// SPDX-License-Identifier: GPL-2.0
/*
 * Jobs over several meshes: side by side, and joined by barriers.
 */
#include "node_fs.h"

#define SIZE 4096
#define SLOW "2000000000"	/* ns a move takes when a mesh is slowed down */

FIXTURE(meshes)
{
	struct sim_node node;
	int fd;
	__u32 buffer[KOHAKU_MAX_MESHES];
	unsigned char *map[KOHAKU_MAX_MESHES];
	struct kohaku_submit submit;
};

FIXTURE_SETUP(meshes)
{
	make_node(_metadata, &self->node, "kselftest-meshes", KOHAKU_MAX_MESHES);
	self->fd = open_sim(_metadata, &self->node);
	for (unsigned int mesh = 0; mesh < KOHAKU_MAX_MESHES; mesh++) {
		struct kohaku_buf_alloc alloc;

		test_alloc_on(self->fd, mesh, KOHAKU_TIER_DRAM, 0, SIZE, &alloc);
		self->buffer[mesh] = alloc.out_buffer;
		self->map[mesh] = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd,
				       alloc.out_map_offset);
		ASSERT_NE(MAP_FAILED, self->map[mesh]);
	}
}

FIXTURE_TEARDOWN(meshes)
{
	for (unsigned int mesh = 0; mesh < KOHAKU_MAX_MESHES; mesh++)
		munmap(self->map[mesh], SIZE);
	close(self->fd);
	sim_destroy(&self->node);
}

static struct kohaku_op fill_on(FIXTURE_DATA(meshes) *self, unsigned int mesh, __u32 pattern,
				__u32 flags)
{
	struct kohaku_op op = op_fill(walk_linear(self->buffer[mesh], 0, SIZE / WORD), pattern);

	op.mesh = mesh;
	op.flags = flags;
	return op;
}

TEST_F(meshes, info)
{
	struct kohaku_info info;

	test_info(self->fd, &info);
	EXPECT_EQ(KOHAKU_MAX_MESHES, info.out_meshes);
	EXPECT_EQ(KOHAKU_BACKEND_SIM, info.out_backend);
	EXPECT_LT(0, info.out_node);
}

TEST_F(meshes, one_job_on_all)
{
	struct kohaku_op ops[KOHAKU_MAX_MESHES];

	for (unsigned int mesh = 0; mesh < KOHAKU_MAX_MESHES; mesh++)
		ops[mesh] = fill_on(self, mesh, 0x01010101 * (mesh + 1), 0);
	test_submit(self->fd, ops, KOHAKU_MAX_MESHES, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, KOHAKU_MAX_MESHES * SIZE / WORD);
	EXPECT_EQ(KOHAKU_MAX_MESHES, self->submit.completion.ops_done);
	for (unsigned int mesh = 0; mesh < KOHAKU_MAX_MESHES; mesh++)
		EXPECT_TRUE(all_bytes(self->map[mesh], mesh + 1, SIZE));
}

/* Memory of another mesh cannot be read. */
TEST_F(meshes, foreign_source)
{
	struct kohaku_op op = op_copy(walk_linear(self->buffer[1], 0, 1),
				      walk_linear(self->buffer[0], 0, 1));

	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op.mesh = 2;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
	op.mesh = 3;
	op.move.src.buffer = self->buffer[3];
	op.move.dst.buffer = self->buffer[3];
	op.move.dst.offset = WORD;
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, 1);
}

/* Memory of another mesh can be written, where the meshes are linked. */
TEST_F(meshes, foreign_destination)
{
	struct kohaku_info info;
	struct kohaku_op op;

	test_info(self->fd, &info);
	memset(self->map[0], 0x61, SIZE);
	op = op_copy(walk_linear(self->buffer[0], 0, SIZE / WORD),
		     walk_linear(self->buffer[2], 0, SIZE / WORD));
	if (!(info.out_caps & KOHAKU_CAP_LINK)) {
		EXPECT_REFUSED(_test_submit(self->fd, &op, 1, 0, &self->submit));
		return;
	}
	test_submit(self->fd, &op, 1, 0, &self->submit);
	ASSERT_DONE(&self->submit.completion, SIZE / WORD);
	/* The end of the job means that the words have landed. */
	EXPECT_TRUE(all_bytes(self->map[2], 0x61, SIZE));
	/* Bounds hold over there as well. */
	op.move.dst.offset = WORD;
	test_err_submit(EINVAL, self->fd, &op, 1, 0, &self->submit);
}

/* A slow mesh does not hold up the others. */
TEST_F(meshes, side_by_side)
{
	struct kohaku_completion completion;
	struct kohaku_op ops[2];

	if (knob_write(self->node.path, 0, "ns_per_move", SLOW))
		SKIP(return, "no debugfs knobs");
	ops[0] = fill_on(self, 0, 0x11111111, 0);
	ops[1] = fill_on(self, 1, 0x22222222, 0);
	test_submit(self->fd, ops, 2, KOHAKU_SUBMIT_ASYNC, &self->submit);
	test_err_wait(ETIMEDOUT, self->fd, self->submit.out_job, in_ms(50), &completion);
	EXPECT_TRUE(all_bytes(self->map[1], 0x22, SIZE));
	test_wait(self->fd, self->submit.out_job, FOREVER, &completion);
	ASSERT_DONE(&completion, 2 * SIZE / WORD);
	EXPECT_TRUE(all_bytes(self->map[0], 0x11, SIZE));
	EXPECT_LE(150000000ULL, completion.duration_ns);
}

/* Whereas a barrier waits for it.  B08 */
TEST_F(meshes, barrier_waits)
{
	struct kohaku_completion completion;
	struct kohaku_op ops[2];

	if (knob_write(self->node.path, 0, "ns_per_move", SLOW))
		SKIP(return, "no debugfs knobs");
	ops[0] = fill_on(self, 0, 0x11111111, 0);
	ops[1] = fill_on(self, 1, 0x22222222, KOHAKU_OP_BARRIER);
	test_submit(self->fd, ops, 2, KOHAKU_SUBMIT_ASYNC, &self->submit);
	test_err_wait(ETIMEDOUT, self->fd, self->submit.out_job, in_ms(50), &completion);
	EXPECT_TRUE(all_bytes(self->map[1], 0, SIZE));
	test_wait(self->fd, self->submit.out_job, FOREVER, &completion);
	ASSERT_DONE(&completion, 2 * SIZE / WORD);
	EXPECT_TRUE(all_bytes(self->map[1], 0x22, SIZE));
}

/* Nothing behind a barrier starts once something before it has failed. */
TEST_F(meshes, barrier_after_a_fault)
{
	struct kohaku_op ops[4];

	ops[0] = fill_on(self, 0, 0x11111111, 0);
	ops[1] = fill_on(self, 1, 0x11111111, 0);
	ops[1].move.dst.offset = 1;
	ops[1].move.dst.dims[0].count = 2;
	ops[2] = fill_on(self, 2, 0x33333333, KOHAKU_OP_BARRIER);
	ops[3] = fill_on(self, 3, 0x44444444, KOHAKU_OP_BARRIER);
	test_submit(self->fd, ops, 4, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_ALIGN, self->submit.completion.fault);
	EXPECT_EQ(1, self->submit.completion.fault_index);
	EXPECT_TRUE(all_bytes(self->map[2], 0, SIZE));
	EXPECT_TRUE(all_bytes(self->map[3], 0, SIZE));
}

/* A marker with the barrier flag joins all meshes for what follows on its own. */
TEST_F(meshes, many_barriers)
{
	enum { OPS = 64 };
	struct kohaku_op ops[OPS];

	for (unsigned int round = 0; round < 50; round++) {
		for (unsigned int i = 0; i < OPS; i++)
			ops[i] = fill_on(self, i % KOHAKU_MAX_MESHES, 0x01010101 * (i + 1),
					 i % 3 ? 0 : KOHAKU_OP_BARRIER);
		test_submit(self->fd, ops, OPS, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, OPS * SIZE / WORD);
		ASSERT_EQ(OPS, self->submit.completion.ops_done);
		for (unsigned int mesh = 0; mesh < KOHAKU_MAX_MESHES; mesh++)
			ASSERT_TRUE(all_bytes(self->map[mesh], OPS - KOHAKU_MAX_MESHES + mesh + 1,
					      SIZE));
	}
}

/* Meshes have memories of their own: what one gives away the other still has. */
TEST_F(meshes, own_memories)
{
	struct kohaku_buf_alloc alloc;
	int err;

	do
		err = _test_alloc_on(self->fd, 0, KOHAKU_TIER_STAGING, 0, 256 * 1024, &alloc);
	while (!err);
	EXPECT_EQ(ENOSPC, err);
	test_alloc_on(self->fd, 1, KOHAKU_TIER_STAGING, 0, 256 * 1024, &alloc);
	EXPECT_EQ(0, sysfs_number(self->node.path, "mesh0/staging_largest_free") / (256 * 1024));
	EXPECT_LT(256 * 1024, sysfs_number(self->node.path, "mesh2/staging_largest_free"));
}

TEST_HARNESS_MAIN
