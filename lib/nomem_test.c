// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The library, with a node in this process, when memory runs out: every call says
 * so or works, may be tried again, and nothing is lost or freed twice.
 */
#include "hw/nomem_testing.h"

#include <errno.h>

#include "kohaku.h"
#include "kohaku_relayout.h"
#include "kohaku_transfer.h"

#define SIZE 4096
#define ROWS 8

struct bed {
	struct kohaku_device *device;
	struct kohaku_buffer *src, *dst, *staging;
	struct kohaku_job *job;
};

static int set_up(struct bed *bed)
{
	int err = 0;

	memset(bed, 0, sizeof(*bed));
	err = nomem_also(err, kohaku_open("sim:", &bed->device));
	err = nomem_also(err, kohaku_buffer_alloc(bed->device, 0, KOHAKU_TIER_DRAM, 0, SIZE,
						  &bed->src));
	err = nomem_also(err, kohaku_buffer_alloc(bed->device, 0, KOHAKU_TIER_DRAM, 0, SIZE,
						  &bed->dst));
	err = nomem_also(err, kohaku_buffer_alloc(bed->device, 0, KOHAKU_TIER_STAGING, 0, 4 * SIZE,
						  &bed->staging));
	return nomem_also(err, kohaku_job_new(&bed->job));
}

/* From whatever point: each of them takes NULL. */
static void tear_down(struct bed *bed)
{
	kohaku_job_free(bed->job);
	assert_int_equal(kohaku_buffer_free(bed->staging), 0);
	assert_int_equal(kohaku_buffer_free(bed->dst), 0);
	assert_int_equal(kohaku_buffer_free(bed->src), 0);
	kohaku_close(bed->device);
}

static int add_moves(struct bed *bed)
{
	static const uint32_t rows[ROWS] = { 7, 6, 5, 4, 3, 2, 1, 0 };
	static const uint16_t palette[16] = { 0x3c00 };
	int err = 0, i;

	err = nomem_also(err, kohaku_job_gather(bed->job, bed->dst, 0, bed->src, 0, 32, 32, rows,
						ROWS));
	err = nomem_also(err, kohaku_job_slot_load(bed->job, 0, 5, 0, palette, 16));
	for (i = 0; i < 20; i++)
		err = nomem_also(err, kohaku_job_copy(bed->job, bed->dst, 0, bed->src, 0, SIZE));
	err = nomem_also(err, kohaku_job_fill(bed->job, bed->dst, 0, SIZE, 1, 0x5a));
	return err;
}

/* A refusal has its reason, however little memory there is. */
static void refused(struct bed *bed)
{
	char text[KOHAKU_REASON_SIZE] = "";

	kohaku_job_reset(bed->job);
	if (kohaku_job_generate(bed->job, bed->dst, SIZE, SIZE, 1))
		return;
	assert_int_not_equal(kohaku_job_run(bed->job, bed->device, NULL), 0);
	kohaku_device_reason(bed->device, text, sizeof(text));
	assert_int_not_equal(strlen(text), 0);
}

static int life_of_jobs(void)
{
	static uint8_t bytes[SIZE], seen[SIZE];
	struct kohaku_completion completion;
	uint64_t id = 0;
	struct bed bed;
	int err = set_up(&bed);

	err = nomem_also(err, kohaku_buffer_write(bed.src, 0, bytes, SIZE));
	err = err ? err : add_moves(&bed);
	err = nomem_also(err, kohaku_job_run(bed.job, bed.device, &completion));
	err = nomem_also(err, kohaku_job_submit(bed.job, bed.device, 1, &id));
	err = nomem_also(err, kohaku_wait(bed.device, id, UINT64_MAX, &completion));
	err = nomem_also(err, kohaku_buffer_read(bed.dst, 0, seen, SIZE));
	if (!err) {
		assert_int_equal(completion.status, 0);
		assert_int_equal(seen[SIZE - 1], 0x5a);
		refused(&bed);
	}
	tear_down(&bed);
	return err;
}

static void pack(const char *name, struct kohaku_packing *packing)
{
	const struct kohaku_shape shape = { .ndim = 2, .dims = { 16, 64 } };
	struct kohaku_layout layout;

	assert_int_equal(kohaku_layout_parse(name, &layout, NULL), 0);
	assert_int_equal(kohaku_packing_init(packing, &layout, &shape, 0, NULL), 0);
}

/* By the vector core, and by whatever is cheapest, which is the slot here. */
static int convert(struct bed *bed, const struct kohaku_packing *before,
		   const struct kohaku_packing *after, const struct kohaku_terms *terms)
{
	struct kohaku_route route;
	int err = nomem_try(kohaku_route_init(&route, before, after, terms, NULL, NULL));

	if (err)
		return err;
	kohaku_job_reset(bed->job);
	err = nomem_also(err, kohaku_job_route(bed->job, &route, bed->dst, 0, bed->src, 0,
					       bed->staging, 0, NULL));
	err = nomem_also(err, kohaku_job_run(bed->job, bed->device, NULL));
	kohaku_route_fini(&route);
	return err;
}

static int life_of_conversions(void)
{
	const struct kohaku_terms any = { .slot_depth = 1, .room = 4 * SIZE };
	const struct kohaku_terms vector = { .engine = KOHAKU_ENGINE_VECTOR, .vector = true };
	struct kohaku_packing flat, tile;
	struct bed bed;
	int err = set_up(&bed);

	pack("flat", &flat);
	pack("tile:4x16:1x1", &tile);
	err = err ? err : convert(&bed, &flat, &tile, &any);
	err = err ? err : convert(&bed, &tile, &flat, &vector);
	tear_down(&bed);
	return err;
}

static int trace(struct kohaku_device *device, uint32_t flags)
{
	struct kohaku_fabric_event events[64];
	int count = kohaku_fabric_trace(device, flags, events, 64, NULL);

	return count < 0 ? count : 0;
}

static int life_of_a_fabric(void)
{
	const struct kohaku_transfer_insn store = {
		.flags = KOHAKU_TRANSFER_STORE,
		.width = 8,
		.group = 1,
		.count = 10,
	};
	const uint32_t rw = KOHAKU_FABRIC_READABLE | KOHAKU_FABRIC_WRITABLE;
	struct kohaku_transfer_result result;
	struct kohaku_device *device = NULL;
	uint8_t bytes[100] = { 0 };
	int err = 0;

	err = nomem_also(err, kohaku_open("sim:", &device));
	err = nomem_also(err, kohaku_fabric_map(device, 0, KOHAKU_FABRIC_VECTOR, rw, NULL, 0));
	err = nomem_also(err, kohaku_fabric_write(device, 3, bytes, sizeof(bytes)));
	err = nomem_also(err, trace(device, KOHAKU_FABRIC_TRACE_START));
	err = nomem_also(err, kohaku_fabric_run(device, &store, 1, &result, NULL));
	err = nomem_also(err, trace(device, KOHAKU_FABRIC_TRACE_STOP));
	err = nomem_also(err, kohaku_fabric_unmap(device, 0));
	kohaku_close(device);
	return err;
}

static void test_jobs_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_jobs);
}

static void test_conversions_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_conversions);
}

static void test_fabric_without_memory(void **state)
{
	(void)state;
	nomem_sweep_both(life_of_a_fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs_without_memory),
		cmocka_unit_test(test_conversions_without_memory),
		cmocka_unit_test(test_fabric_without_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
