// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The endpoint as a vfio-user device: what a client's messages mean.
 *
 * Whoever sends what cannot be a message is cut off with a reason; a message that
 * asks for what is not there gets an error as its reply.
 */
#include "sim/pcie/vfio_user.h"

#include <linux/vfio.h>
#include <stdio.h>
#include <unistd.h>

#define MAJOR 0
#define MINOR 0
#define CAPABILITIES \
	"{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":65536}}"

static_assert(VFIO_USER_DATA_MAX == 65536, "CAPABILITIES");
static_assert(VFIO_USER_FDS_MAX == 8, "CAPABILITIES");

struct version {
	u16 major;
	u16 minor;
	char data[];
};

struct dma_map {
	u32 argsz;
	u32 flags;
	u64 offset;
	u64 addr;
	u64 size;
};

#define DMA_MAP_READ	1U
#define DMA_MAP_WRITE	2U

struct dma_unmap {
	u32 argsz;
	u32 flags;
	u64 addr;
	u64 size;
};

struct region_access {
	u64 offset;
	u32 region;
	u32 count;
	u8 data[];
};

static int malformed(struct vfio_user_session *session, const char *what)
{
	snprintf(session->reason, sizeof(session->reason), "%s", what);
	return -EPROTO;
}

static size_t payload_size(const struct vfio_user_message *message)
{
	return message->header.size - sizeof(message->header);
}

static void set_payload_size(struct vfio_user_message *message, size_t size)
{
	message->header.size = sizeof(message->header) + size;
}

static int take_fd(struct vfio_user_message *message, u32 i)
{
	int fd = message->fds[i];

	message->fds[i] = -1;
	return fd;
}

static void send_interrupt(void *ctx, u32 vector)
{
	struct vfio_user_session *session = ctx;
	u64 one = 1;

	if (vector >= PCIE_VECTORS || session->irqs[vector] < 0)
		return;
	/* A full counter means that an interrupt is on its way already. */
	if (write(session->irqs[vector], &one, sizeof(one)) < 0 && errno != EAGAIN)
		snprintf(session->reason, sizeof(session->reason), "dead event fd");
}

static void close_irq(struct vfio_user_session *session, u32 vector)
{
	if (session->irqs[vector] >= 0)
		close(session->irqs[vector]);
	session->irqs[vector] = -1;
}

void vfio_user_begin(struct vfio_user_session *session, struct pcie_endpoint *endpoint)
{
	u32 i;

	*session = (struct vfio_user_session){ .endpoint = endpoint };
	for (i = 0; i < PCIE_VECTORS; i++)
		session->irqs[i] = -1;
	endpoint->interrupt = send_interrupt;
	endpoint->ctx = session;
}

void vfio_user_end(struct vfio_user_session *session)
{
	u32 i;

	session->endpoint->interrupt = NULL;
	pcie_guest_clear(&session->endpoint->guest);
	for (i = 0; i < PCIE_VECTORS; i++)
		close_irq(session, i);
}

int vfio_user_check_header(struct vfio_user_session *session,
			   const struct vfio_user_header *header)
{
	if (header->size < sizeof(*header))
		return malformed(session, "size is less than a header's");
	if (header->size > VFIO_USER_MESSAGE_MAX)
		return malformed(session, "size is more than any message's");
	if ((header->flags & VFIO_USER_TYPE) != VFIO_USER_COMMAND)
		return malformed(session, "not a command");
	if (header->command == 0 || header->command > VFIO_USER_DEVICE_RESET + 2)
		return malformed(session, "no such command");
	if (!session->greeted && header->command != VFIO_USER_VERSION)
		return malformed(session, "the first message is not VERSION");
	if (session->greeted && header->command == VFIO_USER_VERSION)
		return malformed(session, "a second VERSION");
	return 0;
}

static int do_version(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct version *version = (struct version *)message->payload;
	size_t size = payload_size(message);

	if (size < sizeof(*version))
		return malformed(session, "VERSION is too short");
	if (size > sizeof(*version) && message->payload[size - 1])
		return malformed(session, "VERSION has no end");
	if (version->major != MAJOR)
		return malformed(session, "a major version other than 0");
	session->greeted = true;
	version->minor = MINOR;
	memcpy(version->data, CAPABILITIES, sizeof(CAPABILITIES));
	set_payload_size(message, sizeof(*version) + sizeof(CAPABILITIES));
	return 0;
}

