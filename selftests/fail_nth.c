// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that can fail in a command fails once.  After each step either the
 * command failed and left nothing, or its result is complete.
 */
#include <setjmp.h>
#include <sys/eventfd.h>

#include "fail_nth.h"
#include "uring_test.h"

#define SIZE 8192
#define WORDS (SIZE / WORD)
#define PALETTE 256

/* What the commands under test work on. */
struct bed {
	struct nth nth;
	int fd;
	__u32 src, dst;
	unsigned char bytes[SIZE], seen[SIZE];
	int err, made;
	struct kohaku_buf_alloc alloc;
	struct kohaku_submit submit;
	struct kohaku_completion completion;
	struct kohaku_fault_read fault;
	struct kohaku_slot_query query;
	struct kohaku_op ops[2];
	__u32 indices[8];
	__u16 values[PALETTE], table[PALETTE];
	int event;
	unsigned char *map;
	struct ring ring;
	struct kohaku_wait wait;
};

#include "fail_chain.h"

FIXTURE(fail_nth)
{
	struct bed bed;
};

FIXTURE_VARIANT(fail_nth)
{
	struct chain chain;
};

/* A file with two buffers, which a step uses and then closes. */
static void bed_open(struct __test_metadata *_metadata, struct bed *bed)
{
	__u64 seed = 1;

	bed->fd = open_node(_metadata);
	bed->event = -1;
	bed->made = -1;
	random_bytes(&seed, bed->bytes, SIZE);
	test_alloc(bed->fd, KOHAKU_TIER_DRAM, SIZE, &bed->src);
	test_alloc(bed->fd, KOHAKU_TIER_DRAM, SIZE, &bed->dst);
	test_write(bed->fd, bed->src, 0, SIZE, bed->bytes);
}

static void bed_close(struct bed *bed)
{
	close(bed->fd);
	if (bed->event >= 0)
		close(bed->event);
	/* A ring lets go of its file some time after it was closed. */
	while (sysfs_number(node_path(), "buffers"))
		sleep_ms(1);
}

FIXTURE_SETUP(fail_nth)
{
	__u64 needs = variant->chain.needs;
	struct kohaku_info info;
	int fd;

	if (!nth_setup())
		SKIP_SETUP("no fault injection");
	fd = open_node(_metadata);
	ASSERT_EQ(0, _test_info(fd, &info));
	close(fd);
	if ((info.out_caps & needs) != needs)
		SKIP_SETUP("the node cannot do it");
	nth_open(&self->bed.nth);
	ASSERT_LE(0, self->bed.nth.fd);
}

FIXTURE_TEARDOWN(fail_nth)
{
	close(self->bed.nth.fd);
}

struct load {
	long long buffers, dram, staging, jobs;
};

static struct load load_now(void)
{
	return (struct load) {
		.buffers = sysfs_number(node_path(), "buffers"),
		.dram = sysfs_number(node_path(), "dram_bytes"),
		.staging = sysfs_number(node_path(), "staging_bytes"),
		.jobs = sysfs_number(node_path(), "jobs"),
	};
}

static bool attempt(struct __test_metadata *_metadata, struct bed *self,
		    const struct chain *chain, unsigned int n)
{
	struct load before, after;
	bool fired;

	bed_open(_metadata, self);
	if (chain->prepare)
		chain->prepare(self);
	before = load_now();
	fired = chain_run(_metadata, self, chain, n);
	if (chain->undo)
		chain->undo(self);
	after = load_now();
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before))) {
		TH_LOG("nth %u: errno %d, buffers %lld -> %lld, jobs %lld -> %lld", n, self->err,
		       before.buffers, after.buffers, before.jobs, after.jobs);
	}
	bed_close(self);
	return fired;
}

/* D03 */
TEST_F_TIMEOUT(fail_nth, sweep, 300)
{
	sweep(_metadata, &self->bed, &variant->chain);
}

static int run_open(struct bed *self)
{
	self->made = open(node_path(), O_RDWR | O_CLOEXEC);
	return self->made < 0 ? errno : 0;
}

