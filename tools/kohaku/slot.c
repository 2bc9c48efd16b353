// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku slot: who sits in the transform slot.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

#define OCCUPANTS 16

struct request {
	uint32_t mesh;
	bool table;
};

static int add_table(const struct cli *cli, struct kohaku_device *device,
		     struct kohaku_slot_query *query, struct json_object *occupant)
{
	struct json_object *list;
	char text[16];
	uint16_t *values = calloc(query->table_count, sizeof(*values));
	uint32_t i;
	int err;

	if (!values)
		return cli_fail(cli, "out of memory");
	query->table = (uintptr_t)values;
	err = kohaku_device_command(device, KOHAKU_SLOT_QUERY, query);
	if (err) {
		free(values);
		return cli_refused(cli, device, err);
	}
	list = json_object_new_array();
	for (i = 0; i < query->table_count; i++) {
		snprintf(text, sizeof(text), "0x%04x", values[i]);
		json_object_array_add(list, json_object_new_string(text));
	}
	json_object_object_add(occupant, "table", list);
	free(values);
	return CLI_OK;
}

static int add_occupant(const struct cli *cli, const struct request *request,
			struct kohaku_device *device, struct kohaku_slot_query *query,
			struct json_object *list)
{
	struct json_object *occupant = json_object_new_object();

	json_object_array_add(list, occupant);
	cli_add_number(occupant, "id", query->occupant);
	cli_add_text(occupant, "name", (const char *)query->out_name);
	cli_add_number(occupant, "in_words", query->out_in_words);
	cli_add_number(occupant, "out_words", query->out_out_words);
	cli_add_number(occupant, "table_values", query->table_count);
	if (!request->table || !query->table_count)
		return CLI_OK;
	return add_table(cli, device, query, occupant);
}

static int describe(const struct cli *cli, const struct request *request,
		    struct kohaku_device *device, struct json_object *object)
{
	struct json_object *list = json_object_new_array();
	struct kohaku_slot_query query;
	uint32_t id, bank_fault = 0;

	json_object_object_add(object, "occupant", list);
	for (id = 0; id < OCCUPANTS; id++) {
		int err = kohaku_device_occupant(device, request->mesh, id, &query);

		if (err == -ENOENT)
			continue;
		if (err)
			return cli_refused(cli, device, err);
		bank_fault = query.out_bank_fault;
		if (add_occupant(cli, request, device, &query, list))
			return CLI_FAILED;
	}
	cli_add_number(object, "bank_fault", bank_fault);
	return CLI_OK;
}

static int slot(const struct cli *cli, const struct request *request)
{
	struct kohaku_device *device = cli_open(cli);
	struct json_object *object;
	int status;

	if (!device)
		return CLI_FAILED;
	object = json_object_new_object();
	cli_add_number(object, "mesh", request->mesh);
	status = describe(cli, request, device, object);
	kohaku_close(device);
	return cli_finish(cli, status, object);
}

static int run(struct cli *cli, int argc, char **argv)
{
	struct request request = { 0 };
	const struct cli_option options[] = {
		{ "mesh", cli_take_mesh, &request.mesh },
		{ "table", NULL, &request.table },
		{ 0 },
	};

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	if (argc > optind)
		return cli_usage(cli, "'%s' is one argument too many", argv[optind]);
	return slot(cli, &request);
}

const struct cli_command cli_slot = {
	.name = "slot",
	.run = run,
	.usage = "[--table] [--mesh N]",
	.help = "List the occupants of a transform slot.\n\n"
		"  --table   also the table of those that have one, as a program sees it that\n"
		"            loaded nothing into it\n"
		"  --mesh N  whose slot, default 0\n\n"
		"Printed are the source words and destination words of an entry, and the bank's\n"
		"fault: 1 after an entry named no occupant.",
};
