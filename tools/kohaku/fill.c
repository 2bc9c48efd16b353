// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku fill: a file of a pattern, written by the mover.
 */
#include <stdlib.h>

#include "cli.h"

#define DEFAULT_SIZE 4096

struct request {
	uint32_t mesh;
	uint32_t tier;
	uint64_t size;			/* of the buffer, whole words */
	uint64_t offset;		/* where the fill begins */
	uint32_t width;			/* bytes of the pattern */
	uint32_t pattern;
};

/*
 * A fill that does not begin at a word is no fill that the library would build:
 * it goes to the mover as it is, to show the fault.
 */
static int add_fill(struct kohaku_job *job, struct kohaku_buffer *buffer,
		    const struct request *request)
{
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_FILL,
		.width = request->width / 2,
		.imm = request->pattern,
		.dst = {
			.buffer = kohaku_buffer_id(buffer),
			.ndim = 1,
			.offset = request->offset,
			.dims = { { .stride = KOHAKU_WORD_SIZE, .count = 1 } },
		},
	};

	if (request->offset % KOHAKU_WORD_SIZE)
		return kohaku_job_move(job, request->mesh, &move);
	return kohaku_job_fill(job, buffer, request->offset, request->size - request->offset,
			       request->width, request->pattern);
}

static int fill_buffer(const struct cli *cli, struct kohaku_device *device,
		       const struct request *request, void *bytes, struct json_object *object)
{
	struct kohaku_buffer *buffer = cli_buffer(cli, device, request->mesh, request->tier,
						  request->size);
	struct kohaku_job *job;
	int err;

	if (!buffer)
		return CLI_FAILED;
	err = kohaku_job_new(&job);
	if (err)
		return cli_refused(cli, device, err);
	kohaku_job_verify(job, 1);
	err = add_fill(job, buffer, request);
	if (err) {
		kohaku_job_free(job);
		return cli_refused(cli, device, err);
	}
	if (cli_run(cli, device, job, object))
		return CLI_FAILED;
	err = kohaku_buffer_read(buffer, 0, bytes, request->size);
	return err ? cli_refused(cli, device, err) : CLI_OK;
}

static int fill_file(const struct cli *cli, const struct request *request, const char *out)
{
	struct kohaku_device *device = cli_open(cli);
	struct json_object *object = json_object_new_object();
	void *bytes = malloc(request->size);
	int status = CLI_FAILED;

	if (device && bytes)
		status = fill_buffer(cli, device, request, bytes, object);
	else if (!bytes)
		cli_fail(cli, "out of memory");
	if (!status && out)
		status = cli_write_file(cli, out, bytes, request->size);
	kohaku_close(device);
	free(bytes);
	return cli_finish(cli, status, object);
}

static int take_offset(const struct cli *cli, const char *text, void *into)
{
	if (!cli_number(text, into))
		return cli_usage(cli, "'%s' is no offset", text);
	return CLI_OK;
}

static int take_width(const struct cli *cli, const char *text, void *into)
{
	uint32_t *width = into;

	if (!cli_number_below(text, 5, width) || !*width || *width == 3)
		return cli_usage(cli, "'%s' is not 1, 2 or 4", text);
	return CLI_OK;
}

static int take_pattern(const struct cli *cli, const char *text, void *into)
{
	if (!cli_number_below(text, 1ULL << 32, into))
		return cli_usage(cli, "'%s' is no 32-bit number", text);
	return CLI_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = {
		.tier = KOHAKU_TIER_DRAM, .size = DEFAULT_SIZE, .width = 4,
	};
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "tier", cli_take_tier, &request.tier },
		{ "size", cli_take_size, &request.size },
		{ "offset", take_offset, &request.offset },
		{ "width", take_width, &request.width },
		{ "pattern", take_pattern, &request.pattern },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind > 1)
		return cli_usage(cli, "it takes one file");
	if (request.offset >= request.size)
		return cli_usage(cli, "the offset is beyond the size");
	if (request.width < 4 && request.pattern >> request.width * 8)
		return cli_usage(cli, "the pattern has more than %u bytes", request.width);
	return fill_file(cli, &request, argv[optind]);
}

const struct cli_command cli_fill = {
	.name = "fill",
	.run = run,
	.usage = "[--size BYTES] [--offset BYTE] [--pattern NUMBER] [--width BYTES] [--mesh N] "
		 "[--tier TIER] [OUT]",
	.help = "Fill memory of a node with a pattern, by its mover.\n\n"
		"  --size BYTES      of the memory, a multiple of 32, default 4096\n"
		"  --offset BYTE     where the fill begins, default 0; one that is no multiple\n"
		"                    of 32 ends in a fault, whose record is shown\n"
		"  --pattern NUMBER  default 0\n"
		"  --width BYTES     of the pattern: 1, 2 or 4 (default)\n"
		"  --mesh N          mesh that does it, default 0\n"
		"  --tier TIER       dram (default) or staging\n\n"
		"OUT receives the memory afterwards.",
};
