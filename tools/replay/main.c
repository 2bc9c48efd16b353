// SPDX-License-Identifier: GPL-2.0
/*
 * kohaku-replay SUBJECT FILE...: runs recordings and compares.
 */
#include "replay.h"

#include <string.h>

static const struct subject {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} subjects[] = {
	{ "mover", replay_mover, "[--quirks gather|none] FILE...  moves of the memory mover" },
	{ "relayout", replay_relayout, "FILE...  layouts, plans and programs of the vector core" },
	{ "transfer", replay_transfer,
	  "[--every-setting | --node=NODE] FILE...  programs of the transfer fabric" },
};

#define SUBJECTS (sizeof(subjects) / sizeof(subjects[0]))

int main(int argc, char **argv)
{
	size_t i;

	for (i = 0; argc > 2 && i < SUBJECTS; i++) {
		if (!strcmp(argv[1], subjects[i].name))
			return subjects[i].run(argc - 1, argv + 1);
	}
	for (i = 0; i < SUBJECTS; i++)
		fprintf(stderr, "usage: kohaku-replay %s %s\n", subjects[i].name,
			subjects[i].help);
	return 2;
}
