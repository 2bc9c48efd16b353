// SPDX-License-Identifier: GPL-2.0
/*
 * Random walks over the whole interface: several processes call whatever there
 * is with arguments that are mostly right, while their node is unplugged, reset
 * and made to fail under them.  Nothing is checked but that every call ends with
 * an errno that the header knows, and that at the end all has been given back:
 * the kernel's own checkers find the rest.
 *
 * $KOHAKU_WALKER_CALLS says how many calls (20000), $KOHAKU_SEED which, and
 * $KOHAKU_KILLS how many walkers are killed on their way (200).
 */
#include <sys/eventfd.h>

#include "fail_nth.h"

#define WALKERS 4
#define FILES 3
#define MAPS 4
#define SIZE 8192

struct walker {
	__u64 seed;
	struct sim_node *node;
	struct nth nth;
	bool injects;
	struct walker_file {
		int fd;
		__u32 ids[4];
		__u64 offsets[4];
		__u64 job;
	} files[FILES];
	struct { void *at; size_t size; } maps[MAPS];
	unsigned char bytes[2 * SIZE];
	unsigned long calls;
};

static __u32 below(struct walker *walker, __u32 limit)
{
	return random_below(&walker->seed, limit);
}

static bool rarely(struct walker *walker)
{
	return !below(walker, 32);
}

static struct walker_file *some_file(struct walker *walker)
{
	return &walker->files[below(walker, FILES)];
}

/* The id of a buffer that is there, or one that is not. */
static __u32 some_id(struct walker *walker, struct walker_file *file)
{
	return rarely(walker) ? below(walker, 16) : file->ids[below(walker, 4)];
}

static int walk_open(struct walker *walker)
{
	struct walker_file *file = some_file(walker);

	if (file->fd >= 0)
		close(file->fd);
	memset(file, 0, sizeof(*file));
	file->fd = open(below(walker, 4) ? walker->node->path : node_path(),
			O_RDWR | O_CLOEXEC | O_NONBLOCK);
	return file->fd < 0 ? errno : 0;
}

static int walk_info(struct walker *walker)
{
	struct kohaku_info info;

	return _test_info(some_file(walker)->fd, &info);
}

static int walk_probe(struct walker *walker)
{
	struct kohaku_probe probe;

	return _test_probe(some_file(walker)->fd,
			   _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + below(walker, 20)), &probe);
}

static int walk_alloc(struct walker *walker)
{
	struct walker_file *file = some_file(walker);
	unsigned int i = below(walker, 4);
	struct kohaku_buf_alloc alloc;
	__u64 length = 1 + below(walker, SIZE);
	int err;

	if (rarely(walker))
		length = random_next(&walker->seed) >> below(walker, 64);
	if (file->ids[i])
		_test_free(file->fd, file->ids[i]);
	err = _test_alloc_on(file->fd, below(walker, 2), 1 + below(walker, 2 + rarely(walker)),
			     below(walker, 2), length, &alloc);
	file->ids[i] = err ? 0 : alloc.out_buffer;
	file->offsets[i] = err ? 0 : alloc.out_map_offset;
	return err;
}

static int walk_free(struct walker *walker)
{
	struct walker_file *file = some_file(walker);

	return _test_free(file->fd, some_id(walker, file));
}

static int walk_io(struct walker *walker)
{
	struct walker_file *file = some_file(walker);
	unsigned char *data = walker->bytes + below(walker, 64);

	if (rarely(walker))
		data = walker->maps[below(walker, MAPS)].at;
	return _test_io(file->fd, below(walker, 2) ? KOHAKU_BUF_READ : KOHAKU_BUF_WRITE,
			some_id(walker, file), below(walker, 8) * WORD,
			below(walker, 256) * WORD + rarely(walker), data);
}

static void some_walker(struct walker *walker, struct walker_file *file, struct kohaku_walker *out)
{
	*out = (struct kohaku_walker) {
		.buffer = some_id(walker, file),
		.ndim = 1 + below(walker, 3),
		.offset = below(walker, 16) * WORD + rarely(walker),
	};
	for (__u32 k = 0; k < out->ndim; k++)
		out->dims[k] = (struct kohaku_dim) {
			.stride = ((__s32)below(walker, 9) - 2) * WORD,
			.count = 1 + below(walker, 4),
			.step = below(walker, 3),
			.axis = below(walker, 3),
		};
	out->windows[below(walker, 2)].extent = below(walker, 8);
}

