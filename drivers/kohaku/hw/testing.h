/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Repeatable randomness for unit tests.
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

/* A new seed each run, or that of $KOHAKU_SEED to repeat one. */
static inline void testing_seed(const char *name)
{
	const char *given = getenv("KOHAKU_SEED");

	testing_state = given ? strtoull(given, NULL, 0) : (u64)time(NULL) * 0x9e3779b97f4a7c15ULL;
	testing_state |= 1;
	print_message("%s: KOHAKU_SEED=%#llx\n", name, (unsigned long long)testing_state);
}

static inline u64 random_bits(void)
{
	testing_state ^= testing_state << 13;
	testing_state ^= testing_state >> 7;
	testing_state ^= testing_state << 17;
	return testing_state;
}

/* Both ends included. */
static inline s64 random_between(s64 lo, s64 hi)
{
	return lo + (s64)(random_bits() % (u64)(hi - lo + 1));
}

static inline bool random_once_in(u32 n)
{
	return !(random_bits() % n);
}

#endif
