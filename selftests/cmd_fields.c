// SPDX-License-Identifier: GPL-2.0
/*
 * Flags, reserved fields and answers, the same for all commands; commands that
 * do not exist.
 */
#include <linux/fs.h>

#include "cmd_table.h"

FIXTURE(fields)
{
	int fd;
};

FIXTURE_SETUP(fields)
{
	self->fd = open_node(_metadata);
}

FIXTURE_TEARDOWN(fields)
{
	close(self->fd);
}

static void set_u32(union cmd_arg *arg, size_t offset, __u32 value)
{
	memcpy(arg->bytes + offset, &value, sizeof(value));
}

TEST_F(fields, unknown_flags)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		union cmd_arg arg;

		if (!row->flags || !cmd_exists(self->fd, row))
			continue;
		for (unsigned int bit = 0; bit < 32; bit++) {
			if (row->known_flags & (1U << bit))
				continue;
			cmd_idle(row, &arg, row->size);
			set_u32(&arg, row->flags, 1U << bit);
			EXPECT_EQ(EOPNOTSUPP, _test_cmd(self->fd, row->nr, &arg)) {
				TH_LOG("%s, flag bit %u", row->name, bit);
			}
			cmd_idle(row, &arg, row->size);
			set_u32(&arg, row->flags, 1U << bit | row->known_flags);
			EXPECT_EQ(EOPNOTSUPP, _test_cmd(self->fd, row->nr, &arg)) {
				TH_LOG("%s, flag bit %u and all known", row->name, bit);
			}
		}
	}
}

/* B08 */
TEST_F(fields, known_flags)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		union cmd_arg arg;

		/* START and STOP are what starts and stops the trace: not idle. */
		if (!cmd_exists(self->fd, row) || row->nr == KOHAKU_FABRIC_TRACE)
			continue;
		for (__u32 flag = 1; flag; flag <<= 1) {
			if (!(row->known_flags & flag))
				continue;
			cmd_idle(row, &arg, row->size);
			set_u32(&arg, row->flags, flag);
			EXPECT_EQ(row->idle, _test_cmd(self->fd, row->nr, &arg)) {
				TH_LOG("%s, flag %#x", row->name, flag);
			}
		}
	}
}

/* FAULT_READ's is one that the kernel fills: it is no input. */
TEST_F(fields, reserved)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		union cmd_arg arg;

		if (!row->reserved || row->nr == KOHAKU_FAULT_READ || !cmd_exists(self->fd, row))
			continue;
		for (unsigned int bit = 0; bit < 32; bit++) {
			cmd_idle(row, &arg, row->size);
			set_u32(&arg, row->reserved, 1U << bit);
			EXPECT_EQ(EOPNOTSUPP, _test_cmd(self->fd, row->nr, &arg)) {
				TH_LOG("%s, reserved bit %u", row->name, bit);
			}
		}
	}
}

/* B04 */
TEST_F(fields, no_such_command)
{
	unsigned long last = KOHAKU_FABRIC_TRACE;
	union cmd_arg arg = { .size = 16 };

	for (unsigned long nr = _IO(KOHAKU_TYPE, 0); nr <= _IO(KOHAKU_TYPE, 255); nr++) {
		if (nr >= KOHAKU_INFO && nr <= last)
			continue;
		EXPECT_EQ(ENOTTY, _test_cmd(self->fd, nr, &arg)) {
			TH_LOG("command %#lx", nr);
		}
	}
	/* The same numbers with a size or another type in them are others. */
	EXPECT_EQ(ENOTTY, _test_cmd(self->fd,
				    _IOWR(KOHAKU_TYPE, KOHAKU_NR_INFO, struct kohaku_info), &arg));
	EXPECT_EQ(ENOTTY, _test_cmd(self->fd, _IO(KOHAKU_TYPE + 1, KOHAKU_NR_INFO), &arg));
	EXPECT_EQ(ENOTTY, _test_cmd(self->fd, _IO(0, KOHAKU_NR_INFO), &arg));
	EXPECT_EQ(ENOTTY, _test_cmd(self->fd, BLKGETSIZE, &arg));
}

/* Answers do not depend on what the caller's struct held before.  B03 */
TEST_F(fields, info_twice)
{
	struct kohaku_info first, second;

	memset(&first, 0xa5, sizeof(first));
	memset(&second, 0x5a, sizeof(second));
	first.size = sizeof(first);
	second.size = sizeof(second);
	first.flags = 0;
	second.flags = 0;
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_INFO, &first));
	ASSERT_EQ(0, _test_cmd(self->fd, KOHAKU_INFO, &second));
	EXPECT_EQ(0, memcmp(&first, &second, sizeof(first)));
}

/* Even after other commands have left their traces on the kernel's stack.  B03 */
TEST_F(fields, submit_answers_everything)
{
	unsigned char junk[sizeof(struct kohaku_fault_read)];
	struct kohaku_fault_read spray;
	struct kohaku_submit submit;

	memset(junk, 0xa5, sizeof(junk));
	for (unsigned int i = 0; i < 100; i++) {
		memcpy(&spray, junk, sizeof(spray));
		spray.size = sizeof(spray);
		_test_cmd(self->fd, KOHAKU_FAULT_READ, &spray);
		ASSERT_EQ(0, _test_submit(self->fd, NULL, 0, 0, &submit));
		EXPECT_EQ(0, submit.out_part);
		EXPECT_EQ(0, submit.completion.__reserved);
		EXPECT_EQ(0, submit.completion.words);
		EXPECT_EQ(0, submit.completion.read_bursts);
		EXPECT_EQ(0, submit.completion.write_beats);
		EXPECT_EQ(0, submit.completion.fault);
		EXPECT_EQ(0, submit.completion.status);
	}
}

/* Nothing comes back from a refused ALLOC that could be taken for an id. */
TEST_F(fields, refused_leaves_no_trace)
{
	long long before = 0, after = 0;
	struct kohaku_buf_alloc alloc;

	for (unsigned int i = 0; i < 1000; i++) {
		EXPECT_EQ(EINVAL, _test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, 0, &alloc));
		before += alloc.out_buffer == 1;
		after += _test_free(self->fd, 1) == 0;
	}
	EXPECT_EQ(0, before);
	EXPECT_EQ(0, after);
}

TEST_HARNESS_MAIN
