/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of /dev/kohaku by io_uring, for the selftests.
 */
#ifndef SELFTESTS_URING_TEST_H
#define SELFTESTS_URING_TEST_H

#include <liburing.h>

#include "cmd_table.h"
#include "node_fs.h"

#define RING_ENTRIES 256
/* No answer ever came: longer than whatever a test waits for. */
#define RING_SILENT INT_MIN
#define RING_PATIENCE_S 60

struct ring {
	struct io_uring io;
	int fd;				/* what submissions name: a file, or its slot */
	unsigned int sqe_flags;
};

/* A ring for the commands of fd, in its slot 0 if fixed: 0 or errno. */
static inline int ring_open(struct ring *ring, int fd, unsigned int flags, bool fixed)
{
	int ret;

	memset(ring, 0, sizeof(*ring));
	ring->fd = fd;
	ret = io_uring_queue_init(RING_ENTRIES, &ring->io, flags);
	if (ret)
		return -ret;
	if (!fixed)
		return 0;
	ring->fd = 0;
	ring->sqe_flags = IOSQE_FIXED_FILE;
	return -io_uring_register_files(&ring->io, &fd, 1);
}

static inline void ring_close(struct ring *ring)
{
	io_uring_queue_exit(&ring->io);
}

/* The same for a fixture's setup; not every kernel has every kind of ring. */
static inline void make_ring(struct __test_metadata *_metadata, struct ring *ring, int fd,
			     unsigned int flags, bool fixed)
{
	struct kohaku_info info;
	int err;

	test_info(fd, &info);
	if (!(info.out_caps & KOHAKU_CAP_URING))
		SKIP_SETUP("no commands by io_uring");
	err = ring_open(ring, fd, flags, fixed);
	if (err == EPERM || (err == EINVAL && flags))
		SKIP_SETUP("no such ring: %s", strerror(err));
	ASSERT_EQ(0, err);
}

/* Puts a command into the ring, not submitted yet. */
static inline struct io_uring_sqe *ring_put(struct ring *ring, unsigned long nr,
					    const struct kohaku_uring *payload, __u64 tag)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->io);

	if (!sqe)
		return NULL;
	io_uring_prep_rw(IORING_OP_URING_CMD, sqe, ring->fd, NULL, 0, 0);
	sqe->cmd_op = nr;
	sqe->flags = ring->sqe_flags;
	sqe->user_data = tag;
	memcpy(sqe->cmd, payload, sizeof(*payload));
	return sqe;
}

/* The same for the struct at arg, which begins with its size. */
static inline struct io_uring_sqe *ring_cmd(struct ring *ring, unsigned long nr, const void *arg,
					    __u64 tag)
{
	struct kohaku_uring payload = { .arg = user_address(arg) };

	memcpy(&payload.size, arg, sizeof(payload.size));
	return ring_put(ring, nr, &payload, tag);
}

/* Submits what was put, n commands: 0 or errno. */
static inline int ring_submit(struct ring *ring, int n)
{
	int sent = io_uring_submit(&ring->io);

	/* A thread of the kernel's may not have counted earlier ones yet. */
	if (sent > n && ring->io.flags & IORING_SETUP_SQPOLL)
		sent = n;
	return sent == n ? 0 : sent < 0 ? -sent : STRAY_RETURN;
}

/* Takes one completion: its result, and whose it is. */
static inline int ring_take(struct ring *ring, __u64 *tag)
{
	struct __kernel_timespec patience = { .tv_sec = RING_PATIENCE_S };
	struct io_uring_cqe *cqe;
	int res;

	/* A signal, or a fault on request, is nothing to a completion. */
	do
		res = io_uring_wait_cqe_timeout(&ring->io, &cqe, &patience);
	while (res && res != -ETIME);
	if (res)
		return RING_SILENT;
	res = cqe->res;
	*tag = cqe->user_data;
	io_uring_cqe_seen(&ring->io, cqe);
	return res;
}

/* Submits one command and waits for its end: 0 or errno. */
static inline int ring_payload(struct ring *ring, unsigned long nr,
			       const struct kohaku_uring *payload)
{
	__u64 tag = 0;
	int res;

	if (!ring_put(ring, nr, payload, 0x5eed))
		return STRAY_RETURN;
	res = ring_submit(ring, 1);
	if (res)
		return res;
	res = ring_take(ring, &tag);
	return res > 0 || tag != 0x5eed ? STRAY_RETURN + res : -res;
}

static inline int _test_ring(struct ring *ring, unsigned long nr, const void *arg)
{
	struct kohaku_uring payload = { .arg = user_address(arg) };

	memcpy(&payload.size, arg, sizeof(payload.size));
	return ring_payload(ring, nr, &payload);
}

static inline void wait_init(struct kohaku_wait *wait, __u64 job, __u64 deadline_ns)
{
	memset(wait, 0xcc, sizeof(*wait));
	wait->size = sizeof(*wait);
	wait->flags = 0;
	wait->job = job;
	wait->deadline_ns = deadline_ns;
}

#endif
