// SPDX-License-Identifier: GPL-2.0
/*
 * Two users who have every opportunity to see or disturb each other, and try.
 *
 * All that a spy ever puts into the node is its own mark.  So what it reads must
 * be its mark, or zero where it is fresh; anything else is the other one's.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/wait.h>

#include "node_fs.h"

#define SPIES 2
#define ROUNDS 3000
#define BUFFERS 6
#define MOST (16 << 10)
#define IDS 64			/* what is tried of the ids of others */
#define PALETTE 5

enum verdict {
	WELL, BROKEN, USED, TABLE, LEAK, DISTURBED, REACHED, STALE_MAPPING, FOREIGN_NEWS, VERDICTS
};

static const char *const verdicts[VERDICTS] = {
	"well", "a command failed that must work", "got memory that was not zero",
	"went through a table that is not its own", "moved what is not its own",
	"its own bytes changed", "reached a buffer of the other", "a mapping outlived its buffer",
	"heard of a job or fault of the other",
};

/* Memory that changes while the driver reads it. */
struct shaky {
	volatile __u32 indices[8];
	struct kohaku_op op;
	__u32 out;		/* where it moves to, which has no mark yet */
	volatile bool end;
	__u64 seed;
};

struct spy {
	int fd;
	bool slot;		/* the node has one */
	bool loaded;		/* and a table of this spy's */
	unsigned char mark;
	__u64 seed;
	__u32 ids[BUFFERS];	/* 0: none */
	__u32 sizes[BUFFERS];
	__u64 offsets[BUFFERS];	/* for mmap(), 0: none */
	__u64 cookie;
	struct shaky shaky;
};

static unsigned char seen[4 * MOST];

static __u32 below(struct spy *spy, __u32 limit)
{
	return random_below(&spy->seed, limit);
}

static bool owns(const struct spy *spy, __u32 id)
{
	for (unsigned int i = 0; i < BUFFERS; i++)
		if (spy->ids[i] == id)
			return true;
	return false;
}

/* An id that is not the spy's: the other's, very often, since ids are small. */
static __u32 foreign_id(struct spy *spy)
{
	__u32 id;

	do
		id = 1 + below(spy, IDS);
	while (owns(spy, id));
	return id;
}

static unsigned int some_buffer(struct spy *spy)
{
	return below(spy, BUFFERS);
}

/* A buffer in place of number i: fresh memory is zero, whoever had it before. */
static enum verdict renew(struct spy *spy, unsigned int i)
{
	__u32 tier = 1 + below(spy, 2);
	struct kohaku_submit submit;
	struct kohaku_buf_alloc alloc;
	struct kohaku_op op;

	if (spy->ids[i] && _test_free(spy->fd, spy->ids[i]))
		return BROKEN;
	spy->ids[i] = 0;
	spy->sizes[i] = (1 + below(spy, MOST / WORD)) * WORD;
	if (_test_alloc_on(spy->fd, below(spy, 2), tier, KOHAKU_BUF_FALLBACK, spy->sizes[i],
			   &alloc))
		return BROKEN;
	spy->ids[i] = alloc.out_buffer;
	spy->offsets[i] = alloc.out_map_offset;
	if (_test_read(spy->fd, alloc.out_buffer, 0, spy->sizes[i], seen))
		return BROKEN;
	if (!all_bytes(seen, 0, spy->sizes[i]))
		return USED;
	op = op_fill(walk_linear(alloc.out_buffer, 0, spy->sizes[i] / WORD),
		     spy->mark * 0x01010101U);
	op.mesh = alloc.mesh;
	return _test_submit(spy->fd, &op, 1, 0, &submit) || submit.completion.status ? BROKEN :
										       WELL;
}

static enum verdict look(struct spy *spy)
{
	unsigned int i = some_buffer(spy);

	if (_test_read(spy->fd, spy->ids[i], 0, spy->sizes[i], seen))
		return BROKEN;
	return all_bytes(seen, spy->mark, spy->sizes[i]) ? WELL : DISTURBED;
}

/* Every command that takes an id, with one of the other's. */
static enum verdict reach(struct spy *spy)
{
	__u32 foreign = foreign_id(spy), own = spy->ids[some_buffer(spy)];
	struct kohaku_op ops[2] = {
		op_copy(walk_linear(foreign, 0, 1), walk_linear(own, 0, 1)),
		op_copy(walk_linear(own, 0, 1), walk_linear(foreign, 0, 1)),
	};
	struct kohaku_submit submit;

	if (_test_read(spy->fd, foreign, 0, WORD, seen) != ENOENT ||
	    _test_write(spy->fd, foreign, 0, WORD, seen) != ENOENT ||
	    _test_free(spy->fd, foreign) != ENOENT ||
	    _test_submit(spy->fd, &ops[0], 1, 0, &submit) != ENOENT ||
	    _test_submit(spy->fd, &ops[1], 1, 0, &submit) != ENOENT)
		return REACHED;
	return WELL;
}

