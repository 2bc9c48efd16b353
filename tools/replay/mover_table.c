// SPDX-License-Identifier: GPL-2.0
/*
 * Replays the tables of random words and of quantised blocks, through moves.
 */
#include "mover.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "bed.h"

#define SOURCE		0x100000
#define DESTINATION	0x200000
#define BLOCK_WORDS	8
#define RESULT_WORDS	4
#define LINE_MAX_CHARS	2048

/* A walker of one dimension without windows. */
static void set_walker(struct bed *bed, u32 walker, u64 base, u32 words, u64 extra)
{
	bed_register(bed, KOHAKU_REG_HEADER,
		     KOHAKU_PUT(KOHAKU_WALKER, walker) | KOHAKU_PUT(KOHAKU_HEADER_BASE, base) |
		     KOHAKU_PUT(KOHAKU_HEADER_NDIM, 1) | extra);
	bed_register(bed, KOHAKU_REG_DIM_STAGE,
		     KOHAKU_PUT(KOHAKU_WALKER, walker) | KOHAKU_PUT(KOHAKU_DIM_COUNT, words) |
		     KOHAKU_PUT(KOHAKU_DIM_STRIDE, KOHAKU_WORD));
	bed_register(bed, KOHAKU_REG_DIM_LATCH, 0);
}

static void go(struct bed *bed, u32 mode)
{
	bed_register(bed, KOHAKU_REG_CTRL,
		     KOHAKU_PUT(KOHAKU_CTRL_MODE, mode) | KOHAKU_CTRL_GO);
	bed_run(bed);
}

static bool prng_row(struct bed *bed, const char *line)
{
	u8 wanted[KOHAKU_WORD], got[KOHAKU_WORD];
	uint64_t seed, addr;
	char hex[65];

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %64s", &seed, &addr, hex) != 3 ||
	    !replay_hex(hex, wanted, sizeof(wanted)))
		return false;
	bed_restart(bed, 0, 0);
	bed_register(bed, KOHAKU_REG_SEED, seed);
	set_walker(bed, KOHAKU_WALKER_DST, addr, 1, 0);
	go(bed, KOHAKU_MODE_GENERATE);
	bed_read(bed, addr, got, sizeof(got));
	return !memcmp(got, wanted, sizeof(got));
}

static bool next_word(const char **line, u8 *bytes)
{
	char hex[65];
	int used;

	if (sscanf(*line, "%64s%n", hex, &used) != 1)
		return false;
	*line += used;
	return replay_hex(hex, bytes, KOHAKU_WORD);
}

static bool quant_row(struct bed *bed, const char *line)
{
	u8 wanted[RESULT_WORDS * KOHAKU_WORD], got[sizeof(wanted)], word[KOHAKU_WORD];
	u32 mode = line[0] - '0';
	u32 i;

	line++;
	bed_restart(bed, 0, 0);
	for (i = 0; i < BLOCK_WORDS; i++) {
		if (!next_word(&line, word))
			return false;
		bed_set_word(bed, SOURCE + i * KOHAKU_WORD, word);
	}
	for (i = 0; i < RESULT_WORDS; i++) {
		if (!next_word(&line, wanted + i * KOHAKU_WORD))
			return false;
	}
	set_walker(bed, KOHAKU_WALKER_SRC, SOURCE, BLOCK_WORDS,
		   KOHAKU_PUT(KOHAKU_HEADER_XFORM, 1) | KOHAKU_PUT(KOHAKU_HEADER_XMODE, mode));
	set_walker(bed, KOHAKU_WALKER_DST, DESTINATION, 1, 0);
	go(bed, KOHAKU_MODE_XFORM);
	bed_read(bed, DESTINATION, got, sizeof(got));
	return !memcmp(got, wanted, sizeof(got));
}

static int replay_rows(const char *path, struct tally *tally,
		       bool (*row)(struct bed *bed, const char *line))
{
	struct bed *bed = bed_create(0);
	FILE *file = bed ? fopen(path, "r") : NULL;
	char line[LINE_MAX_CHARS];
	unsigned int number = 0;
	int err = bed ? -errno : -ENOMEM;

	while (file && fgets(line, sizeof(line), file)) {
		char name[32];

		number++;
		if (line[0] == '#')
			continue;
		if (row(bed, line)) {
			tally->passed++;
			continue;
		}
		snprintf(name, sizeof(name), "line %u", number);
		replay_complain(path, name, "the result differs");
		tally->failed++;
	}
	if (bed)
		bed_destroy(bed);
	if (!file)
		return err;
	fclose(file);
	return 0;
}

int replay_prng_table(const char *path, struct tally *tally)
{
	return replay_rows(path, tally, prng_row);
}

int replay_quant_table(const char *path, struct tally *tally)
{
	return replay_rows(path, tally, quant_row);
}
