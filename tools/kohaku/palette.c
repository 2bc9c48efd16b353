// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku palette: pixels of four bytes as fp16, by the transform slot.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "errand.h"

#define ENTRY_SIZE (2 * KOHAKU_WORD_SIZE)
#define CHANNELS 4
#define TABLE_VALUES 256

enum { BY_TABLE, INTEGERS };

struct request {
	uint32_t mesh;
	bool raw;
	const char *table_path;		/* NULL: what the hardware comes up with */
};

static int read_table(const struct cli *cli, const char *path, struct array *table)
{
	if (!path)
		return CLI_OK;
	if (array_read(cli, path, &npy_fp16, table))
		return CLI_FAILED;
	if (table->elements == TABLE_VALUES)
		return CLI_OK;
	return cli_fail(cli, "%s: %llu values; the table has 256", path,
			(unsigned long long)table->elements);
}

/* Whole entries, the last one filled up with zeros; NULL: complained. */
static uint8_t *read_pixels(const struct cli *cli, const char *in, size_t *size, size_t *padded)
{
	uint8_t *bytes = cli_read_file(cli, in, size), *entries;

	if (!bytes)
		return NULL;
	*padded = (*size + ENTRY_SIZE - 1) / ENTRY_SIZE * ENTRY_SIZE;
	if (!*size || *size % CHANNELS) {
		cli_fail(cli, "%s: %zu bytes are no whole pixels of 4", in, *size);
		free(bytes);
		return NULL;
	}
	entries = realloc(bytes, *padded);
	if (!entries) {
		cli_fail(cli, "out of memory");
		free(bytes);
		return NULL;
	}
	memset(entries + *size, 0, *padded - *size);
	return entries;
}

static int convert(const struct cli *cli, const struct request *request, const uint16_t *table,
		   const char *in, const char *out, struct json_object *object)
{
	struct kohaku_shape shape = { .ndim = 2, .dims = { 0, CHANNELS } };
	struct transform transform = {
		.mesh = request->mesh, .occupant = "palette",
		.mode = request->raw ? INTEGERS : BY_TABLE,
		.table = table, .table_values = TABLE_VALUES,
	};
	size_t size, padded;
	uint8_t *pixels = read_pixels(cli, in, &size, &padded);
	uint16_t *values;
	int status;

	if (!pixels)
		return CLI_FAILED;
	values = malloc(padded * sizeof(*values));
	transform.in = pixels;
	transform.in_size = padded;
	transform.out = values;
	transform.out_size = padded * sizeof(*values);
	shape.dims[0] = size / CHANNELS;
	cli_add_number(object, "pixels", shape.dims[0]);
	status = values ? transform_run(cli, &transform, object) : cli_fail(cli, "out of memory");
	if (!status)
		status = array_write(cli, out, &npy_fp16, &shape, values);
	free(pixels);
	free(values);
	return status;
}

static int palette_file(const struct cli *cli, const struct request *request, const char *in,
			const char *out)
{
	struct json_object *object = json_object_new_object();
	struct array table = { 0 };
	int status = read_table(cli, request->table_path, &table);

	if (!status)
		status = convert(cli, request, table.data, in, out, object);
	free(table.data);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { 0 };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "table", cli_take_text, &request.table_path },
		{ "raw", NULL, &request.raw },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (request.table_path && request.raw)
		return cli_usage(cli, "--raw uses no table");
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return palette_file(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_palette = {
	.name = "palette",
	.run = run,
	.usage = "[--table TABLE.npy | --raw] [--mesh N] IN OUT.npy",
	.help = "Turn RGBA8 pixels into fp16, by the transform slot.\n\n"
		"  --table TABLE.npy  256 fp16 values, one for each byte; default: byte / 255\n"
		"  --raw              the bytes as numbers, 0 to 255, without a table\n"
		"  --mesh N           mesh that does it, default 0\n\n"
		"IN is pixels of 4 bytes; OUT an array of pixels x 4 values.",
};
