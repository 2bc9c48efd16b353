// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
/*
 * The kamlet transfer engine: starts kinstructions in program order, follows
 * them until every kamlet is through, and runs the local ones.
 */
#include "units.h"

static void set_state(struct fabric *fabric, u32 k, struct tf_row *row, enum fabric_row_state state)
{
	row->state = state;
	tf_trace_row(fabric, k, row);
}

static void push_age(struct tf_kamlet *kamlet, u32 index)
{
	kamlet->age[kamlet->live++] = index;
}

static void drop_age(struct tf_kamlet *kamlet, u32 index)
{
	u32 i = 0;

	while (kamlet->age[i] != index)
		i++;
	kamlet->live--;
	memmove(&kamlet->age[i], &kamlet->age[i + 1], kamlet->live - i);
}

static struct tf_kinstr *head_of(struct fabric *fabric, u32 k)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	struct tf_kinstr *kinstr = tf_kinstr_at(fabric, kamlet->next);

	if (kamlet->next == fabric->issued || kinstr->arrival > fabric->now)
		return NULL;
	return kinstr;
}

/*
 * Leaves the table.  Only now may a younger kinstruction that conflicts start
 * here: every kamlet has reported, so no message of this one is left anywhere.
 */
static void free_row(struct fabric *fabric, u32 k, struct tf_row *row)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 index = row - kamlet->rows, ident = row->stored.ident;
	bool barrier = row->kinstr->kind == TF_PUSH || row->kinstr->kind == TF_REQUEST;

	if (barrier && (row->open || row->kinstr->completed != fabric->layout.kamlets))
		fabric->counters.protocol_errors++;
	if (row->stored.slot != TF_NO_SLOT)
		tf_kce_unpin(fabric, k, row->stored.slot);
	kamlet->row_of[ident] = TF_NO_ROW;
	drop_age(kamlet, index);
	set_state(fabric, k, row, FABRIC_ROW_FREE);
	row->kinstr = NULL;
	tf_lamlet_freed(fabric, &fabric->kinstrs[ident]);
}

static void copy_byte(u64 *to, u64 from, u32 byte)
{
	*to = tf_merge(*to, from, byte, 1);
}

/* Register and memory agree on where every byte is: each jamlet copies its own. */
static void run_local(struct fabric *fabric, u32 k, const struct tf_kinstr *kinstr, u32 slot)
{
	u32 jamlets = fabric->layout.jamlets, g, lane, byte, r;
	u32 word = kinstr->offset / fabric->layout.stripe % fabric->layout.words;
	u32 reg = kinstr->details.data + kinstr->begin / fabric->layout.stripe;
	u64 *memory;

	for (g = k * jamlets; g < (k + 1) * jamlets; g++) {
		lane = fabric->layout.lane[fabric->config.order][g];
		memory = tf_sram_word(fabric, g, slot, word);
		for (byte = 0; byte < 8; byte++) {
			if (!tf_register_byte(fabric, kinstr, lane, byte, &r) ||
			    !tf_active(fabric, kinstr, r / tf_size(kinstr)))
				continue;
			if (tf_is_store(kinstr))
				copy_byte(memory, fabric->regs[g][reg], byte);
			else
				copy_byte(&fabric->regs[g][reg], *memory, byte);
		}
	}
	if (tf_is_store(kinstr))
		tf_kce_modified(fabric, k, slot);
}

static bool registers_conflict(const struct tf_kinstr *older, const struct tf_kinstr *younger)
{
	return (younger->writes & (older->reads | older->writes)) ||
	       (younger->reads & older->writes);
}

static bool lines_meet(const struct tf_kinstr *a, const struct tf_kinstr *b)
{
	return a->first_line <= b->last_line && b->first_line <= a->last_line;
}

static bool memory_conflicts(const struct tf_kinstr *older, const struct tf_kinstr *younger)
{
	bool a = tf_is_store(older), b = tf_is_store(younger);

	if ((older->writeset & TF_WRITESET_VALID) && older->writeset == younger->writeset)
		return false;
	if (!a && !b)
		return false;
	if (older->footprint == TF_UNKNOWN || younger->footprint == TF_UNKNOWN)
		return true;
	return lines_meet(older, younger);
}

/*
 * Pieces of one operation move disjoint bytes, so registers do not order them;
 * relayouts have none.
 */
