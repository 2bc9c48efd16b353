// SPDX-License-Identifier: GPL-2.0
/*
 * Several processes on one node, each with random legal and illegal work and a
 * model of its own bytes, for $KOHAKU_STRESS_SECONDS (5).  Afterwards everything
 * that was taken has been given back.
 */
#include "move_model.h"
#include "node_fs.h"

#define PROCESSES 4
#define BUFFERS 4
#define SIZE 8192
#define WORDS (SIZE / WORD)

struct player {
	int fd;
	__u64 seed;
	__u32 id[BUFFERS];
	unsigned char model[BUFFERS][SIZE];
	unsigned int legal, illegal;
};

/* What went wrong, as an exit status; 0 is well. */
enum verdict { WELL, NO_OPEN, NO_ALLOC, NO_WRITE, WRONG_ERRNO, WRONG_STATUS, WRONG_BYTES };

static enum verdict replace_buffer(struct player *player, unsigned int i)
{
	__u32 tier = random_below(&player->seed, 2) ? KOHAKU_TIER_DRAM : KOHAKU_TIER_STAGING;

	if (player->id[i] && _test_free(player->fd, player->id[i]))
		return NO_ALLOC;
	if (_test_alloc(player->fd, tier, SIZE, &player->id[i]))
		return NO_ALLOC;
	memset(player->model[i], 0, SIZE);
	return WELL;
}

static enum verdict write_buffer(struct player *player, unsigned int i)
{
	__u32 offset = random_below(&player->seed, WORDS) * WORD;

	random_bytes(&player->seed, player->model[i] + offset, SIZE - offset);
	return _test_write(player->fd, player->id[i], offset, SIZE - offset,
			   player->model[i] + offset) ? NO_WRITE : WELL;
}

static enum verdict compare_buffer(struct player *player, unsigned int i)
{
	unsigned char seen[SIZE];

	if (_test_read(player->fd, player->id[i], 0, SIZE, seen))
		return WRONG_ERRNO;
	return memcmp(seen, player->model[i], SIZE) ? WRONG_BYTES : WELL;
}

static void random_walker(__u64 *seed, struct kohaku_walker *walker, __u32 buffer)
{
	memset(walker, 0, sizeof(*walker));
	walker->buffer = buffer;
	walker->ndim = 1 + random_below(seed, 3);
	for (__u32 k = 0; k < walker->ndim; k++) {
		walker->dims[k].count = 1 + random_below(seed, 6);
		walker->dims[k].stride = ((__s32)random_below(seed, 65) - 32) * WORD;
		walker->dims[k].axis = random_below(seed, 3);
		walker->dims[k].step = (__s32)random_below(seed, 5) - 2;
	}
	walker->windows[random_below(seed, 2)].extent = random_below(seed, 8);
	walker->offset = random_below(seed, WORDS) * WORD;
}

/* A batch of random moves: all legal, so it runs, or one is not, so nothing does. */
static enum verdict run_batch(struct player *player)
{
	unsigned int count = 1 + random_below(&player->seed, 4);
	unsigned char before[BUFFERS][SIZE];
	struct kohaku_submit submit;
	struct kohaku_op ops[4];
	bool legal = true;
	__u64 words = 0;
	int err;

	memcpy(before, player->model, sizeof(before));
	for (unsigned int i = 0; i < count; i++) {
		unsigned int from = random_below(&player->seed, BUFFERS);
		unsigned int to = (from + 1 + random_below(&player->seed, BUFFERS - 1)) % BUFFERS;
		struct kohaku_move *move = &ops[i].move;
		__u64 elements;

		ops[i] = op_copy(walk_linear(0, 0, 1), walk_linear(0, 0, 1));
		move->imm = random_next(&player->seed);
		move->width = random_below(&player->seed, 3);
		random_walker(&player->seed, &move->src, player->id[from]);
		random_walker(&player->seed, &move->dst, player->id[to]);
		elements = model_elements(&move->dst);
		if (model_elements(&move->src) < elements)
			move->src = move->dst, move->src.buffer = player->id[from];
		legal &= model_bounded(&move->src, elements, SIZE) &&
			 model_bounded(&move->dst, elements, SIZE);
		if (legal)
			words += model_move(move, player->model[from], player->model[to]).words;
	}
	if (!legal)
		memcpy(player->model, before, sizeof(before));
	player->legal += legal;
	player->illegal += !legal;

