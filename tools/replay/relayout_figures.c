// SPDX-License-Identifier: GPL-2.0
/*
 * Figures that the card's description prints, computed by our own code.
 *
 * A line is "section | item | printed | answered | match | note".  What we
 * compute is compared with what the reference answered; items about earlier
 * versions of it, or about programs beyond their conversions, are skipped.
 */
#include "relayout.h"

#include "hw/address.h"
#include "hw/vector.h"
#include "lib/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX 64
#define CONVERSIONS_MAX 64

/* A conversion of blocks of rows by cols; count 1 is no batch. */
struct conversion {
	char from[KOHAKU_LAYOUT_NAME], to[KOHAKU_LAYOUT_NAME];
	uint64_t rows, cols;
	uint32_t count;
	bool dead;
};

static bool pack_of(const char *name, const struct conversion *c, struct kohaku_packing *packing)
{
	struct kohaku_shape shape = { 2, { c->rows, c->cols } };
	struct kohaku_layout layout;

	if (c->count > 1)
		shape = (struct kohaku_shape){ 3, { c->count, c->rows, c->cols } };
	if (kohaku_layout_parse(name, &layout, NULL))
		return false;
	layout.batch = c->count > 1 ? c->count : 0;
	return !kohaku_packing_init(packing, &layout, &shape, 0, NULL);
}

static bool plan_of(const struct conversion *c, struct kohaku_plan *plan)
{
	struct kohaku_packing before, after_packing;

	return pack_of(c->from, c, &before) && pack_of(c->to, c, &after_packing) &&
	       !kohaku_plan_init(plan, &before, &after_packing, NULL, NULL);
}

/*
 * Attention over length columns in blocks of 64: of each block's three
 * temporaries, scores and output come in tiles and are wanted flat, weights
 * come flat and are wanted in entries; the next block writes them all anew.
 */
static size_t attention(uint32_t heads, uint64_t rows, uint64_t length, struct conversion *list)
{
	size_t count = 0, changes = 2 * length / 64 - 1;
	char tile[KOHAKU_LAYOUT_NAME];

	snprintf(tile, sizeof(tile), "tile:%" PRIu64 "x2:8x8", rows / 32);
	for (int temporary = 0; temporary < 3; temporary++) {
		const char *come = temporary == 1 ? "flat" : tile;
		const char *wanted = temporary == 1 ? "entry:8x2" : "flat";

		for (size_t i = 0; i < changes && count < CONVERSIONS_MAX; i++) {
			struct conversion *c = &list[count++];

			*c = (struct conversion){ .rows = rows, .cols = 64, .count = heads,
						  .dead = i % 2 };
			strcpy(c->from, i % 2 ? wanted : come);
			strcpy(c->to, i % 2 ? come : wanted);
		}
	}
	return count;
}

/* The program an item is about: "mlp", "4x128", "flash 4x128x128", "4h 128x128". */
static size_t program_of(const char *item, struct conversion *list)
{
	unsigned int heads, rows, length;
	int n = 0;

	if (!strncmp(item, "mlp", 3)) {
		list[0] = (struct conversion){ "tile:2x8:8x8", "entry:8x2", 64, 256, 1, false };
		return 1;
	}
	if (sscanf(item, "flash %ux%ux%u", &heads, &rows, &length) == 3 ||
	    sscanf(item, "%uh %ux%u", &heads, &rows, &length) == 3)
		return attention(heads, rows, length, list);
	if (sscanf(item, "%ux%u:%n", &heads, &rows, &n) == 2 && n)
		return attention(heads, rows, rows, list);
	return 0;
}

/* What the conversions of a program add up to. */
struct sum {
	uint64_t all, live, transposing, bytes, cycles, credits, credits_staged;
	uint64_t live_bytes, live_credits_staged, live_credits_in_staging;
	bool in_place;
};