static bool works(struct bed *self, int fd)
{
	struct kohaku_info info;

	(void)self;
	return !_test_info(fd, &info) && info.out_state == KOHAKU_NODE_OK;
}

static bool whole_open(struct bed *self)
{
	return works(self, self->made);
}

static void undo_open(struct bed *self)
{
	if (self->made >= 0)
		close(self->made);
	self->made = -1;
}

FIXTURE_VARIANT_ADD(fail_nth, open) {
	.chain = {
		.run = run_open,
		.whole = whole_open,
		.undo = undo_open,
	},
};

static int run_info(struct bed *self)
{
	struct kohaku_info info;
	int err = _test_info(self->fd, &info);

	return err ? err : info.out_meshes && info.out_alignment ? 0 : EBADMSG;
}

static int run_probe(struct bed *self)
{
	struct kohaku_probe probe;
	int err = _test_probe(self->fd, KOHAKU_SUBMIT, &probe);

	return err ? err : probe.out_size == sizeof(struct kohaku_submit) ? 0 : EBADMSG;
}

FIXTURE_VARIANT_ADD(fail_nth, info) {
	.chain = {
		.run = run_info,
	},
};

FIXTURE_VARIANT_ADD(fail_nth, probe) {
	.chain = {
		.run = run_probe,
	},
};

static int run_alloc_dram(struct bed *self)
{
	return _test_alloc_on(self->fd, 0, KOHAKU_TIER_DRAM, 0, SIZE, &self->alloc);
}

static int run_alloc_staging(struct bed *self)
{
	return _test_alloc_on(self->fd, 0, KOHAKU_TIER_STAGING, KOHAKU_BUF_FALLBACK, SIZE,
			      &self->alloc);
}

static bool whole_alloc(struct bed *self)
{
	memset(self->seen, 0xcc, SIZE);
	return self->alloc.out_length == SIZE &&
	       !_test_read(self->fd, self->alloc.out_buffer, 0, SIZE, self->seen) &&
	       all_bytes(self->seen, 0, SIZE);
}

/* The caller may have been told an id before the last step failed. */
static bool nothing_alloc(struct bed *self)
{
	return _test_free(self->fd, self->alloc.out_buffer) == ENOENT;
}

static void undo_alloc(struct bed *self)
{
	if (!self->err)
		_test_free(self->fd, self->alloc.out_buffer);
}

FIXTURE_VARIANT_ADD(fail_nth, buf_alloc_dram) {
	.chain = {
		.run = run_alloc_dram,
		.whole = whole_alloc,
		.nothing = nothing_alloc,
		.undo = undo_alloc,
	},
};

FIXTURE_VARIANT_ADD(fail_nth, buf_alloc_staging) {
	.chain = {
		.run = run_alloc_staging,
		.whole = whole_alloc,
		.nothing = nothing_alloc,
		.undo = undo_alloc,
	},
};

static int run_free(struct bed *self)
{
	return _test_free(self->fd, self->dst);
}

static bool whole_free(struct bed *self)
{
	return _test_free(self->fd, self->dst) == ENOENT;
}

static bool nothing_free(struct bed *self)
{
	return !_test_read(self->fd, self->dst, 0, SIZE, self->seen);
}

static void undo_free(struct bed *self)
{
	if (!self->err)
		_test_alloc(self->fd, KOHAKU_TIER_DRAM, SIZE, &self->dst);
}

FIXTURE_VARIANT_ADD(fail_nth, buf_free) {
	.chain = {
		.run = run_free,
		.whole = whole_free,
		.nothing = nothing_free,
		.undo = undo_free,
	},
};

static void prepare_seen(struct bed *self)
{
	memset(self->seen, 0xcc, SIZE);
}

static int run_read(struct bed *self)
{
	return _test_read(self->fd, self->src, 0, SIZE, self->seen);
}

static bool whole_seen(struct bed *self)
{
	return !memcmp(self->seen, self->bytes, SIZE);
}

FIXTURE_VARIANT_ADD(fail_nth, buf_read) {
	.chain = {
		.prepare = prepare_seen,
		.run = run_read,
		.whole = whole_seen,
	},
};

