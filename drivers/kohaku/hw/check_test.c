// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What is allowed and what is refused, by example and against the definition.
 */
#include "hw/testing.h"

#include "hw/move_oracle.h"
#include "hw/move_random.h"

static struct kohaku_walk_scratch scratch;

/* Gives a walker words elements, one after the other. */
static void contiguous(struct kohaku_walker *walker, u32 words)
{
	*walker = (struct kohaku_walker){ .ndim = 1, .dims = { { 32, words, 0, 0 } } };
}

/* A legal move of each mode, for tests to spoil. */
static struct move_setting *legal(u16 mode)
{
	static struct move_setting s;
	u32 i;

	s = (struct move_setting){
		.move = { .mode = mode },
		.src = { MESH1 + 0x10000, 4096 },
		.dst = { MESH1 + 0x20000, 4096 },
	};
	move_setting_link(&s, &scratch);
	contiguous(&s.move.dst, 128);
	switch (mode) {
	case KOHAKU_MOVE_COPY:
		contiguous(&s.move.src, 128);
		break;
	case KOHAKU_MOVE_GATHER:
		s.move.index_count = 32;
		s.move.row_words = 4;
		s.move.pitch = 128;
		for (i = 0; i < 32; i++)
			s.indices[i] = 31 - i;
		break;
	case KOHAKU_MOVE_XFORM:
		contiguous(&s.move.src, 128);
		contiguous(&s.move.dst, 16);
		s.move.dst.dims[0].stride = 128;
		break;
	}
	return &s;
}

static int check(struct move_setting *s)
{
	return kohaku_move_check(&s->move, &s->context, &s->facts, &s->verdict);
}

static void assert_legal(struct move_setting *s)
{
	assert_int_equal(check(s), 0);
	assert_int_equal(s->verdict.refusal, KOHAKU_REFUSAL_NONE);
}

static void assert_refused(struct move_setting *s, enum kohaku_refusal refusal, int walker, int dim)
{
	int error = check(s);

	assert_int_equal(s->verdict.refusal, refusal);
	assert_int_equal(error, kohaku_refusal_errno(refusal));
	assert_true(error < 0);
	assert_int_equal(s->verdict.walker, walker);
	assert_int_equal(s->verdict.dim, dim);
}

