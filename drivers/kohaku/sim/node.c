// SPDX-License-Identifier: GPL-2.0
/*
 * The backend over the model: the same calls that a card answers.
 *
 * A mesh of the model takes one call at a time; lock[] sees to that.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "../core.h"
#include "sim.h"

/* Slows a mesh down, for tests: a move takes this long, by the wall clock. */
struct kohaku_sim_pace {
	u64 ns_per_move;
	u64 ns_per_word;
	/* Of the last move, as they were when it started. */
	u64 due;		/* when it may end, its words apart */
	u64 word_ns;
	u64 words_before;	/* that the mesh had written until then */
};

struct kohaku_sim {
	struct sim_node *model;
	struct kohaku_node *node;
	struct sim_config config;
	struct mutex lock[KOHAKU_MESHES_MAX];	/* a call into the model */
	struct kohaku_sim_pace pace[KOHAKU_MESHES_MAX];
};

static u32 kohaku_sim_mesh(u64 addr)
{
	return KOHAKU_GET(KOHAKU_ADDR_MESH, addr);
}

static u64 kohaku_sim_host(u64 addr)
{
	return KOHAKU_HOST_WINDOW(kohaku_sim_mesh(addr)) | addr;
}

static int kohaku_sim_start(void *backend)
{
	struct kohaku_sim *sim = backend;

	sim->model = sim_node_create(&sim->config);
	return sim->model ? 0 : -ENOMEM;
}

static void kohaku_sim_stop(void *backend)
{
	struct kohaku_sim *sim = backend;

	sim_node_destroy(sim->model);
	sim->model = NULL;
}

static int kohaku_sim_reset(void *backend, u32 mesh)
{
	struct kohaku_sim *sim = backend;

	mutex_lock(&sim->lock[mesh]);
	sim_mesh_reset(sim->model, mesh);
	sim->pace[mesh].due = 0;
	mutex_unlock(&sim->lock[mesh]);
	return 0;
}

/* Is the last move still to look busy although the model has finished it? */
static bool kohaku_sim_paced(struct kohaku_sim *sim, u32 mesh)
{
	const struct kohaku_sim_pace *pace = &sim->pace[mesh];
	u64 words = sim_mesh_counters(sim->model, mesh)->write_beats - pace->words_before;

	return pace->due && ktime_get_ns() < pace->due + pace->word_ns * words;
}

static void kohaku_sim_pace_move(struct kohaku_sim *sim, u32 mesh)
{
	struct kohaku_sim_pace *pace = &sim->pace[mesh];

	pace->due = 0;
	if (!pace->ns_per_move && !pace->ns_per_word)
		return;
	pace->due = ktime_get_ns() + pace->ns_per_move;
	pace->word_ns = pace->ns_per_word;
	pace->words_before = sim_mesh_counters(sim->model, mesh)->write_beats;
}

static u64 kohaku_sim_read64(void *backend, u32 mesh, u32 offset)
{
	struct kohaku_sim *sim = backend;
	bool idle = false;
	u64 value;

	mutex_lock(&sim->lock[mesh]);
	value = sim_window_read(sim->model, mesh, offset);
	if (offset == KOHAKU_CTL_AUX_STAT && value != KOHAKU_ALL_ONES) {
		idle = sim_mesh_knobs(sim->model, mesh)->hang;
		if (!(value & KOHAKU_STAT_BUSY) && kohaku_sim_paced(sim, mesh)) {
			value |= KOHAKU_STAT_BUSY;
			idle = true;
		}
	}
	mutex_unlock(&sim->lock[mesh]);
	/* Polling does not drive this one: do not let the poller burn. */
	if (idle)
		usleep_range(50, 100);
	return value;
}

static void kohaku_sim_write64(void *backend, u32 mesh, u32 offset, u64 value)
{
	struct kohaku_sim *sim = backend;

	mutex_lock(&sim->lock[mesh]);
	if (offset == KOHAKU_CTL_AUX_CFG + KOHAKU_REG_CTRL)
		kohaku_sim_pace_move(sim, mesh);
	sim_window_write(sim->model, mesh, offset, value, 0xff);
	mutex_unlock(&sim->lock[mesh]);
}

