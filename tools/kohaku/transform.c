// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes through an occupant of the transform slot, as many as there are.
 */
#include <errno.h>

#include "errand.h"

/* Most entries of one operation. */
#define MOVE_ENTRIES 65535

struct pass {
	const struct transform *transform;
	uint32_t occupant;
	uint32_t entry_words;
	uint64_t entries;
};

static int build(struct kohaku_job *job, struct kohaku_buffer *dst, struct kohaku_buffer *src,
		 const void *what)
{
	const struct pass *pass = what;
	const struct transform *transform = pass->transform;
	uint64_t entry_size = (uint64_t)pass->entry_words * KOHAKU_WORD_SIZE;
	uint64_t done, entries;
	int err = 0;

	if (transform->table)
		err = kohaku_job_slot_load(job, transform->mesh, pass->occupant, 0,
					   transform->table, transform->table_values);
	for (done = 0; !err && done < pass->entries; done += entries) {
		entries = pass->entries - done;
		if (entries > MOVE_ENTRIES)
			entries = MOVE_ENTRIES;
		err = kohaku_job_xform(job, dst, done * 4 * KOHAKU_WORD_SIZE, src,
				       done * entry_size, pass->occupant, transform->mode,
				       pass->entry_words, entries);
	}
	return err;
}

static int run_on(const struct cli *cli, struct kohaku_device *device,
		  const struct transform *transform, struct json_object *object)
{
	struct pass pass = { .transform = transform };
	struct errand errand = {
		.mesh = transform->mesh,
		.in = transform->in, .in_size = transform->in_size,
		.out = transform->out, .out_size = transform->out_size,
		.build = build, .what = &pass,
	};
	struct kohaku_slot_query query;
	int err = kohaku_device_occupant_named(device, transform->mesh, transform->occupant,
					       &query);

	if (err == -ENOENT)
		return cli_fail(cli, "%s: nobody in the slot is called %s; see what 'kohaku slot' "
				"says", kohaku_device_name(device), transform->occupant);
	if (err)
		return cli_refused(cli, device, err);
	pass.occupant = query.occupant;
	pass.entry_words = query.out_in_words;
	pass.entries = transform->out_size / (4 * KOHAKU_WORD_SIZE);
	if (pass.entries * pass.entry_words * KOHAKU_WORD_SIZE != transform->in_size)
		return cli_fail(cli, "%s: %s takes entries of %u words, which is not what "
				"this command is for; see what 'kohaku slot' says",
				kohaku_device_name(device), transform->occupant, pass.entry_words);
	return errand_run(cli, device, &errand, object);
}

int transform_run(const struct cli *cli, const struct transform *transform,
		  struct json_object *object)
{
	struct kohaku_device *device = cli_open(cli);
	int status;

	if (!device)
		return CLI_FAILED;
	status = run_on(cli, device, transform, object);
	kohaku_close(device);
	return status;
}
