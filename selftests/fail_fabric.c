// SPDX-License-Identifier: GPL-2.0
/*
 * Everything that can fail in a command of the transfer fabric, or in a RELAYOUT,
 * fails once, on an open file that has no fabric yet.  After each step either the
 * command failed and left nothing, or its result is complete.
 */
#include "fabric_test.h"
#include "fail_nth.h"

#define BASE 0x40000000ULL
#define SIZE 512	/* bytes of a page of this node's fabric */
#define STRIPES 4
#define LANES 16
#define RUNS 2		/* of a conversion, */
#define RUN_BYTES 512	/* and the bytes of each */

struct bed {
	struct nth nth;
	struct sim_node node;
	int fd, err;
	__u32 src, dst;
	unsigned char bytes[RUNS * RUN_BYTES], seen[RUNS * RUN_BYTES];
	__u64 words[LANES], back[LANES];
	struct kohaku_fabric_stripe stripes[STRIPES], read[STRIPES];
	struct kohaku_fabric_query query;
	struct kohaku_fabric_results results;
	struct kohaku_transfer_result result;
	struct kohaku_fabric_trace trace;
	struct kohaku_fabric_event events[256];
	struct kohaku_transfer_insn insn;
	__u32 starts[RUNS];
	struct kohaku_op op;
	struct kohaku_submit submit;
};

#include "fail_chain.h"

FIXTURE(fail_fabric)
{
	struct bed bed;
};

FIXTURE_VARIANT(fail_fabric)
{
	struct chain chain;
};

FIXTURE_SETUP(fail_fabric)
{
	static const __u8 orders[STRIPES] = { 2, 3, 4, 0 };
	struct bed *bed = &self->bed;
	__u64 seed = 3;

	if (!nth_setup())
		SKIP_SETUP("no fault injection");
	nth_open(&bed->nth);
	ASSERT_LE(0, bed->nth.fd);
	make_node(_metadata, &bed->node, "kselftest-fail-fabric", 1);
	random_bytes(&seed, bed->bytes, sizeof(bed->bytes));
	random_bytes(&seed, bed->words, sizeof(bed->words));
	for (unsigned int i = 0; i < STRIPES; i++)
		bed->stripes[i] = (struct kohaku_fabric_stripe) { 8 << i, orders[i] };
	bed->insn = insn(KOHAKU_TRANSFER_STORE, BASE, 128);
}

FIXTURE_TEARDOWN(fail_fabric)
{
	sim_destroy(&self->bed.node);
	close(self->bed.nth.fd);
}

/* The file is opened before the command and closed after it. */
static bool attempt(struct __test_metadata *_metadata, struct bed *self,
		    const struct chain *chain, unsigned int n)
{
	bool fired;

	self->fd = open(self->node.path, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->fd);
	if (chain->prepare)
		chain->prepare(self);
	fired = chain_run(_metadata, self, chain, n);
	close(self->fd);
	EXPECT_EQ(0, sysfs_number(self->node.path, "buffers"));
	EXPECT_EQ(0, sysfs_number(self->node.path, "jobs"));
	return fired;
}

TEST_F_TIMEOUT(fail_fabric, sweep, 300)
{
	sweep(_metadata, &self->bed, &variant->chain);
}

/* A command that failed does what it should when it is tried again. */
static int run_query(struct bed *self)
{
	return query(self->fd, 0, &self->query);
}

static bool whole_query(struct bed *self)
{
	return self->query.out_lanes == LANES && self->query.out_page_bytes == SIZE;
}

