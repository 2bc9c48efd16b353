// SPDX-License-Identifier: GPL-2.0
/* Recordings about the transfer fabric: which record is whose. */
#include "transfer.h"

#include <string.h>

bool transfer_every_setting;
const char *transfer_node;

static const struct kind {
	const char *word;
	enum outcome (*run)(struct recording *recording);
} kinds[] = {
	{ "lane", transfer_lane },	{ "map", transfer_map },
	{ "reg", transfer_register },	{ "segmap", transfer_segments },
	{ "sync", transfer_sync },	{ "case", transfer_program },
	{ "scenario", transfer_scenario },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static enum outcome run_case(struct recording *recording)
{
	for (size_t i = 0; i < KINDS; i++)
		if (token_is(recording, 0, kinds[i].word))
			return kinds[i].run(recording);
	return fail(recording, "unknown record %s", token(recording, 0));
}

static void run_file(struct recording *recording, struct tally *tally)
{
	while (recording_next(recording)) {
		switch (run_case(recording)) {
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

int replay_transfer(int argc, char **argv)
{
	struct tally tally = { 0 };
	int first = 1;

	for (; first < argc && !strncmp(argv[first], "--", 2); first++) {
		if (!strncmp(argv[first], "--node=", 7))
			transfer_node = argv[first] + 7;
		else if (!strcmp(argv[first], "--every-setting"))
			transfer_every_setting = true;
		else
			break;
	}
	for (int i = first; i < argc; i++) {
		struct recording recording;
		int err = recording_open(&recording, argv[i]);

		if (err) {
			replay_complain(argv[i], "open", "%s", strerror(-err));
			tally.failed++;
			continue;
		}
		run_file(&recording, &tally);
		recording_close(&recording);
	}
	return replay_close(&tally);
}