static uint64_t credits_with(const struct kohaku_plan *plan, uint64_t room, enum kohaku_home home)
{
	return kohaku_plan_credits(plan, kohaku_plan_route(plan, room, home), home) * plan->count;
}

static bool add(struct sum *sum, const struct conversion *c)
{
	struct kohaku_plan_cost cost;
	struct kohaku_plan plan;
	uint64_t bytes;

	if (!plan_of(c, &plan))
		return false;
	kohaku_plan_cost(&plan, &cost);
	bytes = plan.total * KOHAKU_WORD_SIZE * plan.count;
	sum->all++;
	sum->transposing += plan.transpose;
	sum->in_place &= plan.in_place;
	sum->bytes += bytes;
	sum->credits += credits_with(&plan, 0, KOHAKU_HOME_DRAM);
	sum->credits_staged += credits_with(&plan, KOHAKU_STAGING_SIZE, KOHAKU_HOME_DRAM);
	if (!c->dead) {
		sum->live++;
		sum->cycles += cost.cycles;
		sum->live_bytes += bytes;
		sum->live_credits_staged +=
			credits_with(&plan, KOHAKU_STAGING_SIZE, KOHAKU_HOME_DRAM);
		sum->live_credits_in_staging += credits_with(&plan, 0, KOHAKU_HOME_STAGING);
	}
	kohaku_plan_fini(&plan);
	return true;
}

static bool sum_up(const char *item, struct sum *sum)
{
	struct conversion list[CONVERSIONS_MAX];
	size_t count = program_of(item, list);

	*sum = (struct sum){ .in_place = true };
	for (size_t i = 0; i < count; i++)
		if (!add(sum, &list[i]))
			return false;
	return count;
}

static bool has(const char *item, const char *words)
{
	return strstr(item, words);
}

/* Figures about a whole program. */
static bool program_figure(const char *item, char *text)
{
	struct sum sum;

	if (!sum_up(item, &sum))
		return false;
	if (has(item, "conversions/word perms/sub-word"))
		sprintf(text, "%" PRIu64 "/%" PRIu64 "/%" PRIu64, sum.all,
			sum.all - sum.transposing, sum.transposing);
	else if (has(item, "conversions / dropped"))
		sprintf(text, "%" PRIu64 " / %" PRIu64, sum.all, sum.all - sum.live);
	else if (has(item, "relayouts_device"))
		sprintf(text, "%" PRIu64, sum.live);
	else if (has(item, "analytic relayout cycles"))
		sprintf(text, "%" PRIu64, sum.cycles);
	else if (has(item, "no S, all conversions"))
		sprintf(text, "%.1f", (double)sum.credits / sum.bytes);
	else if (has(item, "2 MB S, all conversions"))
		sprintf(text, "%.1f", (double)sum.credits_staged / sum.bytes);
	else if (has(item, "2 MB S, LIVE"))
		sprintf(text, "%.1f", (double)sum.live_credits_staged / sum.live_bytes);
	else
		return false;
	return true;
}

/* Words of the destination that are whole in the source. */
static uint64_t whole_words(const struct conversion *c, uint64_t words)
{
	struct kohaku_packing before, after_packing;
	uint32_t *from = NULL, *to = NULL;
	uint64_t found = 0;

	if (pack_of(c->from, c, &before) && pack_of(c->to, c, &after_packing)) {
		from = malloc(before.slots * sizeof(*from));
		to = malloc(after_packing.slots * sizeof(*to));
	}
	if (from && to) {
		perm_image(&before, from);
		perm_image(&after_packing, to);
		/* Elements ascend along a row, so a word's first one finds its twin. */
		for (uint64_t i = 0; i < words; i++)
			for (uint64_t k = 0; k < words; k++)
				if (from[k * PERM_WORD] == to[i * PERM_WORD])
					found += !memcmp(from + k * PERM_WORD, to + i * PERM_WORD,
							 PERM_WORD * sizeof(*from));
	}
	free(from);
	free(to);
	return found;
}

