// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The node under test and a simulated one in this process are asked the same
 * random commands, most of them wrong somewhere: both must give the same errno, and
 * what ran must have ended alike.  $KOHAKU_SEED says which commands,
 * $KOHAKU_SAME_COMMANDS how many (20000).
 */
#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "api_testing.h"
#include "hw/limits.h"
#include "hw/regs.h"

#define SIDES 2
#define BUFFERS 6
#define OP_ROOM 512
#define OPS 3

/* A node and the ids that it gave to the buffers of the test. */
struct side {
	struct kohaku_device *device;
	uint32_t ids[BUFFERS];
	uint64_t job;
};

static struct side sides[SIDES];
static uint64_t seed;
static uint8_t bytes[1 << 16];
static uint32_t indices[KOHAKU_INDEX_MAX + 1];
static uint16_t values[256];

static uint32_t below(uint32_t limit)
{
	uint64_t x = seed += 0x9e3779b97f4a7c15ULL;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return (uint32_t)((x ^ x >> 31) >> 32) % limit;
}

static bool rarely(void)
{
	return !below(24);
}

/* The right value, or now and then one of those that are at the edge of wrong. */
static uint32_t mostly(uint32_t right)
{
	static const uint32_t wrong[] = {
		0, 1, 2, 3, 7, 8, 31, 255, 4096, 65535, 65536, 1U << 31, ~0U,
	};

	return rarely() ? wrong[below(sizeof(wrong) / sizeof(wrong[0]))] : right;
}

static uint64_t address(const void *array)
{
	return rarely() ? 0 : (uintptr_t)array;
}

/* Which buffer a field shall name; BUFFERS: one that is not there. */
static uint32_t some_buffer(void)
{
	return rarely() ? BUFFERS : below(BUFFERS);
}

/* Fields that name buffers hold a number of ours until a side puts in its id. */
static void name_buffer(const struct side *side, uint32_t *field)
{
	*field = *field < BUFFERS ? side->ids[*field] : 0x7ffffff;
}

static void some_walker(struct kohaku_walker *walker)
{
	uint32_t k, dims = 1 + below(3);

	*walker = (struct kohaku_walker){
		.buffer = some_buffer(),
		.ndim = mostly(dims),
		.offset = (int64_t)below(16) * WORD + (rarely() ? 16 : 0) - (rarely() ? 4096 : 0),
	};
	for (k = 0; k < dims; k++)
		walker->dims[k] = (struct kohaku_dim){
			.stride = ((int32_t)below(7) - 1) * WORD + (rarely() ? 8 : 0),
			.count = mostly(1 + below(4)),
			.step = (int16_t)below(3) - (rarely() ? 40 : 0),
			.axis = (uint16_t)mostly(below(3)),
		};
	if (!below(3))
		walker->windows[below(2)] = (struct kohaku_window){
			.base = rarely() ? 40000 : (int32_t)below(3) - 1,
			.extent = mostly(below(6)),
		};
}

static void some_move(struct kohaku_move *move)
{
	static const uint16_t modes[] = { 0, 0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 0xffff };

	*move = (struct kohaku_move){
		.mode = modes[below(sizeof(modes) / sizeof(modes[0]))],
		.flags = rarely() ? 2 : below(2),
		.burst_cap = mostly(below(8)),
		.seed = rarely(),
	};
	some_walker(&move->dst);
	if (move->mode == KOHAKU_MOVE_FILL || move->mode == KOHAKU_MOVE_COPY) {
		move->width = (uint16_t)mostly(below(3));
		move->imm = below(1000);
	}
	if (move->mode != KOHAKU_MOVE_FILL || rarely())
		some_walker(&move->src);
	if (move->mode == KOHAKU_MOVE_COPY && below(4)) {
		memcpy(move->src.dims, move->dst.dims, sizeof(move->src.dims));
		move->src.ndim = move->dst.ndim;
	}
	if (move->mode == KOHAKU_MOVE_GENERATE && !rarely())
		move->src = (struct kohaku_walker){ 0 };
	if (move->mode == KOHAKU_MOVE_GATHER) {
		move->src = (struct kohaku_walker){ .buffer = move->src.buffer };
		move->indices = address(indices);
		move->index_count = rarely() ? KOHAKU_INDEX_MAX + below(2) : mostly(64);
		move->pitch = mostly(below(4) * WORD);
		move->row_words = mostly(1 + below(4));
	}
	if (move->mode == KOHAKU_MOVE_XFORM) {
		move->xform = (uint16_t)mostly(below(8));
		move->dst.ndim = 1;
		move->dst.offset &= ~127LL;
		memset(move->dst.dims, 0, sizeof(move->dst.dims));
		move->dst.dims[0] = (struct kohaku_dim){ .stride = 128, .count = 16 };
	}
}

