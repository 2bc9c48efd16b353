/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract between the driver core and what stands behind a node.
 */
#ifndef KOHAKU_BACKEND_H
#define KOHAKU_BACKEND_H

#include <linux/types.h>

#include "hw/exec.h"
#include "sim/transfer/transfer.h"

struct dentry;
struct device;
struct iov_iter;
struct kohaku_node;
struct page;

/**
 * struct kohaku_counters - bus traffic of a mesh, free running
 * @read_bursts: bursts read from memory
 * @read_beats: words read from memory
 * @write_bursts: bursts written
 * @write_beats: words written
 * @cycles: cycles of the cost model
 */
struct kohaku_counters {
	u64 read_bursts;
	u64 read_beats;
	u64 write_bursts;
	u64 write_beats;
	u64 cycles;
};

/**
 * struct kohaku_backend_ops - what a backend does for the core
 * @name: shown in sysfs
 * @id: &enum kohaku_backend
 * @caps: KOHAKU_CAP_* that it brings
 * @poll_sleep_us: the longest sleep between two looks at a mover that has been
 *	busy for long; 0: it is looking that drives the mover, so never sleep
 * @staging_by_mover: mem_io does not reach staging, only the mover does
 * @start: bring the node up; nothing else is called before it returns 0
 * @stop: the last call; no callback after it returns
 * @reset: bring one mesh back to its power-up state, memory contents kept;
 *	-EOPNOTSUPP when the hardware cannot
 * @read64: read a register of a mesh's control window
 * @write64: write one, in a single 64-bit store
 * @load32: where config.complex is RV32: a load by the mesh's processor
 * @store32: likewise a store
 * @mem_io: move bytes between memory at a 40-bit address and an iterator over
 *	kernel or pinned memory; whole words, within one allocation
 * @mem_commit: optional: back a range, so that no access to it can fail
 * @mem_release: optional: its contents are not needed any more
 * @mem_page: with KOHAKU_CAP_MMAP: the page at an address, NULL if there is none
 * @counters: with KOHAKU_CAP_COUNTERS: read the counters of a mesh
 * @debugfs: optional: add the backend's own files to the folder of a mesh
 *
 * All may sleep, and all take the pointer that kohaku_node_add() was given.
 * The core calls read64 and write64 of one mesh from one task at a time while
 * work runs there, and read64 alone from anywhere.
 */
struct kohaku_backend_ops {
	const char *name;
	u32 id;
	u64 caps;
	u32 poll_sleep_us;
	bool staging_by_mover;
	int (*start)(void *backend);
	void (*stop)(void *backend);
	int (*reset)(void *backend, u32 mesh);
	u64 (*read64)(void *backend, u32 mesh, u32 offset);
	void (*write64)(void *backend, u32 mesh, u32 offset, u64 value);
	u32 (*load32)(void *backend, u32 mesh, u32 addr);
	void (*store32)(void *backend, u32 mesh, u32 addr, u32 value);
	int (*mem_io)(void *backend, u64 addr, struct iov_iter *iter);
	int (*mem_commit)(void *backend, u64 addr, u64 size);
	void (*mem_release)(void *backend, u64 addr, u64 size);
	struct page *(*mem_page)(void *backend, u64 addr);
	void (*counters)(void *backend, u32 mesh, struct kohaku_counters *counters);
	void (*debugfs)(void *backend, u32 mesh, struct dentry *dir);
};

/**
 * struct kohaku_node_config - what a node is made of
 * @meshes: 1..4
 * @complex: &enum kohaku_complex that the host can reach
 * @slot_depth: entries that the transform slot works on at a time
 * @fabric: what the transfer fabric of each open file is made of; 0 kamlet_columns:
 *	there is none
 */
struct kohaku_node_config {
	u32 meshes;
	u32 complex;
	u32 slot_depth;
	struct fabric_config fabric;
};

struct kohaku_node *kohaku_node_add(struct device *parent, const struct kohaku_backend_ops *ops,
				    void *backend, const struct kohaku_node_config *config);
void kohaku_node_remove(struct kohaku_node *node);
const char *kohaku_node_name(const struct kohaku_node *node);

#endif