/* Figures about one conversion: "FROM -> TO (R, C)..". */
static bool conversion_figure(const char *item, char *text)
{
	struct kohaku_sharding two, four;
	struct conversion c = { .count = 1 };
	struct kohaku_plan plan;

	if (sscanf(item, "%79s -> %79s (%" SCNu64 ", %" SCNu64 ") x%" SCNu32, c.from, c.to,
		   &c.rows, &c.cols, &c.count) < 4 &&
	    sscanf(item, "%79s -> %79s (%" SCNu64 ",%" SCNu64 ")", c.from, c.to, &c.rows,
		   &c.cols) != 4)
		return false;
	if (!plan_of(&c, &plan))
		return false;
	kohaku_plan_shard(&plan, 2, &two);
	kohaku_plan_shard(&plan, 4, &four);
	if (has(item, "whole words found"))
		sprintf(text, "%" PRIu64 " of %" PRIu64, whole_words(&c, plan.total) * plan.count,
			plan.total * plan.count);
	else if (has(item, "inplace local4 crossing4"))
		sprintf(text, "%d %d %" PRIu64, plan.in_place, four.local, four.crossing);
	else if (has(item, "inplace words local4 local2"))
		sprintf(text, "%d %u %d %d", plan.in_place, plan.words, four.local, two.local);
	else
		text[0] = '\0';
	kohaku_plan_fini(&plan);
	return text[0];
}

static uint64_t cycles_of(const char *from, const char *to)
{
	struct conversion c = { .rows = 1024, .cols = 64, .count = 1 };
	struct kohaku_plan_cost cost = { .cycles = 0 };
	struct kohaku_plan plan;

	strcpy(c.from, from);
	strcpy(c.to, to);
	if (plan_of(&c, &plan)) {
		kohaku_plan_cost(&plan, &cost);
		kohaku_plan_fini(&plan);
	}
	return cost.cycles;
}

static bool in_place(uint64_t cols)
{
	struct conversion c = { "entry:8x2", "flat", 64, cols, 1, false };
	struct kohaku_plan plan;
	bool answer;

	if (!plan_of(&c, &plan))
		return false;
	answer = plan.in_place;
	kohaku_plan_fini(&plan);
	return answer;
}

static void image_words(char *text)
{
	sprintf(text, "%u", kohaku_vector_image_words(256, false));
}

static void transposing_image_words(char *text)
{
	sprintf(text, "%u", kohaku_vector_image_words(128, true));
}

static void instructions_of_32_words(char *text)
{
	sprintf(text, "%u", kohaku_vector_image_words(64, true) -
			    kohaku_vector_image_words(32, true));
}

static void estimates(char *text)
{
	sprintf(text, "%" PRIu64 " / %" PRIu64, plan_estimate(128, 1024, 4, true),
		plan_estimate(256, 1024, 4, true));
}

static void in_place_or_not(char *text)
{
	sprintf(text, "%s / %s", in_place(64) ? "yes" : "no", in_place(128) ? "yes" : "no");
}

static void first_staging_address(char *text)
{
	u64 addr = 0;

	kohaku_address_onchip(0, KOHAKU_APERTURE_STAGING, 0, &addr);
	sprintf(text, "0x%" PRIx64, (uint64_t)addr);
}

static void run_cycles(char *text)
{
	sprintf(text, "%u", kohaku_vector_run_cycles(256, false));
}

static void cycles_a_word(char *text)
{
	double word = (kohaku_vector_run_cycles(256, true) -
		       kohaku_vector_run_cycles(128, true)) / 128.0;

	sprintf(text, "%g / %g", word, word / PERM_WORD);
}

