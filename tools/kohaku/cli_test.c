// SPDX-License-Identifier: GPL-2.0
/*
 * The command line as a whole: what it prints, what it writes, how it exits.
 */
#include "cli_testing.h"
#include "npy.h"

static void help_names_every_command(void **state)
{
	static const char *const names[] = {
		"info", "status", "copy", "fill", "relayout", "faults", "reset", "sim", "load",
		"unload",
	};
	char line[32];
	size_t i;

	(void)state;
	assert_int_equal(kohaku("--help"), CLI_OK);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_non_null(strstr(output, names[i]));
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(line, sizeof(line), "%s --help", names[i]);
		assert_int_equal(kohaku(line), CLI_OK);
		assert_int_equal(strncmp(output, "usage: kohaku ", 14), 0);
		assert_string_equal(errors, "");
	}
	assert_int_equal(kohaku("--version"), CLI_OK);
	assert_int_equal(strncmp(output, "kohaku ", 7), 0);
}

static void wrong_usage_exits_with_2(void **state)
{
	(void)state;
	assert_int_equal(kohaku(""), CLI_USAGE);
	assert_refused("frobnicate", CLI_USAGE, "there is no command 'frobnicate'; try --help");
	assert_refused("info -d", CLI_USAGE, "-d needs a device");
	assert_refused("info extra", CLI_USAGE, "'extra' is one argument too many");
	assert_refused("info --bogus", CLI_USAGE, "option '--bogus' is not known");
	assert_refused("fill --size", CLI_USAGE, "option '--size' needs a value");
	assert_refused("fill --size 33", CLI_USAGE, "'33' is no multiple of 32");
	assert_refused("fill --size -32", CLI_USAGE, "'-32'");
	assert_refused("fill --size 99999999999G", CLI_USAGE, "99999999999G");
	assert_refused("fill --width 3", CLI_USAGE, "'3' is not 1, 2 or 4");
	assert_refused("fill --width 1 --pattern 256", CLI_USAGE, "more than 1 bytes");
	assert_refused("fill --pattern 0x100000000", CLI_USAGE, "no 32-bit number");
	assert_refused("fill --offset 4096", CLI_USAGE, "beyond the size");
	assert_refused("fill --mesh 4", CLI_USAGE, "'4' is no mesh");
	assert_refused("copy one", CLI_USAGE, "two files");
	assert_refused("copy --to moon a b", CLI_USAGE, "'moon' is neither");
	assert_refused("relayout a b", CLI_USAGE, "--from and --to");
	assert_refused("sim", CLI_USAGE, "create, destroy or list");
	assert_refused("sim paint", CLI_USAGE, "'paint'");
	assert_refused("sim create", CLI_USAGE, "name of a node");
	assert_refused("sim create ../x", CLI_USAGE, "name of a node");
	assert_refused("load foo", CLI_USAGE, "NAME=VALUE");
}

static void devices_that_cannot_be_opened(void **state)
{
	(void)state;
	assert_refused("info -d /dev/null", CLI_FAILED, "/dev/null: not a Kohaku node");
	assert_refused("info -d /dev/kohaku-none", CLI_FAILED, "load the driver");
	assert_refused("info --device=sim:meshes=9", CLI_FAILED, "use meshes=1..4");
	assert_refused("fill -d sim: --mesh 3", CLI_FAILED, "BUF_ALLOC: mesh 3");
}

static void info_tells_the_node(void **state)
{
	(void)state;
	assert_int_equal(kohaku("-d sim:meshes=3 info"), CLI_OK);
	assert_non_null(strstr(output, "meshes                  3\n"));
	assert_int_equal(kohaku("info --json -d sim:meshes=3"), CLI_OK);
	assert_int_equal(json_number("meshes"), 3);
	assert_int_equal(json_number("dram_bytes"), 4ULL << 30);
	assert_int_equal(kohaku("reset -d sim:"), CLI_OK);
}

static void copies_keep_every_size(void **state)
{
	static const size_t sizes[] = { 0, 1, 31, 32, 33, 4096, 100001 };
	uint8_t *in = malloc(100001), *out = malloc(100002);
	size_t i, k;

	(void)state;
	for (k = 0; k < 100001; k++)
		in[k] = k * 7 + (k >> 8);
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		write_at("in", in, sizes[i]);
		assert_int_equal(kohaku("-d sim: copy --json --from staging in copied"), CLI_OK);
		assert_int_equal(json_number("bytes"), sizes[i]);
		assert_int_equal(read_at("copied", out, 100002), sizes[i]);
		assert_memory_equal(in, out, sizes[i]);
	}
	assert_refused("-d sim: copy nowhere copied", CLI_FAILED, "nowhere: No such file");
	assert_refused("-d sim: copy . copied", CLI_FAILED, "not a regular file");
	assert_refused("-d sim: copy in /nowhere/x", CLI_FAILED, "/nowhere/x: No such file");
	free(in);
	free(out);
}

