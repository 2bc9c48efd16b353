// SPDX-License-Identifier: GPL-2.0
/*
 * Commands by io_uring without liburing, which is there for one word size only:
 * this is built for 32 bits as well.
 */
#include <linux/io_uring.h>
#include <sys/syscall.h>

#include "cmd_table.h"

#define ENTRIES 4

FIXTURE(raw)
{
	int fd, ring;
	struct io_uring_params params;
	unsigned char *sq, *cq;
	struct io_uring_sqe *sqes;
};

static void *map_of(int ring, size_t length, off_t what)
{
	return mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, what);
}

FIXTURE_SETUP(raw)
{
	struct io_uring_params *p = &self->params;
	struct kohaku_info info;

	self->fd = open_node(_metadata);
	test_info(self->fd, &info);
	if (!(info.out_caps & KOHAKU_CAP_URING))
		SKIP_SETUP("no commands by io_uring");
	memset(p, 0, sizeof(*p));
	self->ring = syscall(__NR_io_uring_setup, ENTRIES, p);
	if (self->ring < 0 && errno == EPERM)
		SKIP_SETUP("no io_uring: %s", strerror(errno));
	ASSERT_LE(0, self->ring);
	self->sq = map_of(self->ring, p->sq_off.array + p->sq_entries * sizeof(__u32),
			  IORING_OFF_SQ_RING);
	self->cq = map_of(self->ring, p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe),
			  IORING_OFF_CQ_RING);
	self->sqes = map_of(self->ring, p->sq_entries * sizeof(self->sqes[0]), IORING_OFF_SQES);
	ASSERT_TRUE(self->sq != MAP_FAILED && self->cq != MAP_FAILED && self->sqes != MAP_FAILED);
}

FIXTURE_TEARDOWN(raw)
{
	close(self->ring);
	close(self->fd);
}

/* One command there and back: 0 or errno. */
static int by_ring(FIXTURE_DATA(raw) *self, unsigned long nr, void *arg)
{
	const struct io_uring_params *p = &self->params;
	__u32 *tail = (__u32 *)(self->sq + p->sq_off.tail);
	__u32 *head = (__u32 *)(self->cq + p->cq_off.head);
	__u32 *array = (__u32 *)(self->sq + p->sq_off.array);
	struct io_uring_cqe *cqes = (struct io_uring_cqe *)(self->cq + p->cq_off.cqes);
	__u32 i = *tail & (p->sq_entries - 1);
	struct kohaku_uring payload = { .arg = user_address(arg) };
	int res;

	memcpy(&payload.size, arg, sizeof(payload.size));
	memset(&self->sqes[i], 0, sizeof(self->sqes[i]));
	self->sqes[i].opcode = IORING_OP_URING_CMD;
	self->sqes[i].fd = self->fd;
	/* The number of the command, and behind all else the payload. */
	self->sqes[i].off = nr;
	memcpy((unsigned char *)&self->sqes[i] + 48, &payload, sizeof(payload));
	array[i] = i;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(__NR_io_uring_enter, self->ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		return STRAY_RETURN;
	res = cqes[*head & (p->cq_entries - 1)].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return res > 0 ? STRAY_RETURN + res : -res;
}

TEST_F(raw, same_errnos)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(cmd_table); i++) {
		const struct cmd_row *row = &cmd_table[i];
		union cmd_arg arg;

		if (!cmd_exists(self->fd, row) || !cmd_idles(row))
			continue;
		cmd_idle(row, &arg, row->size);
		EXPECT_EQ(row->idle, by_ring(self, row->nr, &arg)) {
			TH_LOG("%s", row->name);
		}
	}
}

TEST_F(raw, same_info)
{
	struct kohaku_info by_ioctl, info;

	test_info(self->fd, &by_ioctl);
	memset(&info, 0xcc, sizeof(info));
	info.size = sizeof(info);
	info.flags = 0;
	ASSERT_EQ(0, by_ring(self, KOHAKU_INFO, &info));
	EXPECT_EQ(0, memcmp(&by_ioctl, &info, sizeof(info)));
}

TEST_F(raw, job)
{
	unsigned char seen[2 * WORD], word[WORD];
	struct kohaku_buf_alloc alloc = {
		.size = sizeof(alloc), .tier = KOHAKU_TIER_DRAM, .length = 4096,
	};
	struct kohaku_buf_io io = { .size = sizeof(io), .length = WORD };
	struct kohaku_wait wait = { .size = sizeof(wait), .deadline_ns = FOREVER };
	struct kohaku_submit submit;
	struct kohaku_op op;

	ASSERT_EQ(0, by_ring(self, KOHAKU_BUF_ALLOC, &alloc));
	memset(word, 0x77, sizeof(word));
	memset(seen, 0xcc, sizeof(seen));
	io.buffer = alloc.out_buffer;
	io.data = user_address(word);
	ASSERT_EQ(0, by_ring(self, KOHAKU_BUF_WRITE, &io));
	op = op_copy(walk_linear(alloc.out_buffer, 0, 1), walk_linear(alloc.out_buffer, WORD, 1));
	submit_init(&submit, &op, 1, KOHAKU_SUBMIT_ASYNC);
	ASSERT_EQ(0, by_ring(self, KOHAKU_SUBMIT, &submit));
	wait.job = submit.out_job;
	ASSERT_EQ(0, by_ring(self, KOHAKU_WAIT, &wait));
	ASSERT_DONE(&wait.completion, 1);
	EXPECT_EQ(0x1122334455667788, wait.completion.cookie);
	EXPECT_EQ(ENOENT, by_ring(self, KOHAKU_WAIT, &wait));
	io.offset = WORD;
	io.data = user_address(seen);
	ASSERT_EQ(0, by_ring(self, KOHAKU_BUF_READ, &io));
	EXPECT_EQ(0, memcmp(word, seen, WORD));
	EXPECT_TRUE(all_bytes(seen + WORD, 0xcc, WORD));
}

TEST_HARNESS_MAIN
