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
	if (!status)
		return cli_print(cli, object);
	json_object_put(object);
	return status;
}

static int set_option(const struct cli *cli, int option, struct request *request)
{
	switch (option) {
	case 'm':
		if (!cli_number_below(optarg, KOHAKU_MAX_MESHES, &request->mesh))
			return cli_usage(cli, "'%s' is no mesh", optarg);
		return CLI_OK;
	case 't':
		if (!cli_tier(optarg, &request->tier))
			return cli_usage(cli, "'%s' is neither dram nor staging", optarg);
		return CLI_OK;
	case 's':
		if (!cli_number(optarg, &request->size) || !request->size ||
		    request->size % KOHAKU_WORD_SIZE || request->size > 4ULL << 30)
			return cli_usage(cli, "'%s' is no multiple of 32 up to 4G", optarg);
		return CLI_OK;
	case 'e':
		if (!cli_number(optarg, &request->seed))
			return cli_usage(cli, "'%s' is no 64-bit number", optarg);
		return CLI_OK;
	default:
		return CLI_USAGE;
	}
}

static int run(struct cli *cli, int argc, char **argv)
{
	static const struct option options[] = {
		{ "mesh", required_argument, NULL, 'm' },
		{ "tier", required_argument, NULL, 't' },
		{ "size", required_argument, NULL, 's' },
		{ "seed", required_argument, NULL, 'e' },
		{ 0 },
	};
	struct request request = { .tier = KOHAKU_TIER_DRAM, .size = DEFAULT_SIZE };
	int option, status;

	while ((option = cli_getopt(cli, argc, argv, options)) != -1) {
		status = set_option(cli, option, &request);
		if (status)
			return status;
	}
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