static void some_relayout(struct kohaku_relayout *relayout)
{
	uint16_t words = (uint16_t)(1 + below(16));

	*relayout = (struct kohaku_relayout){
		.mode = (uint16_t)mostly(below(2)),
		.flags = (uint16_t)mostly(0),
		.words = words,
		.ndim = (uint16_t)mostly(1),
		.runs = mostly(1 + below(3)),
		.count = mostly(1),
		.dims = { { .stride = WORD + (rarely() ? 8 : 0), .count = mostly(words) } },
		.src_buffer = some_buffer(),
		.dst_buffer = some_buffer(),
		.src_offset = below(4) * WORD + rarely(),
		.dst_offset = below(4) * WORD,
	};
}

static void some_op(struct kohaku_op *op)
{
	memset(op, 0, sizeof(*op));
	op->opcode = (uint16_t)(rarely() ? below(8) : below(3) ? KOHAKU_OP_MOVE : 1 + below(5));
	op->mesh = (uint16_t)(rarely() ? below(5) : 0);
	op->flags = rarely() ? 1U << below(32) : 0;
	switch (op->opcode) {
	case KOHAKU_OP_MOVE:
		some_move(&op->move);
		if (below(8) == 0)
			op->flags |= KOHAKU_OP_VERIFY;
		break;
	case KOHAKU_OP_SLOT_LOAD:
		op->slot_load = (struct kohaku_slot_load){
			.occupant = mostly(5), .first = mostly(below(240)), .count = mostly(16),
			.__reserved = rarely(), .values = address(values),
		};
		break;
	case KOHAKU_OP_RELAYOUT:
		some_relayout(&op->relayout);
		break;
	case KOHAKU_OP_TRANSFER:
		op->transfer = (struct kohaku_transfer){
			.insns = address(bytes), .count = rarely() ? 1025 : below(2),
			.stride = mostly(sizeof(struct kohaku_transfer_insn)),
		};
		break;
	}
	if (rarely())
		((uint8_t *)op)[sizeof(*op) - 1 - below(40)] ^= 1;
}

static uint8_t ops[OPS * OP_ROOM];

static void some_submit(struct kohaku_submit *submit)
{
	uint32_t i;

	memset(ops, 0, sizeof(ops));
	*submit = (struct kohaku_submit){
		.size = sizeof(*submit), .flags = mostly(0), .ops = address(ops),
		.count = rarely() ? KOHAKU_MAX_OPS + 1 : below(OPS + 1),
		.stride = rarely() ? mostly(sizeof(struct kohaku_op) - 8) : OP_ROOM,
		.cookie = 7,
	};
	/* Further on than the array reaches nobody shall look. */
	if (submit->stride > OP_ROOM && submit->stride <= KOHAKU_MAX_STRIDE)
		submit->stride = OP_ROOM;
	if (submit->count == 1 && submit->stride == OP_ROOM && below(2))
		submit->stride = sizeof(struct kohaku_op);
	for (i = 0; i < OPS; i++)
		some_op((struct kohaku_op *)(ops + i * OP_ROOM));
	if (rarely())
		ops[sizeof(struct kohaku_op) + below(OP_ROOM - sizeof(struct kohaku_op))] = 1;
}