static void some_move(struct walker *walker, struct walker_file *file, struct kohaku_move *move,
		      const __u32 *indices)
{
	static const __u16 modes[] = {
		KOHAKU_MOVE_COPY, KOHAKU_MOVE_COPY, KOHAKU_MOVE_GATHER, KOHAKU_MOVE_GENERATE,
		KOHAKU_MOVE_FILL, KOHAKU_MOVE_XFORM,
	};

	memset(move, 0, sizeof(*move));
	move->mode = modes[below(walker, ARRAY_SIZE(modes))];
	move->flags = below(walker, 2);
	move->burst_cap = below(walker, 8);
	some_walker(walker, file, &move->dst);
	if (move->mode == KOHAKU_MOVE_FILL || move->mode == KOHAKU_MOVE_GENERATE)
		return;
	some_walker(walker, file, &move->src);
	if (below(walker, 2)) {
		move->src = move->dst;
		move->src.buffer = some_id(walker, file);
	}
	if (move->mode == KOHAKU_MOVE_GATHER) {
		move->src = (struct kohaku_walker) { .buffer = move->src.buffer };
		move->indices = user_address(indices);
		move->index_count = 1 + below(walker, 8);
		move->pitch = below(walker, 8) * WORD;
		move->row_words = 1 + below(walker, 8);
	}
	if (move->mode == KOHAKU_MOVE_XFORM) {
		move->xform = below(walker, 8);
		move->dst.dims[0].stride = 4 * WORD;
	}
}

static int walk_submit(struct walker *walker)
{
	struct walker_file *file = some_file(walker);
	__u32 count = below(walker, 5), indices[8];
	struct kohaku_submit submit;
	struct kohaku_op ops[4];
	__u16 values[16] = { 0 };
	int err;

	for (unsigned int i = 0; i < 8; i++)
		indices[i] = below(walker, 8);
	memset(ops, 0, sizeof(ops));
	for (__u32 i = 0; i < count && i < 4; i++) {
		ops[i].opcode = below(walker, 8) ? KOHAKU_OP_MOVE : 1 + below(walker, 4);
		ops[i].mesh = below(walker, 2);
		ops[i].flags = below(walker, 4);
		if (ops[i].opcode == KOHAKU_OP_MOVE)
			some_move(walker, file, &ops[i].move, indices);
		else
			ops[i].flags &= KOHAKU_OP_BARRIER;
		if (ops[i].opcode == KOHAKU_OP_SLOT_LOAD)
			ops[i].slot_load = (struct kohaku_slot_load) {
				.occupant = 5, .first = below(walker, 240), .count = 16,
				.values = user_address(values),
			};
	}
	submit_init(&submit, ops, count > 4 ? 4 : count, below(walker, 2));
	submit.timeout_ns = rarely(walker) ? below(walker, 1000) : 0;
	err = _test_cmd(file->fd, KOHAKU_SUBMIT, &submit);
	if (!err)
		file->job = submit.out_job;
	return err;
}

static int walk_wait(struct walker *walker)
{
	struct walker_file *file = some_file(walker);
	struct kohaku_completion completion;

	return _test_wait(file->fd, file->job - below(walker, 3), in_ms(below(walker, 3)),
			  &completion);
}

static int walk_read(struct walker *walker)
{
	struct kohaku_completion done[8];

	return read(some_file(walker)->fd, done, below(walker, sizeof(done))) < 0 ? errno : 0;
}

static int walk_poll(struct walker *walker)
{
	struct pollfd p = { .fd = some_file(walker)->fd, .events = POLLIN };

	return poll(&p, 1, below(walker, 2)) < 0 ? errno : 0;
}

static int walk_eventfd(struct walker *walker)
{
	int event = rarely(walker) ? 0 : eventfd(0, EFD_CLOEXEC);
	int err = _test_eventfd(some_file(walker)->fd, event);

	if (event > 0)
		close(event);
	return err;
}

static int walk_fault_read(struct walker *walker)
{
	struct kohaku_fault_read fault;

	return _test_fault_read(some_file(walker)->fd, below(walker, 2), &fault);
}

static int walk_query(struct walker *walker)
{
	struct kohaku_slot_query query = {
		.size = sizeof(query),
		.mesh = below(walker, 2),
		.occupant = below(walker, 16),
		.table_count = below(walker, 2) * 256,
		.table = user_address(walker->bytes),
	};

	return _test_cmd(some_file(walker)->fd, KOHAKU_SLOT_QUERY, &query);
}

/* A command with bytes that mean nothing. */
static int walk_garbage(struct walker *walker)
{
	union { __u32 size; unsigned char bytes[1024]; } arg;
	unsigned int nr = below(walker, 14);

	random_bytes(&walker->seed, arg.bytes, sizeof(arg));
	arg.size = below(walker, sizeof(arg));
	memset(arg.bytes + 4, 0, below(walker, sizeof(arg) - 4));
	if (KOHAKU_CMD_BASE + nr == KOHAKU_NR_RESET)
		return 0;
	return _test_cmd(some_file(walker)->fd, _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + nr), &arg);
}

