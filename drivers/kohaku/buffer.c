// SPDX-License-Identifier: GPL-2.0
/*
 * Buffers: memory of the node that an open file owns, and BUF_ALLOC, BUF_FREE.
 */
#include <linux/slab.h>

#include "core.h"

static struct kohaku_memory *kohaku_buffer_memory(struct kohaku_buffer *buffer)
{
	return &buffer->mesh->memory[buffer->tier - 1];
}

void kohaku_memory_init(struct kohaku_mesh *mesh)
{
	u64 base = KOHAKU_PUT(KOHAKU_ADDR_MESH, mesh->index);
	struct kohaku_memory *dram = &mesh->memory[KOHAKU_TIER_DRAM - 1];
	struct kohaku_memory *staging = &mesh->memory[KOHAKU_TIER_STAGING - 1];

	dram->base = base;
	kohaku_arena_init(&dram->arena, KOHAKU_DRAM_SIZE, PAGE_SIZE);
	staging->base = base | KOHAKU_ADDR_ONCHIP;
	kohaku_arena_init(&staging->arena, KOHAKU_STAGING_SIZE, KOHAKU_STAGING_GRANULE);
}

void kohaku_buffer_release(struct kref *ref)
{
	struct kohaku_buffer *buffer = container_of(ref, struct kohaku_buffer, ref);

	put_device(&buffer->node->dev);
	kfree(buffer);
}

/* Gives the memory back: nobody uses it and nobody has it mapped. */
static void kohaku_buffer_free_memory(struct kohaku_buffer *buffer)
{
	struct kohaku_node *node = buffer->node;
	struct kohaku_guard guard = kohaku_enter(node);
	struct kohaku_arena *arena = &kohaku_buffer_memory(buffer)->arena;

	if (guard.alive && node->ops->mem_release)
		node->ops->mem_release(node->backend, buffer->region.addr, buffer->region.size);
	kohaku_leave(guard);

	mutex_lock(&node->memory_lock);
	kohaku_user_uncharge_locked(buffer);
	kohaku_arena_free(arena, &buffer->block);
	kohaku_arena_trim(arena);
	mutex_unlock(&node->memory_lock);
	atomic64_dec(&node->buffers);
	atomic64_sub(buffer->region.size, &node->bytes[buffer->tier - 1]);
}

/* Ends a use of the memory that kohaku_buffer_get() or the owner began. */
void kohaku_buffer_put(struct kohaku_buffer *buffer)
{
	if (!atomic_dec_and_test(&buffer->users))
		return;
	kohaku_buffer_free_memory(buffer);
	kref_put(&buffer->ref, kohaku_buffer_release);
}

/* Begins a use of the memory of a buffer; NULL when file has no such id. */
struct kohaku_buffer *kohaku_buffer_get(struct kohaku_file *file, u32 id)
{
	struct kohaku_buffer *buffer;

	if (kohaku_injected())
		return NULL;
	xa_lock(&file->buffers);
	buffer = xa_load(&file->buffers, id);
	if (buffer && !atomic_inc_not_zero(&buffer->users))
		buffer = NULL;
	xa_unlock(&file->buffers);
	return buffer;
}

/* Places a buffer in the memory of its tier: -ENOSPC it is full, -EDQUOT for its user. */
static int kohaku_buffer_place_locked(struct kohaku_file *file, struct kohaku_buffer *buffer,
				      u64 length)
{
	struct kohaku_memory *memory = kohaku_buffer_memory(buffer);
	int ret;

	lockdep_assert_held(&file->node->memory_lock);

	ret = kohaku_arena_alloc(&memory->arena, &buffer->block, length);
	if (ret)
		return ret;
	ret = kohaku_user_charge_locked(file, buffer->mesh->index, buffer->tier,
					buffer->block.size);
	if (ret) {
		kohaku_arena_free(&memory->arena, &buffer->block);
		kohaku_arena_trim(&memory->arena);
		return ret;
	}
	buffer->user = file->user;
	buffer->region.addr = memory->base + buffer->block.start;
	buffer->region.size = buffer->block.size;
	return 0;
}

/* The memory to place a buffer in: staging that is full may be DRAM. */
static int kohaku_buffer_place(struct kohaku_file *file, struct kohaku_buffer *buffer,
			       u64 length, bool fallback)
{
	int ret;

	mutex_lock(&file->node->memory_lock);
	ret = kohaku_buffer_place_locked(file, buffer, length);
	if ((ret == -ENOSPC || ret == -EDQUOT) && fallback &&
	    buffer->tier == KOHAKU_TIER_STAGING) {
		buffer->mesh->fallbacks++;
		buffer->tier = KOHAKU_TIER_DRAM;
		ret = kohaku_buffer_place_locked(file, buffer, length);
	}
	mutex_unlock(&file->node->memory_lock);
	return ret;
}

/* Backs the memory and fills it with zeros, as an operation in its mesh's queue. */
static int kohaku_buffer_zero(struct kohaku_file *file, struct kohaku_buffer *buffer)
{
	struct kohaku_node *node = buffer->node;
	struct kohaku_guard guard = kohaku_enter(node);
	int ret = guard.alive ? 0 : -ENODEV;

	if (!ret && node->ops->mem_commit)
		ret = node->ops->mem_commit(node->backend, buffer->region.addr,
					    buffer->region.size);
	kohaku_leave(guard);
	return ret ? ret : kohaku_zero_run(file, buffer);
}

