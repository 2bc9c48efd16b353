// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A change of layout as operations of a job.
 */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"
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
		if (route->steps[i].kind != KOHAKU_STEP_MOVE)
			return reason_set(reason, -EOPNOTSUPP, -1,
					  "a job has moves only, not steps of the %s",
					  route->steps[i].kind == KOHAKU_STEP_HOST ? "host" :
					  "vector core");
	if (!uses(route, KOHAKU_PLACE_STAGING))
		return 0;
	if (!staging || !buffer_has(staging, places->offset[KOHAKU_PLACE_STAGING], route->staging))
		return reason_set(reason, -EINVAL, -1, "it needs %llu bytes to stage in",
				  (unsigned long long)route->staging);
	if (staging->mesh != places->buffer[KOHAKU_PLACE_SOURCE]->mesh)
		return reason_set(reason, -EINVAL, -1, "it is staged on another mesh");
	return 0;
}

static int add_round(struct kohaku_job *job, const struct kohaku_route *route,
		     const struct places *places)
{
	uint32_t mesh = places->buffer[KOHAKU_PLACE_SOURCE]->mesh;
	int err = 0;
	uint32_t i;

	for (i = 0; i < route->step_count && !err; i++) {
		const struct kohaku_step *step = &route->steps[i];
		struct kohaku_move move = step->move;

		move.src.buffer = places->buffer[step->from]->id;
		move.src.offset = places->offset[step->from];
		move.dst.buffer = places->buffer[step->to]->id;
		move.dst.offset = places->offset[step->to];
		err = kohaku_job_move(job, mesh, &move);
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
	size_t length = job->count;
	uint64_t round;
	int err = check_route(route, &places, reason);

	for (round = 0; round < route->rounds && !err; round++) {
		err = add_round(job, route, &places);
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
