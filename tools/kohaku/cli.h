/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the subcommands share: how they are found, how they speak.
 *
 * A subcommand prints one JSON object; without --json the same object is printed
 * as text.  Errors are one line, "kohaku: command: why; what to do".
 */
#ifndef KOHAKU_TOOL_CLI_H
#define KOHAKU_TOOL_CLI_H

#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>

#include <json-c/json.h>

#include "lib/kohaku.h"
#include "lib/kohaku_relayout.h"

/* Exit codes. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/* What the options that every subcommand has say. */
struct cli {
	const char *device;		/* -d, NULL: the default */
	const char *command;		/* subcommand, for messages */
	bool json;
};

struct cli_command {
	const char *name;
	int (*run)(struct cli *cli, int argc, char **argv);
	const char *usage;		/* its arguments, on one line */
	const char *help;		/* what it does and its options */
};

extern const struct cli_command cli_copy, cli_dequantise, cli_faults, cli_fill, cli_gather,
	cli_generate, cli_info, cli_load, cli_palette, cli_plan, cli_quantise, cli_relayout,
	cli_reset, cli_sim, cli_slot, cli_status, cli_swizzle, cli_transfer, cli_unload;

/* The whole tool; returns its exit code. */
int cli_main(int argc, char **argv);

/* Prints an error; CLI_FAILED. */
int cli_fail(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints why what was refused, with the character if reason knows it; CLI_FAILED. */
int cli_fail_reason(const struct cli *cli, const char *what, const struct kohaku_reason *reason);
/* Prints what is wrong with the command line; CLI_USAGE. */
int cli_usage(const struct cli *cli, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Prints an object, and drops it; CLI_OK. */
int cli_print(const struct cli *cli, struct json_object *object);

/* Prints the object of a subcommand that ended well, else drops it; its exit code. */
int cli_finish(const struct cli *cli, int status, struct json_object *object);

/* Decimal or 0x number, perhaps with K, M or G for powers of 1024. */
bool cli_number(const char *text, uint64_t *value);
bool cli_number_below(const char *text, uint64_t limit, uint32_t *value);

/* options.c: these complain themselves */
struct cli_option {
	const char *name;		/* NULL ends a table */
	/* Takes the value; an exit code.  NULL: a flag without one, into is a bool. */
	int (*take)(const struct cli *cli, const char *text, void *into);
	void *into;
};

/* Reads all options; optind is then the first argument. */
int cli_options(const struct cli *cli, int argc, char **argv, const struct cli_option *options);
/* For a subcommand that takes neither options nor arguments. */
int cli_no_arguments(const struct cli *cli, int argc, char **argv);
int cli_take_text(const struct cli *cli, const char *text, void *into);	/* const char * */
int cli_take_mesh(const struct cli *cli, const char *text, void *into);	/* uint32_t */
int cli_take_tier(const struct cli *cli, const char *text, void *into);	/* uint32_t */
/* Whole words, up to 4 GiB. */
int cli_take_size(const struct cli *cli, const char *text, void *into);	/* uint64_t */

/* device.c: these complain themselves */
struct kohaku_device *cli_open(const struct cli *cli);
/* Prints the device's reason for a failed call; CLI_FAILED. */
int cli_refused(const struct cli *cli, struct kohaku_device *device, int error);
/* Runs a job, drops it, and adds what it took to object. */
int cli_run(const struct cli *cli, struct kohaku_device *device, struct kohaku_job *job,
	    struct json_object *object);
struct kohaku_buffer *cli_buffer(const struct cli *cli, struct kohaku_device *device,
				 uint32_t mesh, uint32_t tier, uint64_t length);

/* file.c: whole files; these complain themselves */
void *cli_read_file(const struct cli *cli, const char *path, size_t *size);
int cli_write_file(const struct cli *cli, const char *path, const void *bytes, size_t size);

/* output.c: additions to an object */
void cli_add_text(struct json_object *object, const char *key, const char *text);
void cli_add_number(struct json_object *object, const char *key, uint64_t number);
/* The names of KOHAKU_CAP_* bits. */
struct json_object *cli_capabilities(uint64_t caps);

#endif
