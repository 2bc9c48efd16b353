// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: commands with any structs on the node in this process, as a
 * program would give them to the driver.  Every answer is one that the header
 * allows, nothing is written but what the header says, and buffers that no command
 * names keep their bytes.
 */
#include "fuzz.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include "hw/command.h"
#include "hw/limits.h"
#include "hw/move_random.h"
#include "lib/kohaku.h"

#define OPS 4
#define POOL 65536		/* bytes that any command may read or write */
#define GUARD 4096		/* bytes of a buffer that nobody names */
#define GUARDS 2
#define NAMED 6			/* ids that operations name */
#define TAIL 24			/* bytes that a struct may be too long */

/* What an operation points at: each array as large as what may be read from it. */
struct op_memory {
	struct move_setting setting;
	u32 starts[64];
	u16 values[KOHAKU_PALETTE_SIZE];
	u8 insns[OPS * KOHAKU_MAX_STRIDE];
};

static struct kohaku_device *device;
static struct op_memory memories[OPS];
static u8 pool[POOL], before[sizeof(union kohaku_command_arg) + TAIL];
static u32 guards[GUARDS];
static u64 last_job;
static int event_fd = -1;

static void alloc_guard(u32 *id)
{
	struct kohaku_buf_alloc alloc = { .size = sizeof(alloc), .tier = KOHAKU_TIER_DRAM,
					  .length = GUARD };
	struct kohaku_buf_io io = { .size = sizeof(io), .length = GUARD,
				    .data = (uintptr_t)pool };

	REQUIRE(!kohaku_device_command(device, KOHAKU_BUF_ALLOC, &alloc));
	*id = alloc.out_buffer;
	io.buffer = *id;
	memset(pool, 0x5a, GUARD);
	REQUIRE(!kohaku_device_command(device, KOHAKU_BUF_WRITE, &io));
}

static void check_guards(void)
{
	u32 i, k;

	for (i = 0; i < GUARDS; i++) {
		struct kohaku_buf_io io = { .size = sizeof(io), .buffer = guards[i],
					    .length = GUARD, .data = (uintptr_t)pool };

		REQUIRE(!kohaku_device_command(device, KOHAKU_BUF_READ, &io));
		for (k = 0; k < GUARD; k++)
			REQUIRE(pool[k] == 0x5a);
	}
}

/* An id that is no guard's. */
static u32 draw_buffer(void)
{
	u32 id = random_once_in(16) ? random_bits() : random_below(NAMED + GUARDS) + 1;

	return id == guards[0] || id == guards[1] ? guards[1] + 1 : id;
}

static void draw_move(struct kohaku_move *move, struct move_setting *setting)
{
	memset(setting, 0, sizeof(*setting));
	random_move(setting);
	*move = setting->move;
	if (random_once_in(4))
		move->xform = random_below(7);
	/* Short moves: what does not end in time is another test's. */
	move->dst.dims[0].count = min(move->dst.dims[0].count, 64U);
	move->src.buffer = random_once_in(8) || move->src.ndim || move->index_count ?
			   draw_buffer() : 0;
	move->dst.buffer = draw_buffer();
	move->indices = move->mode == KOHAKU_MOVE_GATHER || random_once_in(16) ?
			(uintptr_t)setting->indices : 0;
}

