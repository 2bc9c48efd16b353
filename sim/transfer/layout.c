// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * Which lane holds which byte: the five lane orders over a grid of kamlets.
 */
#include "layout.h"

struct spot {
	u32 x, y;
};

/* Step d of a Hilbert curve on a size x size square, (0, 0) to (size - 1, 0). */
static struct spot hilbert(u32 size, u32 d)
{
	struct spot at = { 0, 0 };
	u32 scale, rx, ry, x;

	for (scale = 1; scale < size; scale *= 2, d /= 4) {
		rx = (d / 2) & 1;
		ry = (d ^ rx) & 1;
		if (!ry) {
			if (rx) {
				at.x = scale - 1 - at.x;
				at.y = scale - 1 - at.y;
			}
			x = at.x;
			at.x = at.y;
			at.y = x;
		}
		at.x += scale * rx;
		at.y += scale * ry;
	}
	return at;
}

/* A closed curve: four Hilbert curves, down the left half and up the right. */
static struct spot moore(u32 size, u32 lane)
{
	u32 half = size / 2, quarter, d;
	struct spot at;

	if (!half)
		return (struct spot) { 0, 0 };
	quarter = lane / (half * half);
	d = lane % (half * half);
	at = hilbert(half, d);
	if (quarter < 2)
		return (struct spot) { half - 1 - at.y, quarter * half + at.x };
	return (struct spot) { half + at.y, (3 - quarter) * half + half - 1 - at.x };
}

/* Rows 0, 2, 4 .. out and .. 5, 3, 1 back; every other one runs backwards. */
static struct spot torus(u32 width, u32 height, u32 lane)
{
	u32 rank = lane / width, x = lane % width;
	u32 y = rank < (height + 1) / 2 ? 2 * rank : 2 * (height - 1 - rank) + 1;

	return (struct spot) { rank & 1 ? width - 1 - x : x, y };
}

static struct spot transposed(struct spot at)
{
	return (struct spot) { at.y, at.x };
}

static struct spot lane_spot(const struct tf_layout *layout, u32 order, u32 lane)
{
	u32 width = layout->width, height = layout->height;

	switch (order) {
	case FABRIC_ORDER_MOORE:
		return moore(width, lane);
	case FABRIC_ORDER_ROW_TORUS:
		return torus(width, height, lane);
	case FABRIC_ORDER_COLUMN:
		return (struct spot) { lane / height, lane % height };
	case FABRIC_ORDER_COLUMN_TORUS:
		return transposed(torus(height, width, lane));
	default:
		return (struct spot) { lane % width, lane / width };
	}
}

static bool order_fits(const struct tf_layout *layout, u32 order)
{
	if (order == FABRIC_ORDER_MOORE)
		return layout->width == layout->height && !(layout->width & (layout->width - 1));
	return order >= FABRIC_ORDER_ROW && order < FABRIC_ORDERS;
}

/*
 * The tables of a geometry
 * @config: valid kamlet and jamlet counts
 */
void tf_layout_init(struct tf_layout *layout, const struct fabric_config *config)
{
	u32 jc = config->jamlet_columns, jr = config->jamlet_rows;
	u32 order, lane, g;
	struct spot at;

	layout->kamlets = config->kamlet_columns * config->kamlet_rows;
	layout->jamlets = jc * jr;
	layout->lanes = layout->kamlets * layout->jamlets;
	layout->stripe = layout->lanes * 8;
	layout->words = config->line_words;
	layout->line = layout->words * layout->stripe;
	layout->width = config->kamlet_columns * jc;
	layout->height = config->kamlet_rows * jr;
	for (order = 0; order < FABRIC_ORDERS; order++) {
		layout->valid[order] = order_fits(layout, order);
		for (lane = 0; layout->valid[order] && lane < layout->lanes; lane++) {
			at = lane_spot(layout, order, lane);
			g = (at.y / jr * config->kamlet_columns + at.x / jc) * layout->jamlets +
			    at.y % jr * jc + at.x % jc;
			layout->jamlet[order][lane] = g;
			layout->lane[order][g] = lane;
			layout->x[g] = at.x;
			layout->y[g] = at.y;
		}
	}
}