static void fills_write_their_pattern(void **state)
{
	uint8_t bytes[129];
	int i;

	(void)state;
	assert_int_equal(kohaku("-d sim: fill --size 128 --offset 64 --width 2 --pattern 0x1234 x"),
			 CLI_OK);
	assert_int_equal(read_at("x", bytes, sizeof(bytes)), 128);
	for (i = 0; i < 128; i++)
		assert_int_equal(bytes[i], i < 64 ? 0 : i % 2 ? 0x12 : 0x34);
}

static void a_fault_is_told_whole(void **state)
{
	(void)state;
	assert_refused("-d sim: fill --offset 40", CLI_FAILED,
		       "fault 6, destination not aligned to a word: job 1, operation 0 on mesh 0");
	assert_int_equal(kohaku("-d sim: --json fill --offset 40"), CLI_FAILED);
	assert_int_equal(json_number("fault"), KOHAKU_FAULT_ALIGN);
	assert_int_equal(json_number("destination_byte"), 40);
	assert_int_equal(json_number("element"), 0);
	assert_non_null(strstr(output, "\"0x00=0x"));
}

/* Element (r, c) of a 64 x 96 array is 1 + its number, so no two are the same. */
static void write_array(const char *name, uint32_t ndim, uint64_t batch)
{
	struct kohaku_shape shape = { .ndim = ndim, .dims = { 64, 96 } };
	size_t elements = batch * 64 * 96, length, i;
	char header[NPY_HEADER_MAX];
	uint16_t *data = malloc(elements * 2);
	FILE *file = fopen(name, "wb");

	if (ndim == 3)
		shape.dims[0] = batch, shape.dims[1] = 64, shape.dims[2] = 96;
	for (i = 0; i < elements; i++)
		data[i] = i + 1;
	length = npy_header(&shape, header);
	assert_int_equal(fwrite(header, 1, length, file), length);
	assert_int_equal(fwrite(data, 2, elements, file), elements);
	fclose(file);
	free(data);
}

static const uint16_t *load_array(const char *name, uint8_t *bytes, size_t size, struct npy *npy)
{
	struct kohaku_reason reason;

	size = read_at(name, bytes, size);
	assert_int_equal(npy_parse(bytes, size, npy, &reason), 0);
	return (const uint16_t *)(bytes + npy->data_offset);
}

static void relayout_puts_every_element_in_its_place(void **state)
{
	static _Alignas(2) uint8_t bytes[65536], first[65536];
	const uint16_t *slots;
	struct npy npy;
	int r, c;

	(void)state;
	write_array("plain.npy", 2, 1);
	assert_int_equal(kohaku("-d sim: relayout --json --check --from flat --to entry:8x1 "
				"plain.npy entry.npy"), CLI_OK);
	assert_int_equal(json_number("words"), 64 * 96 / 16);
	slots = load_array("entry.npy", bytes, sizeof(bytes), &npy);
	assert_int_equal(npy.shape.ndim, 1);
	assert_int_equal(npy.elements, 64 * 96);
	/* Of tiles of 32 rows: chunks of 32 columns, in them 8 groups of 4 rows. */
	for (r = 0; r < 64; r++) {
		for (c = 0; c < 96; c++) {
			int slot = ((r / 32 * 3 + c / 32) * 8 + r / 4 % 8) * 128 + r % 4 * 32 +
				   c % 32;

			assert_int_equal(slots[slot], r * 96 + c + 1);
		}
	}
	assert_int_equal(kohaku("-d sim: relayout --check --from entry:8x1 --to flat "
				"--shape 64x96 entry.npy back.npy"), CLI_OK);
	assert_int_equal(read_at("back.npy", bytes, sizeof(bytes)),
			 read_at("plain.npy", first, sizeof(first)));
	assert_memory_equal(bytes, first, 64 * 96 * 2 + 128);
}

static void relayout_takes_batches(void **state)
{
	static uint8_t bytes[65536], first[65536];

	(void)state;
	write_array("plain3.npy", 3, 3);
	assert_int_equal(kohaku("-d sim: relayout --check --from batch3:flat --to batch3:entry:4x1 "
				"--shape 3x64x96 plain3.npy entry3.npy"), CLI_OK);
	assert_int_equal(kohaku("-d sim: relayout --check --from batch3:entry:4x1 --to batch3:flat "
				"--shape 3x64x96 entry3.npy back3.npy"), CLI_OK);
	assert_int_equal(read_at("back3.npy", bytes, sizeof(bytes)),
			 read_at("plain3.npy", first, sizeof(first)));
	assert_memory_equal(bytes, first, 3 * 64 * 96 * 2 + 128);
}

