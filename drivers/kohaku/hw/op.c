// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "limits.h"
#include "op.h"

/* An element of a transform's destination is an entry of this many words. */
#define ENTRY_WORDS 4

/* Is an operation zero from the end of the member that it uses on? */
static bool rest_zero(const struct kohaku_op *op, size_t used)
{
	static const struct kohaku_move unused;

	return !memcmp((const u8 *)&op->move + used, &unused, sizeof(unused) - used);
}

static int check_slot_load(const struct kohaku_slot_load *load)
{
	if (load->__reserved || load->occupant != KOHAKU_OCCUPANT_PALETTE)
		return -EOPNOTSUPP;
	if (!load->count || load->first >= KOHAKU_PALETTE_SIZE ||
	    load->count > KOHAKU_PALETTE_SIZE - load->first)
		return -EINVAL;
	return 0;
}

static int check_transfer(const struct kohaku_transfer *transfer, u32 mesh)
{
	/* The fabric stands beside the meshes; one of them keeps its queue. */
	if (mesh || transfer->count > KOHAKU_MAX_INSNS)
		return -EINVAL;
	if (transfer->count && transfer->stride < sizeof(struct kohaku_transfer_insn))
		return -EINVAL;
	return transfer->stride > KOHAKU_MAX_STRIDE ? -E2BIG : 0;
}

static int check_relayout(const struct kohaku_relayout *relayout)
{
	if (relayout->mode > KOHAKU_RELAYOUT_FILL ||
	    relayout->flags & ~(KOHAKU_RELAYOUT_TRANSPOSE | KOHAKU_RELAYOUT_IN_PLACE))
		return -EOPNOTSUPP;
	return !relayout->runs || relayout->runs > KOHAKU_RELAYOUT_RUNS ? -EINVAL : 0;
}

int kohaku_op_check(const struct kohaku_op *op, u32 meshes)
{
	u32 flags = KOHAKU_OP_BARRIER;
	int error = 0;

	switch (op->opcode) {
	case KOHAKU_OP_MARKER:
		if (!rest_zero(op, 0))
			return -EOPNOTSUPP;
		break;
	case KOHAKU_OP_SLOT_LOAD:
		if (!rest_zero(op, sizeof(op->slot_load)))
			return -EOPNOTSUPP;
		error = check_slot_load(&op->slot_load);
		break;
	case KOHAKU_OP_TRANSFER:
		if (!rest_zero(op, sizeof(op->transfer)))
			return -EOPNOTSUPP;
		error = check_transfer(&op->transfer, op->mesh);
		break;
	case KOHAKU_OP_RELAYOUT:
		if (!rest_zero(op, sizeof(op->relayout)))
			return -EOPNOTSUPP;
		error = check_relayout(&op->relayout);
		break;
	case KOHAKU_OP_MOVE:
		flags |= KOHAKU_OP_VERIFY;
		break;
	default:
		return -EOPNOTSUPP;
	}
	if (op->flags & ~flags)
		return -EOPNOTSUPP;
	if (op->mesh >= meshes)
		return -EINVAL;
	return error;
}

bool kohaku_op_verifies(const struct kohaku_op *op, u64 dst_addr,
			const struct kohaku_move_facts *facts, u64 *addr)
{
	if (!(op->flags & KOHAKU_OP_VERIFY) || facts->dst.empty)
		return false;
	*addr = dst_addr + op->move.dst.offset + (u64)facts->dst.hi;
	if (op->move.mode == KOHAKU_MOVE_XFORM)
		*addr += (ENTRY_WORDS - 1) * KOHAKU_WORD;
	return *addr % KOHAKU_WORD == 0;
}