static bool may_start(const struct tf_kamlet *kamlet, const struct tf_kinstr *kinstr)
{
	const struct tf_kinstr *older;
	u32 i;

	for (i = 0; i < kamlet->live; i++) {
		older = kamlet->rows[kamlet->age[i]].kinstr;
		if (older->op != kinstr->op && registers_conflict(older, kinstr))
			return false;
		if (memory_conflicts(older, kinstr))
			return false;
	}
	return true;
}

static void started(struct fabric *fabric, u32 k, struct tf_row *row, struct tf_kinstr *kinstr)
{
	switch (kinstr->kind) {
	case TF_LOCAL:
		set_state(fabric, k, row, FABRIC_ROW_CACHE_WAIT);
		break;
	case TF_RELAYOUT:
		set_state(fabric, k, row, FABRIC_ROW_SYNC_WAIT);
		if (++kinstr->entered == fabric->layout.kamlets)
			tf_wake(fabric, TF_UNIT_LAMLET, fabric->now);
		break;
	default:
		set_state(fabric, k, row, FABRIC_ROW_ACTIVE);
		tf_jte_start(fabric, k, row);
		tf_wake(fabric, TF_UNIT_KTE + k, fabric->now + 1);
	}
}

static void create_row(struct fabric *fabric, u32 k, struct tf_kinstr *kinstr, u32 slot)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	struct tf_row *row = kamlet->rows;
	u32 index;

	while (row->state != FABRIC_ROW_FREE)
		row++;
	index = row - kamlet->rows;
	memset(row, 0, sizeof(*row));
	row->stored = (struct tf_kte_row) {
		.ident = tf_ident(fabric, kinstr),
		.writeset = kinstr->writeset,
		.y = TF_LAMLET_Y,
		.slot = slot,
		.details = kinstr->details,
	};
	row->stored.details.param = index;
	row->kinstr = kinstr;
	row->fault = TF_NO_FAULT;
	row->phase = kinstr->faults ? TF_FAULT_COLLECT : TF_FAULT_NONE;
	kamlet->row_of[row->stored.ident] = index;
	push_age(kamlet, index);
	fabric->counters.rows = max(fabric->counters.rows, kamlet->live);
	if (slot != TF_NO_SLOT)
		tf_kce_pin(fabric, k, slot);
	started(fabric, k, row, kinstr);
}

/* A slot for the line that a kinstruction works on here; false: none to be had. */
static bool get_slot(struct fabric *fabric, u32 k, const struct tf_kinstr *kinstr, u32 *slot)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];

	*slot = TF_NO_SLOT;
	if (kinstr->kind == TF_RELAYOUT || kinstr->footprint == TF_UNKNOWN || !kinstr->vector ||
	    !tf_kamlet_holds(fabric, kinstr, k))
		return true;
	*slot = tf_kce_claim(fabric, k, kinstr->first_line, false);
	kamlet->head_wants_slot = *slot == TF_NO_SLOT;
	if (kamlet->head_wants_slot)
		return false;
	if (tf_kce_present(&kamlet->slots[*slot]))
		fabric->counters.hits++;
	else
		fabric->counters.misses++;
	return true;
}

/* A local kinstruction that needs no row: nothing here, or all at once. */
static bool issue_at_once(struct fabric *fabric, u32 k, struct tf_kinstr *kinstr, bool *port)
{
	u32 slot = tf_kce_find(fabric, k, kinstr->first_line);

	if (slot == TF_NO_SLOT || !tf_kce_present(&fabric->kamlets[k].slots[slot]))
		return false;
	run_local(fabric, k, kinstr, slot);
	fabric->counters.hits++;
	*port = true;
	tf_lamlet_freed(fabric, kinstr);
	return true;
}

/* Starts the head of the FIFO; @port: a local kinstruction ran in this tick. */
static bool issue(struct fabric *fabric, u32 k, bool *port)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	struct tf_kinstr *kinstr = head_of(fabric, k);
	u32 slot;

	if (!kinstr)
		return false;
	if (kinstr->kind == TF_LOCAL && !tf_kamlet_holds(fabric, kinstr, k)) {
		kamlet->next++;
		tf_lamlet_freed(fabric, kinstr);
		return true;
	}
	if (!may_start(kamlet, kinstr))
		return false;
	if (kinstr->kind == TF_LOCAL && *port)
		return false;
	if (kinstr->kind != TF_LOCAL || !issue_at_once(fabric, k, kinstr, port)) {
		if (kamlet->live == fabric->config.rows || !get_slot(fabric, k, kinstr, &slot))
			return false;
		create_row(fabric, k, kinstr, slot);
	}
	kamlet->head_wants_slot = false;
	kamlet->next++;
	return true;
}

