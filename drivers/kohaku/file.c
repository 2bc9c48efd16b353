// SPDX-License-Identifier: GPL-2.0
/*
 * An open file: what a process owns of a node.
 */
#include <linux/eventfd.h>
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/slab.h>

#include "core.h"

static void kohaku_file_release_ref(struct kref *ref)
{
	struct kohaku_file *file = container_of(ref, struct kohaku_file, ref);

	if (file->eventfd)
		eventfd_ctx_put(file->eventfd);
	kohaku_slot_free(file);
	kohaku_fabric_free(file);
	kohaku_pinned_free(file);
	kohaku_user_leave(file);
	xa_destroy(&file->buffers);
	put_device(&file->node->dev);
	kfree(file);
}

void kohaku_file_put(struct kohaku_file *file)
{
	kref_put(&file->ref, kohaku_file_release_ref);
}

static struct kohaku_file *kohaku_file_new(struct kohaku_node *node)
{
	struct kohaku_file *file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);

	if (!file)
		return NULL;
	kref_init(&file->ref);
	file->node = node;
	file->id = atomic64_inc_return(&node->file_next);
	get_device(&node->dev);
	xa_init_flags(&file->buffers, XA_FLAGS_ALLOC1);
	INIT_LIST_HEAD(&file->jobs);
	INIT_LIST_HEAD(&file->done);
	INIT_LIST_HEAD(&file->pool);
	init_waitqueue_head(&file->wait);
	return file;
}

/* From here on the node knows the file, to wake and to revoke it. */
static int kohaku_file_list(struct kohaku_file *file)
{
	struct kohaku_node *node = file->node;
	int ret = 0;

	mutex_lock(&node->files_lock);
	if (node->gone)
		ret = -ENODEV;
	else
		list_add(&file->link, &node->files);
	mutex_unlock(&node->files_lock);
	return ret;
}

static int kohaku_open(struct inode *inode, struct file *filp)
{
	struct kohaku_node *node = container_of(inode->i_cdev, struct kohaku_node, cdev);
	struct kohaku_file *file;
	int ret;

	file = kohaku_file_new(node);
	if (!file)
		return -ENOMEM;
	ret = kohaku_user_join(file);
	if (!ret)
		ret = kohaku_file_list(file);
	if (ret) {
		kohaku_file_put(file);
		return ret;
	}
	filp->private_data = file;
	filp->f_mapping = node->inode->i_mapping;
	return nonseekable_open(inode, filp);
}

/* Cancels what a file has in the queues and takes its buffers away. */
static void kohaku_file_strip(struct kohaku_file *file)
{
	kohaku_queue_cancel(file->node, file, -ECANCELED);
	kohaku_buffers_free(file);
}

/* Another file reset the node: this one answers ECANCELED from now on. */
void kohaku_file_revoke(struct kohaku_file *file)
{
	lockdep_assert_held(&file->node->files_lock);

	/* Under the lock: who publishes a buffer saw it, or is seen by the strip. */
	xa_lock(&file->buffers);
	WRITE_ONCE(file->stale, true);
	xa_unlock(&file->buffers);
	kohaku_file_strip(file);
	wake_up_all(&file->wait);
}

static int kohaku_release(struct inode *inode, struct file *filp)
{
	struct kohaku_file *file = filp->private_data;
	struct kohaku_node *node = file->node;

	mutex_lock(&node->files_lock);
	list_del(&file->link);
	mutex_unlock(&node->files_lock);

	spin_lock(&node->queue_lock);
	file->closed = true;
	spin_unlock(&node->queue_lock);
	kohaku_file_strip(file);
	kohaku_jobs_drop(file);
	kohaku_file_put(file);
	return 0;
}

static __poll_t kohaku_poll(struct file *filp, poll_table *wait)
{
	struct kohaku_file *file = filp->private_data;
	__poll_t events = 0;

	poll_wait(filp, &file->wait, wait);
	if (kohaku_check_alive(file))
		return EPOLLHUP | EPOLLERR;
	spin_lock(&file->node->queue_lock);
	if (kohaku_done_first(file))
		events = EPOLLIN | EPOLLRDNORM;
	spin_unlock(&file->node->queue_lock);
	return events;
}

const struct file_operations kohaku_fops = {
	.owner = THIS_MODULE,
	.open = kohaku_open,
	.release = kohaku_release,
	.unlocked_ioctl = kohaku_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.uring_cmd = kohaku_uring_cmd,
	.read = kohaku_read,
	.poll = kohaku_poll,
	.mmap = kohaku_mmap,
};
