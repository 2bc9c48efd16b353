// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Routes as jobs on a node, $KOHAKU_NODE or one in this process: the bytes, the
 * packets and the cycles that a route promises.
 */
#include "relayout_testing.h"

#include "kohaku.h"

#include <errno.h>
#include <string.h>

static struct kohaku_device *device;

static int setup(void **state)
{
	const char *name = getenv("KOHAKU_NODE");

	(void)state;
	return kohaku_open(name ? name : "sim:", &device);
}

static int teardown(void **state)
{
	(void)state;
	kohaku_close(device);
	return 0;
}

static struct kohaku_buffer *buffer_of(uint32_t tier, uint64_t length)
{
	struct kohaku_buffer *buffer;

	assert_int_equal(kohaku_buffer_alloc(device, 0, tier, 0, length, &buffer), 0);
	return buffer;
}

/* Runs a route, which is gone by the time its job runs. */
static void run_route(struct kohaku_route *route, struct kohaku_buffer *dst,
		      struct kohaku_buffer *src, struct kohaku_completion *completion)
{
	struct kohaku_buffer *staging =
		route->staging ? buffer_of(KOHAKU_TIER_STAGING, route->staging) : NULL;
	struct kohaku_job *job;

	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_route(job, route, dst, 0, src, 0, staging, 0, NULL), 0);
	kohaku_route_fini(route);
	assert_int_equal(kohaku_job_run(job, device, completion), 0);
	kohaku_job_free(job);
	if (staging)
		assert_int_equal(kohaku_buffer_free(staging), 0);
}

/* Between blocks there may be bytes that no conversion touches. */
static void assert_blocks(const struct kohaku_packing *packing, const uint8_t *bytes,
			  const uint8_t *expected)
{
	for (uint64_t i = 0; i < packing->count; i++)
		assert_memory_equal(bytes + i * packing->stride, expected + i * packing->stride,
				    packing->slots * 2);
}

static void convert(const struct kohaku_packing *before, const struct kohaku_packing *after,
		    struct kohaku_route *route, bool in_place)
{
	uint64_t size = (before->bytes > after->bytes ? before->bytes : after->bytes) + 31;
	struct kohaku_buffer *src = buffer_of(KOHAKU_TIER_DRAM, size);
	struct kohaku_buffer *dst = in_place ? src : buffer_of(KOHAKU_TIER_DRAM, size);
	uint64_t flits = route->flits, core_cycles = route->core_cycles;
	struct kohaku_completion completion;
	struct packed_pair pair;
	uint8_t *bytes = calloc(1, size);

	size &= ~31ULL;
	assert_non_null(bytes);
	pack_both(before, after, &pair);
	memcpy(bytes, pair.before, before->bytes);
	assert_int_equal(kohaku_buffer_write(src, 0, bytes, size), 0);
	run_route(route, dst, src, &completion);
	assert_int_equal(kohaku_buffer_read(dst, 0, bytes, size), 0);
	assert_blocks(after, bytes, pair.after);
	assert_int_equal(completion.flits, flits);
	assert_int_equal(completion.core_cycles, core_cycles);
	free_both(&pair);
	free(bytes);
	assert_int_equal(kohaku_buffer_free(src), 0);
	if (!in_place)
		assert_int_equal(kohaku_buffer_free(dst), 0);
}

/* Refused by the route: that is another test's business. */
static bool try_convert(const struct kohaku_packing *before, const struct kohaku_packing *after,
			enum kohaku_engine engine, bool in_place)
{
	const struct kohaku_terms terms = {
		.engine = engine,
		.in_place = in_place,
		.room = 1 << random_between(12, 20),
		.vector = true,
		.slot_depth = 1,
	};
	struct kohaku_route route;

	if (in_place && before->stride != after->stride)
		return false;
	if (kohaku_route_init(&route, before, after, &terms, NULL, NULL))
		return false;
	if (route.rounds * route.step_count > 256) {
		kohaku_route_fini(&route);
		return false;
	}
	convert(before, after, &route, in_place);
	return true;
}

static void every_engine_writes_what_the_library_packs(void **state)
{
	uint32_t run[KOHAKU_ENGINES] = { 0 };

	(void)state;
	testing_seed("job_route");
	for (uint32_t i = 0; i < 600; i++) {
		struct kohaku_packing before, after;
		enum kohaku_engine e;

		random_conversion(8192, &before, &after);
		for (e = KOHAKU_ENGINE_MOVER; e <= KOHAKU_ENGINE_SLOT; e++)
			run[e] += try_convert(&before, &after, e, random_once_in(2));
	}
	print_message("mover %u, vector core %u, slot %u\n", run[KOHAKU_ENGINE_MOVER],
		      run[KOHAKU_ENGINE_VECTOR], run[KOHAKU_ENGINE_SLOT]);
	assert_true(run[KOHAKU_ENGINE_MOVER] > 50);
	assert_true(run[KOHAKU_ENGINE_VECTOR] > 50);
	assert_true(run[KOHAKU_ENGINE_SLOT] > 20);
}

/* One run of four words, in order; what is wrong with it is said in words. */
static void assert_refused(const struct kohaku_relayout *relayout, int error, const char *text)
{
	char reason[KOHAKU_REASON_SIZE];
	struct kohaku_job *job;

	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_vector(job, 0, relayout), 0);
	assert_int_equal(kohaku_job_run(job, device, NULL), error);
	kohaku_device_reason(device, reason, sizeof(reason));
	assert_string_equal(reason, text);
	kohaku_job_free(job);
}

