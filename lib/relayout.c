// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A change of layout as operations of a job.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
#include "plan.h"
#include "reason.h"

/* Where the steps of a route find their bytes. */
struct places {
	struct kohaku_buffer *buffer[3];
	uint64_t offset[3];
};

static bool uses(const struct kohaku_route *route, enum kohaku_place place)
{
	uint32_t i;

	for (i = 0; i < route->step_count; i++)
		if (route->steps[i].from == place || route->steps[i].to == place)
			return true;
	return false;
}

static int check_route(const struct kohaku_route *route, const struct places *places,
		       struct kohaku_reason *reason)
{
	const struct kohaku_buffer *staging = places->buffer[KOHAKU_PLACE_STAGING];
	uint32_t i;

	for (i = 0; i < route->step_count; i++)
		if (route->steps[i].kind == KOHAKU_STEP_HOST)
			return reason_set(reason, -EOPNOTSUPP, -1,
					  "the host converts it, no job does");
	if (route->engine == KOHAKU_ENGINE_VECTOR && route->plan.runs > KOHAKU_RELAYOUT_RUNS)
		return reason_set(reason, -EINVAL, -1, "a block of %llu runs, of %u at most",
				  (unsigned long long)route->plan.runs, KOHAKU_RELAYOUT_RUNS);
	if (!uses(route, KOHAKU_PLACE_STAGING))
		return 0;
	if (!staging || !buffer_has(staging, places->offset[KOHAKU_PLACE_STAGING], route->staging))
		return reason_set(reason, -EINVAL, -1, "it needs %llu bytes to stage in",
				  (unsigned long long)route->staging);
	if (staging->mesh != places->buffer[KOHAKU_PLACE_SOURCE]->mesh)
		return reason_set(reason, -EINVAL, -1, "it is staged on another mesh");
	return 0;
}

static int add_move(struct kohaku_job *job, const struct kohaku_step *step,
		    const struct places *places)
{
	struct kohaku_move move = step->move;

	move.src.buffer = places->buffer[step->from]->id;
	move.src.offset = places->offset[step->from];
	move.dst.buffer = places->buffer[step->to]->id;
	move.dst.offset = places->offset[step->to];
	return kohaku_job_move(job, places->buffer[KOHAKU_PLACE_SOURCE]->mesh, &move);
}

static void set_pass(const struct kohaku_vector_pass *pass, const uint32_t *starts,
		     struct kohaku_relayout *relayout)
{
	uint32_t i;

	relayout->mode = pass->fill ? KOHAKU_RELAYOUT_FILL : KOHAKU_RELAYOUT_DRAIN;
	relayout->flags |= pass->transpose ? KOHAKU_RELAYOUT_TRANSPOSE : 0;
	relayout->words = pass->words;
	relayout->ndim = pass->ndim;
	relayout->runs = pass->total / pass->words;
	relayout->starts = (uintptr_t)starts;
	for (i = 0; i < pass->ndim; i++)
		relayout->dims[pass->ndim - 1 - i] = (struct kohaku_relayout_dim){
			.stride = pass->dims[i].stride * KOHAKU_WORD_SIZE,
			.count = pass->dims[i].bound,
		};
}

/* Bytes from one block of a round to the next. */
static uint64_t stride_at(const struct kohaku_route *route, enum kohaku_place place)
{
	if (route->blocks == 1)
		return 0;
	if (place == KOHAKU_PLACE_STAGING)
		return route->plan.total * KOHAKU_WORD_SIZE;
	return place == KOHAKU_PLACE_SOURCE ? route->stride_before : route->stride_after;
}

