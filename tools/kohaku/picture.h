/* SPDX-License-Identifier: GPL-2.0 */
/* A conversion as a picture: the words of both sides in matching colours. */
#ifndef KOHAKU_TOOL_PICTURE_H
#define KOHAKU_TOOL_PICTURE_H

#include "lib/kohaku_relayout.h"

/*
 * Writes an SVG file of the first block, at most 4096 words of it.  Returns 0 or
 * a negative errno.
 */
int picture_write(const char *path, const char *from, const char *to,
		  const struct kohaku_packing *before, const struct kohaku_packing *after);

#endif
