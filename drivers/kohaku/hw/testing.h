/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Repeatable randomness for unit tests, or choices made by a fuzzer.
 */
#ifndef KOHAKU_HW_TESTING_H
#define KOHAKU_HW_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "types.h"

static u64 testing_state = 1;
static const u8 *testing_bytes;
static size_t testing_left;

/* A new seed each run, or that of $KOHAKU_SEED to repeat one. */
static inline void testing_seed(const char *name)
{
	const char *given = getenv("KOHAKU_SEED");

	testing_state = given ? strtoull(given, NULL, 0) : (u64)time(NULL) * 0x9e3779b97f4a7c15ULL;
	testing_state |= 1;
	print_message("%s: KOHAKU_SEED=%#llx\n", name, (unsigned long long)testing_state);
}

/* From here on a fuzzer's bytes are what is drawn; after the last one always the same. */
static inline void testing_feed(const void *bytes, size_t size)
{
	testing_bytes = bytes;
	testing_left = size;
	testing_state = 0x9e3779b97f4a7c15ULL;
}

/* The next bytes of a fuzzer as a number, no more of them than limit has. */
static inline u64 testing_take(u64 limit)
{
	u64 value = 0;

	for (; limit && testing_left; limit >>= 8, testing_left--)
		value = value << 8 | *testing_bytes++;
	return value;
}

static inline u64 random_bits(void)
{
	if (testing_left)
		return testing_take(U64_MAX);
	testing_state ^= testing_state << 13;
	testing_state ^= testing_state >> 7;
	testing_state ^= testing_state << 17;
	return testing_state;
}

/* Less than limit, which is not 0. */
static inline u64 random_below(u64 limit)
{
	return (testing_left ? testing_take(limit - 1) : random_bits()) % limit;
}

/* Both ends included. */
static inline s64 random_between(s64 lo, s64 hi)
{
	return lo + (s64)random_below((u64)(hi - lo + 1));
}

static inline bool random_once_in(u32 n)
{
	return !random_below(n);
}

#endif
