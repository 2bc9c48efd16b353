// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku swizzle: pixels between rows and tiles, by the transform slot.
 */
#include <stdlib.h>
#include <string.h>

#include "errand.h"

#define ENTRY_SIZE (4 * KOHAKU_WORD_SIZE)

enum { TO_TILED, TO_LINEAR };

static int swizzle(const struct cli *cli, uint32_t mesh, uint32_t mode, const void *pixels,
		   size_t size, const char *out, struct json_object *object)
{
	void *result = malloc(size);
	struct transform transform = {
		.mesh = mesh, .occupant = "swizzle", .mode = mode,
		.in = pixels, .in_size = size, .out = result, .out_size = size,
	};
	int status = result ? transform_run(cli, &transform, object) :
			      cli_fail(cli, "out of memory");

	if (!status)
		status = cli_write_file(cli, out, result, size);
	free(result);
	return status;
}

static int swizzle_file(const struct cli *cli, uint32_t mesh, uint32_t mode, const char *in,
			const char *out)
{
	struct json_object *object;
	size_t size;
	void *pixels = cli_read_file(cli, in, &size);
	int status;

	if (!pixels)
		return CLI_FAILED;
	object = json_object_new_object();
	cli_add_number(object, "bytes", size);
	if (!size || size % ENTRY_SIZE)
		status = cli_fail(cli, "%s: %zu bytes are no whole entries of 128 (4 rows of 8 "
				  "pixels of 4 bytes); pad the file", in, size);
	else
		status = swizzle(cli, mesh, mode, pixels, size, out, object);
	free(pixels);
	return cli_finish(cli, status, object);
}

static int take_mode(const struct cli *cli, const char *text, void *into)
{
	if (strcmp(text, "tiled") && strcmp(text, "linear"))
		return cli_usage(cli, "'%s' is neither tiled nor linear", text);
	*(uint32_t *)into = *text == 't' ? TO_TILED : TO_LINEAR;
	return CLI_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	uint32_t mesh = 0, mode = TO_TILED;
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &mesh },
		{ "to", take_mode, &mode },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return swizzle_file(cli, mesh, mode, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_swizzle = {
	.name = "swizzle",
	.run = run,
	.usage = "[--to tiled|linear] [--mesh N] IN OUT",
	.help = "Turn rows of pixels into tiles, or back, by the transform slot.\n\n"
		"  --to tiled|linear  default tiled\n"
		"  --mesh N           mesh that does it, default 0\n\n"
		"The files are pixels of 4 bytes.  Each 128 bytes are 4 rows of 8 pixels when\n"
		"linear, two tiles of 4 x 4 pixels when tiled.",
};
