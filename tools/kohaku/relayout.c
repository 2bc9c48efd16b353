// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku relayout: an array in a .npy file, in another layout.
 *
 * A flat array is stored with its shape; in any other layout the file holds the
 * slots, one after the other, and the shape is given on the command line.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "npy.h"

struct request {
	const char *from, *to;		/* names of the layouts */
	const char *shape_text;		/* NULL: as the file says */
	enum kohaku_engine engine;
	bool check;
	uint32_t mesh;
};

/* A conversion: the bytes before and after it, and what they mean. */
struct conversion {
	struct kohaku_layout from, to;
	struct kohaku_shape shape;
	struct kohaku_packing before, after;
	uint8_t *file;
	const uint8_t *source;		/* in file: before.bytes */
	uint8_t *result;		/* after.bytes */
};

static bool is_flat(const struct kohaku_layout *layout)
{
	return layout->kind == KOHAKU_LAYOUT_FLAT;
}

/* The shape of the array: the command line's, or that of a flat file. */
static int find_shape(const struct cli *cli, const struct request *request, const char *in,
		      const struct npy *npy, struct conversion *conversion)
{
	struct kohaku_reason reason;

	if (request->shape_text) {
		if (kohaku_shape_parse(request->shape_text, &conversion->shape, &reason))
			return cli_fail_reason(cli, request->shape_text, &reason);
		return CLI_OK;
	}
	if (!is_flat(&conversion->from))
		return cli_fail(cli, "%s: %s does not tell the shape of the array; add --shape",
				in, request->from);
	conversion->shape = npy->shape;
	return CLI_OK;
}

static int find_packing(const struct cli *cli, const char *name, const struct kohaku_layout *layout,
			const struct kohaku_shape *shape, struct kohaku_packing *packing)
{
	struct kohaku_reason reason;

	if (kohaku_packing_init(packing, layout, shape, 0, &reason))
		return cli_fail_reason(cli, name, &reason);
	return CLI_OK;
}

/* What a file of an array must hold, against what it holds. */
static int check_source(const struct cli *cli, const struct request *request, const char *in,
			const struct npy *npy, const struct kohaku_packing *before)
{
	if (npy->elements == before->bytes / 2)
		return CLI_OK;
	return cli_fail(cli, "%s: %llu elements, where %s of that shape has %llu; check --shape "
			"and --from", in, (unsigned long long)npy->elements, request->from,
			(unsigned long long)before->bytes / 2);
}

static int prepare(const struct cli *cli, const struct request *request, const char *in,
		   struct conversion *conversion)
{
	struct kohaku_reason reason;
	struct npy npy;
	size_t size;
	int status;

	if (kohaku_layout_parse(request->from, &conversion->from, &reason))
		return cli_fail_reason(cli, request->from, &reason);
	if (kohaku_layout_parse(request->to, &conversion->to, &reason))
		return cli_fail_reason(cli, request->to, &reason);
	conversion->file = cli_read_file(cli, in, &size);
	if (!conversion->file)
		return CLI_FAILED;
	if (npy_parse(conversion->file, size, &npy, &reason))
		return cli_fail_reason(cli, in, &reason);
	status = find_shape(cli, request, in, &npy, conversion);
	if (!status)
		status = find_packing(cli, request->from, &conversion->from, &conversion->shape,
				      &conversion->before);
	if (!status)
		status = find_packing(cli, request->to, &conversion->to, &conversion->shape,
				      &conversion->after);
	if (!status)
		status = check_source(cli, request, in, &npy, &conversion->before);
	if (status)
		return status;
	conversion->source = conversion->file + npy.data_offset;
	conversion->result = malloc(conversion->after.bytes);
	return conversion->result ? CLI_OK : cli_fail(cli, "out of memory");
}

/* What the node has to convert with. */
static int find_terms(const struct cli *cli, const struct request *request,
		      struct kohaku_device *device, struct kohaku_terms *terms)
{
	struct kohaku_slot_query gt4;
	struct kohaku_info info;
	int err = kohaku_device_info(device, &info);

