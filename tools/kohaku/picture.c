// SPDX-License-Identifier: GPL-2.0
/*
 * Two panels, source and destination, of sixteen words a line.  A granule, the
 * quarter of a word, has the hue of its place in the source, so the left panel
 * is a rainbow and the right one shows what became of it.
 */
#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS_MAX 4096
#define WORDS_A_LINE 16
#define GRANULES 4		/* of a word */
#define GRANULE_ELEMENTS 4
#define NOBODY UINT32_MAX

/* Sizes, pixels. */
enum { GRANULE_WIDTH = 6, WORD_GAP = 3, LINE_HEIGHT = 12, BAR_HEIGHT = 9, TOP = 30, MARGIN = 10 };

#define WORD_WIDTH (GRANULES * GRANULE_WIDTH + WORD_GAP)
#define PANEL_WIDTH (WORDS_A_LINE * WORD_WIDTH + 2 * MARGIN)

/* For each granule of the destination that of the source it comes from. */
static void trace_granules(const struct kohaku_packing *before,
			   const struct kohaku_packing *after, uint32_t *origin)
{
	uint64_t granules = after->slots / GRANULE_ELEMENTS, row, col, i;

	for (i = 0; i < granules; i++)
		origin[i] = NOBODY;
	for (row = 0; row < after->rows; row++) {
		for (col = 0; col < after->cols; col++) {
			uint64_t place = row * after->cols + col;
			uint64_t to = kohaku_packing_slot(after, row, col) / GRANULE_ELEMENTS;
			uint64_t from = kohaku_packing_slot(before, place / before->cols,
							    place % before->cols);

			if (to < granules && origin[to] == NOBODY)
				origin[to] = from / GRANULE_ELEMENTS;
		}
	}
}

static void draw_granule(FILE *file, uint64_t i, uint32_t from, uint64_t total, int left)
{
	uint64_t word = i / GRANULES;
	uint64_t x = left + word % WORDS_A_LINE * WORD_WIDTH + i % GRANULES * GRANULE_WIDTH;
	uint64_t y = TOP + word / WORDS_A_LINE * LINE_HEIGHT;

	fprintf(file, "<rect x='%llu' y='%llu' width='%d' height='%d' fill='",
		(unsigned long long)x, (unsigned long long)y, GRANULE_WIDTH, BAR_HEIGHT);
	if (from == NOBODY)
		fprintf(file, "#ddd'><title>word %llu: padding",
			(unsigned long long)word);
	else
		fprintf(file, "hsl(%llu,75%%,%u%%)'><title>word %llu: granule %u of word %u",
			(unsigned long long)from * 320 / total, 42 + from % GRANULES * 6,
			(unsigned long long)word, from % GRANULES, from / GRANULES);
	fputs("</title></rect>\n", file);
}

static void draw_panel(FILE *file, const char *name, const uint32_t *origin, uint64_t granules,
		       uint64_t total, int left)
{
	uint64_t i;

	fprintf(file, "<text x='%d' y='20'>%s</text>\n", left, name);
	for (i = 0; i < granules; i++)
		draw_granule(file, i, origin[i], total, left);
}

static uint64_t shown(const struct kohaku_packing *packing)
{
	uint64_t granules = (packing->slots + GRANULE_ELEMENTS - 1) / GRANULE_ELEMENTS;

	return granules < WORDS_MAX * GRANULES ? granules : WORDS_MAX * GRANULES;
}

static void draw(FILE *file, const char *from, const char *to,
		 const struct kohaku_packing *before, const struct kohaku_packing *after,
		 uint32_t *origin)
{
	uint64_t total = before->slots / GRANULE_ELEMENTS + 1;
	uint64_t most = shown(before) > shown(after) ? shown(before) : shown(after);
	uint64_t lines = most / (GRANULES * WORDS_A_LINE) + 1;

	fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%llu' "
		"font-family='sans-serif' font-size='13'>\n", 2 * PANEL_WIDTH,
		TOP + lines * (unsigned long long)LINE_HEIGHT + MARGIN);
	fputs("<rect width='100%' height='100%' fill='white'/>\n", file);
	trace_granules(before, before, origin);
	draw_panel(file, from, origin, shown(before), total, MARGIN);
	trace_granules(before, after, origin);
	draw_panel(file, to, origin, shown(after), total, PANEL_WIDTH + MARGIN);
	fputs("</svg>\n", file);
}

int picture_write(const char *path, const char *from, const char *to,
		  const struct kohaku_packing *before, const struct kohaku_packing *after)
{
	uint64_t slots = before->slots > after->slots ? before->slots : after->slots;
	uint32_t *origin = calloc(slots / GRANULE_ELEMENTS + 1, sizeof(*origin));
	FILE *file = origin ? fopen(path, "w") : NULL;
	int error = 0;

	if (!file) {
		error = origin ? -errno : -ENOMEM;
		free(origin);
		return error;
	}
	draw(file, from, to, before, after, origin);
	if (ferror(file))
		error = -EIO;
	if (fclose(file) && !error)
		error = -errno;
	free(origin);
	return error;
}
