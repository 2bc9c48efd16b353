// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: messages of a client to the card, with and without files, and
 * what the engines do with the registers and descriptors that they leave.
 */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "sim/pcie/vfio_user.h"

#define FILE_SIZE 0x10000

/* How a message lies in the input: this, then its payload. */
struct prefix {
	u8 command;
	u8 flags;		/* bit 7: with a file */
	u16 size;		/* of the payload */
};

/* A file that begins with a chain of descriptors and a piece of the input. */
static int make_file(const u8 *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (ftruncate(fd, FILE_SIZE) || pwrite(fd, data, size < 4096 ? size : 4096, 0) < 0)
		abort();
	return fd;
}

static int handle(struct vfio_user_session *session, struct vfio_user_message *message)
{
	int ret = vfio_user_check_header(session, &message->header);

	if (!ret)
		ret = vfio_user_handle(session, message);
	if (ret < 0 && (ret != -EPROTO || !*session->reason))
		abort();
	if (ret > 0 && (message->header.size > VFIO_USER_MESSAGE_MAX ||
			message->header.size < sizeof(message->header)))
		abort();
	return ret;
}

/* Builds the next message of the input; the bytes it took. */
static size_t build(struct vfio_user_message *message, const u8 *data, size_t size)
{
	struct prefix prefix;
	size_t length;

	if (size < sizeof(prefix))
		return 0;
	memcpy(&prefix, data, sizeof(prefix));
	length = min_t(size_t, prefix.size % sizeof(message->payload), size - sizeof(prefix));
	message->header = (struct vfio_user_header){
		.command = prefix.command,
		.size = sizeof(message->header) + length,
		.flags = prefix.flags & 0x7F,
	};
	memcpy(message->payload, data + sizeof(prefix), length);
	message->fd_count = prefix.flags >> 7;
	if (message->fd_count)
		message->fds[0] = make_file(data, size);
	return sizeof(prefix) + length;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const u8 hello[] = { VFIO_USER_VERSION, 0, 4, 0, 0, 0, 0, 0 };
	static struct vfio_user_message message;
	const struct pcie_inject healthy = { 0 };
	struct pcie_endpoint *card = pcie_endpoint_create(1, &healthy);
	struct vfio_user_session session;
	size_t took;
	int ret, i;

	vfio_user_begin(&session, card);
	build(&message, hello, sizeof(hello));
	ret = handle(&session, &message);
	while (ret >= 0 && (took = build(&message, data, size))) {
		ret = handle(&session, &message);
		if (message.fd_count && message.fds[0] >= 0)
			close(message.fds[0]);
		for (i = 0; i < 8; i++)
			pcie_endpoint_run(card);
		data += took;
		size -= took;
	}
	vfio_user_end(&session);
	pcie_endpoint_destroy(card);
	return 0;
}