	if (err)
		return cli_refused(cli, device, err);
	*terms = (struct kohaku_terms){
		.engine = request->engine,
		.home = KOHAKU_HOME_DRAM,
		.room = info.out_staging_size,
	};
	terms->vector = info.out_caps & KOHAKU_CAP_VECTOR;
	if (info.out_caps & KOHAKU_CAP_SLOT &&
	    !kohaku_device_occupant_named(device, request->mesh, "gt4", &gt4))
		terms->slot_depth = info.out_slot_depth;
	return CLI_OK;
}

static int run_route(const struct cli *cli, const struct request *request,
		     struct kohaku_device *device, const struct kohaku_route *route,
		     struct kohaku_buffer *src, struct kohaku_buffer *dst,
		     struct json_object *object)
{
	struct kohaku_reason reason = { .text = "out of memory" };
	struct kohaku_buffer *staging = NULL;
	struct kohaku_job *job;

	if (route->staging) {
		staging = cli_buffer(cli, device, request->mesh, KOHAKU_TIER_STAGING,
				     route->staging);
		if (!staging)
			return CLI_FAILED;
	}
	if (kohaku_job_new(&job))
		return cli_fail(cli, "out of memory");
	kohaku_job_verify(job, 1);
	if (kohaku_job_route(job, route, dst, 0, src, 0, staging, 0, &reason)) {
		kohaku_job_free(job);
		return cli_fail(cli, "%s to %s: %s", request->from, request->to, reason.text);
	}
	cli_add_text(object, "route", kohaku_engine_name(route->engine));
	cli_add_number(object, "expected_cycles", route->cycles);
	return cli_run(cli, device, job, object);
}

static int convert_between(const struct cli *cli, const struct request *request,
			   struct kohaku_device *device, struct conversion *conversion,
			   const struct kohaku_route *route, struct json_object *object)
{
	struct kohaku_buffer *src, *dst;
	int err;

	src = cli_buffer(cli, device, request->mesh, KOHAKU_TIER_DRAM, conversion->before.bytes);
	if (!src)
		return CLI_FAILED;
	dst = cli_buffer(cli, device, request->mesh, KOHAKU_TIER_DRAM, conversion->after.bytes);
	if (!dst)
		return CLI_FAILED;
	err = kohaku_buffer_write(src, 0, conversion->source, conversion->before.bytes);
	if (err)
		return cli_refused(cli, device, err);
	if (run_route(cli, request, device, route, src, dst, object))
		return CLI_FAILED;
	err = kohaku_buffer_read(dst, 0, conversion->result, conversion->after.bytes);
	return err ? cli_refused(cli, device, err) : CLI_OK;
}

static int convert_on_node(const struct cli *cli, const struct request *request,
			   struct kohaku_device *device, struct conversion *conversion,
			   struct json_object *object)
{
	struct kohaku_reason reason = { .text = "out of memory" };
	struct kohaku_terms terms;
	struct kohaku_route route;
	int status;

	if (find_terms(cli, request, device, &terms))
		return CLI_FAILED;
	if (kohaku_route_init(&route, &conversion->before, &conversion->after, &terms, NULL,
			      &reason))
		return cli_fail(cli, "%s to %s: %s; --route host converts anything",
				request->from, request->to, reason.text);
	status = convert_between(cli, request, device, conversion, &route, object);
	kohaku_route_fini(&route);
	return status;
}

static int convert(const struct cli *cli, const struct request *request,
		   struct conversion *conversion, struct json_object *object)
{
	struct kohaku_device *device;
	int status;

	if (request->engine == KOHAKU_ENGINE_HOST) {
		cli_add_text(object, "route", kohaku_engine_name(request->engine));
		if (kohaku_convert(&conversion->before, &conversion->after, conversion->source,
				   conversion->result))
			return cli_fail(cli, "out of memory");
		return CLI_OK;
	}
	device = cli_open(cli);
	if (!device)
		return CLI_FAILED;
	status = convert_on_node(cli, request, device, conversion, object);
	kohaku_close(device);
	return status;
}

/* The same conversion on the host; are the bytes the same? */
static int check_result(const struct cli *cli, const struct conversion *conversion)
{
	uint8_t *expected = malloc(conversion->after.bytes);
	int status = CLI_OK;

	if (!expected || kohaku_convert(&conversion->before, &conversion->after,
					conversion->source, expected))
		status = cli_fail(cli, "out of memory");
	else if (memcmp(expected, conversion->result, conversion->after.bytes))
		status = cli_fail(cli, "the node's bytes differ from the library's; "
				  "the node is broken, do not use it");
	free(expected);
	return status;
}

