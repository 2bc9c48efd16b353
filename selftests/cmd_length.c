// SPDX-License-Identifier: GPL-2.0
/*
 * Struct lengths, the same for all commands: too short, exact, longer, at the
 * end of a page, at a bad address.
 */
#include "cmd_table.h"

FIXTURE(length)
{
	int fd;
};

FIXTURE_VARIANT(length)
{
	unsigned int row;
};

#define LENGTH_VARIANT(name, index) \
	FIXTURE_VARIANT_ADD(length, name) { .row = index }

LENGTH_VARIANT(info, 0);
LENGTH_VARIANT(probe, 1);
LENGTH_VARIANT(buf_alloc, 2);
LENGTH_VARIANT(buf_free, 3);
LENGTH_VARIANT(buf_read, 4);
LENGTH_VARIANT(buf_write, 5);
LENGTH_VARIANT(submit, 6);
LENGTH_VARIANT(wait, 7);
LENGTH_VARIANT(eventfd, 8);
LENGTH_VARIANT(fault_read, 9);
LENGTH_VARIANT(reset, 10);
LENGTH_VARIANT(slot_query, 11);
LENGTH_VARIANT(fabric_query, 12);
LENGTH_VARIANT(fabric_map, 13);
LENGTH_VARIANT(fabric_unmap, 14);
LENGTH_VARIANT(fabric_layout, 15);
LENGTH_VARIANT(fabric_read, 16);
LENGTH_VARIANT(fabric_write, 17);
LENGTH_VARIANT(fabric_results, 18);
LENGTH_VARIANT(fabric_trace, 19);

FIXTURE_SETUP(length)
{
	self->fd = open_node(_metadata);
	if (!cmd_exists(self->fd, &cmd_table[variant->row]))
		SKIP_SETUP("this node has no %s", cmd_table[variant->row].name);
}

FIXTURE_TEARDOWN(length)
{
	close(self->fd);
}

#define ROW() (&cmd_table[variant->row])

/* B02 */
TEST_F(length, too_short)
{
	const struct cmd_row *row = ROW();
	struct kohaku_probe probe;
	union cmd_arg arg;

	ASSERT_EQ(0, _test_probe(self->fd, row->nr, &probe));
	ASSERT_LT(0, probe.out_min_size);
	for (__u32 size = 0; size < probe.out_min_size; size++) {
		cmd_idle(row, &arg, size);
		ASSERT_EQ(EINVAL, _test_cmd(self->fd, row->nr, &arg)) {
			TH_LOG("%s of %u bytes", row->name, size);
		}
	}
}

/* B11 */
TEST_F(length, every_accepted_size)
{
	const struct cmd_row *row = ROW();
	struct kohaku_probe probe;
	union cmd_arg arg;

	if (!cmd_idles(row))
		SKIP(return, "%s has no idle call", row->name);
	ASSERT_EQ(0, _test_probe(self->fd, row->nr, &probe));
	for (__u32 size = probe.out_min_size; size < row->size + 70; size++) {
		cmd_idle(row, &arg, size);
		ASSERT_EQ(row->idle, _test_cmd(self->fd, row->nr, &arg)) {
			TH_LOG("%s of %u bytes", row->name, size);
		}
	}
}

/* Every unknown byte, and the farthest bit of each.  B02 */
TEST_F(length, unknown_tail)
{
	const struct cmd_row *row = ROW();
	struct kohaku_probe probe;
	union cmd_arg arg;

	ASSERT_EQ(0, _test_probe(self->fd, row->nr, &probe));
	for (size_t at = probe.out_size; at < probe.out_size + 65; at++) {
		cmd_idle(row, &arg, probe.out_size + 65);
		arg.bytes[at] = 0x80;
		ASSERT_EQ(E2BIG, _test_cmd(self->fd, row->nr, &arg)) {
			TH_LOG("%s, byte %zu", row->name, at);
		}
	}
}

