// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the headers declare is what the shared library exports.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAMES_MAX 512

struct names {
	char names[NAMES_MAX][64];
	size_t count;
};

static char text[1 << 20];

static void read_text(const char *path)
{
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
}

static bool has(const struct names *names, const char *name)
{
	size_t i;

	for (i = 0; i < names->count; i++) {
		if (!strcmp(names->names[i], name))
			return true;
	}
	return false;
}

static void blank_comments(void)
{
	char *start, *end;

	while ((start = strstr(text, "/*"))) {
		end = strstr(start, "*/");
		assert_non_null(end);
		memset(start, ' ', end + 2 - start);
	}
}

/* Adds every name that begins with kohaku_ and goes on with this. */
static void add_names(struct names *names, char after)
{
	const char *at = text;

	while ((at = strstr(at, "kohaku_"))) {
		char *name = names->names[names->count];
		size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
		bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');

		assert_true(length < sizeof(names->names[0]));
		snprintf(name, sizeof(names->names[0]), "%.*s", (int)length, at);
		if (begins && at[length] == after && !has(names, name))
			names->count++;
		assert_true(names->count < NAMES_MAX);
		at += length;
	}
}

static void declared_is_exported(void **state)
{
	static const char *const headers[] = {
		"lib/kohaku.h", "lib/kohaku_relayout.h", "lib/kohaku_transfer.h",
		"lib/kohaku_mxfp7.h",
	};
	static struct names declared, exported;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		read_text(headers[i]);
		blank_comments();
		add_names(&declared, '(');
	}
	read_text("lib/libkohaku.map");
	add_names(&exported, ';');
	for (i = 0; i < declared.count; i++) {
		if (!has(&exported, declared.names[i]))
			print_error("%s is not exported\n", declared.names[i]);
		assert_true(has(&exported, declared.names[i]));
	}
	for (i = 0; i < exported.count; i++) {
		if (!has(&declared, exported.names[i]))
			print_error("%s is not declared\n", exported.names[i]);
		assert_true(has(&declared, exported.names[i]));
	}
	assert_true(declared.count > 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declared_is_exported),
	};

	return cmocka_run_group_tests_name("lib/exports", tests, NULL, NULL);
}
