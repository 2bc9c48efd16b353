// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: the mover at its registers.  Writes of any register, in halves
 * and bytes too, against a decoder spelled out anew; what they describe runs and is
 * compared with the oracle, which goes element by element, in memory, bursts,
 * counters and status.
 */
#include "fuzz.h"

#include "sim/mover_world.h"

#define MOVES 3			/* of an input */

/* What the registers should hold, and the bytes that gathered for one of them. */
struct shadow {
	struct sim_registers regs;
	u32 offset;
	u64 gathered;
};

static struct world world;

static u64 bits(u64 value, u32 high, u32 low)
{
	return value >> low & (~0ULL >> (63 - high + low));
}

/* Documentation/hardware/node.rst, line by line. */
static void decode(struct sim_registers *regs, u32 offset, u64 value)
{
	struct sim_walker_regs *named = &regs->walkers[value & 1];

	switch (offset & 0xF8) {
	case 0x00:
		regs->mode = bits(value, 2, 0);
		regs->width = bits(value, 4, 3);
		regs->flags = value & 0xFF00;
		break;
	case 0x10:
		named->base = bits(value, 43, 4);
		named->ndim = bits(value, 46, 44);
		if (!(value & 1)) {
			regs->gather_base = bits(value, 43, 4);
			regs->xform = bits(value, 50, 47);
			regs->xform_mode = bits(value, 58, 55);
		}
		break;
	case 0x18:
		regs->staged_dim = bits(value, 3, 1);
		regs->staged_count = bits(value, 19, 4);
		regs->staged_stride = bits(value, 51, 20);
		break;
	case 0x20:
		if (regs->staged_dim < 6)
			regs->walkers[regs->selected].dims[regs->staged_dim] =
				(struct sim_dim_regs){ regs->staged_count, regs->staged_stride,
						       bits(value, 17, 2), value & 3 };
		break;
	case 0x28:
		named->windows[bits(value, 1, 1)] =
			(struct sim_window_regs){ bits(value, 17, 2), bits(value, 33, 18) };
		break;
	case 0x30:
		regs->index_base = bits(value, 39, 0);
		regs->index_count = bits(value, 55, 40);
		break;
	case 0x38:
		regs->seed = value;
		break;
	case 0x40:
		regs->imm = value;
		break;
	case 0x50:
		regs->pitch = bits(value, 31, 0);
		regs->row_words = bits(value, 47, 32);
		break;
	}
	if ((offset & 0xF8) == 0x10 || (offset & 0xF8) == 0x18 || (offset & 0xF8) == 0x28)
		regs->selected = value & 1;
}

static void require_same_walker(const struct sim_walker_regs *a, const struct sim_walker_regs *b)
{
	u32 i;

	REQUIRE(a->base == b->base && a->ndim == b->ndim);
	for (i = 0; i < 6; i++) {
		const struct sim_dim_regs *one = &a->dims[i], *other = &b->dims[i];

		REQUIRE(one->count == other->count && one->stride == other->stride);
		REQUIRE(one->step == other->step && one->axis == other->axis);
	}
	for (i = 0; i < 2; i++)
		REQUIRE(a->windows[i].base == b->windows[i].base &&
			a->windows[i].extent == b->windows[i].extent);
}

static void require_same_registers(const struct sim_registers *a, const struct sim_registers *b)
{
	REQUIRE(a->mode == b->mode && a->width == b->width && a->flags == b->flags);
	REQUIRE(a->imm == b->imm && a->seed == b->seed && a->gather_base == b->gather_base);
	REQUIRE(a->index_base == b->index_base && a->index_count == b->index_count);
	REQUIRE(a->pitch == b->pitch && a->row_words == b->row_words);
	REQUIRE(a->xform == b->xform && a->xform_mode == b->xform_mode);
	REQUIRE(a->selected == b->selected && a->staged_dim == b->staged_dim);
	REQUIRE(a->staged_count == b->staged_count && a->staged_stride == b->staged_stride);
	require_same_walker(&a->walkers[0], &b->walkers[0]);
	require_same_walker(&a->walkers[1], &b->walkers[1]);
}

/* Values that make small moves, and any others. */
static u64 draw_value(u32 offset)
{
	u64 walker = random_below(2);

	if (random_once_in(6))
		return random_bits();
	switch (offset & 0xF8) {
	case 0x00:
		return random_below(8) | random_below(4) << 3 | random_below(256) << 8;
	case 0x10:
		return walker | (random_below(1 << 16) & ~31ULL) << 4 | random_below(8) << 44 |
		       random_below(7) << 47;
	case 0x18:
		return walker | random_below(8) << 1 | random_below(9) << 4 |
		       (u64)(u32)(32 * random_between(-8, 8)) << 20;
	case 0x20:
		return random_below(4) | random_below(1 << 16) << 2;
	case 0x28:
		return walker | random_below(2) << 1 | (u64)(u16)random_between(-4, 4) << 2 |
		       random_below(24) << 18;
	case 0x30:
		return (1 << 20) + (random_below(60) << 40);
	case 0x50:
		return 32 * random_below(40) | random_below(20) << 32;
	default:
		return random_bits();
	}
}