static u32 kohaku_sim_load32(void *backend, u32 mesh, u32 addr)
{
	struct kohaku_sim *sim = backend;
	u32 value;

	mutex_lock(&sim->lock[mesh]);
	value = sim_port_load(sim->model, mesh, addr, sizeof(value));
	mutex_unlock(&sim->lock[mesh]);
	return value;
}

static void kohaku_sim_store32(void *backend, u32 mesh, u32 addr, u32 value)
{
	struct kohaku_sim *sim = backend;

	mutex_lock(&sim->lock[mesh]);
	sim_port_store(sim->model, mesh, addr, sizeof(value), value);
	mutex_unlock(&sim->lock[mesh]);
}

/* Moves bytes between the model and one page's worth of an iterator. */
static int kohaku_sim_mem_part(struct kohaku_sim *sim, u64 addr, void *bounce, size_t size,
			       struct iov_iter *iter)
{
	u32 mesh = kohaku_sim_mesh(addr);
	int ret;

	if (iov_iter_rw(iter) == ITER_SOURCE && copy_from_iter(bounce, size, iter) != size)
		return -EFAULT;
	mutex_lock(&sim->lock[mesh]);
	if (iov_iter_rw(iter) == ITER_SOURCE)
		ret = sim_mem_write(sim->model, kohaku_sim_host(addr), bounce, size);
	else
		ret = sim_mem_read(sim->model, kohaku_sim_host(addr), bounce, size);
	mutex_unlock(&sim->lock[mesh]);
	if (!ret && iov_iter_rw(iter) == ITER_DEST && copy_to_iter(bounce, size, iter) != size)
		return -EFAULT;
	return ret;
}

static int kohaku_sim_mem_io(void *backend, u64 addr, struct iov_iter *iter)
{
	u8 word[256];
	void *bounce = word;
	size_t room = sizeof(word);
	int ret = 0;

	if (iov_iter_count(iter) > room) {
		bounce = (void *)__get_free_page(GFP_KERNEL);
		if (!bounce)
			return -ENOMEM;
		room = PAGE_SIZE;
	}
	while (!ret && iov_iter_count(iter)) {
		size_t size = min(iov_iter_count(iter), room);

		ret = kohaku_sim_mem_part(backend, addr, bounce, size, iter);
		addr += size;
	}
	if (bounce != word)
		free_page((unsigned long)bounce);
	return ret;
}

static int kohaku_sim_mem_commit(void *backend, u64 addr, u64 size)
{
	struct kohaku_sim *sim = backend;
	u64 done, part;
	int ret = 0;

	/* The host needs memory too, whatever its DRAM the card would have had. */
	if (size >> PAGE_SHIFT > si_mem_available() / 4 * 3)
		return -ENOMEM;
	for (done = 0; !ret && done < size; done += part) {
		part = min_t(u64, size - done, SZ_1M);
		if (fatal_signal_pending(current))
			return -EINTR;
		ret = sim_mem_commit(sim->model, kohaku_sim_host(addr + done), part);
		cond_resched();
	}
	return ret;
}

static void kohaku_sim_mem_release(void *backend, u64 addr, u64 size)
{
	struct kohaku_sim *sim = backend;
	u64 done, part;

	for (done = 0; done < size; done += part) {
		part = min_t(u64, size - done, SZ_1M);
		sim_mem_discard(sim->model, kohaku_sim_host(addr + done), part);
		cond_resched();
	}
}

static struct page *kohaku_sim_mem_page(void *backend, u64 addr)
{
	struct kohaku_sim *sim = backend;
	void *chunk = sim_mem_chunk(sim->model, kohaku_sim_host(addr));

	return chunk ? virt_to_page(chunk) : NULL;
}

