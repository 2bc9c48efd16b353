// SPDX-License-Identifier: GPL-2.0
/* Recorded programs on the model itself. */
#include "transfer_program.h"

/* A fabric in the state that the program starts from. */
static struct fabric *set_up(const struct program *program, const struct fabric_config *config)
{
	struct fabric *fabric = fabric_create(config);

	if (!fabric)
		return NULL;
	for (u32 n = 0; n < program->page_count; n++) {
		const struct fabric_page *page = &program->pages[n];

		if (fabric_map(fabric, page, program->widths[n], NULL) ||
		    fabric_write(fabric, page->address, program->memory[n], PAGE)) {
			fabric_destroy(fabric);
			return NULL;
		}
	}
	for (u32 n = 0; n < REGS; n++)
		if (program->reg_widths[n])
			fabric_register_write(fabric, n, program->regs[n],
					      program->reg_widths[n]);
	return fabric;
}

static void look(const struct program *program, struct fabric *fabric, struct seen *seen)
{
	u32 width, order;

	memcpy(seen->results, fabric_results(fabric),
	       program->op_count * sizeof(seen->results[0]));
	for (u32 n = 0; n < REGS; n++)
		fabric_register_read(fabric, n, seen->regs[n], &width);
	for (u32 n = 0; n < program->page_count; n++) {
		u64 address = program->pages[n].address;

		fabric_read(fabric, address, seen->memory[n], PAGE);
		for (int i = 0; i < STRIPES; i++) {
			width = 0;
			fabric_stripe(fabric, address + i * PAGE / STRIPES, &width, &order);
			seen->widths[n][i] = width;
		}
	}
	seen->counters = *fabric_counters(fabric);
}

const char *program_run_model(const struct program *program, const struct fabric_config *config,
			      struct seen *seen, struct seen *flushed)
{
	struct fabric *fabric = set_up(program, config);
	u32 bad;
	int err;

	if (!fabric)
		return "cannot make the fabric or map its pages";
	err = fabric_submit(fabric, program->ops, program->op_count, &bad);
	if (!err)
		err = fabric_run(fabric, U64_MAX);
	if (!err) {
		look(program, fabric, seen);
		fabric_flush(fabric);
		look(program, fabric, flushed);
	}
	fabric_destroy(fabric);
	return err ? strerror(-err) : NULL;
}
