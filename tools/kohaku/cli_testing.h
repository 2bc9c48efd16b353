/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs the command line in this process, in a folder of its own.
 */
#ifndef KOHAKU_TOOL_CLI_TESTING_H
#define KOHAKU_TOOL_CLI_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"

static char folder[32] = "/tmp/kohaku-cli-XXXXXX";
static char output[65536], errors[4096];

static inline void write_at(const char *name, const void *bytes, size_t size)
{
	FILE *file = fopen(name, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static inline size_t read_at(const char *name, void *bytes, size_t size)
{
	FILE *file = fopen(name, "rb");

	assert_non_null(file);
	size = fread(bytes, 1, size, file);
	fclose(file);
	return size;
}

/* Sends a stream to a file; returns where it went before. */
static inline int redirect(FILE *stream, const char *name)
{
	int before, fd;

	fflush(stream);
	before = dup(fileno(stream));
	fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	dup2(fd, fileno(stream));
	close(fd);
	return before;
}

static inline void restore(FILE *stream, int before, const char *name, char *text, size_t size)
{
	fflush(stream);
	dup2(before, fileno(stream));
	close(before);
	text[read_at(name, text, size - 1)] = 0;
}

/* Runs a command line, split at spaces; fills output and errors. */
static inline int kohaku(const char *line)
{
	char words[1024], *argv[32] = { "kohaku" }, *rest = words;
	int argc = 1, out, err, status;

	snprintf(words, sizeof(words), "%s", line);
	while (rest && *rest)
		argv[argc++] = strsep(&rest, " ");
	out = redirect(stdout, "out.txt");
	err = redirect(stderr, "err.txt");
	status = cli_main(argc, argv);
	restore(stdout, out, "out.txt", output, sizeof(output));
	restore(stderr, err, "err.txt", errors, sizeof(errors));
	return status;
}

/* Fails with a status, one line of errors, and this in it. */
static inline void assert_refused(const char *line, int status, const char *why)
{
	int got = kohaku(line);

	if (got != status || !strstr(errors, why))
		print_error("kohaku %s: %d %s", line, got, errors);
	assert_int_equal(got, status);
	assert_non_null(strstr(errors, why));
	assert_int_equal(strncmp(errors, "kohaku: ", 8), 0);
	assert_ptr_equal(strchr(errors, '\n'), errors + strlen(errors) - 1);
}

static inline uint64_t json_number(const char *key)
{
	struct json_object *object = json_tokener_parse(output), *value;
	uint64_t number;

	assert_non_null(object);
	assert_true(json_object_object_get_ex(object, key, &value));
	number = json_object_get_uint64(value);
	json_object_put(object);
	return number;
}

static inline int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) ? chdir(folder) : -1;
}

static inline int leave_folder(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return chdir("/") || system(command);
}

#endif