static void name_op(const struct side *side, struct kohaku_op *op)
{
	if (op->opcode == KOHAKU_OP_RELAYOUT) {
		name_buffer(side, &op->relayout.src_buffer);
		name_buffer(side, &op->relayout.dst_buffer);
	}
	if (op->opcode != KOHAKU_OP_MOVE)
		return;
	name_buffer(side, &op->move.dst.buffer);
	if (op->move.mode != KOHAKU_MOVE_FILL && op->move.mode != KOHAKU_MOVE_GENERATE)
		name_buffer(side, &op->move.src.buffer);
}

/* Runs a job on a side; asynchronous ones are collected at once. */
static int submit_on(struct side *side, struct kohaku_submit *submit)
{
	struct kohaku_wait wait = { .size = sizeof(wait), .deadline_ns = KOHAKU_FOREVER };
	uint8_t named[sizeof(ops)];
	uint32_t i;
	int err;

	memcpy(named, ops, sizeof(ops));
	for (i = 0; i < OPS; i++)
		name_op(side, (struct kohaku_op *)(named + i * OP_ROOM));
	if (submit->ops)
		submit->ops = (uintptr_t)named;
	err = kohaku_device_command(side->device, KOHAKU_SUBMIT, submit);
	if (err || !(submit->flags & KOHAKU_SUBMIT_ASYNC))
		return err;
	wait.job = submit->out_job;
	err = kohaku_device_command(side->device, KOHAKU_WAIT, &wait);
	submit->completion = wait.completion;
	side->job = submit->out_job;
	return err;
}

static bool same_end(const struct kohaku_submit *a, const struct kohaku_submit *b)
{
	const struct kohaku_completion *x = &a->completion, *y = &b->completion;

	return a->out_index == b->out_index && a->out_part == b->out_part &&
	       x->status == y->status && x->fault == y->fault && x->words == y->words &&
	       x->fault_index == y->fault_index && x->ops_done == y->ops_done;
}

static bool ask_submit(int errs[SIDES])
{
	struct kohaku_submit submit[SIDES];
	int i;

	some_submit(&submit[0]);
	submit[1] = submit[0];
	for (i = 0; i < SIDES; i++)
		errs[i] = submit_on(&sides[i], &submit[i]);
	return same_end(&submit[0], &submit[1]);
}

/* Frees a buffer of the test on both sides and takes another one into its place. */
static bool ask_alloc(int errs[SIDES])
{
	struct kohaku_buf_alloc alloc = {
		.size = sizeof(alloc), .flags = mostly(below(2)), .mesh = mostly(0),
		.tier = mostly(1 + below(2)), .length = rarely() ? 0 : 1 + below(16384),
	}, answer[SIDES];
	uint32_t which = below(BUFFERS);
	int i;

	/* More than any node has; what the machine has not differs from one to the other. */
	if (rarely())
		alloc.length = UINT64_MAX >> below(30);
	for (i = 0; i < SIDES; i++) {
		struct kohaku_buf_free arg = { .size = sizeof(arg), .buffer = sides[i].ids[which] };

		kohaku_device_command(sides[i].device, KOHAKU_BUF_FREE, &arg);
		answer[i] = alloc;
		errs[i] = kohaku_device_command(sides[i].device, KOHAKU_BUF_ALLOC, &answer[i]);
		sides[i].ids[which] = errs[i] ? 0 : answer[i].out_buffer;
	}
	return errs[0] || (answer[0].out_length == answer[1].out_length &&
			   answer[0].out_tier == answer[1].out_tier);
}