#define SRC KOHAKU_WALKER_SRC
#define DST KOHAKU_WALKER_DST
/* Spoils one thing of a legal move. */
#define REFUSED(mode, spoil, refusal, walker, dim) do {			\
	struct move_setting *s = legal(KOHAKU_MOVE_##mode);			\
									\
	assert_legal(s);						\
	spoil;								\
	assert_refused(s, KOHAKU_REFUSAL_##refusal, walker, dim);	\
} while (0)
#define LEGAL(mode, change) do {					\
	struct move_setting *s = legal(KOHAKU_MOVE_##mode);			\
									\
	change;								\
	assert_legal(s);						\
} while (0)

static void test_scalars(void **unused)
{
	(void)unused;
	REFUSED(COPY, s->move.mode = 1, MODE, -1, -1);
	REFUSED(COPY, s->move.mode = 6, MODE, -1, -1);
	REFUSED(COPY, s->move.mode = 8, MODE, -1, -1);
	REFUSED(COPY, s->move.flags = 2, FLAGS, -1, -1);
	REFUSED(COPY, s->move.flags = 1U << 31, FLAGS, -1, -1);
	REFUSED(FILL, s->move.width = 3, WIDTH, -1, -1);
	REFUSED(FILL, s->move.burst_cap = 8, CAP, -1, -1);
	LEGAL(FILL, (s->move.width = 2, s->move.burst_cap = 7, s->move.flags = 1));
	assert_int_equal(kohaku_refusal_errno(KOHAKU_REFUSAL_MODE), -EOPNOTSUPP);
	assert_int_equal(kohaku_refusal_errno(KOHAKU_REFUSAL_FLAGS), -EOPNOTSUPP);
	assert_int_equal(kohaku_refusal_errno(KOHAKU_REFUSAL_UNUSED), -EOPNOTSUPP);
	assert_int_equal(kohaku_refusal_errno(KOHAKU_REFUSAL_BOUNDS), -EINVAL);
}

static void test_unused_fields(void **unused)
{
	(void)unused;
	REFUSED(GENERATE, s->move.imm = 1, UNUSED, -1, -1);
	REFUSED(XFORM, s->move.width = 1, UNUSED, -1, -1);
	REFUSED(COPY, s->move.seed = 1, UNUSED, -1, -1);
	REFUSED(COPY, s->move.indices = 1, UNUSED, -1, -1);
	REFUSED(COPY, s->move.index_count = 1, UNUSED, -1, -1);
	REFUSED(FILL, s->move.pitch = 32, UNUSED, -1, -1);
	REFUSED(XFORM, s->move.row_words = 1, UNUSED, -1, -1);
	REFUSED(COPY, s->move.xform = 1, UNUSED, -1, -1);
	REFUSED(GATHER, s->move.xform_mode = 1, UNUSED, -1, -1);
	REFUSED(FILL, s->move.src.buffer = 1, UNUSED, SRC, -1);
	REFUSED(GENERATE, s->move.src.windows[1].extent = 1, UNUSED, SRC, -1);
	REFUSED(GATHER, s->move.src.ndim = 1, UNUSED, SRC, -1);
	REFUSED(GATHER, s->move.src.dims[5].axis = 1, UNUSED, SRC, -1);
	REFUSED(COPY, s->move.src.dims[1].count = 1, UNUSED, SRC, 1);
	REFUSED(COPY, s->move.dst.dims[5].step = 1, UNUSED, DST, 5);
	LEGAL(GENERATE, s->move.seed = ~0ULL);
	LEGAL(COPY, (s->move.imm = 7, s->move.width = 1));
	LEGAL(GATHER, s->move.src.buffer = 9);
}

static void test_walker_fields(void **unused)
{
	(void)unused;
	REFUSED(COPY, s->move.src.ndim = 0, NDIM, SRC, -1);
	REFUSED(COPY, s->move.dst.ndim = 7, NDIM, DST, -1);
	REFUSED(COPY, s->move.src.dims[0].count = 0, COUNT, SRC, 0);
	REFUSED(COPY, s->move.dst.dims[0].count = 65536, COUNT, DST, 0);
	REFUSED(COPY, s->move.dst.dims[0].stride = 1LL << 31, STRIDE, DST, 0);
	REFUSED(COPY, s->move.src.dims[0].stride = -(1LL << 31) - 32, STRIDE, SRC, 0);
	REFUSED(COPY, s->move.src.dims[0].stride = S64_MIN, STRIDE, SRC, 0);
	REFUSED(COPY, s->move.dst.dims[0].axis = 3, AXIS, DST, 0);
	REFUSED(COPY, s->move.dst.windows[0].base = 32768, WINDOW, DST, -1);
	REFUSED(COPY, s->move.src.windows[1].base = -32769, WINDOW, SRC, -1);
	REFUSED(COPY, s->move.src.windows[1].extent = 65536, WINDOW, SRC, -1);
	LEGAL(COPY, (s->move.src.windows[0].base = -32768, s->move.src.windows[0].extent = 65535));
}

/* A coordinate that the mover would wrap; the axis must be in use. */
static void test_coordinates(void **unused)
{
	(void)unused;
	REFUSED(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = 259,
		       s->move.dst.windows[1].extent = 1), COORDINATE, DST, -1);
	LEGAL(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = 258,
		     s->move.dst.windows[1].extent = 1));
	LEGAL(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = 259));
	REFUSED(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = -259,
		       s->move.dst.windows[1].extent = 1), COORDINATE, DST, -1);
	/* 1 + 127 * 258 is 32767, 125 - 127 * 259 is -32768. */
	LEGAL(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = 258,
		     s->move.dst.windows[1].base = 1, s->move.dst.windows[1].extent = 1));
	REFUSED(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = 258,
		       s->move.dst.windows[1].base = 2, s->move.dst.windows[1].extent = 1),
		COORDINATE, DST, -1);
	LEGAL(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = -259,
		     s->move.dst.windows[1].base = 125, s->move.dst.windows[1].extent = 1));
	REFUSED(FILL, (s->move.dst.dims[0].axis = 2, s->move.dst.dims[0].step = -259,
		       s->move.dst.windows[1].base = 124, s->move.dst.windows[1].extent = 1),
		COORDINATE, DST, -1);
}

