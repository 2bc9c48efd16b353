// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Completions of the embedded node that nobody has collected yet.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "embedded.h"

/* The fd that users poll is readable exactly while there is a record. */
static void update_poll(struct embedded *node, u32 before)
{
	eventfd_t value;

	if (!before && node->done_count)
		eventfd_write(node->poll_fd, 1);
	else if (before && !node->done_count)
		eventfd_read(node->poll_fd, &value);
}

void embedded_done_add(struct embedded *node, const struct kohaku_completion *completion)
{
	u32 before = node->done_count;

	node->done[node->done_count++] = *completion;
	update_poll(node, before);
	if (node->event_fd >= 0)
		eventfd_write(node->event_fd, 1);
}

static void remove_range(struct embedded *node, u32 first, u32 count)
{
	u32 before = node->done_count;

	node->done_count -= count;
	memmove(&node->done[first], &node->done[first + count],
		(node->done_count - first) * sizeof(node->done[0]));
	update_poll(node, before);
}

u32 embedded_done_take(struct embedded *node, struct kohaku_completion *out, u32 count)
{
	count = min(count, node->done_count);
	memcpy(out, node->done, count * sizeof(*out));
	remove_range(node, 0, count);
	return count;
}

int embedded_wait(struct embedded *node, union kohaku_command_arg *arg)
{
	u32 i;

	for (i = 0; i < node->done_count; i++) {
		if (node->done[i].job != arg->wait.job)
			continue;
		arg->wait.completion = node->done[i];
		remove_range(node, i, 1);
		return 0;
	}
	return -ENOENT;
}

static int check_eventfd(int fd)
{
	static const char eventfd_name[] = "anon_inode:[eventfd]";
	char path[32], target[sizeof(eventfd_name)];
	ssize_t length;

	if (fcntl(fd, F_GETFD) < 0)
		return -EBADF;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	length = readlink(path, target, sizeof(target));
	if (length != sizeof(eventfd_name) - 1 || memcmp(target, eventfd_name, length))
		return -EINVAL;
	return 0;
}

int embedded_eventfd(struct embedded *node, union kohaku_command_arg *arg)
{
	int fd = -1, err;

	if (arg->eventfd.fd < -1)
		return -EINVAL;
	if (arg->eventfd.fd != -1) {
		err = check_eventfd(arg->eventfd.fd);
		if (err)
			return err;
		fd = fcntl(arg->eventfd.fd, F_DUPFD_CLOEXEC, 0);
		if (fd < 0)
			return -errno;
	}
	if (node->event_fd >= 0)
		close(node->event_fd);
	node->event_fd = fd;
	return 0;
}
