// SPDX-License-Identifier: GPL-2.0
/*
 * Recorded conversions on a node: $KOHAKU_NODE, or one in this process.  Mover,
 * transform slot and vector core must all write what the vector core was seen to.
 */
#include "relayout.h"

#include "hw/regs.h"
#include "lib/kohaku.h"

#include <errno.h>
#include <stdlib.h>

/* Buffers of one conversion; staging only when the route needs it. */
struct bed {
	struct kohaku_device *device;
	struct kohaku_buffer *src, *dst, *staging;
	struct kohaku_job *job;
};

static int open_bed(struct bed *bed, const struct kohaku_route *route, uint64_t size)
{
	struct kohaku_device *device = bed->device;
	int error = kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, size, &bed->src);

	if (!error)
		error = kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, size, &bed->dst);
	if (!error && route->staging)
		error = kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, route->staging,
					    &bed->staging);
	return error ? error : kohaku_job_new(&bed->job);
}

static void close_bed(struct bed *bed)
{
	kohaku_job_free(bed->job);
	if (bed->src)
		kohaku_buffer_free(bed->src);
	if (bed->dst)
		kohaku_buffer_free(bed->dst);
	if (bed->staging)
		kohaku_buffer_free(bed->staging);
}

static int convert(struct bed *bed, const struct kohaku_route *route, bool in_place,
		   const void *input, void *output, uint64_t size)
{
	struct kohaku_buffer *dst = in_place ? bed->src : bed->dst;
	struct kohaku_completion completion = { 0 };
	int error = kohaku_buffer_write(bed->src, 0, input, size);

	if (!error)
		error = kohaku_job_route(bed->job, route, dst, 0, bed->src, 0, bed->staging, 0,
					 NULL);
	if (!error)
		error = kohaku_job_run(bed->job, bed->device, &completion);
	if (!error)
		error = completion.status;
	return error ? error : kohaku_buffer_read(dst, 0, output, size);
}

static bool run_route(struct recording *recording, struct kohaku_device *device,
		      const struct kohaku_route *route, bool in_place, const void *input,
		      uint64_t size)
{
	struct bed bed = { .device = device };
	char reason[KOHAKU_REASON_SIZE];
	void *output = malloc(size);
	int error = output ? open_bed(&bed, route, size) : -ENOMEM;
	bool ok = false;

	if (!error)
		error = convert(&bed, route, in_place, input, output, size);
	if (!error)
		ok = same(recording, kohaku_engine_name(route->engine),
			  replay_fnv(REPLAY_FNV_START, output, size),
			  hex_after(recording, "outfnv"));
	kohaku_device_reason(device, reason, sizeof(reason));
	if (error)
		fail(recording, "%s: error %d, %s", kohaku_engine_name(route->engine), -error,
		     reason);
	close_bed(&bed);
	free(output);
	return ok;
}

/* The depth by which GT4 is priced does not matter here: every route is run. */
static bool run_engine(struct recording *recording, struct kohaku_device *device,
		       enum kohaku_engine engine, const struct kohaku_packing *before,
		       const struct kohaku_packing *after_packing, const void *input)
{
	struct kohaku_slot_query slot;
	struct kohaku_info info;
	bool ok = true;

	if (kohaku_device_info(device, &info))
		return fail(recording, "no information about the node"), false;
	for (int in_place = 0; ok && in_place < 2; in_place++) {
		const struct kohaku_terms terms = {
			.engine = engine,
			.in_place = in_place,
			.room = 2 << 20,
			.vector = info.out_caps & KOHAKU_CAP_VECTOR,
			.slot_depth = !kohaku_device_occupant(device, 0, KOHAKU_OCCUPANT_GT4,
							      &slot),
		};
		struct kohaku_route route;
		int error = kohaku_route_init(&route, before, after_packing, &terms, NULL, NULL);

		if (error)
			return error == -EDOM;
		ok = run_route(recording, device, &route, in_place, input, before->bytes);
		kohaku_route_fini(&route);
	}
	return ok;
}

bool relayout_on_node(struct recording *recording, const struct kohaku_packing *before,
		      const struct kohaku_packing *after_packing, const void *input)
{
	const char *name = getenv("KOHAKU_NODE");
	struct kohaku_device *device;
	int error = kohaku_open(name ? name : "sim:", &device);
	bool ok;

	if (error)
		return fail(recording, "no node: error %d", -error), false;
	ok = run_engine(recording, device, KOHAKU_ENGINE_MOVER, before, after_packing, input) &&
	     run_engine(recording, device, KOHAKU_ENGINE_SLOT, before, after_packing, input) &&
	     run_engine(recording, device, KOHAKU_ENGINE_VECTOR, before, after_packing, input);
	kohaku_close(device);
	return ok;
}
