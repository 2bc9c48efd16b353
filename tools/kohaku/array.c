// SPDX-License-Identifier: GPL-2.0

#include <stdlib.h>
#include <string.h>

#include "array.h"

int array_read(const struct cli *cli, const char *path, const struct npy_type *type,
	       struct array *array)
{
	struct kohaku_reason reason;
	struct npy npy;
	size_t size;
	uint8_t *file = cli_read_file(cli, path, &size);

	*array = (struct array){ 0 };
	if (!file)
		return CLI_FAILED;
	if (npy_parse_as(type, file, size, &npy, &reason)) {
		free(file);
		return cli_fail_reason(cli, path, &reason);
	}
	/* To the front, where the elements are aligned. */
	memmove(file, file + npy.data_offset, size - npy.data_offset);
	*array = (struct array){ npy.shape, npy.elements, file };
	return CLI_OK;
}

int array_write(const struct cli *cli, const char *path, const struct npy_type *type,
		const struct kohaku_shape *shape, const void *data)
{
	char header[NPY_HEADER_MAX];
	size_t length = npy_header_as(type, shape, header), size = type->size;
	uint8_t *file;
	uint32_t i;
	int status;

	for (i = 0; i < shape->ndim; i++)
		size *= shape->dims[i];
	file = malloc(length + size);
	if (!file)
		return cli_fail(cli, "out of memory");
	memcpy(file, header, length);
	memcpy(file + length, data, size);
	status = cli_write_file(cli, path, file, length + size);
	free(file);
	return status;
}
