/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loads and stores that may raise a signal.
 */
#ifndef SELFTESTS_TOUCH_H
#define SELFTESTS_TOUCH_H

#include "kohaku_test.h"

#include <setjmp.h>

static sigjmp_buf touch_return;

static inline void touch_raised(int sig)
{
	siglongjmp(touch_return, sig);
}

/* The signal that loading this byte raises, or storing it as it is; 0: none. */
static inline int touch(const void *byte, bool store)
{
	struct sigaction action = { .sa_handler = touch_raised }, bus, segv;
	volatile unsigned char *at = (volatile unsigned char *)byte;
	int sig;

	sigaction(SIGBUS, &action, &bus);
	sigaction(SIGSEGV, &action, &segv);
	sig = sigsetjmp(touch_return, 1);
	if (!sig) {
		unsigned char value = *at;

		if (store)
			*at = value;
	}
	sigaction(SIGBUS, &bus, NULL);
	sigaction(SIGSEGV, &segv, NULL);
	return sig;
}

#endif
