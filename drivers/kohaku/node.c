// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a node: built, published, silenced, taken down.
 *
 * The struct lives as long as any reference, the backend only until
 * kohaku_node_remove(): node->gone and node->srcu are all that stands between an
 * open file and a backend that is not there any more.
 */
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/slab.h>

#include "core.h"

/* The driver's own part of every mesh's DRAM: scratch words, then indices. */
#define KOHAKU_SCRATCH_SIZE	(2 * KOHAKU_WORD)
#define KOHAKU_RESERVED_SIZE	(KOHAKU_SCRATCH_SIZE + KOHAKU_INDEX_MAX * sizeof(u32))

static DEFINE_IDA(kohaku_indices);

const char *kohaku_node_name(const struct kohaku_node *node)
{
	return dev_name(&node->dev);
}

static void kohaku_node_release(struct device *dev)
{
	struct kohaku_node *node = container_of(dev, struct kohaku_node, dev);

	if (node->inode)
		iput(node->inode);
	if (node->workqueue)
		destroy_workqueue(node->workqueue);
	cleanup_srcu_struct(&node->srcu);
	kfree(node);
}

bool kohaku_node_wedged(struct kohaku_node *node)
{
	u32 i;

	for (i = 0; i < node->config.meshes; i++) {
		if (READ_ONCE(node->mesh[i].wedged))
			return true;
	}
	return false;
}

/* The backend cannot go on: work is refused until somebody resets the node. */
void kohaku_node_wedge(struct kohaku_node *node)
{
	u32 i;

	spin_lock(&node->queue_lock);
	for (i = 0; i < node->config.meshes; i++)
		node->mesh[i].wedged = true;
	spin_unlock(&node->queue_lock);
}

/* From here on no command reaches the backend, and nobody waits for one that did. */
static void kohaku_node_silence(struct kohaku_node *node)
{
	struct kohaku_file *file;

	mutex_lock(&node->files_lock);
	WRITE_ONCE(node->gone, true);
	mutex_unlock(&node->files_lock);
	synchronize_srcu(&node->srcu);
	kohaku_queue_cancel(node, NULL, -ENODEV);

	mutex_lock(&node->files_lock);
	list_for_each_entry(file, &node->files, link)
		wake_up_all(&file->wait);
	mutex_unlock(&node->files_lock);
	kohaku_unmap_all(node);
}

static void kohaku_node_lost_work(struct work_struct *work)
{
	kohaku_node_silence(container_of(work, struct kohaku_node, lost_work));
}

/* The device does not answer any more; what is left is the open files. */
void kohaku_node_lost(struct kohaku_node *node)
{
	if (READ_ONCE(node->gone))
		return;
	WRITE_ONCE(node->gone, true);
	queue_work(node->workqueue, &node->lost_work);
}

static u64 kohaku_bus_read64(void *ctx, u32 mesh, u32 offset)
{
	struct kohaku_node *node = ctx;

	return node->ops->read64(node->backend, mesh, offset);
}

static void kohaku_bus_write64(void *ctx, u32 mesh, u32 offset, u64 value)
{
	struct kohaku_node *node = ctx;

	node->ops->write64(node->backend, mesh, offset, value);
}

static void kohaku_mesh_init(struct kohaku_node *node, u32 index)
{
	struct kohaku_mesh *mesh = &node->mesh[index];

	mesh->node = node;
	mesh->index = index;
	INIT_LIST_HEAD(&mesh->queue);
	INIT_WORK(&mesh->work, kohaku_queue_work);
	kohaku_memory_init(mesh);
}

static u32 kohaku_bus_load32(void *ctx, u32 mesh, u32 addr)
{
	struct kohaku_node *node = ctx;

	return node->ops->load32(node->backend, mesh, addr);
}

static void kohaku_bus_store32(void *ctx, u32 mesh, u32 addr, u32 value)
{
	struct kohaku_node *node = ctx;

	node->ops->store32(node->backend, mesh, addr, value);
}

