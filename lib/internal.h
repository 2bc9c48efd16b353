/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The live objects, and the one seam between the library and a node.
 */
#ifndef KOHAKU_LIB_INTERNAL_H
#define KOHAKU_LIB_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "kohaku.h"

struct embedded;
struct sim_options;

/* A way to reach a node: the driver, or the model in this process. */
struct backend {
	/* Runs a command; 0 or a negative errno. */
	int (*command)(struct kohaku_device *device, uint32_t command, void *arg);
	/* Reads whole completion records; their bytes, or a negative errno. */
	ssize_t (*read)(struct kohaku_device *device, void *records, size_t size);
	int (*map)(struct kohaku_device *device, uint64_t offset, uint64_t length, void **out);
	void (*unmap)(struct kohaku_device *device, void *address, uint64_t length);
	void (*close)(struct kohaku_device *device);
};

struct kohaku_device {
	const struct backend *backend;
	char *name;
	int fd;				/* what users poll */
	struct embedded *embedded;	/* "sim:" only */

	pthread_mutex_t lock;		/* covers what follows */
	struct kohaku_buffer *buffers;
	char reason[KOHAKU_REASON_SIZE];
};

struct kohaku_buffer {
	struct kohaku_buffer *prev, *next;
	struct kohaku_device *device;
	uint32_t id;
	uint32_t mesh;
	uint32_t tier;
	uint64_t length;
	uint64_t map_offset;
	void *map;
};

/* An array that operations of a job point at. */
struct kept {
	struct kept *next;
	uint32_t values[];
};

struct kohaku_job {
	struct kohaku_op *ops;
	size_t count;
	size_t capacity;
	uint64_t timeout_ns;
	uint32_t barrier;		/* meshes whose next operation carries BARRIER */
	bool verify;
	struct kept *kept;
};

/* job.c: copies values to where they stay until the job is emptied; NULL: no memory */
const uint32_t *job_keep(struct kohaku_job *job, const uint32_t *values, size_t count);

/* device.c */
extern const struct backend kernel_backend;

/* embedded.c */
extern const struct backend embedded_backend;
int embedded_create(const struct sim_options *options, struct kohaku_device *device);

/* buffer.c: the buffer of an id, called with the lock held */
const struct kohaku_buffer *buffer_find(const struct kohaku_device *device, uint32_t id);
/* Are these whole words, and in the buffer? */
bool buffer_has(const struct kohaku_buffer *buffer, uint64_t offset, uint64_t length);

/* explain.c: remembers why a command failed */
void explain_command(struct kohaku_device *device, uint32_t command, const void *arg, int error);

#endif
