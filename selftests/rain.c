// SPDX-License-Identifier: GPL-2.0
/*
 * No completion is lost, and none told twice, however often signals end the calls
 * that wait for it: by WAIT, by read(), by poll() and by a synchronous SUBMIT.
 */
#include "node_fs.h"

#include <stdatomic.h>
#include <sys/eventfd.h>

#define RAIN_US 300
#define THREADS 8
#define JOBS 100	/* of each thread */

enum way { BY_WAIT, BY_READ, BY_POLL, BY_SUBMIT, WAYS };

/* A file and everything that was told through it. */
struct market {
	int fd;
	__u32 buffer;
	struct kohaku_op op;
	atomic_uint async;			/* jobs that were submitted so */
	atomic_uint told[THREADS * JOBS];	/* completions, by the job's cookie */
	atomic_uint wrong;
	struct seller {
		struct market *market;
		unsigned int number;
	} sellers[THREADS];
};

FIXTURE(rain)
{
	struct sim_node node;
	const char *path;
	struct market market;
	long long done;
};

FIXTURE_VARIANT(rain)
{
	const char *ns_per_move;	/* NULL: the node under test as it is */
};

FIXTURE_VARIANT_ADD(rain, node) { .ns_per_move = NULL };
FIXTURE_VARIANT_ADD(rain, slow) { .ns_per_move = "1000000" };

static void market_open(struct __test_metadata *_metadata, struct market *market, const char *path)
{
	market->fd = open(path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, market->fd);
	test_alloc(market->fd, KOHAKU_TIER_DRAM, 4096, &market->buffer);
	market->op = op_fill(walk_linear(market->buffer, 0, 1), 0x5a5a5a5a);
}

FIXTURE_SETUP(rain)
{
	self->path = node_path();
	if (variant->ns_per_move) {
		make_node(_metadata, &self->node, "kselftest-rain", 1);
		self->path = self->node.path;
		if (knob_write(self->path, 0, "ns_per_move", variant->ns_per_move)) {
			sim_destroy(&self->node);
			SKIP_SETUP("no debugfs knobs");
		}
	} else {
		close(open_node(_metadata));
	}
	market_open(_metadata, &self->market, self->path);
	self->done = sysfs_number(self->path, "mesh0/done");
	interrupt_children(RAIN_US);
	interrupt_begin();
}

FIXTURE_TEARDOWN(rain)
{
	interrupt_end();
	close(self->market.fd);
	if (variant->ns_per_move)
		sim_destroy(&self->node);
}

static void tell(struct market *market, const struct kohaku_completion *completion)
{
	if (completion->status || completion->words != 1 || completion->cookie >= THREADS * JOBS)
		market->wrong++;
	else
		market->told[completion->cookie]++;
}

static bool submit(struct market *market, __u64 cookie, __u32 flags, struct kohaku_submit *submit)
{
	int err;

	do {
		submit_init(submit, &market->op, 1, flags);
		submit->cookie = cookie;
		err = _test_cmd(market->fd, KOHAKU_SUBMIT, submit);
	} while (err == EAGAIN);
	if (!err && flags & KOHAKU_SUBMIT_ASYNC)
		market->async++;
	/* Somebody's read() had what a signal made asynchronous: it is told there. */
	if (err && err != ENOENT)
		market->wrong++;
	return !err;
}

static void tell_one_read(struct market *market)
{
	struct kohaku_completion completion;

	if (read(market->fd, &completion, sizeof(completion)) != sizeof(completion))
		market->wrong++;
	else
		tell(market, &completion);
}