static void kohaku_bus_init(struct kohaku_node *node)
{
	node->bus = (struct kohaku_bus) {
		.read64 = kohaku_bus_read64,
		.write64 = kohaku_bus_write64,
		.ctx = node,
	};
	if (node->config.complex == KOHAKU_COMPLEX_RV32) {
		node->bus.load32 = kohaku_bus_load32;
		node->bus.store32 = kohaku_bus_store32;
	}
}

static struct kohaku_node *kohaku_node_new(const struct kohaku_backend_ops *ops, void *backend,
					   const struct kohaku_node_config *config)
{
	struct kohaku_node *node = kohaku_injected() ? NULL : kzalloc(sizeof(*node), GFP_KERNEL);
	u32 i;

	if (!node)
		return NULL;
	if (init_srcu_struct(&node->srcu)) {
		kfree(node);
		return NULL;
	}
	device_initialize(&node->dev);
	node->dev.release = kohaku_node_release;
	node->dev.class = &kohaku_class;
	node->ops = ops;
	node->backend = backend;
	node->caps = ops->caps;
	if (IS_ENABLED(CONFIG_IO_URING))
		node->caps |= KOHAKU_CAP_URING;
	if (config->fabric.kamlet_columns)
		node->caps |= KOHAKU_CAP_FABRIC;
	node->config = *config;
	kohaku_bus_init(node);
	INIT_LIST_HEAD(&node->files);
	mutex_init(&node->files_lock);
	mutex_init(&node->memory_lock);
	kohaku_users_init(node);
	spin_lock_init(&node->queue_lock);
	INIT_WORK(&node->lost_work, kohaku_node_lost_work);
	/* Offset 0 says that a buffer cannot be mapped. */
	atomic64_set(&node->map_next, PAGE_SIZE);
	for (i = 0; i < config->meshes; i++)
		kohaku_mesh_init(node, i);
	return node;
}

static int kohaku_node_resources(struct kohaku_node *node)
{
	node->workqueue = kohaku_injected() ? NULL : alloc_workqueue("kohaku", WQ_UNBOUND, 0);
	if (!node->workqueue)
		return -ENOMEM;
	node->inode = kohaku_injected() ? ERR_PTR(-ENOMEM) : kohaku_map_inode();
	if (IS_ERR(node->inode)) {
		int ret = PTR_ERR(node->inode);

		node->inode = NULL;
		return ret;
	}
	return 0;
}

/* Takes the driver's own memory and proves that the mover moves. */
static int kohaku_mesh_bringup(struct kohaku_mesh *mesh)
{
	struct kohaku_memory *dram = &mesh->memory[KOHAKU_TIER_DRAM - 1];
	struct kohaku_node *node = mesh->node;
	int ret;

	if (!kohaku_caps_valid(node->ops->read64(node->backend, mesh->index, KOHAKU_CTL_CAPS)))
		return -ENODEV;
	ret = kohaku_arena_alloc(&dram->arena, &mesh->scratch_block, KOHAKU_RESERVED_SIZE);
	if (ret)
		return ret;
	mesh->scratch = dram->base + mesh->scratch_block.start;
	mesh->indices = mesh->scratch + KOHAKU_SCRATCH_SIZE;
	if (node->ops->mem_commit) {
		ret = node->ops->mem_commit(node->backend, mesh->scratch,
					    mesh->scratch_block.size);
		if (ret)
			return ret;
	}
	ret = kohaku_mesh_self_test(mesh);
	if (ret)
		dev_err(&node->dev, "mesh %u fails its self-test (%d): the mover reports moves that do not happen\n",
			mesh->index, ret);
	return ret;
}

