// SPDX-License-Identifier: GPL-2.0
/* Recordings of single instructions and packets of the vector core. */
#include "core.h"
#include "relayout.h"

#include <inttypes.h>
#include <string.h>

/* Lane i holds i before; lanes that were not written still hold this. */
#define UNTOUCHED 0xffff

static bool same_lanes(const struct recording *recording, const u16 *lanes, u32 count)
{
	size_t at = after(recording, "out");

	for (u32 i = 0; i < count; i++)
		if (!same(recording, "lane", lanes[i], (u16)token_number(recording, at + i)))
			return false;
	for (u32 i = count; i < KOHAKU_VECTOR_LANES; i++)
		if (!same(recording, "lane past the end", lanes[i], UNTOUCHED))
			return false;
	return true;
}

static void set_registers(const struct recording *recording, struct sim_vector *core,
			  u32 instruction)
{
	const char *mask = token(recording, after(recording, "mask"));
	bool *predicate = core->predicates[KOHAKU_GET(KOHAKU_V_PR, instruction)];
	u16 *from = core->registers[KOHAKU_GET(KOHAKU_V_VA, instruction)];
	u16 *to = core->registers[KOHAKU_GET(KOHAKU_V_VD, instruction)];

	for (u32 i = 0; i < KOHAKU_VECTOR_LANES; i++) {
		from[i] = i;
		to[i] = UNTOUCHED;
		predicate[i] = *mask == '1';
		mask += *mask != 0;
	}
	core->scalars[KOHAKU_GET(KOHAKU_V_VB, instruction)] = number_after(recording, "k");
	core->length = number_after(recording, "vl");
	core->imem[0] = instruction;
	core->imem[1] = KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VHALT);
}

enum outcome relayout_shuffle(struct recording *recording)
{
	const struct kohaku_flit_fields run = { .kind = KOHAKU_FLIT_RUN };
	u32 length = number_after(recording, "vl");
	u32 instruction = hex_after(recording, "word");
	struct sim_vector_result result;
	struct kohaku_flit flit;
	struct core core;
	bool ok = core_open(&core);

	if (ok) {
		set_registers(recording, core.vector, instruction);
		ok = !kohaku_flit_encode(&run, &flit) &&
		     !sim_vector_take(core.vector, &flit, 1, &result) &&
		     same(recording, "fault", result.fault, 0) &&
		     same(recording, "cycles", result.cycles,
			  number_after(recording, "cycles")) &&
		     same_lanes(recording,
				core.vector->registers[KOHAKU_GET(KOHAKU_V_VD, instruction)],
				(length + 15) / 16 * 16);
	}
	core_close(&core);
	return ok ? PASSED : FAILED;
}

enum outcome relayout_op(struct recording *recording)
{
	u32 opcode = token_hex(recording, 2);

	return same(recording, "cycles", sim_vector_cycles(opcode, 16),
		    number_after(recording, "cycles_vl16")) &&
	       same(recording, "cycles", sim_vector_cycles(opcode, 64),
		    number_after(recording, "cycles_vl64")) &&
	       same(recording, "cycles", sim_vector_cycles(opcode, 128),
		    number_after(recording, "cycles_vl128")) ? PASSED : FAILED;
}

/* The number in a token such as "A3" or "vd4". */
static u32 numbered(const struct recording *recording, size_t i)
{
	const char *at = token(recording, i) + strcspn(token(recording, i), "0123456789");
	u32 number = 0;

	sscanf(at, "%" SCNu32, &number);
	return number;
}

static u32 memory_op(const struct recording *recording, enum kohaku_vector_op op, size_t descriptor)
{
	return KOHAKU_PUT(KOHAKU_V_OP, op) |
	       KOHAKU_PUT(KOHAKU_V_AD, numbered(recording, descriptor)) |
	       KOHAKU_PUT(KOHAKU_V_OFFSET, token_number(recording, descriptor + 2));
}

/* "vld r3 A2 off 5": FP16. */
static u32 register_op(const struct recording *recording, enum kohaku_vector_op op)
{
	return memory_op(recording, op, 4) | KOHAKU_PUT(KOHAKU_V_DTYPE, 1) |
	       KOHAKU_PUT(KOHAKU_V_REG, numbered(recording, 3));
}

static u32 scalar_op(const struct recording *recording, enum kohaku_vector_op op, u32 where)
{
	bool constant = token_is(recording, 3, "K3");

	return KOHAKU_PUT(KOHAKU_V_OP, op) |
	       KOHAKU_PUT(constant ? KOHAKU_V_SA : where, numbered(recording, 3));
}

/* "vshuf vd4 va1 vb6 pr1 pm1" */
static u32 shuffle_op(const struct recording *recording)
{
	return KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VSHUF) |
	       KOHAKU_PUT(KOHAKU_V_VD, numbered(recording, 3)) |
	       KOHAKU_PUT(KOHAKU_V_VA, numbered(recording, 4)) |
	       KOHAKU_PUT(KOHAKU_V_VB, numbered(recording, 5)) |
	       KOHAKU_PUT(KOHAKU_V_PR, numbered(recording, 6)) |
	       KOHAKU_PUT(KOHAKU_V_PM, numbered(recording, 7));
}

