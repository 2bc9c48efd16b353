// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The embedded node as a backend: its life, its dispatcher, its small commands.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "embedded.h"
#include "internal.h"
#include "sim_options.h"

#define ALL_STROBES 0xff

static u64 bus_read(void *ctx, u32 mesh, u32 offset)
{
	return sim_window_read(ctx, mesh, offset);
}

static void bus_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(ctx, mesh, offset, value, ALL_STROBES);
}

static u32 bus_load(void *ctx, u32 mesh, u32 addr)
{
	return (u32)sim_port_load(ctx, mesh, addr, sizeof(u32));
}

static void bus_store(void *ctx, u32 mesh, u32 addr, u32 value)
{
	sim_port_store(ctx, mesh, addr, sizeof(value), value);
}

static u32 complex_of(enum sim_complex complex)
{
	switch (complex) {
	case SIM_COMPLEX_RV32:
		return KOHAKU_COMPLEX_RV32;
	case SIM_COMPLEX_RV64:
		return KOHAKU_COMPLEX_RV64;
	default:
		return KOHAKU_COMPLEX_NONE;
	}
}

static int info(struct embedded *node, union kohaku_command_arg *arg)
{
	arg->info = (struct kohaku_info){
		.size = arg->size,
		.out_caps = node->caps,
		.out_backend = KOHAKU_BACKEND_SIM,
		.out_state = KOHAKU_NODE_OK,
		.out_meshes = node->config.meshes,
		.out_dram_size = KOHAKU_DRAM_SIZE,
		.out_staging_size = KOHAKU_STAGING_SIZE,
		.out_max_ops = KOHAKU_MAX_OPS,
		.out_max_jobs = KOHAKU_MAX_JOBS,
		.out_max_buffers = KOHAKU_MAX_BUFFERS,
		.out_max_indices = KOHAKU_INDEX_MAX,
		.out_alignment = EMBEDDED_DRAM_GRANULE,
		.out_staging_alignment = KOHAKU_STAGING_GRANULE,
		.out_complex = complex_of(node->config.complex),
		.out_slot_depth = node->caps & KOHAKU_CAP_SLOT ? node->config.slot_depth : 0,
		.out_default_timeout_ns = KOHAKU_TIMEOUT_NS,
		.out_max_timeout_ns = KOHAKU_TIMEOUT_MAX_NS,
	};
	return 0;
}

static int probe(struct embedded *node, union kohaku_command_arg *arg)
{
	(void)node;
	return kohaku_command_probe(&arg->probe);
}

static int fault_read(struct embedded *node, union kohaku_command_arg *arg)
{
	u32 size = arg->size, flags = arg->fault_read.flags;

	if (!node->fault.out_code)
		return -ENOENT;
	arg->fault_read = node->fault;
	arg->fault_read.size = size;
	arg->fault_read.flags = flags;
	if (flags & KOHAKU_FAULT_CLEAR)
		node->fault.out_code = KOHAKU_FAULT_NONE;
	return 0;
}

static int reset(struct embedded *node, union kohaku_command_arg *arg)
{
	u32 mesh;

	(void)arg;
	for (mesh = 0; mesh < node->config.meshes; mesh++)
		embedded_mesh_reset(node, mesh);
	return 0;
}

static int (*const handlers[KOHAKU_COMMANDS])(struct embedded *node,
					      union kohaku_command_arg *arg) = {
	[KOHAKU_NR_INFO - KOHAKU_CMD_BASE] = info,
	[KOHAKU_NR_PROBE - KOHAKU_CMD_BASE] = probe,
	[KOHAKU_NR_BUF_ALLOC - KOHAKU_CMD_BASE] = embedded_buf_alloc,
	[KOHAKU_NR_BUF_FREE - KOHAKU_CMD_BASE] = embedded_buf_free,
	[KOHAKU_NR_BUF_READ - KOHAKU_CMD_BASE] = embedded_buf_read,
	[KOHAKU_NR_BUF_WRITE - KOHAKU_CMD_BASE] = embedded_buf_write,
	[KOHAKU_NR_SUBMIT - KOHAKU_CMD_BASE] = embedded_submit,
	[KOHAKU_NR_WAIT - KOHAKU_CMD_BASE] = embedded_wait,
	[KOHAKU_NR_EVENTFD - KOHAKU_CMD_BASE] = embedded_eventfd,
	[KOHAKU_NR_FAULT_READ - KOHAKU_CMD_BASE] = fault_read,
	[KOHAKU_NR_RESET - KOHAKU_CMD_BASE] = reset,
	[KOHAKU_NR_SLOT_QUERY - KOHAKU_CMD_BASE] = embedded_slot_query,
	[KOHAKU_NR_FABRIC_QUERY - KOHAKU_CMD_BASE] = embedded_fabric_query,
	[KOHAKU_NR_FABRIC_MAP - KOHAKU_CMD_BASE] = embedded_fabric_map,
	[KOHAKU_NR_FABRIC_UNMAP - KOHAKU_CMD_BASE] = embedded_fabric_unmap,
	[KOHAKU_NR_FABRIC_LAYOUT - KOHAKU_CMD_BASE] = embedded_fabric_layout,
	[KOHAKU_NR_FABRIC_READ - KOHAKU_CMD_BASE] = embedded_fabric_read,
	[KOHAKU_NR_FABRIC_WRITE - KOHAKU_CMD_BASE] = embedded_fabric_write,
	[KOHAKU_NR_FABRIC_RESULTS - KOHAKU_CMD_BASE] = embedded_fabric_results,
	[KOHAKU_NR_FABRIC_TRACE - KOHAKU_CMD_BASE] = embedded_fabric_trace,
};

