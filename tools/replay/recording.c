// SPDX-License-Identifier: GPL-2.0
#include "recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int grow(char ***lines, size_t count)
{
	char **more;

	if (count & (count - 1))
		return 0;
	more = realloc(*lines, (count ? 2 * count : 1) * sizeof(**lines));
	if (!more)
		return -ENOMEM;
	*lines = more;
	return 0;
}

static int read_lines(struct recording *recording, FILE *stream)
{
	char *line = NULL;
	size_t room = 0;
	int error = 0;

	while (!error && getline(&line, &room, stream) >= 0) {
		error = grow(&recording->lines, recording->line_count);
		if (error)
			break;
		recording->lines[recording->line_count++] = line;
		line = NULL;
		room = 0;
	}
	free(line);
	return error;
}

int recording_open(struct recording *recording, const char *file)
{
	FILE *stream = fopen(file, "r");
	int error;

	*recording = (struct recording){ .file = file };
	if (!stream)
		return -errno;
	error = read_lines(recording, stream);
	fclose(stream);
	return error;
}

void recording_close(struct recording *recording)
{
	for (size_t i = 0; i < recording->line_count; i++)
		free(recording->lines[i]);
	free(recording->lines);
	free(recording->copy);
	free(recording->token);
}

static bool cut(struct recording *recording, const char *line)
{
	char *state, *at;

	free(recording->copy);
	free(recording->token);
	recording->token_count = 0;
	recording->copy = strdup(line);
	recording->token = calloc(strlen(line) / 2 + 1, sizeof(char *));
	if (!recording->copy || !recording->token)
		return false;
	for (at = strtok_r(recording->copy, " \n", &state); at; at = strtok_r(NULL, " \n", &state))
		recording->token[recording->token_count++] = at;
	return true;
}

bool recording_next(struct recording *recording)
{
	while (recording->line < recording->line_count) {
		const char *line = recording->lines[recording->line++];

		if (*line != '#' && *line != '\n')
			return cut(recording, line);
	}
	return false;
}

bool recording_next_if(struct recording *recording, const char *word)
{
	size_t length = strlen(word);
	const char *line;

	if (recording->line == recording->line_count)
		return false;
	line = recording->lines[recording->line];
	if (strncmp(line, word, length) || !strchr(" \n", line[length]))
		return false;
	return recording_next(recording);
}

const char *token(const struct recording *recording, size_t i)
{
	return i < recording->token_count ? recording->token[i] : "";
}

bool token_is(const struct recording *recording, size_t i, const char *word)
{
	return !strcmp(token(recording, i), word);
}

int64_t token_number(const struct recording *recording, size_t i)
{
	return strtoll(token(recording, i), NULL, 10);
}

uint64_t token_hex(const struct recording *recording, size_t i)
{
	return strtoull(token(recording, i), NULL, 16);
}

size_t after(const struct recording *recording, const char *word)
{
	for (size_t i = 0; i < recording->token_count; i++)
		if (!strcmp(recording->token[i], word))
			return i + 1;
	return 0;
}

int64_t number_after(const struct recording *recording, const char *word)
{
	return token_number(recording, after(recording, word));
}

uint64_t hex_after(const struct recording *recording, const char *word)
{
	return token_hex(recording, after(recording, word));
}

enum outcome fail(const struct recording *recording, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "not ok %s:%zu: ", recording->file, recording->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return FAILED;
}

bool same(const struct recording *recording, const char *what, uint64_t ours, uint64_t recorded)
{
	if (ours == recorded)
		return true;
	fail(recording, "%s is %" PRIu64 " (0x%" PRIx64 "), recorded %" PRIu64 " (0x%" PRIx64 ")",
	     what, ours, ours, recorded, recorded);
	return false;
}
