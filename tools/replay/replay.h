/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kohaku-replay: recorded behaviour against the code of this project.
 */
#ifndef REPLAY_H
#define REPLAY_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What became of the cases. */
struct tally {
	unsigned int passed, failed, skipped;
};

/* Each runs the files in argv[1..] and returns the program's exit code. */
int replay_mover(int argc, char **argv);
int replay_relayout(int argc, char **argv);
int replay_transfer(int argc, char **argv);

/* Says on stderr why a case fails; counting it is the caller's. */
__attribute__((format(printf, 3, 4)))
void replay_complain(const char *file, const char *name, const char *format, ...);
/* Prints the closing line.  Return: the exit code, 1 if a case failed. */
int replay_close(const struct tally *tally);

#define REPLAY_FNV_START 0xcbf29ce484222325ULL
uint64_t replay_fnv(uint64_t hash, const void *bytes, size_t size);
/* Reads a number of bytes * 2 hex digits, most significant first, into little-endian bytes. */
bool replay_hex(const char *text, uint8_t *bytes, size_t size);

#endif
