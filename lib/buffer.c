// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Memory of a node.
 */
#include <errno.h>
#include <stdlib.h>

#include "hw/argument.h"
#include "internal.h"

static void link_buffer(struct kohaku_buffer *buffer)
{
	struct kohaku_device *device = buffer->device;

	pthread_mutex_lock(&device->lock);
	buffer->next = device->buffers;
	if (buffer->next)
		buffer->next->prev = buffer;
	device->buffers = buffer;
	pthread_mutex_unlock(&device->lock);
}

static void unlink_buffer(struct kohaku_buffer *buffer)
{
	struct kohaku_device *device = buffer->device;

	pthread_mutex_lock(&device->lock);
	if (buffer->next)
		buffer->next->prev = buffer->prev;
	if (buffer->prev)
		buffer->prev->next = buffer->next;
	else
		device->buffers = buffer->next;
	pthread_mutex_unlock(&device->lock);
}

const struct kohaku_buffer *buffer_find(const struct kohaku_device *device, uint32_t id)
{
	const struct kohaku_buffer *buffer;

	for (buffer = device->buffers; buffer; buffer = buffer->next) {
		if (buffer->id == id)
			break;
	}
	return buffer;
}

int kohaku_buffer_alloc(struct kohaku_device *device, uint32_t mesh, uint32_t tier,
			uint32_t flags, uint64_t length, struct kohaku_buffer **out)
{
	struct kohaku_buf_alloc alloc = {
		.size = sizeof(alloc),
		.flags = flags,
		.mesh = mesh,
		.tier = tier,
		.length = length,
	};
	struct kohaku_buffer *buffer = calloc(1, sizeof(*buffer));
	int err;

	if (!buffer)
		return -ENOMEM;
	err = kohaku_device_command(device, KOHAKU_BUF_ALLOC, &alloc);
	if (err) {
		free(buffer);
		return err;
	}
	buffer->device = device;
	buffer->id = alloc.out_buffer;
	buffer->mesh = mesh;
	buffer->tier = alloc.out_tier;
	buffer->length = alloc.out_length;
	buffer->map_offset = alloc.out_map_offset;
	link_buffer(buffer);
	*out = buffer;
	return 0;
}

int kohaku_buffer_free(struct kohaku_buffer *buffer)
{
	struct kohaku_buf_free arg = { .size = sizeof(arg) };
	int err;

	if (!buffer)
		return 0;
	arg.buffer = buffer->id;
	err = kohaku_device_command(buffer->device, KOHAKU_BUF_FREE, &arg);
	/* A node that went away or was reset has already taken it back. */
	if (err && err != -ENODEV && err != -ECANCELED)
		return err;
	kohaku_buffer_unmap(buffer);
	unlink_buffer(buffer);
	free(buffer);
	return 0;
}

uint32_t kohaku_buffer_id(const struct kohaku_buffer *buffer)
{
	return buffer->id;
}

uint64_t kohaku_buffer_length(const struct kohaku_buffer *buffer)
{
	return buffer->length;
}

uint32_t kohaku_buffer_tier(const struct kohaku_buffer *buffer)
{
	return buffer->tier;
}

uint32_t kohaku_buffer_mesh(const struct kohaku_buffer *buffer)
{
	return buffer->mesh;
}

bool buffer_has(const struct kohaku_buffer *buffer, uint64_t offset, uint64_t length)
{
	return (offset | length) % KOHAKU_WORD_SIZE == 0 && offset <= buffer->length &&
	       length <= buffer->length - offset;
}

static int transfer(struct kohaku_buffer *buffer, uint32_t command, uint64_t offset,
		    const void *data, uint64_t length)
{
	struct kohaku_buf_io io = {
		.size = sizeof(io),
		.buffer = buffer->id,
		.offset = offset,
		.length = length,
		.data = (uintptr_t)data,
	};
	int err = kohaku_buf_io_check(&io, buffer->length);

	if (!err)
		return kohaku_device_command(buffer->device, command, &io);
	explain_command(buffer->device, command, &io, err);
	return err;
}

int kohaku_buffer_read(struct kohaku_buffer *buffer, uint64_t offset, void *data,
		       uint64_t length)
{
	return transfer(buffer, KOHAKU_BUF_READ, offset, data, length);
}

int kohaku_buffer_write(struct kohaku_buffer *buffer, uint64_t offset, const void *data,
			uint64_t length)
{
	return transfer(buffer, KOHAKU_BUF_WRITE, offset, data, length);
}

int kohaku_buffer_map(struct kohaku_buffer *buffer, void **out)
{
	struct kohaku_device *device = buffer->device;
	int err;

	if (!buffer->map_offset)
		return -EOPNOTSUPP;
	if (!buffer->map) {
		err = device->backend->map(device, buffer->map_offset, buffer->length,
					   &buffer->map);
		if (err)
			return err;
	}
	*out = buffer->map;
	return 0;
}

void kohaku_buffer_unmap(struct kohaku_buffer *buffer)
{
	if (buffer->map)
		buffer->device->backend->unmap(buffer->device, buffer->map, buffer->length);
	buffer->map = NULL;
}