static void unmap(struct walker *walker, unsigned int i)
{
	if (walker->maps[i].at)
		munmap(walker->maps[i].at, walker->maps[i].size);
	walker->maps[i].at = NULL;
}

static int walk_map(struct walker *walker)
{
	struct walker_file *file = some_file(walker);
	unsigned int i = below(walker, MAPS);
	void *at;

	unmap(walker, i);
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, rarely(walker) ? MAP_PRIVATE : MAP_SHARED,
		  file->fd, file->offsets[below(walker, 4)] + (rarely(walker) ? 4096 : 0));
	if (at == MAP_FAILED)
		return errno;
	walker->maps[i].at = at;
	walker->maps[i].size = 4096;
	return 0;
}

/* Touches a mapping through a system call: EFAULT where a load would be SIGBUS. */
static int walk_touch(struct walker *walker)
{
	unsigned int i = below(walker, MAPS);
	int fd = open(below(walker, 2) ? "/dev/zero" : "/dev/null", O_RDWR | O_CLOEXEC);

	if (walker->maps[i].at && below(walker, 2))
		(void)!read(fd, walker->maps[i].at, walker->maps[i].size);
	else if (walker->maps[i].at)
		(void)!write(fd, walker->maps[i].at, walker->maps[i].size);
	close(fd);
	return 0;
}

static int walk_sysfs(struct walker *walker)
{
	static const char *const attributes[] = {
		"state", "jobs", "buffers", "mesh0/faults", "mesh0/staging_largest_free",
		"mesh1/done", "capabilities",
	};

	sysfs_number(walker->node->path, attributes[below(walker, ARRAY_SIZE(attributes))]);
	return 0;
}

static int walk_debugfs(struct walker *walker)
{
	static const char *const files[] = { "registers", "counters", "program" };
	char path[256], text[4096];

	snprintf(path, sizeof(path), DEBUGFS_KOHAKU "/%s/mesh%u/%s",
		 node_name(walker->node->path), below(walker, 2),
		 files[below(walker, ARRAY_SIZE(files))]);
	text_read(path, text, sizeof(text));
	return 0;
}

static int walk_reset(struct walker *walker)
{
	return _test_reset(some_file(walker)->fd);
}

static int walk_knob(struct walker *walker)
{
	static const struct { const char *knob, *value; } settings[] = {
		{ "hang", "0" }, { "no_motion", "0" }, { "error_at_beat", "0" },
		{ "ns_per_move", "0" }, { "ns_per_move", "20000" }, { "error_at_beat", "3" },
		{ "no_motion", "1" },
	};
	unsigned int i = below(walker, ARRAY_SIZE(settings));

	knob_write(walker->node->path, below(walker, 2), settings[i].knob, settings[i].value);
	return 0;
}

static int walk_replug(struct walker *walker)
{
	sim_unplug(walker->node);
	sim_attribute(walker->node, "live", "1");
	return 0;
}

/* Deep paths are walked more often than those that end at once. */
static const struct {
	int (*walk)(struct walker *walker);
	unsigned int weight;
} steps[] = {
	{ walk_submit, 40 }, { walk_alloc, 15 }, { walk_io, 12 }, { walk_wait, 10 },
	{ walk_read, 8 }, { walk_free, 5 }, { walk_map, 6 }, { walk_touch, 6 },
	{ walk_fault_read, 4 }, { walk_query, 4 }, { walk_eventfd, 3 }, { walk_garbage, 4 },
	{ walk_info, 2 }, { walk_probe, 1 }, { walk_poll, 2 }, { walk_open, 4 },
	{ walk_sysfs, 2 }, { walk_debugfs, 2 }, { walk_knob, 1 }, { walk_reset, 1 },
};

static int (*some_step(struct walker *walker))(struct walker *)
{
	unsigned int sum = 0, i;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		sum += steps[i].weight;
	sum = below(walker, sum);
	for (i = 0; sum >= steps[i].weight; i++)
		sum -= steps[i].weight;
	return steps[i].walk;
}

/* The errnos of the header, and those of the system calls around it. */
static bool known(int err)
{
	static const int errnos[] = {
		0, ENOTTY, EINVAL, E2BIG, EOPNOTSUPP, ENOENT, EBUSY, EAGAIN, ENOSPC, EPERM, EIO,
		EMSGSIZE, ENODEV, ECANCELED, ETIMEDOUT, EINTR, EFAULT, ENOMEM, EOVERFLOW,
		EBADF, EEXIST, ENXIO,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(errnos); i++)
		if (err == errnos[i])
			return true;
	return false;
}