static bool ask_io(int errs[SIDES])
{
	uint32_t command = below(2) ? KOHAKU_BUF_READ : KOHAKU_BUF_WRITE, which = some_buffer();
	struct kohaku_buf_io io = {
		.size = sizeof(io), .flags = rarely(), .__reserved = rarely(),
		.offset = mostly(below(64) * WORD), .length = below(512) * WORD + rarely(),
		.data = address(bytes),
	};
	int i;

	if (rarely())
		io.offset = UINT64_MAX - below(64);
	if (rarely())
		io.length = UINT64_MAX - below(64);
	for (i = 0; i < SIDES; i++) {
		struct kohaku_buf_io copy = io;

		copy.buffer = which;
		name_buffer(&sides[i], &copy.buffer);
		errs[i] = kohaku_device_command(sides[i].device, command, &copy);
	}
	return true;
}

/* One and the same struct for both. */
static bool ask_both(int errs[SIDES], uint32_t command, const void *arg, size_t size)
{
	uint8_t copy[1024];
	int i;

	for (i = 0; i < SIDES; i++) {
		memcpy(copy, arg, size);
		errs[i] = kohaku_device_command(sides[i].device, command, copy);
	}
	return true;
}

static bool ask_small(int errs[SIDES])
{
	struct kohaku_wait wait = { .size = sizeof(wait), .flags = rarely(), .job = below(4) };
	struct kohaku_eventfd event = {
		.size = sizeof(event), .fd = (int)below(5) - 3, .__reserved = rarely(),
	};
	struct kohaku_fault_read fault = { .size = sizeof(fault), .flags = mostly(below(2)) };
	struct kohaku_slot_query query = {
		.size = sizeof(query), .mesh = mostly(0), .occupant = mostly(below(16)),
		.table_count = mostly(256), .table = address(bytes),
	};
	struct kohaku_probe probe = {
		.size = sizeof(probe), .cmd = _IO(KOHAKU_TYPE, KOHAKU_CMD_BASE + below(32)),
		.__reserved = rarely(),
	};

	switch (below(5)) {
	case 0:
		wait.job += sides[0].job + 100;
		return ask_both(errs, KOHAKU_WAIT, &wait, sizeof(wait));
	case 1:
		event.fd = event.fd < 0 ? event.fd : 1 << 20;
		return ask_both(errs, KOHAKU_EVENTFD, &event, sizeof(event));
	case 2:
		return ask_both(errs, KOHAKU_FAULT_READ, &fault, sizeof(fault));
	case 3:
		return ask_both(errs, KOHAKU_SLOT_QUERY, &query, sizeof(query));
	default:
		return ask_both(errs, KOHAKU_PROBE, &probe, sizeof(probe));
	}
}

static bool ask_fabric(int errs[SIDES])
{
	struct kohaku_fabric_map map = {
		.size = sizeof(map), .flags = mostly(3), .address = mostly(below(4) * 65536),
		.memory = mostly(below(3)), .stripe_count = mostly(0), .stripes = address(bytes),
	};
	struct kohaku_fabric_unmap unmap = { .size = sizeof(unmap), .address = map.address };
	struct kohaku_fabric_layout layout = {
		.size = sizeof(layout), .address = map.address,
		.stripe_count = rarely() ? 0 : 16384, .stripes = address(bytes),
	};
	struct kohaku_fabric_io io = {
		.size = sizeof(io), .space = mostly(1 + below(2)), .width = mostly(0),
		.address = map.address + below(64), .length = mostly(below(256)),
		.data = address(bytes),
	};
	struct kohaku_fabric_results results = {
		.size = sizeof(results), .count = below(3), .results = address(bytes),
		.stride = mostly(sizeof(struct kohaku_transfer_result)),
	};

	/* The bytes take no more than a register, or what was asked for. */
	io.length = io.length > sizeof(bytes) && io.length <= 1 << 20 ? sizeof(bytes) : io.length;
	switch (below(6)) {
	case 0:
		return ask_both(errs, KOHAKU_FABRIC_MAP, &map, sizeof(map));
	case 1:
		return ask_both(errs, KOHAKU_FABRIC_UNMAP, &unmap, sizeof(unmap));
	case 2:
		return ask_both(errs, KOHAKU_FABRIC_LAYOUT, &layout, sizeof(layout));
	case 3:
		return ask_both(errs, KOHAKU_FABRIC_RESULTS, &results, sizeof(results));
	default:
		return ask_both(errs, below(2) ? KOHAKU_FABRIC_READ : KOHAKU_FABRIC_WRITE, &io,
				sizeof(io));
	}
}