/* Row r, column c of a tile of 4 x 6 tiles of 4 x 4 sub-tiles of 4 x 4. */
static void assert_tiled(const char *name)
{
	static _Alignas(2) uint8_t bytes[65536];
	struct npy npy;
	const uint16_t *slots = load_array(name, bytes, sizeof(bytes), &npy);
	int r, c;

	assert_int_equal(npy.elements, 64 * 96);
	for (r = 0; r < 64; r++) {
		for (c = 0; c < 96; c++) {
			int tile = r / 16 * 6 + c / 16, sub = r / 4 % 4 * 4 + c / 4 % 4;

			assert_int_equal(slots[(tile * 16 + sub) * 16 + r % 4 * 4 + c % 4],
					 r * 96 + c + 1);
		}
	}
}

static void tiles_go_through_slot_core_or_host(void **state)
{
	static uint8_t bytes[65536], first[65536];

	(void)state;
	write_array("plain.npy", 2, 1);
	assert_int_equal(kohaku("-d sim: relayout --check --from flat --to tile:4x6:4x4 plain.npy "
				"slot.npy"), CLI_OK);
	assert_non_null(strstr(output, "route                   slot\n"));
	assert_tiled("slot.npy");
	assert_int_equal(kohaku("relayout --route host --from flat --to tile:4x6:4x4 plain.npy "
				"host.npy"), CLI_OK);
	assert_tiled("host.npy");
	assert_int_equal(kohaku("-d sim: relayout --route vector --from flat --to tile:4x6:4x4 "
				"plain.npy core.npy"), CLI_OK);
	assert_non_null(strstr(output, "route                   vector\n"));
	assert_non_null(strstr(output, "core cycles "));
	assert_tiled("core.npy");
	assert_int_equal(kohaku("-d sim:slot_depth=2 relayout --route slot --check --shape 64x96 "
				"--from tile:4x6:4x4 --to flat slot.npy back.npy"), CLI_OK);
	assert_int_equal(read_at("back.npy", bytes, sizeof(bytes)),
			 read_at("plain.npy", first, sizeof(first)));
	assert_memory_equal(bytes, first, 64 * 96 * 2 + 128);
}

static void impossible_relayouts_are_refused(void **state)
{
	(void)state;
	write_array("plain.npy", 2, 1);
	write_at("text.npy", "hello", 5);
	assert_refused("-d sim: relayout --route mover --from flat --to tile:4x6:4x4 plain.npy "
		       "x.npy", CLI_FAILED, "takes words apart");
	assert_refused("-d sim:complex=none relayout --route slot --from flat --to tile:4x6:4x4 "
		       "plain.npy x.npy", CLI_FAILED, "--route host converts anything");
	assert_refused("-d sim: relayout --route vector --from flat --to entry:8x5 plain.npy "
		       "x.npy", CLI_FAILED, "flat to entry:8x5: padding");
	assert_refused("-d sim: relayout --route train --from flat --to flat plain.npy x.npy",
		       CLI_USAGE, "'train' is no route");
	assert_refused("-d sim: relayout --from flat --to entry:8y1 plain.npy x.npy", CLI_FAILED,
		       "entry:8y1: ");
	assert_refused("-d sim: relayout --from flat --to entry:8y1 plain.npy x.npy", CLI_FAILED,
		       "at character 8");
	assert_refused("-d sim: relayout --from entry:8x1 --to flat plain.npy x.npy", CLI_FAILED,
		       "add --shape");
	assert_refused("-d sim: relayout --from flat --to flat --shape 64x97 plain.npy x.npy",
		       CLI_FAILED, "check --shape");
	assert_refused("-d sim: relayout --from flat --to flat --shape 64x plain.npy x.npy",
		       CLI_FAILED, "64x: ");
	assert_refused("-d sim: relayout --from flat --to entry:8x1 text.npy x.npy", CLI_FAILED,
		       "text.npy: not a .npy file");
	assert_refused("-d sim: relayout --from flat --to entry:8x1 none.npy x.npy", CLI_FAILED,
		       "none.npy: No such file");
	assert_int_not_equal(access("x.npy", F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_names_every_command),
		cmocka_unit_test(wrong_usage_exits_with_2),
		cmocka_unit_test(devices_that_cannot_be_opened),
		cmocka_unit_test(info_tells_the_node),
		cmocka_unit_test(copies_keep_every_size),
		cmocka_unit_test(fills_write_their_pattern),
		cmocka_unit_test(a_fault_is_told_whole),
		cmocka_unit_test(relayout_puts_every_element_in_its_place),
		cmocka_unit_test(relayout_takes_batches),
		cmocka_unit_test(tiles_go_through_slot_core_or_host),
		cmocka_unit_test(impossible_relayouts_are_refused),
	};

	return cmocka_run_group_tests_name("tools/kohaku", tests, enter_folder, leave_folder);
}
