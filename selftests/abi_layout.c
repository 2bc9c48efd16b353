// SPDX-License-Identifier: GPL-2.0
/*
 * The facts of the ABI that must never change, from the tables in abi/: numbers,
 * sizes, offsets.  Structs only ever grow, at their end.  B03, B04, B05
 */
#include <stddef.h>

#include "kohaku_test.h"

static const struct size_fact {
	const char *name;
	size_t frozen, now;
} sizes[] = {
#define SIZE(type, bytes) { #type, bytes, sizeof(struct type) },
#define FIELD(type, member, offset, bytes)
#define VALUE(name, value)
#include "abi/v1/layout"
#include "abi/added"
#undef SIZE
#undef FIELD
};

static const struct field_fact {
	const char *name;
	size_t frozen_offset, offset, frozen_bytes, bytes;
} fields[] = {
#define SIZE(type, bytes)
#define FIELD(type, member, offset, bytes)	\
	{ #type "." #member, offset, offsetof(struct type, member),	\
	  bytes, sizeof(((struct type *)0)->member) },
#include "abi/v1/layout"
#include "abi/added"
#undef FIELD
#undef VALUE
};

static const struct value_fact {
	const char *name;
	long long frozen, now;
} values[] = {
#define FIELD(type, member, offset, bytes)
#define VALUE(name, value) { #name, value, (long long)(name) },
#include "abi/v1/layout"
#include "abi/added"
};

/* B03 */
TEST(struct_sizes)
{
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		EXPECT_LE(sizes[i].frozen, sizes[i].now) {
			TH_LOG("%s", sizes[i].name);
		}
	}
}

/* A member that is a struct may have grown with it.  B05 */
TEST(member_offsets)
{
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		EXPECT_EQ(fields[i].frozen_offset, fields[i].offset) {
			TH_LOG("%s", fields[i].name);
		}
		EXPECT_LE(fields[i].frozen_bytes, fields[i].bytes) {
			TH_LOG("%s", fields[i].name);
		}
	}
}

TEST(constants)
{
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		EXPECT_EQ(values[i].frozen, values[i].now) {
			TH_LOG("%s", values[i].name);
		}
	}
}

/* B04 */
TEST(command_numbers)
{
	EXPECT_EQ(0xBA80, KOHAKU_INFO);
	EXPECT_EQ(0xBA86, KOHAKU_SUBMIT);
	EXPECT_EQ(0xBA93, KOHAKU_FABRIC_TRACE);
}

TEST_HARNESS_MAIN
