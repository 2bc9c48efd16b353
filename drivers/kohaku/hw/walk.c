// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * A walk, one element after the other.
 */
#include "walk.h"

u64 kohaku_walk_elements(const struct kohaku_walker *walker)
{
	u64 elements = 1;
	u32 i;

	for (i = 0; i < walker->ndim; i++)
		if (__builtin_mul_overflow(elements, (u64)walker->dims[i].count, &elements))
			return U64_MAX;
	return elements;
}

static bool axis_inside(const struct kohaku_walker *walker, const u32 *indices, u32 axis)
{
	const struct kohaku_window *window = &walker->windows[axis];
	s64 coordinate = window->base;
	u32 i;

	if (!window->extent)
		return true;
	for (i = 0; i < walker->ndim; i++)
		if (walker->dims[i].axis == axis + 1)
			coordinate += (s64)indices[i] * walker->dims[i].step;
	return coordinate >= 0 && coordinate < window->extent;
}

static bool element_inside(const struct kohaku_walker *walker, const u32 *indices)
{
	return axis_inside(walker, indices, 0) && axis_inside(walker, indices, 1);
}

void kohaku_walk_first(const struct kohaku_walker *walker, struct kohaku_element *element)
{
	*element = (struct kohaku_element){ 0 };
	element->inside = element_inside(walker, element->indices);
}

bool kohaku_walk_next(const struct kohaku_walker *walker, struct kohaku_element *element)
{
	u32 i = walker->ndim;

	while (i--) {
		const struct kohaku_dim *dim = &walker->dims[i];

		if (element->indices[i] + 1 < dim->count) {
			element->indices[i]++;
			element->offset += dim->stride;
			element->number++;
			element->inside = element_inside(walker, element->indices);
			return true;
		}
		element->offset -= (s64)element->indices[i] * dim->stride;
		element->indices[i] = 0;
	}
	return false;
}
