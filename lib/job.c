// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Jobs: building the list of operations, and running it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "kohaku_transfer.h"

/* The inner loop of a long contiguous walk, words, and the most of them in one operation. */
#define ROW_WORDS 32768
#define MAX_ROWS 1024
/* What a transform writes of an entry, bytes. */
#define ENTRY_SIZE (4 * KOHAKU_WORD_SIZE)

int kohaku_job_new(struct kohaku_job **out)
{
	struct kohaku_job *job = calloc(1, sizeof(*job));

	if (!job)
		return -ENOMEM;
	*out = job;
	return 0;
}

const uint32_t *job_keep(struct kohaku_job *job, const uint32_t *values, size_t count)
{
	struct kept *kept = malloc(sizeof(*kept) + count * sizeof(*values));

	if (!kept)
		return NULL;
	memcpy(kept->values, values, count * sizeof(*values));
	kept->next = job->kept;
	job->kept = kept;
	return kept->values;
}

static void drop_kept(struct kohaku_job *job)
{
	struct kept *kept;

	while ((kept = job->kept)) {
		job->kept = kept->next;
		free(kept);
	}
}

void kohaku_job_free(struct kohaku_job *job)
{
	if (!job)
		return;
	drop_kept(job);
	free(job->ops);
	free(job);
}

void kohaku_job_reset(struct kohaku_job *job)
{
	drop_kept(job);
	*job = (struct kohaku_job){ .ops = job->ops, .capacity = job->capacity };
}

size_t kohaku_job_length(const struct kohaku_job *job)
{
	return job->count;
}

const struct kohaku_op *kohaku_job_op(const struct kohaku_job *job, size_t index)
{
	return index < job->count ? &job->ops[index] : NULL;
}

/*
 * All of op counts.  Compilers differ in how much of a union they clear when its
 * initialiser names a member, so those here name none and set it afterwards.
 */
static int append(struct kohaku_job *job, const struct kohaku_op *op)
{
	uint32_t mesh_bit = op->mesh < KOHAKU_MAX_MESHES ? 1u << op->mesh : 0;
	struct kohaku_op *last;

	if (job->count == job->capacity) {
		size_t capacity = job->capacity ? job->capacity * 2 : 4;
		struct kohaku_op *ops = reallocarray(job->ops, capacity, sizeof(*ops));

		if (!ops)
			return -ENOMEM;
		job->ops = ops;
		job->capacity = capacity;
	}
	last = &job->ops[job->count++];
	*last = *op;
	if (job->barrier & mesh_bit)
		last->flags |= KOHAKU_OP_BARRIER;
	if (job->verify && op->opcode == KOHAKU_OP_MOVE)
		last->flags |= KOHAKU_OP_VERIFY;
	job->barrier &= ~mesh_bit;
	return 0;
}

int kohaku_job_move(struct kohaku_job *job, uint32_t mesh, const struct kohaku_move *move)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_MOVE, .mesh = mesh, .move = *move };

	if (mesh > UINT16_MAX)
		return -EINVAL;
	return append(job, &op);
}

int kohaku_job_vector(struct kohaku_job *job, uint32_t mesh,
		      const struct kohaku_relayout *relayout)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_RELAYOUT, .mesh = mesh };

	if (mesh > UINT16_MAX)
		return -EINVAL;
	op.relayout = *relayout;
	return append(job, &op);
}

int kohaku_job_marker(struct kohaku_job *job, uint32_t mesh)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_MARKER, .mesh = mesh };

	if (mesh > UINT16_MAX)
		return -EINVAL;
	return append(job, &op);
}

void kohaku_job_barrier(struct kohaku_job *job)
{
	job->barrier = (1u << KOHAKU_MAX_MESHES) - 1;
}

void kohaku_job_verify(struct kohaku_job *job, int on)
{
	job->verify = on;
}