/* One round of SplitMix64. */
static u64 mix(u64 x)
{
	x += 0x9e3779b97f4a7c15ULL;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
	x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

void kohaku_op_sentinel(u64 nonce, u8 word[KOHAKU_WORD_SIZE])
{
	u32 i;

	for (i = 0; i < KOHAKU_WORD_SIZE; i += sizeof(nonce)) {
		nonce = mix(nonce + i);
		memcpy(word + i, &nonce, sizeof(nonce));
	}
}

static s64 offset_at(const struct kohaku_walker *walker, u64 number)
{
	s64 offset = 0;
	u32 dim;

	for (dim = walker->ndim; dim-- > 0;) {
		offset += walker->dims[dim].stride * (s64)(number % walker->dims[dim].count);
		number /= walker->dims[dim].count;
	}
	return offset;
}

static u64 source_offset(const struct kohaku_move *move, const u32 *indices, u64 number)
{
	switch (move->mode) {
	case KOHAKU_MOVE_COPY:
		return move->src.offset + (u64)offset_at(&move->src, number);
	case KOHAKU_MOVE_GATHER:
		return move->src.offset + (u64)indices[number / move->row_words] * move->pitch +
		       number % move->row_words * KOHAKU_WORD;
	default:
		return 0;
	}
}

void kohaku_op_locate_fault(const struct kohaku_move *move, u64 dst_addr, const u32 *indices,
			    u64 limit, struct kohaku_fault_read *record)
{
	struct kohaku_element element;
	u64 words;

	record->out_element = KOHAKU_ELEMENT_UNKNOWN;
	if (record->out_code != KOHAKU_FAULT_ALIGN ||
	    !kohaku_move_misaligned(move, dst_addr, limit, &element, &words))
		return;
	record->out_element = element.number;
	memcpy(record->out_indices, element.indices, sizeof(record->out_indices));
	record->out_dst_offset = move->dst.offset + (u64)element.offset;
	record->out_src_offset = source_offset(move, indices, element.number);
	record->out_words = words;
}

static const char *vector_fault_name(u32 code)
{
	static const char *const names[] = {
		"vector core: element type not built",
		"vector core: no such operand source",
		"vector core: operations cannot chain",
		"vector core: no such instruction",
		"vector core: walk of more words than it holds",
		"vector core: loop not built",
		"vector core: vector length out of range",
		"vector core: vector length of a reduction",
		"vector core: no data of the compute unit",
	};

	if (code >= KOHAKU_FAULT_VECTOR_DTYPE &&
	    code < KOHAKU_FAULT_VECTOR_DTYPE + ARRAY_SIZE(names))
		return names[code - KOHAKU_FAULT_VECTOR_DTYPE];
	switch (code) {
	case KOHAKU_FAULT_VECTOR_ENDLESS:
		return "vector core: the program does not halt";
	case KOHAKU_FAULT_VECTOR_MEMORY:
		return "vector core: memory answered an error";
	case KOHAKU_FAULT_VECTOR_PACKET:
		return "vector core: not a packet";
	default:
		return "vector core: unknown fault";
	}
}

const char *kohaku_fault_code_name(u32 code)
{
	switch (code) {
	case KOHAKU_FAULT_NONE:
		return "none";
	case KOHAKU_FAULT_INDEX:
		return "more indices than the mover holds";
	case KOHAKU_FAULT_RANGE:
		return "incomplete transform entry";
	case KOHAKU_FAULT_AXI:
		return "memory answered an error";
	case KOHAKU_FAULT_MODE:
		return "mode not built";
	case KOHAKU_FAULT_WIDTH:
		return "element width not built";
	case KOHAKU_FAULT_ALIGN:
		return "destination not aligned to a word";
	case KOHAKU_FAULT_PAD:
		return "transform source outside its window";
	case KOHAKU_FAULT_NO_MOTION:
		return "reported done, nothing moved";
	case KOHAKU_FAULT_TIMEOUT:
		return "no progress in time";
	case KOHAKU_FAULT_MEMORY:
		return "access by the host failed";
	case KOHAKU_FAULT_PAGE:
		return "no page there, or one that forbids the access";
	case KOHAKU_FAULT_VECTOR ... KOHAKU_FAULT_VECTOR_PACKET:
		return vector_fault_name(code);
	default:
		return "unknown fault";
	}
}
