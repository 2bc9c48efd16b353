// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: programs on fabrics of any make against a flat, sequential
 * reference of memory, registers, results and counters.
 */
#include "fuzz.h"

#include "sim/transfer/random_program.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct bits bits = { .bytes = bytes, .left = size };
	struct fabric_counters counters;

	REQUIRE(good_program(bits, 0, &counters));
	return 0;
}