void kohaku_job_timeout(struct kohaku_job *job, uint64_t timeout_ns)
{
	job->timeout_ns = timeout_ns;
}

static bool whole_words(uint64_t bytes)
{
	return bytes % KOHAKU_WORD_SIZE == 0;
}

static void set_rows(struct kohaku_walker *walker, const struct kohaku_buffer *buffer,
		     uint64_t offset, uint64_t rows, uint64_t words)
{
	*walker = (struct kohaku_walker){
		.buffer = buffer->id,
		.ndim = 2,
		.offset = offset,
		.dims = {
			{ .stride = (int64_t)words * KOHAKU_WORD_SIZE, .count = rows },
			{ .stride = KOHAKU_WORD_SIZE, .count = words },
		},
	};
}

/* Appends move, over length bytes, in as few operations as its counts allow. */
static int append_contiguous(struct kohaku_job *job, struct kohaku_move *move,
			     const struct kohaku_buffer *dst, uint64_t dst_offset,
			     const struct kohaku_buffer *src, uint64_t src_offset,
			     uint64_t length)
{
	uint32_t barrier = job->barrier;
	size_t before = job->count;

	while (length) {
		uint64_t left = length / KOHAKU_WORD_SIZE;
		uint64_t rows = left / ROW_WORDS < MAX_ROWS ? left / ROW_WORDS : MAX_ROWS;
		uint64_t words = rows ? ROW_WORDS : left;
		uint64_t bytes;
		int err;

		if (!rows)
			rows = 1;
		set_rows(&move->dst, dst, dst_offset, rows, words);
		if (src)
			set_rows(&move->src, src, src_offset, rows, words);
		err = kohaku_job_move(job, src ? src->mesh : dst->mesh, move);
		if (err) {
			job->count = before;
			job->barrier = barrier;
			return err;
		}
		bytes = rows * words * KOHAKU_WORD_SIZE;
		dst_offset += bytes;
		src_offset += bytes;
		length -= bytes;
	}
	return 0;
}

int kohaku_job_copy(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		    struct kohaku_buffer *src, uint64_t src_offset, uint64_t length)
{
	struct kohaku_move move = { .mode = KOHAKU_MOVE_COPY, .flags = KOHAKU_MOVE_COALESCE };

	if (!buffer_has(dst, dst_offset, length) || !buffer_has(src, src_offset, length))
		return -EINVAL;
	return append_contiguous(job, &move, dst, dst_offset, src, src_offset, length);
}

int kohaku_job_fill(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t offset,
		    uint64_t length, uint32_t pattern_size, uint32_t pattern)
{
	struct kohaku_move move = { .mode = KOHAKU_MOVE_FILL, .flags = KOHAKU_MOVE_COALESCE,
				    .imm = pattern };

	if (pattern_size != 1 && pattern_size != 2 && pattern_size != 4)
		return -EINVAL;
	if (!buffer_has(dst, offset, length))
		return -EINVAL;
	move.width = pattern_size / 2;
	return append_contiguous(job, &move, dst, offset, NULL, 0, length);
}

int kohaku_job_generate(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t offset,
			uint64_t length, uint64_t seed)
{
	struct kohaku_move move = { .mode = KOHAKU_MOVE_GENERATE, .seed = seed };

	if (!buffer_has(dst, offset, length))
		return -EINVAL;
	return append_contiguous(job, &move, dst, offset, NULL, 0, length);
}

int kohaku_job_gather(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		      struct kohaku_buffer *src, uint64_t src_offset, uint32_t pitch,
		      uint32_t row_length, const uint32_t *rows, uint32_t count)
{
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_GATHER,
		.flags = KOHAKU_MOVE_COALESCE,
		.indices = (uintptr_t)rows,
		.index_count = count,
		.pitch = pitch,
		.row_words = row_length / KOHAKU_WORD_SIZE,
		.src = { .buffer = src->id, .offset = src_offset },
	};

	if (!count || !row_length || !whole_words(row_length) || !whole_words(pitch) ||
	    !whole_words(src_offset) || !buffer_has(dst, dst_offset, (uint64_t)count * row_length))
		return -EINVAL;
	set_rows(&move.dst, dst, dst_offset, count, move.row_words);
	return kohaku_job_move(job, src->mesh, &move);
}

