// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: a RELAYOUT, checked, compared with every word of every run, and
 * run on a node whose buffers are compared word for word.
 */
#include "fuzz.h"

#include "hw/relayout_oracle.h"

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct kohaku_relayout_task task;
	struct kohaku_relayout plan;
	const char *why;
	bool lawful;

	if (!node)
		REQUIRE(!open_node());
	testing_feed(bytes, size);
	random_plan(&plan, &task);
	while (random_once_in(3))
		spoil(&plan, &task);
	/* The oracle enumerates blocks; so many meet each other or leave their buffer. */
	lawful = plan.count <= 3 && oracle_accepts(&task);
	REQUIRE(kohaku_relayout_check(&task, &why) == (lawful ? 0 : -EINVAL));
	REQUIRE(lawful == !why);
	if (lawful)
		check_run(&task);
	return 0;
}
