/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays in .npy files: versions 1 and 2, little-endian 16-bit floats or bytes, C order.
 */
#ifndef KOHAKU_TOOL_NPY_H
#define KOHAKU_TOOL_NPY_H

#include <stddef.h>
#include <stdint.h>

#include "lib/kohaku_relayout.h"

/* What a file says about its array. */
struct npy {
	struct kohaku_shape shape;
	uint64_t elements;		/* product of the shape */
	size_t data_offset;		/* where the elements begin */
};

/* What an element is. */
struct npy_type {
	const char *descr;		/* as the header names it */
	size_t size;			/* bytes */
};

extern const struct npy_type npy_fp16, npy_bytes;

/*
 * Reads the header of a whole file of size bytes.  -EINVAL: not a .npy file, or
 * its data is shorter or longer than its shape; -EOPNOTSUPP: another version,
 * element type or order.  The text says which.
 */
int npy_parse_as(const struct npy_type *type, const void *file, size_t size, struct npy *npy,
		 struct kohaku_reason *reason);
/* The same for 16-bit floats. */
int npy_parse(const void *file, size_t size, struct npy *npy, struct kohaku_reason *reason);

/* Room for any header that npy_header() writes. */
#define NPY_HEADER_MAX 320

/* Writes the header of an array; returns its bytes. */
size_t npy_header_as(const struct npy_type *type, const struct kohaku_shape *shape,
		     char header[NPY_HEADER_MAX]);
/* The same for 16-bit floats. */
size_t npy_header(const struct kohaku_shape *shape, char header[NPY_HEADER_MAX]);

#endif
