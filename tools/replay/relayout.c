// SPDX-License-Identifier: GPL-2.0
/* Recordings about relayout: which record is whose, and what they share. */
#include "relayout.h"

#include <string.h>

static const struct kind {
	const char *word;
	enum outcome (*run)(struct recording *recording);
} kinds[] = {
	{ "layout", relayout_layout },	{ "walk", relayout_affine },
	{ "mover", relayout_mover },	{ "plan", relayout_plan },
	{ "cand", relayout_widths },	{ "emit", relayout_emit },
	{ "e2e", relayout_e2e },	{ "vshuf", relayout_shuffle },
	{ "op", relayout_op },		{ "enc", relayout_encoding },
	{ "flit", relayout_flit },	{ "kernel", relayout_dead },
	{ "whole", relayout_whole },	{ "arena", relayout_arena },
	{ "stage", relayout_address },	{ "aperture", relayout_address },
	{ "dec", relayout_address },	{ "wrap", relayout_address },
	{ "hops", relayout_address },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static enum outcome run_case(struct recording *recording)
{
	for (size_t i = 0; i < KINDS; i++)
		if (token_is(recording, 0, kinds[i].word))
			return kinds[i].run(recording);
	return fail(recording, "unknown record %s", token(recording, 0));
}

/* A table of figures is told by its head; the rest has a word before each record. */
static bool is_table(const struct recording *recording)
{
	return recording->line_count && !strncmp(recording->lines[0], "# section |", 11);
}

static void run_file(struct recording *recording, struct tally *tally)
{
	while (recording_next(recording)) {
		switch (is_table(recording) ? relayout_figure(recording) : run_case(recording)) {
		case PASSED:
			tally->passed++;
			break;
		case FAILED:
			tally->failed++;
			break;
		case SKIPPED:
			tally->skipped++;
			break;
		}
	}
}

int replay_relayout(int argc, char **argv)
{
	struct tally tally = { 0 };

	for (int i = 1; i < argc; i++) {
		struct recording recording;
		int error = recording_open(&recording, argv[i]);

		if (error) {
			replay_complain(argv[i], "open", "%s", strerror(-error));
			tally.failed++;
		} else {
			run_file(&recording, &tally);
		}
		recording_close(&recording);
	}
	return replay_close(&tally);
}

static int take_layout(const char *name, uint32_t batch, const struct kohaku_shape *shape,
		       struct kohaku_packing *packing)
{
	struct kohaku_layout layout;
	int error = kohaku_layout_parse(name, &layout, NULL);

	if (batch > 1)
		layout.batch = batch;
	return error ? error : kohaku_packing_init(packing, &layout, shape, 0, NULL);
}

size_t take_conversion(struct recording *recording, size_t first, uint32_t batch,
		       struct kohaku_packing *before, struct kohaku_packing *after)
{
	struct kohaku_shape shape = { 0 };
	size_t ndim = token_number(recording, first + 2);

	if (batch > 1)
		shape.dims[shape.ndim++] = batch;
	for (size_t i = 0; i < ndim; i++)
		shape.dims[shape.ndim++] = token_number(recording, first + 3 + i);
	if (take_layout(token(recording, first), batch, &shape, before) ||
	    take_layout(token(recording, first + 1), batch, &shape, after))
		return 0;
	return first + 3 + ndim;
}

bool same_loops(const struct recording *recording, size_t first, const struct kohaku_loops *ours)
{
	if (!same(recording, "number of dimensions", ours->count,
		  token_number(recording, first)))
		return false;
	for (uint32_t i = 0; i < ours->count; i++)
		if (!same(recording, "stride", ours->dims[i].stride,
			  token_number(recording, first + 1 + 2 * i)) ||
		    !same(recording, "bound", ours->dims[i].bound,
			  token_number(recording, first + 2 + 2 * i)))
			return false;
	return true;
}

uint64_t fnv_number(uint64_t hash, uint32_t number)
{
	uint8_t bytes[4] = { number, number >> 8, number >> 16, number >> 24 };

	return replay_fnv(hash, bytes, sizeof(bytes));
}

void initial_elements(uint64_t seed, uint16_t *elements, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		uint16_t v;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		v = seed >> 48;
		if ((v & 0x7c00) == 0x7c00)
			v &= ~0x4000;
		elements[i] = v;
	}
}
