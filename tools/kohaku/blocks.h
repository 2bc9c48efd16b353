/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the values of an array are blocks of MXFP7: an array of two dimensions in the
 * layout entry:1x1, any other as if its values stood in rows of 32.
 */
#ifndef KOHAKU_TOOL_BLOCKS_H
#define KOHAKU_TOOL_BLOCKS_H

#include "cli.h"
#include "lib/kohaku_mxfp7.h"
#include "lib/kohaku_relayout.h"

struct blocks {
	enum kohaku_mxfp7_packing packing;
	struct kohaku_packing layout;
	uint64_t count;			/* of blocks */
};

/* "a" or "b" as an enum kohaku_mxfp7_packing; complains itself. */
int blocks_take_packing(const struct cli *cli, const char *text, void *into);
const char *blocks_packing_name(enum kohaku_mxfp7_packing packing);

/* Finds layout and count; complains about what; CLI_OK or CLI_FAILED. */
int blocks_of_shape(const struct cli *cli, const char *what, const struct kohaku_shape *shape,
		    struct blocks *blocks);

#endif