static int do_dma_map(struct vfio_user_session *session, struct vfio_user_message *message)
{
	const struct dma_map *map = (const struct dma_map *)message->payload;
	struct pcie_range range;
	int err;

	if (payload_size(message) != sizeof(*map))
		return malformed(session, "DMA_MAP of a wrong size");
	if (message->fd_count > 1)
		return malformed(session, "DMA_MAP with several files");
	range = (struct pcie_range){
		.addr = map->addr,
		.size = map->size,
		.offset = map->offset,
		.readable = map->flags & DMA_MAP_READ,
		.writable = map->flags & DMA_MAP_WRITE,
	};
	set_payload_size(message, 0);
	/* Memory that comes without a file is not for DMA: no engine will reach it. */
	if (!message->fd_count)
		return 0;
	range.fd = message->fds[0];
	err = pcie_guest_map(&session->endpoint->guest, &range);
	if (!err)
		take_fd(message, 0);
	return err;
}

static int do_dma_unmap(struct vfio_user_session *session, struct vfio_user_message *message)
{
	const struct dma_unmap *unmap = (const struct dma_unmap *)message->payload;
	struct pcie_guest *guest = &session->endpoint->guest;

	if (payload_size(message) != sizeof(*unmap))
		return malformed(session, "DMA_UNMAP of a wrong size");
	if (unmap->flags & VFIO_DMA_UNMAP_FLAG_ALL) {
		pcie_guest_clear(guest);
		return 0;
	}
	return unmap->flags ? -EINVAL : pcie_guest_unmap(guest, unmap->addr, unmap->size);
}

static int do_info(struct vfio_user_session *session, struct vfio_user_message *message)
{
	/* Without the capabilities that newer kernels append. */
	struct { u32 argsz, flags, num_regions, num_irqs; } info = {
		.argsz = sizeof(info),
		.flags = VFIO_DEVICE_FLAGS_PCI,
		.num_regions = VFIO_PCI_NUM_REGIONS,
		.num_irqs = VFIO_PCI_NUM_IRQS,
	};

	if (payload_size(message) < sizeof(info))
		return malformed(session, "GET_INFO is too short");
	if (!session->endpoint->inject.no_reset)
		info.flags |= VFIO_DEVICE_FLAGS_RESET;
	memcpy(message->payload, &info, sizeof(info));
	set_payload_size(message, sizeof(info));
	return 0;
}

/* The endpoint's space that a region is; -1: none, but a region all the same. */
static int space_of(u32 region)
{
	if (region < PCIE_BARS)
		return region;
	return region == VFIO_PCI_CONFIG_REGION_INDEX ? PCIE_SPACE_CONFIG : -1;
}

