// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: programs of the fabric as text.  Whatever was read is printed,
 * must read the same, and runs.
 */
#include "fuzz.h"

#include "tools/kohaku/transfer.h"

static const struct cli cli = { .command = "fuzz" };

static void print_insn(FILE *to, const struct kohaku_transfer_insn *insn)
{
	static const char *const modes[] = { "unit", "stride", "index" };

	REQUIRE(insn->mode < ARRAY_SIZE(modes));
	fprintf(to, "%s %s width=%u index_width=%u group=%u reg=%u index=%u",
		insn->flags & KOHAKU_TRANSFER_STORE ? "store" : "load", modes[insn->mode],
		insn->width, insn->index_width, insn->group, insn->reg, insn->index);
	if (insn->flags & KOHAKU_TRANSFER_MASKED)
		fprintf(to, " mask=%u", insn->mask);
	if (insn->flags & KOHAKU_TRANSFER_DISJOINT)
		fprintf(to, " writeset=%u", insn->writeset);
	fprintf(to, " count=%u first=%u base=%llu stride=%lld%s\n", insn->count, insn->first,
		insn->base, insn->stride, insn->flags & KOHAKU_TRANSFER_WAIT ? " wait" : "");
}

static char *print(const struct transfer_program *program)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	u32 i;

	REQUIRE(to);
	for (i = 0; i < program->count; i++)
		print_insn(to, &program->insns[i]);
	for (i = 0; i < program->show_count; i++) {
		const struct transfer_show *show = &program->shows[i];

		fprintf(to, show->reg ? "show reg %llu\n" : "show memory %#llx %u\n",
			(u64)show->address, show->length);
	}
	fclose(to);
	return text;
}

/* The reader complains to whoever runs the tool. */
static int read_quietly(struct transfer_program *program, char *text)
{
	static FILE *nowhere;
	FILE *shown = stderr;
	int status;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	REQUIRE(nowhere);
	stderr = nowhere;
	status = transfer_read(program, text);
	stderr = shown;
	return status;
}

static void set_up(struct transfer_program *program, struct kohaku_device *device)
{
	memset(program, 0, sizeof(*program));
	program->cli = &cli;
	program->path = "input";
	program->device = device;
	REQUIRE(!kohaku_fabric_query(device, 1, &program->fabric));
}

static void run(const struct transfer_program *program)
{
	static struct kohaku_transfer_result results[TRANSFER_INSNS];
	u32 bad = 0, i;
	int err = kohaku_fabric_run(program->device, program->insns, program->count, results,
				    &bad);

	if (err) {
		REQUIRE(err == -EINVAL || err == -EOPNOTSUPP);
		REQUIRE(bad < program->count);
		return;
	}
	for (i = 0; i < program->count; i++) {
		REQUIRE(results[i].fault <= KOHAKU_TRANSFER_NOT_WRITABLE);
		REQUIRE(results[i].start <= results[i].end);
		REQUIRE(!results[i].fault || results[i].element < program->insns[i].count);
	}
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	static struct transfer_program program, again;
	char *text = fuzz_text(bytes, size), *printed;
	struct kohaku_device *device;

	REQUIRE(!kohaku_open("sim:fabric=2x1:1x2/line=2/page=256", &device));
	set_up(&program, device);
	if (!read_quietly(&program, text)) {
		set_up(&again, device);
		printed = print(&program);
		REQUIRE(!read_quietly(&again, printed));
		REQUIRE(again.count == program.count && again.show_count == program.show_count);
		REQUIRE(!memcmp(again.insns, program.insns, sizeof(again.insns)));
		REQUIRE(!memcmp(again.shows, program.shows, sizeof(again.shows)));
		free(printed);
		run(&program);
	}
	kohaku_close(device);
	free(text);
	return 0;
}