	err = _test_submit(player->fd, ops, count, 0, &submit);
	if (err != (legal ? 0 : EINVAL))
		return WRONG_ERRNO;
	if (legal && (submit.completion.status || submit.completion.words != words))
		return WRONG_STATUS;
	return WELL;
}

static enum verdict step(struct player *player)
{
	unsigned int i = random_below(&player->seed, BUFFERS);

	switch (random_below(&player->seed, 16)) {
	case 0:
		return replace_buffer(player, i);
	case 1:
	case 2:
		return write_buffer(player, i);
	case 3:
	case 4:
	case 5:
		return compare_buffer(player, i);
	default:
		return run_batch(player);
	}
}

static enum verdict play(__u64 seed, __u64 end)
{
	struct player *player = calloc(1, sizeof(*player));
	enum verdict verdict = WELL;

	player->seed = seed;
	player->fd = open(node_path(), O_RDWR | O_CLOEXEC);
	if (player->fd < 0)
		return NO_OPEN;
	for (unsigned int i = 0; i < BUFFERS && verdict == WELL; i++)
		verdict = replace_buffer(player, i);
	while (verdict == WELL && now_ns() < end)
		verdict = step(player);
	for (unsigned int i = 0; i < BUFFERS && verdict == WELL; i++)
		verdict = compare_buffer(player, i);
	printf("# seed %#llx: %u batches ran, %u were refused, verdict %d\n", seed, player->legal,
	       player->illegal, verdict);
	if (verdict == WELL && (!player->legal || !player->illegal))
		verdict = WRONG_STATUS;
	fflush(stdout);
	return verdict;
}

FIXTURE(stress)
{
	__u64 seed;
	long long buffers, dram, staging, jobs;
};

FIXTURE_SETUP(stress)
{
	close(open_node(_metadata));
	self->seed = random_seed();
	TH_LOG("KOHAKU_SEED=%#llx", self->seed);
	self->buffers = sysfs_number(node_path(), "buffers");
	self->dram = sysfs_number(node_path(), "dram_bytes");
	self->staging = sysfs_number(node_path(), "staging_bytes");
	self->jobs = sysfs_number(node_path(), "jobs");
}

FIXTURE_TEARDOWN(stress)
{
	for (int i = 0; i < 100 && sysfs_number(node_path(), "buffers") != self->buffers; i++)
		sleep_ms(20);
	EXPECT_EQ(self->buffers, sysfs_number(node_path(), "buffers"));
	EXPECT_EQ(self->dram, sysfs_number(node_path(), "dram_bytes"));
	EXPECT_EQ(self->staging, sysfs_number(node_path(), "staging_bytes"));
	EXPECT_EQ(self->jobs, sysfs_number(node_path(), "jobs"));
}

/* E06 */
TEST_F_TIMEOUT(stress, processes, 3600)
{
	__u64 end = in_ms(times("KOHAKU_STRESS_SECONDS", 5) * 1000);
	pid_t pids[PROCESSES];
	int status;

	for (unsigned int i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i])
			_exit(play(self->seed + i, end));
	}
	for (unsigned int i = 0; i < PROCESSES; i++) {
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		EXPECT_TRUE(WIFEXITED(status));
		EXPECT_EQ(WELL, WEXITSTATUS(status));
	}
}

/* The same, with each player killed somewhere in the middle, again and again. */
TEST_F_TIMEOUT(stress, killed_processes, 3600)
{
	__u64 end = in_ms(times("KOHAKU_STRESS_SECONDS", 5) * 500), seed = self->seed;

	while (now_ns() < end) {
		pid_t pids[PROCESSES];
		int status;

		for (unsigned int i = 0; i < PROCESSES; i++) {
			pids[i] = fork();
			ASSERT_LE(0, pids[i]);
			if (!pids[i])
				_exit(play(self->seed + i, FOREVER));
		}
		sleep_ms(20 + random_below(&seed, 200));
		for (unsigned int i = 0; i < PROCESSES; i++) {
			kill(pids[i], SIGKILL);
			ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
			EXPECT_TRUE(WIFSIGNALED(status)) {
				TH_LOG("ended by itself: %#x", status);
			}
		}
	}
}

TEST_HARNESS_MAIN