static void test_bounds(void **unused)
{
	struct move_setting *s;
	u32 i;

	(void)unused;
	REFUSED(FILL, s->move.dst.dims[0].count = 129, BOUNDS, DST, -1);
	REFUSED(FILL, s->move.dst.offset = 32, BOUNDS, DST, -1);
	REFUSED(FILL, s->move.dst.offset = 4096, BOUNDS, DST, -1);
	REFUSED(FILL, s->move.dst.offset = -32, BOUNDS, DST, -1);
	REFUSED(FILL, s->move.dst.offset = S64_MIN, OFFSET, DST, -1);
	REFUSED(FILL, s->move.dst.offset = -(1LL << 40), OFFSET, DST, -1);
	REFUSED(FILL, s->move.dst.offset = 1ULL << 40, OFFSET, DST, -1);
	REFUSED(COPY, s->move.src.offset = -32, BOUNDS, SRC, -1);
	/* Padding may begin before the buffer and end behind it. */
	LEGAL(COPY, (s->move.src.offset = -32, s->move.src.dims[0].axis = 1,
		     s->move.src.dims[0].step = 1,
		     s->move.src.windows[0] = (struct kohaku_window){ -1, U16_MAX }));
	/* A walk down to byte 0, and one that goes a word below it. */
	LEGAL(FILL, (s->move.dst.offset = 4064, s->move.dst.dims[0].stride = -32));
	REFUSED(FILL, (s->move.dst.offset = 4032, s->move.dst.dims[0].stride = -32),
		BOUNDS, DST, -1);
	/* The last word fits, any later byte does not. */
	LEGAL(FILL, (s->move.dst.offset = 4064, s->move.dst.dims[0].count = 1));
	for (i = 1; i < 32; i++)
		REFUSED(FILL, (s->move.dst.offset = 4064 + i, s->move.dst.dims[0].count = 1),
			BOUNDS, DST, -1);
	/* Padding reaches outside without touching it. */
	LEGAL(COPY, (s->src.size = 2048, s->move.src.dims[0].axis = 1,
		     s->move.src.dims[0].step = 1, s->move.src.windows[0].extent = 64));
	REFUSED(COPY, (s->src.size = 2048, s->move.src.dims[0].axis = 1,
		       s->move.src.dims[0].step = 1, s->move.src.windows[0].extent = 65),
		BOUNDS, SRC, -1);
	/* All suppressed: nothing is touched. */
	s = legal(KOHAKU_MOVE_FILL);
	s->move.dst.dims[0].count = 9999;
	s->move.dst.windows[0] = (struct kohaku_window){ -1, 1 };
	assert_legal(s);
	assert_true(s->facts.dst.empty);
	assert_int_equal(s->facts.elements, 9999);
}

/* As many elements as its dimensions can have. */
static void cube(struct kohaku_walker *walker, u32 ndim, s64 stride)
{
	u32 i;

	walker->ndim = ndim;
	for (i = 0; i < ndim; i++)
		walker->dims[i] = (struct kohaku_dim){ stride, 65535, 0, 0 };
}

