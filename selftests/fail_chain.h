/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sweeps of one command after another.  Who includes this has defined what they
 * work on, struct bed, with its members nth and err, and defines attempt().
 */
#ifndef SELFTESTS_FAIL_CHAIN_H
#define SELFTESTS_FAIL_CHAIN_H

#include "fail_nth.h"

/*
 * A command: prepare and undo are not swept.  whole says whether the result of a
 * success is complete, nothing whether a failure left nothing; any may be missing.
 * needs are capabilities of a node that knows the command.
 */
struct chain {
	__u64 needs;
	void (*prepare)(struct bed *self);
	int (*run)(struct bed *self);
	bool (*whole)(struct bed *self);
	bool (*nothing)(struct bed *self);
	void (*undo)(struct bed *self);
};

/* chain_run() with all that is around it, on a file of its own; returns the same. */
static bool attempt(struct __test_metadata *_metadata, struct bed *self,
		    const struct chain *chain, unsigned int n);

/*
 * The command of an attempt alone: it failed and left nothing, or its result is whole.
 * True when it has an nth point, which failed.
 */
static bool chain_run(struct __test_metadata *_metadata, struct bed *self,
		      const struct chain *chain, unsigned int n)
{
	bool fired;

	ASSERT_TRUE(nth_arm(&self->nth, n));
	self->err = chain->run(self);
	fired = nth_disarm(&self->nth);
	if (self->err)
		EXPECT_TRUE(fired && nth_errno(self->err)) {
			TH_LOG("nth %u: errno %d", n, self->err);
		}
	if (self->err && chain->nothing)
		EXPECT_TRUE(chain->nothing(self)) {
			TH_LOG("nth %u: errno %d, but something happened", n, self->err);
		}
	if (!self->err && chain->whole)
		EXPECT_TRUE(chain->whole(self)) {
			TH_LOG("nth %u: success, but not whole", n);
		}
	return fired;
}

/* What failed is given up, and then is looked at, which may well be to try it again. */
static bool step(struct __test_metadata *_metadata, struct bed *self,
		 const struct chain *chain, unsigned int n)
{
	const struct chain given_up = {
		.prepare = chain->prepare, .run = chain->run, .undo = chain->undo,
	};

	attempt(_metadata, self, &given_up, n);
	return attempt(_metadata, self, chain, n);
}

static void sweep(struct __test_metadata *_metadata, struct bed *self, const struct chain *chain)
{
	unsigned int n = 1;

	while (step(_metadata, self, chain, n))
		ASSERT_GT(FAIL_NTH_LIMIT, ++n);
	TH_LOG("%u points", n - 1);
	/* Every command copies its struct in, at least. */
	EXPECT_LT(1, n);
}

#endif
