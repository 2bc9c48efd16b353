// SPDX-License-Identifier: GPL-2.0
/*
 * Commands by io_uring: the answers of the ioctls, whatever the ring is like.
 * uring_life.c has what goes wrong on the way.
 */
#include "uring_test.h"

FIXTURE(uring)
{
	int fd;
	struct ring ring;
};

FIXTURE_VARIANT(uring)
{
	unsigned int setup;
	unsigned int sqe_flags;
	bool fixed;
};

FIXTURE_VARIANT_ADD(uring, plain) { };
FIXTURE_VARIANT_ADD(uring, worker) { .sqe_flags = IOSQE_ASYNC };
FIXTURE_VARIANT_ADD(uring, fixed_file) { .fixed = true };
FIXTURE_VARIANT_ADD(uring, sqpoll) { .setup = IORING_SETUP_SQPOLL };
FIXTURE_VARIANT_ADD(uring, wide) { .setup = IORING_SETUP_SQE128 | IORING_SETUP_CQE32 };
FIXTURE_VARIANT_ADD(uring, deferred) {
	.setup = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
};

FIXTURE_SETUP(uring)
{
	self->fd = open_node(_metadata);
	make_ring(_metadata, &self->ring, self->fd, variant->setup, variant->fixed);
	self->ring.sqe_flags |= variant->sqe_flags;
}

FIXTURE_TEARDOWN(uring)
{
	ring_close(&self->ring);
	close(self->fd);
}

/* A fresh file in the place of the ring's, so that ids and counters begin anew. */
static void renew(struct __test_metadata *_metadata, FIXTURE_DATA(uring) *self)
{
	int fd = open_node(_metadata);

	self->ring.fd = fd;
	if (self->ring.sqe_flags & IOSQE_FIXED_FILE) {
		self->ring.fd = 0;
		ASSERT_EQ(1, io_uring_register_files_update(&self->ring.io, 0, &fd, 1));
	}
	close(self->fd);
	self->fd = fd;
}

/* One command by both ways, each with a file of its own. */
static void compare(struct __test_metadata *_metadata, FIXTURE_DATA(uring) *self,
		    const struct cmd_row *row, __u32 size, unsigned char tail)
{
	static union cmd_arg arg, answer;
	int by_ioctl, by_ring, fd;

	cmd_idle(row, &arg, size);
	arg.bytes[row->size + 4] = tail;
	fd = open_node(_metadata);
	by_ioctl = _test_cmd(fd, row->nr, &arg);
	close(fd);
	answer = arg;

	cmd_idle(row, &arg, size);
	arg.bytes[row->size + 4] = tail;
	renew(_metadata, self);
	by_ring = _test_ring(&self->ring, row->nr, &arg);
	EXPECT_EQ(by_ioctl, by_ring) {
		TH_LOG("%s of %u bytes", row->name, size);
	}
	EXPECT_EQ(0, memcmp(&answer, &arg, sizeof(arg))) {
		TH_LOG("%s of %u bytes", row->name, size);
	}
}

TEST_F(uring, same_answers)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];

		if (!cmd_idles(row))
			continue;
		compare(_metadata, self, row, row->size, 0);
		compare(_metadata, self, row, row->size - 4, 0);
		compare(_metadata, self, row, row->size + 8, 0);
		compare(_metadata, self, row, row->size + 8, 1);
		compare(_metadata, self, row, 0, 0);
		compare(_metadata, self, row, UINT32_MAX, 0);
	}
}

TEST_F(uring, no_such_command)
{
	union cmd_arg arg = { .size = 16 };

	for (unsigned long nr = _IO(KOHAKU_TYPE, 0); nr <= _IO(KOHAKU_TYPE, 255); nr++) {
		if (nr >= KOHAKU_INFO && nr <= KOHAKU_FABRIC_TRACE)
			continue;
		EXPECT_EQ(ENOTTY, _test_ring(&self->ring, nr, &arg)) {
			TH_LOG("command %#lx", nr);
		}
	}
	EXPECT_EQ(ENOTTY, _test_ring(&self->ring, 0, &arg));
	EXPECT_EQ(ENOTTY, _test_ring(&self->ring, KOHAKU_NR_INFO, &arg));
}

