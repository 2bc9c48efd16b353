/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel counts: pinned pages, memory, its own allocations.
 */
#ifndef SELFTESTS_KERNEL_COUNTS_H
#define SELFTESTS_KERNEL_COUNTS_H

#include <sys/syscall.h>

#include "node_fs.h"

/* The number behind a name in a file of lines "name number" or "name: number". */
static inline long long count_in(const char *path, const char *name)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(name);
	long long value = -1;
	char line[256];

	while (file && value < 0 && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, name, length) && (line[length] == ' ' || line[length] == ':'))
			value = strtoll(line + length + 1, NULL, 10);
	}
	if (file)
		fclose(file);
	return value;
}

/* Pages that are pinned right now, by anybody. */
static inline long long pinned_pages(void)
{
	char text[16];

	/* Folds what each processor has counted for itself. */
	text_read("/proc/sys/vm/stat_refresh", text, sizeof(text));
	return count_in("/proc/vmstat", "nr_foll_pin_acquired") -
	       count_in("/proc/vmstat", "nr_foll_pin_released");
}

#define TRACEFS "/sys/kernel/tracing"

/* Every way in which kernel code gets memory. */
static const char *const allocation_events[] = {
	"kmalloc", "kmalloc_node", "kmem_cache_alloc", "kmem_cache_alloc_node", "mm_page_alloc",
};

static inline int allocations_enable(const char *value)
{
	char path[128];
	int enabled = 0;

	/* Some of the events are not in every kernel. */
	for (unsigned int i = 0; i < ARRAY_SIZE(allocation_events); i++) {
		snprintf(path, sizeof(path), TRACEFS "/events/kmem/%s/enable",
			 allocation_events[i]);
		enabled += !text_write(path, value);
	}
	return enabled;
}

/* The switch of the recorder, open all the time: to open it would be recorded. */
static int allocations_switch = -1;

/* From here on allocations of the calling thread are recorded; false: they cannot be. */
static inline bool allocations_record(void)
{
	char pid[16];
	int trace;

	if (allocations_switch < 0)
		allocations_switch = open(TRACEFS "/tracing_on", O_WRONLY | O_CLOEXEC);
	if (pwrite(allocations_switch, "0", 1, 0) != 1)
		return false;
	snprintf(pid, sizeof(pid), "%d", (int)syscall(SYS_gettid));
	if (text_write(TRACEFS "/set_event_pid", pid) || allocations_enable("1") < 3)
		return false;
	/* Forgets what there was. */
	trace = open(TRACEFS "/trace", O_WRONLY | O_TRUNC | O_CLOEXEC);
	if (trace < 0)
		return false;
	close(trace);
	return pwrite(allocations_switch, "1", 1, 0) == 1;
}

/* How many there were; the first ones are logged. */
static inline unsigned int allocations_recorded(void)
{
	unsigned int count = 0;
	char line[512];
	FILE *file;

	if (pwrite(allocations_switch, "0", 1, 0) != 1)
		return UINT_MAX;
	allocations_enable("0");
	file = fopen(TRACEFS "/trace", "re");
	while (file && fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		if (count++ < 5)
			fprintf(TH_LOG_STREAM, "# %s", line);
	}
	if (file)
		fclose(file);
	return file ? count : UINT_MAX;
}

#endif
