// SPDX-License-Identifier: GPL-2.0
/*
 * A mesh that misbehaves: hangs, errors on its bus, moves that move nothing, a
 * device that stopped answering.  Each time the next job is as good as ever.
 */
#include "node_fs.h"

#define SIZE 4096
#define WORDS (SIZE / WORD)

FIXTURE(faults)
{
	struct sim_node node;
	int fd;
	__u32 src, dst;
	struct kohaku_op op;
	struct kohaku_submit submit;
	struct kohaku_fault_read fault;
	unsigned char seen[SIZE];
};

FIXTURE_SETUP(faults)
{
	unsigned char bytes[SIZE];

	make_node(_metadata, &self->node, "kselftest-faults", 1);
	if (knob_write(self->node.path, 0, "hang", "0")) {
		sim_destroy(&self->node);
		SKIP_SETUP("no debugfs knobs");
	}
	self->fd = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->src);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->dst);
	memset(bytes, 0x5a, SIZE);
	test_write(self->fd, self->src, 0, SIZE, bytes);
	self->op = op_copy(walk_linear(self->src, 0, WORDS), walk_linear(self->dst, 0, WORDS));
}

FIXTURE_TEARDOWN(faults)
{
	close(self->fd);
	sim_destroy(&self->node);
}

static void knob(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self, const char *name,
		 const char *value)
{
	ASSERT_EQ(0, knob_write(self->node.path, 0, name, value));
}

/* Has the mover started? Its status register says so, as debugfs shows it. */
static bool mover_busy(const struct sim_node *node)
{
	char file[256], text[4096];
	unsigned long long status = 0;
	const char *line;

	snprintf(file, sizeof(file), DEBUGFS_KOHAKU "/%s/mesh0/registers", node_name(node->path));
	if (text_read(file, text, sizeof(text)))
		return false;
	line = strstr(text, "0x0078 ");
	return line && sscanf(line, "0x0078 %llx", &status) == 1 && status & 1;
}

/* Long enough to see the job start and make the mesh well again, on any machine. */
#define HUNG_NS 1000000000ULL

/* A hung job: the move stays hung even when the mesh is well again. */
static __u64 start_hung(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self,
			const struct kohaku_op *ops, __u32 count)
{
	knob(_metadata, self, "hang", "1");
	submit_init(&self->submit, ops, count, KOHAKU_SUBMIT_ASYNC);
	self->submit.timeout_ns = HUNG_NS;
	EXPECT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	for (int i = 0; i < 1000 && !mover_busy(&self->node); i++)
		sleep_ms(1);
	knob(_metadata, self, "hang", "0");
	return self->submit.out_job;
}

static void good_jobs(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self,
		      unsigned int count)
{
	for (unsigned int i = 0; i < count; i++) {
		test_submit(self->fd, &self->op, 1, 0, &self->submit);
		ASSERT_DONE(&self->submit.completion, WORDS);
	}
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0x5a, SIZE));
}

/* C03: a job that hangs is given up after its timeout; a hundred good ones follow.  C08, C13 */
TEST_F(faults, timeout)
{
	struct kohaku_completion completion;
	struct kohaku_info info;
	__u64 begin = now_ns();
	__u64 job = start_hung(_metadata, self, &self->op, 1);

	test_wait(self->fd, job, FOREVER, &completion);
	EXPECT_LE(HUNG_NS, now_ns() - begin);
	EXPECT_GT(5 * HUNG_NS, now_ns() - begin);
	EXPECT_EQ(-ETIMEDOUT, completion.status);
	EXPECT_EQ(KOHAKU_FAULT_TIMEOUT, completion.fault);
	EXPECT_EQ(0, completion.fault_index);
	EXPECT_EQ(0, completion.ops_done);
	EXPECT_EQ(0, completion.words);
	test_fault_read(self->fd, 0, &self->fault);
	EXPECT_EQ(KOHAKU_FAULT_TIMEOUT, self->fault.out_code);
	EXPECT_EQ(job, self->fault.out_job);
	EXPECT_EQ(0, self->fault.out_words);

	good_jobs(_metadata, self, 100);
	test_info(self->fd, &info);
	EXPECT_EQ(KOHAKU_NODE_OK, info.out_state);
}

/* Again and again, and in the middle of a batch.  C03 */
TEST_F_TIMEOUT(faults, timeouts_in_batches, 60)
{
	struct kohaku_op ops[4] = { self->op, self->op, self->op, self->op };
	struct kohaku_completion completion;

	for (unsigned int round = 0; round < 5; round++) {
		test_wait(self->fd, start_hung(_metadata, self, ops, 4), FOREVER,
			  &completion);
		EXPECT_EQ(-ETIMEDOUT, completion.status);
		EXPECT_EQ(0, completion.fault_index);
		EXPECT_EQ(0, completion.ops_done);
		good_jobs(_metadata, self, 3);
	}
}