static bool again_query(struct bed *self)
{
	return !run_query(self) && whole_query(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, query) {
	.chain = {
		.run = run_query,
		.whole = whole_query,
		.nothing = again_query,
	},
};

static int run_layout(struct bed *self)
{
	struct kohaku_fabric_layout layout = {
		.size = sizeof(layout), .address = BASE, .stripe_count = STRIPES,
		.stripes = user_address(self->read),
	};

	memset(self->read, 0xcc, sizeof(self->read));
	return _test_cmd(self->fd, KOHAKU_FABRIC_LAYOUT, &layout);
}

static bool whole_layout(struct bed *self)
{
	return !memcmp(self->read, self->stripes, sizeof(self->read));
}

static bool again_layout(struct bed *self)
{
	return !run_layout(self) && whole_layout(self);
}

static int run_map(struct bed *self)
{
	struct kohaku_fabric_map arg = {
		.size = sizeof(arg), .flags = RW, .address = BASE, .stripe_count = STRIPES,
		.stripes = user_address(self->stripes),
	};

	return _test_cmd(self->fd, KOHAKU_FABRIC_MAP, &arg);
}

static bool nothing_map(struct bed *self)
{
	return unmap(self->fd, BASE) == ENOENT && !run_map(self) && again_layout(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, map) {
	.chain = {
		.run = run_map,
		.whole = again_layout,
		.nothing = nothing_map,
	},
};

static void prepare_map(struct bed *self)
{
	run_map(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, layout) {
	.chain = {
		.prepare = prepare_map,
		.run = run_layout,
		.whole = whole_layout,
		.nothing = again_layout,
	},
};

static int run_unmap(struct bed *self)
{
	return unmap(self->fd, BASE);
}

static bool whole_unmap(struct bed *self)
{
	return unmap(self->fd, BASE) == ENOENT;
}

static bool nothing_unmap(struct bed *self)
{
	return !unmap(self->fd, BASE);
}

FIXTURE_VARIANT_ADD(fail_fabric, unmap) {
	.chain = {
		.prepare = prepare_map,
		.run = run_unmap,
		.whole = whole_unmap,
		.nothing = nothing_unmap,
	},
};

static int run_read(struct bed *self)
{
	memset(self->seen, 0xcc, SIZE);
	return memory(self->fd, KOHAKU_FABRIC_READ, BASE, self->seen, SIZE);
}

static bool whole_read(struct bed *self)
{
	return !memcmp(self->seen, self->bytes, SIZE);
}

static bool again_read(struct bed *self)
{
	return !run_read(self) && whole_read(self);
}

static int run_write(struct bed *self)
{
	return memory(self->fd, KOHAKU_FABRIC_WRITE, BASE, self->bytes, SIZE);
}

/* Where only the answer was lost the bytes are there. */
static bool nothing_write(struct bed *self)
{
	return again_read(self) || all_bytes(self->seen, 0, SIZE);
}

FIXTURE_VARIANT_ADD(fail_fabric, write_memory) {
	.chain = {
		.prepare = prepare_map,
		.run = run_write,
		.whole = again_read,
		.nothing = nothing_write,
	},
};

static void prepare_memory(struct bed *self)
{
	run_map(self);
	run_write(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, read_memory) {
	.chain = {
		.prepare = prepare_memory,
		.run = run_read,
		.whole = whole_read,
		.nothing = again_read,
	},
};

static int run_write_register(struct bed *self)
{
	return reg(self->fd, KOHAKU_FABRIC_WRITE, 0, 8, self->words, sizeof(self->words));
}

static int run_read_register(struct bed *self)
{
	memset(self->back, 0xcc, sizeof(self->back));
	return reg(self->fd, KOHAKU_FABRIC_READ, 0, 0, self->back, sizeof(self->back));
}

static bool whole_register(struct bed *self)
{
	return !memcmp(self->back, self->words, sizeof(self->words));
}

static bool again_register(struct bed *self)
{
	return !run_read_register(self) && whole_register(self);
}

static bool nothing_register(struct bed *self)
{
	return again_register(self) || all_bytes((void *)self->back, 0, sizeof(self->back));
}

FIXTURE_VARIANT_ADD(fail_fabric, write_register) {
	.chain = {
		.run = run_write_register,
		.whole = again_register,
		.nothing = nothing_register,
	},
};

static void prepare_register(struct bed *self)
{
	run_write_register(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, read_register) {
	.chain = {
		.prepare = prepare_register,
		.run = run_read_register,
		.whole = whole_register,
		.nothing = again_register,
	},
};

/* A store of register 0, 128 elements of a byte. */
static void prepare_transfer(struct bed *self)
{
	run_map(self);
	run_write_register(self);
}

static int run_transfer(struct bed *self)
{
	self->op = op_transfer(&self->insn, 1);
	return _test_submit(self->fd, &self->op, 1, 0, &self->submit);
}

static bool stored(struct bed *self)
{
	return !run_read(self) && !all_bytes(self->seen, 0, 128) &&
	       all_bytes(self->seen + 128, 0, SIZE - 128);
}

static bool ended(const struct kohaku_completion *completion)
{
	return completion->status ? completion->status == -EIO && completion->fault :
				    completion->ops_done == 1;
}

static bool whole_transfer(struct bed *self)
{
	return ended(&self->submit.completion) &&
	       (self->submit.completion.status || stored(self));
}

/* Where only the last answer was lost the caller knows the job's id: it ran. */
static bool ran(const struct kohaku_submit *submit)
{
	return submit->out_job && submit->out_job != 0xcccccccccccccccc;
}

static bool nothing_transfer(struct bed *self)
{
	return ran(&self->submit) ? stored(self) :
				    !run_read(self) && all_bytes(self->seen, 0, SIZE);
}

FIXTURE_VARIANT_ADD(fail_fabric, transfer) {
	.chain = {
		.prepare = prepare_transfer,
		.run = run_transfer,
		.whole = whole_transfer,
		.nothing = nothing_transfer,
	},
};

static void prepare_results(struct bed *self)
{
	prepare_transfer(self);
	run_transfer(self);
}

static int run_results(struct bed *self)
{
	return results(self->fd, &self->result, 1, &self->results);
}

static bool whole_results(struct bed *self)
{
	return self->results.count == 1 && self->results.out_job == self->submit.out_job &&
	       self->result.fault == KOHAKU_TRANSFER_OK && self->result.end;
}

static bool again_results(struct bed *self)
{
	return !run_results(self) && whole_results(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, results) {
	.chain = {
		.prepare = prepare_results,
		.run = run_results,
		.whole = whole_results,
		.nothing = again_results,
	},
};

static int run_trace_start(struct bed *self)
{
	return trace(self->fd, KOHAKU_FABRIC_TRACE_START, self->events, 0, &self->trace);
}

static int run_trace_stop(struct bed *self)
{
	return trace(self->fd, KOHAKU_FABRIC_TRACE_STOP, self->events, 256, &self->trace);
}

static bool traces(struct bed *self)
{
	prepare_results(self);
	return !run_trace_stop(self) && self->trace.count > 0 && !self->trace.out_lost;
}

/* It may have begun all the same; then beginning once more does no harm. */
static bool again_trace_start(struct bed *self)
{
	return !run_trace_start(self) && traces(self);
}

FIXTURE_VARIANT_ADD(fail_fabric, trace_start) {
	.chain = {
		.run = run_trace_start,
		.whole = traces,
		.nothing = again_trace_start,
	},
};

static void prepare_trace(struct bed *self)
{
	run_trace_start(self);
	prepare_results(self);
}

static bool whole_trace_stop(struct bed *self)
{
	return self->trace.count > 0 &&
	       trace(self->fd, 0, self->events, 256, &self->trace) == ENOENT;
}

/* Events that were taken are gone, but the recording is either on or off. */
static bool nothing_trace_stop(struct bed *self)
{
	int err = run_trace_stop(self);

	return (!err || err == ENOENT) && run_trace_stop(self) == ENOENT;
}

FIXTURE_VARIANT_ADD(fail_fabric, trace_stop) {
	.chain = {
		.prepare = prepare_trace,
		.run = run_trace_stop,
		.whole = whole_trace_stop,
		.nothing = nothing_trace_stop,
	},
};

/* Runs of sixteen words, last one first, transposed in fours. */
static void prepare_relayout(struct bed *self)
{
	_test_alloc(self->fd, KOHAKU_TIER_DRAM, sizeof(self->bytes), &self->src);
	_test_alloc(self->fd, KOHAKU_TIER_DRAM, sizeof(self->bytes), &self->dst);
	_test_write(self->fd, self->src, 0, sizeof(self->bytes), self->bytes);
	for (unsigned int run = 0; run < RUNS; run++)
		self->starts[run] = (RUNS - 1 - run) * (RUN_BYTES / WORD);
	self->op = (struct kohaku_op){ .opcode = KOHAKU_OP_RELAYOUT };
	self->op.relayout = (struct kohaku_relayout){
		.flags = KOHAKU_RELAYOUT_TRANSPOSE,
		.mode = KOHAKU_RELAYOUT_DRAIN,
		.words = RUN_BYTES / WORD,
		.runs = RUNS,
		.count = 1,
		.starts = user_address(self->starts),
		.ndim = 1,
		.dims = { { WORD, RUN_BYTES / WORD } },
		.src_buffer = self->src,
		.dst_buffer = self->dst,
	};
}

static int run_relayout(struct bed *self)
{
	return _test_submit(self->fd, &self->op, 1, 0, &self->submit);
}

static bool read_back(struct bed *self)
{
	return !_test_read(self->fd, self->dst, 0, sizeof(self->seen), self->seen);
}

/* Lane l of word w of each four goes to lane w of word l. */
static bool converted(struct bed *self)
{
	if (!read_back(self))
		return false;
	for (unsigned int i = 0; i < sizeof(self->bytes) / 8; i++) {
		unsigned int at = i / 16 * 128, word = i / 4 % 4, lane = i % 4;
		unsigned int run = at / RUN_BYTES, to = at % RUN_BYTES;

		to += (RUNS - 1 - run) * RUN_BYTES + lane * WORD + word * 8;
		if (memcmp(self->bytes + at + word * WORD + lane * 8, self->seen + to, 8))
			return false;
	}
	return true;
}

static bool whole_relayout(struct bed *self)
{
	return ended(&self->submit.completion) &&
	       (self->submit.completion.status || converted(self));
}

static bool nothing_relayout(struct bed *self)
{
	return ran(&self->submit) ? converted(self) :
	       read_back(self) && all_bytes(self->seen, 0, sizeof(self->seen));
}

FIXTURE_VARIANT_ADD(fail_fabric, relayout) {
	.chain = {
		.prepare = prepare_relayout,
		.run = run_relayout,
		.whole = whole_relayout,
		.nothing = nothing_relayout,
	},
};

TEST_HARNESS_MAIN