static void draw_relayout(struct kohaku_relayout *plan, u32 *starts)
{
	u32 i;

	*plan = (struct kohaku_relayout){
		.mode = random_below(3),
		.flags = random_below(4),
		.words = random_once_in(8) ? random_bits() : 16ULL << random_below(3),
		.ndim = random_between(1, 2),
		.runs = random_once_in(16) ? random_bits() | 1U << 20 : random_below(8),
		.count = random_below(4),
		.starts = random_once_in(2) ? (uintptr_t)starts : 0,
		.src_buffer = draw_buffer(),
		.dst_buffer = draw_buffer(),
		.src_offset = 32 * random_below(64),
		.dst_offset = 32 * random_below(64),
	};
	if (random_once_in(4))
		plan->dst_buffer = plan->src_buffer;
	plan->dims[plan->ndim - 1] = (struct kohaku_relayout_dim){ 32, plan->words / plan->ndim };
	if (plan->ndim == 2)
		plan->dims[0] = (struct kohaku_relayout_dim){ 16 * plan->words, 2 };
	plan->src_stride = 32ULL * plan->words * plan->runs;
	plan->dst_stride = plan->src_stride + 32 * random_below(2);
	for (i = 0; i < 64; i++)
		starts[i] = random_once_in(8) ? random_below(64) : i * plan->words;
	if (random_once_in(8))
		((u8 *)plan)[random_below(offsetof(struct kohaku_relayout, runs))] = random_bits();
}

static void draw_insn(struct kohaku_transfer_insn *insn)
{
	*insn = (struct kohaku_transfer_insn){
		.flags = random_below(16),
		.mode = random_below(3),
		.width = 8 << random_below(4),
		.group = 1 << random_below(4),
		.reg = random_below(34),
		.count = random_below(64),
		.first = random_below(8),
		.base = random_below(1024),
	};
	if (insn->flags & KOHAKU_TRANSFER_MASKED)
		insn->mask = random_below(34);
	if (insn->flags & KOHAKU_TRANSFER_DISJOINT)
		insn->writeset = random_below(9);
	if (insn->mode == KOHAKU_TRANSFER_INDEX) {
		insn->index = random_below(34);
		insn->index_width = 8 << random_below(4);
	}
	if (insn->mode == KOHAKU_TRANSFER_STRIDE)
		insn->stride = random_between(-16, 16);
	if (random_once_in(16))
		((u8 *)insn)[random_below(sizeof(*insn))] = random_bits();
}

static void draw_transfer(struct kohaku_transfer *transfer, u8 *insns)
{
	struct kohaku_transfer_insn insn;
	u32 i;

	transfer->insns = (uintptr_t)insns;
	transfer->count = random_once_in(16) ? random_bits() | 1 << 12 : random_below(OPS + 1);
	transfer->stride = sizeof(insn) + (random_once_in(4) ? random_below(TAIL) : 0);
	if (random_once_in(16))
		transfer->stride = random_below(KOHAKU_MAX_STRIDE + 2);
	memset(insns, 0, OPS * KOHAKU_MAX_STRIDE);
	for (i = 0; i < OPS && transfer->stride >= sizeof(insn); i++) {
		draw_insn(&insn);
		if (i * transfer->stride + sizeof(insn) <= OPS * KOHAKU_MAX_STRIDE)
			memcpy(insns + i * transfer->stride, &insn, sizeof(insn));
	}
}

static void draw_op(struct kohaku_op *op, struct op_memory *memory)
{
	memset(op, 0, sizeof(*op));
	op->opcode = random_once_in(16) ? random_between(0, 7)
					: random_between(KOHAKU_OP_MARKER, KOHAKU_OP_TRANSFER);
	op->mesh = random_once_in(4) ? random_below(3) : 0;
	op->flags = random_once_in(4) ? random_below(4) : 0;
	switch (op->opcode) {
	case KOHAKU_OP_MOVE:
		draw_move(&op->move, &memory->setting);
		break;
	case KOHAKU_OP_SLOT_LOAD:
		op->slot_load = (struct kohaku_slot_load){
			.occupant = random_once_in(8) ? random_below(16) : 5,
			.first = random_below(KOHAKU_PALETTE_SIZE + 2),
			.count = random_below(KOHAKU_PALETTE_SIZE + 2),
			.values = (uintptr_t)memory->values,
		};
		break;
	case KOHAKU_OP_RELAYOUT:
		draw_relayout(&op->relayout, memory->starts);
		break;
	case KOHAKU_OP_TRANSFER:
		draw_transfer(&op->transfer, memory->insns);
		break;
	}
}

