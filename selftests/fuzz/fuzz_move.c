// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: a move from the fuzzer's bytes, checked, compared with the
 * definition by enumeration, encoded, and run on the model with the bus watched.
 */
#include "fuzz.h"

#include "hw/exec.h"
#include "hw/move_oracle.h"
#include "sim/node.h"

#define MESH 1
#define MEMORY KOHAKU_PUT(KOHAKU_ADDR_MESH, MESH)
#define INDEX_ADDR (MEMORY + 0x100000)
#define INDICES 2048

/*
 * The layout of an input; what is missing reads as zero.  Small numbers make up
 * a move that is nearly legal, then patches put any byte anywhere into it.
 */
struct small_walker {
	u8 ndim;
	s8 offset;		/* words */
	s8 base[2];
	u8 extent[2];
	struct {
		s8 stride;	/* words */
		u8 count;
		s8 step;
		u8 axis;
	} dims[KOHAKU_MAX_DIMS];
};

struct patch {
	u8 at[2];
	u8 value;
};

struct input {
	u8 mode, flags, cap, width, imm, seed;
	u8 index_count, pitch, row_words, occupant, occupant_mode;
	u8 verify, remote, far;
	u8 src_words, dst_words;	/* sizes of the buffers */
	struct small_walker src, dst;
	u8 indices[32];			/* repeated */
	u8 patched;
	struct patch patches[6];
};

/* What the check is given, and what the bus may then see. */
struct fuzz {
	struct kohaku_move move;
	struct kohaku_region src, dst;
	struct kohaku_move_context context;
	u32 indices[INDICES];
	u64 written;
};

static void require_within(u64 addr, u32 beats, const struct kohaku_region *region)
{
	REQUIRE(addr >= region->addr);
	REQUIRE(addr + (u64)beats * KOHAKU_WORD <= region->addr + region->size);
}

static void watch_read(void *ctx, u64 addr, u32 beats, bool index)
{
	static const struct kohaku_region area = { INDEX_ADDR, INDICES * sizeof(u32) };
	struct fuzz *fuzz = ctx;

	require_within(addr, beats, index ? &area : &fuzz->src);
}

static void watch_write(void *ctx, u64 addr, u32 beats)
{
	struct fuzz *fuzz = ctx;

	require_within(addr, beats, &fuzz->dst);
	fuzz->written += beats;
}

static u64 node_read(void *ctx, u32 mesh, u32 offset)
{
	return sim_window_read(ctx, mesh, offset);
}

static void node_write(void *ctx, u32 mesh, u32 offset, u64 value)
{
	sim_window_write(ctx, mesh, offset, value, 0xff);
}

static u32 beats_of(u32 occupant)
{
	static const u32 beats[] = { 4, 8, 4, 2, 4, 2 };

	return occupant < ARRAY_SIZE(beats) ? beats[occupant] : 0;
}

static void expand_walker(struct kohaku_walker *walker, const struct small_walker *small,
			  s64 unit)
{
	u32 i;

	walker->ndim = small->ndim % KOHAKU_MAX_DIMS + 1;
	walker->offset = small->offset * unit;
	for (i = 0; i < walker->ndim; i++)
		walker->dims[i] = (struct kohaku_dim){
			.stride = small->dims[i].stride * unit,
			.count = small->dims[i].count % 8 + 1,
			.step = small->dims[i].step,
			.axis = small->dims[i].axis % 3,
		};
	for (i = 0; i < 2; i++)
		walker->windows[i] = (struct kohaku_window){ small->base[i], small->extent[i] };
}

static void expand_mode(struct kohaku_move *move, const struct input *input)
{
	switch (move->mode) {
	case KOHAKU_MOVE_GATHER:
		move->index_count = input->index_count;
		move->pitch = input->pitch * KOHAKU_WORD;
		move->row_words = input->row_words;
		move->src.offset = input->src.offset * (s64)KOHAKU_WORD;
		break;
	case KOHAKU_MOVE_GENERATE:
		move->seed = input->seed;
		break;
	case KOHAKU_MOVE_XFORM:
		move->xform = input->occupant % 8;
		move->xform_mode = input->occupant_mode % 16;
		break;
	default:
		move->imm = input->imm;
		move->width = input->width % 3;
		break;
	}
}

