/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Commands of /dev/kohaku for the selftests.
 *
 * _test_X() runs a command and returns 0 or errno; test_X() asserts that it
 * succeeds, test_err_X() that it fails with the errno given first.  Every
 * struct starts out as 0xcc where the kernel answers, so that a field it forgets
 * to fill is seen.
 */
#ifndef SELFTESTS_KOHAKU_TEST_H
#define SELFTESTS_KOHAKU_TEST_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/kohaku.h>

#include "interrupt.h"
#include "kselftest_harness.h"

#define WORD KOHAKU_WORD_SIZE
#define FOREVER UINT64_MAX
/* What a command returned that is neither 0 nor -1: never a valid errno. */
#define STRAY_RETURN 100000

/* SKIP in a fixture's setup; there, some harnesses would go on to the test. */
#define SKIP_SETUP(fmt, ...) SKIP(_exit(255), fmt, ##__VA_ARGS__)

static inline const char *node_path(void)
{
	const char *path = getenv("KOHAKU_NODE");

	return path && path[0] ? path : "/dev/kohaku";
}

/* The node under test, for a fixture's setup. */
static inline int open_node(struct __test_metadata *_metadata)
{
	int fd = open(node_path(), O_RDWR | O_CLOEXEC);

	if (fd < 0 && (errno == ENOENT || errno == ENXIO || errno == EACCES))
		SKIP_SETUP("%s: %s", node_path(), strerror(errno));
	ASSERT_LE(0, fd);
	return fd;
}

static inline __u64 user_address(const void *p)
{
	return (uintptr_t)p;
}

static inline __u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static inline __u64 in_ms(unsigned int ms)
{
	return now_ns() + ms * 1000000ULL;
}