/* The destination with other bytes than the source's. */
static void prepare_dst(struct bed *self)
{
	memset(self->seen, 0x5a, SIZE);
	_test_write(self->fd, self->dst, 0, SIZE, self->seen);
}

static int run_write(struct bed *self)
{
	return _test_write(self->fd, self->dst, 0, SIZE, self->bytes);
}

static bool whole_dst(struct bed *self)
{
	return !_test_read(self->fd, self->dst, 0, SIZE, self->seen) && whole_seen(self);
}

FIXTURE_VARIANT_ADD(fail_nth, buf_write) {
	.chain = {
		.prepare = prepare_dst,
		.run = run_write,
		.whole = whole_dst,
	},
};

static bool untouched_dst(struct bed *self)
{
	return !_test_read(self->fd, self->dst, 0, SIZE, self->seen) &&
	       all_bytes(self->seen, 0x5a, SIZE);
}

/* A job that ran, in full or up to a fault that it tells. */
static bool whole_submit(struct bed *self)
{
	const struct kohaku_completion *completion = &self->submit.completion;

	if (completion->status)
		return completion->status == -EIO && completion->fault;
	return completion->ops_done == self->submit.count && whole_dst(self);
}

/* Where only the last answer was lost the caller knows the job's id: it ran. */
static bool nothing_submit(struct bed *self)
{
	__u64 job = self->submit.out_job;

	return job && job != 0xcccccccccccccccc ? whole_dst(self) : untouched_dst(self);
}

static int submit(struct bed *self, __u32 flags)
{
	return _test_submit(self->fd, self->ops, 1, flags, &self->submit);
}

static int run_copy(struct bed *self)
{
	self->ops[0] = op_copy(walk_linear(self->src, 0, WORDS), walk_linear(self->dst, 0, WORDS));
	self->ops[0].flags = KOHAKU_OP_VERIFY;
	return submit(self, 0);
}

FIXTURE_VARIANT_ADD(fail_nth, submit_copy) {
	.chain = {
		.prepare = prepare_dst,
		.run = run_copy,
		.whole = whole_submit,
		.nothing = nothing_submit,
	},
};

/* Eight rows of the source, in their order: what comes out is the source. */
static int run_gather(struct bed *self)
{
	self->ops[0] = op_copy(walk_linear(self->src, 0, WORDS), walk_linear(self->dst, 0, WORDS));
	for (unsigned int i = 0; i < 8; i++)
		self->indices[i] = i;
	self->ops[0].move.mode = KOHAKU_MOVE_GATHER;
	self->ops[0].move.src = (struct kohaku_walker) { .buffer = self->src };
	self->ops[0].move.indices = user_address(self->indices);
	self->ops[0].move.index_count = 8;
	self->ops[0].move.pitch = SIZE / 8;
	self->ops[0].move.row_words = WORDS / 8;
	return submit(self, 0);
}

FIXTURE_VARIANT_ADD(fail_nth, submit_gather) {
	.chain = {
		.prepare = prepare_dst,
		.run = run_gather,
		.whole = whole_submit,
		.nothing = nothing_submit,
	},
};

/* More dimensions, with windows: the check of this one needs memory of its own. */
static int run_windowed(struct bed *self)
{
	struct kohaku_walker walker = {
		.buffer = self->src,
		.ndim = 3,
		.dims = {
			{ .stride = SIZE / 2, .count = 2, .step = 1, .axis = 1 },
			{ .stride = SIZE / 8, .count = 4, .step = 4, .axis = 2 },
			{ .stride = WORD, .count = WORDS / 8, .step = 1, .axis = 1 },
		},
		.windows = { { .extent = WORDS }, { .extent = 16 } },
	};

	self->ops[0] = op_copy(walker, walker);
	self->ops[0].move.dst.buffer = self->dst;
	return submit(self, 0);
}

FIXTURE_VARIANT_ADD(fail_nth, submit_windowed) {
	.chain = {
		.prepare = prepare_dst,
		.run = run_windowed,
		.whole = whole_submit,
		.nothing = nothing_submit,
	},
};

