// SPDX-License-Identifier: GPL-2.0
/*
 * G02: nobody fills the kernel's log.  Whatever a program has refused, or makes
 * fail, hundreds of times over, the driver says nothing about it.
 */
#include "cmd_table.h"
#include "node_fs.h"

#define ROUNDS 500
/* Longer than whatever counts events over some time. */
#define QUIET_MS 11000

FIXTURE(log)
{
	struct sim_node node;
	int log, fd;
	__u32 buffer;
};

FIXTURE_SETUP(log)
{
	make_node(_metadata, &self->node, "kselftest-log", 1);
	self->log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (self->log < 0) {
		sim_destroy(&self->node);
		SKIP_SETUP("/dev/kmsg: %s", strerror(errno));
	}
	self->fd = open_sim(_metadata, &self->node);
	test_alloc(self->fd, KOHAKU_TIER_DRAM, 4096, &self->buffer);
	ASSERT_LE(0, lseek(self->log, 0, SEEK_END));
}

/* Lines of the kernel since the last call, but for what programs wrote there. */
static unsigned int lines_said(FIXTURE_DATA(log) *self)
{
	char line[8192];
	unsigned int lines = 0;
	ssize_t n;

	while ((n = read(self->log, line, sizeof(line) - 1)) > 0 || (n < 0 && errno == EPIPE)) {
		line[n > 0 ? n : 0] = '\0';
		/* The priority's bits from the fourth on are the facility, 0 the kernel. */
		if (n < 0 || (strtoul(line, NULL, 10) < 8 && strstr(line, "kohaku")))
			lines++;
	}
	return lines;
}

FIXTURE_TEARDOWN(log)
{
	EXPECT_EQ(0, lines_said(self));
	close(self->fd);
	close(self->log);
	sim_destroy(&self->node);
}

/* This test tells what the driver says, when it is loaded, from what programs say. */
TEST_F(log, lines_are_seen)
{
	ASSERT_EQ(0, text_write("/dev/kmsg", "<3>kohaku kselftest: a line of a program"));
	EXPECT_EQ(0, lines_said(self));
	ASSERT_EQ(0, lseek(self->log, 0, SEEK_SET));
	if (!lines_said(self))
		SKIP(return, "nothing of the driver is in the log");
}

/* Every command with every kind of nonsense.  G02 */
TEST_F(log, refusals)
{
	__u64 seed = random_seed();
	unsigned int refused = 0;

	TH_LOG("KOHAKU_SEED=%#llx", seed);
	for (unsigned int n = 0; n < ROUNDS; n++) {
		for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
			const struct cmd_row *row = &cmd_table[i];
			union cmd_arg arg;

			if (!cmd_idles(row))
				continue;
			random_bytes(&seed, arg.bytes, sizeof(arg));
			if (random_below(&seed, 2))
				arg.size = row->size;
			/* Zeros get further than noise. */
			memset(arg.bytes + 4, 0, random_below(&seed, row->size));
			refused += _test_cmd(self->fd, row->nr, &arg) != 0;
			refused += ioctl(self->fd, row->nr, (void *)random_next(&seed)) != 0;
		}
		refused += ioctl(self->fd, random_below(&seed, 1 << 16), &seed) != 0;
		refused += mmap(NULL, 4096, PROT_READ, MAP_SHARED, self->fd,
				(random_next(&seed) >> 20) & ~4095ULL) == MAP_FAILED;
		refused += write(self->fd, &seed, sizeof(seed)) < 0;
	}
	EXPECT_LT(ROUNDS * ARRAY_SIZE(cmd_table), refused);
}

/* Jobs that fail in the hardware's hands. */
static void fail_jobs(struct __test_metadata *_metadata, FIXTURE_DATA(log) *self,
		      const char *knob, const char *value, unsigned int rounds, __u64 timeout_ns)
{
	struct kohaku_op op = op_fill(walk_linear(self->buffer, 0, 8), 0x11111111);
	struct kohaku_submit submit;
	unsigned int failed = 0;

	op.flags = KOHAKU_OP_VERIFY;
	for (unsigned int n = 0; n < rounds; n++) {
		ASSERT_EQ(0, knob_write(self->node.path, 0, knob, value));
		submit_init(&submit, &op, 1, 0);
		submit.timeout_ns = timeout_ns;
		failed += _test_cmd(self->fd, KOHAKU_SUBMIT, &submit) || submit.completion.status;
	}
	EXPECT_EQ(rounds, failed);
	ASSERT_EQ(0, knob_write(self->node.path, 0, knob, "0"));
}

TEST_F(log, bus_errors) { fail_jobs(_metadata, self, "error_at_beat", "1", ROUNDS, 0); }
TEST_F(log, nothing_moved) { fail_jobs(_metadata, self, "no_motion", "1", ROUNDS, 0); }
TEST_F(log, timeouts) { fail_jobs(_metadata, self, "hang", "1", 50, 1000000); }

/* What was held back for a while is not made up for afterwards.  G02 */
TEST_F_TIMEOUT(log, bursts, 120)
{
	fail_jobs(_metadata, self, "error_at_beat", "1", 50, 0);
	sleep_ms(QUIET_MS);
	fail_jobs(_metadata, self, "error_at_beat", "1", 50, 0);
}

/* Files that come and go, with everything still in flight. */
TEST_F(log, closes)
{
	for (unsigned int n = 0; n < ROUNDS; n++) {
		struct kohaku_submit submit;
		struct kohaku_op op;
		int fd = open_sim(_metadata, &self->node);
		__u32 id;

		test_alloc(fd, KOHAKU_TIER_DRAM, 4096, &id);
		op = op_fill(walk_linear(id, 0, 8), 0);
		test_submit(fd, &op, 1, KOHAKU_SUBMIT_ASYNC, &submit);
		close(fd);
	}
}

TEST_HARNESS_MAIN
