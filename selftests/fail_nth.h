/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fault injection: make the nth thing that can fail in a call of this task fail,
 * for n = 1, 2, ... until the call has no nth (a kernel with FAULT_INJECTION).
 */
#ifndef SELFTESTS_FAIL_NTH_H
#define SELFTESTS_FAIL_NTH_H

#include "node_fs.h"

#define FAIL_NTH_FILE "/proc/thread-self/fail-nth"
/* No call has so many: one that never ends is a bug of the sweep. */
#define FAIL_NTH_LIMIT 5000

/* Every allocation counts, and none says so; false: this kernel cannot. */
static inline bool nth_setup(void)
{
	static const struct { const char *file, *value; } settings[] = {
		{ "failslab/ignore-gfp-wait", "N" }, { "failslab/verbose", "0" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" }, { "fail_page_alloc/min-order", "0" },
		{ "fail_page_alloc/verbose", "0" }, { "fail_usercopy/verbose", "0" },
	};
	char path[128];

	for (unsigned int i = 0; i < ARRAY_SIZE(settings); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", settings[i].file);
		if (text_write(path, settings[i].value))
			return false;
	}
	return !access(FAIL_NTH_FILE, R_OK | W_OK);
}

/*
 * Whether pages count too.  Slabs ask for them when they happen to be full, so
 * that the points after such a one move from step to step, and some are missed.
 */
static inline bool nth_pages(bool count)
{
	return !text_write("/sys/kernel/debug/fail_page_alloc/ignore-gfp-wait", count ? "N" : "Y");
}

struct nth {
	int fd;
};

static inline void nth_open(struct nth *nth)
{
	nth->fd = open(FAIL_NTH_FILE, O_RDWR | O_CLOEXEC);
}

static inline bool nth_arm(const struct nth *nth, unsigned int n)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", n);

	return pwrite(nth->fd, text, length, 0) == length;
}

/*
 * From here on nothing fails any more; true when something has.  The calls that
 * ask and that disarm can be hit themselves: then the injection is spent on them.
 */
static inline bool nth_disarm(const struct nth *nth)
{
	char text[16] = "";
	ssize_t n = pread(nth->fd, text, sizeof(text) - 1, 0);

	while (pwrite(nth->fd, "0", 1, 0) != 1)
		;
	return n > 0 && text[0] == '0';
}

/* How many points have been passed since arming with n, more than there are. */
static inline unsigned int nth_passed(const struct nth *nth, unsigned int n)
{
	char text[16] = "";

	if (pread(nth->fd, text, sizeof(text) - 1, 0) <= 0)
		return 0;
	return n - strtoul(text, NULL, 10);
}

/* What a call may answer when something in it fails: ENOENT for a lookup. */
static inline bool nth_errno(int err)
{
	return err == ENOMEM || err == EFAULT || err == EIO || err == ENOENT;
}

#endif