/* A struct of any length, all zeros but for a byte of its flags or its last one. */
static bool ask_length(int errs[SIDES])
{
	uint32_t nr = KOHAKU_CMD_BASE + below(24), at;
	union {
		uint32_t size;
		uint8_t bytes[8192];
	} arg, copy;
	int i;

	memset(&arg, 0, sizeof(arg));
	arg.size = rarely() ? 4096 + below(3) : below(1100);
	at = below(2) || arg.size < 8 ? 4 + below(4) : arg.size - 1;
	arg.bytes[at] = (uint8_t)below(3);
	if (nr == KOHAKU_NR_RESET)
		return true;
	for (i = 0; i < SIDES; i++) {
		copy = arg;
		errs[i] = kohaku_device_command(sides[i].device, _IO(KOHAKU_TYPE, nr), &copy);
	}
	return true;
}

static bool (*const asks[])(int errs[SIDES]) = {
	ask_submit, ask_submit, ask_submit, ask_submit, ask_alloc, ask_io, ask_small, ask_fabric,
	ask_length,
};

static uint64_t setting(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

/* What no command of the random ones depends on. */
#define OTHERWISE_ALIKE (KOHAKU_CAP_MMAP | KOHAKU_CAP_COUNTERS | KOHAKU_CAP_URING)

static void open_other(void)
{
	static const char *const complexes[] = { "none", "rv32", "rv64" };
	struct kohaku_info other;
	char name[128];

	snprintf(name, sizeof(name), "sim:meshes=%u,complex=%s%s", info.out_meshes,
		 complexes[info.out_complex], info.out_caps & KOHAKU_CAP_FABRIC ? "" : ",fabric=none");
	assert_int_equal(kohaku_open(name, &sides[1].device), 0);
	assert_int_equal(kohaku_device_info(sides[1].device, &other), 0);
	if ((other.out_caps ^ info.out_caps) & ~OTHERWISE_ALIKE) {
		print_message("%s has other capabilities than %s\n", name, node_name());
		kohaku_close(sides[1].device);
		skip();
	}
}

static void both_give_the_same_errno(void **state)
{
	uint64_t count = setting("KOHAKU_SAME_COMMANDS", 20000), k, ran = 0;
	int errs[SIDES] = { 0 };

	(void)state;
	seed = setting("KOHAKU_SEED", (uint64_t)time(NULL));
	print_message("KOHAKU_SEED=%#llx\n", (unsigned long long)seed);
	open_other();
	sides[0].device = device;
	for (k = 0; k < 64; k++)
		indices[k] = below(8);
	for (k = 0; k < count; k++) {
		uint64_t before = seed;
		uint32_t which = below(sizeof(asks) / sizeof(asks[0]));
		bool same = asks[which](errs);

		if (!same || errs[0] != errs[1])
			fail_msg("command %llu (seed %#llx, kind %u): %d here, %d in the simulated node",
				 (unsigned long long)k, (unsigned long long)before, which, errs[0],
				 errs[1]);
		ran += !errs[0];
	}
	/* Neither all right nor all wrong. */
	assert_in_range(ran, count / 20, count - count / 4);
	kohaku_close(sides[1].device);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_give_the_same_errno),
	};

	return cmocka_run_group_tests_name("lib/api_same", tests, open_device, close_device);
}
