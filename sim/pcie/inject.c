// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * What a card may be asked to do wrong, by name.
 */
#include "sim/pcie/inject.h"

#include <stdlib.h>

static const struct {
	const char *name;
	size_t offset;
	const char *help;
} table[] = {
#define ENTRY(name, member, help) { name, offsetof(struct pcie_inject, member), help }
	ENTRY("pre-strobe", pre_strobe, "one register write becomes four"),
	ENTRY("lost-interrupt", lost_interrupt, "every N-th interrupt never arrives"),
	ENTRY("spurious-interrupt", spurious_interrupt, "every N-th arrives three times"),
	ENTRY("engine-error", engine_error, "the N-th descriptor meets a bus error"),
	ENTRY("engine-hang", engine_hang, "the N-th descriptor never ends"),
	ENTRY("mover-hang", mover_hang, "the N-th move never ends"),
	ENTRY("gone", gone, "from the N-th register access on all reads are ones"),
	ENTRY("ecc", ecc, "never-written DRAM is an error that wedges the engine"),
	ENTRY("slow", slow, "a register read takes N microseconds"),
	ENTRY("no-reset", no_reset, "no reset gets through to it"),
	ENTRY("no-msix", no_msix, "no interrupts at all"),
#undef ENTRY
};

const char *pcie_inject_name(u32 i, const char **help)
{
	if (i >= ARRAY_SIZE(table))
		return NULL;
	*help = table[i].help;
	return table[i].name;
}

static int parse(const char *text, u32 *value)
{
	char *end;
	unsigned long number;

	if (!*text) {
		*value = 1;
		return 0;
	}
	if (*text++ != '=' || *text < '0' || *text > '9')
		return -EINVAL;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (*end || errno || number > U32_MAX)
		return -EINVAL;
	*value = number;
	return 0;
}

int pcie_inject_set(struct pcie_inject *inject, const char *text)
{
	size_t length = strcspn(text, "=");
	u32 i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		if (strlen(table[i].name) == length && !strncmp(table[i].name, text, length))
			return parse(text + length, (u32 *)((u8 *)inject + table[i].offset));
	}
	return -EINVAL;
}
