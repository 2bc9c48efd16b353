// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A change of layout as moves of the mover: one if it can be, else one a block.
 */
#include <errno.h>

#include "internal.h"
#include "reason.h"

/* Largest count of a walker's dimension. */
#define COUNT_MAX UINT16_MAX
/* A walk stays within 2 GiB of where it begins. */
#define REACH_MAX (1ULL << 31)

/* Largest divisor of a number that is a legal count. */
static uint64_t largest_count(uint64_t number)
{
	uint64_t count = COUNT_MAX;

	while (number % count)
		count--;
	return count;
}

/* Splits loops that are longer than a count; false: that takes too many. */
static bool split_long_loops(struct kohaku_loops *loops)
{
	uint32_t i, k;

	for (i = 0; i < loops->count; i++) {
		struct kohaku_loop *loop = &loops->dims[i];
		uint64_t inner;

		if (loop->bound <= COUNT_MAX)
			continue;
		inner = largest_count(loop->bound);
		if (inner == 1 || loops->count == KOHAKU_MAX_DIMS)
			return false;
		for (k = loops->count++; k > i; k--)
			loops->dims[k] = loops->dims[k - 1];
		loops->dims[i + 1] = (struct kohaku_loop){
			.stride = loop->stride * (int64_t)inner,
			.bound = loop->bound / inner,
		};
		loop->bound = inner;
	}
	return true;
}

/* The same loops over consecutive words: what walks beside them in lockstep. */
static struct kohaku_loops in_order(const struct kohaku_loops *loops)
{
	struct kohaku_loops order = { .count = loops->count };
	int64_t stride = 1;
	uint32_t i;

	for (i = 0; i < loops->count; i++) {
		order.dims[i] = (struct kohaku_loop){ stride, loops->dims[i].bound };
		stride *= (int64_t)loops->dims[i].bound;
	}
	return order;
}

/* Makes a whole batch one walk, with the blocks as its outermost loop. */
static void add_blocks(struct kohaku_loops *loops, const struct kohaku_packing *packing)
{
	loops->dims[loops->count++] = (struct kohaku_loop){
		.stride = (int64_t)(packing->stride / KOHAKU_WORD_SIZE),
		.bound = packing->count,
	};
}

/* Loops count words, innermost first; a walker counts bytes, outermost first. */
static void set_walker(struct kohaku_walker *walker, const struct kohaku_loops *loops)
{
	uint32_t i;

	walker->ndim = loops->count ? loops->count : 1;
	walker->dims[0].count = 1;
	for (i = 0; i < loops->count; i++) {
		struct kohaku_dim *dim = &walker->dims[loops->count - 1 - i];

		dim->stride = loops->dims[i].stride * KOHAKU_WORD_SIZE;
		dim->count = loops->dims[i].bound;
	}
}

/* Can one move do the whole batch? */
static bool batch_fits(const struct kohaku_loops *walk, const struct kohaku_packing *before,
		       const struct kohaku_packing *after)
{
	return walk->count < KOHAKU_MAX_DIMS && before->count <= COUNT_MAX &&
	       before->bytes <= REACH_MAX && after->bytes <= REACH_MAX;
}

/* Sets all of a move but its buffers and offsets; *blocks when it does several blocks. */
static int build_move(const struct kohaku_packing *before, const struct kohaku_packing *after,
		      struct kohaku_move *move, uint64_t *blocks, struct kohaku_reason *reason)
{
	struct kohaku_mover_form form;
	struct kohaku_loops *walk, order;
	int err = kohaku_mover_form(before, after, &form, reason);

	if (err)
		return err;
	/* Writing in order lets the mover fold its writes into bursts. */
	walk = form.gather_ok ? &form.gather : &form.scatter;
	if (!split_long_loops(walk))
		return reason_set(reason, -EDOM, -1, "no walk of %d dimensions covers it",
				  KOHAKU_MAX_DIMS);
	order = in_order(walk);
	if (before->count > 1 && batch_fits(walk, before, after)) {
		*blocks = before->count;
		add_blocks(walk, form.gather_ok ? before : after);
		add_blocks(&order, form.gather_ok ? after : before);
	}
	*move = (struct kohaku_move){ .mode = KOHAKU_MOVE_COPY, .flags = KOHAKU_MOVE_COALESCE };
	set_walker(&move->src, form.gather_ok ? walk : &order);
	set_walker(&move->dst, form.gather_ok ? &order : walk);
	return 0;
}

static int check_ranges(const struct kohaku_buffer *dst, uint64_t dst_offset,
			const struct kohaku_buffer *src, uint64_t src_offset,
			const struct kohaku_packing *before, const struct kohaku_packing *after,
			struct kohaku_reason *reason)
{
	if (before->count != after->count)
		return reason_set(reason, -EINVAL, -1, "the two are not the same batch");
	if ((before->count > 1 && before->stride % KOHAKU_WORD_SIZE) ||
	    (after->count > 1 && after->stride % KOHAKU_WORD_SIZE))
		return reason_set(reason, -EDOM, -1, "blocks do not begin at words");
	if (before->bytes % KOHAKU_WORD_SIZE || after->bytes % KOHAKU_WORD_SIZE)
		return reason_set(reason, -EDOM, -1, "the array ends within a word");
	if (!buffer_has(src, src_offset, before->bytes))
		return reason_set(reason, -EINVAL, -1, "the source leaves its buffer");
	if (!buffer_has(dst, dst_offset, after->bytes))
		return reason_set(reason, -EINVAL, -1, "the destination leaves its buffer");
	return 0;
}

int kohaku_job_relayout(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
			struct kohaku_buffer *src, uint64_t src_offset,
			const struct kohaku_packing *before, const struct kohaku_packing *after,
			struct kohaku_reason *reason)
{
	uint32_t barrier = job->barrier;
	size_t length = job->count;
	struct kohaku_move move;
	uint64_t block, blocks = 1;
	int err = check_ranges(dst, dst_offset, src, src_offset, before, after, reason);

	if (!err)
		err = build_move(before, after, &move, &blocks, reason);
	for (block = 0; block < before->count && !err; block += blocks) {
		move.src.buffer = src->id;
		move.src.offset = src_offset + block * before->stride;
		move.dst.buffer = dst->id;
		move.dst.offset = dst_offset + block * after->stride;
		err = kohaku_job_move(job, src->mesh, &move);
	}
	if (err) {
		job->count = length;
		job->barrier = barrier;
	}
	return err;
}
