/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Bytes to a node, a job on them there, and bytes back; what fails has been
 * complained about.
 */
#ifndef KOHAKU_TOOL_ERRAND_H
#define KOHAKU_TOOL_ERRAND_H

#include "cli.h"

struct errand {
	uint32_t mesh;
	uint32_t tier;			/* of both buffers; 0: DRAM */
	const void *in;			/* NULL: no source */
	uint64_t in_size;		/* bytes, whole words */
	void *out;			/* receives the destination */
	uint64_t out_size;		/* bytes, whole words */
	/* Appends the operations; 0 or a negative errno. */
	int (*build)(struct kohaku_job *job, struct kohaku_buffer *dst, struct kohaku_buffer *src,
		     const void *what);
	const void *what;
};

/* Runs it, verified, and adds what it took to object; CLI_OK or CLI_FAILED. */
int errand_run(const struct cli *cli, struct kohaku_device *device, const struct errand *errand,
	       struct json_object *object);

/* The bytes of files through an occupant of the transform slot. */
struct transform {
	uint32_t mesh;
	const char *occupant;		/* its name */
	uint32_t mode;
	const uint16_t *table;		/* values for the occupant, or NULL */
	uint32_t table_values;
	const void *in;
	uint64_t in_size;
	void *out;
	uint64_t out_size;		/* must be what the occupant makes of in_size */
};

/* Opens the node and does it; CLI_OK or CLI_FAILED. */
int transform_run(const struct cli *cli, const struct transform *transform,
		  struct json_object *object);

#endif