/* Sums that wrap 31, 32, 40 and 63 bits. */
static void test_overflow_corners(void **unused)
{
	(void)unused;
	REFUSED(FILL, (s->dst.size = 1ULL << 33, s->move.dst.dims[0].count = 65535,
		       s->move.dst.dims[0].stride = 32800), REACH, DST, -1);
	REFUSED(FILL, (s->dst.size = 1ULL << 33, s->move.dst.offset = 1ULL << 32,
		       s->move.dst.dims[0].count = 65535, s->move.dst.dims[0].stride = -32800),
		REACH, DST, -1);
	REFUSED(FILL, (s->move.dst.dims[0].count = 3, s->move.dst.dims[0].stride = S32_MIN),
		BOUNDS, DST, -1);
	REFUSED(FILL, (s->move.dst.dims[0].count = 2, s->move.dst.dims[0].stride = S32_MAX),
		BOUNDS, DST, -1);
	/* 2^40 / 2^31 = 512 steps come back to the start in 40 bits. */
	REFUSED(FILL, (s->move.dst.dims[0].count = 513, s->move.dst.dims[0].stride = S32_MIN),
		BOUNDS, DST, -1);
	REFUSED(FILL, cube(&s->move.dst, 6, S32_MIN), COUNT, DST, -1);
	REFUSED(FILL, cube(&s->move.dst, 3, S32_MIN), BOUNDS, DST, -1);
	REFUSED(FILL, cube(&s->move.dst, 3, S32_MAX), BOUNDS, DST, -1);
	/* The reach itself is legal: 2 GiB less a word, and 2 GiB back. */
	LEGAL(FILL, (s->dst.size = 1ULL << 31, s->move.dst.dims[0].count = 2,
		     s->move.dst.dims[0].stride = S32_MAX - 31));
	LEGAL(FILL, (s->dst.size = (1ULL << 31) + 32, s->move.dst.dims[0].count = 2,
		     s->move.dst.offset = 1ULL << 31, s->move.dst.dims[0].stride = S32_MIN));
}

static void test_alignment(void **unused)
{
	static const u32 off[] = { 1, 2, 4, 8, 16, 31 };
	u32 i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(off); i++) {
		REFUSED(COPY, s->move.src.offset = off[i], SOURCE_ALIGN, SRC, -1);
		REFUSED(COPY, s->move.src.dims[0].stride = off[i], SOURCE_ALIGN, SRC, 0);
		REFUSED(GATHER, s->move.pitch = 128 + off[i], SOURCE_ALIGN, SRC, -1);
		REFUSED(GATHER, s->move.src.offset = off[i], SOURCE_ALIGN, SRC, -1);
		REFUSED(XFORM, s->move.dst.offset = off[i], ENTRY_ALIGN, DST, -1);
		/* That of a destination is for the mover to find. */
		LEGAL(FILL, s->move.dst.dims[0].stride = off[i]);
	}
	REFUSED(XFORM, s->move.dst.dims[0].stride = 96, ENTRY_ALIGN, DST, 0);
	/* A stride that is never taken may be anything. */
	LEGAL(COPY, (s->move.src.ndim = 2, s->move.src.dims[1] = s->move.src.dims[0],
		     s->move.src.dims[0] = (struct kohaku_dim){ 7, 1, 0, 0 }));
}

static void test_elements(void **unused)
{
	(void)unused;
	REFUSED(COPY, s->move.src.dims[0].count = 127, SHORT_SOURCE, SRC, -1);
	/* Only the part of a longer source that the destination asks for counts. */
	LEGAL(COPY, s->move.src.dims[0].count = 60000);
	REFUSED(XFORM, s->move.src.dims[0].count = 127, ENTRY, SRC, -1);
	REFUSED(XFORM, s->move.dst.dims[0].count = 15, ENTRY, DST, -1);
	LEGAL(XFORM, s->move.dst.dims[0].count = 60000);
	REFUSED(XFORM, s->dst.size = 15 * 128 + 96, BOUNDS, DST, -1);
	LEGAL(XFORM, s->dst.size = 16 * 128);
	REFUSED(XFORM, s->context.entry_beats = 0, OCCUPANT, -1, -1);
	REFUSED(XFORM, s->move.xform = 16, OCCUPANT, -1, -1);
	REFUSED(XFORM, s->move.xform_mode = 16, OCCUPANT, -1, -1);
}

