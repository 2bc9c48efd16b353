// SPDX-License-Identifier: GPL-2.0
/*
 * Mappings of buffers.
 *
 * Every node has an inode of its own behind its mappings, so that they can be
 * taken away by offset whichever device file they were made through.
 */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/pseudo_fs.h>

#include "core.h"

static struct vfsmount *kohaku_mount;

static int kohaku_init_fs_context(struct fs_context *fc)
{
	return init_pseudo(fc, 0x6b6f6861) ? 0 : -ENOMEM;
}

static struct file_system_type kohaku_fs = {
	.name = "kohaku",
	.init_fs_context = kohaku_init_fs_context,
	.kill_sb = kill_anon_super,
};

int kohaku_map_init(void)
{
	kohaku_mount = kern_mount(&kohaku_fs);
	return PTR_ERR_OR_ZERO(kohaku_mount);
}

void kohaku_map_exit(void)
{
	kern_unmount(kohaku_mount);
}

struct inode *kohaku_map_inode(void)
{
	return alloc_anon_inode(kohaku_mount->mnt_sb);
}

static void kohaku_vma_open(struct vm_area_struct *vma)
{
	struct kohaku_buffer *buffer = vma->vm_private_data;

	kref_get(&buffer->ref);
}

static void kohaku_vma_close(struct vm_area_struct *vma)
{
	struct kohaku_buffer *buffer = vma->vm_private_data;

	kref_put(&buffer->ref, kohaku_buffer_release);
}

/*
 * The page goes in under map_lock, not by returning it: unmapping waits for the
 * lock, so it finds every page that was put in before.
 */
static vm_fault_t kohaku_vma_fault(struct vm_fault *vmf)
{
	struct kohaku_buffer *buffer = vmf->vma->vm_private_data;
	u64 offset = ((u64)vmf->pgoff << PAGE_SHIFT) - buffer->map_offset;
	struct kohaku_node *node = buffer->node;
	struct kohaku_guard guard = kohaku_enter(node);
	vm_fault_t ret = VM_FAULT_SIGBUS;
	struct page *page;

	mutex_lock(&buffer->map_lock);
	if (guard.alive && !buffer->unmapped) {
		page = node->ops->mem_page(node->backend, buffer->region.addr + offset);
		if (page)
			ret = vmf_insert_page(vmf->vma, vmf->address & PAGE_MASK, page);
	}
	mutex_unlock(&buffer->map_lock);
	kohaku_leave(guard);
	return ret;
}

static const struct vm_operations_struct kohaku_vm_ops = {
	.open = kohaku_vma_open,
	.close = kohaku_vma_close,
	.fault = kohaku_vma_fault,
};

/* The buffer of file that covers [start, start + length) of its offsets. */
static struct kohaku_buffer *kohaku_map_find(struct kohaku_file *file, u64 start, u64 length)
{
	struct kohaku_buffer *buffer;
	unsigned long id;

	xa_lock(&file->buffers);
	xa_for_each(&file->buffers, id, buffer) {
		if (!buffer->map_offset || start < buffer->map_offset)
			continue;
		if (start - buffer->map_offset >= buffer->region.size ||
		    length > buffer->region.size - (start - buffer->map_offset))
			continue;
		kref_get(&buffer->ref);
		xa_unlock(&file->buffers);
		return buffer;
	}
	xa_unlock(&file->buffers);
	return NULL;
}

int kohaku_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct kohaku_file *file = filp->private_data;
	struct kohaku_buffer *buffer;
	int ret;

	ret = kohaku_check_alive(file);
	if (ret)
		return ret;
	/* Not VM_SHARED, which a file that was opened for reading does not have. */
	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_pgoff > U64_MAX >> PAGE_SHIFT)
		return -EINVAL;
	buffer = kohaku_map_find(file, (u64)vma->vm_pgoff << PAGE_SHIFT,
				 vma->vm_end - vma->vm_start);
	if (!buffer)
		return -EINVAL;
	vm_flags_set(vma, VM_MIXEDMAP | VM_DONTEXPAND | VM_DONTDUMP);
	vma->vm_ops = &kohaku_vm_ops;
	vma->vm_private_data = buffer;
	return 0;
}

/* After this every access through a mapping of the buffer raises SIGBUS. */
void kohaku_unmap(struct kohaku_buffer *buffer)
{
	if (!buffer->map_offset)
		return;
	mutex_lock(&buffer->map_lock);
	buffer->unmapped = true;
	mutex_unlock(&buffer->map_lock);
	unmap_mapping_range(buffer->node->inode->i_mapping, buffer->map_offset,
			    buffer->region.size, 1);
}

/* Takes every mapping of a node away; the node is gone, so none comes back. */
void kohaku_unmap_all(struct kohaku_node *node)
{
	unmap_mapping_range(node->inode->i_mapping, 0, 0, 1);
}
