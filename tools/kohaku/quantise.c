// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku quantise: an fp16 array as MXFP7, by the transform slot, and what it costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "blocks.h"
#include "errand.h"

struct request {
	uint32_t mesh;
	enum kohaku_mxfp7_packing packing;
};

struct quantisation {
	struct array array;
	struct blocks blocks;
	uint16_t *values;		/* block after block */
	uint8_t *packed;		/* what the node made of them */
	uint8_t *expected;		/* what the library did */
	uint16_t *decoded;		/* in the order of the array */
};

static int prepare(const struct cli *cli, const char *in, struct quantisation *q)
{
	if (array_read(cli, in, &npy_fp16, &q->array) ||
	    blocks_of_shape(cli, in, &q->array.shape, &q->blocks))
		return CLI_FAILED;
	q->values = malloc(q->blocks.layout.bytes);
	q->packed = malloc(q->blocks.count * KOHAKU_MXFP7_BYTES);
	q->expected = malloc(q->blocks.count * KOHAKU_MXFP7_BYTES);
	q->decoded = malloc(q->array.elements * sizeof(*q->decoded));
	if (!q->values || !q->packed || !q->expected || !q->decoded)
		return cli_fail(cli, "out of memory");
	kohaku_pack(&q->blocks.layout, q->array.data, q->values);
	return CLI_OK;
}

static void drop(struct quantisation *q)
{
	free(q->array.data);
	free(q->values);
	free(q->packed);
	free(q->expected);
	free(q->decoded);
}

static int quantise(const struct cli *cli, const struct request *request,
		    struct quantisation *q, struct json_object *object)
{
	struct transform transform = {
		.mesh = request->mesh, .occupant = "quantise", .mode = q->blocks.packing,
		.in = q->values, .in_size = q->blocks.layout.bytes,
		.out = q->packed, .out_size = q->blocks.count * KOHAKU_MXFP7_BYTES,
	};

	if (transform_run(cli, &transform, object))
		return CLI_FAILED;
	kohaku_mxfp7_encode(q->blocks.packing, q->values, q->expected, q->blocks.count);
	if (memcmp(q->packed, q->expected, transform.out_size))
		return cli_fail(cli, "the node's bytes differ from the library's; "
				"the node is broken, do not use it");
	cli_add_text(object, "check", "same bytes as the library's own");
	return CLI_OK;
}

static void add_figure(struct json_object *object, const char *kind, const char *name,
		       double value)
{
	char key[32], text[32];

	snprintf(key, sizeof(key), "%s_%s", name, kind);
	snprintf(text, sizeof(text), "%.6g", value);
	json_object_object_add(object, key, json_object_new_double_s(value, text));
}

static void add_figures(struct json_object *object, const char *kind,
			const struct kohaku_error_figures *figures)
{
	add_figure(object, kind, "max", figures->max);
	add_figure(object, kind, "mean", figures->mean);
	add_figure(object, kind, "p99", figures->p99);
}

/* The errors of the array's own values; what pads it does not count. */
static int add_errors(const struct cli *cli, struct quantisation *q, struct json_object *object)
{
	struct kohaku_mxfp7_error error;

	kohaku_mxfp7_decode(q->blocks.packing, q->packed, q->values, q->blocks.count);
	kohaku_unpack(&q->blocks.layout, q->values, q->decoded);
	if (kohaku_mxfp7_error(q->array.data, q->decoded, q->array.elements, &error))
		return cli_fail(cli, "out of memory");
	add_figures(object, "error", &error.absolute);
	add_figures(object, "relative_error", &error.relative);
	return CLI_OK;
}

static int quantise_file(const struct cli *cli, const struct request *request, const char *in,
			 const char *out)
{
	struct quantisation q = { .blocks.packing = request->packing };
	struct json_object *object = json_object_new_object();
	struct kohaku_shape shape = { .ndim = 2, .dims = { 0, KOHAKU_MXFP7_BYTES } };
	int status = prepare(cli, in, &q);

	cli_add_text(object, "packing", blocks_packing_name(request->packing));
	cli_add_number(object, "values", q.array.elements);
	cli_add_number(object, "blocks", q.blocks.count);
	if (!status)
		status = quantise(cli, request, &q, object);
	if (!status)
		status = add_errors(cli, &q, object);
	shape.dims[0] = q.blocks.count;
	if (!status && out)
		status = array_write(cli, out, &npy_bytes, &shape, q.packed);
	drop(&q);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .packing = KOHAKU_MXFP7_A };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "packing", blocks_take_packing, &request.packing },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind != 1 && argc - optind != 2)
		return cli_usage(cli, "it takes one or two files");
	return quantise_file(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_quantise = {
	.name = "quantise",
	.run = run,
	.usage = "[--packing a|b] [--mesh N] IN.npy [OUT.npy]",
	.help = "Quantise an fp16 array to MXFP7, by the transform slot.\n\n"
		"  --packing a|b  order of the values in a word: lane after lane (default), or the\n"
		"                 four lanes of a column together\n"
		"  --mesh N       mesh that does it, default 0\n\n"
		"The node's bytes are compared with what the library computes.  Printed are the\n"
		"largest, the mean and the 99th percentile error of the values, absolute and\n"
		"relative.  An array of 2 dimensions is taken in blocks of 4 rows and 32 columns,\n"
		"as in the layout entry:1x1, with zeros where blocks are not full; any other as\n"
		"rows of 32 values.  OUT is an array of bytes, a row of 128 for each block.",
};