static void test_entry_windows(void **unused)
{
	(void)unused;
	LEGAL(XFORM, (s->move.src.dims[0].axis = 1, s->move.src.dims[0].step = 1,
		      s->move.src.windows[0].extent = 128));
	REFUSED(XFORM, (s->move.src.dims[0].axis = 1, s->move.src.dims[0].step = 1,
			s->move.src.windows[0].extent = 127), ENTRY_WINDOW, SRC, -1);
	REFUSED(XFORM, s->move.dst.windows[1] = ((struct kohaku_window){ -1, 5 }),
		ENTRY_WINDOW, DST, -1);
	/* What the entries in use do not reach, a window may cut. */
	LEGAL(XFORM, (s->move.dst.dims[0] = (struct kohaku_dim){ 128, 99, 1, 1 },
		      s->move.dst.windows[0].extent = 16));
	REFUSED(XFORM, (s->move.dst.dims[0] = (struct kohaku_dim){ 128, 99, 1, 1 },
			s->move.dst.windows[0].extent = 15), ENTRY_WINDOW, DST, -1);
}

static void test_gather(void **unused)
{
	(void)unused;
	REFUSED(GATHER, s->move.index_count = 0, INDICES, -1, -1);
	REFUSED(GATHER, s->move.index_count = 2049, INDICES, -1, -1);
	LEGAL(GATHER, s->move.index_count = 2048);
	REFUSED(GATHER, s->move.row_words = 0, ROW, -1, -1);
	REFUSED(GATHER, s->move.row_words = 65536, ROW, -1, -1);
	REFUSED(GATHER, s->move.index_count = 31, SHORT_SOURCE, SRC, -1);
	REFUSED(GATHER, s->indices[5] = 32, BOUNDS, SRC, -1);
	REFUSED(GATHER, s->indices[31] = U32_MAX, BOUNDS, SRC, -1);
	/* index * pitch is 2^32: 0 for the mover. */
	REFUSED(GATHER, (s->src.size = 1ULL << 35, s->indices[0] = 1U << 25), BOUNDS, SRC, -1);
	LEGAL(GATHER, (s->src.size = 1ULL << 35, s->indices[0] = (1U << 25) - 1));
	/* An index that is not used may be anything, half a row in use counts half. */
	LEGAL(GATHER, (s->move.index_count = 33, s->indices[32] = U32_MAX));
	LEGAL(GATHER, (s->move.dst.dims[0].count = 126, s->src.size = 4096 - 64,
		       s->indices[0] = 0, s->indices[31] = 31));
	REFUSED(GATHER, (s->move.dst.dims[0].count = 127, s->src.size = 4096 - 64,
			 s->indices[0] = 0, s->indices[31] = 31), BOUNDS, SRC, -1);
}

static void test_meshes(void **unused)
{
	(void)unused;
	REFUSED(COPY, s->src.addr = 0x10000, REMOTE, SRC, -1);
	REFUSED(COPY, s->dst.addr = 0x20000, REMOTE, DST, -1);
	LEGAL(COPY, (s->dst.addr = 0x20000, s->context.remote = true));
	REFUSED(COPY, (s->src.addr = 0x10000, s->context.remote = true), REMOTE, SRC, -1);
	LEGAL(FILL, s->dst.addr |= KOHAKU_ADDR_ONCHIP);
}