/* A buffer without an id, which holds whatever its memory did. */
struct kohaku_buffer *kohaku_buffer_new(struct kohaku_file *file,
					const struct kohaku_buf_alloc *alloc)
{
	struct kohaku_node *node = file->node;
	struct kohaku_buffer *buffer = kzalloc(sizeof(*buffer), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!buffer)
		return ERR_PTR(-ENOMEM);
	kref_init(&buffer->ref);
	atomic_set(&buffer->users, 1);
	mutex_init(&buffer->map_lock);
	buffer->node = node;
	buffer->mesh = &node->mesh[alloc->mesh];
	buffer->tier = alloc->tier;
	get_device(&node->dev);
	ret = kohaku_buffer_place(file, buffer, alloc->length,
				  alloc->flags & KOHAKU_BUF_FALLBACK);
	if (ret) {
		kref_put(&buffer->ref, kohaku_buffer_release);
		return ERR_PTR(ret);
	}
	atomic64_inc(&node->buffers);
	atomic64_add(buffer->region.size, &node->bytes[buffer->tier - 1]);
	if ((node->caps & KOHAKU_CAP_MMAP) && buffer->tier == KOHAKU_TIER_DRAM)
		buffer->map_offset = atomic64_fetch_add(buffer->region.size, &node->map_next);
	return buffer;
}

/* A file that was revoked meanwhile must not gain a buffer. */
static int kohaku_buffer_publish(struct kohaku_file *file, struct kohaku_buffer *buffer)
{
	int ret;

	xa_lock(&file->buffers);
	if (file->stale)
		ret = -ECANCELED;
	else
		ret = xa_err(__xa_store(&file->buffers, buffer->id, buffer, GFP_KERNEL_ACCOUNT));
	xa_unlock(&file->buffers);
	return ret;
}

/*
 * The id is reserved first and filled in last, once the memory reads as zero and
 * the caller has its reply, so that no lookup sees half a buffer.
 */
static int kohaku_buffer_add(struct kohaku_call *call)
{
	struct kohaku_buf_alloc *alloc = &call->arg.buf_alloc;
	struct kohaku_file *file = call->file;
	struct kohaku_buffer *buffer;
	u32 id;
	int ret;

	ret = xa_alloc(&file->buffers, &id, XA_ZERO_ENTRY, xa_limit_31b, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;
	buffer = kohaku_buffer_new(file, alloc);
	ret = PTR_ERR_OR_ZERO(buffer);
	if (ret)
		goto err_id;
	buffer->id = id;
	ret = kohaku_buffer_zero(file, buffer);
	if (ret)
		goto err_buffer;
	alloc->out_length = buffer->region.size;
	alloc->out_map_offset = buffer->map_offset;
	alloc->out_buffer = id;
	alloc->out_tier = buffer->tier;
	ret = kohaku_reply(call);
	if (!ret)
		ret = kohaku_buffer_publish(file, buffer);
	if (ret)
		goto err_buffer;
	return 0;

err_buffer:
	kohaku_buffer_put(buffer);
err_id:
	xa_erase(&file->buffers, id);
	return ret;
}

int kohaku_buf_alloc(struct kohaku_call *call)
{
	struct kohaku_file *file = call->file;
	int ret = kohaku_buf_alloc_check(&call->arg.buf_alloc, file->node->config.meshes);

	if (ret)
		return ret;
	if (atomic_inc_return(&file->buffer_count) > KOHAKU_MAX_BUFFERS)
		ret = -ENOSPC;
	else
		ret = kohaku_buffer_add(call);
	if (ret)
		atomic_dec(&file->buffer_count);
	return ret;
}

int kohaku_buf_free(struct kohaku_call *call)
{
	struct kohaku_file *file = call->file;
	u32 id = call->arg.buf_free.buffer;
	struct kohaku_buffer *buffer;
	int ret = 0;

	xa_lock(&file->buffers);
	buffer = xa_load(&file->buffers, id);
	if (!buffer)
		ret = -ENOENT;
	else if (atomic_cmpxchg(&buffer->users, 1, 0) != 1)
		ret = -EBUSY;
	else
		__xa_erase(&file->buffers, id);
	xa_unlock(&file->buffers);
	if (ret)
		return ret;
	atomic_dec(&file->buffer_count);
	kohaku_unmap(buffer);
	kohaku_buffer_free_memory(buffer);
	kref_put(&buffer->ref, kohaku_buffer_release);
	return 0;
}

/* Takes every buffer from a file; memory in use goes with its last user. */
void kohaku_buffers_free(struct kohaku_file *file)
{
	struct kohaku_buffer *buffer;
	unsigned long id;

	xa_for_each(&file->buffers, id, buffer) {
		buffer = xa_erase(&file->buffers, id);
		if (!buffer)
			continue;
		atomic_dec(&file->buffer_count);
		kohaku_unmap(buffer);
		kohaku_buffer_put(buffer);
	}
}
