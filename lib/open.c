// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Opening a node by name, and saying why it could not be opened.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "internal.h"
#include "sim_options.h"

#define DEFAULT_NODE "/dev/kohaku"
#define SIM_PREFIX "sim:"

/* What a name stands for; never NULL. */
static const char *resolve(const char *name)
{
	if (!name)
		name = getenv("KOHAKU_NODE");
	return name && *name ? name : DEFAULT_NODE;
}

/* The options of a simulated node, NULL: it is a path. */
static const char *sim_text(const char *name)
{
	size_t length = strlen(SIM_PREFIX);

	return strncmp(name, SIM_PREFIX, length) ? NULL : name + length;
}

/* A device of class kohaku? Asked before open(), which may have side effects. */
static int check_identity(const char *path)
{
	char link[64], target[PATH_MAX], *class;
	struct stat st;
	ssize_t length;

	if (stat(path, &st))
		return -errno;
	if (!S_ISCHR(st.st_mode))
		return -ENODEV;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/subsystem", major(st.st_rdev),
		 minor(st.st_rdev));
	length = readlink(link, target, sizeof(target) - 1);
	if (length < 0)
		return -ENODEV;
	target[length] = 0;
	class = strrchr(target, '/');
	return class && !strcmp(class, "/kohaku") ? 0 : -ENODEV;
}

static int open_path(const char *path, struct kohaku_device *device)
{
	int err = check_identity(path);

	if (err)
		return err;
	/* Reading records must not sleep: whoever wants to wait polls. */
	device->fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (device->fd < 0)
		return -errno;
	device->backend = &kernel_backend;
	return 0;
}

static int open_sim(const char *text, struct kohaku_device *device)
{
	char reason[KOHAKU_REASON_SIZE];
	struct sim_options options;
	int err = sim_options_parse(text, &options, reason, sizeof(reason));

	return err ? err : embedded_create(&options, device);
}

int kohaku_open(const char *name, struct kohaku_device **out)
{
	const char *resolved = resolve(name), *sim = sim_text(resolved);
	struct kohaku_device *device = calloc(1, sizeof(*device));
	int err = -ENOMEM;

	if (!device)
		return err;
	device->name = strdup(resolved);
	if (device->name)
		err = sim ? open_sim(sim, device) : open_path(resolved, device);
	if (err) {
		free(device->name);
		free(device);
		return err;
	}
	pthread_mutex_init(&device->lock, NULL);
	*out = device;
	return 0;
}

void kohaku_close(struct kohaku_device *device)
{
	if (!device)
		return;
	while (device->buffers) {
		struct kohaku_buffer *buffer = device->buffers;

		kohaku_buffer_unmap(buffer);
		device->buffers = buffer->next;
		free(buffer);
	}
	device->backend->close(device);
	pthread_mutex_destroy(&device->lock);
	free(device->name);
	free(device);
}

static void sim_reason(const char *options_text, int error, char *text, size_t size)
{
	struct sim_options options;

	if (error != -EINVAL || !sim_options_parse(options_text, &options, text, size))
		snprintf(text, size, "%s", strerrordesc_np(-error));
}

void kohaku_open_reason(const char *name, int error, char *text, size_t size)
{
	const char *resolved = resolve(name), *sim = sim_text(resolved);
	char why[KOHAKU_REASON_SIZE];

	if (sim)
		sim_reason(sim, error, why, sizeof(why));
	else if (error == -ENOENT)
		snprintf(why, sizeof(why), "no such device; load the driver (kohaku load) or use sim:");
	else if (error == -ENODEV)
		snprintf(why, sizeof(why), "not a Kohaku node; name a /dev/kohaku* or sim:");
	else if (error == -EACCES)
		snprintf(why, sizeof(why), "permission denied; ask for access to it or use sim:");
	else
		snprintf(why, sizeof(why), "%s", strerrordesc_np(-error));
	snprintf(text, size, "%.100s: %s", resolved, why);
}