static void report_complete(struct fabric *fabric, u32 k, struct tf_row *row)
{
	struct tf_kinstr *kinstr = &fabric->kinstrs[row->stored.ident];

	set_state(fabric, k, row, FABRIC_ROW_SYNC_NEEDED);
	kinstr->completed++;
	tf_sync_event(fabric, kinstr->done_sync, k, NULL);
	set_state(fabric, k, row, FABRIC_ROW_SYNC_WAIT);
}

static void follow_active(struct fabric *fabric, u32 k, struct tf_row *row)
{
	if (row->phase == TF_FAULT_COLLECT && !row->fresh) {
		row->phase = TF_FAULT_WAIT;
		tf_sync_event(fabric, row->kinstr->fault_sync, k,
			      row->fault.element == U32_MAX ? NULL : &row->fault);
	}
	if (!row->open && (row->phase == TF_FAULT_NONE || row->phase == TF_FAULT_DONE))
		report_complete(fabric, k, row);
}

/* Moves one row on; true: it left the table. */
static bool follow(struct fabric *fabric, u32 k, struct tf_row *row, bool *port)
{
	switch (row->state) {
	case FABRIC_ROW_ACTIVE:
		follow_active(fabric, k, row);
		return false;
	case FABRIC_ROW_CACHE_WAIT:
		if (*port || !tf_kce_present(&fabric->kamlets[k].slots[row->stored.slot]))
			return false;
		run_local(fabric, k, row->kinstr, row->stored.slot);
		*port = true;
		set_state(fabric, k, row, FABRIC_ROW_CLEANUP);
		free_row(fabric, k, row);
		return true;
	case FABRIC_ROW_CLEANUP:
		free_row(fabric, k, row);
		return true;
	default:
		return false;
	}
}

void tf_kte_run(struct fabric *fabric, u32 k)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	bool port = false, again = false;
	u32 i = 0;

	while (i < kamlet->live) {
		if (follow(fabric, k, &kamlet->rows[kamlet->age[i]], &port))
			again = true;
		else
			i++;
	}
	again |= issue(fabric, k, &port);
	if (again || port)
		tf_wake(fabric, TF_UNIT_KTE + k, fabric->now + 1);
}

/* Elements that waited for the verdict: free to go before the fault, else skipped. */
static void release_byte(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 fault)
{
	u32 lane = fabric->layout.lane[fabric->config.order][g], r;

	tf_register_byte(fabric, row->kinstr, lane, byte, &r);
	if (r / tf_size(row->kinstr) < fault)
		tf_jte_resend(fabric, g, row, byte, 0);
	else
		tf_jte_set(fabric, g, row, byte, FABRIC_BYTE_SKIP);
}

void tf_kte_fault_known(struct fabric *fabric, u32 k, const struct tf_sync *sync)
{
	struct tf_kinstr *kinstr = tf_kinstr_at(fabric, sync->seq);
	struct tf_row *row = tf_row_of(fabric, k, tf_ident(fabric, kinstr));
	u32 jamlets = fabric->layout.jamlets, g, byte;

	row->phase = TF_FAULT_DONE;
	for (g = k * jamlets; g < (k + 1) * jamlets; g++)
		for (byte = 0; byte < 8; byte++)
			if (tf_jte_get(fabric, g, row, byte) == FABRIC_BYTE_FAULT_WAIT)
				release_byte(fabric, g, row, byte, sync->value.element);
	tf_wake(fabric, TF_UNIT_KTE + k, fabric->now);
}

void tf_kte_barrier_done(struct fabric *fabric, u32 k, const struct tf_sync *sync)
{
	struct tf_kinstr *kinstr = tf_kinstr_at(fabric, sync->seq);

	set_state(fabric, k, tf_row_of(fabric, k, tf_ident(fabric, kinstr)), FABRIC_ROW_CLEANUP);
	tf_wake(fabric, TF_UNIT_KTE + k, fabric->now);
}

void tf_kte_release(struct fabric *fabric, u32 k, const struct tf_kinstr *kinstr)
{
	set_state(fabric, k, tf_row_of(fabric, k, tf_ident(fabric, kinstr)), FABRIC_ROW_CLEANUP);
	tf_wake(fabric, TF_UNIT_KTE + k, fabric->now);
}
