// SPDX-License-Identifier: GPL-2.0
/*
 * Programs of the transfer fabric as text.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "transfer.h"

#define WORDS_MAX 280			/* of a line: a register has up to 256 */

struct line {
	char *words[WORDS_MAX];
	int count;
};

static int wrong(const struct transfer_program *program, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int wrong(const struct transfer_program *program, const char *format, ...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return cli_fail(program->cli, "%s:%u: %s", program->path, program->line, text);
}

static int refused(const struct transfer_program *program, int error)
{
	char text[KOHAKU_REASON_SIZE];

	kohaku_device_reason(program->device, text, sizeof(text));
	return wrong(program, "%s", *text ? text : strerror(-error));
}

static bool below(const char *text, uint64_t limit, uint32_t *value)
{
	return text && cli_number_below(text, limit, value);
}

/* page ADDRESS vector|scalar|once r|w|rw */
static int take_page(struct transfer_program *program, const struct line *line)
{
	static const char *const kinds[] = { "vector", "scalar", "once" };
	uint32_t memory = 0, flags;
	uint64_t address;
	int err;

	if (line->count != 4 || !cli_number(line->words[1], &address))
		return wrong(program, "use: page ADDRESS vector|scalar|once r|w|rw");
	while (memory < 3 && strcmp(line->words[2], kinds[memory]))
		memory++;
	flags = (strchr(line->words[3], 'r') ? KOHAKU_FABRIC_READABLE : 0) |
		(strchr(line->words[3], 'w') ? KOHAKU_FABRIC_WRITABLE : 0);
	if (memory == 3 || line->words[3][strspn(line->words[3], "rw-")])
		return wrong(program, "use: page ADDRESS vector|scalar|once r|w|rw");
	err = kohaku_fabric_map(program->device, address, memory, flags, NULL, 0);
	return err ? refused(program, err) : CLI_OK;
}

/* bytes ADDRESS HEX: two digits a byte, the lowest address first */
static int take_bytes(struct transfer_program *program, const struct line *line)
{
	size_t digits = line->count == 3 ? strlen(line->words[2]) : 0, i;
	unsigned int byte;
	uint64_t address;
	uint8_t *bytes;
	int err;

	if (!digits || digits % 2 || line->words[2][strspn(line->words[2], "0123456789abcdef")] ||
	    !cli_number(line->words[1], &address))
		return wrong(program, "use: bytes ADDRESS HEX, two digits a byte");
	bytes = malloc(digits / 2);
	if (!bytes)
		return wrong(program, "out of memory");
	for (i = 0; i < digits / 2; i++) {
		sscanf(line->words[2] + 2 * i, "%2x", &byte);
		bytes[i] = (uint8_t)byte;
	}
	err = kohaku_fabric_write(program->device, address, bytes, digits / 2);
	free(bytes);
	return err ? refused(program, err) : CLI_OK;
}

/* count ADDRESS LENGTH: bytes 0, 1, 2, .. */
static int take_count(struct transfer_program *program, const struct line *line)
{
	uint64_t address;
	uint32_t length, i;
	uint8_t *bytes;
	int err;

	if (line->count != 3 || !cli_number(line->words[1], &address) ||
	    !below(line->words[2], (1 << 20) + 1, &length))
		return wrong(program, "use: count ADDRESS LENGTH, up to 1M");
	bytes = malloc(length + 1);
	if (!bytes)
		return wrong(program, "out of memory");
	for (i = 0; i < length; i++)
		bytes[i] = (uint8_t)i;
	err = kohaku_fabric_write(program->device, address, bytes, length);
	free(bytes);
	return err ? refused(program, err) : CLI_OK;
}

/* reg NUMBER WIDTH WORD...: hexadecimal, one a lane */
static int take_reg(struct transfer_program *program, const struct line *line)
{
	uint64_t words[WORDS_MAX];
	uint32_t reg, width;
	char *end = "";
	int i, err;

	if (line->count != 3 + (int)program->fabric.out_lanes ||
	    !below(line->words[1], KOHAKU_FABRIC_REGISTERS, &reg) ||
	    !below(line->words[2], 65, &width))
		return wrong(program, "use: reg NUMBER WIDTH WORD..., a word for each of %u lanes",
			     program->fabric.out_lanes);
	for (i = 3; i < line->count && !*end; i++)
		words[i - 3] = strtoull(line->words[i], &end, 16);
	if (*end)
		return wrong(program, "'%s' is no hexadecimal word", line->words[i - 1]);
	err = kohaku_fabric_register_write(program->device, reg, words, program->fabric.out_lanes,
					   width);
	return err ? refused(program, err) : CLI_OK;
}

/* show memory ADDRESS LENGTH, show reg NUMBER */
static int take_show(struct transfer_program *program, const struct line *line)
{
	struct transfer_show *show = &program->shows[program->show_count];
	uint32_t reg;

	if (program->show_count == TRANSFER_SHOWS)
		return wrong(program, "more than %d things to show", TRANSFER_SHOWS);
	*show = (struct transfer_show){ 0 };
	if (line->count == 4 && !strcmp(line->words[1], "memory") &&
	    cli_number(line->words[2], &show->address) &&
	    below(line->words[3], (1 << 20) + 1, &show->length)) {
		program->show_count++;
		return CLI_OK;
	}
	if (line->count == 3 && !strcmp(line->words[1], "reg") &&
	    below(line->words[2], KOHAKU_FABRIC_REGISTERS, &reg)) {
		show->reg = true;
		show->address = reg;
		program->show_count++;
		return CLI_OK;
	}
	return wrong(program, "use: show memory ADDRESS LENGTH, or show reg NUMBER");
}

static bool signed_number(const char *text, int64_t *value)
{
	uint64_t size;
	bool minus = *text == '-';

	if (!cli_number(text + minus, &size) || size > INT64_MAX)
		return false;
	*value = minus ? -(int64_t)size : (int64_t)size;
	return true;
}

/* Takes NAME=VALUE of an instruction. */
static bool take_field(struct kohaku_transfer_insn *insn, const char *name, const char *value)
{
	const struct {
		const char *name;
		uint8_t *byte;
		uint32_t flag;
	} bytes[] = {
		{ "width", &insn->width, 0 }, { "index_width", &insn->index_width, 0 },
		{ "group", &insn->group, 0 }, { "reg", &insn->reg, 0 },
		{ "index", &insn->index, 0 },
		{ "mask", &insn->mask, KOHAKU_TRANSFER_MASKED },
		{ "writeset", &insn->writeset, KOHAKU_TRANSFER_DISJOINT },
	};
	uint32_t number;
	int64_t stride;
	uint64_t base;
	size_t i;

	for (i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		if (strcmp(name, bytes[i].name))
			continue;
		if (!cli_number_below(value, 256, &number))
			return false;
		*bytes[i].byte = (uint8_t)number;
		insn->flags |= bytes[i].flag;
		return true;
	}
	if (!strcmp(name, "count"))
		return cli_number_below(value, 1ULL << 32, &insn->count);
	if (!strcmp(name, "first"))
		return cli_number_below(value, 1ULL << 32, &insn->first);
	if (!strcmp(name, "base") && cli_number(value, &base)) {
		insn->base = base;
		return true;
	}
	if (!strcmp(name, "stride") && signed_number(value, &stride)) {
		insn->stride = stride;
		return true;
	}
	return false;
}

/* load|store unit|stride|index NAME=VALUE... [wait] */
static int take_insn(struct transfer_program *program, const struct line *line)
{
	static const char *const modes[] = { "unit", "stride", "index" };
	struct kohaku_transfer_insn *insn = &program->insns[program->count];
	int i;

	if (program->count == TRANSFER_INSNS)
		return wrong(program, "more than %d instructions", TRANSFER_INSNS);
	*insn = (struct kohaku_transfer_insn){ .width = 64, .group = 1 };
	insn->flags = strcmp(line->words[0], "store") ? 0 : KOHAKU_TRANSFER_STORE;
	while (line->count > 1 && insn->mode < 3 && strcmp(line->words[1], modes[insn->mode]))
		insn->mode++;
	if (line->count < 2 || insn->mode == 3)
		return wrong(program, "use: load|store unit|stride|index NAME=VALUE...");
	for (i = 2; i < line->count; i++) {
		char *name = line->words[i], *value = strchr(name, '=');

		if (!value && !strcmp(name, "wait")) {
			insn->flags |= KOHAKU_TRANSFER_WAIT;
			continue;
		}
		if (value)
			*value++ = 0;
		if (!value || !take_field(insn, name, value))
			return wrong(program, "'%s' is not understood, or its value is out of range",
				     name);
	}
	program->lines[program->count++] = program->line;
	return CLI_OK;
}

static int take_line(struct transfer_program *program, const struct line *line)
{
	static const struct {
		const char *word;
		int (*take)(struct transfer_program *program, const struct line *line);
	} kinds[] = {
		{ "page", take_page }, { "bytes", take_bytes }, { "count", take_count },
		{ "reg", take_reg }, { "show", take_show }, { "load", take_insn },
		{ "store", take_insn },
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(line->words[0], kinds[i].word))
			return kinds[i].take(program, line);
	}
	return wrong(program, "'%s' is not page, bytes, count, reg, load, store or show",
		     line->words[0]);
}

int transfer_read(struct transfer_program *program, char *text)
{
	struct line line = { 0 };
	int status = CLI_OK;
	char *rest, *word;

	while (!status && (rest = strsep(&text, "\n"))) {
		program->line++;
		rest[strcspn(rest, "#")] = 0;
		line.count = 0;
		while ((word = strsep(&rest, " \t\r")) && line.count < WORDS_MAX) {
			if (*word)
				line.words[line.count++] = word;
		}
		if (line.count)
			status = take_line(program, &line);
	}
	return status;
}