int kohaku_job_xform(struct kohaku_job *job, struct kohaku_buffer *dst, uint64_t dst_offset,
		     struct kohaku_buffer *src, uint64_t src_offset, uint32_t occupant,
		     uint32_t mode, uint32_t entry_words, uint32_t entries)
{
	struct kohaku_move move = {
		.mode = KOHAKU_MOVE_XFORM,
		.flags = KOHAKU_MOVE_COALESCE,
		.xform = occupant,
		.xform_mode = mode,
	};
	uint64_t words = (uint64_t)entry_words * entries;

	if (!words || entries > UINT16_MAX || entry_words > UINT16_MAX || occupant > UINT16_MAX ||
	    mode > UINT16_MAX || dst_offset % ENTRY_SIZE ||
	    !buffer_has(src, src_offset, words * KOHAKU_WORD_SIZE) ||
	    !buffer_has(dst, dst_offset, (uint64_t)entries * ENTRY_SIZE))
		return -EINVAL;
	set_rows(&move.src, src, src_offset, entries, entry_words);
	set_rows(&move.dst, dst, dst_offset, 1, entries);
	move.dst.dims[0].stride = 0;
	move.dst.dims[1].stride = ENTRY_SIZE;
	return kohaku_job_move(job, src->mesh, &move);
}

int kohaku_job_slot_load(struct kohaku_job *job, uint32_t mesh, uint32_t occupant,
			 uint32_t first, const uint16_t *values, uint32_t count)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_SLOT_LOAD, .mesh = mesh };

	op.slot_load = (struct kohaku_slot_load){
		.occupant = occupant,
		.first = first,
		.count = count,
		.values = (uintptr_t)values,
	};
	return mesh > UINT16_MAX ? -EINVAL : append(job, &op);
}

int kohaku_job_transfer(struct kohaku_job *job, const struct kohaku_transfer_insn *insns,
			uint32_t count)
{
	struct kohaku_op op = { .opcode = KOHAKU_OP_TRANSFER };

	op.transfer = (struct kohaku_transfer){ (uintptr_t)insns, count, sizeof(*insns) };
	return append(job, &op);
}

static struct kohaku_submit as_submit(const struct kohaku_job *job)
{
	return (struct kohaku_submit){
		.size = sizeof(struct kohaku_submit),
		.ops = (uintptr_t)job->ops,
		.count = job->count,
		.stride = sizeof(*job->ops),
		.timeout_ns = job->timeout_ns,
	};
}

int kohaku_job_submit(const struct kohaku_job *job, struct kohaku_device *device,
		      uint64_t cookie, uint64_t *out)
{
	struct kohaku_submit submit = as_submit(job);
	int err;

	submit.flags = KOHAKU_SUBMIT_ASYNC;
	submit.cookie = cookie;
	err = kohaku_device_command(device, KOHAKU_SUBMIT, &submit);
	if (!err)
		*out = submit.out_job;
	return err;
}

int kohaku_job_run(const struct kohaku_job *job, struct kohaku_device *device,
		   struct kohaku_completion *out)
{
	struct kohaku_submit submit = as_submit(job);
	int err;

	if (out)
		*out = (struct kohaku_completion){ 0 };
	err = kohaku_device_command(device, KOHAKU_SUBMIT, &submit);
	/* After a signal the job goes on as an asynchronous one. */
	while (err == -EINTR)
		err = kohaku_wait(device, submit.out_job, KOHAKU_FOREVER, &submit.completion);
	if (err)
		return err;
	if (out)
		*out = submit.completion;
	return submit.completion.status;
}
