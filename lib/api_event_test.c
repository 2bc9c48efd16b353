// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the library promises of completions: order, waiting, an eventfd.
 */
#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "api_testing.h"

static int readable(int fd, int timeout_ms)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLIN };

	assert_true(poll(&pollfd, 1, timeout_ms) >= 0);
	return pollfd.revents & POLLIN;
}

static void completions_come_in_order(void **state)
{
	struct kohaku_buffer *dst = buffer_of(PAGE);
	struct kohaku_completion records[4];
	struct kohaku_job *job = job_new();
	uint64_t ids[3];
	int i, got = 0;

	(void)state;
	assert_int_equal(kohaku_completions_read(device, records, 4), -EAGAIN);
	assert_false(readable(kohaku_device_fd(device), 0));
	kohaku_job_fill(job, dst, 0, PAGE, 1, 0x5a);
	for (i = 0; i < 3; i++)
		assert_int_equal(kohaku_job_submit(job, device, 100 + i, &ids[i]), 0);
	kohaku_job_free(job);
	while (got < 3) {
		assert_true(readable(kohaku_device_fd(device), 10000));
		i = kohaku_completions_read(device, records + got, 4 - got);
		assert_true(i > 0);
		got += i;
	}
	for (i = 0; i < 3; i++) {
		assert_int_equal(records[i].job, ids[i]);
		assert_int_equal(records[i].cookie, 100 + i);
		assert_int_equal(records[i].status, 0);
		assert_int_equal(records[i].words, PAGE / WORD);
		assert_int_equal(records[i].size, sizeof(records[i]));
	}
	assert_false(readable(kohaku_device_fd(device), 0));
	kohaku_buffer_free(dst);
}

static void waiting_collects_one_job(void **state)
{
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t first, second;

	(void)state;
	kohaku_job_marker(job, 0);
	assert_int_equal(kohaku_job_submit(job, device, 1, &first), 0);
	assert_int_equal(kohaku_job_submit(job, device, 2, &second), 0);
	assert_int_not_equal(first, second);
	assert_int_equal(kohaku_wait(device, second, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(completion.cookie, 2);
	assert_int_equal(completion.status, 0);
	assert_int_equal(kohaku_wait(device, second, 0, &completion), -ENOENT);
	assert_int_equal(kohaku_wait(device, first, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(completion.cookie, 1);
	assert_int_equal(kohaku_wait(device, 0, 0, &completion), -ENOENT);
	kohaku_job_free(job);
}

static void an_eventfd_counts_completions(void **state)
{
	int fd = eventfd(0, EFD_NONBLOCK), null[2], i;
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t id[3];
	eventfd_t count;

	(void)state;
	assert_int_equal(pipe(null), 0);
	assert_int_equal(kohaku_device_eventfd(device, null[0]), -EINVAL);
	assert_int_equal(kohaku_device_eventfd(device, 1 << 20), -EBADF);
	assert_int_equal(kohaku_device_eventfd(device, fd), 0);
	for (i = 0; i < 3; i++) {
		assert_int_equal(kohaku_job_submit(job, device, 0, &id[i]), 0);
		assert_int_equal(kohaku_wait(device, id[i], KOHAKU_FOREVER, &completion), 0);
	}
	assert_int_equal(eventfd_read(fd, &count), 0);
	assert_int_equal(count, 3);
	assert_int_equal(kohaku_device_eventfd(device, -1), 0);
	assert_int_equal(kohaku_job_submit(job, device, 0, &id[0]), 0);
	assert_int_equal(kohaku_wait(device, id[0], KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(eventfd_read(fd, &count), -1);
	kohaku_job_free(job);
	close(fd);
	close(null[0]);
	close(null[1]);
}

static void outstanding_jobs_are_limited(void **state)
{
	struct kohaku_completion completion;
	struct kohaku_job *job = job_new();
	uint64_t id, last = 0;
	uint32_t i;

	(void)state;
	kohaku_job_marker(job, 0);
	for (i = 0; i < info.out_max_jobs; i++)
		assert_int_equal(kohaku_job_submit(job, device, i, &last), 0);
	assert_int_equal(kohaku_job_submit(job, device, i, &id), -EAGAIN);
	assert_int_equal(kohaku_wait(device, last, KOHAKU_FOREVER, &completion), 0);
	assert_int_equal(kohaku_job_submit(job, device, i, &id), 0);
	for (i = 0; i < info.out_max_jobs;) {
		assert_true(readable(kohaku_device_fd(device), 10000));
		while (kohaku_completions_read(device, &completion, 1) == 1)
			i++;
	}
	assert_int_equal(i, info.out_max_jobs);
	kohaku_job_free(job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(completions_come_in_order),
		cmocka_unit_test(waiting_collects_one_job),
		cmocka_unit_test(an_eventfd_counts_completions),
		cmocka_unit_test(outstanding_jobs_are_limited),
	};

	return cmocka_run_group_tests_name("lib/api_event", tests, open_device, close_device);
}