static inline void sleep_ms(unsigned int ms)
{
	struct timespec t = { ms / 1000, (ms % 1000) * 1000000L };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/* The errno of a command; B06: one that answers neither 0 nor -1 has strayed. */
static inline int _test_cmd(int fd, unsigned long nr, void *arg)
{
	int rc = ioctl(fd, nr, arg);

	if (rc == -1)
		return errno;
	return rc ? STRAY_RETURN + rc : 0;
}

static inline int _test_info(int fd, struct kohaku_info *info)
{
	memset(info, 0xcc, sizeof(*info));
	info->size = sizeof(*info);
	info->flags = 0;
	return _test_cmd(fd, KOHAKU_INFO, info);
}

static inline int _test_probe(int fd, unsigned int nr, struct kohaku_probe *probe)
{
	memset(probe, 0xcc, sizeof(*probe));
	probe->size = sizeof(*probe);
	probe->flags = 0;
	probe->__reserved = 0;
	probe->cmd = nr;
	return _test_cmd(fd, KOHAKU_PROBE, probe);
}

static inline int _test_alloc_on(int fd, __u32 mesh, __u32 tier, __u32 flags, __u64 length,
				 struct kohaku_buf_alloc *alloc)
{
	memset(alloc, 0xcc, sizeof(*alloc));
	alloc->size = sizeof(*alloc);
	alloc->flags = flags;
	alloc->mesh = mesh;
	alloc->tier = tier;
	alloc->length = length;
	return _test_cmd(fd, KOHAKU_BUF_ALLOC, alloc);
}

static inline int _test_alloc(int fd, __u32 tier, __u64 length, __u32 *buffer)
{
	struct kohaku_buf_alloc alloc;
	int err = _test_alloc_on(fd, 0, tier, 0, length, &alloc);

	*buffer = err ? 0 : alloc.out_buffer;
	return err;
}

static inline int _test_free(int fd, __u32 buffer)
{
	struct kohaku_buf_free arg = { .size = sizeof(arg), .buffer = buffer };

	return _test_cmd(fd, KOHAKU_BUF_FREE, &arg);
}

static inline int _test_io(int fd, unsigned long nr, __u32 buffer, __u64 offset, __u64 length,
			   const void *data)
{
	struct kohaku_buf_io io = {
		.size = sizeof(io),
		.buffer = buffer,
		.offset = offset,
		.length = length,
		.data = user_address(data),
	};

	return _test_cmd(fd, nr, &io);
}

static inline int _test_read(int fd, __u32 buffer, __u64 offset, __u64 length, void *data)
{
	return _test_io(fd, KOHAKU_BUF_READ, buffer, offset, length, data);
}

static inline int _test_write(int fd, __u32 buffer, __u64 offset, __u64 length, const void *data)
{
	return _test_io(fd, KOHAKU_BUF_WRITE, buffer, offset, length, data);
}

static inline void submit_init(struct kohaku_submit *submit, const struct kohaku_op *ops,
			       __u32 count, __u32 flags)
{
	memset(submit, 0xcc, sizeof(*submit));
	submit->size = sizeof(*submit);
	submit->flags = flags;
	submit->ops = user_address(ops);
	submit->count = count;
	submit->stride = sizeof(*ops);
	submit->timeout_ns = 0;
	submit->cookie = 0x1122334455667788;
}

/* The whole of what a SUBMIT answers stays in *submit. */
static inline int _test_submit(int fd, const struct kohaku_op *ops, __u32 count, __u32 flags,
			       struct kohaku_submit *submit)
{
	submit_init(submit, ops, count, flags);
	return _test_cmd(fd, KOHAKU_SUBMIT, submit);
}

static inline int _test_wait(int fd, __u64 job, __u64 deadline_ns,
			     struct kohaku_completion *completion)
{
	struct kohaku_wait wait;
	int err;

	memset(&wait, 0xcc, sizeof(wait));
	wait.size = sizeof(wait);
	wait.flags = 0;
	wait.job = job;
	wait.deadline_ns = deadline_ns;
	err = _test_cmd(fd, KOHAKU_WAIT, &wait);
	*completion = wait.completion;
	return err;
}

static inline int _test_eventfd(int fd, int event)
{
	struct kohaku_eventfd arg = { .size = sizeof(arg), .fd = event };

	return _test_cmd(fd, KOHAKU_EVENTFD, &arg);
}

static inline int _test_fault_read(int fd, __u32 flags, struct kohaku_fault_read *fault)
{
	memset(fault, 0xcc, sizeof(*fault));
	fault->size = sizeof(*fault);
	fault->flags = flags;
	fault->__reserved = 0;
	return _test_cmd(fd, KOHAKU_FAULT_READ, fault);
}

static inline int _test_reset(int fd)
{
	struct kohaku_reset arg = { .size = sizeof(arg) };

	return _test_cmd(fd, KOHAKU_RESET, &arg);
}

#define test_info(fd, info) ASSERT_EQ(0, _test_info(fd, info))
#define test_alloc(fd, tier, length, buffer) ASSERT_EQ(0, _test_alloc(fd, tier, length, buffer))
#define test_alloc_on(...) ASSERT_EQ(0, _test_alloc_on(__VA_ARGS__))
#define test_free(fd, buffer) ASSERT_EQ(0, _test_free(fd, buffer))
#define test_read(...) ASSERT_EQ(0, _test_read(__VA_ARGS__))
#define test_write(...) ASSERT_EQ(0, _test_write(__VA_ARGS__))
#define test_submit(...) ASSERT_EQ(0, _test_submit(__VA_ARGS__))
#define test_wait(...) ASSERT_EQ(0, _test_wait(__VA_ARGS__))
#define test_fault_read(...) ASSERT_EQ(0, _test_fault_read(__VA_ARGS__))

#define test_err_alloc(err, fd, tier, length, buffer) \
	EXPECT_EQ(err, _test_alloc(fd, tier, length, buffer))
#define test_err_free(err, fd, buffer) EXPECT_EQ(err, _test_free(fd, buffer))
#define test_err_read(err, ...) EXPECT_EQ(err, _test_read(__VA_ARGS__))
#define test_err_write(err, ...) EXPECT_EQ(err, _test_write(__VA_ARGS__))
#define test_err_submit(err, ...) EXPECT_EQ(err, _test_submit(__VA_ARGS__))
#define test_err_wait(err, ...) EXPECT_EQ(err, _test_wait(__VA_ARGS__))

/*
 * Where the header leaves open whether a value is "out of range" or "unknown":
 * either errno will do, success will not.
 */
#define EXPECT_REFUSED(expression) do {					\
	int _err = (expression);					\
	EXPECT_TRUE(_err == EINVAL || _err == EOPNOTSUPP) {		\
		TH_LOG("%s: errno %d", #expression, _err);		\
	}								\
} while (0)

/* A job that ended well and wrote so many words. */
#define ASSERT_DONE(completion, expected_words) do {			\
	const struct kohaku_completion *_c = (completion);		\
	ASSERT_EQ(0, _c->status) {					\
		TH_LOG("fault %u at operation %u", _c->fault, _c->fault_index); \
	}								\
	ASSERT_EQ((__u64)(expected_words), _c->words);			\
	ASSERT_EQ(0, _c->fault);					\
	ASSERT_EQ(sizeof(*_c), _c->size);				\
	ASSERT_EQ(0, _c->__reserved);					\
} while (0)

