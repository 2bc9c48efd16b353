/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Loading and unloading the module from a test, without a program to do it.
 */
#ifndef SELFTESTS_MODULE_LOAD_H
#define SELFTESTS_MODULE_LOAD_H

#include <sys/syscall.h>
#include <sys/utsname.h>

#include "node_fs.h"

/* The file the module was loaded from, where the test machines have it. */
static inline int module_open(void)
{
	struct utsname name;
	char path[256];

	uname(&name);
	snprintf(path, sizeof(path), "/lib/modules/%.64s/kohaku.ko", name.release);
	return open(path, O_RDONLY | O_CLOEXEC);
}

static inline bool module_loaded(void)
{
	return !access("/sys/module/kohaku", F_OK);
}

static inline int module_load(int file, const char *parameters)
{
	return syscall(SYS_finit_module, file, parameters, 0) ? errno : 0;
}

/* Unloads it once nobody uses it any more. */
static inline int module_unload(void)
{
	__u64 end = in_ms(20000);
	int err;

	do {
		err = syscall(SYS_delete_module, "kohaku", O_NONBLOCK) ? errno : 0;
		if (err != EWOULDBLOCK && err != EBUSY)
			break;
		sleep_ms(1);
	} while (now_ns() < end);
	return err;
}

/* For a fixture's setup: the module's file. */
static inline int module_under_test(struct __test_metadata *_metadata)
{
	int file = module_open();

	if (file < 0 || geteuid() || !module_loaded())
		SKIP_SETUP("needs root, and the module in /lib/modules");
	return file;
}

#endif