/* A pass of the vector core: the plan's, or a copy as it is. */
static int add_pass(struct kohaku_job *job, const struct kohaku_route *route,
		    const struct kohaku_step *step, const struct places *places,
		    const uint32_t *starts)
{
	const struct kohaku_buffer *from = places->buffer[step->from];
	const struct kohaku_buffer *to = places->buffer[step->to];
	struct kohaku_relayout relayout = {
		.count = route->blocks,
		.src_buffer = from->id,
		.dst_buffer = to->id,
		.src_offset = places->offset[step->from],
		.dst_offset = places->offset[step->to],
		.src_stride = stride_at(route, step->from),
		.dst_stride = stride_at(route, step->to),
	};
	struct kohaku_vector_pass pass;

	if (from == to && relayout.src_offset == relayout.dst_offset)
		relayout.flags = KOHAKU_RELAYOUT_IN_PLACE;
	if (step->kind == KOHAKU_STEP_CONVERT)
		plan_pass(&route->plan, &pass);
	else
		kohaku_vector_copy(route->plan.total, &pass);
	set_pass(&pass, step->kind == KOHAKU_STEP_CONVERT ? starts : NULL, &relayout);
	return kohaku_job_vector(job, places->buffer[KOHAKU_PLACE_SOURCE]->mesh, &relayout);
}

static int add_round(struct kohaku_job *job, const struct kohaku_route *route,
		     const struct places *places, const uint32_t *starts)
{
	int err = 0;
	uint32_t i;

	for (i = 0; i < route->step_count && !err; i++) {
		const struct kohaku_step *step = &route->steps[i];

		err = step->kind == KOHAKU_STEP_MOVE ? add_move(job, step, places) :
						       add_pass(job, route, step, places, starts);
	}
	return err;
}

int kohaku_job_route(struct kohaku_job *job, const struct kohaku_route *route,
		     struct kohaku_buffer *dst, uint64_t dst_offset, struct kohaku_buffer *src,
		     uint64_t src_offset, struct kohaku_buffer *staging, uint64_t staging_offset,
		     struct kohaku_reason *reason)
{
	struct places places = {
		.buffer = { [KOHAKU_PLACE_SOURCE] = src, [KOHAKU_PLACE_DESTINATION] = dst,
			    [KOHAKU_PLACE_STAGING] = staging },
		.offset = { [KOHAKU_PLACE_SOURCE] = src_offset,
			    [KOHAKU_PLACE_DESTINATION] = dst_offset,
			    [KOHAKU_PLACE_STAGING] = staging_offset },
	};
	uint32_t barrier = job->barrier;
	const uint32_t *starts = NULL;
	size_t length = job->count;
	uint64_t round;
	int err = check_route(route, &places, reason);

	if (!err && route->engine == KOHAKU_ENGINE_VECTOR) {
		starts = job_keep(job, route->plan.offsets, route->plan.runs);
		err = starts ? 0 : -ENOMEM;
	}
	for (round = 0; round < route->rounds && !err; round++) {
		err = add_round(job, route, &places, starts);
		places.offset[KOHAKU_PLACE_SOURCE] += route->stride_before;
		places.offset[KOHAKU_PLACE_DESTINATION] += route->stride_after;
	}
	if (err) {
		job->count = length;
		job->barrier = barrier;
	}
	return err;
}

int kohaku_job_relayout(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
			struct kohaku_buffer *src, uint64_t src_offset,
			const struct kohaku_packing *before, const struct kohaku_packing *after,
			struct kohaku_reason *reason)
{
	const struct kohaku_terms terms = { .engine = KOHAKU_ENGINE_MOVER };
	struct kohaku_route route;
	int err;

	if (!buffer_has(src, src_offset, before->bytes))
		return reason_set(reason, -EINVAL, -1, "the source leaves its buffer");
	if (!buffer_has(dst, dst_offset, after->bytes))
		return reason_set(reason, -EINVAL, -1, "the destination leaves its buffer");
	err = kohaku_route_init(&route, before, after, &terms, NULL, reason);
	if (err)
		return err;
	err = kohaku_job_route(job, &route, dst, dst_offset, src, src_offset, NULL, 0, reason);
	kohaku_route_fini(&route);
	return err;
}

int kohaku_convert(const struct kohaku_packing *before, const struct kohaku_packing *after,
		   const void *src, void *dst)
{
	uint64_t elements = before->count * before->rows * before->cols;
	void *array;

	if (elements != after->count * after->rows * after->cols)
		return -EINVAL;
	array = malloc(elements * 2);
	if (!array)
		return -ENOMEM;
	kohaku_unpack(before, src, array);
	kohaku_pack(after, array, dst);
	free(array);
	return 0;
}
