// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku copy: the bytes of a file through the mover.
 */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct request {
	uint32_t mesh;
	uint32_t from, to;		/* tiers */
};

static uint64_t whole_words(uint64_t bytes)
{
	return (bytes + KOHAKU_WORD_SIZE - 1) & ~(uint64_t)(KOHAKU_WORD_SIZE - 1);
}

static int copy_between(const struct cli *cli, struct kohaku_device *device,
			struct kohaku_buffer *src, struct kohaku_buffer *dst, uint8_t *bytes,
			uint64_t length, struct json_object *object)
{
	struct kohaku_job *job;
	int err = kohaku_buffer_write(src, 0, bytes, length);

	if (!err)
		err = kohaku_job_new(&job);
	if (err)
		return cli_refused(cli, device, err);
	kohaku_job_verify(job, 1);
	err = kohaku_job_copy(job, dst, 0, src, 0, length);
	if (err) {
		kohaku_job_free(job);
		return cli_refused(cli, device, err);
	}
	if (cli_run(cli, device, job, object))
		return CLI_FAILED;
	memset(bytes, 0, length);
	err = kohaku_buffer_read(dst, 0, bytes, length);
	return err ? cli_refused(cli, device, err) : CLI_OK;
}

static int copy_bytes(const struct cli *cli, const struct request *request, uint8_t *bytes,
		      uint64_t length, struct json_object *object)
{
	struct kohaku_device *device = cli_open(cli);
	struct kohaku_buffer *src, *dst = NULL;
	int status = CLI_FAILED;

	if (!device)
		return status;
	src = cli_buffer(cli, device, request->mesh, request->from, length);
	if (src)
		dst = cli_buffer(cli, device, request->mesh, request->to, length);
	if (dst)
		status = copy_between(cli, device, src, dst, bytes, length, object);
	kohaku_close(device);
	return status;
}

static int copy_file(const struct cli *cli, const struct request *request, const char *in,
		     const char *out)
{
	struct json_object *object;
	size_t size;
	uint8_t *bytes = cli_read_file(cli, in, &size), *padded;
	uint64_t length;
	int status;

	if (!bytes)
		return CLI_FAILED;
	length = whole_words(size ? size : 1);
	padded = realloc(bytes, length);
	if (!padded) {
		free(bytes);
		return cli_fail(cli, "%s: out of memory", in);
	}
	memset(padded + size, 0, length - size);
	object = json_object_new_object();
	cli_add_number(object, "bytes", size);
	status = copy_bytes(cli, request, padded, length, object);
	if (!status)
		status = cli_write_file(cli, out, padded, size);
	free(padded);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .from = KOHAKU_TIER_DRAM, .to = KOHAKU_TIER_DRAM };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "from", cli_take_tier, &request.from },
		{ "to", cli_take_tier, &request.to },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind != 2)
		return cli_usage(cli, "it takes two files");
	return copy_file(cli, &request, argv[optind], argv[optind + 1]);
}

const struct cli_command cli_copy = {
	.name = "copy",
	.run = run,
	.usage = "[--mesh N] [--from TIER] [--to TIER] IN OUT",
	.help = "Copy a file through the memory of a node, by its mover.\n\n"
		"  --mesh N     mesh that does it, default 0\n"
		"  --from TIER  dram (default) or staging: where the mover reads\n"
		"  --to TIER    dram (default) or staging: where it writes\n\n"
		"Verified, and printed with the bursts and words that it took.",
};