static void refusals_say_why(void **state)
{
	struct kohaku_buffer *src = buffer_of(KOHAKU_TIER_DRAM, 4096);
	struct kohaku_buffer *dst = buffer_of(KOHAKU_TIER_DRAM, 4096);
	const struct kohaku_relayout good = {
		.words = 4, .runs = 1, .count = 1, .ndim = 1, .dims = { { 32, 4 } },
		.src_buffer = kohaku_buffer_id(src), .dst_buffer = kohaku_buffer_id(dst),
	};
	struct kohaku_relayout bad = good;

	(void)state;
	bad.dst_offset = 4096 - 96;
	assert_refused(&bad, -EINVAL, "SUBMIT: operation 0: a block leaves its buffer; nothing "
		       "ran, correct the plan");
	bad = good;
	bad.words = 5;
	assert_refused(&bad, -EINVAL, "SUBMIT: operation 0: a run leaves its block, or is none "
		       "that the core can do; nothing ran, correct the plan");
	bad = good;
	bad.runs = 0;
	assert_refused(&bad, -EINVAL, "SUBMIT: operation 0: a block has no runs, or too many; "
		       "nothing ran, correct the plan");
	bad = good;
	bad.dst_buffer = bad.src_buffer;
	assert_refused(&bad, -EINVAL, "SUBMIT: operation 0: source and destination overlap; "
		       "nothing ran, correct the plan");
	bad.dst_buffer = 4000;
	assert_refused(&bad, -ENOENT, "SUBMIT: operation 0: there is no buffer 4000; allocate it "
		       "first");
	assert_int_equal(kohaku_buffer_free(src), 0);
	assert_int_equal(kohaku_buffer_free(dst), 0);
}

static void the_host_is_no_operation(void **state)
{
	const struct kohaku_route route = {
		.engine = KOHAKU_ENGINE_HOST, .rounds = 1, .step_count = 1,
		.steps = { { .kind = KOHAKU_STEP_HOST } },
	};
	struct kohaku_buffer *buffer = buffer_of(KOHAKU_TIER_DRAM, 4096);
	struct kohaku_reason reason;
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_route(job, &route, buffer, 0, buffer, 0, NULL, 0, &reason),
			 -EOPNOTSUPP);
	assert_string_equal(reason.text, "the host converts it, no job does");
	assert_int_equal(kohaku_job_length(job), 0);
	kohaku_job_free(job);
	assert_int_equal(kohaku_buffer_free(buffer), 0);
}

/* What a route needs of its buffers, one wrong thing at a time. */
static void staging_has_to_be_there(void **state)
{
	struct kohaku_route route = {
		.engine = KOHAKU_ENGINE_MOVER, .rounds = 1, .blocks = 1, .step_count = 1,
		.staging = 4096,
		.steps = { { .kind = KOHAKU_STEP_MOVE, .from = KOHAKU_PLACE_SOURCE,
			     .to = KOHAKU_PLACE_STAGING } },
	};
	struct kohaku_buffer *buffer = buffer_of(KOHAKU_TIER_DRAM, 4096);
	struct kohaku_buffer *staging = buffer_of(KOHAKU_TIER_STAGING, 4096);
	struct kohaku_reason reason;
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_route(job, &route, buffer, 0, buffer, 0, NULL, 0, &reason),
			 -EINVAL);
	assert_string_equal(reason.text, "it needs 4096 bytes to stage in");
	assert_int_equal(kohaku_job_route(job, &route, buffer, 0, buffer, 0, staging, 32, &reason),
			 -EINVAL);
	assert_string_equal(reason.text, "it needs 4096 bytes to stage in");
	route.engine = KOHAKU_ENGINE_VECTOR;
	route.plan.runs = KOHAKU_RELAYOUT_RUNS + 1ULL;
	assert_int_equal(kohaku_job_route(job, &route, buffer, 0, buffer, 0, staging, 0, &reason),
			 -EINVAL);
	assert_string_equal(reason.text, "a block of 131073 runs, of 131072 at most");
	assert_int_equal(kohaku_job_length(job), 0);
	kohaku_job_free(job);
	assert_int_equal(kohaku_buffer_free(staging), 0);
	assert_int_equal(kohaku_buffer_free(buffer), 0);
}

static void layouts_stay_in_their_buffers(void **state)
{
	struct kohaku_shape shape = { .ndim = 1, .dims = { 256 } };
	struct kohaku_buffer *buffer = buffer_of(KOHAKU_TIER_DRAM, 4096);
	struct kohaku_packing packing;
	struct kohaku_layout flat;
	struct kohaku_reason reason;
	struct kohaku_job *job;

	(void)state;
	assert_int_equal(kohaku_layout_parse("flat", &flat, NULL), 0);
	assert_int_equal(kohaku_packing_init(&packing, &flat, &shape, 0, NULL), 0);
	assert_int_equal(kohaku_job_new(&job), 0);
	assert_int_equal(kohaku_job_relayout(job, buffer, 0, buffer, 3616, &packing, &packing,
					     &reason), -EINVAL);
	assert_string_equal(reason.text, "the source leaves its buffer");
	assert_int_equal(kohaku_job_relayout(job, buffer, 3616, buffer, 0, &packing, &packing,
					     &reason), -EINVAL);
	assert_string_equal(reason.text, "the destination leaves its buffer");
	kohaku_job_free(job);
	assert_int_equal(kohaku_buffer_free(buffer), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_engine_writes_what_the_library_packs),
		cmocka_unit_test(refusals_say_why),
		cmocka_unit_test(the_host_is_no_operation),
		cmocka_unit_test(staging_has_to_be_there),
		cmocka_unit_test(layouts_stay_in_their_buffers),
	};

	return cmocka_run_group_tests_name("lib/job_route", tests, setup, teardown);
}
