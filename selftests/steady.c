// SPDX-License-Identifier: GPL-2.0
/*
 * A node in steady use: nothing is allocated on the way of a job, and nothing is
 * left of many transfers.
 */
#include "kernel_counts.h"

#define PAGE	4096U
#define SLACK	(1LL << 20)	/* bytes that the rest of the machine may take meanwhile */

FIXTURE(steady)
{
	int fd;
	__u32 dram, staging;
	bool card;
	unsigned char *data;
};

FIXTURE_SETUP(steady)
{
	char backend[16], path[128];

	self->fd = open_node(_metadata);
	snprintf(path, sizeof(path), SYSFS_KOHAKU "/%s/backend", node_name(node_path()));
	ASSERT_EQ(0, text_read(path, backend, sizeof(backend)));
	self->card = !strcmp(backend, "pci");
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 64 * PAGE, &self->dram);
	test_alloc(self->fd, KOHAKU_TIER_STAGING, 64 * PAGE, &self->staging);
	self->data = aligned_alloc(PAGE, 64 * PAGE);
	ASSERT_NE(NULL, self->data);
	memset(self->data, 0x5a, 64 * PAGE);
}

FIXTURE_TEARDOWN(steady)
{
	free(self->data);
	close(self->fd);
}

/* What is recorded, or a skip where nothing can be; with a proof that it can. */
#define RECORD() do {								\
	__u32 _buffer = 0;							\
	if (geteuid() || !allocations_record())					\
		SKIP(return, "needs root and tracefs");				\
	EXPECT_EQ(0, _test_alloc(self->fd, KOHAKU_TIER_STAGING, 32, &_buffer));	\
	ASSERT_LT(0, allocations_recorded());					\
	test_free(self->fd, _buffer);						\
	ASSERT_TRUE(allocations_record());					\
} while (0)

static int submit_often(int fd, const struct kohaku_op *ops, __u32 count, int rounds)
{
	struct kohaku_submit submit;
	int err = 0;

	while (!err && rounds--) {
		err = _test_submit(fd, ops, count, 0, &submit);
		if (!err)
			err = -submit.completion.status;
	}
	return err;
}

/* The runner of the last job may not have let go of it yet: then another is taken. */
static int fill_pool(int fd, const struct kohaku_op *op)
{
	struct kohaku_completion completion;
	struct kohaku_submit submits[8];
	int err = 0;

	for (__u32 i = 0; i < ARRAY_SIZE(submits) && !err; i++)
		err = _test_submit(fd, op, 1, KOHAKU_SUBMIT_ASYNC, &submits[i]);
	for (__u32 i = 0; i < ARRAY_SIZE(submits) && !err; i++)
		err = _test_wait(fd, submits[i].out_job, FOREVER, &completion);
	return err;
}

/* E10: the job, its place in the queue and its completion are there already. */
TEST_F_TIMEOUT(steady, submit_allocates_nothing, 120)
{
	const struct kohaku_op ops[] = {
		op_marker(0),
		op_copy(walk_linear(self->dram, 0, 4), walk_linear(self->dram, PAGE, 4)),
		op_fill(walk_linear(self->staging, 0, 4), 0x1234),
	};

	for (__u32 i = 0; i < ARRAY_SIZE(ops); i++)
		ASSERT_EQ(0, submit_often(self->fd, &ops[i], 1, 10));
	ASSERT_EQ(0, submit_often(self->fd, ops, ARRAY_SIZE(ops), 10));
	ASSERT_EQ(0, fill_pool(self->fd, &ops[0]));
	RECORD();
	for (__u32 i = 0; i < ARRAY_SIZE(ops); i++)
		EXPECT_EQ(0, submit_often(self->fd, &ops[i], 1, 100));
	EXPECT_EQ(0, submit_often(self->fd, ops, ARRAY_SIZE(ops), 100));
	EXPECT_EQ(0, allocations_recorded());
}

static int transfer_often(int fd, __u32 buffer, void *data, __u64 length, int rounds)
{
	int err = 0;

	while (!err && rounds--) {
		err = _test_write(fd, buffer, 0, length, data);
		if (!err)
			err = _test_read(fd, buffer, 0, length, data);
	}
	return err;
}

/*
 * E10: pins, descriptors and mappings have their room from the first transfer on.  A
 * simulated node takes a page for each transfer, to copy through.
 */
TEST_F_TIMEOUT(steady, transfers_allocate_nothing, 120)
{
	const int rounds = 50;

	ASSERT_EQ(0, transfer_often(self->fd, self->dram, self->data, 64 * PAGE, 3));
	RECORD();
	EXPECT_EQ(0, transfer_often(self->fd, self->dram, self->data, PAGE, rounds));
	EXPECT_EQ(0, transfer_often(self->fd, self->dram, self->data, 64 * PAGE, rounds));
	EXPECT_EQ(self->card ? 0 : 2 * 2 * rounds, allocations_recorded());
}

struct counts {
	long long pinned, slab, unreclaimable, available;
	long long buffers, jobs, dram, staging;
};

static struct counts take_counts(void)
{
	const char *node = node_path();

	return (struct counts){
		.pinned = pinned_pages(),
		.slab = count_in("/proc/meminfo", "Slab") << 10,
		.unreclaimable = count_in("/proc/meminfo", "SUnreclaim") << 10,
		.available = count_in("/proc/meminfo", "MemAvailable") << 10,
		.buffers = sysfs_number(node, "buffers"),
		.jobs = sysfs_number(node, "jobs"),
		.dram = sysfs_number(node, "dram_bytes"),
		.staging = sysfs_number(node, "staging_bytes"),
	};
}

/* E06: 10^6 transfers with KOHAKU_SLOW; then a leak of two bytes each would show. */
TEST_F_TIMEOUT(steady, transfers_leave_nothing, 1800)
{
	static const __u32 lengths[] = { WORD, PAGE, PAGE + WORD, 5 * PAGE };
	unsigned int count = getenv("KOHAKU_SLOW") ? 1000000 : 8000;
	struct counts before, after;
	__u64 state = random_seed();

	TH_LOG("%u transfers, KOHAKU_SEED=%llu", count, (unsigned long long)state);
	for (unsigned int i = 0; i < count + 500; i++) {
		__u32 length = lengths[random_below(&state, ARRAY_SIZE(lengths))];
		__u32 offset = WORD * random_below(&state, PAGE / WORD);
		/* Every eighth by the mover, on a card; some that the engine cannot reach. */
		__u32 buffer = random_below(&state, 8) ? self->dram : self->staging;
		void *data = self->data + random_below(&state, 4) * 16;

		/* The first ones fill what is kept. */
		if (i == 500)
			before = take_counts();
		ASSERT_EQ(0, i % 2 ? _test_read(self->fd, buffer, offset, length, data) :
				     _test_write(self->fd, buffer, offset, length, data));
	}
	after = take_counts();
	EXPECT_EQ(before.pinned, after.pinned);
	EXPECT_EQ(before.buffers, after.buffers);
	EXPECT_EQ(before.jobs, after.jobs);
	EXPECT_EQ(before.dram, after.dram);
	EXPECT_EQ(before.staging, after.staging);
	EXPECT_GT(SLACK, after.unreclaimable - before.unreclaimable);
	EXPECT_GT(4 * SLACK, after.slab - before.slab);
	EXPECT_GT(16 * SLACK, before.available - after.available);
}

TEST_HARNESS_MAIN
