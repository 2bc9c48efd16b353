// SPDX-License-Identifier: GPL-2.0
/* Recordings of programs for the vector core, and of whole conversions. */
#include "core.h"
#include "relayout.h"

#include "lib/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_MAX 8

/* Seeds of the recorded programs' inputs. */
#define CONVERSION_SEED 100
#define COPY_SEED 7

/* A conversion ready to run: a plan, or none for a copy. */
struct job {
	struct kohaku_packing before, after;
	struct kohaku_plan plan;
	struct kohaku_vector_pass pass;
	struct kohaku_vector_pair pairs[BATCH_MAX];
	u32 count;
	size_t block;		/* bytes */
};

static void aim(struct job *job, u64 src, u64 dst)
{
	for (u32 i = 0; i < job->count; i++)
		job->pairs[i] = (struct kohaku_vector_pair){ src + i * job->block,
							     dst + i * job->block };
}

/* Packs block i of the recorded input. */
static bool pack_block(const struct job *job, const struct kohaku_packing *packing, u64 seed,
		       void *packed)
{
	struct kohaku_packing block = *packing;
	size_t elements = packing->rows * packing->cols;
	uint16_t *array = malloc(elements * sizeof(*array));
	bool ok = array;

	block.count = 1;
	block.stride = job->block;
	if (array) {
		initial_elements(seed, array, elements);
		kohaku_pack(&block, array, packed);
	}
	free(array);
	return ok;
}

/* Compares a program with the recording, flit by flit. */
struct watch {
	struct recording *recording;
	u32 count;
	bool ok;
};

static int watch_flit(void *ctx, const struct kohaku_flit *flit)
{
	struct watch *watch = ctx;
	struct kohaku_flit recorded = { 0 };
	uint8_t bytes[36];

	if (!watch->ok)
		return 0;
	watch->ok = recording_next_if(watch->recording, "f") &&
		    replay_hex(token(watch->recording, 1), bytes, sizeof(bytes));
	memcpy(&recorded, bytes, sizeof(bytes));
	if (watch->ok && memcmp(flit, &recorded, sizeof(recorded))) {
		fail(watch->recording, "flit %u differs", watch->count);
		watch->ok = false;
	}
	watch->count++;
	return 0;
}

/* Compares the instructions of a run with "w INDEX HEX" lines. */
static int watch_image(void *ctx, const struct kohaku_flit *flit)
{
	struct watch *watch = ctx;
	struct kohaku_flit_fields fields;

	watch->ok = watch->ok && !kohaku_flit_decode(flit, &fields) &&
		    recording_next_if(watch->recording, "w") &&
		    same(watch->recording, "index", fields.index,
			 token_number(watch->recording, 1)) &&
		    same(watch->recording, "instruction", fields.value,
			 token_hex(watch->recording, 2));
	watch->count++;
	return 0;
}

static bool take_emit(struct recording *recording, struct job *job)
{
	bool copy = token_is(recording, 2, "copy");
	struct kohaku_reason reason;

	job->count = copy ? 1 : number_after(recording, "batch");
	if (job->count > BATCH_MAX)
		return false;
	if (copy) {
		kohaku_vector_copy(number_after(recording, "total"), &job->pass);
	} else {
		if (!take_conversion(recording, 2, job->count, &job->before, &job->after))
			return false;
		if (kohaku_plan_init(&job->plan, &job->before, &job->after, NULL, &reason))
			return fail(recording, "%s", reason.text), false;
		plan_pass(&job->plan, &job->pass);
	}
	job->block = (size_t)job->pass.total * KOHAKU_WORD;
	/* The copy's source is where a conversion would have been staged. */
	aim(job, copy ? CORE_STAGING + 0x40000 : CORE_SRC, CORE_DST);
	return true;
}

static bool load_input(struct core *core, const struct job *job)
{
	for (u32 i = 0; i < job->count; i++) {
		void *at = core_memory(core, job->pairs[i].src, job->block);

		if (job->plan.offsets) {
			if (!pack_block(job, &job->before, CONVERSION_SEED + i, at))
				return false;
		} else {
			initial_elements(COPY_SEED, at, job->block / 2);
		}
	}
	return true;
}

static bool same_cycles(const struct recording *recording, const struct core *core,
			const struct job *job)
{
	u64 runs = (u64)job->pass.total / job->pass.words * job->count;

	return same(recording, "cycles", core->cycles, number_after(recording, "model_pass")) &&
	       same(recording, "cycles", core->cycles, number_after(recording, "unit_pass")) &&
	       same(recording, "cycles of a run",
		    kohaku_vector_run_cycles(job->pass.words, job->pass.transpose),
		    number_after(recording, "run")) &&
	       same(recording, "instructions of a run", runs ? core->retired / runs : 0,
		    number_after(recording, "retired"));
}

