// SPDX-License-Identifier: GPL-2.0
/*
 * Recorded programs through the interface of a node.
 */
#include "transfer_program.h"

#include "lib/kohaku.h"
#include "lib/kohaku_transfer.h"

/* The lane order of the node: outcomes depend on nothing else that may differ. */
static int node_query(struct kohaku_fabric_query *query)
{
	struct kohaku_device *device;
	int err = kohaku_open(transfer_node, &device);

	if (err)
		return err;
	err = kohaku_fabric_query(device, 0, query);
	kohaku_close(device);
	return err;
}

bool program_fits_node(const struct program *program)
{
	static struct kohaku_fabric_query query;

	if (!query.out_lanes && node_query(&query))
		return true;
	return query.out_lanes == LANES && query.out_page_bytes == PAGE &&
	       query.out_kamlet_columns == program->config.kamlet_columns &&
	       query.out_jamlet_columns == program->config.jamlet_columns &&
	       query.out_order == program->config.order;
}

static int map_page(struct kohaku_device *device, const struct program *program, u32 n)
{
	const struct fabric_page *page = &program->pages[n];
	struct kohaku_fabric_stripe stripes[STRIPES];
	int err;

	for (int i = 0; i < STRIPES; i++)
		stripes[i] = (struct kohaku_fabric_stripe){ program->widths[n][i],
							    program->config.order };
	err = kohaku_fabric_map(device, page->address, page->memory,
				(page->readable ? KOHAKU_FABRIC_READABLE : 0) |
				(page->writable ? KOHAKU_FABRIC_WRITABLE : 0),
				page->memory == FABRIC_VECTOR ? stripes : NULL, STRIPES);
	return err ? err : kohaku_fabric_write(device, page->address, program->memory[n], PAGE);
}

static int write_register(struct kohaku_device *device, const struct program *program, u32 n)
{
	uint64_t words[LANES];

	for (int lane = 0; lane < LANES; lane++)
		words[lane] = program->regs[n][lane];
	return kohaku_fabric_register_write(device, n, words, LANES, program->reg_widths[n]);
}

static int look_register(struct kohaku_device *device, u32 n, struct seen *seen)
{
	uint64_t words[LANES];
	int err = kohaku_fabric_register_read(device, n, words, LANES, NULL);

	for (int lane = 0; !err && lane < LANES; lane++)
		seen->regs[n][lane] = words[lane];
	return err;
}

static int set_up(struct kohaku_device *device, const struct program *program)
{
	int err = 0;

	for (u32 n = 0; !err && n < program->page_count; n++)
		err = map_page(device, program, n);
	for (u32 n = 0; !err && n < REGS; n++)
		if (program->reg_widths[n])
			err = write_register(device, program, n);
	return err;
}

static struct kohaku_transfer_insn insn_of(const struct fabric_op *op)
{
	return (struct kohaku_transfer_insn){
		.flags = (op->store ? KOHAKU_TRANSFER_STORE : 0) |
			 (op->wait ? KOHAKU_TRANSFER_WAIT : 0) |
			 (op->mask >= 0 ? KOHAKU_TRANSFER_MASKED : 0) |
			 (op->writeset >= 0 ? KOHAKU_TRANSFER_DISJOINT : 0),
		.mode = op->mode,
		.width = op->width,
		.index_width = op->index_width,
		.group = op->group,
		.reg = op->reg,
		.index = op->index >= 0 ? op->index : 0,
		.mask = op->mask >= 0 ? op->mask : 0,
		.writeset = op->writeset >= 0 ? op->writeset : 0,
		.count = op->count,
		.first = op->first,
		.base = op->base,
		.stride = op->stride,
	};
}

static int run(struct kohaku_device *device, const struct program *program, struct seen *seen)
{
	struct kohaku_transfer_result results[OPS];
	struct kohaku_transfer_insn insns[OPS];
	int err;

	for (u32 i = 0; i < program->op_count; i++)
		insns[i] = insn_of(&program->ops[i]);
	err = kohaku_fabric_run(device, insns, program->op_count, results, NULL);
	for (u32 i = 0; !err && i < program->op_count; i++)
		seen->results[i] = (struct fabric_result){
			.fault = results[i].fault,
			.element = results[i].element,
			.element_address = results[i].element_address,
			.address = results[i].address,
		};
	return err;
}

static int look_counters(struct kohaku_device *device, struct fabric_counters *counters)
{
	struct kohaku_fabric_query query;
	int err = kohaku_fabric_query(device, 1, &query);

	if (err)
		return err;
	memcpy(counters->messages, query.out_messages, sizeof(counters->messages));
	memcpy(counters->segments, query.out_segments, sizeof(counters->segments));
	counters->masked = query.out_masked;
	counters->retries = query.out_retries;
	counters->fetches = query.out_fetches;
	counters->evictions = query.out_evictions;
	counters->local = query.out_local;
	counters->nonlocal = query.out_nonlocal;
	counters->done_syncs = query.out_done_syncs;
	counters->once = query.out_once;
	counters->protocol_errors = query.out_protocol_errors;
	return 0;
}

static int look(struct kohaku_device *device, const struct program *program, struct seen *seen)
{
	int err = look_counters(device, &seen->counters);

	for (u32 n = 0; !err && n < REGS; n++)
		err = look_register(device, n, seen);
	for (u32 n = 0; !err && n < program->page_count; n++) {
		u64 address = program->pages[n].address;
		struct kohaku_fabric_stripe stripes[STRIPES];

		err = kohaku_fabric_read(device, address, seen->memory[n], PAGE);
		if (err || program->pages[n].memory != FABRIC_VECTOR)
			continue;
		err = kohaku_fabric_layout(device, address, stripes, STRIPES);
		for (int i = 0; i < STRIPES; i++)
			seen->widths[n][i] = stripes[i].width;
	}
	return err;
}

const char *program_run_node(const struct program *program, struct seen *seen)
{
	static char why[KOHAKU_REASON_SIZE];
	struct kohaku_device *device;
	int err = kohaku_open(transfer_node, &device);

	if (err) {
		kohaku_open_reason(transfer_node, err, why, sizeof(why));
		return why;
	}
	err = set_up(device, program);
	if (!err)
		err = run(device, program, seen);
	if (!err)
		err = look(device, program, seen);
	kohaku_device_reason(device, why, sizeof(why));
	kohaku_close(device);
	return err ? why : NULL;
}