static void test_verify(void **unused)
{
	(void)unused;
	LEGAL(COPY, s->context.verify = true);
	LEGAL(FILL, s->context.verify = true);
	LEGAL(COPY, s->dst = s->src);
	REFUSED(COPY, (s->dst = s->src, s->context.verify = true), VERIFY, -1, -1);
	/* Moved up by a word, the last word is just behind what is read. */
	LEGAL(COPY, (s->dst = s->src, s->context.verify = true, s->move.dst.offset = 32,
		     s->move.src.dims[0].count = 127, s->move.dst.dims[0].count = 127));
	REFUSED(COPY, (s->dst = s->src, s->context.verify = true, s->move.src.offset = 32,
		       s->move.src.dims[0].count = 127, s->move.dst.dims[0].count = 127),
		VERIFY, -1, -1);
}

static void test_scratch(void **unused)
{
	struct move_setting *s = legal(KOHAKU_MOVE_FILL);

	(void)unused;
	s->context.scratch = NULL;
	s->move.dst = (struct kohaku_walker){
		.ndim = 3,
		.dims = { { 32, 4, 1, 1 }, { 64, 4, 2, 1 }, { 96, 4, 3, 1 } },
		.windows = { { 0, 5 } },
	};
	assert_int_equal(check(s), -ENOBUFS);
	assert_int_equal(s->verdict.refusal, KOHAKU_REFUSAL_NONE);
	s->context.scratch = &scratch;
	assert_legal(s);
	assert_int_equal(s->facts.elements, 64);
	assert_int_equal(s->facts.dst.hi, 4 * 32);
	assert_true(s->facts.src.empty);
}

static void assert_same_span(const struct kohaku_span *got, const struct kohaku_span *expected)
{
	assert_int_equal(got->empty, expected->empty);
	if (!got->empty) {
		assert_true(got->lo == expected->lo);
		assert_true(got->hi == expected->hi);
	}
}

static void test_random_moves(void **unused)
{
	struct move_setting *s = legal(KOHAKU_MOVE_FILL);
	struct kohaku_move_facts facts;
	u32 i, answers[3] = { 0 };

	(void)unused;
	testing_seed("random_moves");
	for (i = 0; i < 200000; i++) {
		enum oracle_answer answer;
		int error;

		random_move(s);
		answer = oracle_move(&s->move, &s->context, &facts);
		error = check(s);
		answers[answer]++;
		assert_true(error != -ENOBUFS);
		assert_int_equal(error, kohaku_refusal_errno(s->verdict.refusal));
		if (answer == ORACLE_TOO_LONG)
			continue;
		assert_int_equal(!error, answer == ORACLE_LEGAL);
		if (error)
			continue;
		assert_true(s->facts.elements == facts.elements);
		assert_true(s->facts.words == facts.words);
		assert_same_span(&s->facts.src, &facts.src);
		assert_same_span(&s->facts.dst, &facts.dst);
	}
	print_message("illegal %u, legal %u, not judged %u\n", answers[ORACLE_ILLEGAL],
		      answers[ORACLE_LEGAL], answers[ORACLE_TOO_LONG]);
	assert_true(answers[ORACLE_LEGAL] > 20000 && answers[ORACLE_ILLEGAL] > 20000);
}

static void test_texts(void **unused)
{
	int i;

	(void)unused;
	for (i = 0; i < KOHAKU_REFUSALS; i++)
		assert_non_null(kohaku_refusal_text(i));
	assert_string_equal(kohaku_refusal_text(KOHAKU_REFUSAL_CAP), "burst_cap is above 7");
	assert_non_null(kohaku_refusal_text(KOHAKU_REFUSALS));
	assert_int_equal(kohaku_refusal_errno(KOHAKU_REFUSAL_NONE), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scalars),
		cmocka_unit_test(test_unused_fields),
		cmocka_unit_test(test_walker_fields),
		cmocka_unit_test(test_coordinates),
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_overflow_corners),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_elements),
		cmocka_unit_test(test_entry_windows),
		cmocka_unit_test(test_gather),
		cmocka_unit_test(test_meshes),
		cmocka_unit_test(test_verify),
		cmocka_unit_test(test_scratch),
		cmocka_unit_test(test_random_moves),
		cmocka_unit_test(test_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
