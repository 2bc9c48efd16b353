// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The span of a walk against the plain enumeration of its elements.
 */
#include "hw/testing.h"
#include "hw/walk.h"

static struct kohaku_walk_scratch scratch;

/* The definition: look at each element; 128 bits, so that nothing can wrap. */
static u64 enumerate(const struct kohaku_walker *walker, u64 elements, struct kohaku_span *span)
{
	u64 n, inside_count = 0, total = kohaku_walk_elements(walker);

	*span = (struct kohaku_span){ .empty = true };
	for (n = 0; n < min(elements, total); n++) {
		__int128 offset = 0, coordinate[3] = { 0, walker->windows[0].base,
						       walker->windows[1].base };
		bool inside = true;
		u64 rest = n;
		u32 i = walker->ndim, a;

		while (i--) {
			__int128 index = rest % walker->dims[i].count;

			rest /= walker->dims[i].count;
			offset += index * walker->dims[i].stride;
			coordinate[walker->dims[i].axis] += index * walker->dims[i].step;
		}
		for (a = 0; a < 2; a++)
			inside &= !walker->windows[a].extent ||
				  (coordinate[a + 1] >= 0 &&
				   coordinate[a + 1] < walker->windows[a].extent);
		if (!inside)
			continue;
		inside_count++;
		span->lo = span->empty ? offset : min(span->lo, (s64)offset);
		span->hi = span->empty ? offset : max(span->hi, (s64)offset);
		span->empty = false;
	}
	return inside_count;
}

/* Few elements, but everything that can meet: shared axes, signs, still dims. */
static void random_walker(struct kohaku_walker *walker)
{
	static const s64 strides[] = { 0, 32, -32, 64, 96, -4096, 1 << 20, S32_MAX, S32_MIN };
	bool crowded = random_bits() & 1;
	u32 i;

	*walker = (struct kohaku_walker){ .ndim = random_between(1, 6) };
	for (i = 0; i < walker->ndim; i++)
		walker->dims[i] = (struct kohaku_dim){
			.stride = random_once_in(2) ? strides[random_between(0, 8)] :
						      random_between(-200, 200),
			.count = random_between(1, walker->ndim > 4 ? 4 : 6),
			.step = random_between(-4, 4),
			.axis = crowded ? 1 : random_between(0, 2),
		};
	for (i = 0; i < 2; i++)
		walker->windows[i] = (struct kohaku_window){
			.base = random_between(-12, 12),
			.extent = random_bits() % 4 ? random_between(1, 16) : 0,
		};
	if (!(random_bits() % 16))
		walker->windows[0].extent = random_between(0x8000, 0xffff);
}

static void assert_span(const struct kohaku_walker *walker, u64 elements)
{
	struct kohaku_span expected, got;
	u64 inside = enumerate(walker, elements, &expected), count;

	assert_int_equal(kohaku_walk_span(walker, elements, &scratch, &got), 0);
	assert_int_equal(got.empty, expected.empty);
	if (!expected.empty) {
		assert_true(got.lo == expected.lo);
		assert_true(got.hi == expected.hi);
	}
	assert_int_equal(kohaku_walk_count(walker, elements, &scratch, &count), 0);
	assert_true(count == inside);
	assert_int_equal(kohaku_walk_all_inside(walker, elements),
			 inside == min(elements, kohaku_walk_elements(walker)));
}

static void test_random_walks(void **unused)
{
	struct kohaku_walker walker;
	u32 i;

	(void)unused;
	testing_seed("random_walks");
	for (i = 0; i < 250000; i++) {
		random_walker(&walker);
		assert_span(&walker, random_bits() & 1 ? U64_MAX :
			    random_bits() % (kohaku_walk_elements(&walker) + 2));
	}
}

/* Steps as large as 16 bits allow, which the random walks above never take. */
static void test_random_far_walks(void **unused)
{
	struct kohaku_walker walker;
	u32 i, d;

	(void)unused;
	testing_seed("random_far_walks");
	for (i = 0; i < 300; i++) {
		random_walker(&walker);
		walker.windows[0] = (struct kohaku_window){ random_between(-300, 300),
							    random_between(1, 32000) };
		for (d = 0; d < walker.ndim; d++)
			walker.dims[d].step = random_between(-1000, 1000);
		assert_span(&walker, U64_MAX);
	}
}

