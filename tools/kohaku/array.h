/* SPDX-License-Identifier: GPL-2.0 */
/* Whole .npy files in and out; what fails has been complained about. */
#ifndef KOHAKU_TOOL_ARRAY_H
#define KOHAKU_TOOL_ARRAY_H

#include "cli.h"
#include "npy.h"

struct array {
	struct kohaku_shape shape;
	uint64_t elements;
	void *data;			/* free() it; NULL if it was not read */
};

/* CLI_OK or CLI_FAILED. */
int array_read(const struct cli *cli, const char *path, const struct npy_type *type,
	       struct array *array);
int array_write(const struct cli *cli, const char *path, const struct npy_type *type,
		const struct kohaku_shape *shape, const void *data);

#endif
