// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "text.h"

/* What is left to read. */
struct cursor {
	const char *at, *end;
};

static bool take(struct cursor *cursor, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length))
		return false;
	cursor->at += length;
	return true;
}

static bool take_number(struct cursor *cursor, u32 *value)
{
	const char *start = cursor->at;

	*value = 0;
	for (; cursor->at < cursor->end; cursor->at++) {
		char c = *cursor->at;

		if (c < '0' || c > '9')
			break;
		if (*value > FABRIC_PAGE_BYTES_MAX)
			return false;
		*value = *value * 10 + (u32)(c - '0');
	}
	return cursor->at > start;
}

static bool take_grid(struct cursor *cursor, u32 *columns, u32 *rows)
{
	return take_number(cursor, columns) && take(cursor, "x") && take_number(cursor, rows);
}

/* A longer name comes before one that it begins with. */
static const struct {
	const char *name;
	u32 order;
} orders[] = {
	{ "moore", FABRIC_ORDER_MOORE },
	{ "row-torus", FABRIC_ORDER_ROW_TORUS },
	{ "row", FABRIC_ORDER_ROW },
	{ "column-torus", FABRIC_ORDER_COLUMN_TORUS },
	{ "column", FABRIC_ORDER_COLUMN },
};

static bool take_order(struct cursor *cursor, u32 *order)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		if (take(cursor, orders[i].name)) {
			*order = orders[i].order;
			return true;
		}
	}
	return false;
}

static bool take_option(struct cursor *cursor, struct fabric_config *config)
{
	const struct {
		const char *name;
		u32 *value;
	} numbers[] = {
		{ "line=", &config->line_words }, { "slots=", &config->slots },
		{ "page=", &config->page_bytes }, { "rows=", &config->rows },
		{ "waits=", &config->waits }, { "idents=", &config->idents },
		{ "syncs=", &config->syncs },
	};
	u32 i;

	if (!take(cursor, "/"))
		return false;
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (take(cursor, numbers[i].name))
			return take_number(cursor, numbers[i].value);
	}
	if (take(cursor, "order="))
		return take_order(cursor, &config->order);
	config->push_ack = take(cursor, "push_ack");
	return config->push_ack;
}

/* As many cache lines of all kamlets as reach the size of a default page. */
static u32 usual_page(const struct fabric_config *config, u32 least)
{
	u32 line = config->line_words * 8 * config->kamlet_columns * config->kamlet_rows *
		   config->jamlet_columns * config->jamlet_rows;

	return line ? (least + line - 1) / line * line : 0;
}

int fabric_config_parse(const char *text, size_t length, struct fabric_config *config)
{
	struct cursor cursor = { text, text + length };
	struct fabric_config read;
	u32 least;

	fabric_config_default(&read);
	least = read.page_bytes;
	read.page_bytes = 0;
	if (take(&cursor, "none")) {
		if (cursor.at < cursor.end)
			return -EINVAL;
		memset(config, 0, sizeof(*config));
		return 0;
	}
	if (length >= FABRIC_TEXT_SIZE ||
	    !take_grid(&cursor, &read.kamlet_columns, &read.kamlet_rows) ||
	    !take(&cursor, ":") || !take_grid(&cursor, &read.jamlet_columns, &read.jamlet_rows))
		return -EINVAL;
	while (cursor.at < cursor.end) {
		if (!take_option(&cursor, &read))
			return -EINVAL;
	}
	if (!read.page_bytes)
		read.page_bytes = usual_page(&read, least);
	if (!fabric_config_valid(&read))
		return -EINVAL;
	*config = read;
	return 0;
}
