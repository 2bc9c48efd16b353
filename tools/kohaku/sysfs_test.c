// SPDX-License-Identifier: GPL-2.0
/*
 * status, faults and sim on made-up trees: what the driver would write, and what it
 * would not.
 */
#include "cli_testing.h"

static const struct {
	const char *name, *text;
} good[] = {
	{ "backend", "sim\n" }, { "state", "ok\n" }, { "capabilities", "0x1f\n" },
	{ "meshes", "2\n" }, { "jobs", "3\n" }, { "buffers", "5\n" }, { "dram_bytes", "8192\n" },
	{ "staging_bytes", "256\n" }, { "user_dram_bytes", "805306368\n" },
	{ "user_staging_bytes", "1572864\n" }, { "user_files", "256\n" },
	{ "user_jobs", "1024\n" },
}, good_mesh[] = {
	{ "busy", "0\n" }, { "done", "18446744073709551615\n" }, { "staging_total", "2097152\n" },
	{ "staging_free", "2096896\n" }, { "staging_largest_free", "2096896\n" },
	{ "staging_fallbacks", "1\n" }, { "last_fault", "6\n" },
	{ "last_fault_name", "destination not aligned to a word\n" },
	{ "faults", "6 12 destination not aligned to a word\n17 1 no progress in time\n" },
};

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static void write_text(const char *folder_name, const char *name, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder_name, name);
	write_at(path, text, strlen(text));
}

static void make_good_tree(void)
{
	static const char *const meshes[] = { "class/kohaku/mesh0", "class/kohaku/mesh1" };
	size_t i, k;

	assert_int_equal(system("rm -rf class && mkdir -p class/kohaku/mesh0 class/kohaku/mesh1"),
			 0);
	for (i = 0; i < LENGTH(good); i++)
		write_text("class/kohaku", good[i].name, good[i].text);
	for (k = 0; k < LENGTH(meshes); k++)
		for (i = 0; i < LENGTH(good_mesh); i++)
			write_text(meshes[k], good_mesh[i].name, good_mesh[i].text);
}

static int set_up(void **state)
{
	if (enter_folder(state))
		return -1;
	unsetenv("KOHAKU_NODE");
	return setenv("KOHAKU_SYSFS", "class", 1) || setenv("KOHAKU_CONFIGFS", "config", 1);
}

static void status_shows_the_tree(void **state)
{
	(void)state;
	make_good_tree();
	assert_int_equal(kohaku("status"), CLI_OK);
	assert_non_null(strstr(output, "dram bytes              8192\n"));
	assert_non_null(strstr(output, "user staging bytes      1572864\n"));
	assert_non_null(strstr(output, "  mmap, counters, reset, slot, link\n"));
	assert_non_null(strstr(output, "mesh 1\n"));
	assert_non_null(strstr(output, "  last fault name       destination not aligned"));
	assert_int_equal(kohaku("status --json -d /dev/kohaku"), CLI_OK);
	assert_int_equal(json_number("buffers"), 5);
	assert_non_null(strstr(output, "18446744073709551615"));
	assert_refused("status -d /dev/kohaku7", CLI_FAILED, "class/kohaku7: No such file");
	assert_refused("status -d sim:", CLI_FAILED, "has no sysfs; use info");
	assert_refused("status -d /dev/..", CLI_FAILED, "not a device");
}

static void faults_are_counted(void **state)
{
	(void)state;
	make_good_tree();
	assert_int_equal(kohaku("faults"), CLI_OK);
	assert_non_null(strstr(output, "    count               12\n"));
	assert_non_null(strstr(output, "no progress in time"));
	write_text("class/kohaku/mesh1", "faults", "");
	assert_int_equal(kohaku("faults --json"), CLI_OK);
}

