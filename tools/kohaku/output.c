// SPDX-License-Identifier: GPL-2.0
/*
 * Printing: an object as JSON, or the same object as text.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"

#define KEY_WIDTH 24

static void complain(const struct cli *cli, const char *format, va_list args, const char *tail)
{
	fprintf(stderr, "kohaku: ");
	if (cli->command)
		fprintf(stderr, "%s: ", cli->command);
	vfprintf(stderr, format, args);
	fprintf(stderr, "%s\n", tail);
}

int cli_fail(const struct cli *cli, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(cli, format, args, "");
	va_end(args);
	return CLI_FAILED;
}

int cli_fail_reason(const struct cli *cli, const char *what, const struct kohaku_reason *reason)
{
	if (reason->position < 0)
		return cli_fail(cli, "%s: %s", what, reason->text);
	return cli_fail(cli, "%s: %s, at character %d", what, reason->text, reason->position + 1);
}

int cli_usage(const struct cli *cli, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain(cli, format, args, "; try --help");
	va_end(args);
	return CLI_USAGE;
}

void cli_add_text(struct json_object *object, const char *key, const char *text)
{
	json_object_object_add(object, key, json_object_new_string(text));
}

void cli_add_number(struct json_object *object, const char *key, uint64_t number)
{
	json_object_object_add(object, key, json_object_new_uint64(number));
}

struct json_object *cli_capabilities(uint64_t caps)
{
	static const char *const names[] = { "mmap", "counters", "reset", "slot", "link", "vector",
					     "fabric", "uring" };
	struct json_object *list = json_object_new_array();
	unsigned int bit;

	for (bit = 0; bit < sizeof(names) / sizeof(names[0]); bit++) {
		if (caps >> bit & 1)
			json_object_array_add(list, json_object_new_string(names[bit]));
	}
	return list;
}

static void print_object(struct json_object *object, int depth);

/* "max_ops" is "max ops" to a person. */
static void print_key(const char *key, int depth)
{
	char words[KEY_WIDTH + 1];
	size_t i;

	snprintf(words, sizeof(words), "%s", key);
	for (i = 0; words[i]; i++) {
		if (words[i] == '_')
			words[i] = ' ';
	}
	printf("%*s%-*s", depth * 2, "", KEY_WIDTH - depth * 2, words);
}

static void print_list(struct json_object *list)
{
	size_t i, length = json_object_array_length(list);

	for (i = 0; i < length; i++)
		printf("%s%s", i ? ", " : "",
		       json_object_get_string(json_object_array_get_idx(list, i)));
	puts(length ? "" : "-");
}

static bool is_list_of_objects(struct json_object *value)
{
	return json_object_is_type(value, json_type_array) && json_object_array_length(value) &&
	       json_object_is_type(json_object_array_get_idx(value, 0), json_type_object);
}

static void print_objects(const char *key, struct json_object *list, int depth)
{
	size_t i;

	for (i = 0; i < json_object_array_length(list); i++) {
		printf("%*s%s %zu\n", depth * 2, "", key, i);
		print_object(json_object_array_get_idx(list, i), depth + 1);
	}
}

static void print_object(struct json_object *object, int depth)
{
	json_object_object_foreach(object, key, value) {
		if (is_list_of_objects(value)) {
			print_objects(key, value, depth);
			continue;
		}
		print_key(key, depth);
		if (json_object_is_type(value, json_type_array))
			print_list(value);
		else
			puts(value ? json_object_get_string(value) : "-");
	}
}

int cli_finish(const struct cli *cli, int status, struct json_object *object)
{
	if (!status)
		return cli_print(cli, object);
	json_object_put(object);
	return status;
}

int cli_print(const struct cli *cli, struct json_object *object)
{
	if (cli->json)
		puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
						    JSON_C_TO_STRING_SPACED |
						    JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		print_object(object, 0);
	json_object_put(object);
	if (fflush(stdout) || ferror(stdout))
		return cli_fail(cli, "cannot write the output: %m");
	return CLI_OK;
}