TEST_F(uring, bad_payload)
{
	void *hole = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct kohaku_info info = { .size = sizeof(info) };
	struct kohaku_uring good = { .arg = user_address(&info), .size = sizeof(info) }, bad;
	const __u64 addresses[] = { 0, 1, user_address(hole), -4096ULL, 1ULL << 63 };
	struct kohaku_wait wait;

	ASSERT_EQ(0, ring_payload(&self->ring, KOHAKU_INFO, &good));
	for (unsigned int bit = 0; bit < 32; bit++) {
		bad = good;
		bad.flags = 1U << bit;
		EXPECT_EQ(EOPNOTSUPP, ring_payload(&self->ring, KOHAKU_INFO, &bad));
		EXPECT_EQ(EOPNOTSUPP, ring_payload(&self->ring, KOHAKU_WAIT, &bad));
	}
	for (unsigned int i = 0; i < ARRAY_SIZE(addresses); i++) {
		bad = good;
		bad.arg = addresses[i];
		EXPECT_EQ(EFAULT, ring_payload(&self->ring, KOHAKU_INFO, &bad));
	}
	/* What the payload says of the struct's size has to be true. */
	wait_init(&wait, 1, 0);
	bad = (struct kohaku_uring){ .arg = user_address(&wait) };
	for (wait.size = sizeof(wait) - 1; wait.size <= sizeof(wait) + 1; wait.size += 2) {
		bad.size = sizeof(wait);
		EXPECT_EQ(EINVAL, ring_payload(&self->ring, KOHAKU_WAIT, &bad));
	}
	wait.size = sizeof(wait);
	for (bad.size = 0; bad.size < sizeof(wait); bad.size++)
		EXPECT_EQ(EINVAL, ring_payload(&self->ring, KOHAKU_WAIT, &bad));
	munmap(hole, 4096);
}

/* The struct's own flags and reserved field are looked at as ever. */
TEST_F(uring, unknown_flags)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		__u32 bit = 1U << 31;
		union cmd_arg arg;

		if (!row->flags || !cmd_exists(self->fd, row))
			continue;
		cmd_idle(row, &arg, row->size);
		memcpy(arg.bytes + row->flags, &bit, sizeof(bit));
		EXPECT_EQ(EOPNOTSUPP, _test_ring(&self->ring, row->nr, &arg)) {
			TH_LOG("%s", row->name);
		}
	}
}

/* F03: bytes go where the struct says, and not where an earlier one did. */
TEST_F(uring, positions)
{
	static const __u64 offsets[] = { 0, 3 << 20, 4096, (4 << 20) - 8192, WORD };
	static unsigned char bytes[8192], seen[8192];
	__u64 seed = 3;
	__u32 buffer;

	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4 << 20, &buffer);
	for (unsigned int i = 0; i < ARRAY_SIZE(offsets); i++) {
		struct kohaku_buf_io io = {
			.size = sizeof(io), .buffer = buffer, .offset = offsets[i],
			.length = 4096, .data = user_address(bytes),
		};

		random_bytes(&seed, bytes, sizeof(bytes));
		ASSERT_EQ(0, _test_ring(&self->ring, KOHAKU_BUF_WRITE, &io));
		test_read(self->fd, buffer, offsets[i], 4096, seen);
		EXPECT_EQ(0, memcmp(bytes, seen, 4096));
		memset(seen, 0xcc, sizeof(seen));
		io.data = user_address(seen);
		ASSERT_EQ(0, _test_ring(&self->ring, KOHAKU_BUF_READ, &io));
		EXPECT_EQ(0, memcmp(bytes, seen, 4096));
		EXPECT_TRUE(all_bytes(seen + 4096, 0xcc, 4096));
	}
}

