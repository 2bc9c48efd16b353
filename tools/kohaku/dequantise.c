// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku dequantise: MXFP7 as an fp16 array, by the transform slot.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "blocks.h"
#include "errand.h"

/* An entry of the dequantiser is 16 values of each lane: half a block. */
#define HALF_LANE 16
#define HALF_BLOCK (HALF_LANE * KOHAKU_MXFP7_LANES)

struct request {
	uint32_t mesh;
	enum kohaku_mxfp7_packing packing;
	const char *shape_text;		/* NULL: blocks as they are */
};

struct dequantisation {
	struct array array;
	struct kohaku_shape shape;	/* of the result */
	struct blocks blocks;
	uint16_t *entries;		/* what the node made */
	uint16_t *values;		/* the same, lane after lane */
	uint16_t *result;		/* in the order of the array */
};

/* Without a shape: (blocks, 4, 32), whose values come in the order of the blocks. */
static int find_shape(const struct cli *cli, const struct request *request, const char *in,
		      struct dequantisation *d)
{
	struct kohaku_reason reason;
	uint64_t count = d->array.shape.dims[0];

	d->shape = (struct kohaku_shape){
		.ndim = 3, .dims = { count, KOHAKU_MXFP7_LANES, 2 * HALF_LANE },
	};
	if (request->shape_text && kohaku_shape_parse(request->shape_text, &d->shape, &reason))
		return cli_fail_reason(cli, request->shape_text, &reason);
	if (blocks_of_shape(cli, request->shape_text ? request->shape_text : in, &d->shape,
			    &d->blocks))
		return CLI_FAILED;
	if (d->blocks.count == count)
		return CLI_OK;
	return cli_fail(cli, "%s: %llu blocks, where %s has %llu; check --shape", in,
			(unsigned long long)count, request->shape_text,
			(unsigned long long)d->blocks.count);
}

static int prepare(const struct cli *cli, const struct request *request, const char *in,
		   struct dequantisation *d)
{
	if (array_read(cli, in, &npy_bytes, &d->array))
		return CLI_FAILED;
	if (d->array.shape.ndim != 2 || d->array.shape.dims[1] != KOHAKU_MXFP7_BYTES)
		return cli_fail(cli, "%s: not rows of 128 bytes; use what 'kohaku quantise' wrote",
				in);
	if (find_shape(cli, request, in, d))
		return CLI_FAILED;
	d->entries = malloc(d->blocks.layout.bytes);
	d->values = malloc(d->blocks.layout.bytes);
	/* Room for all slots of the blocks, at least the result's. */
	d->result = malloc(d->blocks.layout.bytes);
	if (!d->entries || !d->values || !d->result)
		return cli_fail(cli, "out of memory");
	return CLI_OK;
}

static void drop(struct dequantisation *d)
{
	free(d->array.data);
	free(d->entries);
	free(d->values);
	free(d->result);
}

/* Puts the two halves of each lane together. */
static void join_halves(struct dequantisation *d)
{
	uint64_t i;

	for (i = 0; i < d->blocks.count * KOHAKU_MXFP7_LANES; i++) {
		const uint16_t *first = d->entries +
			i / KOHAKU_MXFP7_LANES * KOHAKU_MXFP7_VALUES +
			i % KOHAKU_MXFP7_LANES * HALF_LANE;
		uint16_t *lane = d->values + i * 2 * HALF_LANE;

		memcpy(lane, first, HALF_LANE * sizeof(*lane));
		memcpy(lane + HALF_LANE, first + HALF_BLOCK, HALF_LANE * sizeof(*lane));
	}
}

static int dequantise(const struct cli *cli, const struct request *request,
		      struct dequantisation *d, struct json_object *object)
{
	struct transform transform = {
		.mesh = request->mesh, .occupant = "dequantise", .mode = request->packing,
		.in = d->array.data, .in_size = d->array.elements,
		.out = d->entries, .out_size = d->blocks.layout.bytes,
	};

	if (transform_run(cli, &transform, object))
		return CLI_FAILED;
	join_halves(d);
	kohaku_mxfp7_decode(request->packing, d->array.data, d->result, d->blocks.count);
	if (memcmp(d->values, d->result, d->blocks.layout.bytes))
		return cli_fail(cli, "the node's values differ from the library's; "
				"the node is broken, do not use it");
	cli_add_text(object, "check", "same values as the library's own");
	kohaku_unpack(&d->blocks.layout, d->values, d->result);
	return CLI_OK;
}

static int dequantise_file(const struct cli *cli, const struct request *request, const char *in,
			   const char *out)
{
	struct dequantisation d = { 0 };
	struct json_object *object = json_object_new_object();
	int status = prepare(cli, request, in, &d);

	cli_add_text(object, "packing", blocks_packing_name(request->packing));
	cli_add_number(object, "blocks", d.blocks.count);
	if (!status)
		status = dequantise(cli, request, &d, object);
	if (!status)
		status = array_write(cli, out, &npy_fp16, &d.shape, d.result);
	drop(&d);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .packing = KOHAKU_MXFP7_A };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "packing", blocks_take_packing, &request.packing },
		{ "shape", cli_take_text, &request.shape_text },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return dequantise_file(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_dequantise = {
	.name = "dequantise",
	.run = run,
	.usage = "[--packing a|b] [--shape RxC] [--mesh N] IN.npy OUT.npy",
	.help = "Turn MXFP7 back into an fp16 array, by the transform slot.\n\n"
		"  --packing a|b  as it was quantised, default a\n"
		"  --shape RxC    of the array that was quantised; default: blocks x 4 x 32\n"
		"  --mesh N       mesh that does it, default 0\n\n"
		"IN is what quantise wrote: an array of bytes, a row of 128 for each block.  The\n"
		"node's values are compared with what the library computes.",
};