static void expand(struct kohaku_move *move, const struct input *input)
{
	static const u16 modes[] = { KOHAKU_MOVE_COPY, KOHAKU_MOVE_GATHER, KOHAKU_MOVE_GENERATE,
				     KOHAKU_MOVE_FILL, KOHAKU_MOVE_XFORM };
	u32 i;

	memset(move, 0, sizeof(*move));
	move->mode = modes[input->mode % ARRAY_SIZE(modes)];
	move->flags = input->flags & KOHAKU_MOVE_COALESCE;
	move->burst_cap = input->cap % 8;
	expand_mode(move, input);
	if (move->mode == KOHAKU_MOVE_COPY || move->mode == KOHAKU_MOVE_XFORM)
		expand_walker(&move->src, &input->src, KOHAKU_WORD);
	expand_walker(&move->dst, &input->dst,
		      move->mode == KOHAKU_MOVE_XFORM ? 4 * KOHAKU_WORD : KOHAKU_WORD);
	for (i = 0; i < input->patched % (ARRAY_SIZE(input->patches) + 1); i++) {
		const struct patch *patch = &input->patches[i];

		((u8 *)move)[(patch->at[0] << 8 | patch->at[1]) % sizeof(*move)] = patch->value;
	}
}

static void set_up(struct fuzz *fuzz, const struct input *input)
{
	static struct kohaku_walk_scratch scratch;
	u32 i;

	expand(&fuzz->move, input);
	fuzz->written = 0;
	fuzz->src = (struct kohaku_region){ MEMORY + 0x10000, (u64)input->src_words * 64 };
	fuzz->dst = (struct kohaku_region){ MEMORY + 0x12000, (u64)input->dst_words * 128 };
	if (input->far & 1)
		fuzz->dst.addr -= MEMORY;
	else if (input->far & 2)
		fuzz->dst.addr = fuzz->src.addr;
	for (i = 0; i < INDICES; i++)
		fuzz->indices[i] = input->indices[i % ARRAY_SIZE(input->indices)];
	fuzz->context = (struct kohaku_move_context){
		.mesh = MESH, .verify = input->verify & 1, .remote = input->remote & 1,
		.entry_beats = beats_of(fuzz->move.xform),
		.src = &fuzz->src, .dst = &fuzz->dst,
		.indices = fuzz->indices, .scratch = &scratch,
	};
}

static struct sim_node *get_node(struct fuzz *fuzz)
{
	static const struct sim_config config = { .meshes = 2, .slot_depth = 1 };
	static struct sim_node *node;
	struct sim_probe probe = { .read = watch_read, .write = watch_write, .ctx = fuzz };

	if (!node)
		node = sim_node_create(&config);
	REQUIRE(node);
	sim_mesh_probe(node, MESH, &probe);
	REQUIRE(!sim_mem_write(node, KOHAKU_HOST_WINDOW(MESH) + INDEX_ADDR, fuzz->indices,
			       sizeof(fuzz->indices)));
	return node;
}

static void run(struct fuzz *fuzz, const struct kohaku_move_facts *facts)
{
	const struct kohaku_move *move = &fuzz->move;
	struct kohaku_bus bus = { .read64 = node_read, .write64 = node_write };
	struct kohaku_program program;
	struct kohaku_element element;
	struct kohaku_exec exec;
	u64 words;
	u32 fault;
	int error;

	bus.ctx = get_node(fuzz);
	kohaku_move_encode(move, fuzz->src.addr, fuzz->dst.addr, INDEX_ADDR, &program);
	REQUIRE(program.length <= KOHAKU_MAX_PROGRAM);
	REQUIRE(!kohaku_exec_start(&exec, &bus, MESH, &program));
	do {
		error = kohaku_exec_poll(&exec, &fault);
	} while (error == -EINPROGRESS);
	REQUIRE(!error);
	if (kohaku_move_misaligned(move, fuzz->dst.addr, U64_MAX, &element, &words)) {
		REQUIRE(fault == KOHAKU_FAULT_ALIGN && fuzz->written == words);
		return;
	}
	REQUIRE(fault == KOHAKU_FAULT_NONE && fuzz->written == facts->words);
}

static void compare_spans(const struct kohaku_span *a, const struct kohaku_span *b)
{
	REQUIRE(a->empty == b->empty);
	REQUIRE(a->empty || (a->lo == b->lo && a->hi == b->hi));
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	static struct fuzz fuzz;
	struct input input = { 0 };
	struct kohaku_move_facts facts, expected;
	struct kohaku_verdict verdict;
	enum oracle_answer answer;
	int error;

	memcpy(&input, bytes, min(size, sizeof(input)));
	set_up(&fuzz, &input);
	error = kohaku_move_check(&fuzz.move, &fuzz.context, &facts, &verdict);
	REQUIRE(error == kohaku_refusal_errno(verdict.refusal));
	answer = oracle_move(&fuzz.move, &fuzz.context, &expected);
	if (answer == ORACLE_TOO_LONG)
		return 0;
	REQUIRE(!error == (answer == ORACLE_LEGAL));
	if (error)
		return 0;
	REQUIRE(facts.elements == expected.elements && facts.words == expected.words);
	compare_spans(&facts.src, &expected.src);
	compare_spans(&facts.dst, &expected.dst);
	/* A far write lands in another mesh's time; the check is what matters. */
	if (!(input.far & 1))
		run(&fuzz, &facts);
	return 0;
}
