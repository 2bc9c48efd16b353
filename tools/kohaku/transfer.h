/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kohaku transfer: programs as text, and traces for people and for Perfetto.
 */
#ifndef KOHAKU_TOOL_TRANSFER_H
#define KOHAKU_TOOL_TRANSFER_H

#include <stdio.h>

#include "cli.h"
#include "lib/kohaku_transfer.h"

#define TRANSFER_INSNS	1024
#define TRANSFER_SHOWS	64

/* Memory or a register to be printed after the program. */
struct transfer_show {
	bool reg;
	uint64_t address;
	uint32_t length;
};

struct transfer_program {
	const struct cli *cli;
	const char *path;
	unsigned int line;
	struct kohaku_device *device;
	struct kohaku_fabric_query fabric;
	struct kohaku_transfer_insn insns[TRANSFER_INSNS];
	unsigned int lines[TRANSFER_INSNS];	/* where each one stands */
	uint32_t count;
	struct transfer_show shows[TRANSFER_SHOWS];
	uint32_t show_count;
};

/*
 * Reads a program line by line: pages, bytes and registers go to the device at
 * once, instructions are collected.  Complains itself; CLI_OK or CLI_FAILED.
 */
int transfer_read(struct transfer_program *program, char *text);

/* What the events so far say, one line each. */
void transfer_trace_text(const struct kohaku_fabric_event *event, char *text, size_t size);

/* The same as a file that chrome://tracing and Perfetto open. */
int transfer_trace_write(const struct cli *cli, const char *path,
			 const struct kohaku_fabric_event *events, uint32_t count,
			 uint32_t kamlets);

#endif
