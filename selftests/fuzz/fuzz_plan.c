// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: two layouts of an array.  The planner must find what the oracle
 * finds, or refuse as it does; every engine of a node must make the packed array.
 */
#include "fuzz.h"

#include "lib/kohaku.h"
#include "lib/plan_oracle.h"

#define ELEMENTS_MAX 2048
#define ROOM (1 << 16)		/* bytes of an array that is run */
#define STAGING (1 << 17)

static struct kohaku_device *device;
static struct kohaku_buffer *src, *dst, *staging;

static void open_node(void)
{
	REQUIRE(!kohaku_open("sim:", &device));
	REQUIRE(!kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, ROOM, &src));
	REQUIRE(!kohaku_buffer_alloc(device, 0, KOHAKU_TIER_DRAM, 0, ROOM, &dst));
	REQUIRE(!kohaku_buffer_alloc(device, 0, KOHAKU_TIER_STAGING, 0, STAGING, &staging));
}

/* What a node makes of the array; the gaps between its blocks stay as they were. */
static u8 *run_route(const struct kohaku_route *route, const struct packed_pair *pair,
		     const struct kohaku_packing *before, const struct kohaku_packing *after,
		     bool in_place)
{
	struct kohaku_completion completion;
	u8 *bytes = calloc(1, ROOM);
	struct kohaku_job *job;

	REQUIRE(bytes && !kohaku_job_new(&job));
	memset(bytes + after->bytes, 0xa5, ROOM - after->bytes);
	REQUIRE(!kohaku_buffer_write(dst, 0, bytes, ROOM));
	memcpy(bytes, pair->before, before->bytes);
	REQUIRE(!kohaku_buffer_write(src, 0, bytes, ROOM));
	REQUIRE(!kohaku_job_route(job, route, in_place ? src : dst, 0, src, 0, staging, 0, NULL));
	REQUIRE(!kohaku_job_run(job, device, &completion));
	REQUIRE(completion.flits == route->flits);
	REQUIRE(completion.core_cycles == route->core_cycles);
	REQUIRE(!kohaku_buffer_read(in_place ? src : dst, 0, bytes, ROOM));
	kohaku_job_free(job);
	return bytes;
}

static void check_route(const struct kohaku_route *route, const struct packed_pair *pair,
			const struct kohaku_packing *before, const struct kohaku_packing *after,
			bool in_place)
{
	u8 *bytes = run_route(route, pair, before, after, in_place);
	u64 i, block;

	for (block = 0; in_place && block < after->count; block++)
		REQUIRE(!memcmp(bytes + block * after->stride, pair->after + block * after->stride,
				after->slots * 2));
	REQUIRE(in_place || !memcmp(bytes, pair->after, after->bytes));
	for (i = max(before->bytes, after->bytes); i < ROOM; i++)
		REQUIRE(bytes[i] == 0xa5);
	free(bytes);
}

static void check_engine(const struct kohaku_packing *before, const struct kohaku_packing *after)
{
	struct kohaku_terms terms = {
		.engine = random_between(KOHAKU_ENGINE_AUTO, KOHAKU_ENGINE_SLOT),
		.in_place = before->stride == after->stride && random_once_in(2),
		.room = random_once_in(2) ? STAGING : 32 * random_below(64),
		.vector = !random_once_in(8),
		.slot_depth = random_once_in(8) ? 0 : 1,
	};
	struct kohaku_reason reason = { .text = "" };
	struct packed_pair pair;
	struct kohaku_route route;
	int err = kohaku_route_init(&route, before, after, &terms, NULL, &reason);

	if (err) {
		REQUIRE(err == -EDOM && *reason.text);
		return;
	}
	REQUIRE(route.engine != KOHAKU_ENGINE_HOST && route.staging <= terms.room);
	REQUIRE(terms.engine == KOHAKU_ENGINE_AUTO || route.engine == terms.engine);
	REQUIRE(terms.vector || route.engine != KOHAKU_ENGINE_VECTOR);
	REQUIRE(terms.slot_depth || route.engine != KOHAKU_ENGINE_SLOT);
	pack_both(before, after, &pair);
	check_route(&route, &pair, before, after, terms.in_place);
	free_both(&pair);
	kohaku_route_fini(&route);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct kohaku_packing before, after;
	struct ways ways = { 0 };

	if (!device)
		open_node();
	testing_feed(bytes, size);
	random_conversion(ELEMENTS_MAX, &before, &after);
	if (before.slots > WORDS_MAX * 16 || after.slots > WORDS_MAX * 16)
		return 0;
	check_short_cuts(&before, &after, &ways);
	check_conversion(&before, &after);
	if (max(before.bytes, after.bytes) < ROOM)
		check_engine(&before, &after);
	return 0;
}
