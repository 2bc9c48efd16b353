// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku gather: some rows of an array, picked by the mover.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "errand.h"

#define ELEMENT_SIZE 2

struct request {
	uint32_t mesh;
	const char *rows_text;		/* numbers, or the name of a file of them */
};

struct selection {
	struct array array;
	uint64_t row_size;		/* bytes */
	uint32_t *rows;
	uint32_t count;
	uint32_t limit;			/* rows of one operation */
	uint8_t *result;
};

static int build(struct kohaku_job *job, struct kohaku_buffer *dst, struct kohaku_buffer *src,
		 const void *what)
{
	const struct selection *selection = what;
	uint32_t done, count;
	int err = 0;

	for (done = 0; !err && done < selection->count; done += count) {
		count = selection->count - done;
		if (count > selection->limit)
			count = selection->limit;
		err = kohaku_job_gather(job, dst, done * selection->row_size, src, 0,
					selection->row_size, selection->row_size,
					selection->rows + done, count);
	}
	return err;
}

static int run_on(const struct cli *cli, const struct request *request,
		  struct kohaku_device *device, struct selection *selection,
		  struct json_object *object)
{
	struct errand errand = {
		.mesh = request->mesh,
		.in = selection->array.data,
		.in_size = selection->array.elements * ELEMENT_SIZE,
		.out = selection->result,
		.out_size = selection->count * selection->row_size,
		.build = build, .what = selection,
	};
	struct kohaku_info info;
	int err = kohaku_device_info(device, &info);

	if (err)
		return cli_refused(cli, device, err);
	selection->limit = info.out_max_indices;
	return errand_run(cli, device, &errand, object);
}

static int gather(const struct cli *cli, const struct request *request,
		  struct selection *selection, struct json_object *object)
{
	struct kohaku_device *device = cli_open(cli);
	int status;

	if (!device)
		return CLI_FAILED;
	status = run_on(cli, request, device, selection, object);
	kohaku_close(device);
	return status;
}

/* Takes numbers with commas or spaces between them. */
static int parse_rows(const struct cli *cli, const char *text, struct selection *selection)
{
	uint64_t row, rows = selection->array.shape.dims[0];
	char *end;

	/* No number is shorter than a digit and what separates it. */
	selection->rows = calloc(strlen(text) / 2 + 1, sizeof(*selection->rows));
	if (!selection->rows)
		return cli_fail(cli, "out of memory");
	while (*text) {
		if (isspace((unsigned char)*text) || *text == ',') {
			text++;
			continue;
		}
		errno = 0;
		row = strtoull(text, &end, 10);
		if (!isdigit((unsigned char)*text) || errno ||
		    (*end && *end != ',' && !isspace((unsigned char)*end)))
			return cli_fail(cli, "'%.20s' is no list of rows; use 3,1,4", text);
		if (row >= rows)
			return cli_fail(cli, "there is no row %llu; the array has %llu",
					(unsigned long long)row, (unsigned long long)rows);
		selection->rows[selection->count++] = row;
		text = end;
	}
	return selection->count ? CLI_OK : cli_fail(cli, "no rows are named; use 3,1,4");
}

static int read_rows(const struct cli *cli, const char *text, struct selection *selection)
{
	char *file, *terminated;
	size_t size;
	int status;

	if (isdigit((unsigned char)*text))
		return parse_rows(cli, text, selection);
	file = cli_read_file(cli, text, &size);
	if (!file)
		return CLI_FAILED;
	terminated = realloc(file, size + 1);
	if (!terminated) {
		free(file);
		return cli_fail(cli, "out of memory");
	}
	terminated[size] = 0;
	status = parse_rows(cli, terminated, selection);
	free(terminated);
	return status;
}

static int prepare(const struct cli *cli, const struct request *request, const char *in,
		   struct selection *selection)
{
	struct array *array = &selection->array;

	if (array_read(cli, in, &npy_fp16, array))
		return CLI_FAILED;
	if (array->shape.ndim != 2)
		return cli_fail(cli, "%s: %u dimensions; rows are those of an array of 2", in,
				array->shape.ndim);
	selection->row_size = array->shape.dims[1] * ELEMENT_SIZE;
	if (selection->row_size % KOHAKU_WORD_SIZE ||
	    selection->row_size / KOHAKU_WORD_SIZE > UINT16_MAX)
		return cli_fail(cli, "%s: rows of %llu bytes; the mover takes up to 65535 whole "
				"words of 32 bytes, so pad the array to columns of 16", in,
				(unsigned long long)selection->row_size);
	if (read_rows(cli, request->rows_text, selection))
		return CLI_FAILED;
	selection->result = malloc(selection->count * selection->row_size);
	return selection->result ? CLI_OK : cli_fail(cli, "out of memory");
}

static int gather_file(const struct cli *cli, const struct request *request, const char *in,
		       const char *out)
{
	struct json_object *object = json_object_new_object();
	struct selection selection = { 0 };
	struct kohaku_shape shape;
	int status = prepare(cli, request, in, &selection);

	cli_add_number(object, "rows", selection.count);
	if (!status)
		status = gather(cli, request, &selection, object);
	if (!status) {
		shape = selection.array.shape;
		shape.dims[0] = selection.count;
		status = array_write(cli, out, &npy_fp16, &shape, selection.result);
	}
	free(selection.array.data);
	free(selection.rows);
	free(selection.result);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { 0 };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "rows", cli_take_text, &request.rows_text },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (!request.rows_text)
		return cli_usage(cli, "it needs --rows");
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return gather_file(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_gather = {
	.name = "gather",
	.run = run,
	.usage = "--rows ROWS [--mesh N] IN.npy OUT.npy",
	.help = "Pick rows of an array, by the mover of a node.\n\n"
		"  --rows ROWS  numbers from 0 on, as in 3,1,4,1; or the name of a file of them,\n"
		"               with commas or white space between; rows may repeat\n"
		"  --mesh N     mesh that does it, default 0\n\n"
		"The files are .npy, fp16, C order, 2 dimensions, a multiple of 16 columns.",
};