static int kohaku_node_start(struct kohaku_node *node)
{
	u32 i;
	int ret;

	ret = kohaku_injected() ? -EIO : node->ops->start(node->backend);
	if (ret)
		return ret;
	for (i = 0; i < node->config.meshes; i++) {
		ret = kohaku_mesh_bringup(&node->mesh[i]);
		if (ret) {
			node->ops->stop(node->backend);
			return ret;
		}
	}
	if (kohaku_slot_present(&node->bus)) {
		node->caps |= KOHAKU_CAP_SLOT;
		kohaku_palette_read(&node->bus, 0, node->palette);
	}
	if (kohaku_link_present(&node->bus, 0))
		node->caps |= KOHAKU_CAP_LINK;
	if (kohaku_vector_present(&node->bus, 0))
		node->caps |= KOHAKU_CAP_VECTOR;
	return 0;
}

static int kohaku_node_identify(struct kohaku_node *node)
{
	int ret;

	node->index = kohaku_injected() ? -ENOMEM : ida_alloc(&kohaku_indices, GFP_KERNEL);
	if (node->index < 0)
		return node->index;
	ret = kohaku_devt(node->index, &node->dev.devt);
	if (!ret)
		ret = node->index ? dev_set_name(&node->dev, "kohaku%d", node->index) :
				    dev_set_name(&node->dev, "kohaku");
	if (ret)
		ida_free(&kohaku_indices, node->index);
	return ret;
}

static void kohaku_node_stop(struct kohaku_node *node)
{
	u32 i;

	kohaku_node_silence(node);
	for (i = 0; i < node->config.meshes; i++)
		flush_work(&node->mesh[i].work);
	flush_work(&node->lost_work);
	node->ops->stop(node->backend);
}

static int kohaku_node_publish(struct kohaku_node *node)
{
	int ret;

	cdev_init(&node->cdev, &kohaku_fops);
	node->cdev.owner = THIS_MODULE;
	ret = kohaku_injected() ? -ENOMEM : cdev_device_add(&node->cdev, &node->dev);
	if (!ret) {
		ret = kohaku_injected() ? -ENOMEM : kohaku_sysfs_add(node);
		if (!ret) {
			kohaku_debugfs_add(node);
			return 0;
		}
		cdev_device_del(&node->cdev, &node->dev);
	}
	/* Even if the first failed somebody may have opened it in between. */
	kohaku_node_stop(node);
	return ret;
}

/**
 * kohaku_node_add - build a node over a backend and publish its device file
 * @parent: device it hangs below, may be NULL
 * @ops: the backend's calls
 * @backend: what they are called with
 * @config: what the node is made of
 *
 * Starts the backend and runs the self-test of every mesh first.
 *
 * Return: the node, or an error pointer, with the backend stopped again.
 */
struct kohaku_node *kohaku_node_add(struct device *parent, const struct kohaku_backend_ops *ops,
				    void *backend, const struct kohaku_node_config *config)
{
	struct kohaku_node *node = kohaku_node_new(ops, backend, config);
	int ret;

	if (!node)
		return ERR_PTR(-ENOMEM);
	node->dev.parent = parent;
	ret = kohaku_node_resources(node);
	if (ret)
		goto err_node;
	ret = kohaku_node_identify(node);
	if (ret)
		goto err_node;
	ret = kohaku_node_start(node);
	if (ret)
		goto err_index;
	ret = kohaku_node_publish(node);
	if (ret)
		goto err_index;
	return node;

err_index:
	ida_free(&kohaku_indices, node->index);
err_node:
	put_device(&node->dev);
	return ERR_PTR(ret);
}

/**
 * kohaku_node_remove - take a node away, whatever is going on
 * @node: from kohaku_node_add()
 *
 * Open files stay and answer ENODEV.  The backend is not called any more once
 * this returns.
 */
void kohaku_node_remove(struct kohaku_node *node)
{
	kohaku_debugfs_remove(node);
	kohaku_sysfs_remove(node, node->config.meshes);
	cdev_device_del(&node->cdev, &node->dev);
	kohaku_node_stop(node);
	ida_free(&kohaku_indices, node->index);
	put_device(&node->dev);
}