/* The operations of a job, as many as it says and no byte more. */
static u8 *draw_submit(struct kohaku_submit *submit)
{
	static struct kohaku_op op;
	u8 *ops;
	u32 i;

	submit->count = random_below(OPS + 1);
	submit->stride = sizeof(op) + (random_once_in(4) ? random_below(TAIL) : 0);
	submit->flags = random_below(2);
	submit->timeout_ns = 1000000 * random_between(1, 20);
	submit->cookie = random_bits();
	ops = calloc(OPS, submit->stride);
	REQUIRE(ops);
	for (i = 0; i < submit->count; i++) {
		draw_op(&op, &memories[i]);
		memcpy(ops + i * submit->stride, &op, sizeof(op));
		if (submit->stride > sizeof(op) && random_once_in(8))
			ops[i * submit->stride + sizeof(op)] = 1;
	}
	if (random_once_in(16))
		submit->count = random_bits() | 1 << 9;
	else if (random_once_in(16))
		submit->stride = random_below(sizeof(op));
	submit->ops = (uintptr_t)ops;
	return ops;
}

static void draw_fabric(u32 nr, union kohaku_command_arg *arg)
{
	switch (nr) {
	case KOHAKU_NR_FABRIC_MAP:
		arg->fabric_map.address = 256 * random_below(6) + random_once_in(16);
		arg->fabric_map.memory = random_below(4);
		arg->fabric_map.stripe_count = random_once_in(4) ? random_below(64) : 0;
		arg->fabric_map.stripes = random_once_in(8) ? 0 : (uintptr_t)pool;
		break;
	case KOHAKU_NR_FABRIC_UNMAP:
		arg->fabric_unmap.address = 256 * random_below(6);
		break;
	case KOHAKU_NR_FABRIC_LAYOUT:
		arg->fabric_layout.address = 256 * random_below(6);
		arg->fabric_layout.stripe_count = random_below(64);
		arg->fabric_layout.stripes = (uintptr_t)pool;
		break;
	case KOHAKU_NR_FABRIC_READ:
	case KOHAKU_NR_FABRIC_WRITE:
		arg->fabric_io.space = random_below(4);
		arg->fabric_io.width = random_once_in(2) ? 8ULL << random_below(4) :
							   random_below(3);
		arg->fabric_io.address = random_below(1024);
		arg->fabric_io.length = random_once_in(16) ? random_bits() | 1ULL << 40
							   : 8 * random_below(64);
		arg->fabric_io.data = (uintptr_t)pool;
		break;
	case KOHAKU_NR_FABRIC_RESULTS:
		arg->fabric_results.count = random_below(OPS + 2);
		arg->fabric_results.stride = random_once_in(4) ? random_below(5000)
				: sizeof(struct kohaku_transfer_result);
		arg->fabric_results.results = (uintptr_t)pool;
		break;
	case KOHAKU_NR_FABRIC_TRACE:
		arg->fabric_trace.count = random_below(16);
		arg->fabric_trace.stride = random_once_in(4) ? random_below(4096)
				: sizeof(struct kohaku_fabric_event);
		arg->fabric_trace.events = (uintptr_t)pool;
		break;
	}
}