/* Jobs that wait behind a hung one run after it. */
TEST_F(faults, jobs_behind_a_hung_one)
{
	__u64 hung = start_hung(_metadata, self, &self->op, 1);
	struct kohaku_completion completion;
	__u64 jobs[4];

	for (unsigned int i = 0; i < 4; i++) {
		test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
		jobs[i] = self->submit.out_job;
	}
	test_wait(self->fd, hung, FOREVER, &completion);
	EXPECT_EQ(-ETIMEDOUT, completion.status);
	for (unsigned int i = 0; i < 4; i++) {
		test_wait(self->fd, jobs[i], in_ms(5000), &completion);
		ASSERT_DONE(&completion, WORDS);
	}
}

/* A mesh that hangs even after its reset is wedged: EIO, until a RESET succeeds. */
TEST_F(faults, wedged)
{
	struct kohaku_info info;
	unsigned char word[WORD];

	knob(_metadata, self, "hang", "1");
	submit_init(&self->submit, &self->op, 1, 0);
	self->submit.timeout_ns = 50000000;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	EXPECT_EQ(-ETIMEDOUT, self->submit.completion.status);
	test_info(self->fd, &info);
	EXPECT_EQ(KOHAKU_NODE_WEDGED, info.out_state);
	test_err_submit(EIO, self->fd, &self->op, 1, 0, &self->submit);
	test_err_submit(EIO, self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	EXPECT_EQ(EIO, _test_reset(self->fd));
	knob(_metadata, self, "hang", "0");
	ASSERT_EQ(0, _test_reset(self->fd));
	test_info(self->fd, &info);
	EXPECT_EQ(KOHAKU_NODE_OK, info.out_state);
	test_read(self->fd, self->src, 0, WORD, word);
	EXPECT_TRUE(all_bytes(word, 0x5a, WORD));
	good_jobs(_metadata, self, 10);
}

/* Jobs that stand behind one that wedges its mesh fail with it, and do not run. */
TEST_F(faults, jobs_behind_a_wedge)
{
	struct kohaku_completion completion;
	__u64 jobs[3];

	knob(_metadata, self, "hang", "1");
	for (unsigned int i = 0; i < 3; i++) {
		submit_init(&self->submit, &self->op, 1, KOHAKU_SUBMIT_ASYNC);
		self->submit.timeout_ns = HUNG_NS;
		ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
		jobs[i] = self->submit.out_job;
	}
	test_wait(self->fd, jobs[0], FOREVER, &completion);
	EXPECT_EQ(-ETIMEDOUT, completion.status);
	for (unsigned int i = 1; i < 3; i++) {
		test_wait(self->fd, jobs[i], FOREVER, &completion);
		EXPECT_EQ(-EIO, completion.status);
		EXPECT_EQ(KOHAKU_FAULT_NONE, completion.fault);
		EXPECT_EQ(0, completion.ops_done);
	}
	knob(_metadata, self, "hang", "0");
	ASSERT_EQ(0, _test_reset(self->fd));
	good_jobs(_metadata, self, 1);
}

/* C09: no value of a timeout wraps into an immediate end. */
TEST_F(faults, long_timeouts)
{
	static const __u64 timeouts[] = {
		0, INT32_MAX / 10 + 1, INT32_MAX, 1ULL << 32, INT64_MAX / 1000, INT64_MAX,
		INT64_MAX + 1ULL, UINT64_MAX - 1, UINT64_MAX,
	};

	knob(_metadata, self, "ns_per_move", "20000000");
	for (unsigned int i = 0; i < ARRAY_SIZE(timeouts); i++) {
		submit_init(&self->submit, &self->op, 1, 0);
		self->submit.timeout_ns = timeouts[i];
		ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
		ASSERT_DONE(&self->submit.completion, WORDS);
	}
}

/* C08: what goes on steadily is not taken for hung, the timeout is for one operation. */
TEST_F(faults, slow_is_not_hung)
{
	struct kohaku_op ops[8];

	for (unsigned int i = 0; i < 8; i++)
		ops[i] = self->op;
	knob(_metadata, self, "ns_per_move", "40000000");
	submit_init(&self->submit, ops, 8, 0);
	self->submit.timeout_ns = 250000000;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_SUBMIT, &self->submit));
	ASSERT_DONE(&self->submit.completion, 8 * WORDS);
	EXPECT_LE(250000000ULL, self->submit.completion.duration_ns);
}

/* An error of the memory: fault 3, -EIO, and the record says which operation.  C13 */
TEST_F(faults, bus_error)
{
	knob(_metadata, self, "error_at_beat", "5");
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_AXI, self->submit.completion.fault);
	EXPECT_EQ(0, self->submit.completion.ops_done);
	EXPECT_GT(WORDS, self->submit.completion.words);
	test_fault_read(self->fd, KOHAKU_FAULT_CLEAR, &self->fault);
	EXPECT_EQ(KOHAKU_FAULT_CLEAR, self->fault.flags);
	EXPECT_EQ(KOHAKU_FAULT_AXI, self->fault.out_code);
	EXPECT_EQ(KOHAKU_ELEMENT_UNKNOWN, self->fault.out_element);
	knob(_metadata, self, "error_at_beat", "0");
	good_jobs(_metadata, self, 10);
}