/* What the shadow of one register holds after a write of some bytes. */
static u64 merged(const struct shadow *shadow, u32 offset, u64 value, u8 strobes)
{
	u64 gathered = shadow->offset == offset ? shadow->gathered : 0;
	u32 i;

	for (i = 0; i < 8; i++)
		if (strobes >> i & 1)
			gathered = (gathered & ~(0xFFULL << 8 * i)) | (value & 0xFFULL << 8 * i);
	return gathered;
}

/* One write of some bytes. */
static void write_register(struct shadow *shadow)
{
	static const u8 known[] = { 0x00, 0x10, 0x18, 0x20, 0x28, 0x30, 0x38, 0x40, 0x50 };
	u32 offset = random_once_in(12) ? random_below(0x80) : known[random_below(sizeof(known))];
	u8 strobes = random_once_in(6) ? random_below(256) : 0xFF;
	u64 value = draw_value(offset);
	u32 aligned = KOHAKU_CTL_AUX_CFG + (offset & ~7U);
	u64 gathered = merged(shadow, aligned, value, strobes);

	/* GO is left to run(), also the one that is still in the shadow. */
	if (aligned == KOHAKU_CTL_AUX_CFG && gathered & KOHAKU_CTRL_GO)
		return;
	sim_window_write(world.node, 0, KOHAKU_CTL_AUX_CFG + offset, value, strobes);
	if (!strobes)
		return;
	shadow->offset = aligned;
	shadow->gathered = gathered;
	decode(&shadow->regs, offset & ~7U, gathered);
}

static u64 elements_of(const struct sim_walker_regs *walker)
{
	u64 elements = 1;
	u32 i;

	for (i = 0; i < min(walker->ndim, 6U); i++)
		if (elements <= ELEMENTS_MAX)
			elements *= max(walker->dims[i].count, 1U);
	return elements;
}

static void run(struct shadow *shadow)
{
	struct sim_mesh *mesh = &world.node->meshes[0];
	struct sim_registers *regs = &shadow->regs;
	u64 status, ctrl = regs->mode | regs->width << 3 | regs->flags | KOHAKU_CTRL_GO;

	/* The oracle takes its time. */
	if (elements_of(&regs->walkers[0]) > ELEMENTS_MAX ||
	    elements_of(&regs->walkers[1]) > ELEMENTS_MAX)
		return;
	oracle_run(&world.oracle, regs);
	compare_move(&world, regs, random_below(2));
	shadow->offset = KOHAKU_CTL_AUX_CFG;
	shadow->gathered = ctrl;
	status = sim_window_read(world.node, 0, KOHAKU_CTL_AUX_STAT);
	REQUIRE(!bits(status, 0, 0) && bits(status, 7, 4) == world.oracle.fault);
	REQUIRE(bits(status, 63, 40) == bits(mesh->mover.done, 23, 0));
}

static void begin(struct shadow *shadow)
{
	const struct sim_config config = { .meshes = 1, .slot_depth = 1 };

	if (!world.node)
		world.node = sim_node_create(&config);
	REQUIRE(world.node);
	sim_mesh_reset(world.node, 0);
	/* The index buffer keeps what it holds: both sides begin with nothing in it. */
	memset(&world.node->meshes[0].mover.gather, 0, sizeof(struct sim_gather));
	memset(world.oracle.indices, 0, sizeof(world.oracle.indices));
	world.node->meshes[0].flat = &world.flat;
	renew_memory(&world.flat, 12);
	renew_memory(&world.oracle.memory, 12);
	sim_bank_reset(&world.oracle.bank);
	*shadow = (struct shadow){ 0 };
	sim_registers_reset(&shadow->regs);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct shadow shadow;
	u32 moves, i;

	testing_feed(bytes, size);
	begin(&shadow);
	for (moves = random_between(1, MOVES); moves; moves--) {
		if (random_once_in(2)) {
			random_registers(&shadow.regs);
			shadow.regs.selected = world.node->meshes[0].mover.regs.selected;
			world.node->meshes[0].mover.regs = shadow.regs;
		}
		for (i = random_below(24); i; i--) {
			write_register(&shadow);
			require_same_registers(&world.node->meshes[0].mover.regs, &shadow.regs);
		}
		run(&shadow);
	}
	assert_same_memory(&world.flat, &world.oracle.memory);
	assert_same_memory(&world.oracle.memory, &world.flat);
	return 0;
}
