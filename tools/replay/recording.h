/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings of lines of tokens: the form of everything about relayout.
 */
#ifndef RECORDING_H
#define RECORDING_H

#include "replay.h"

#include <stddef.h>

struct recording {
	const char *file;
	char **lines;		/* all of them, whole */
	size_t line_count;
	size_t line;		/* lines read so far: the number of the current one */
	char *copy;		/* the current line, cut into tokens */
	char **token;
	size_t token_count;
};

/* What became of a case; a case begins at a line and may read on. */
enum outcome { PASSED, FAILED, SKIPPED };

/* -ENOENT and so on. */
int recording_open(struct recording *recording, const char *file);
void recording_close(struct recording *recording);

/* Takes the next line that is no comment; false at the end. */
bool recording_next(struct recording *recording);
/* Takes the next line only if it begins with a word. */
bool recording_next_if(struct recording *recording, const char *word);

/* Token i, "" beyond the end. */
const char *token(const struct recording *recording, size_t i);
bool token_is(const struct recording *recording, size_t i, const char *word);
int64_t token_number(const struct recording *recording, size_t i);
uint64_t token_hex(const struct recording *recording, size_t i);

/* The number of the token after a word of the current line; 0 when it is absent. */
size_t after(const struct recording *recording, const char *word);
int64_t number_after(const struct recording *recording, const char *word);
uint64_t hex_after(const struct recording *recording, const char *word);

/* Complains about the current line. */
__attribute__((format(printf, 2, 3)))
enum outcome fail(const struct recording *recording, const char *format, ...);

/* Complains when a number is not what was recorded. */
bool same(const struct recording *recording, const char *what, uint64_t ours, uint64_t recorded);

#endif
