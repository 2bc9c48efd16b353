// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The fields of a move, each by itself: in range, and zero where not used.
 *
 * This comes before all arithmetic: what passes here cannot overflow there.
 */
#include "check.h"

#define WIDTH_MAX 2
#define BURST_CAP_MAX 7
#define COUNT_MAX 65535

static bool walker_unused(const struct kohaku_walker *walker)
{
	static const struct kohaku_walker unused;

	return !memcmp(walker, &unused, sizeof(unused));
}

/* Does nothing but the buffer and the offset describe this walker? */
static bool walker_bare(const struct kohaku_walker *walker)
{
	struct kohaku_walker bare = *walker;

	bare.buffer = 0;
	bare.offset = 0;
	return walker_unused(&bare);
}

static bool reads_source_walk(const struct kohaku_move *move)
{
	return move->mode == KOHAKU_MOVE_COPY || move->mode == KOHAKU_MOVE_XFORM;
}

static bool uses_pattern(const struct kohaku_move *move)
{
	return move->mode == KOHAKU_MOVE_COPY || move->mode == KOHAKU_MOVE_GATHER ||
	       move->mode == KOHAKU_MOVE_FILL;
}

static int check_unused(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;
	bool gather = move->mode == KOHAKU_MOVE_GATHER;

	if (!uses_pattern(move) && (move->width || move->imm))
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, -1, -1);
	if (move->mode != KOHAKU_MOVE_GENERATE && move->seed)
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, -1, -1);
	if (!gather && (move->indices || move->index_count || move->pitch || move->row_words))
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, -1, -1);
	if (move->mode != KOHAKU_MOVE_XFORM && (move->xform || move->xform_mode))
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, -1, -1);
	if (gather && !walker_bare(&move->src))
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, KOHAKU_WALKER_SRC, -1);
	if (!gather && !reads_source_walk(move) && !walker_unused(&move->src))
		return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, KOHAKU_WALKER_SRC, -1);
	return 0;
}

static int check_scalars(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;

	if (move->mode > KOHAKU_MOVE_XFORM || move->mode == KOHAKU_MODE_TRANSPOSE)
		return kohaku_refuse(check, KOHAKU_REFUSAL_MODE, -1, -1);
	if (move->flags & ~KOHAKU_MOVE_COALESCE)
		return kohaku_refuse(check, KOHAKU_REFUSAL_FLAGS, -1, -1);
	if (move->width > WIDTH_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_WIDTH, -1, -1);
	if (move->burst_cap > BURST_CAP_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_CAP, -1, -1);
	if (move->mode == KOHAKU_MOVE_GATHER &&
	    (!move->index_count || move->index_count > KOHAKU_INDEX_MAX))
		return kohaku_refuse(check, KOHAKU_REFUSAL_INDICES, -1, -1);
	return check_unused(check);
}

static int check_dim(struct kohaku_check *check, const struct kohaku_dim *dim, int which, int i)
{
	if (!dim->count || dim->count > COUNT_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_COUNT, which, i);
	if (dim->stride < S32_MIN || dim->stride > S32_MAX)
		return kohaku_refuse(check, KOHAKU_REFUSAL_STRIDE, which, i);
	if (dim->axis > 2)
		return kohaku_refuse(check, KOHAKU_REFUSAL_AXIS, which, i);
	return 0;
}

static bool dim_unused(const struct kohaku_dim *dim)
{
	return !dim->stride && !dim->count && !dim->step && !dim->axis;
}

/* The mover keeps 16 bits of a coordinate; a walk must not depend on that. */
static bool coordinates_fit(const struct kohaku_walker *walker, u32 axis)
{
	s64 lo = walker->windows[axis].base, hi = lo;
	u32 i;

	for (i = 0; i < walker->ndim; i++) {
		const struct kohaku_dim *dim = &walker->dims[i];
		s64 end = (s64)(dim->count - 1) * dim->step;

		if (dim->axis != axis + 1)
			continue;
		if (end < 0)
			lo += end;
		else
			hi += end;
	}
	return lo >= S16_MIN && hi <= S16_MAX;
}

static int check_windows(struct kohaku_check *check, const struct kohaku_walker *walker, int which)
{
	u32 axis;

	for (axis = 0; axis < 2; axis++) {
		const struct kohaku_window *window = &walker->windows[axis];

		if (window->base < S16_MIN || window->base > S16_MAX || window->extent > U16_MAX)
			return kohaku_refuse(check, KOHAKU_REFUSAL_WINDOW, which, -1);
		if (window->extent && !coordinates_fit(walker, axis))
			return kohaku_refuse(check, KOHAKU_REFUSAL_COORDINATE, which, -1);
	}
	return 0;
}

static int check_walker(struct kohaku_check *check, const struct kohaku_walker *walker, int which)
{
	u32 i;
	int error;

	if (!walker->ndim || walker->ndim > KOHAKU_MAX_DIMS)
		return kohaku_refuse(check, KOHAKU_REFUSAL_NDIM, which, -1);
	for (i = 0; i < walker->ndim; i++) {
		error = check_dim(check, &walker->dims[i], which, i);
		if (error)
			return error;
	}
	for (; i < KOHAKU_MAX_DIMS; i++)
		if (!dim_unused(&walker->dims[i]))
			return kohaku_refuse(check, KOHAKU_REFUSAL_UNUSED, which, i);
	return check_windows(check, walker, which);
}

int kohaku_check_fields(struct kohaku_check *check)
{
	const struct kohaku_move *move = check->move;
	int error = check_scalars(check);

	if (!error && reads_source_walk(move))
		error = check_walker(check, &move->src, KOHAKU_WALKER_SRC);
	if (!error)
		error = check_walker(check, &move->dst, KOHAKU_WALKER_DST);
	return error;
}

int kohaku_move_check_fields(const struct kohaku_move *move, struct kohaku_verdict *verdict)
{
	struct kohaku_check check = { .move = move, .verdict = verdict };

	*verdict = (struct kohaku_verdict){ KOHAKU_REFUSAL_NONE, -1, -1 };
	return kohaku_check_fields(&check);
}