static int do_region_info(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct vfio_region_info info;
	int space;

	if (payload_size(message) < sizeof(info))
		return malformed(session, "GET_REGION_INFO is too short");
	memcpy(&info, message->payload, sizeof(info));
	if (info.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	space = space_of(info.index);
	info = (struct vfio_region_info){
		.argsz = sizeof(info),
		.index = info.index,
		.size = space < 0 ? 0 : pcie_space_size(space),
	};
	if (info.size)
		info.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	memcpy(message->payload, &info, sizeof(info));
	set_payload_size(message, sizeof(info));
	return 0;
}

static int do_irq_info(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct vfio_irq_info info;

	if (payload_size(message) < sizeof(info))
		return malformed(session, "GET_IRQ_INFO is too short");
	memcpy(&info, message->payload, sizeof(info));
	if (info.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	info = (struct vfio_irq_info){ .argsz = sizeof(info), .index = info.index };
	if (info.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		info.flags = VFIO_IRQ_INFO_EVENTFD;
		info.count = PCIE_VECTORS;
	}
	memcpy(message->payload, &info, sizeof(info));
	set_payload_size(message, sizeof(info));
	return 0;
}

/* Gives vectors their event fds, or takes them away where none came along. */
static void set_eventfds(struct vfio_user_session *session, struct vfio_user_message *message,
			 const struct vfio_irq_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++) {
		close_irq(session, set->start + i);
		if (message->fd_count)
			session->irqs[set->start + i] = take_fd(message, i);
	}
}

static void trigger(struct vfio_user_session *session, const struct vfio_irq_set *set)
{
	u32 i;

	for (i = 0; i < set->count; i++)
		send_interrupt(session, set->start + i);
	/* No vector at all: interrupts are switched off. */
	for (i = 0; !set->count && i < PCIE_VECTORS; i++)
		close_irq(session, i);
}

static int do_set_irqs(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct vfio_irq_set set;

	if (payload_size(message) < sizeof(set))
		return malformed(session, "SET_IRQS is too short");
	memcpy(&set, message->payload, sizeof(set));
	if (message->fd_count && message->fd_count != set.count)
		return malformed(session, "SET_IRQS with files of another number");
	set_payload_size(message, 0);
	/* The other kinds have no vectors: all that can be done is nothing. */
	if (set.index != VFIO_PCI_MSIX_IRQ_INDEX)
		return set.index < VFIO_PCI_NUM_IRQS && !set.count ? 0 : -EINVAL;
	if (set.start > PCIE_VECTORS || set.count > PCIE_VECTORS - set.start)
		return -EINVAL;
	switch (set.flags) {
	case VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER:
		set_eventfds(session, message, &set);
		return 0;
	case VFIO_IRQ_SET_DATA_NONE | VFIO_IRQ_SET_ACTION_TRIGGER:
		trigger(session, &set);
		return 0;
	}
	return -EINVAL;
}

/* The part of a region access that reads and writes have in common. */
static int check_access(struct vfio_user_session *session, struct vfio_user_message *message,
			u32 data)
{
	const struct region_access *access = (const struct region_access *)message->payload;

	if (payload_size(message) < sizeof(*access))
		return malformed(session, "a region access is too short");
	if (access->count > VFIO_USER_DATA_MAX)
		return malformed(session, "a region access of too many bytes");
	if (data && payload_size(message) != sizeof(*access) + access->count)
		return malformed(session, "a region write without all of its bytes");
	return access->region < VFIO_PCI_NUM_REGIONS && space_of(access->region) >= 0 ? 0 : -EINVAL;
}

static int do_region_read(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct region_access *access = (struct region_access *)message->payload;
	int err = check_access(session, message, false);

	if (!err)
		err = pcie_space_read(session->endpoint, space_of(access->region),
				      access->offset, access->data, access->count);
	if (!err)
		set_payload_size(message, sizeof(*access) + access->count);
	return err;
}

static int do_region_write(struct vfio_user_session *session, struct vfio_user_message *message)
{
	struct region_access *access = (struct region_access *)message->payload;
	int err = check_access(session, message, true);

	if (!err)
		err = pcie_space_write(session->endpoint, space_of(access->region),
				       access->offset, access->data, access->count);
	if (!err)
		set_payload_size(message, sizeof(*access));
	return err;
}

static int do_reset(struct vfio_user_session *session, struct vfio_user_message *message)
{
	if (session->endpoint->inject.no_reset)
		return -ENOTSUP;
	pcie_endpoint_reset(session->endpoint);
	set_payload_size(message, 0);
	return 0;
}

/* 0 and the payload of a reply, or an error: -EPROTO ends the connection. */
static int do_command(struct vfio_user_session *session, struct vfio_user_message *message)
{
	switch (message->header.command) {
	case VFIO_USER_VERSION:
		return do_version(session, message);
	case VFIO_USER_DMA_MAP:
		return do_dma_map(session, message);
	case VFIO_USER_DMA_UNMAP:
		return do_dma_unmap(session, message);
	case VFIO_USER_DEVICE_GET_INFO:
		return do_info(session, message);
	case VFIO_USER_DEVICE_GET_REGION_INFO:
		return do_region_info(session, message);
	case VFIO_USER_DEVICE_GET_IRQ_INFO:
		return do_irq_info(session, message);
	case VFIO_USER_DEVICE_SET_IRQS:
		return do_set_irqs(session, message);
	case VFIO_USER_REGION_READ:
		return do_region_read(session, message);
	case VFIO_USER_REGION_WRITE:
		return do_region_write(session, message);
	case VFIO_USER_DEVICE_RESET:
		return do_reset(session, message);
	}
	return -ENOTSUP;
}

int vfio_user_handle(struct vfio_user_session *session, struct vfio_user_message *message)
{
	bool silent = message->header.flags & VFIO_USER_NO_REPLY;
	int err = do_command(session, message);

	if (err == -EPROTO)
		return err;
	message->header.flags = VFIO_USER_REPLY;
	message->header.error = 0;
	if (err) {
		message->header.flags |= VFIO_USER_ERROR;
		message->header.error = -err;
		set_payload_size(message, 0);
	}
	return !silent;
}