static bool same_table(struct bed *self, int err)
{
	struct kohaku_slot_query query = {
		.size = sizeof(query),
		.occupant = 5,
		.table_count = PALETTE,
		.table = user_address(self->table),
	};

	memset(self->table, 0xcc, sizeof(self->table));
	return _test_cmd(self->fd, KOHAKU_SLOT_QUERY, &query) == err &&
	       !memcmp(self->table, self->values, sizeof(self->values));
}

/* Other values each time. */
static void prepare_values(struct bed *self)
{
	for (unsigned int i = 0; i < PALETTE; i++)
		self->values[i] += i + 1;
}

static int run_slot_load(struct bed *self)
{
	self->ops[0] = (struct kohaku_op) { .opcode = KOHAKU_OP_SLOT_LOAD };
	self->ops[0].slot_load = (struct kohaku_slot_load) {
		.occupant = 5, .count = PALETTE, .values = user_address(self->values),
	};
	return submit(self, 0);
}

static bool whole_slot_load(struct bed *self)
{
	if (self->submit.completion.status)
		return self->submit.completion.status == -EIO && self->submit.completion.fault;
	return same_table(self, 0);
}

static bool nothing_slot_load(struct bed *self)
{
	__u64 job = self->submit.out_job;

	return same_table(self, 0) == (job && job != 0xcccccccccccccccc);
}

FIXTURE_VARIANT_ADD(fail_nth, submit_slot_load) {
	.chain = {
		.needs = KOHAKU_CAP_SLOT,
		.prepare = prepare_values,
		.run = run_slot_load,
		.whole = whole_slot_load,
		.nothing = nothing_slot_load,
	},
};

static void prepare_query(struct bed *self)
{
	run_slot_load(self);
	memset(self->table, 0xcc, sizeof(self->table));
	self->query = (struct kohaku_slot_query) {
		.size = sizeof(self->query),
		.occupant = 5,
		.table_count = PALETTE,
		.table = user_address(self->table),
	};
}

static int run_query(struct bed *self)
{
	return _test_cmd(self->fd, KOHAKU_SLOT_QUERY, &self->query);
}

static bool whole_query(struct bed *self)
{
	return self->query.table_count == PALETTE && self->query.out_name[0] &&
	       !memcmp(self->table, self->values, sizeof(self->values));
}

FIXTURE_VARIANT_ADD(fail_nth, slot_query) {
	.chain = {
		.needs = KOHAKU_CAP_SLOT,
		.prepare = prepare_query,
		.run = run_query,
		.whole = whole_query,
	},
};

static int run_async(struct bed *self)
{
	self->ops[0] = op_copy(walk_linear(self->src, 0, WORDS), walk_linear(self->dst, 0, WORDS));
	return submit(self, KOHAKU_SUBMIT_ASYNC);
}

static bool whole_async(struct bed *self)
{
	return !_test_wait(self->fd, self->submit.out_job, FOREVER, &self->submit.completion) &&
	       whole_submit(self);
}

/* The id that the caller may have is of no job. */
static bool nothing_async(struct bed *self)
{
	return untouched_dst(self) &&
	       _test_wait(self->fd, self->submit.out_job, 0, &self->completion) == ENOENT;
}

FIXTURE_VARIANT_ADD(fail_nth, submit_async) {
	.chain = {
		.prepare = prepare_dst,
		.run = run_async,
		.whole = whole_async,
		.nothing = nothing_async,
	},
};

/* A job whose completion waits to be collected. */
static void prepare_completion(struct bed *self)
{
	struct pollfd p = { .fd = self->fd, .events = POLLIN };

	run_async(self);
	poll(&p, 1, -1);
}

static int run_wait(struct bed *self)
{
	return _test_wait(self->fd, self->submit.out_job, FOREVER, &self->completion);
}

static int run_read_completion(struct bed *self)
{
	return read(self->fd, &self->completion, sizeof(self->completion)) < 0 ? errno : 0;
}

static bool whole_wait(struct bed *self)
{
	return !self->completion.status && self->completion.job == self->submit.out_job &&
	       _test_wait(self->fd, self->submit.out_job, 0, &self->completion) == ENOENT;
}