static void sell(struct market *market, __u64 cookie, enum way way)
{
	struct pollfd p = { .fd = market->fd, .events = POLLIN };
	struct kohaku_completion completion;
	struct kohaku_submit job;
	int err;

	if (!submit(market, cookie, way == BY_SUBMIT ? 0 : KOHAKU_SUBMIT_ASYNC, &job))
		return;
	switch (way) {
	case BY_WAIT:
		err = _test_wait(market->fd, job.out_job, FOREVER, &completion);
		if (!err)
			tell(market, &completion);
		else if (err != ENOENT)
			market->wrong++;
		break;
	case BY_POLL:
		if (poll(&p, 1, -1) != 1 || p.revents != POLLIN)
			market->wrong++;
		tell_one_read(market);
		break;
	case BY_READ:
		tell_one_read(market);
		break;
	default:
		tell(market, &job.completion);
		break;
	}
}

static void *seller_run(void *arg)
{
	struct seller *seller = arg;

	for (unsigned int i = 0; i < JOBS; i++)
		sell(seller->market, seller->number * JOBS + i, seller->number % WAYS);
	return NULL;
}

/* Whoever read another's completion has left the own one behind. */
static void tell_the_rest(struct market *market)
{
	struct pollfd p = { .fd = market->fd, .events = POLLIN };

	while (poll(&p, 1, 200) == 1 && !market->wrong)
		tell_one_read(market);
}

static void check_market(struct __test_metadata *_metadata, struct market *market)
{
	EXPECT_EQ(0, market->wrong);
	for (unsigned int i = 0; i < THREADS * JOBS; i++) {
		ASSERT_EQ(1, market->told[i]) {
			TH_LOG("job %u of %u", i % JOBS, i / JOBS);
		}
	}
}

/* Threads on one file, which take each other's completions as they come.  C01 */
TEST_F_TIMEOUT(rain, threads, 300)
{
	unsigned long resumed = interrupt.counts->resumed;
	pthread_t threads[THREADS];
	eventfd_t events = 0;
	int event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

	ASSERT_LE(0, event);
	ASSERT_EQ(0, _test_eventfd(self->market.fd, event));
	for (unsigned int i = 0; i < THREADS; i++) {
		self->market.sellers[i] = (struct seller){ &self->market, i };
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, seller_run,
					    &self->market.sellers[i]));
	}
	for (unsigned int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	tell_the_rest(&self->market);
	check_market(_metadata, &self->market);
	/* The counters of the node and the event add up to the same. */
	EXPECT_EQ(self->done + THREADS * JOBS, sysfs_number(self->path, "mesh0/done"));
	EXPECT_EQ(0, sysfs_number(self->path, "jobs"));
	eventfd_read(event, &events);
	EXPECT_EQ(self->market.async + interrupt.counts->resumed - resumed, events);
	close(event);
	EXPECT_LT(0, interrupt.counts->signals);
	EXPECT_LT(0, variant->ns_per_move ? interrupt.counts->cut_short : 1);
	TH_LOG("%lu signals, %lu calls cut short", interrupt.counts->signals,
	       interrupt.counts->cut_short);
}

/* The same with processes, a file each. */
TEST_F_TIMEOUT(rain, processes, 300)
{
	pid_t pids[WAYS];
	int status;

	for (unsigned int way = 0; way < WAYS; way++) {
		pids[way] = fork();
		ASSERT_LE(0, pids[way]);
		if (pids[way])
			continue;
		close(self->market.fd);
		market_open(_metadata, &self->market, self->path);
		for (unsigned int i = 0; i < THREADS * JOBS / WAYS; i++)
			sell(&self->market, i, way);
		for (unsigned int i = 0; i < THREADS * JOBS / WAYS; i++)
			self->market.wrong += self->market.told[i] != 1;
		_exit(self->market.wrong ? 1 : 0);
	}
	for (unsigned int way = 0; way < WAYS; way++) {
		ASSERT_EQ(pids[way], waitpid(pids[way], &status, 0));
		EXPECT_EQ(0, status) {
			TH_LOG("way %u", way);
		}
	}
	EXPECT_EQ(self->done + THREADS * JOBS, sysfs_number(self->path, "mesh0/done"));
	EXPECT_EQ(0, sysfs_number(self->path, "jobs"));
}

TEST_HARNESS_MAIN
