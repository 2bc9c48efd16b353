// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "hw/argument.h"
#include "hw/limits.h"

static void buffers_need_a_tier_a_mesh_and_bytes(void **state)
{
	struct kohaku_buf_alloc alloc = { .tier = KOHAKU_TIER_STAGING, .mesh = 1, .length = 1 };

	(void)state;
	assert_int_equal(kohaku_buf_alloc_check(&alloc, 2), 0);
	assert_int_equal(kohaku_buf_alloc_check(&alloc, 1), -EINVAL);
	alloc.length = 0;
	assert_int_equal(kohaku_buf_alloc_check(&alloc, 2), -EINVAL);
	alloc.tier = 0;
	assert_int_equal(kohaku_buf_alloc_check(&alloc, 2), -EOPNOTSUPP);
	alloc.tier = 3;
	assert_int_equal(kohaku_buf_alloc_check(&alloc, 2), -EOPNOTSUPP);
}

static int io(u64 offset, u64 length, u64 data)
{
	struct kohaku_buf_io io = { .offset = offset, .length = length, .data = data };

	return kohaku_buf_io_check(&io, 4096);
}

/* A01 */
static void copies_stay_inside_without_wrapping(void **state)
{
	(void)state;
	assert_int_equal(io(0, 4096, 1), 0);
	assert_int_equal(io(4096, 0, 0), 0);
	assert_int_equal(io(4064, 32, 1), 0);
	assert_int_equal(io(4064, 64, 1), -EINVAL);
	assert_int_equal(io(4128, 0, 1), -EINVAL);
	assert_int_equal(io(16, 32, 1), -EINVAL);
	assert_int_equal(io(0, 33, 1), -EINVAL);
	assert_int_equal(io(-32ULL, 64, 1), -EINVAL);
	assert_int_equal(io(32, -32ULL, 1), -EINVAL);
	assert_int_equal(io(0, 64, -64ULL), -EFAULT);
	assert_int_equal(io(0, 32, -64ULL), 0);
}

static void jobs_have_so_many_operations_of_a_size(void **state)
{
	struct kohaku_submit submit = {
		.count = KOHAKU_MAX_OPS, .stride = sizeof(struct kohaku_op),
	};

	(void)state;
	assert_int_equal(kohaku_submit_check(&submit), 0);
	submit.stride--;
	assert_int_equal(kohaku_submit_check(&submit), -EINVAL);
	submit.stride = KOHAKU_MAX_STRIDE;
	assert_int_equal(kohaku_submit_check(&submit), 0);
	submit.stride++;
	assert_int_equal(kohaku_submit_check(&submit), -E2BIG);
	submit.count++;
	assert_int_equal(kohaku_submit_check(&submit), -EINVAL);
	submit = (struct kohaku_submit){ 0 };
	assert_int_equal(kohaku_submit_check(&submit), 0);
}

/* C09, C10 */
static void timeouts_have_a_default_and_an_end(void **state)
{
	struct kohaku_submit submit = { .timeout_ns = 0 };

	(void)state;
	assert_int_equal(kohaku_submit_timeout(&submit), KOHAKU_TIMEOUT_NS);
	submit.timeout_ns = 1;
	assert_int_equal(kohaku_submit_timeout(&submit), 1);
	submit.timeout_ns = KOHAKU_TIMEOUT_MAX_NS;
	assert_int_equal(kohaku_submit_timeout(&submit), KOHAKU_TIMEOUT_MAX_NS);
	submit.timeout_ns = U64_MAX;
	assert_int_equal(kohaku_submit_timeout(&submit), KOHAKU_TIMEOUT_MAX_NS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffers_need_a_tier_a_mesh_and_bytes),
		cmocka_unit_test(copies_stay_inside_without_wrapping),
		cmocka_unit_test(jobs_have_so_many_operations_of_a_size),
		cmocka_unit_test(timeouts_have_a_default_and_an_end),
	};

	return cmocka_run_group_tests_name("hw/argument", tests, NULL, NULL);
}