/* The completion is not lost. */
static bool nothing_wait(struct bed *self)
{
	return !_test_wait(self->fd, self->submit.out_job, 0, &self->completion);
}

FIXTURE_VARIANT_ADD(fail_nth, wait) {
	.chain = {
		.prepare = prepare_completion,
		.run = run_wait,
		.whole = whole_wait,
		.nothing = nothing_wait,
	},
};

FIXTURE_VARIANT_ADD(fail_nth, read) {
	.chain = {
		.prepare = prepare_completion,
		.run = run_read_completion,
		.whole = whole_wait,
		.nothing = nothing_wait,
	},
};

static void prepare_event(struct bed *self)
{
	if (self->event >= 0)
		close(self->event);
	self->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

static int run_eventfd(struct bed *self)
{
	return _test_eventfd(self->fd, self->event);
}

static bool signalled(struct bed *self)
{
	__u64 count = 0;

	prepare_completion(self);
	nothing_wait(self);
	return read(self->event, &count, sizeof(count)) == sizeof(count) && count == 1;
}

static bool not_signalled(struct bed *self)
{
	return !signalled(self);
}

static void undo_eventfd(struct bed *self)
{
	_test_eventfd(self->fd, -1);
}

FIXTURE_VARIANT_ADD(fail_nth, eventfd) {
	.chain = {
		.prepare = prepare_event,
		.run = run_eventfd,
		.whole = signalled,
		.nothing = not_signalled,
		.undo = undo_eventfd,
	},
};

/* A fill that begins beside a word leaves a record. */
static void prepare_fault(struct bed *self)
{
	self->ops[0] = op_fill(walk_linear(self->dst, 8, 1), 0);
	submit(self, 0);
}

static int run_fault_read(struct bed *self)
{
	return _test_fault_read(self->fd, KOHAKU_FAULT_CLEAR, &self->fault);
}

static bool whole_fault(struct bed *self)
{
	return self->fault.out_code == KOHAKU_FAULT_ALIGN &&
	       _test_fault_read(self->fd, 0, &self->fault) == ENOENT;
}

static bool nothing_fault(struct bed *self)
{
	return !run_fault_read(self) && self->fault.out_code == KOHAKU_FAULT_ALIGN;
}

FIXTURE_VARIANT_ADD(fail_nth, fault_read) {
	.chain = {
		.prepare = prepare_fault,
		.run = run_fault_read,
		.whole = whole_fault,
		.nothing = nothing_fault,
	},
};

/* Commands by io_uring.  A ring may have had no room for what failed: a new one each. */
static void prepare_ring(struct bed *self)
{
	ring_open(&self->ring, self->fd, 0, false);
	prepare_dst(self);
}

static void undo_ring(struct bed *self)
{
	ring_close(&self->ring);
}

/* io_uring says EAGAIN when it has no memory for a submission. */
static int by_ring(struct bed *self, unsigned long nr, const void *arg)
{
	int err = _test_ring(&self->ring, nr, arg);

	return err == EAGAIN ? ENOMEM : err;
}

static int submit_by_ring(struct bed *self, __u32 flags)
{
	self->ops[0] = op_copy(walk_linear(self->src, 0, WORDS), walk_linear(self->dst, 0, WORDS));
	submit_init(&self->submit, self->ops, 1, flags);
	return by_ring(self, KOHAKU_SUBMIT, &self->submit);
}

static int run_uring_copy(struct bed *self)
{
	return submit_by_ring(self, 0);
}

static int run_uring_async(struct bed *self)
{
	return submit_by_ring(self, KOHAKU_SUBMIT_ASYNC);
}

static void prepare_uring_wait(struct bed *self)
{
	prepare_ring(self);
	prepare_completion(self);
}

static int run_uring_wait(struct bed *self)
{
	int err;

	wait_init(&self->wait, self->submit.out_job, FOREVER);
	err = by_ring(self, KOHAKU_WAIT, &self->wait);
	self->completion = self->wait.completion;
	return err;
}

FIXTURE_VARIANT_ADD(fail_nth, uring_submit) {
	.chain = {
		.needs = KOHAKU_CAP_URING,
		.prepare = prepare_ring,
		.run = run_uring_copy,
		.whole = whole_submit,
		.nothing = nothing_submit,
		.undo = undo_ring,
	},
};

FIXTURE_VARIANT_ADD(fail_nth, uring_submit_async) {
	.chain = {
		.needs = KOHAKU_CAP_URING,
		.prepare = prepare_ring,
		.run = run_uring_async,
		.whole = whole_async,
		.nothing = nothing_async,
		.undo = undo_ring,
	},
};

FIXTURE_VARIANT_ADD(fail_nth, uring_wait) {
	.chain = {
		.needs = KOHAKU_CAP_URING,
		.prepare = prepare_uring_wait,
		.run = run_uring_wait,
		.whole = whole_wait,
		.nothing = nothing_wait,
		.undo = undo_ring,
	},
};

static int run_reset(struct bed *self)
{
	return _test_reset(self->fd);
}

static bool whole_reset(struct bed *self)
{
	return works(self, self->fd) && !run_read(self) && whole_seen(self);
}

/* A reset that fails half way leaves a node that says so, and can be tried again. */
static bool nothing_reset(struct bed *self)
{
	struct kohaku_info info;
	__u32 state = self->err == EIO ? KOHAKU_NODE_WEDGED : KOHAKU_NODE_OK;

	return !_test_info(self->fd, &info) && info.out_state == state &&
	       !_test_reset(self->fd) && whole_reset(self);
}

/* Or else the next attempt begins with a node that refuses work. */
static void undo_reset(struct bed *self)
{
	if (self->err)
		_test_reset(self->fd);
}

FIXTURE_VARIANT_ADD(fail_nth, reset) {
	.chain = {
		.needs = KOHAKU_CAP_RESET,
		.run = run_reset,
		.whole = whole_reset,
		.nothing = nothing_reset,
		.undo = undo_reset,
	},
};

static void prepare_map(struct bed *self)
{
	run_alloc_dram(self);
	self->map = MAP_FAILED;
}

static int run_map(struct bed *self)
{
	self->map = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, self->fd,
			 self->alloc.out_map_offset);
	return self->map == MAP_FAILED ? errno : 0;
}

