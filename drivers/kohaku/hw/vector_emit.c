// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Programs of the vector core: a pass over pairs of blocks as flits. */
#include "vector.h"

/* Descriptors, as the image uses them. */
enum { A_SRC, A_DST, A_L1, A_INDEX, A_INDEX_L1, A_USED };

/* Flits that a run takes: where it reads, where it writes, go. */
#define RUN_FLITS 3

static int put_base(const struct kohaku_flit_sink *sink, u32 descriptor, u64 base)
{
	return kohaku_flit_put(sink, KOHAKU_FLIT_DESC, descriptor, 0, base);
}

/* Sets all dimensions of a descriptor; scale is what a unit of stride counts. */
static int put_dims(const struct kohaku_flit_sink *sink, u32 descriptor,
		    const struct kohaku_vector_dim *dims, u32 ndim, s32 scale)
{
	u32 i;

	for (i = 0; i < KOHAKU_VECTOR_DIMS; i++) {
		s64 stride = i < ndim ? (s64)dims[i].stride * scale : 0;
		u32 bound = i < ndim ? dims[i].bound : 1;
		int error = kohaku_flit_put(sink, KOHAKU_FLIT_DESC, descriptor, i + 1,
					    KOHAKU_PUT(KOHAKU_DESC_STRIDE, stride) |
					    KOHAKU_PUT(KOHAKU_DESC_BOUND, bound));

		if (error)
			return error;
	}
	return 0;
}

/* What only a transposing pass needs: its data in L1, and the index word. */
static int put_transpose(const struct kohaku_vector_pass *pass,
			 const struct kohaku_flit_sink *sink)
{
	u32 chunks = kohaku_vector_lanes(pass->words, true) / 16;
	const struct kohaku_vector_dim fours = { 4, chunks }, once = { 1, 1 };
	const struct kohaku_vector_dim again = { 0, chunks };
	int error = put_base(sink, A_L1, 0);

	if (!error)
		error = put_base(sink, A_INDEX_L1, pass->words);
	if (!error)
		error = put_dims(sink, A_L1, &fours, 1, 1);
	if (!error)
		error = put_dims(sink, A_INDEX, &once, 1, KOHAKU_WORD);
	if (!error)
		error = put_dims(sink, A_INDEX_L1, &again, 1, 1);
	return error;
}

static int put_walks(const struct kohaku_vector_pass *pass, const struct kohaku_flit_sink *sink)
{
	const struct kohaku_vector_dim in_order = { 1, pass->words };
	int error = put_dims(sink, pass->fill ? A_DST : A_SRC, &in_order, 1, KOHAKU_WORD);

	if (error)
		return error;
	return put_dims(sink, pass->fill ? A_SRC : A_DST, pass->dims, pass->ndim, KOHAKU_WORD);
}

static int put_run(const struct kohaku_vector_pass *pass, const struct kohaku_vector_pair *pair,
		   u32 run, const struct kohaku_flit_sink *sink)
{
	u64 in_order = (u64)run * pass->words * KOHAKU_WORD;
	u64 walked = pass->offsets ? (u64)pass->offsets[run] * KOHAKU_WORD : in_order;
	int error = put_base(sink, A_SRC, pair->src + (pass->fill ? walked : in_order));

	if (!error)
		error = put_base(sink, A_DST, pair->dst + (pass->fill ? in_order : walked));
	if (!error)
		error = kohaku_flit_put(sink, KOHAKU_FLIT_RUN, 0, 0, 0);
	return error;
}

/* A descriptor that stays wide would fault the next program. */
static int put_reset(const struct kohaku_vector_pass *pass, const struct kohaku_flit_sink *sink)
{
	u32 used = pass->transpose ? A_USED : A_DST + 1;
	u32 i;

	for (i = 0; i < used; i++) {
		int error = put_dims(sink, i, NULL, 0, 0);

		if (error)
			return error;
	}
	return 0;
}

/* Everything before the runs. */
static int put_lead(const struct kohaku_vector_pass *pass, u64 index_addr,
		    const struct kohaku_flit_sink *sink)
{
	int error = kohaku_vector_emit_image(pass->words, pass->transpose, sink);

	if (!error && pass->transpose)
		error = put_transpose(pass, sink);
	if (!error)
		error = put_walks(pass, sink);
	if (!error && pass->transpose)
		error = put_base(sink, A_INDEX, index_addr);
	return error;
}

int kohaku_vector_emit(const struct kohaku_vector_pass *pass,
		       const struct kohaku_vector_pair *pairs, u32 count, u64 index_addr,
		       const struct kohaku_flit_sink *sink)
{
	u32 runs = pass->total / pass->words;
	int error = put_lead(pass, index_addr, sink);
	u32 i, run;

	for (i = 0; i < count && !error; i++)
		for (run = 0; run < runs && !error; run++)
			error = put_run(pass, &pairs[i], run, sink);
	return error ? error : put_reset(pass, sink);
}

static u64 runs_of(const struct kohaku_vector_program *program)
{
	return (u64)(program->pass.total / program->pass.words) * program->count;
}

u64 kohaku_vector_program_flits(const struct kohaku_vector_program *program)
{
	return kohaku_vector_flits(program->pass.words, program->pass.transpose, runs_of(program));
}

u64 kohaku_vector_program_lead(const struct kohaku_vector_program *program)
{
	u32 used = program->pass.transpose ? A_USED : A_DST + 1;

	return kohaku_vector_flits(program->pass.words, program->pass.transpose, 0) -
	       used * KOHAKU_VECTOR_DIMS;
}

u64 kohaku_vector_program_run(const struct kohaku_vector_program *program, u64 flit)
{
	return (flit - kohaku_vector_program_lead(program)) / RUN_FLITS;
}

/* Passes on what comes after the first flits. */
struct skip {
	u64 left;
	const struct kohaku_flit_sink *sink;
};

static int skip_put(void *ctx, const struct kohaku_flit *flit)
{
	struct skip *skip = ctx;

	if (!skip->left)
		return skip->sink->put(skip->sink->ctx, flit);
	skip->left--;
	return 0;
}

static int put_program_run(const struct kohaku_vector_program *program, u64 number,
			   const struct kohaku_flit_sink *sink)
{
	u32 runs = program->pass.total / program->pass.words;
	u32 run = number % runs;
	u64 block = number / runs;
	const struct kohaku_vector_pair pair = {
		.src = program->first.src + block * program->src_stride,
		.dst = program->first.dst + block * program->dst_stride,
	};

	return put_run(&program->pass, &pair, run, sink);
}

int kohaku_vector_program_emit(const struct kohaku_vector_program *program, u64 from,
			       const struct kohaku_flit_sink *sink)
{
	u64 lead = kohaku_vector_program_lead(program), runs = runs_of(program), run = 0;
	struct skip skip = { .left = from, .sink = sink };
	const struct kohaku_flit_sink rest = { skip_put, &skip };
	int error = 0;

	if (from < lead) {
		error = put_lead(&program->pass, program->index_addr, &rest);
	} else {
		run = min((from - lead) / RUN_FLITS, runs);
		skip.left -= lead + run * RUN_FLITS;
	}
	for (; run < runs && !error; run++)
		error = put_program_run(program, run, &rest);
	return error ? error : put_reset(&program->pass, &rest);
}
