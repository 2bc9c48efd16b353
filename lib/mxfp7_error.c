// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What quantising costs: the errors of decoded values, in short.
 */
#include <errno.h>
#include <stdlib.h>

#include "kohaku_mxfp7.h"

static double value_of(uint16_t fp16)
{
	uint32_t field = fp16 >> 10 & 31, significand = fp16 & 1023;
	double magnitude;

	if (field)
		significand += 1024;
	magnitude = (double)significand * (1u << (field ? field : 1)) / (1u << 25);
	return fp16 & 0x8000 ? -magnitude : magnitude;
}

static double distance(double a, double b)
{
	return a < b ? b - a : a - b;
}

static int by_size(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static struct kohaku_error_figures figures_of(double *errors, size_t count)
{
	struct kohaku_error_figures figures = { 0 };
	size_t i;

	if (!count)
		return figures;
	qsort(errors, count, sizeof(*errors), by_size);
	for (i = 0; i < count; i++)
		figures.mean += errors[i];
	figures.mean /= count;
	figures.max = errors[count - 1];
	/* The last but every whole hundredth. */
	figures.p99 = errors[count - 1 - count / 100];
	return figures;
}

int kohaku_mxfp7_error(const uint16_t *source, const uint16_t *decoded, size_t count,
		       struct kohaku_mxfp7_error *error)
{
	double *errors = calloc(count ? count : 1, sizeof(*errors));
	size_t i, compared = 0;

	if (!errors)
		return -ENOMEM;
	for (i = 0; i < count; i++)
		errors[i] = distance(value_of(source[i]), value_of(decoded[i]));
	error->absolute = figures_of(errors, count);
	for (i = 0; i < count; i++) {
		double value = value_of(source[i]);

		if (value != 0)
			errors[compared++] = distance(value, value_of(decoded[i])) /
					     distance(value, 0);
	}
	error->relative = figures_of(errors, compared);
	free(errors);
	return 0;
}
