// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/* Instruction packets: fields to bits and back. */
#include "vector.h"

/* The header's packet type and transaction, the same for every packet. */
#define HEADER		0x5400ULL
#define HEADER_MASK	KOHAKU_BITS(15, 4)

/* The top quarter of the payload. */
#define KIND		KOHAKU_BITS(63, 60)
#define PC		KOHAKU_BITS(59, 51)
#define DESCRIPTOR	KOHAKU_BITS(59, 57)
#define FIELD		KOHAKU_BITS(56, 54)
#define VALUE		KOHAKU_BITS(53, 20)

/* Where a value breaks: its upper 6 bits lie apart, at payload bit 63. */
#define VALUE_BITS	34
#define BASE_BITS	40

static bool fields_valid(const struct kohaku_flit_fields *fields)
{
	if (fields->kind == KOHAKU_FLIT_DESC)
		return fields->index < KOHAKU_VECTOR_DESCRIPTORS &&
		       fields->field <= KOHAKU_VECTOR_DIMS &&
		       !(fields->value >> (fields->field ? VALUE_BITS : BASE_BITS));
	return fields->index < KOHAKU_VECTOR_IMEM && fields->value <= U32_MAX;
}

int kohaku_flit_encode(const struct kohaku_flit_fields *fields, struct kohaku_flit *flit)
{
	u64 *words = flit->words;

	if (!fields_valid(fields))
		return -EINVAL;
	memset(flit, 0, sizeof(*flit));
	words[4] = HEADER;
	words[3] = KOHAKU_PUT(KIND, fields->kind);
	switch (fields->kind) {
	case KOHAKU_FLIT_IMEM:
		words[3] |= KOHAKU_PUT(PC, fields->index);
		words[0] = fields->value;
		return 0;
	case KOHAKU_FLIT_DESC:
		words[3] |= KOHAKU_PUT(DESCRIPTOR, fields->index) |
			    KOHAKU_PUT(FIELD, fields->field) | KOHAKU_PUT(VALUE, fields->value);
		words[0] = fields->value >> VALUE_BITS << 63;
		words[1] = fields->value >> (VALUE_BITS + 1);
		return 0;
	case KOHAKU_FLIT_RUN:
		words[3] |= KOHAKU_PUT(PC, fields->index);
		return 0;
	}
	return -EINVAL;
}

int kohaku_flit_decode(const struct kohaku_flit *flit, struct kohaku_flit_fields *fields)
{
	const u64 *words = flit->words;

	if ((words[4] & HEADER_MASK) != HEADER)
		return -EINVAL;
	memset(fields, 0, sizeof(*fields));
	fields->kind = KOHAKU_GET(KIND, words[3]);
	switch (fields->kind) {
	case KOHAKU_FLIT_IMEM:
		fields->index = KOHAKU_GET(PC, words[3]);
		fields->value = (u32)words[0];
		return 0;
	case KOHAKU_FLIT_DESC:
		fields->index = KOHAKU_GET(DESCRIPTOR, words[3]);
		fields->field = KOHAKU_GET(FIELD, words[3]);
		fields->value = KOHAKU_GET(VALUE, words[3]);
		if (!fields->field)
			fields->value |= (words[0] >> 63 | (words[1] & 0x1f) << 1) << VALUE_BITS;
		return fields->field <= KOHAKU_VECTOR_DIMS ? 0 : -EINVAL;
	case KOHAKU_FLIT_RUN:
		fields->index = KOHAKU_GET(PC, words[3]);
		return 0;
	}
	return -EINVAL;
}

int kohaku_flit_put(const struct kohaku_flit_sink *sink, enum kohaku_flit_kind kind, u32 index,
		    u32 field, u64 value)
{
	struct kohaku_flit_fields fields = { kind, index, field, value };
	struct kohaku_flit flit;
	int error = kohaku_flit_encode(&fields, &flit);

	return error ? error : sink->put(sink->ctx, &flit);
}
