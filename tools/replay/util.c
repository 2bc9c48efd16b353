// SPDX-License-Identifier: GPL-2.0
/*
 * What the replays of all subjects share.
 */
#include "replay.h"

#include <string.h>

void replay_complain(const char *file, const char *name, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "not ok %s: %s: ", file, name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

int replay_close(const struct tally *tally)
{
	printf("%u passed, %u failed, %u skipped\n", tally->passed, tally->failed,
	       tally->skipped);
	return tally->failed != 0;
}

uint64_t replay_fnv(uint64_t hash, const void *bytes, size_t size)
{
	const uint8_t *byte = bytes;

	for (; size; size--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

static int digit(char c)
{
	const char *digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

bool replay_hex(const char *text, uint8_t *bytes, size_t size)
{
	size_t i;

	if (strlen(text) != 2 * size)
		return false;
	for (i = 0; i < size; i++) {
		int hi = digit(text[2 * i]);
		int lo = digit(text[2 * i + 1]);

		if (hi < 0 || lo < 0)
			return false;
		bytes[size - 1 - i] = hi << 4 | lo;
	}
	return true;
}