static bool whole_map(struct bed *self)
{
	memcpy(self->map, self->bytes, SIZE);
	return !_test_read(self->fd, self->alloc.out_buffer, 0, SIZE, self->seen) &&
	       whole_seen(self);
}

/* The first pages of the next step's buffer are not those of this one. */
static void undo_map(struct bed *self)
{
	if (self->map != MAP_FAILED)
		munmap(self->map, SIZE);
}

/* The load is compared with a buffer in it, which the next step replaces. */
static void prepare_next_map(struct bed *self)
{
	if (self->made > 0)
		_test_free(self->fd, self->made);
	prepare_map(self);
	self->made = self->alloc.out_buffer;
}

FIXTURE_VARIANT_ADD(fail_nth, mmap) {
	.chain = {
		.needs = KOHAKU_CAP_MMAP,
		.prepare = prepare_next_map,
		.run = run_map,
		.whole = whole_map,
		.undo = undo_map,
	},
};

static sigjmp_buf no_page;

static void on_sigbus(int signal)
{
	siglongjmp(no_page, signal);
}

/* A page fault may end in SIGBUS, or be tried again; the next one finds the page. */
static int run_touch(struct bed *self)
{
	int err = EFAULT;

	signal(SIGBUS, on_sigbus);
	if (!sigsetjmp(no_page, 1)) {
		*(volatile unsigned char *)self->map = 1;
		err = 0;
	}
	return err;
}

static void prepare_touch(struct bed *self)
{
	prepare_next_map(self);
	run_map(self);
}

FIXTURE_VARIANT_ADD(fail_nth, page_fault) {
	.chain = {
		.needs = KOHAKU_CAP_MMAP,
		.prepare = prepare_touch,
		.run = run_touch,
		.whole = whole_map,
		.nothing = whole_map,
		.undo = undo_map,
	},
};

TEST_HARNESS_MAIN