/* A chain: write, move, read, each when the one before has ended. */
TEST_F(uring, linked)
{
	static unsigned char bytes[4096], seen[4096];
	struct kohaku_buf_io io = { .size = sizeof(io), .length = 4096 }, back = io;
	struct kohaku_submit submit;
	struct kohaku_op op;
	__u64 seed = 4, tag;
	__u32 src, dst;

	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &src);
	test_alloc(self->fd, KOHAKU_TIER_STAGING, 4096, &dst);
	op = op_copy(walk_linear(src, 0, 128), walk_linear(dst, 0, 128));
	for (unsigned int i = 0; i < 20; i++) {
		random_bytes(&seed, bytes, sizeof(bytes));
		submit_init(&submit, &op, 1, 0);
		io.buffer = src;
		io.data = user_address(bytes);
		back.buffer = dst;
		back.data = user_address(seen);
		ring_cmd(&self->ring, KOHAKU_BUF_WRITE, &io, 0)->flags |= IOSQE_IO_LINK;
		ring_cmd(&self->ring, KOHAKU_SUBMIT, &submit, 1)->flags |= IOSQE_IO_LINK;
		ring_cmd(&self->ring, KOHAKU_BUF_READ, &back, 2);
		ASSERT_EQ(0, ring_submit(&self->ring, 3));
		for (unsigned int k = 0; k < 3; k++) {
			ASSERT_EQ(0, ring_take(&self->ring, &tag));
			EXPECT_EQ(k, tag);
		}
		ASSERT_DONE(&submit.completion, 128);
		EXPECT_EQ(0, memcmp(bytes, seen, 4096));
	}
	/* One that is refused takes the rest of its chain with it. */
	submit_init(&submit, &op, 1, 0);
	op.opcode = 77;
	memset(seen, 0xcc, sizeof(seen));
	ring_cmd(&self->ring, KOHAKU_SUBMIT, &submit, 1)->flags |= IOSQE_IO_LINK;
	ring_cmd(&self->ring, KOHAKU_BUF_READ, &back, 2);
	ASSERT_EQ(0, ring_submit(&self->ring, 2));
	EXPECT_EQ(-EOPNOTSUPP, ring_take(&self->ring, &tag));
	EXPECT_EQ(-ECANCELED, ring_take(&self->ring, &tag));
	EXPECT_TRUE(all_bytes(seen, 0xcc, sizeof(seen)));
}

/* Asynchronous jobs in batches, and the WAITs for them in others. */
static void batch(struct __test_metadata *_metadata, FIXTURE_DATA(uring) *self,
		  const struct kohaku_op *ops, unsigned int n)
{
	static struct kohaku_submit submits[64];
	static struct kohaku_wait waits[64];
	__u64 seen = 0, all = n == 64 ? UINT64_MAX : (1ULL << n) - 1, tag;

	for (unsigned int i = 0; i < n; i++) {
		submit_init(&submits[i], &ops[i], 1, KOHAKU_SUBMIT_ASYNC);
		submits[i].cookie = 1000 + i;
		ring_cmd(&self->ring, KOHAKU_SUBMIT, &submits[i], i);
	}
	ASSERT_EQ(0, ring_submit(&self->ring, n));
	for (unsigned int i = 0; i < n; i++) {
		ASSERT_EQ(0, ring_take(&self->ring, &tag));
		seen ^= 1ULL << tag;
	}
	ASSERT_EQ(all, seen);
	for (unsigned int i = 0; i < n; i++) {
		wait_init(&waits[i], submits[i].out_job, FOREVER);
		ring_cmd(&self->ring, KOHAKU_WAIT, &waits[i], i);
	}
	ASSERT_EQ(0, ring_submit(&self->ring, n));
	for (unsigned int i = 0; i < n; i++) {
		ASSERT_EQ(0, ring_take(&self->ring, &tag));
		seen ^= 1ULL << tag;
		ASSERT_DONE(&waits[tag].completion, 128);
		EXPECT_EQ(1000 + tag, waits[tag].completion.cookie);
		EXPECT_EQ(submits[tag].out_job, waits[tag].completion.job);
	}
	ASSERT_EQ(0, seen);
}

