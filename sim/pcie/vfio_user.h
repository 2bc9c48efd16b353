/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The endpoint as a vfio-user device: what a client's messages mean.
 */
#ifndef SIM_PCIE_VFIO_USER_H
#define SIM_PCIE_VFIO_USER_H

#include "sim/pcie/endpoint.h"

#define VFIO_USER_DATA_MAX	0x10000	/* bytes of one access */
#define VFIO_USER_MESSAGE_MAX	(VFIO_USER_DATA_MAX + 0x1000)
#define VFIO_USER_FDS_MAX	8

enum vfio_user_command {
	VFIO_USER_VERSION = 1,
	VFIO_USER_DMA_MAP,
	VFIO_USER_DMA_UNMAP,
	VFIO_USER_DEVICE_GET_INFO,
	VFIO_USER_DEVICE_GET_REGION_INFO,
	VFIO_USER_DEVICE_GET_REGION_IO_FDS,
	VFIO_USER_DEVICE_GET_IRQ_INFO,
	VFIO_USER_DEVICE_SET_IRQS,
	VFIO_USER_REGION_READ,
	VFIO_USER_REGION_WRITE,
	VFIO_USER_DMA_READ,
	VFIO_USER_DMA_WRITE,
	VFIO_USER_DEVICE_RESET,
};

struct vfio_user_header {
	u16 id;
	u16 command;
	u32 size;		/* bytes of the message, header included */
	u32 flags;
	u32 error;
};

#define VFIO_USER_TYPE		0x0F
#define VFIO_USER_COMMAND	0
#define VFIO_USER_REPLY		1
#define VFIO_USER_NO_REPLY	0x10
#define VFIO_USER_ERROR		0x20

/* A message with what came along. */
struct vfio_user_message {
	struct vfio_user_header header;
	u8 payload[VFIO_USER_MESSAGE_MAX - sizeof(struct vfio_user_header)];
	int fds[VFIO_USER_FDS_MAX];	/* -1: taken */
	u32 fd_count;
};

/* One client. */
struct vfio_user_session {
	struct pcie_endpoint *endpoint;
	bool greeted;			/* versions have been exchanged */
	int irqs[PCIE_VECTORS];		/* event fds, -1: none */
	char reason[128];		/* why the connection has to end */
};

void vfio_user_begin(struct vfio_user_session *session, struct pcie_endpoint *endpoint);
/* Forgets all that the client gave: memory and event fds. */
void vfio_user_end(struct vfio_user_session *session);

/**
 * vfio_user_check_header - does a message begin as one should?
 * @session: the client
 * @header: the first bytes of its message
 *
 * Return: 0; -EPROTO and session->reason when the connection must end.
 */
int vfio_user_check_header(struct vfio_user_session *session,
			   const struct vfio_user_header *header);

/**
 * vfio_user_handle - do what a message asks for and turn it into its reply
 * @session: the client
 * @message: header as checked, payload, fds; then the reply's header and payload
 *
 * Takes the fds it keeps; the others stay the caller's.
 * Return: 1 when there is a reply to send, 0 when not; -EPROTO and
 * session->reason when the message is malformed and the connection must end.
 */
int vfio_user_handle(struct vfio_user_session *session, struct vfio_user_message *message);

#endif