static int write_result(const struct cli *cli, const char *out,
			const struct conversion *conversion)
{
	struct kohaku_shape slots = { .ndim = 1, .dims = { conversion->after.bytes / 2 } };
	char header[NPY_HEADER_MAX];
	size_t length = npy_header(is_flat(&conversion->to) ? &conversion->shape : &slots, header);
	uint8_t *file = malloc(length + conversion->after.bytes);
	int status;

	if (!file)
		return cli_fail(cli, "out of memory");
	memcpy(file, header, length);
	memcpy(file + length, conversion->result, conversion->after.bytes);
	status = cli_write_file(cli, out, file, length + conversion->after.bytes);
	free(file);
	return status;
}

static struct json_object *describe(const struct request *request,
				    const struct conversion *conversion)
{
	struct json_object *object = json_object_new_object(), *shape = json_object_new_array();
	uint32_t i;

	for (i = 0; i < conversion->shape.ndim; i++)
		json_object_array_add(shape, json_object_new_uint64(conversion->shape.dims[i]));
	json_object_object_add(object, "shape", shape);
	cli_add_text(object, "from", request->from);
	cli_add_number(object, "from_bytes", conversion->before.bytes);
	cli_add_text(object, "to", request->to);
	cli_add_number(object, "to_bytes", conversion->after.bytes);
	return object;
}

static int relayout(const struct cli *cli, const struct request *request, const char *in,
		    const char *out)
{
	struct conversion conversion = { 0 };
	struct json_object *object = NULL;
	int status = prepare(cli, request, in, &conversion);

	if (!status) {
		object = describe(request, &conversion);
		status = convert(cli, request, &conversion, object);
	}
	if (!status && request->check) {
		status = check_result(cli, &conversion);
		cli_add_text(object, "check", "same bytes as the library's own");
	}
	if (!status)
		status = write_result(cli, out, &conversion);
	free(conversion.file);
	free(conversion.result);
	return cli_finish(cli, status, object);
}

static int take_route(const struct cli *cli, const char *text, void *into)
{
	enum kohaku_engine engine;

	for (engine = 0; engine < KOHAKU_ENGINES; engine++) {
		if (strcmp(kohaku_engine_name(engine), text))
			continue;
		*(enum kohaku_engine *)into = engine;
		return CLI_OK;
	}
	return cli_usage(cli, "'%s' is no route", text);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .engine = KOHAKU_ENGINE_AUTO };
	const struct cli_option options[] = {
		{ "from", cli_take_text, &request.from },
		{ "to", cli_take_text, &request.to },
		{ "shape", cli_take_text, &request.shape_text },
		{ "route", take_route, &request.engine },
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "check", NULL, &request.check },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (!request.from || !request.to)
		return cli_usage(cli, "it needs --from and --to");
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return relayout(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_relayout = {
	.name = "relayout",
	.run = run,
	.usage = "--from LAYOUT --to LAYOUT [--shape RxC] [--route ROUTE] [--check] [--mesh N] "
		 "IN.npy OUT.npy",
	.help = "Change the layout of an array, on the node.\n\n"
		"  --from LAYOUT  how the array lies in IN: flat, entry:GxB, tile:GIxGJ:GMxGN,\n"
		"  --to LAYOUT    and in OUT; batchN: in front of a layout for N blocks\n"
		"  --shape RxC    rows and columns, with NxRxC for a batch; default: the shape of\n"
		"                 IN, which only a flat array has\n"
		"  --route ROUTE  auto (default): the cheapest that can; mover, slot, vector: that\n"
		"                 engine of the node or none; host: here, not on the node\n"
		"  --check        compare with what the library computes on the host\n"
		"  --mesh N       mesh that does it, default 0\n\n"
		"The files are .npy, fp16, C order.  A flat array keeps its shape; in any other\n"
		"layout the file is the list of its slots.  The mover moves whole words of 32\n"
		"bytes, so between flat and entry; tile takes words apart, and needs the slot\n"
		"or the vector core.",
};