/* The kernel neither reads nor writes a byte behind the size it was told.  B01 */
TEST_F(length, at_the_end_of_a_page)
{
	const struct cmd_row *row = ROW();
	long page = sysconf(_SC_PAGESIZE);
	struct kohaku_probe probe;
	unsigned char *pages;
	union cmd_arg arg;

	pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_EQ(0, munmap(pages + page, page));
	ASSERT_EQ(0, _test_probe(self->fd, row->nr, &probe));

	for (__u32 size = 4; size < probe.out_min_size; size += 4) {
		cmd_idle(row, &arg, size);
		memcpy(pages + page - size, &arg, size);
		EXPECT_EQ(EINVAL, _test_cmd(self->fd, row->nr, pages + page - size));
	}
	if (cmd_idles(row)) {
		cmd_idle(row, &arg, row->size);
		memcpy(pages + page - row->size, &arg, row->size);
		EXPECT_EQ(row->idle, _test_cmd(self->fd, row->nr, pages + page - row->size));
	}
	/* Said to be longer than it is: the rest cannot be read. */
	cmd_idle(row, &arg, row->size + 8);
	memcpy(pages + page - row->size, &arg, row->size);
	EXPECT_EQ(EFAULT, _test_cmd(self->fd, row->nr, pages + page - row->size));
}

/* B01 */
TEST_F(length, writes_stay_inside)
{
	const struct cmd_row *row = ROW();
	union cmd_arg arg;

	if (!cmd_idles(row))
		SKIP(return, "%s has no idle call", row->name);
	cmd_idle(row, &arg, row->size);
	memset(arg.bytes + row->size, 0xa5, sizeof(arg) - row->size);
	EXPECT_EQ(row->idle, _test_cmd(self->fd, row->nr, &arg));
	EXPECT_TRUE(all_bytes(arg.bytes + row->size, 0xa5, sizeof(arg) - row->size));
	EXPECT_EQ(row->size, arg.size);
}

/* What the kernel does not know reads 0 afterwards, as it was passed. */
TEST_F(length, long_tail_stays_zero)
{
	const struct cmd_row *row = ROW();
	union cmd_arg arg;

	if (!cmd_idles(row))
		SKIP(return, "%s has no idle call", row->name);
	cmd_idle(row, &arg, sizeof(arg));
	EXPECT_EQ(row->idle, _test_cmd(self->fd, row->nr, &arg));
	EXPECT_TRUE(all_bytes(arg.bytes + row->size, 0, sizeof(arg) - row->size));
	EXPECT_EQ(sizeof(arg), arg.size);
}

/* A04 */
TEST_F(length, huge_size)
{
	static const __u32 sizes[] = { 1U << 20, INT32_MAX, 1U << 31, UINT32_MAX - 7, UINT32_MAX };
	const struct cmd_row *row = ROW();
	union cmd_arg arg;

	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		int err;

		cmd_idle(row, &arg, sizes[i]);
		err = _test_cmd(self->fd, row->nr, &arg);
		EXPECT_TRUE(err == E2BIG || err == EFAULT || err == EINVAL) {
			TH_LOG("%s of %u bytes: %d", row->name, sizes[i], err);
		}
	}
}

TEST_F(length, bad_address)
{
	const struct cmd_row *row = ROW();
	long page = sysconf(_SC_PAGESIZE);
	union cmd_arg arg, *read_only;
	unsigned char *hole;

	hole = mmap(NULL, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, hole);
	EXPECT_EQ(EFAULT, _test_cmd(self->fd, row->nr, NULL));
	EXPECT_EQ(EFAULT, _test_cmd(self->fd, row->nr, hole));
	EXPECT_EQ(EFAULT, _test_cmd(self->fd, row->nr, (void *)-4096L));

	/* An answer that cannot be written. */
	if (row->nr != KOHAKU_INFO)
		return;
	read_only = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, read_only);
	cmd_idle(row, &arg, row->size);
	memcpy(read_only, &arg, sizeof(arg));
	ASSERT_EQ(0, mprotect(read_only, page, PROT_READ));
	EXPECT_EQ(EFAULT, _test_cmd(self->fd, row->nr, read_only));
}

TEST_HARNESS_MAIN