static void test_no_scratch(void **unused)
{
	struct kohaku_walker walker = {
		.ndim = 3,
		.dims = { { 32, 4, 1, 1 }, { 64, 4, 2, 1 }, { 96, 4, 3, 1 } },
		.windows = { { 0, 5 } },
	};
	struct kohaku_span span;
	u64 count;

	(void)unused;
	assert_int_equal(kohaku_walk_span(&walker, 64, NULL, &span), -ENOBUFS);
	assert_int_equal(kohaku_walk_count(&walker, 64, NULL, &count), -ENOBUFS);
	assert_span(&walker, 64);
	/* Two terms, or three that no window cuts, need none. */
	walker.dims[0].step = 0;
	assert_int_equal(kohaku_walk_span(&walker, 64, NULL, &span), 0);
	walker.dims[0].step = 1;
	walker.windows[0].extent = 19;
	assert_int_equal(kohaku_walk_span(&walker, 64, NULL, &span), 0);
	assert_int_equal(span.hi, 3 * (32 + 64 + 96));
}

static void test_empty(void **unused)
{
	struct kohaku_walker walker = { .ndim = 1, .dims = { { 32, 10, 1, 1 } } };
	struct kohaku_span span;

	(void)unused;
	assert_int_equal(kohaku_walk_span(&walker, 0, NULL, &span), 0);
	assert_true(span.empty);
	walker.windows[0] = (struct kohaku_window){ -10, 5 };
	assert_span(&walker, 10);
	assert_int_equal(kohaku_walk_span(&walker, 10, NULL, &span), 0);
	assert_true(span.empty);
	walker.windows[0].base = -9;
	assert_int_equal(kohaku_walk_span(&walker, 10, NULL, &span), 0);
	assert_false(span.empty);
	assert_int_equal(span.lo, 9 * 32);
	assert_int_equal(span.hi, 9 * 32);
}

/* The largest walk there is: sums far beyond 32 bits, elements beyond 64. */
static void test_largest(void **unused)
{
	struct kohaku_walker walker = { .ndim = 6 };
	struct kohaku_span span;
	u32 i;

	(void)unused;
	for (i = 0; i < 6; i++)
		walker.dims[i] = (struct kohaku_dim){ S32_MIN, 65535, 0, 1 };
	assert_true(kohaku_walk_elements(&walker) == U64_MAX);
	assert_int_equal(kohaku_walk_span(&walker, U64_MAX, NULL, &span), 0);
	assert_true(span.hi == 0);
	/* In radix 65535 the number 2^64-1 is 0 1 4 6 4 0: all of the last four dims. */
	assert_true(span.lo == -4LL * 65534 * (1LL << 31));
}

/* Nearly all 16-bit coordinates, six terms, six boxes: the slowest walk there is. */
static void test_slowest(void **unused)
{
	struct kohaku_walker walker = { .ndim = 6, .windows = { { -6 * (3 * 1599 + 1), 20000 } } };
	struct timespec start, end;
	struct kohaku_span span;
	u32 i;

	(void)unused;
	for (i = 0; i < 6; i++)
		walker.dims[i] = (struct kohaku_dim){ i & 1 ? 32 : -64, 1600, 6, 1 };
	clock_gettime(CLOCK_MONOTONIC, &start);
	assert_int_equal(kohaku_walk_span(&walker, kohaku_walk_elements(&walker) - 1, &scratch,
					  &span), 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	/* Inside from 3 * 1599 + 1 steps on: one more than one sign of stride offers. */
	assert_true(span.hi == 3 * 1599 * 32 - 64);
	assert_true(span.lo == -3 * 1599 * 64 + 32);
	print_message("slowest walk: %.1f ms\n",
		      (end.tv_sec - start.tv_sec) * 1e3 + (end.tv_nsec - start.tv_nsec) / 1e6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_walks),
		cmocka_unit_test(test_random_far_walks),
		cmocka_unit_test(test_no_scratch),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_slowest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