/* Each of these in each attribute, one at a time. */
static void assert_survives(const char *command, const char *folder_name, const char *name,
			    const char *good_text)
{
	static char huge[10000];
	static const char *const garbage[] = {
		"\x80\xff\n", "a\tb", "1\n2\n", "-1\n", "99999999999999999999\n", "1 x\n", "\n",
		"0x10\n", "%s%n\n", huge,
	};
	char path[128];
	size_t i;

	memset(huge, '7', sizeof(huge) - 1);
	for (i = 0; i < LENGTH(garbage); i++) {
		int status;

		write_text(folder_name, name, garbage[i]);
		status = kohaku(command);
		assert_true(status == CLI_OK || status == CLI_FAILED);
		assert_int_equal(status == CLI_FAILED, *errors != 0);
	}
	snprintf(path, sizeof(path), "%s/%s", folder_name, name);
	assert_int_equal(unlink(path), 0);
	assert_refused(command, CLI_FAILED, path);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused(command, CLI_FAILED, path);
	assert_int_equal(rmdir(path), 0);
	write_text(folder_name, name, good_text);
}

/* G06 */
static void garbage_is_refused_and_survived(void **state)
{
	size_t i;

	(void)state;
	make_good_tree();
	for (i = 0; i < LENGTH(good); i++)
		assert_survives("status", "class/kohaku", good[i].name, good[i].text);
	for (i = 0; i + 1 < LENGTH(good_mesh); i++)
		assert_survives("status", "class/kohaku/mesh1", good_mesh[i].name,
				good_mesh[i].text);
	assert_survives("faults", "class/kohaku/mesh1", "faults", good_mesh[i].text);
	assert_int_equal(kohaku("status"), CLI_OK);
}

/* G06 */
static void numbers_are_numbers(void **state)
{
	(void)state;
	make_good_tree();
	write_text("class/kohaku", "meshes", "5\n");
	assert_refused("status", CLI_FAILED, "'5' is no number up to 4");
	write_text("class/kohaku", "meshes", "18446744073709551616\n");
	assert_refused("faults", CLI_FAILED, "class/kohaku/meshes");
	write_text("class/kohaku", "meshes", "2K\n");
	assert_refused("status", CLI_FAILED, "'2K' is no number");
	write_text("class/kohaku", "meshes", "2\n");
	write_text("class/kohaku/mesh0", "faults", "6 twelve name\n");
	assert_refused("faults", CLI_FAILED, "'6 twelve name' is no fault");
	write_text("class/kohaku/mesh0", "faults", "6 12\n");
	assert_refused("faults", CLI_FAILED, "'6 12' is no fault");
}

static void simulated_nodes_are_listed(void **state)
{
	(void)state;
	assert_refused("sim list", CLI_FAILED, "mount configfs");
	assert_refused("sim create a", CLI_FAILED, "mount configfs");
	assert_int_equal(system("mkdir -p config/a config/b"), 0);
	write_text("config/a", "meshes", "3\n");
	write_text("config/a", "live", "1\n");
	write_text("config/a", "node", "kohaku1\n");
	assert_int_equal(kohaku("sim list"), CLI_OK);
	assert_non_null(strstr(output, "  node                  kohaku1\n"));
	assert_non_null(strstr(output, "  name                  b\n"));
	assert_refused("sim create a", CLI_FAILED, "config/a: File exists");
	assert_refused("sim destroy c", CLI_FAILED, "config/c: No such file");
	assert_refused("sim list more", CLI_USAGE, "one argument too many");
}

/* Plain folders have no attributes: nothing may be left of the attempt. */
static void a_node_that_fails_is_removed_again(void **state)
{
	(void)state;
	assert_int_equal(system("mkdir -p config"), 0);
	assert_refused("sim create new", CLI_FAILED, "config/new/live: No such file");
	assert_int_not_equal(access("config/new", F_OK), 0);
	assert_refused("sim create new meshes=2", CLI_FAILED, "config/new/meshes");
	assert_int_not_equal(access("config/new", F_OK), 0);
	assert_refused("sim create new color=red", CLI_USAGE, "'color' is no setting");
	assert_int_not_equal(access("config/new", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_shows_the_tree),
		cmocka_unit_test(faults_are_counted),
		cmocka_unit_test(garbage_is_refused_and_survived),
		cmocka_unit_test(numbers_are_numbers),
		cmocka_unit_test(simulated_nodes_are_listed),
		cmocka_unit_test(a_node_that_fails_is_removed_again),
	};

	return cmocka_run_group_tests_name("tools/kohaku/sysfs", tests, set_up, leave_folder);
}
