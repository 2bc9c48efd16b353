// SPDX-License-Identifier: GPL-2.0
/*
 * Replays recorded moves: register writes in, bursts, words and status out.
 */
#include "mover.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bed.h"

#define LINE_MAX_CHARS 2048

/* What an `expect` line says. */
struct expectation {
	unsigned int fault, done, hang, ar, rbeats, aw, wbeats, ixar, bank;
	unsigned int burststable, datastable;
};

/* One file in the course of its replay. */
struct replay {
	const char *path;
	const char *file;		/* path without its folders */
	struct tally *tally;
	bool informational;		/* a difference is a skip: see the README */
	struct bed *bed;
	char name[64];
	bool failed;			/* the case; said once */
	struct expectation expect;
	unsigned int next_read, next_write, next_word;
};

__attribute__((format(printf, 2, 3)))
static void fail(struct replay *replay, const char *format, ...)
{
	char text[256];
	va_list args;

	if (!replay->failed && !replay->informational) {
		va_start(args, format);
		vsnprintf(text, sizeof(text), format, args);
		va_end(args);
		replay_complain(replay->file, replay->name, "%s", text);
	}
	replay->failed = true;
}

static void compare(struct replay *replay, const char *what, uint64_t got, uint64_t wanted)
{
	if (got != wanted)
		fail(replay, "%s is %" PRIu64 ", recorded %" PRIu64, what, got, wanted);
}

static void begin_case(struct replay *replay, const char *name)
{
	snprintf(replay->name, sizeof(replay->name), "%s", name);
	replay->failed = false;
}

static void end_case(struct replay *replay)
{
	if (!replay->failed)
		replay->tally->passed++;
	else if (replay->informational)
		replay->tally->skipped++;
	else
		replay->tally->failed++;
}

static void parse_expectation(struct expectation *expect, char *text)
{
	const struct {
		const char *key;
		unsigned int *value;
	} keys[] = {
		{ "fault", &expect->fault },	   { "done", &expect->done },
		{ "hang", &expect->hang },	   { "ar", &expect->ar },
		{ "rbeats", &expect->rbeats },	   { "aw", &expect->aw },
		{ "wbeats", &expect->wbeats },	   { "ixar", &expect->ixar },
		{ "bank", &expect->bank },	   { "burststable", &expect->burststable },
		{ "datastable", &expect->datastable },
	};
	char *word;
	size_t i;

	for (word = strtok(text, " \n"); word; word = strtok(NULL, " \n")) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			if (!strcmp(word, keys[i].key))
				*keys[i].value = strtoul(value, NULL, 10);
		}
	}
}

/* Runs the move that GO has started, and compares all but its lists. */
static void run_move(struct replay *replay, char *text)
{
	struct expectation *expect = &replay->expect;
	const struct bed_record *record = bed_record(replay->bed);
	bool ended = bed_run(replay->bed);
	u64 status = bed_status(replay->bed);

	*expect = (struct expectation){ 0 };
	parse_expectation(expect, text);
	compare(replay, "hang", !ended, expect->hang);
	compare(replay, "fault", KOHAKU_GET(KOHAKU_STAT_FAULT, status), expect->fault);
	compare(replay, "done", KOHAKU_GET(KOHAKU_STAT_DONE, status), expect->done);
	compare(replay, "read beats", record->read_beats, expect->rbeats);
	compare(replay, "write beats", record->write_beats, expect->wbeats);
	compare(replay, "index reads", record->index_reads, expect->ixar);
	compare(replay, "bank fault", sim_bank_read(bed_node(replay->bed), 0, 0, 0),
		expect->bank);
	if (expect->burststable) {
		compare(replay, "read bursts", record->reads, expect->ar);
		compare(replay, "write bursts", record->writes, expect->aw);
	}
	replay->next_read = 0;
	replay->next_write = 0;
	replay->next_word = 0;
}

static void compare_burst(struct replay *replay, const char *what, const struct bed_burst *got,
			  const char *text)
{
	char index[3] = "";
	unsigned int beats;
	u64 addr;

	if (!replay->expect.burststable)
		return;
	if (sscanf(text, "%" SCNx64 " %u %2s", (uint64_t *)&addr, &beats, index) < 2)
		fail(replay, "cannot read '%s'", text);
	else if (got->addr != addr || got->beats != beats || got->index != (index[0] == 'i'))
		fail(replay, "%s is %010llx %u, recorded %s", what, got->addr, got->beats, text);
}

static void compare_word(struct replay *replay, const struct bed_word *got, const char *text)
{
	u8 bytes[KOHAKU_WORD];
	char hex[65];
	u64 addr;

	if (!replay->expect.datastable)
		return;
	if (sscanf(text, "%" SCNx64 " %64s", (uint64_t *)&addr, hex) != 2 ||
	    !replay_hex(hex, bytes, sizeof(bytes)))
		fail(replay, "cannot read '%s'", text);
	else if (got->addr != addr || memcmp(got->bytes, bytes, sizeof(bytes)))
		fail(replay, "written word %u, at %010llx, differs from %s", replay->next_word,
		     got->addr, text);
}

static void compare_stream(struct replay *replay, const char *text)
{
	const struct bed_record *record = bed_record(replay->bed);
	uint64_t digest;
	unsigned int words;

	if (sscanf(text, "%u %" SCNx64, &words, &digest) != 2)
		fail(replay, "cannot read '%s'", text);
	else if (replay->expect.datastable && (record->words != words || record->digest != digest))
		fail(replay, "%llu words written with digest %016llx, recorded %u, %016" PRIx64,
		     record->words, record->digest, words, digest);
}

