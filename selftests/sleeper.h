/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A thread that waits for a node in one of the ways there are, to be woken by
 * something else than what it waits for.
 */
#ifndef SELFTESTS_SLEEPER_H
#define SELFTESTS_SLEEPER_H

#include "kohaku_test.h"

#include <pthread.h>

enum waiting { IN_WAIT, IN_SUBMIT, IN_READ, IN_POLL };

struct sleeper {
	enum waiting kind;
	int fd;
	const struct kohaku_op *op;	/* IN_SUBMIT: what to run */
	__u64 job;			/* IN_WAIT: whom to wait for */
	/* What came of it. */
	int err;
	__s32 status;
	__u64 woken;
};

static inline void *sleeper_run(void *arg)
{
	struct sleeper *sleeper = arg;
	struct pollfd p = { .fd = sleeper->fd, .events = POLLIN };
	struct kohaku_completion completion = { 0 };
	struct kohaku_submit submit;

	switch (sleeper->kind) {
	case IN_WAIT:
		sleeper->err = _test_wait(sleeper->fd, sleeper->job, FOREVER, &completion);
		break;
	case IN_SUBMIT:
		sleeper->err = _test_submit(sleeper->fd, sleeper->op, 1, 0, &submit);
		completion = submit.completion;
		break;
	case IN_READ:
		if (read(sleeper->fd, &completion, sizeof(completion)) < 0)
			sleeper->err = errno;
		break;
	default:
		if (poll(&p, 1, -1) != 1 || !(p.revents & POLLHUP))
			sleeper->err = EIO;
		else if (read(sleeper->fd, &completion, sizeof(completion)) < 0)
			sleeper->err = errno;
		break;
	}
	sleeper->status = completion.status;
	sleeper->woken = now_ns();
	return NULL;
}

/* Either the command says what woke it or the completion that it brought. */
static inline bool sleeper_woken_by(const struct sleeper *sleeper, int err)
{
	return sleeper->err == err || (!sleeper->err && sleeper->status == -err);
}

#endif
