// SPDX-License-Identifier: GPL-2.0
/*
 * The device that the subcommands work on, and the jobs they run there.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

struct kohaku_device *cli_open(const struct cli *cli)
{
	struct kohaku_device *device;
	char text[KOHAKU_REASON_SIZE];
	int err = kohaku_open(cli->device, &device);

	if (!err)
		return device;
	kohaku_open_reason(cli->device, err, text, sizeof(text));
	cli_fail(cli, "%s", text);
	return NULL;
}

int cli_refused(const struct cli *cli, struct kohaku_device *device, int error)
{
	char text[KOHAKU_REASON_SIZE];

	kohaku_device_reason(device, text, sizeof(text));
	if (*text)
		return cli_fail(cli, "%s: %s", kohaku_device_name(device), text);
	return cli_fail(cli, "%s: %s", kohaku_device_name(device), strerror(-error));
}

struct kohaku_buffer *cli_buffer(const struct cli *cli, struct kohaku_device *device,
				 uint32_t mesh, uint32_t tier, uint64_t length)
{
	struct kohaku_buffer *buffer;
	int err = kohaku_buffer_alloc(device, mesh, tier, 0, length, &buffer);

	if (!err)
		return buffer;
	cli_refused(cli, device, err);
	return NULL;
}

static void describe_element(const struct kohaku_fault_read *fault, char *text, size_t size)
{
	int length, i;

	if (fault->out_element == KOHAKU_ELEMENT_UNKNOWN) {
		snprintf(text, size, "an unknown element");
		return;
	}
	length = snprintf(text, size, "element %llu (indices",
			  (unsigned long long)fault->out_element);
	for (i = 0; i < KOHAKU_MAX_DIMS; i++)
		length += snprintf(text + length, size - length, " %u", fault->out_indices[i]);
	snprintf(text + length, size - length, "), destination byte %llu",
		 (unsigned long long)fault->out_dst_offset);
}

static struct json_object *describe_program(const struct kohaku_fault_read *fault)
{
	struct json_object *program = json_object_new_array();
	char text[40];
	uint32_t i;

	for (i = 0; i < fault->out_program_length && i < KOHAKU_MAX_PROGRAM; i++) {
		snprintf(text, sizeof(text), "0x%02x=0x%016llx", fault->out_program[i].offset,
			 (unsigned long long)fault->out_program[i].value);
		json_object_array_add(program, json_object_new_string(text));
	}
	return program;
}

/* The whole record, for a program that reads JSON. */
static void print_fault(const struct cli *cli, const struct kohaku_fault_read *fault)
{
	struct json_object *object = json_object_new_object(), *indices;
	int i;

	cli_add_number(object, "fault", fault->out_code);
	cli_add_text(object, "name", kohaku_fault_text(fault->out_code));
	cli_add_number(object, "bank_fault", fault->out_bank_fault);
	cli_add_number(object, "job", fault->out_job);
	cli_add_number(object, "operation", fault->out_index);
	cli_add_number(object, "mesh", fault->out_mesh);
	if (fault->out_element != KOHAKU_ELEMENT_UNKNOWN) {
		indices = json_object_new_array();
		for (i = 0; i < KOHAKU_MAX_DIMS; i++)
			json_object_array_add(indices,
					      json_object_new_uint64(fault->out_indices[i]));
		cli_add_number(object, "element", fault->out_element);
		json_object_object_add(object, "indices", indices);
		cli_add_number(object, "source_byte", fault->out_src_offset);
		cli_add_number(object, "destination_byte", fault->out_dst_offset);
	}
	cli_add_number(object, "words", fault->out_words);
	json_object_object_add(object, "program", describe_program(fault));
	cli_print(cli, object);
}

/* What stopped a job, after -EIO or -ETIMEDOUT. */
static int job_failed(const struct cli *cli, struct kohaku_device *device, int error,
		      const struct kohaku_completion *completion)
{
	struct kohaku_fault_read fault;
	char element[160];

	if (!completion->fault || kohaku_fault_read(device, 0, &fault))
		return cli_fail(cli, "%s: job %llu: %s", kohaku_device_name(device),
				(unsigned long long)completion->job, strerror(-error));
	if (cli->json)
		print_fault(cli, &fault);
	describe_element(&fault, element, sizeof(element));
	return cli_fail(cli, "%s: fault %u, %s: job %llu, operation %u on mesh %u, at %s, "
			"%llu words written; what lies after is unchanged",
			kohaku_device_name(device), fault.out_code,
			kohaku_fault_text(fault.out_code), (unsigned long long)fault.out_job,
			fault.out_index, fault.out_mesh, element,
			(unsigned long long)fault.out_words);
}

static void add_completion(struct json_object *object, const struct kohaku_completion *completion)
{
	cli_add_number(object, "operations", completion->ops_done);
	cli_add_number(object, "words", completion->words);
	cli_add_number(object, "read_bursts", completion->read_bursts);
	cli_add_number(object, "read_beats", completion->read_beats);
	cli_add_number(object, "write_bursts", completion->write_bursts);
	cli_add_number(object, "write_beats", completion->write_beats);
	cli_add_number(object, "cycles", completion->cycles);
	if (completion->flits) {
		cli_add_number(object, "flits", completion->flits);
		cli_add_number(object, "core_cycles", completion->core_cycles);
	}
	cli_add_number(object, "duration_ns", completion->duration_ns);
}

int cli_run(const struct cli *cli, struct kohaku_device *device, struct kohaku_job *job,
	    struct json_object *object)
{
	struct kohaku_completion completion;
	int err = kohaku_job_run(job, device, &completion);

	kohaku_job_free(job);
	/* Without an id there is no job: it was refused. */
	if (err && !completion.job)
		return cli_refused(cli, device, err);
	if (err)
		return job_failed(cli, device, err, &completion);
	add_completion(object, &completion);
	return CLI_OK;
}