/* Larger than what a node allocates at a time: nobody has written near its end. */
#define FRESH (1 << 20)

/*
 * A move that fails before it has a register program, here as the word for its
 * sentinel was never written, shows none: what ran before it was another file's.
 */
TEST_F(faults, no_program_of_another_file)
{
	int other = open_sim(_metadata, &self->node);
	__u32 buffer;
	struct kohaku_op op;

	knob(_metadata, self, "error_at_beat", "5");
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	knob(_metadata, self, "error_at_beat", "0");
	test_fault_read(self->fd, 0, &self->fault);
	EXPECT_EQ(KOHAKU_FAULT_AXI, self->fault.out_code);
	EXPECT_NE(0, self->fault.out_program_length);

	/* It is known what was written from the first job with the knob on. */
	knob(_metadata, self, "ecc", "1");
	good_jobs(_metadata, self, 1);
	knob(_metadata, self, "no_motion", "1");
	test_alloc(other, KOHAKU_TIER_DRAM, FRESH, &buffer);
	knob(_metadata, self, "no_motion", "0");
	good_jobs(_metadata, self, 1);
	op = op_fill(walk_linear(buffer, 0, FRESH / WORD), 0xa5);
	op.flags = KOHAKU_OP_VERIFY;
	test_submit(other, &op, 1, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_MEMORY, self->submit.completion.fault);
	test_fault_read(other, 0, &self->fault);
	EXPECT_EQ(KOHAKU_FAULT_MEMORY, self->fault.out_code);
	EXPECT_EQ(0, self->fault.out_program_length);
	EXPECT_TRUE(all_bytes((const unsigned char *)self->fault.out_program, 0,
			      sizeof(self->fault.out_program)));
	close(other);
	knob(_metadata, self, "ecc", "0");
	good_jobs(_metadata, self, 1);
}

/* "Done" without motion is found out where the operation asks for proof.  C13 */
TEST_F(faults, no_motion)
{
	knob(_metadata, self, "no_motion", "1");
	self->op.flags = KOHAKU_OP_VERIFY;
	test_submit(self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_EQ(-EIO, self->submit.completion.status);
	EXPECT_EQ(KOHAKU_FAULT_NO_MOTION, self->submit.completion.fault);
	EXPECT_EQ(0, self->submit.completion.words);
	/* The sentinel is taken away again. */
	test_read(self->fd, self->dst, 0, SIZE, self->seen);
	EXPECT_TRUE(all_bytes(self->seen, 0, SIZE));
	test_fault_read(self->fd, 0, &self->fault);
	EXPECT_EQ(KOHAKU_FAULT_NO_MOTION, self->fault.out_code);
	knob(_metadata, self, "no_motion", "0");
	good_jobs(_metadata, self, 10);
}

/* Every kind of end, synchronous and asynchronous, is counted in sysfs. */
TEST_F(faults, counted)
{
	long long done = sysfs_number(self->node.path, "mesh0/done");
	struct kohaku_completion completion;

	good_jobs(_metadata, self, 3);
	EXPECT_EQ(done + 3, sysfs_number(self->node.path, "mesh0/done"));
	EXPECT_EQ(0, sysfs_number(self->node.path, "mesh0/last_fault"));
	self->op.move.dst.offset = 1;
	self->op.move.dst.dims[0].count = 1;
	test_submit(self->fd, &self->op, 1, KOHAKU_SUBMIT_ASYNC, &self->submit);
	test_wait(self->fd, self->submit.out_job, FOREVER, &completion);
	EXPECT_EQ(-EIO, completion.status);
	EXPECT_EQ(KOHAKU_FAULT_ALIGN, sysfs_number(self->node.path, "mesh0/last_fault"));
	EXPECT_EQ(done + 3, sysfs_number(self->node.path, "mesh0/done"));
}

/* F12: a device that answers all ones is gone: nothing loops, everybody is told. */
TEST_F(faults, device_gone)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };
	struct kohaku_info info;
	__u64 begin = now_ns();
	char file[256], state[16];
	int err;

	knob(_metadata, self, "gone", "1");
	err = _test_submit(self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_TRUE(err == ENODEV || (!err && self->submit.completion.status == -ENODEV));
	EXPECT_GT(2000000000ULL, now_ns() - begin);
	ASSERT_EQ(1, poll(&p, 1, 5000));
	EXPECT_NE(0, p.revents & POLLHUP);
	EXPECT_NE(0, p.revents & POLLERR);
	EXPECT_EQ(ENODEV, _test_info(self->fd, &info));
	test_err_submit(ENODEV, self->fd, &self->op, 1, 0, &self->submit);
	EXPECT_EQ(-1, open(self->node.path, O_RDWR | O_CLOEXEC));
	EXPECT_EQ(ENODEV, errno);
	snprintf(file, sizeof(file), SYSFS_KOHAKU "/%s/state", node_name(self->node.path));
	ASSERT_EQ(0, text_read(file, state, sizeof(state)));
	EXPECT_STREQ("gone", state);
}

TEST_HARNESS_MAIN