/* "vcmpeq P2 = r5 == S9" */
static u32 compare_op(const struct recording *recording)
{
	return KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VCMPEQ) | KOHAKU_PUT(KOHAKU_V_SB, 1) |
	       KOHAKU_PUT(KOHAKU_V_PR, numbered(recording, 3)) |
	       KOHAKU_PUT(KOHAKU_V_VA, numbered(recording, 5)) |
	       KOHAKU_PUT(KOHAKU_V_VB, numbered(recording, 7));
}

/* A number as a scalar: a float without its low byte. */
static u32 scalar_value(const struct recording *recording)
{
	float value = 0;
	u32 bits;

	sscanf(token(recording, 3), "%f", &value);
	memcpy(&bits, &value, sizeof(bits));
	return bits >> 8;
}

static u64 dim_value(s64 stride, u64 bound)
{
	return KOHAKU_PUT(KOHAKU_DESC_STRIDE, stride) | KOHAKU_PUT(KOHAKU_DESC_BOUND, bound);
}

static u64 encoded(const struct recording *recording)
{
	const char *name = token(recording, 2);

	if (!strcmp(name, "vld") && token_is(recording, 3, "off"))
		/* About the offset alone, whatever the registers. */
		return (token_hex(recording, 1) & ~KOHAKU_V_OFFSET) |
		       KOHAKU_PUT(KOHAKU_V_OFFSET, token_number(recording, 4));
	if (!strcmp(name, "vld"))
		return register_op(recording, KOHAKU_VLD);
	if (!strcmp(name, "vst"))
		return register_op(recording, KOHAKU_VST);
	if (!strcmp(name, "vshuf"))
		return shuffle_op(recording);
	if (!strcmp(name, "vcmpeq"))
		return compare_op(recording);
	if (!strcmp(name, "vseti"))
		return scalar_op(recording, KOHAKU_VSETI, KOHAKU_V_VD);
	if (!strcmp(name, "vsetvl"))
		return scalar_op(recording, KOHAKU_VSETVL, KOHAKU_V_VA);
	if (!strcmp(name, "vsetmode"))
		return KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VSETMODE) |
		       KOHAKU_PUT(KOHAKU_V_VA, token_is(recording, 3, "TREE") ? 3 : 0);
	if (!strcmp(name, "vfill"))
		return memory_op(recording, KOHAKU_VFILL, 3);
	if (!strcmp(name, "vdrain"))
		return memory_op(recording, KOHAKU_VDRAIN, 3);
	if (!strcmp(name, "vbar"))
		return KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VBAR);
	if (!strcmp(name, "vhalt"))
		return KOHAKU_PUT(KOHAKU_V_OP, KOHAKU_VHALT);
	if (!strcmp(name, "e8m15"))
		return scalar_value(recording);
	if (token_is(recording, 3, "stride"))
		return dim_value(token_number(recording, 4), token_number(recording, 6));
	return dim_value(token_number(recording, 3), token_number(recording, 4));
}

enum outcome relayout_encoding(struct recording *recording)
{
	return same(recording, "code", encoded(recording), token_hex(recording, 1)) ? PASSED
										    : FAILED;
}

/* "imem 5 WORD", "desc ad3 fld0 base ADDR", "desc ad2 fld1 dim(128,8)", "run 300" */
static bool take_flit(const struct recording *recording, struct kohaku_flit_fields *fields)
{
	int32_t stride;
	uint32_t bound;

	memset(fields, 0, sizeof(*fields));
	if (token_is(recording, 7, "imem")) {
		fields->kind = KOHAKU_FLIT_IMEM;
		fields->index = token_number(recording, 8);
		fields->value = token_hex(recording, 9);
		return true;
	}
	if (token_is(recording, 7, "run")) {
		fields->kind = KOHAKU_FLIT_RUN;
		fields->index = token_number(recording, 8);
		return true;
	}
	fields->kind = KOHAKU_FLIT_DESC;
	fields->index = numbered(recording, 8);
	fields->field = numbered(recording, 9);
	if (!fields->field) {
		fields->value = token_hex(recording, 11);
		return true;
	}
	fields->value = 0;
	if (sscanf(token(recording, 10), "dim(%" SCNd32 ",%" SCNu32 ")", &stride, &bound) != 2)
		return false;
	fields->value = dim_value(stride, bound);
	return true;
}

enum outcome relayout_flit(struct recording *recording)
{
	struct kohaku_flit_fields fields, back;
	struct kohaku_flit flit;
	uint8_t bytes[36];

	if (!take_flit(recording, &fields) || kohaku_flit_encode(&fields, &flit) ||
	    !replay_hex(token(recording, 1), bytes, sizeof(bytes)))
		return fail(recording, "unreadable");
	if (memcmp(&flit, bytes, sizeof(bytes)))
		return fail(recording, "the packet differs");
	for (size_t i = 0; i < 5; i++)
		if (!same(recording, "word", flit.words[i], token_hex(recording, 2 + i)))
			return FAILED;
	if (kohaku_flit_decode(&flit, &back) || back.kind != fields.kind ||
	    back.index != fields.index || back.field != fields.field ||
	    back.value != fields.value)
		return fail(recording, "the packet does not decode to what it was made of");
	return PASSED;
}
