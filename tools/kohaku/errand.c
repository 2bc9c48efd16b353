// SPDX-License-Identifier: GPL-2.0

#include "errand.h"

static int run_between(const struct cli *cli, struct kohaku_device *device,
		       const struct errand *errand, struct kohaku_buffer *src,
		       struct kohaku_buffer *dst, struct json_object *object)
{
	struct kohaku_job *job;
	int err = src ? kohaku_buffer_write(src, 0, errand->in, errand->in_size) : 0;

	if (!err)
		err = kohaku_job_new(&job);
	if (err)
		return cli_refused(cli, device, err);
	kohaku_job_verify(job, 1);
	err = errand->build(job, dst, src, errand->what);
	if (err) {
		kohaku_job_free(job);
		return cli_refused(cli, device, err);
	}
	if (cli_run(cli, device, job, object))
		return CLI_FAILED;
	err = kohaku_buffer_read(dst, 0, errand->out, errand->out_size);
	return err ? cli_refused(cli, device, err) : CLI_OK;
}

int errand_run(const struct cli *cli, struct kohaku_device *device, const struct errand *errand,
	       struct json_object *object)
{
	uint32_t tier = errand->tier ? errand->tier : KOHAKU_TIER_DRAM;
	struct kohaku_buffer *src = NULL, *dst;

	if (errand->in) {
		src = cli_buffer(cli, device, errand->mesh, tier, errand->in_size);
		if (!src)
			return CLI_FAILED;
	}
	dst = cli_buffer(cli, device, errand->mesh, tier, errand->out_size);
	if (!dst)
		return CLI_FAILED;
	return run_between(cli, device, errand, src, dst, object);
}