TEST_F_TIMEOUT(uring, batches, 120)
{
	struct kohaku_op ops[64];
	__u32 buffer;

	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &buffer);
	for (unsigned int i = 0; i < 64; i++)
		ops[i] = op_fill(walk_linear(buffer, 0, 128), i);
	for (unsigned int round = 0; round < 10; round++) {
		for (unsigned int n = 1; n <= 64; n *= 4)
			batch(_metadata, self, ops, n);
	}
}

/* The 256 jobs of a file and not one more, as by ioctl. */
TEST_F(uring, depth)
{
	struct kohaku_op op = op_marker(0);
	struct kohaku_submit submit;
	struct kohaku_info info;

	test_info(self->fd, &info);
	for (__u32 i = 0; i < info.out_max_jobs; i++) {
		submit_init(&submit, &op, 1, KOHAKU_SUBMIT_ASYNC);
		ASSERT_EQ(0, _test_ring(&self->ring, KOHAKU_SUBMIT, &submit));
	}
	submit_init(&submit, &op, 1, KOHAKU_SUBMIT_ASYNC);
	EXPECT_EQ(EAGAIN, _test_ring(&self->ring, KOHAKU_SUBMIT, &submit));
	submit.flags = 0;
	EXPECT_EQ(EAGAIN, _test_ring(&self->ring, KOHAKU_SUBMIT, &submit));
}

/* The file stays open as long as a ring has it in a slot. */
TEST_F(uring, slot_keeps_the_file)
{
	struct kohaku_buf_alloc alloc;

	if (!variant->fixed)
		SKIP(return, "no slot");
	/* A ring lets go of its files some time after it was closed. */
	while (sysfs_number(node_path(), "buffers"))
		sleep_ms(10);
	test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, 4096, &alloc);
	close(self->fd);
	EXPECT_EQ(1, sysfs_number(node_path(), "buffers"));
	memset(&alloc, 0, sizeof(alloc));
	alloc.size = sizeof(alloc);
	alloc.tier = KOHAKU_TIER_DRAM;
	alloc.length = 4096;
	ASSERT_EQ(0, _test_ring(&self->ring, KOHAKU_BUF_ALLOC, &alloc));
	ASSERT_EQ(0, io_uring_unregister_files(&self->ring.io));
	self->fd = open_node(_metadata);
	while (sysfs_number(node_path(), "buffers"))
		sleep_ms(10);
}

/*
 * Nothing here can be polled for.  Newer kernels let such commands into a ring for
 * polling all the same and treat them as in any ring; with others they are refused.
 */
TEST(polled_rings_poll_nothing)
{
	struct kohaku_info info = { .size = sizeof(info) }, expected;
	int fd = open_node(_metadata), res;
	struct ring ring;

	make_ring(_metadata, &ring, fd, IORING_SETUP_IOPOLL, false);
	ring_cmd(&ring, KOHAKU_INFO, &info, 0);
	ASSERT_EQ(0, ring_submit(&ring, 1));
	while (!io_uring_cq_ready(&ring.io))
		io_uring_get_events(&ring.io);
	res = ring_take(&ring, &(__u64){ 0 });
	EXPECT_TRUE(!res || res == -EOPNOTSUPP) {
		TH_LOG("%d", res);
	}
	if (res)
		memset(&expected, 0, sizeof(expected));
	else
		test_info(fd, &expected);
	expected.size = sizeof(info);
	EXPECT_EQ(0, memcmp(&expected, &info, sizeof(info)));
	ring_close(&ring);
	close(fd);
}

TEST_HARNESS_MAIN
