// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku generate: a file of random words, made by the mover.
 */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "errand.h"

#define DEFAULT_SIZE 4096

struct request {
	uint32_t mesh, tier;
	uint64_t size;			/* whole words */
	uint64_t seed;
};

static int build(struct kohaku_job *job, struct kohaku_buffer *dst, struct kohaku_buffer *src,
		 const void *what)
{
	const struct request *request = what;

	(void)src;
	return kohaku_job_generate(job, dst, 0, request->size, request->seed);
}

static int generate(const struct cli *cli, const struct request *request, void *bytes,
		    struct json_object *object)
{
	struct errand errand = {
		.mesh = request->mesh, .tier = request->tier,
		.out = bytes, .out_size = request->size,
		.build = build, .what = request,
	};
	struct kohaku_device *device = cli_open(cli);
	int status;

	if (!device)
		return CLI_FAILED;
	status = errand_run(cli, device, &errand, object);
	kohaku_close(device);
	return status;
}

static int write_out(const struct cli *cli, const char *out, const void *bytes, uint64_t size)
{
	struct kohaku_shape shape = { .ndim = 1, .dims = { size } };
	size_t length = strlen(out);

	if (length > 4 && !strcmp(out + length - 4, ".npy"))
		return array_write(cli, out, &npy_bytes, &shape, bytes);
	return cli_write_file(cli, out, bytes, size);
}

static int generate_file(const struct cli *cli, const struct request *request, const char *out)
{
	struct json_object *object = json_object_new_object();
	void *bytes = malloc(request->size);
	int status;

	cli_add_number(object, "bytes", request->size);
	cli_add_number(object, "seed", request->seed);
	status = bytes ? generate(cli, request, bytes, object) : cli_fail(cli, "out of memory");
	if (!status && out)
		status = write_out(cli, out, bytes, request->size);
	free(bytes);
	return cli_finish(cli, status, object);
}

static int take_seed(const struct cli *cli, const char *text, void *into)
{
	if (!cli_number(text, into))
		return cli_usage(cli, "'%s' is no 64-bit number", text);
	return CLI_OK;
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { .tier = KOHAKU_TIER_DRAM, .size = DEFAULT_SIZE };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "tier", cli_take_tier, &request.tier },
		{ "size", cli_take_size, &request.size },
		{ "seed", take_seed, &request.seed },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc - optind > 1)
		return cli_usage(cli, "it takes one file");
	return generate_file(cli, &request, argv[optind]);
}

const struct cli_command cli_generate = {
	.name = "generate",
	.run = run,
	.usage = "[--seed NUMBER] [--size BYTES] [--mesh N] [--tier TIER] [OUT]",
	.help = "Make random bytes, by the mover of a node.\n\n"
		"  --seed NUMBER  64 bits, default 0\n"
		"  --size BYTES   a multiple of 32, default 4096\n"
		"  --mesh N       mesh that does it, default 0\n"
		"  --tier TIER    dram (default) or staging\n\n"
		"Words depend on the seed and on the address they are written to (Philox-4x32-10),\n"
		"so the same seed repeats them only where the memory is the same.  OUT receives\n"
		"the bytes; with a name in .npy, as an array of bytes.",
};