/* Fills in a command; what it allocated is the caller's to free. */
static u8 *draw_arg(u32 nr, union kohaku_command_arg *arg)
{
	switch (nr) {
	case KOHAKU_NR_PROBE:
		arg->probe.cmd = random_once_in(4) ? random_bits()
				 : _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + random_below(24));
		break;
	case KOHAKU_NR_BUF_ALLOC:
		arg->buf_alloc.mesh = random_below(3);
		arg->buf_alloc.tier = random_below(4);
		arg->buf_alloc.length = random_once_in(8) ? random_bits() | 1ULL << 42
							  : random_below(POOL);
		break;
	case KOHAKU_NR_BUF_FREE:
		arg->buf_free.buffer = draw_buffer();
		break;
	case KOHAKU_NR_BUF_READ:
	case KOHAKU_NR_BUF_WRITE:
		arg->buf_io.buffer = draw_buffer();
		arg->buf_io.offset = random_once_in(8) ? random_bits() : 32 * random_below(512);
		arg->buf_io.length = random_once_in(8) ? random_below(POOL)
						       : 32 * random_below(512);
		if (random_once_in(16))
			arg->buf_io.length = random_bits() | 1ULL << 63;
		arg->buf_io.data = (uintptr_t)pool;
		break;
	case KOHAKU_NR_SUBMIT:
		return draw_submit(&arg->submit);
	case KOHAKU_NR_WAIT:
		arg->wait.job = last_job - min(last_job, random_below(8));
		break;
	case KOHAKU_NR_EVENTFD:
		arg->eventfd.fd = random_once_in(2) ? event_fd : (s32)random_between(-1, 3) * 1000;
		break;
	case KOHAKU_NR_SLOT_QUERY:
		arg->slot_query.mesh = random_below(3);
		arg->slot_query.occupant = random_below(18);
		arg->slot_query.table_count = random_below(KOHAKU_PALETTE_SIZE + 8);
		arg->slot_query.table = random_once_in(2) ? (uintptr_t)pool : 0;
		break;
	default:
		draw_fabric(nr, arg);
	}
	return NULL;
}

static void require_listed(int err)
{
	static const int listed[] = {
		0, ENOTTY, EINVAL, E2BIG, EOPNOTSUPP, ENOENT, EBUSY, EAGAIN, EEXIST, ENOSPC, EPERM,
		EIO, EMSGSIZE, ENODEV, ECANCELED, ETIMEDOUT, EINTR, EFAULT, ENOMEM, EOVERFLOW,
		EBADF,
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(listed); i++)
		if (err == -listed[i])
			return;
	fprintf(stderr, "error %d\n", err);
	abort();
}

static void check_completion(const struct kohaku_completion *completion, u32 count)
{
	REQUIRE(completion->size == sizeof(*completion) && completion->job);
	REQUIRE(completion->job <= last_job && completion->ops_done <= count);
	switch (completion->status) {
	case 0:
		REQUIRE(!completion->fault && !completion->fault_index);
		REQUIRE(count == U32_MAX || completion->ops_done == count);
		break;
	case -EIO:
	case -ETIMEDOUT:
		REQUIRE(completion->fault && completion->fault_index < count);
		REQUIRE(completion->ops_done == completion->fault_index);
		REQUIRE((completion->status == -ETIMEDOUT) ==
			(completion->fault == KOHAKU_FAULT_TIMEOUT));
		break;
	default:
		REQUIRE(!"a status that the header allows");
	}
}

static void check_submit(const struct kohaku_submit *submit, int err)
{
	static const struct kohaku_completion none;

	if (err) {
		REQUIRE(!submit->out_job && !memcmp(&submit->completion, &none, sizeof(none)));
		REQUIRE(!submit->out_index || submit->out_index < submit->count);
		return;
	}
	REQUIRE(submit->out_job == last_job + 1);
	last_job = submit->out_job;
	if (submit->flags & KOHAKU_SUBMIT_ASYNC) {
		REQUIRE(!memcmp(&submit->completion, &none, sizeof(none)));
		return;
	}
	REQUIRE(submit->completion.cookie == submit->cookie);
	check_completion(&submit->completion, submit->count);
}

/* Asks for memory, which reads as zero wherever it was before. */
static void check_alloc(const struct kohaku_buf_alloc *alloc)
{
	struct kohaku_buf_io io = { .size = sizeof(io), .buffer = alloc->out_buffer,
				    .data = (uintptr_t)pool };
	u64 i;

	REQUIRE(alloc->out_buffer && alloc->out_length >= alloc->length);
	REQUIRE(alloc->out_tier == alloc->tier || alloc->flags & KOHAKU_BUF_FALLBACK);
	io.length = min(alloc->out_length, (u64)POOL);
	REQUIRE(!kohaku_device_command(device, KOHAKU_BUF_READ, &io));
	for (i = 0; i < io.length; i++)
		REQUIRE(!pool[i]);
	io.offset = alloc->out_length;
	io.length = 32;
	REQUIRE(kohaku_device_command(device, KOHAKU_BUF_READ, &io) == -EINVAL);
}

