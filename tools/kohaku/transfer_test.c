// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku transfer: programs as text, results, traces.
 */
#include "cli_testing.h"

#define COPY "page 0x1000 vector rw\n" \
	     "page 0x1200 vector rw\n" \
	     "count 0x1000 512   # 0, 1, 2, ..\n" \
	     "\n" \
	     "load unit width=8 reg=4 base=0x1003 count=5\n" \
	     "store unit width=8 reg=4 base=0x1200 count=5 wait\n" \
	     "show memory 0x1200 6\n"

static void write_program(const char *text)
{
	write_at("program", text, strlen(text));
}

static void bytes_arrive(void **state)
{
	(void)state;
	write_program(COPY);
	assert_int_equal(kohaku("-d sim: transfer program"), CLI_OK);
	assert_non_null(strstr(output, "memory 0x1200           03, 04, 05, 06, 07, 00\n"));
	assert_non_null(strstr(output, "fault                 none\n"));
	assert_int_equal(kohaku("-d sim: transfer --json program"), CLI_OK);
	assert_int_equal(json_number("PUSH"), 5);
	assert_int_equal(json_number("nonlocal") + json_number("local"), 2);
	assert_true(json_number("ticks") > 40);
}

static void faults_name_line_element_and_address(void **state)
{
	(void)state;
	write_program("page 0x1000 vector r\nstore unit width=32 base=0x1000 count=4\n"
		      "load stride width=16 base=0x11fa count=9 stride=-6\n"
		      "load unit width=32 base=0x11f8 count=4\n");
	assert_int_equal(kohaku("-d sim: transfer program"), CLI_OK);
	assert_non_null(strstr(output, "fault                 not writable\n"
				       "  element               0\n"
				       "  address               0x1000\n"));
	assert_non_null(strstr(output, "  line                  4\n"));
	assert_non_null(strstr(output, "fault                 no page\n"
				       "  element               2\n"
				       "  address               0x1200\n"));
}

static void traces_tell_every_message(void **state)
{
	struct json_object *object, *events;

	(void)state;
	write_program(COPY);
	assert_int_equal(kohaku("-d sim: transfer --trace --trace-events events program"), CLI_OK);
	assert_non_null(strstr(output, " sends PUSH to jamlet("));
	assert_non_null(strstr(output, "row ACTIVE"));
	assert_non_null(strstr(output, "events lost             0\n"));
	object = json_object_from_file("events");
	assert_non_null(object);
	assert_true(json_object_object_get_ex(object, "traceEvents", &events));
	assert_true(json_object_array_length(events) > 50);
	json_object_put(object);
}

static void wrong_programs_are_refused(void **state)
{
	static const struct { const char *text, *why; } wrong[] = {
		{ "jump 3\n", "program:1: 'jump' is not page" },
		{ "page 0x1001 vector rw\n", "program:1: FABRIC_MAP: " },
		{ "page 0x1000 vector rw\npage 0x1000 scalar r\n",
		  "program:2: FABRIC_MAP: there is" },
		{ "page 0x1000 liquid rw\n", "program:1: use: page" },
		{ "bytes 0x1000 00\n", "program:1: FABRIC_WRITE: " },
		{ "bytes 0x1000 0x\n", "program:1: use: bytes" },
		{ "reg 1 64 0\n", "a word for each of 16 lanes" },
		{ "load sideways\n", "program:1: use: load|store" },
		{ "load unit colour=3\n", "'colour' is not understood" },
		{ "load unit width=256\n", "'width' is not understood" },
		{ "load unit count=1\n# no\nload unit width=24 count=1\n",
		  "program:3: a field is" },
		{ "load unit stride=8 count=1\n", "program:1: a field is" },
		{ "show pink\n", "program:1: use: show" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		write_program(wrong[i].text);
		assert_refused("-d sim: transfer program", CLI_FAILED, wrong[i].why);
	}
	assert_refused("-d sim: transfer", CLI_USAGE, "name one program");
	assert_refused("-d sim:fabric=none transfer program", CLI_FAILED, "FABRIC_QUERY: ");
	assert_refused("-d sim:fabric=5x5:2x2 info", CLI_FAILED, "use fabric=none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_arrive),
		cmocka_unit_test(faults_name_line_element_and_address),
		cmocka_unit_test(traces_tell_every_message),
		cmocka_unit_test(wrong_programs_are_refused),
	};

	return cmocka_run_group_tests_name("tools/kohaku/transfer", tests, enter_folder,
					   leave_folder);
}