static void compare_page(struct replay *replay, const char *text)
{
	uint64_t addr, digest;
	u8 page[4096];

	if (sscanf(text, "%" SCNx64 " %" SCNx64, &addr, &digest) != 2) {
		fail(replay, "cannot read '%s'", text);
		return;
	}
	bed_read(replay->bed, addr, page, sizeof(page));
	if (replay_fnv(REPLAY_FNV_START, page, sizeof(page)) != digest)
		fail(replay, "page %010" PRIx64 " ends up different", addr);
}

static void set_up_memory(struct replay *replay, const char *verb, const char *text)
{
	unsigned int rule;
	uint64_t value;
	u8 bytes[KOHAKU_WORD];
	char hex[65];

	if (!strcmp(verb, "rule") && sscanf(text, "%u %" SCNx64, &rule, &value) == 2)
		bed_restart(replay->bed, rule, value);
	else if (!strcmp(verb, "mem") && sscanf(text, "%" SCNx64 " %64s", &value, hex) == 2 &&
		 replay_hex(hex, bytes, sizeof(bytes)))
		bed_set_word(replay->bed, value, bytes);
	else
		fail(replay, "cannot read '%s %s'", verb, text);
}

static void write_register(struct replay *replay, const char *text)
{
	unsigned int offset;
	uint64_t value;

	if (sscanf(text, "%x %" SCNx64, &offset, &value) != 2) {
		fail(replay, "cannot read 'reg %s'", text);
		return;
	}
	bed_forget(replay->bed);
	bed_register(replay->bed, offset, value);
}

/* The lines indented under `expect`. */
static bool compare_list(struct replay *replay, const char *verb, const char *text)
{
	const struct bed_record *record = bed_record(replay->bed);

	if (!strcmp(verb, "ar") && replay->next_read < BED_KEPT)
		compare_burst(replay, "read", &record->read[replay->next_read++], text);
	else if (!strcmp(verb, "aw") && replay->next_write < BED_KEPT)
		compare_burst(replay, "write", &record->write[replay->next_write++], text);
	else if (!strcmp(verb, "w") && replay->next_word < BED_KEPT)
		compare_word(replay, &record->word[replay->next_word++], text);
	else if (!strcmp(verb, "wstream"))
		compare_stream(replay, text);
	else
		return false;
	return true;
}

static void take_line(struct replay *replay, const char *verb, char *text)
{
	if (!strcmp(verb, "case"))
		begin_case(replay, text);
	else if (!strcmp(verb, "end"))
		end_case(replay);
	else if (!strcmp(verb, "reg"))
		write_register(replay, text);
	else if (!strcmp(verb, "xclr"))
		sim_bank_write(bed_node(replay->bed), 0, 0, 0, 0);
	else if (!strcmp(verb, "expect"))
		run_move(replay, text);
	else if (!strcmp(verb, "page"))
		compare_page(replay, text);
	else if (!strcmp(verb, "err"))
		fail(replay, "bus errors are not placed by address");
	else if (!compare_list(replay, verb, text))
		set_up_memory(replay, verb, text);
}

static void take_lines(struct replay *replay, FILE *file)
{
	char line[LINE_MAX_CHARS], verb[16];
	int used;

	while (fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		used = 0;
		if (line[0] == '#' || sscanf(line, "%15s %n", verb, &used) != 1)
			continue;
		take_line(replay, verb, line + used);
	}
}

static int replay_cases(struct replay *replay, u32 quirks)
{
	FILE *file = fopen(replay->path, "r");

	if (!file)
		return -errno;
	replay->bed = bed_create(quirks);
	if (!replay->bed) {
		fclose(file);
		return -ENOMEM;
	}
	take_lines(replay, file);
	bed_destroy(replay->bed);
	fclose(file);
	return 0;
}

/* Recordings that are not of the documented behaviour, and tables. */
static const struct kind {
	const char *file;
	u32 quirks;
	bool informational;
	int (*table)(const char *path, struct tally *tally);
} kinds[] = {
	{ "gather.txt", .quirks = SIM_QUIRK_GATHER },
	{ "sequence.txt", .quirks = SIM_QUIRK_GATHER },
	{ "large.txt", .quirks = SIM_QUIRK_GATHER },
	{ "quirk.txt", .informational = true },
	{ "prng_table.txt", .table = replay_prng_table },
	{ "quant_table.txt", .table = replay_quant_table },
};

static int replay_file(const char *path, const u32 *quirks, struct tally *tally)
{
	struct replay replay = { .path = path, .file = path, .tally = tally };
	struct kind kind = { 0 };
	size_t i;

	if (strrchr(path, '/'))
		replay.file = strrchr(path, '/') + 1;
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(replay.file, kinds[i].file))
			kind = kinds[i];
	}
	if (kind.table)
		return kind.table(path, tally);
	replay.informational = kind.informational;
	return replay_cases(&replay, quirks ? *quirks : kind.quirks);
}

int replay_mover(int argc, char **argv)
{
	struct tally tally = { 0 };
	const u32 *quirks = NULL;
	u32 chosen;
	int i = 1;
	int err;

	if (argc > 2 && !strcmp(argv[1], "--quirks")) {
		chosen = strcmp(argv[2], "gather") ? 0 : SIM_QUIRK_GATHER;
		quirks = &chosen;
		i = 3;
	}
	for (; i < argc; i++) {
		err = replay_file(argv[i], quirks, &tally);
		if (err) {
			replay_complain(argv[i], "file", "%s", strerror(-err));
			tally.failed++;
		}
	}
	return replay_close(&tally);
}