/* What copy_struct_from_user() does: short structs end in zeros, long ones must. */
static int copy_struct(void *to, size_t known, const void *from, size_t size)
{
	const u8 *tail = from;
	size_t i;

	for (i = known; i < size; i++) {
		if (tail[i])
			return -E2BIG;
	}
	memset(to, 0, known);
	memcpy(to, from, min(known, size));
	return 0;
}

static int dispatch(struct kohaku_device *device, uint32_t number, void *user)
{
	const struct kohaku_command *command = kohaku_command_find(number);
	struct embedded *node = device->embedded;
	union kohaku_command_arg arg;
	u32 size;
	int err;

	if (!command)
		return -ENOTTY;
	memcpy(&size, user, sizeof(size));
	err = kohaku_command_check_size(command, size);
	if (err)
		return err;
	err = copy_struct(&arg, command->size, user, size);
	if (!err)
		err = kohaku_command_check(command, &arg);
	if (err)
		return err;
	pthread_mutex_lock(&node->lock);
	err = handlers[_IOC_NR(number) - KOHAKU_CMD_BASE](node, &arg);
	pthread_mutex_unlock(&node->lock);
	/* Those two answer errors too: which operation is wrong, how much room it takes. */
	if (!err || number == KOHAKU_SUBMIT || err == -EMSGSIZE)
		memcpy(user, &arg, min(command->size, size));
	return err;
}

static ssize_t read_records(struct kohaku_device *device, void *records, size_t size)
{
	struct embedded *node = device->embedded;
	size_t room = size / sizeof(struct kohaku_completion);
	u32 count;

	if (!room)
		return -EINVAL;
	pthread_mutex_lock(&node->lock);
	count = embedded_done_take(node, records, min_t(size_t, room, KOHAKU_MAX_JOBS));
	pthread_mutex_unlock(&node->lock);
	return count ? (ssize_t)(count * sizeof(struct kohaku_completion)) : -EAGAIN;
}

static void destroy(struct embedded *node)
{
	embedded_memory_exit(node);
	embedded_fabric_exit(node);
	if (node->event_fd >= 0)
		close(node->event_fd);
	close(node->poll_fd);
	sim_node_destroy(node->node);
	free(node->scratch);
	pthread_mutex_destroy(&node->lock);
	free(node);
}

static void close_node(struct kohaku_device *device)
{
	destroy(device->embedded);
}

const struct backend embedded_backend = {
	.command = dispatch,
	.read = read_records,
	.close = close_node,
};

static void set_up(struct embedded *node, const struct sim_options *options)
{
	u32 mesh;

	pthread_mutex_init(&node->lock, NULL);
	node->bus = (struct kohaku_bus){
		.read64 = bus_read,
		.write64 = bus_write,
		.ctx = node->node,
	};
	/* Only the processor of an RV32 complex reaches the slot's registers. */
	if (options->config.complex == SIM_COMPLEX_RV32) {
		node->bus.load32 = bus_load;
		node->bus.store32 = bus_store;
	}
	node->config = options->config;
	node->caps = KOHAKU_CAP_COUNTERS | KOHAKU_CAP_RESET;
	if (kohaku_slot_present(&node->bus))
		node->caps |= KOHAKU_CAP_SLOT;
	if (kohaku_link_present(&node->bus, 0))
		node->caps |= KOHAKU_CAP_LINK;
	if (kohaku_vector_present(&node->bus, 0))
		node->caps |= KOHAKU_CAP_VECTOR;
	node->fabric_config = options->fabric;
	if (node->fabric_config.kamlet_columns)
		node->caps |= KOHAKU_CAP_FABRIC;
	node->ecc = options->knobs.ecc;
	node->event_fd = -1;
	for (mesh = 0; mesh < node->config.meshes; mesh++)
		*sim_mesh_knobs(node->node, mesh) = options->knobs;
	embedded_memory_init(node);
	embedded_slot_init(node);
}

int embedded_create(const struct sim_options *options, struct kohaku_device *device)
{
	struct embedded *node = calloc(1, sizeof(*node));
	int err = -ENOMEM;

	if (!node)
		return err;
	node->node = sim_node_create(&options->config);
	if (!node->node)
		goto err_node;
	node->poll_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (node->poll_fd < 0) {
		err = -errno;
		goto err_eventfd;
	}
	set_up(node, options);
	device->embedded = node;
	device->fd = node->poll_fd;
	device->backend = &embedded_backend;
	return 0;
err_eventfd:
	sim_node_destroy(node->node);
err_node:
	free(node);
	return err;
}
