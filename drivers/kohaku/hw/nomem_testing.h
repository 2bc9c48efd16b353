/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Test code: memory runs out once, at the nth allocation, for n = 1, 2, ...
 *
 * A life is all that somebody does with an object, from its making to its end; it
 * returns the error that ended it early.  Each life is lived twice for each n: who
 * meets an error gives up, or tries again, which has to work.  What is left behind or
 * freed twice the address sanitiser finds.  The test is linked with --wrap of these.
 */
#ifndef KOHAKU_HW_NOMEM_TESTING_H
#define KOHAKU_HW_NOMEM_TESTING_H

#include "testing.h"

#include <stdbool.h>
#include <sys/mman.h>

#define NOMEM_LIMIT 500

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_reallocarray(void *p, size_t count, size_t size);
char *__real_strdup(const char *text);
void *__real_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_reallocarray(void *p, size_t count, size_t size);
char *__wrap_strdup(const char *text);
void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset);

static u32 nomem_left;
static bool nomem_again;

static bool nomem_now(void)
{
	return nomem_left && !--nomem_left;
}

void *__wrap_malloc(size_t size)
{
	return nomem_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return nomem_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_reallocarray(void *p, size_t count, size_t size)
{
	return nomem_now() ? NULL : __real_reallocarray(p, count, size);
}

char *__wrap_strdup(const char *text)
{
	return nomem_now() ? NULL : __real_strdup(text);
}

void *__wrap_mmap(void *at, size_t size, int prot, int flags, int fd, off_t offset)
{
	return nomem_now() ? MAP_FAILED : __real_mmap(at, size, prot, flags, fd, offset);
}

/* A call within a life: its error, unless it is to be tried again. */
#define nomem_try(call) ({							\
	int _err = (call);							\
										\
	if (_err && nomem_again)						\
		_err = (call);							\
	_err;									\
})

/* The next call of a life, unless there is an error already. */
#define nomem_also(err, call) ((err) ? (err) : nomem_try(call))

/* How many allocations there are in a life. */
static u32 nomem_sweep(int (*life)(void), bool again)
{
	bool out = true;
	u32 n;
	int err;

	nomem_again = again;
	for (n = 1; out; n++) {
		nomem_left = n;
		err = life();
		out = !nomem_left;
		nomem_left = 0;
		if (err && (err != -ENOMEM || again || !out))
			fail_msg("%d, at allocation %u%s", err, n, again ? " once more" : "");
		assert_in_range(n, 1, NOMEM_LIMIT);
	}
	return n - 2;
}

static void nomem_sweep_both(int (*life)(void))
{
	u32 points = nomem_sweep(life, false);

	assert_int_not_equal(points, 0);
	print_message("%u allocations\n", points);
	nomem_sweep(life, true);
}

#endif