/* A walk over so many consecutive words. */
static inline struct kohaku_walker walk_linear(__u32 buffer, __u64 offset, __u32 words)
{
	struct kohaku_walker walker = {
		.buffer = buffer,
		.ndim = 1,
		.offset = offset,
		.dims[0] = { .stride = WORD, .count = words },
	};

	return walker;
}

static inline struct kohaku_op op_copy(struct kohaku_walker src, struct kohaku_walker dst)
{
	struct kohaku_op op = {
		.opcode = KOHAKU_OP_MOVE,
		.move = { .mode = KOHAKU_MOVE_COPY, .flags = KOHAKU_MOVE_COALESCE,
			  .src = src, .dst = dst },
	};

	return op;
}

static inline struct kohaku_op op_fill(struct kohaku_walker dst, __u32 pattern)
{
	struct kohaku_op op = {
		.opcode = KOHAKU_OP_MOVE,
		.move = { .mode = KOHAKU_MOVE_FILL, .width = 2, .imm = pattern,
			  .flags = KOHAKU_MOVE_COALESCE, .dst = dst },
	};

	return op;
}

static inline struct kohaku_op op_marker(__u32 flags)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_MARKER, .flags = flags };

	return op;
}

/* Are all length bytes equal to value? */
static inline bool all_bytes(const void *p, unsigned char value, size_t length)
{
	const unsigned char *bytes = p;

	while (length--)
		if (*bytes++ != value)
			return false;
	return true;
}

/* xorshift64*: the tests' own random numbers, from a seed they print. */
static inline __u64 random_next(__u64 *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 2685821657736338717ULL;
}

static inline __u32 random_below(__u64 *state, __u32 limit)
{
	return (random_next(state) >> 33) % limit;
}

static inline void random_bytes(__u64 *state, void *p, size_t length)
{
	unsigned char *bytes = p;

	while (length--)
		*bytes++ = random_next(state) >> 56;
}

/* How often a test does something: what the environment says, else usual. */
static inline unsigned int times(const char *variable, unsigned int usual)
{
	const char *text = getenv(variable);

	return text ? strtoul(text, NULL, 0) : usual;
}

/* $KOHAKU_SEED, else one from the clock; never 0. */
static inline __u64 random_seed(void)
{
	const char *text = getenv("KOHAKU_SEED");
	__u64 seed = text ? strtoull(text, NULL, 0) : now_ns();

	return seed ? seed : 1;
}

/* On a slow machine every test has KOHAKU_PATIENCE times the time it asks for. */
static inline void be_patient(void)
{
	const char *text = getenv("KOHAKU_PATIENCE");
	int factor = text ? atoi(text) : 1;

	for (struct __fixture_metadata *f = __fixture_list; f && factor > 1; f = f->next)
		for (struct __test_metadata *t = f->tests; t; t = t->next)
			t->timeout *= factor;
}

#undef TEST_HARNESS_MAIN
#define TEST_HARNESS_MAIN \
	static void __attribute__((constructor)) __constructor_order_last(void) \
	{ \
		if (!__constructor_order) \
			__constructor_order = _CONSTRUCTOR_ORDER_BACKWARD; \
	} \
	int main(int argc, char **argv) \
	{ \
		be_patient(); \
		return test_harness_run(argc, argv); \
	}

#endif
