// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku transfer: a program of vector loads and stores on the transfer fabric.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transfer.h"

/* As many as the node keeps. */
#define EVENTS_MAX 65536

struct trace {
	bool wanted, text;
	const char *path;		/* of the file in Chrome's format, or NULL */
	struct kohaku_fabric_event *events;
	uint32_t count;
	uint64_t lost;
};

static void add_result(struct json_object *list, const struct transfer_program *program,
		       uint32_t insn, const struct kohaku_transfer_result *result)
{
	struct json_object *entry = json_object_new_object();
	char address[24];

	cli_add_number(entry, "line", program->lines[insn]);
	cli_add_number(entry, "start", result->start);
	cli_add_number(entry, "end", result->end);
	cli_add_text(entry, "fault", kohaku_transfer_fault_text(result->fault));
	if (result->fault) {
		cli_add_number(entry, "element", result->element);
		snprintf(address, sizeof(address), "0x%llx", (unsigned long long)result->address);
		cli_add_text(entry, "address", address);
	}
	json_object_array_add(list, entry);
}

static void add_counters(struct json_object *object, const struct kohaku_fabric_query *query)
{
	const struct {
		const char *name;
		uint64_t value;
	} counters[] = {
		{ "ticks", query->out_ticks },
		{ "local", query->out_local },
		{ "nonlocal", query->out_nonlocal },
		{ "segments_vector", query->out_segments[0] },
		{ "segments_scalar", query->out_segments[1] },
		{ "resends", query->out_resends },
		{ "retries", query->out_retries },
		{ "drops", query->out_drops[0] + query->out_drops[1] + query->out_drops[2] },
		{ "hits", query->out_hits },
		{ "misses", query->out_misses },
		{ "fetches", query->out_fetches },
		{ "evictions", query->out_evictions },
		{ "relayouts", query->out_relayouts },
		{ "fault_syncs", query->out_fault_syncs },
		{ "barriers", query->out_done_syncs },
		{ "once", query->out_once },
		{ "top_rows", query->out_top_rows },
		{ "top_waits", query->out_top_waits },
		{ "top_idents", query->out_top_idents },
		{ "top_in_flight", query->out_top_in_flight },
	};
	uint32_t i;

	for (i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		cli_add_number(object, counters[i].name, counters[i].value);
	for (i = 0; i < KOHAKU_FABRIC_MESSAGES; i++) {
		if (query->out_messages[i])
			cli_add_number(object, kohaku_fabric_message_name(i),
				       query->out_messages[i]);
	}
}

/* One thing that the program wants to see: bytes, or a word a lane. */
static int add_show(struct transfer_program *program, const struct transfer_show *show,
		    struct json_object *object)
{
	uint32_t length = show->reg ? program->fabric.out_stripe_bytes : show->length, i;
	uint32_t step = show->reg ? 8 : 1, byte;
	struct json_object *list;
	uint8_t *bytes = malloc(length + 1);
	char text[48];
	int err;

	if (!bytes)
		return cli_fail(program->cli, "out of memory");
	err = show->reg ? kohaku_fabric_register_read(program->device, (uint32_t)show->address,
						      (uint64_t *)(void *)bytes,
						      program->fabric.out_lanes, NULL) :
			  kohaku_fabric_read(program->device, show->address, bytes, length);
	if (err) {
		free(bytes);
		return cli_refused(program->cli, program->device, err);
	}
	list = json_object_new_array();
	for (i = 0; i < length; i += step) {
		for (byte = 0; byte < step; byte++)
			snprintf(text + 2 * byte, 3, "%02x", bytes[i + step - 1 - byte]);
		json_object_array_add(list, json_object_new_string(text));
	}
	free(bytes);
	snprintf(text, sizeof(text), show->reg ? "reg_%llu" : "memory_0x%llx",
		 (unsigned long long)show->address);
	json_object_object_add(object, text, list);
	return CLI_OK;
}

static int take_trace(struct transfer_program *program, struct trace *trace)
{
	int count = kohaku_fabric_trace(program->device, KOHAKU_FABRIC_TRACE_STOP, trace->events,
					EVENTS_MAX, &trace->lost);

	if (count < 0)
		return cli_refused(program->cli, program->device, count);
	trace->count = (uint32_t)count;
	if (!trace->path)
		return CLI_OK;
	return transfer_trace_write(program->cli, trace->path, trace->events, trace->count,
				    program->fabric.out_kamlet_columns *
				    program->fabric.out_kamlet_rows);
}

static void add_trace(const struct trace *trace, struct json_object *object)
{
	struct json_object *list = json_object_new_array();
	char text[160];
	uint32_t i;

	for (i = 0; i < trace->count; i++) {
		transfer_trace_text(&trace->events[i], text, sizeof(text));
		json_object_array_add(list, json_object_new_string(text));
	}
	json_object_object_add(object, "trace", list);
}

/* Lines of the trace, before the report: as a list they would be one long line. */
static void print_trace(const struct trace *trace)
{
	char text[160];
	uint32_t i;

	for (i = 0; i < trace->count; i++) {
		transfer_trace_text(&trace->events[i], text, sizeof(text));
		puts(text);
	}
}

static int report(struct transfer_program *program, const struct trace *trace,
		  const struct kohaku_transfer_result *results)
{
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	struct kohaku_fabric_query query;
	int status = CLI_OK;
	uint32_t i;

	for (i = 0; i < program->count; i++)
		add_result(list, program, i, &results[i]);
	json_object_object_add(object, "insn", list);
	for (i = 0; !status && i < program->show_count; i++)
		status = add_show(program, &program->shows[i], object);
	if (!status && kohaku_fabric_query(program->device, 0, &query) == 0)
		add_counters(object, &query);
	if (trace->wanted)
		cli_add_number(object, "events_lost", trace->lost);
	if (trace->text && program->cli->json)
		add_trace(trace, object);
	else if (trace->text)
		print_trace(trace);
	if (!status)
		return cli_print(program->cli, object);
	json_object_put(object);
	return status;
}

static int run(struct transfer_program *program, struct trace *trace)
{
	static struct kohaku_transfer_result results[TRANSFER_INSNS];
	uint32_t bad = 0;
	int err = 0, status = CLI_OK;

	if (trace->wanted)
		err = kohaku_fabric_trace(program->device, KOHAKU_FABRIC_TRACE_START, NULL, 0,
					  NULL);
	if (err < 0)
		return cli_refused(program->cli, program->device, err);
	err = kohaku_fabric_run(program->device, program->insns, program->count, results, &bad);
	if (err == -EINVAL || err == -EOPNOTSUPP)
		return cli_fail(program->cli, "%s:%u: a field is out of range, or not used and not 0; nothing ran",
				program->path, program->lines[bad]);
	if (err)
		return cli_refused(program->cli, program->device, err);
	if (trace->wanted)
		status = take_trace(program, trace);
	return status ? status : report(program, trace, results);
}

static int run_file(struct transfer_program *program, struct trace *trace)
{
	size_t size;
	char *text = cli_read_file(program->cli, program->path, &size), *ended;
	int err, status;

	if (!text)
		return CLI_FAILED;
	ended = realloc(text, size + 1);
	trace->events = malloc(EVENTS_MAX * sizeof(*trace->events));
	if (!ended || !trace->events) {
		free(ended ? ended : text);
		return cli_fail(program->cli, "out of memory");
	}
	ended[size] = 0;
	err = kohaku_fabric_query(program->device, 1, &program->fabric);
	status = err ? cli_refused(program->cli, program->device, err) :
		       transfer_read(program, ended);
	if (!status)
		status = run(program, trace);
	free(ended);
	return status;
}

static int run_transfer(struct cli *cli, int argc, char **argv)
{
	static struct transfer_program program;
	struct trace trace = { 0 };
	const struct cli_option options[] = {
		{ "trace", NULL, &trace.text },
		{ "trace-events", cli_take_text, &trace.path },
		{ 0 },
	};
	int status;

	if (cli_options(cli, argc, argv, options))
		return CLI_USAGE;
	trace.wanted = trace.text || trace.path;
	if (optind + 1 != argc)
		return cli_usage(cli, "name one program");
	memset(&program, 0, sizeof(program));
	program.cli = cli;
	program.path = argv[optind];
	program.device = cli_open(cli);
	if (!program.device)
		return CLI_FAILED;
	status = run_file(&program, &trace);
	free(trace.events);
	kohaku_close(program.device);
	return status;
}

const struct cli_command cli_transfer = {
	.name = "transfer",
	.run = run_transfer,
	.usage = "[--trace] [--trace-events FILE] PROGRAM",
	.help = "run a program of vector loads and stores on the transfer fabric\n"
		"\n"
		"A program is text, a line each, # begins a comment:\n"
		"  page ADDRESS vector|scalar|once r|w|rw    map a page\n"
		"  bytes ADDRESS HEX                         write bytes, two digits each\n"
		"  count ADDRESS LENGTH                      write bytes 0, 1, 2, ..\n"
		"  reg NUMBER WIDTH WORD...                  write a register, a word a lane\n"
		"  load|store unit|stride|index NAME=VALUE.. [wait]\n"
		"                                            names: width reg group base count first\n"
		"                                            stride index index_width mask writeset\n"
		"  show memory ADDRESS LENGTH                print after the program\n"
		"  show reg NUMBER\n"
		"\n"
		"  --trace              print every message and change of state\n"
		"  --trace-events FILE  write them for Perfetto or chrome://tracing",
};