static void credits_a_byte(char *text)
{
	struct conversion c = { "tile:2x2:8x8", "flat", 64, 64, 1, false };
	const uint64_t bytes = 64 * 64 * 2;
	struct kohaku_plan plan;

	if (!plan_of(&c, &plan))
		return;
	sprintf(text, "%" PRIu64 " / %" PRIu64 " / %" PRIu64,
		kohaku_plan_credits(&plan, KOHAKU_PASS_IN_PLACE, KOHAKU_HOME_DRAM) / bytes,
		kohaku_plan_credits(&plan, KOHAKU_PASS_VIA_STAGING, KOHAKU_HOME_DRAM) / bytes,
		kohaku_plan_credits(&plan, KOHAKU_PASS_VIA_DRAM, KOHAKU_HOME_DRAM) / bytes);
	kohaku_plan_fini(&plan);
}

static void tile_crossing(char *text)
{
	sprintf(text, "%" PRIu64, cycles_of("tile:32x2:8x8", "flat"));
}

static void entry_crossing(char *text)
{
	sprintf(text, "%" PRIu64, cycles_of("flat", "entry:8x2"));
}

static void crossing_ratio(char *text)
{
	sprintf(text, "%.0f", (double)cycles_of("tile:32x2:8x8", "flat") /
			      cycles_of("flat", "entry:8x2"));
}

static void every_conversion_in_place(char *text)
{
	struct sum mlp, flash;

	if (sum_up("mlp", &mlp) && sum_up("flash 4x256x256", &flash))
		strcpy(text, mlp.in_place && flash.in_place ? "yes" : "no");
}

static void home_credits(char *text)
{
	struct sum sum;

	if (sum_up("flash 4x256x256", &sum))
		sprintf(text, "%.1f / %.1f", (double)sum.credits / sum.bytes,
			(double)sum.live_credits_in_staging / sum.live_bytes);
}

/* Items that stand for themselves. */
static const struct figure {
	const char *item;
	void (*compute)(char *text);
} figures[] = {
	{ "Strided image words", image_words },
	{ "Subtile image at 4 blocks = 28 + 24*4", transposing_image_words },
	{ "instructions per 32 words, predicated", instructions_of_32_words },
	{ "same with the constants in the reference at hand", estimates },
	{ "entry:8x2 -> flat in place at (64,64) / (64,128)", in_place_or_not },
	{ "first staging address", first_staging_address },
	{ "Strided run cycles", run_cycles },
	{ "Subtile cycles per word / per element", cycles_a_word },
	{ "credits per byte: over buffer / S / M", credits_a_byte },
	{ "tile <-> flat over (1024,64): each", tile_crossing },
	{ "flat <-> entry over (1024,64): each", entry_crossing },
	{ "ratio", crossing_ratio },
	{ "every conversion of mlp and flash_attention in place", every_conversion_in_place },
	{ "temps in DRAM / in S credits per byte (live)", home_credits },
};

static bool compute(const char *item, char *text)
{
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		if (!strcmp(item, figures[i].item)) {
			figures[i].compute(text);
			return true;
		}
	}
	return conversion_figure(item, text) || program_figure(item, text);
}

/* Field k of a line, without the blanks around it. */
static void field(const char *line, int k, char *text, size_t size)
{
	size_t length;

	for (; k; k--)
		line = strchr(line, '|') ? strchr(line, '|') + 1 : line;
	line += strspn(line, " ");
	length = strcspn(line, "|\n");
	while (length && line[length - 1] == ' ')
		length--;
	snprintf(text, size, "%.*s", (int)length, line);
}

enum outcome relayout_figure(struct recording *recording)
{
	const char *line = recording->lines[recording->line - 1];
	char item[160], answered[160], ours[TEXT_MAX] = "";

	field(line, 1, item, sizeof(item));
	field(line, 3, answered, sizeof(answered));
	if (!compute(item, ours))
		return SKIPPED;
	if (strcmp(ours, answered))
		return fail(recording, "%s: %s, recorded %s", item, ours, answered);
	return PASSED;
}