/* One walk; 0, or the errno that nobody knows. */
static int walk(struct walker *walker, unsigned long calls)
{
	int err = 0;

	if (walker->injects)
		nth_open(&walker->nth);
	for (unsigned int i = 0; i < FILES; i++)
		walker->files[i].fd = -1;
	for (; walker->calls < calls && known(err); walker->calls++) {
		int (*next)(struct walker *walker) = some_step(walker);
		bool injects = walker->injects && !below(walker, 4);

		/* Rarely enough to get anywhere in between. */
		if (!below(walker, 2000))
			next = walk_replug;
		if (injects)
			injects = nth_arm(&walker->nth, 1 + below(walker, 30));
		err = next(walker);
		if (injects)
			nth_disarm(&walker->nth);
	}
	for (unsigned int i = 0; i < MAPS; i++)
		unmap(walker, i);
	return known(err) ? 0 : err;
}

/* Whether calls can be made to fail. */
static bool walk_injects(void)
{
	/* A fault could hit the delivery of a signal, which kills. */
	if (interrupt.us || !nth_setup())
		return false;
	/* User-Mode Linux looks into a page table that it did not get, and is gone. */
	return !user_mode_linux() || nth_pages(false);
}

FIXTURE(walker)
{
	struct sim_node node;
	__u64 seed;
	struct walker walkers[WALKERS];
};

FIXTURE_SETUP(walker)
{
	bool injects = walk_injects();

	make_node(_metadata, &self->node, "kselftest-walker", 2);
	self->seed = random_seed();
	TH_LOG("KOHAKU_SEED=%#llx", self->seed);
	for (unsigned int i = 0; i < WALKERS; i++)
		self->walkers[i].injects = injects;
}

FIXTURE_TEARDOWN(walker)
{
	sim_destroy(&self->node);
}

TEST_F_TIMEOUT(walker, random_walks, 3600)
{
	unsigned long calls = times("KOHAKU_WALKER_CALLS", 20000) / WALKERS;
	__u64 begin = now_ns();
	pid_t pids[WALKERS];
	int status;

	for (unsigned int i = 0; i < WALKERS; i++) {
		self->walkers[i].seed = self->seed + i;
		self->walkers[i].node = &self->node;
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i])
			_exit(walk(&self->walkers[i], calls));
	}
	for (unsigned int i = 0; i < WALKERS; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_EQ(0, status) {
			TH_LOG("walker %u: %s", i, WIFEXITED(status) ?
			       strerror(WEXITSTATUS(status)) : strsignal(WTERMSIG(status)));
		}
	}
	TH_LOG("%lu calls, %llu per second", calls * WALKERS,
	       calls * WALKERS * 1000000000ULL / (now_ns() - begin));
	/* All of them have ended: what they held on /dev/kohaku is free. */
	EXPECT_EQ(0, sysfs_number(node_path(), "jobs"));
}

/* Starts one that goes on until it is killed. */
static pid_t walk_on(FIXTURE_DATA(walker) *self, unsigned int i, __u64 seed)
{
	pid_t pid = fork();

	if (!pid) {
		self->walkers[i].seed = seed;
		self->walkers[i].node = &self->node;
		_exit(walk(&self->walkers[i], ULONG_MAX) ? 1 : 0);
	}
	return pid;
}

/* SIGKILL at whatever point of whatever call; another takes the place. */
TEST_F_TIMEOUT(walker, killed, 3600)
{
	unsigned int kills = times("KOHAKU_KILLS", 200);
	long long buffers = sysfs_number(node_path(), "buffers");
	__u64 seed = self->seed, begin = now_ns();
	pid_t pids[WALKERS];
	int status;

	for (unsigned int i = 0; i < WALKERS; i++)
		pids[i] = walk_on(self, i, random_next(&seed));
	for (unsigned int n = 0; n < kills + WALKERS; n++) {
		unsigned int i = n % WALKERS;

		if (n < kills)
			usleep(random_below(&seed, 10000));
		ASSERT_LE(0, pids[i]);
		ASSERT_EQ(0, kill(pids[i], SIGKILL));
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
			TH_LOG("ended by itself: %#x", status);
		}
		if (n < kills)
			pids[i] = walk_on(self, i, random_next(&seed));
	}
	TH_LOG("%u killed, %llu ms each", kills + WALKERS,
	       (now_ns() - begin) / 1000000 / (kills + WALKERS));
	for (int i = 0; i < 100 && sysfs_number(node_path(), "buffers") != buffers; i++)
		sleep_ms(20);
	EXPECT_EQ(buffers, sysfs_number(node_path(), "buffers"));
	EXPECT_EQ(0, sysfs_number(node_path(), "jobs"));
}

TEST_HARNESS_MAIN