/* How long the caller says that the struct is. */
static u32 draw_size(const struct kohaku_command *command)
{
	switch (random_below(12)) {
	case 0:
		return random_between(sizeof(u32), command->size);
	case 1:
		return command->size + random_below(TAIL);
	default:
		return command->size;
	}
}

static void check_answer(const struct kohaku_command *command, const u8 *arg, u32 size, int err)
{
	bool dirty = false;
	u32 i;

	require_listed(err);
	for (i = command->size; i < size; i++)
		dirty |= before[i];
	if (size < command->min_size)
		REQUIRE(err == -EINVAL);
	else if (dirty)
		REQUIRE(err == -E2BIG);
	/* Errors leave the struct alone, but for those that tell something in it. */
	if (err && err != -EMSGSIZE && command->nr != KOHAKU_SUBMIT)
		REQUIRE(!memcmp(arg, before, size));
	REQUIRE(!memcmp(arg, &size, sizeof(size)));
	if (size > command->size)
		REQUIRE(!memcmp(arg + command->size, before + command->size,
				size - command->size));
	/* Of a shorter struct not all is there to look at. */
	if (size < command->size)
		return;
	if (command->nr == KOHAKU_SUBMIT)
		check_submit((const void *)arg, err);
	else if (!err && command->nr == KOHAKU_BUF_ALLOC)
		check_alloc((const void *)arg);
	else if (!err && command->nr == KOHAKU_WAIT)
		check_completion(&((const struct kohaku_wait *)(const void *)arg)->completion,
				 U32_MAX);
}

static void run_command(void)
{
	static union kohaku_command_arg arg;
	u32 index = random_once_in(3) ? random_below(KOHAKU_COMMANDS)
			: random_once_in(3) ? KOHAKU_NR_BUF_ALLOC - KOHAKU_CMD_BASE
					    : KOHAKU_NR_SUBMIT - KOHAKU_CMD_BASE;
	u32 nr = _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + index);
	const struct kohaku_command *command = kohaku_command_find(nr);
	u8 *extra, *given;
	u32 size;

	REQUIRE(command);
	size = draw_size(command);
	memset(&arg, 0, sizeof(arg));
	extra = draw_arg(_IOC_NR(nr), &arg);
	arg.size = size;
	if (random_once_in(16) && command->flags_offset)
		((u8 *)&arg)[command->flags_offset + random_below(4)] ^= random_bits();
	if (random_once_in(16) && command->reserved_offset)
		((u8 *)&arg)[command->reserved_offset] ^= 1;
	/* Of exactly its size, so that a step too far is seen. */
	given = calloc(1, size);
	REQUIRE(given);
	memcpy(given, &arg, min(size, command->size));
	if (size > command->size && random_once_in(2))
		given[size - 1] = 1;
	memcpy(before, given, size);
	check_answer(command, given, size, kohaku_device_command(device, nr, given));
	free(given);
	free(extra);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	static u8 records[16 * sizeof(struct kohaku_completion)];
	u32 steps;

	testing_feed(bytes, size);
	REQUIRE(!kohaku_open(random_once_in(8) ? "sim:complex=none,fabric=none" :
			     "sim:meshes=2,fabric=2x1:1x2/line=2/page=256", &device));
	last_job = 0;
	if (event_fd < 0)
		event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	alloc_guard(&guards[0]);
	alloc_guard(&guards[1]);
	for (steps = random_between(1, 24); steps; steps--)
		run_command();
	check_guards();
	while (kohaku_completions_read(device, (void *)records, 16) > 0)
		;
	kohaku_close(device);
	return 0;
}