static bool run_emit(struct recording *recording, struct job *job, struct core *core)
{
	struct watch image = { recording, 0, true }, program = { recording, 0, true };
	const struct kohaku_flit_sink sink = { watch_image, &image };
	uint64_t hash = REPLAY_FNV_START;

	if (!same(recording, "words", job->pass.words, number_after(recording, "words")) ||
	    kohaku_vector_emit_image(job->pass.words, job->pass.transpose, &sink) || !image.ok)
		return false;
	core->watch = watch_flit;
	/* The core is closed before it could run anything else. */
	core->watch_ctx = &program; /* cppcheck-suppress autoVariables */
	if (!load_input(core, job) || !core_run(core, &job->pass, job->pairs, job->count))
		return fail(recording, "the program did not run"), false;
	if (!program.ok || !recording_next_if(recording, "cycles"))
		return false;
	for (u32 i = 0; i < job->count; i++)
		hash = replay_fnv(hash, core_memory(core, job->pairs[i].dst, job->block),
				  job->block);
	return same_cycles(recording, core, job) &&
	       same(recording, "output", hash, hex_after(recording, "outfnv"));
}

enum outcome relayout_emit(struct recording *recording)
{
	struct job job = { 0 };
	struct core core;
	bool ok;

	ok = core_open(&core) && take_emit(recording, &job) && run_emit(recording, &job, &core);
	kohaku_plan_fini(&job.plan);
	core_close(&core);
	while (!token_is(recording, 0, "end") && recording_next(recording))
		;
	return ok ? PASSED : FAILED;
}

static uint64_t digest(struct core *core, const struct job *job, u64 addr)
{
	return replay_fnv(REPLAY_FNV_START, core_memory(core, addr, job->block), job->block);
}

static bool reload(struct core *core, const struct recording *recording, const struct job *job)
{
	return pack_block(job, &job->before, number_after(recording, "seed"),
			  core_memory(core, CORE_SRC, job->block));
}

static bool run_directly(struct recording *recording, struct job *job, struct core *core)
{
	uint64_t out = hex_after(recording, "outfnv");

	aim(job, CORE_SRC, CORE_DST);
	return reload(core, recording, job) &&
	       same(recording, "input", digest(core, job, CORE_SRC),
		    hex_after(recording, "infnv")) &&
	       core_run(core, &job->pass, job->pairs, 1) &&
	       same(recording, "output", digest(core, job, CORE_DST), out) &&
	       same(recording, "cycles", core->cycles, number_after(recording, "oop_cycles"));
}

/* In place is tried whether it should work or not. */
static bool run_in_place(struct recording *recording, struct job *job, struct core *core)
{
	size_t at = after(recording, "inplace_ok");

	if (token_is(recording, at, "-"))
		return true;
	aim(job, CORE_SRC, CORE_SRC);
	return reload(core, recording, job) && core_run(core, &job->pass, job->pairs, 1) &&
	       same(recording, "right in place",
		    digest(core, job, CORE_SRC) == hex_after(recording, "outfnv"),
		    token_number(recording, at));
}

static bool run_staged(struct recording *recording, struct job *job, struct core *core)
{
	struct kohaku_vector_pass home;
	u64 cycles;

	if (token_is(recording, after(recording, "staged_ok"), "-"))
		return true;
	aim(job, CORE_SRC, CORE_STAGING);
	if (!reload(core, recording, job) || !core_run(core, &job->pass, job->pairs, 1))
		return false;
	cycles = core->cycles;
	kohaku_vector_copy(job->pass.total, &home);
	aim(job, CORE_STAGING, CORE_SRC);
	return core_run(core, &home, job->pairs, 1) &&
	       same(recording, "output", digest(core, job, CORE_SRC),
		    hex_after(recording, "outfnv")) &&
	       same(recording, "cycles", cycles + core->cycles,
		    number_after(recording, "staged_cycles"));
}

enum outcome relayout_e2e(struct recording *recording)
{
	struct kohaku_reason reason;
	struct job job = { .count = 1 };
	struct core core;
	bool ok;

	if (!take_conversion(recording, 1, 1, &job.before, &job.after))
		return fail(recording, "unreadable");
	if (kohaku_plan_init(&job.plan, &job.before, &job.after, NULL, &reason))
		return fail(recording, "%s", reason.text);
	plan_pass(&job.plan, &job.pass);
	job.block = (size_t)job.pass.total * KOHAKU_WORD;
	ok = core_open(&core) &&
	     same(recording, "words", job.pass.words, number_after(recording, "words")) &&
	     same(recording, "in place", job.plan.in_place, number_after(recording, "inplace")) &&
	     run_directly(recording, &job, &core) && run_in_place(recording, &job, &core) &&
	     run_staged(recording, &job, &core) && reload(&core, recording, &job) &&
	     relayout_on_node(recording, &job.before, &job.after,
			      core_memory(&core, CORE_SRC, job.block));
	core_close(&core);
	kohaku_plan_fini(&job.plan);
	return ok ? PASSED : FAILED;
}
