// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "sim/transfer/text.h"

static int parse(const char *text, struct fabric_config *config)
{
	return fabric_config_parse(text, strlen(text), config);
}

static void geometry_alone_is_the_default(void **state)
{
	struct fabric_config config, usual;

	(void)state;
	fabric_config_default(&usual);
	assert_int_equal(parse("2x2:2x2", &config), 0);
	assert_memory_equal(&config, &usual, sizeof(config));
}

static void every_option_is_taken(void **state)
{
	struct fabric_config config;

	(void)state;
	assert_int_equal(parse("4x3:2x1/line=8/slots=16/page=3072/rows=3/waits=5/idents=7/syncs=4"
			       "/order=column-torus/push_ack", &config), 0);
	assert_int_equal(config.kamlet_columns, 4);
	assert_int_equal(config.kamlet_rows, 3);
	assert_int_equal(config.jamlet_columns, 2);
	assert_int_equal(config.jamlet_rows, 1);
	assert_int_equal(config.line_words, 8);
	assert_int_equal(config.slots, 16);
	assert_int_equal(config.page_bytes, 3072);
	assert_int_equal(config.rows, 3);
	assert_int_equal(config.waits, 5);
	assert_int_equal(config.idents, 7);
	assert_int_equal(config.syncs, 4);
	assert_int_equal(config.order, FABRIC_ORDER_COLUMN_TORUS);
	assert_true(config.push_ack);
	assert_int_equal(parse("2x2:2x2/order=moore", &config), 0);
	assert_int_equal(config.order, FABRIC_ORDER_MOORE);
	assert_int_equal(parse("2x2:2x2/order=row/slots=4", &config), 0);
	assert_int_equal(config.order, FABRIC_ORDER_ROW);
}

/* A page of a geometry that has none is of whole cache lines. */
static void pages_follow_the_geometry(void **state)
{
	struct fabric_config config;

	(void)state;
	assert_int_equal(parse("4x4:4x4", &config), 0);
	assert_int_equal(config.page_bytes, 256 * 32);
	assert_int_equal(parse("1x1:1x1", &config), 0);
	assert_int_equal(config.page_bytes, 512);
	assert_int_equal(parse("3x1:1x1", &config), 0);
	assert_int_equal(config.page_bytes, 576);
}

static void none_is_none(void **state)
{
	struct fabric_config config = { .kamlet_columns = 1 };

	(void)state;
	assert_int_equal(parse("none", &config), 0);
	assert_int_equal(config.kamlet_columns, 0);
}

static void garbage_is_refused_and_changes_nothing(void **state)
{
	static const char *const garbage[] = {
		"", "2", "2x2", "2x2:", "2x2:2", "2x2:2x", "x2:2x2", "5x2:2x2", "0x2:2x2",
		"2x2:2x5", "2x2:2x2/", "2x2:2x2/rows", "2x2:2x2/rows=", "2x2:2x2/rows=0",
		"2x2:2x2/rows=17", "2x2:2x2/waits=33", "2x2:2x2/slots=3", "2x2:2x2/idents=1",
		"2x2:2x2/syncs=9", "2x2:2x2/line=3", "2x2:2x2/page=100", "2x2:2x2/page=0x200",
		"2x2:2x2/order=5", "2x2:2x2/order=diagonal", "2x1:2x2/order=moore", "2x2:2x2 ",
		" 2x2:2x2", "nonesuch", "2x2:2x2/push_ack=1", "2x2:2x2/page=4294967808",
		"-2x2:2x2", "2x2:2x2/rows=1,waits=1",
	};
	struct fabric_config config, before;
	size_t i;

	(void)state;
	fabric_config_default(&config);
	before = config;
	for (i = 0; i < ARRAY_SIZE(garbage); i++) {
		if (parse(garbage[i], &config) != -EINVAL)
			print_error("'%s' is accepted\n", garbage[i]);
		assert_int_equal(parse(garbage[i], &config), -EINVAL);
		assert_memory_equal(&config, &before, sizeof(config));
	}
	/* Only what length says is read. */
	assert_int_equal(fabric_config_parse("2x2:2x2,meshes", 7, &config), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(geometry_alone_is_the_default),
		cmocka_unit_test(every_option_is_taken),
		cmocka_unit_test(pages_follow_the_geometry),
		cmocka_unit_test(none_is_none),
		cmocka_unit_test(garbage_is_refused_and_changes_nothing),
	};

	return cmocka_run_group_tests_name("sim/transfer/text", tests, NULL, NULL);
}