static void kohaku_sim_counters(void *backend, u32 mesh, struct kohaku_counters *counters)
{
	struct kohaku_sim *sim = backend;
	const struct sim_counters *from = sim_mesh_counters(sim->model, mesh);

	mutex_lock(&sim->lock[mesh]);
	counters->read_bursts = from->read_bursts;
	counters->read_beats = from->read_beats;
	counters->write_bursts = from->write_bursts;
	counters->write_beats = from->write_beats;
	counters->cycles = from->cycles;
	mutex_unlock(&sim->lock[mesh]);
}

/* The knobs: what a test may ask a simulated node to do wrong. */
static void kohaku_sim_debugfs(void *backend, u32 mesh, struct dentry *dir)
{
	struct kohaku_sim *sim = backend;
	struct sim_knobs *knobs = sim_mesh_knobs(sim->model, mesh);

	debugfs_create_bool("hang", 0600, dir, &knobs->hang);
	debugfs_create_bool("no_motion", 0600, dir, &knobs->no_motion);
	debugfs_create_bool("gone", 0600, dir, &knobs->gone);
	debugfs_create_bool("ecc", 0600, dir, &knobs->ecc);
	debugfs_create_u64("error_at_beat", 0600, dir, &knobs->error_at_beat);
	debugfs_create_u64("ns_per_move", 0600, dir, &sim->pace[mesh].ns_per_move);
	debugfs_create_u64("ns_per_word", 0600, dir, &sim->pace[mesh].ns_per_word);
}

static const struct kohaku_backend_ops kohaku_sim_ops = {
	.name = "sim",
	.id = KOHAKU_BACKEND_SIM,
	.caps = KOHAKU_CAP_MMAP | KOHAKU_CAP_COUNTERS | KOHAKU_CAP_RESET,
	.start = kohaku_sim_start,
	.stop = kohaku_sim_stop,
	.reset = kohaku_sim_reset,
	.read64 = kohaku_sim_read64,
	.write64 = kohaku_sim_write64,
	.load32 = kohaku_sim_load32,
	.store32 = kohaku_sim_store32,
	.mem_io = kohaku_sim_mem_io,
	.mem_commit = kohaku_sim_mem_commit,
	.mem_release = kohaku_sim_mem_release,
	.mem_page = kohaku_sim_mem_page,
	.counters = kohaku_sim_counters,
	.debugfs = kohaku_sim_debugfs,
};

static const u32 kohaku_sim_complex[] = {
	[SIM_COMPLEX_NONE] = KOHAKU_COMPLEX_NONE,
	[SIM_COMPLEX_RV32] = KOHAKU_COMPLEX_RV32,
	[SIM_COMPLEX_RV64] = KOHAKU_COMPLEX_RV64,
};

/*
 * Makes a node over a model of its own, with a transfer fabric unless its
 * kamlet_columns is 0; its device file is there on return.
 */
struct kohaku_sim *kohaku_sim_create(const struct sim_config *config,
				     const struct fabric_config *fabric)
{
	struct kohaku_node_config shape = {
		.meshes = config->meshes,
		.complex = kohaku_sim_complex[config->complex],
		.slot_depth = config->slot_depth,
		.fabric = *fabric,
	};
	struct kohaku_sim *sim = kzalloc(sizeof(*sim), GFP_KERNEL);
	u32 i;

	if (!sim)
		return ERR_PTR(-ENOMEM);
	sim->config = *config;
	for (i = 0; i < KOHAKU_MESHES_MAX; i++)
		mutex_init(&sim->lock[i]);
	sim->node = kohaku_node_add(NULL, &kohaku_sim_ops, sim, &shape);
	if (IS_ERR(sim->node)) {
		int ret = PTR_ERR(sim->node);

		kfree(sim);
		return ERR_PTR(ret);
	}
	return sim;
}

void kohaku_sim_destroy(struct kohaku_sim *sim)
{
	kohaku_node_remove(sim->node);
	kfree(sim);
}

const char *kohaku_sim_name(const struct kohaku_sim *sim)
{
	return kohaku_node_name(sim->node);
}
