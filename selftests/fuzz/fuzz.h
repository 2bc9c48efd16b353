/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What libFuzzer targets share.  A target draws its choices from the input with
 * random_*() after testing_feed(), or reads the input as it is.
 */
#ifndef SELFTESTS_FUZZ_H
#define SELFTESTS_FUZZ_H

#include "hw/testing.h"

/* The fuzzer keeps the input of a process that aborts. */
#define REQUIRE(condition) do {							\
	if (!(condition)) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);	\
		abort();							\
	}									\
} while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size);

/* Oracles that unit tests share with us fail by cmocka's assertions: abort there too. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return setenv("CMOCKA_TEST_ABORT", "1", 1);
}

/* The input as a text; to be freed.  No text has a zero byte. */
static inline char *fuzz_text(const u8 *bytes, size_t size)
{
	char *text = malloc(size + 1);

	REQUIRE(text);
	memcpy(text, bytes, size);
	text[size] = 0;
	return text;
}

#endif
