/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Descriptors that go from one process to another through a socket.
 */
#ifndef SELFTESTS_PASS_FD_H
#define SELFTESTS_PASS_FD_H

#include "kohaku_test.h"

#include <sys/socket.h>

union pass_control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

/* 0 or errno. */
static inline int pass_send(int socket, int fd)
{
	union pass_control control = { .bytes = { 0 } };
	struct iovec iov = { &(char){ 0 }, 1 };
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};

	control.header.cmsg_len = CMSG_LEN(sizeof(int));
	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_RIGHTS;
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(int));
	return sendmsg(socket, &message, 0) == 1 ? 0 : errno;
}

/* The descriptor, -1 if none came. */
static inline int pass_receive(int socket)
{
	union pass_control control = { .bytes = { 0 } };
	struct iovec iov = { &(char){ 0 }, 1 };
	struct msghdr message = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	int fd = -1;

	if (recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1 &&
	    control.header.cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(&control.header), sizeof(int));
	return fd;
}

#endif
