// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The rows of a jamlet transfer engine: the states of eight bytes each.
 *
 * A state belongs to the first byte of a segment on the side that keeps it; the
 * segment's other bytes are skipped.  Requests use enum fabric_byte_state.  A
 * push has two roles in every lane, holder of memory bytes that it sends and of
 * register bytes that it expects, and packs both into one code.
 */
#include "units.h"

struct tf_jte_row *tf_jte(struct fabric *fabric, u32 g, const struct tf_row *row)
{
	u32 jamlets = fabric->layout.jamlets, k = g / jamlets;
	u32 index = row - fabric->kamlets[k].rows;

	return &fabric->jte[(k * fabric->config.rows + index) * jamlets + g % jamlets];
}

u32 tf_jte_get(struct fabric *fabric, u32 g, const struct tf_row *row, u32 byte)
{
	return tf_jte(fabric, g, row)->states >> (TF_STATE_BITS * byte) & 7;
}

static bool final(const struct tf_row *row, u32 state)
{
	if (row->kinstr->kind == TF_PUSH)
		return !state;
	return state == FABRIC_BYTE_DONE || state == FABRIC_BYTE_SKIP;
}

void tf_jte_set(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 state)
{
	struct tf_jte_row *jte = tf_jte(fabric, g, row);
	u32 shift = TF_STATE_BITS * byte, old = jte->states >> shift & 7;

	jte->states = (jte->states & ~(7U << shift)) | state << shift;
	row->open += final(row, old) - final(row, state);
	if (row->kinstr->kind == TF_REQUEST && old == FABRIC_BYTE_INIT)
		row->fresh--;
	tf_trace_byte(fabric, g, row, byte, state);
	if (!row->open || !row->fresh)
		tf_wake(fabric, TF_UNIT_KTE + g / fabric->layout.jamlets, fabric->now);
}

void tf_jte_resend(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 ticks)
{
	u64 due = fabric->now + ticks;
	u32 old = tf_jte_get(fabric, g, row, byte);

	tf_jte(fabric, g, row)->due[byte] = due;
	if (row->kinstr->kind == TF_PUSH)
		tf_jte_set(fabric, g, row, byte, tf_push_code(1, old / 3));
	else
		tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_RESEND);
	tf_wake(fabric, TF_UNIT_REQUESTER + g, due);
}

/* Does a segment begin with this byte?  Only at the edges of an element. */
static bool begins_segment(const struct tf_kinstr *kinstr, u32 r, u32 offset)
{
	return r == kinstr->begin || !(r % tf_size(kinstr)) || !(offset % kinstr->mem_size);
}

static u32 push_state(struct fabric *fabric, u32 g, const struct tf_kinstr *kinstr, u32 byte)
{
	const struct tf_layout *layout = &fabric->layout;
	u32 send, expect, r, offset;

	send = tf_memory_byte(fabric, kinstr, layout->lane[kinstr->mem_order][g], byte, &r,
			      &offset) && begins_segment(kinstr, r, offset);
	expect = tf_register_byte(fabric, kinstr, layout->lane[fabric->config.order][g], byte,
				  &r) &&
		 begins_segment(kinstr, r, kinstr->offset + r - kinstr->begin);
	return tf_push_code(send, expect);
}

static u32 request_state(struct fabric *fabric, u32 g, const struct tf_kinstr *kinstr, u32 byte)
{
	u32 r;

	return tf_register_byte(fabric, kinstr, fabric->layout.lane[fabric->config.order][g], byte,
				&r) ? FABRIC_BYTE_INIT : FABRIC_BYTE_SKIP;
}

void tf_jte_start(struct fabric *fabric, u32 k, struct tf_row *row)
{
	const struct tf_kinstr *kinstr = row->kinstr;
	u32 jamlets = fabric->layout.jamlets, g, byte, state;
	struct tf_jte_row *jte;

	row->open = 0;
	row->fresh = 0;
	for (g = k * jamlets; g < (k + 1) * jamlets; g++) {
		jte = tf_jte(fabric, g, row);
		memset(jte, 0, sizeof(*jte));
		for (byte = 0; byte < 8; byte++) {
			state = kinstr->kind == TF_PUSH ? push_state(fabric, g, kinstr, byte) :
							  request_state(fabric, g, kinstr, byte);
			jte->states |= state << (TF_STATE_BITS * byte);
			row->open += !final(row, state);
			row->fresh += kinstr->kind == TF_REQUEST && state == FABRIC_BYTE_INIT;
		}
		tf_wake(fabric, TF_UNIT_REQUESTER + g, fabric->now + 1);
	}
}
