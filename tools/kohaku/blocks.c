// SPDX-License-Identifier: GPL-2.0

#include <string.h>

#include "blocks.h"

#define ROW_VALUES 32
#define VALUE_SIZE 2

int blocks_take_packing(const struct cli *cli, const char *text, void *into)
{
	if (strcmp(text, "a") && strcmp(text, "b"))
		return cli_usage(cli, "'%s' is neither a nor b", text);
	*(enum kohaku_mxfp7_packing *)into = *text == 'a' ? KOHAKU_MXFP7_A : KOHAKU_MXFP7_B;
	return CLI_OK;
}

const char *blocks_packing_name(enum kohaku_mxfp7_packing packing)
{
	return packing == KOHAKU_MXFP7_A ? "a" : "b";
}

int blocks_of_shape(const struct cli *cli, const char *what, const struct kohaku_shape *shape,
		    struct blocks *blocks)
{
	struct kohaku_layout entry = { .kind = KOHAKU_LAYOUT_ENTRY, .groups = 1, .blocks = 1 };
	struct kohaku_shape matrix = { .ndim = 2, .dims = { 1, ROW_VALUES } };
	struct kohaku_reason reason;
	uint64_t elements = 1;
	uint32_t i;

	if (shape->ndim == 2) {
		matrix = *shape;
	} else {
		for (i = 0; i < shape->ndim; i++)
			elements *= shape->dims[i];
		if (elements % ROW_VALUES)
			return cli_fail(cli, "%s: %llu values are no whole rows of 32; pad them, or "
					"give the array 2 dimensions", what,
					(unsigned long long)elements);
		matrix.dims[0] = elements / ROW_VALUES;
	}
	if (kohaku_packing_init(&blocks->layout, &entry, &matrix, 0, &reason))
		return cli_fail(cli, "%s: %s", what, reason.text);
	blocks->count = blocks->layout.bytes / (KOHAKU_MXFP7_VALUES * VALUE_SIZE);
	return CLI_OK;
}
