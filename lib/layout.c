// SPDX-License-Identifier: LGPL-2.1-or-later
/* The names of layouts and the notation of shapes. */
#include "reason.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Larger numbers than this fit no memory of the node, and keep products small. */
#define NUMBER_MAX 0x7fffffffu

/* A name being read. */
struct cursor {
	const char *name;
	const char *at;
	struct kohaku_reason *reason;
};

static int refuse(const struct cursor *cursor, const char *expected)
{
	return reason_set(cursor->reason, -EINVAL, (int)(cursor->at - cursor->name),
			  "expected %s", expected);
}

static bool take_prefix(struct cursor *cursor, const char *prefix)
{
	size_t length = strlen(prefix);

	if (strncmp(cursor->at, prefix, length))
		return false;
	cursor->at += length;
	return true;
}

static int take_char(struct cursor *cursor, char c)
{
	char expected[4] = { '\'', c, '\'' };

	if (*cursor->at != c)
		return refuse(cursor, expected);
	cursor->at++;
	return 0;
}

static int take_number(struct cursor *cursor, uint32_t *number)
{
	const char *first = cursor->at;
	uint64_t value = 0;

	if (*first < '1' || *first > '9')
		return refuse(cursor, "a positive number");
	for (; *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
		value = value * 10 + (*cursor->at - '0');
		if (value > NUMBER_MAX) {
			cursor->at = first;
			return refuse(cursor, "a number below 2147483648");
		}
	}
	*number = value;
	return 0;
}

/* Reads "AxB". */
static int take_pair(struct cursor *cursor, uint32_t *a, uint32_t *b)
{
	int error = take_number(cursor, a);

	if (!error)
		error = take_char(cursor, 'x');
	if (!error)
		error = take_number(cursor, b);
	return error;
}

static int take_kind(struct cursor *cursor, struct kohaku_layout *layout)
{
	int error;

	if (take_prefix(cursor, "flat")) {
		layout->kind = KOHAKU_LAYOUT_FLAT;
		return 0;
	}
	if (take_prefix(cursor, "entry:")) {
		layout->kind = KOHAKU_LAYOUT_ENTRY;
		return take_pair(cursor, &layout->groups, &layout->blocks);
	}
	if (!take_prefix(cursor, "tile:"))
		return refuse(cursor, "flat, entry:GxB or tile:GIxGJ:GMxGN");

	layout->kind = KOHAKU_LAYOUT_TILE;
	error = take_pair(cursor, &layout->grid_rows, &layout->grid_cols);
	if (!error)
		error = take_char(cursor, ':');
	if (!error)
		error = take_pair(cursor, &layout->tile_rows, &layout->tile_cols);
	return error;
}

int kohaku_layout_parse(const char *name, struct kohaku_layout *layout,
			struct kohaku_reason *reason)
{
	struct cursor cursor = { name, name, reason };
	struct kohaku_layout result = { 0 };
	int error = 0;

	if (take_prefix(&cursor, "batch")) {
		error = take_number(&cursor, &result.batch);
		if (!error)
			error = take_char(&cursor, ':');
	}
	if (!error)
		error = take_kind(&cursor, &result);
	if (!error && *cursor.at)
		error = refuse(&cursor, "the end of the name");
	if (!error)
		*layout = result;
	return error;
}

void kohaku_layout_format(const struct kohaku_layout *layout, char name[KOHAKU_LAYOUT_NAME])
{
	int n = 0;

	if (layout->batch)
		n = snprintf(name, KOHAKU_LAYOUT_NAME, "batch%u:", layout->batch);
	switch (layout->kind) {
	case KOHAKU_LAYOUT_FLAT:
		snprintf(name + n, KOHAKU_LAYOUT_NAME - n, "flat");
		break;
	case KOHAKU_LAYOUT_ENTRY:
		snprintf(name + n, KOHAKU_LAYOUT_NAME - n, "entry:%ux%u",
			 layout->groups, layout->blocks);
		break;
	case KOHAKU_LAYOUT_TILE:
		snprintf(name + n, KOHAKU_LAYOUT_NAME - n, "tile:%ux%u:%ux%u", layout->grid_rows,
			 layout->grid_cols, layout->tile_rows, layout->tile_cols);
		break;
	}
}

int kohaku_shape_parse(const char *text, struct kohaku_shape *shape, struct kohaku_reason *reason)
{
	struct cursor cursor = { text, text, reason };
	struct kohaku_shape result = { 0 };
	uint64_t product = 1;
	uint32_t dim = 0;

	do {
		if (result.ndim == KOHAKU_SHAPE_DIMS)
			return refuse(&cursor, "at most 8 dimensions");
		if (result.ndim && take_char(&cursor, 'x'))
			return -EINVAL;
		if (take_number(&cursor, &dim))
			return -EINVAL;
		if (__builtin_mul_overflow(product, dim, &product))
			return reason_set(reason, -EINVAL, 0, "the shape has too many elements");
		result.dims[result.ndim++] = dim;
	} while (*cursor.at);
	*shape = result;
	return 0;
}