/* Whether the address can be read, without a signal if it cannot. */
static bool readable(const void *p)
{
	int ends[2];
	bool yes;

	if (pipe(ends))
		return true;
	yes = write(ends[1], p, 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return yes;
}

/* A mapping shows the mark, then nothing: the memory may be the other's by now. */
static enum verdict map(struct spy *spy)
{
	unsigned int i = some_buffer(spy);
	enum verdict verdict = WELL;
	__u32 size = spy->sizes[i];	/* its successor has another */
	unsigned char *p;

	if (!spy->offsets[i])
		return WELL;
	p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, spy->fd,
		 spy->offsets[i]);
	if (p == MAP_FAILED)
		return BROKEN;
	if (!all_bytes(p, spy->mark, size))
		verdict = DISTURBED;
	if (!verdict)
		verdict = renew(spy, i);
	if (!verdict && readable(p))
		verdict = STALE_MAPPING;
	munmap(p, size);
	return verdict;
}

/* Offsets for mmap() grow alike for both: those nearby are the other's. */
static enum verdict map_foreign(struct spy *spy)
{
	__u64 offset = (__u64)sysconf(_SC_PAGESIZE) * (1 + below(spy, 4096));
	void *p;

	for (unsigned int i = 0; i < BUFFERS; i++)
		if (spy->offsets[i] && offset >= spy->offsets[i] &&
		    offset < spy->offsets[i] + 2 * MOST)
			return WELL;
	p = mmap(NULL, WORD, PROT_READ, MAP_SHARED, spy->fd, offset);
	return p == MAP_FAILED ? WELL : REACHED;
}

static struct kohaku_op op_load(const __u16 *values)
{
	struct kohaku_op op = {
		.opcode = KOHAKU_OP_SLOT_LOAD,
		.slot_load = { .occupant = PALETTE, .count = 256,
			       .values = user_address(values) },
	};

	return op;
}

/* A table that turns everything into the mark, loaded sometimes and used always. */
static enum verdict transform(struct spy *spy)
{
	struct kohaku_submit submit;
	struct kohaku_op ops[2];
	__u32 in, out;
	enum verdict verdict = WELL;
	__u16 table[256];

	if (!spy->slot)
		return WELL;
	memset(table, spy->mark, sizeof(table));
	ops[0] = op_load(table);
	if (_test_alloc(spy->fd, KOHAKU_TIER_DRAM, 2 * WORD, &in) ||
	    _test_alloc(spy->fd, KOHAKU_TIER_DRAM, 4 * WORD, &out))
		return BROKEN;
	ops[1] = op_copy(walk_linear(in, 0, 2), walk_linear(out, 0, 1));
	ops[1].move.mode = KOHAKU_MOVE_XFORM;
	ops[1].move.xform = PALETTE;
	ops[1].move.dst.dims[0].stride = 4 * WORD;
	if (spy->loaded && below(spy, 3))
		ops[0] = op_marker(0);
	spy->loaded = true;
	if (_test_submit(spy->fd, ops, 2, 0, &submit) || submit.completion.status ||
	    _test_read(spy->fd, out, 0, 4 * WORD, seen))
		verdict = BROKEN;
	else if (!all_bytes(seen, spy->mark, 4 * WORD))
		verdict = TABLE;
	_test_free(spy->fd, in);
	_test_free(spy->fd, out);
	return verdict;
}

/* Turns indices and ids around while the other thread submits them. */
static void *shake(void *p)
{
	struct shaky *shaky = p;
	volatile __u32 *buffer = &shaky->op.move.src.buffer;
	const __u32 own = *buffer;
	__u32 id;

	while (!shaky->end) {
		for (unsigned int i = 0; i < ARRAY_SIZE(shaky->indices); i++)
			shaky->indices[i] = random_below(&shaky->seed, 4) ? 0 :
					    random_next(&shaky->seed);
		id = 1 + random_below(&shaky->seed, IDS);
		*buffer = id == shaky->out || random_below(&shaky->seed, 2) ? own : id;
	}
	return NULL;
}

/* Whatever of it the driver saw: it was refused, or it moved the spy's own words. */
static enum verdict submit_shaky(struct spy *spy)
{
	__u32 own = spy->ids[some_buffer(spy)], out;
	struct shaky *shaky = &spy->shaky;
	struct kohaku_submit submit;
	enum verdict verdict = WELL;
	pthread_t thread;

