// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku-pcie-server: a card that QEMU can plug into a virtual machine.
 */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sim/pcie/vfio_user.h"

static const char *socket_path;

static void usage(FILE *to)
{
	const char *name, *help;
	u32 i;

	fprintf(to,
		"usage: kohaku-pcie-server [OPTION]... SOCKET\n\n"
		"Serves a card on a UNIX socket, for QEMU's vfio-user-pci, until its one client\n"
		"has gone.  The machine's memory must be shared (memory-backend-memfd,share=on).\n\n"
		"  --meshes N            meshes of the node on it, 1..4 (1)\n"
		"  --stay                serve the next client with the same card\n"
		"  --statistics          say at its end what was moved, and how fast\n"
		"  --inject NAME[=N]     do something wrong:\n");
	for (i = 0; (name = pcie_inject_name(i, &help)); i++)
		fprintf(to, "      %-20s%s\n", name, help);
}

static void remove_socket(int signal)
{
	(void)signal;
	unlink(socket_path);
	_exit(0);
}

static int listen_at(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(addr.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	unlink(path);
	if (bind(fd, (struct sockaddr *)&addr, sizeof(addr)) || listen(fd, 1)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Reads exactly size bytes; fds that come along are collected.  0, or -1. */
static int receive(int fd, void *bytes, size_t size, struct vfio_user_message *message)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(VFIO_USER_FDS_MAX * sizeof(int))];
	} control;

	while (size) {
		struct iovec iov = { bytes, size };
		struct msghdr msg = {
			.msg_iov = &iov, .msg_iovlen = 1,
			.msg_control = control.bytes, .msg_controllen = sizeof(control),
		};
		ssize_t got = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
		struct cmsghdr *cmsg = got > 0 ? CMSG_FIRSTHDR(&msg) : NULL;

		if (got < 0 && errno == EINTR)
			continue;
		for (; cmsg; cmsg = CMSG_NXTHDR(&msg, cmsg)) {
			u32 count = (cmsg->cmsg_len - CMSG_LEN(0)) / sizeof(int), i;
			const int *fds = (const int *)CMSG_DATA(cmsg);

			for (i = 0; cmsg->cmsg_type == SCM_RIGHTS && i < count; i++) {
				if (message->fd_count < VFIO_USER_FDS_MAX)
					message->fds[message->fd_count++] = fds[i];
				else
					close(fds[i]);
			}
		}
		if (got <= 0)
			return -1;
		bytes = (u8 *)bytes + got;
		size -= got;
	}
	return 0;
}

static int send_all(int fd, const void *bytes, size_t size)
{
	while (size) {
		ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return -1;
		bytes = (const u8 *)bytes + sent;
		size -= sent;
	}
	return 0;
}

/* Takes one message and answers it; -1 when the connection is to end. */
static int serve_message(int fd, struct vfio_user_session *session,
			 struct vfio_user_message *message)
{
	struct vfio_user_header *header = &message->header;
	int ret = -1;
	u32 i;

	message->fd_count = 0;
	if (!receive(fd, header, sizeof(*header), message) &&
	    !vfio_user_check_header(session, header) &&
	    !receive(fd, message->payload, header->size - sizeof(*header), message))
		ret = vfio_user_handle(session, message);
	if (ret > 0)
		ret = send_all(fd, header, header->size);
	for (i = 0; i < message->fd_count; i++) {
		if (message->fds[i] >= 0)
			close(message->fds[i]);
	}
	return ret < 0 ? -1 : 0;
}

/* Between messages the card works; with nothing to do it sleeps. */
static int serve_client(int fd, struct pcie_endpoint *endpoint)
{
	static struct vfio_user_message message;
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	struct vfio_user_session session;
	int ret = 0;

	vfio_user_begin(&session, endpoint);
	while (!ret) {
		bool more = pcie_endpoint_run(endpoint);

		if (poll(&ready, 1, more ? 0 : -1) > 0)
			ret = serve_message(fd, &session, &message);
	}
	vfio_user_end(&session);
	if (!*session.reason)
		return 0;
	fprintf(stderr, "kohaku-pcie-server: connection ended: %s\n", session.reason);
	return 1;
}

static int serve(const char *path, struct pcie_endpoint *endpoint, bool stay)
{
	int listener = listen_at(path), status, fd;

	if (listener < 0) {
		fprintf(stderr, "kohaku-pcie-server: %s: %s\n", path, strerror(errno));
		return 1;
	}
	/* With stay, until it is killed.  NOLINTNEXTLINE(bugprone-infinite-loop) */
	do {
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0) {
			status = errno == EINTR ? 0 : 1;
			continue;
		}
		status = serve_client(fd, endpoint);
		close(fd);
		pcie_endpoint_reset(endpoint);
	} while (stay);
	unlink(path);
	close(listener);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "inject", required_argument, NULL, 'i' },
		{ "meshes", required_argument, NULL, 'm' },
		{ "stay", no_argument, NULL, 's' },
		{ "statistics", no_argument, NULL, 't' },
		{ 0 }
	};
	struct pcie_inject inject = { 0 };
	struct pcie_endpoint *endpoint;
	bool bad = false, stay = false, statistics = false;
	u32 meshes = 1;
	int option, status;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		if (option == 'h') {
			usage(stdout);
			return 0;
		}
		if (option == 'i')
			bad |= pcie_inject_set(&inject, optarg);
		else if (option == 'm')
			meshes = atoi(optarg);
		else if (option == 's')
			stay = true;
		else if (option == 't')
			statistics = true;
		else
			bad = true;
	}
	endpoint = bad || optind != argc - 1 ? NULL : pcie_endpoint_create(meshes, &inject);
	if (!endpoint) {
		usage(stderr);
		return 2;
	}
	socket_path = argv[optind];
	signal(SIGTERM, remove_socket);
	signal(SIGINT, remove_socket);
	status = serve(socket_path, endpoint, stay);
	if (statistics)
		pcie_statistics_print(endpoint, stderr);
	pcie_endpoint_destroy(endpoint);
	return status;
}