	if (_test_alloc(spy->fd, KOHAKU_TIER_DRAM, 8 * WORD, &out))
		return BROKEN;
	shaky->op = op_copy(walk_linear(own, 0, 0), walk_linear(out, 0, 8));
	shaky->op.move.mode = KOHAKU_MOVE_GATHER;
	shaky->op.move.src = (struct kohaku_walker) { .buffer = own };
	shaky->op.move.indices = user_address((void *)shaky->indices);
	shaky->op.move.index_count = 8;
	shaky->op.move.pitch = WORD;
	shaky->op.move.row_words = 1;
	shaky->out = out;
	shaky->end = false;
	if (pthread_create(&thread, NULL, shake, shaky))
		return BROKEN;
	for (unsigned int i = 0; i < 20 && !verdict; i++) {
		if (_test_submit(spy->fd, &shaky->op, 1, 0, &submit))
			continue;
		if (submit.completion.status || _test_read(spy->fd, out, 0, 8 * WORD, seen))
			verdict = BROKEN;
		else if (!all_bytes(seen, spy->mark, 8 * WORD))
			verdict = LEAK;
	}
	shaky->end = true;
	pthread_join(thread, NULL);
	_test_free(spy->fd, out);
	return verdict;
}

/* Completions and fault records are of one's own jobs. */
static enum verdict hear(struct spy *spy)
{
	unsigned int i = some_buffer(spy);
	struct kohaku_completion record;
	struct kohaku_fault_read fault;
	struct kohaku_submit submit;
	struct kohaku_op op = op_fill(walk_linear(spy->ids[i], 1, 1), 0);

	submit_init(&submit, &op, 1, KOHAKU_SUBMIT_ASYNC);
	submit.cookie = (__u64)spy->mark << 32 | ++spy->cookie;
	if (_test_fault_read(spy->fd, KOHAKU_FAULT_CLEAR, &fault) != ENOENT)
		return FOREIGN_NEWS;
	if (_test_cmd(spy->fd, KOHAKU_SUBMIT, &submit) ||
	    read(spy->fd, &record, sizeof(record)) != sizeof(record))
		return BROKEN;
	if (record.cookie != submit.cookie || record.fault != KOHAKU_FAULT_ALIGN)
		return FOREIGN_NEWS;
	if (_test_fault_read(spy->fd, KOHAKU_FAULT_CLEAR, &fault))
		return BROKEN;
	return fault.out_job == submit.out_job ? WELL : FOREIGN_NEWS;
}

static enum verdict act(struct spy *spy)
{
	switch (below(spy, 12)) {
	case 0: case 1: case 2:	return renew(spy, some_buffer(spy));
	case 3: case 4:		return reach(spy);
	case 5:			return map(spy);
	case 6:			return map_foreign(spy);
	case 7: case 8:		return transform(spy);
	case 9:			return below(spy, 8) ? WELL : submit_shaky(spy);
	case 10:		return hear(spy);
	default:		return look(spy);
	}
}

static enum verdict play(struct spy *spy)
{
	enum verdict verdict = WELL;
	struct kohaku_info info;

	if (_test_info(spy->fd, &info))
		return BROKEN;
	spy->slot = info.out_caps & KOHAKU_CAP_SLOT;
	for (unsigned int i = 0; i < BUFFERS && !verdict; i++)
		verdict = renew(spy, i);
	for (unsigned int round = 0; round < ROUNDS && !verdict; round++)
		verdict = act(spy);
	return verdict;
}

static pid_t send_spy(const struct sim_node *node, unsigned int number, __u64 seed)
{
	const uid_t uid = 64001 + number;
	static struct spy spy;
	pid_t pid = fork();

	if (pid)
		return pid;
	spy.mark = 0xa1 + 0x11 * number;
	spy.seed = seed + number;
	spy.shaky.seed = seed - number;
	if (setresuid(uid, uid, uid))
		_exit(BROKEN);
	spy.fd = open(node->path, O_RDWR | O_CLOEXEC);
	_exit(spy.fd < 0 ? BROKEN : play(&spy));
}

FIXTURE(isolation)
{
	struct sim_node node;
};

FIXTURE_SETUP(isolation)
{
	if (geteuid())
		SKIP_SETUP("needs root");
	make_node(_metadata, &self->node, "kselftest-isolation", 2);
	ASSERT_EQ(0, chmod(self->node.path, 0666));
}

FIXTURE_TEARDOWN(isolation)
{
	sim_destroy(&self->node);
}

TEST_F_TIMEOUT(isolation, spies, 300)
{
	__u64 seed = random_seed();
	pid_t pids[SPIES];

	for (unsigned int i = 0; i < SPIES; i++) {
		pids[i] = send_spy(&self->node, i, seed);
		ASSERT_LT(0, pids[i]);
	}
	for (unsigned int i = 0; i < SPIES; i++) {
		int status;

		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_EQ(0, status) {
			TH_LOG("spy %u: %s", i,
			       WIFEXITED(status) && WEXITSTATUS(status) < VERDICTS ?
			       verdicts[WEXITSTATUS(status)] : "died");
		}
	}
	EXPECT_EQ(0, sysfs_number(self->node.path, "buffers"));
}

TEST_HARNESS_MAIN
