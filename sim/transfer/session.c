// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "hw/limits.h"
#include "session.h"
#include "sim/env.h"

/* What user space sees are the model's own numbers. */
#define SAME(uapi, own) static_assert((u32)(uapi) == (u32)(own), #uapi)
SAME(KOHAKU_FABRIC_MESSAGES, FABRIC_MESSAGES);
SAME(KOHAKU_FABRIC_REGISTERS, FABRIC_REGISTERS);
SAME(KOHAKU_MAX_INSNS, FABRIC_PROGRAM_MAX);
SAME(KOHAKU_FABRIC_VECTOR, FABRIC_VECTOR);
SAME(KOHAKU_FABRIC_SCALAR, FABRIC_SCALAR);
SAME(KOHAKU_FABRIC_SCALAR_ONCE, FABRIC_SCALAR_ONCE);
SAME(KOHAKU_TRANSFER_UNIT, FABRIC_UNIT);
SAME(KOHAKU_TRANSFER_STRIDE, FABRIC_STRIDE);
SAME(KOHAKU_TRANSFER_INDEX, FABRIC_INDEX);
SAME(KOHAKU_TRANSFER_NO_PAGE, FABRIC_NO_PAGE);
SAME(KOHAKU_TRANSFER_NOT_READABLE, FABRIC_NOT_READABLE);
SAME(KOHAKU_TRANSFER_NOT_WRITABLE, FABRIC_NOT_WRITABLE);
SAME(KOHAKU_FABRIC_SEND, FABRIC_EVENT_SEND);
SAME(KOHAKU_FABRIC_SYNC_DONE, FABRIC_EVENT_SYNC_DONE);
SAME(KOHAKU_FABRIC_JAMLET, FABRIC_JAMLET);
SAME(KOHAKU_FABRIC_LAMLET, FABRIC_LAMLET);

int fabric_session_init(struct fabric_session *session, const struct fabric_config *config)
{
	struct fabric_config own = *config;

	own.tick_limit = U64_MAX;
	memset(session, 0, sizeof(*session));
	session->fabric = fabric_create(&own);
	return session->fabric ? 0 : -ENOMEM;
}

void fabric_session_exit(struct fabric_session *session)
{
	fabric_destroy(session->fabric);
	env_free(session->events);
}

static u32 lanes_of(const struct fabric_config *config)
{
	return config->kamlet_columns * config->kamlet_rows *
	       config->jamlet_columns * config->jamlet_rows;
}

static void fill_geometry(const struct fabric_session *session, struct kohaku_fabric_query *query)
{
	const struct fabric_config *config = fabric_config(session->fabric);

	query->out_kamlet_columns = config->kamlet_columns;
	query->out_kamlet_rows = config->kamlet_rows;
	query->out_jamlet_columns = config->jamlet_columns;
	query->out_jamlet_rows = config->jamlet_rows;
	query->out_lanes = lanes_of(config);
	query->out_stripe_bytes = query->out_lanes * sizeof(u64);
	query->out_page_bytes = config->page_bytes;
	query->out_line_words = config->line_words;
	query->out_order = config->order;
	query->out_slots = config->slots;
	query->out_rows = config->rows;
	query->out_waits = config->waits;
	query->out_idents = config->idents;
	query->out_syncs = config->syncs;
	query->out_push_ack = config->push_ack;
	query->out_max_pages = FABRIC_PAGES_MAX;
	query->out_max_insns = FABRIC_PROGRAM_MAX;
	query->out_pages = session->pages;
}

static void fill_counters(const struct fabric_counters *from, struct kohaku_fabric_query *query)
{
	memcpy(query->out_messages, from->messages, sizeof(query->out_messages));
	memcpy(query->out_segments, from->segments, sizeof(query->out_segments));
	memcpy(query->out_drops, from->drops, sizeof(query->out_drops));
	query->out_masked = from->masked;
	query->out_resends = from->resends;
	query->out_retries = from->retries;
	query->out_hits = from->hits;
	query->out_misses = from->misses;
	query->out_fetches = from->fetches;
	query->out_evictions = from->evictions;
	query->out_relayouts = from->relayouts;
	query->out_local = from->local;
	query->out_nonlocal = from->nonlocal;
	query->out_fault_syncs = from->fault_syncs;
	query->out_done_syncs = from->done_syncs;
	query->out_sync_packets = from->sync_packets;
	query->out_once = from->once;
	query->out_protocol_errors = from->protocol_errors;
	query->out_ticks = from->cycles;
	query->out_top_rows = from->rows;
	query->out_top_waits = from->waits;
	query->out_top_pinned = from->pinned;
	query->out_top_idents = from->idents;
	query->out_top_syncs = from->syncs;
	query->out_top_in_flight = from->in_flight;
}

int fabric_session_query(struct fabric_session *session, struct kohaku_fabric_query *query)
{
	bool clear = query->flags & KOHAKU_FABRIC_CLEAR;

	if (clear && session->running)
		return -EBUSY;
	fill_geometry(session, query);
	fill_counters(fabric_counters(session->fabric), query);
	if (clear)
		fabric_counters_clear(session->fabric);
	return 0;
}

u32 fabric_session_stripes(const struct fabric_session *session)
{
	const struct fabric_config *config = fabric_config(session->fabric);

	return config->page_bytes / (lanes_of(config) * sizeof(u64));
}

int fabric_session_map_check(const struct fabric_session *session,
			     const struct kohaku_fabric_map *map)
{
	if (!map->stripe_count)
		return 0;
	return map->stripe_count != fabric_session_stripes(session) ||
	       map->memory != KOHAKU_FABRIC_VECTOR ? -EINVAL : 0;
}

static int map_page(struct fabric_session *session, const struct kohaku_fabric_map *map,
		    const struct kohaku_fabric_stripe *stripes)
{
	const struct fabric_page page = {
		.address = map->address,
		.memory = map->memory,
		.readable = map->flags & KOHAKU_FABRIC_READABLE,
		.writable = map->flags & KOHAKU_FABRIC_WRITABLE,
	};
	u32 count = map->stripe_count, i;
	u8 *looks;
	int err;

	if (!count)
		return fabric_map(session->fabric, &page, NULL, NULL);
	looks = env_alloc(2 * count);
	if (!looks)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		looks[i] = stripes[i].width;
		looks[count + i] = stripes[i].order;
	}
	err = fabric_map(session->fabric, &page, looks, looks + count);
	env_free(looks);
	return err;
}

int fabric_session_map(struct fabric_session *session, const struct kohaku_fabric_map *map,
		       const struct kohaku_fabric_stripe *stripes)
{
	int err = map_page(session, map, stripes);

	session->pages += !err;
	return err;
}

int fabric_session_unmap(struct fabric_session *session, u64 address)
{
	int err = fabric_unmap(session->fabric, address);

	session->pages -= !err;
	return err;
}

int fabric_session_layout(struct fabric_session *session, u64 address,
			  struct kohaku_fabric_stripe *stripes)
{
	const struct fabric_config *config = fabric_config(session->fabric);
	u32 bytes = lanes_of(config) * sizeof(u64), count = fabric_session_stripes(session);
	u32 width, order, i;
	int err = session->running ? -EBUSY : 0;

	if (address % config->page_bytes)
		return -ENOENT;
	for (i = 0; !err && i < count; i++) {
		err = fabric_stripe(session->fabric, address + (u64)i * bytes, &width, &order);
		if (err)
			break;
		stripes[i].width = width;
		stripes[i].order = order;
	}
	return err;
}

int fabric_session_io_check(const struct fabric_session *session,
			    const struct kohaku_fabric_io *io, bool write)
{
	switch (io->space) {
	case KOHAKU_FABRIC_MEMORY:
		if (io->width)
			return -EOPNOTSUPP;
		return io->length > KOHAKU_MAX_FABRIC_IO ? -EINVAL : 0;
	case KOHAKU_FABRIC_REGISTER:
		if (!write && io->width)
			return -EOPNOTSUPP;
		if (io->address >= FABRIC_REGISTERS)
			return -EINVAL;
		return io->length == lanes_of(fabric_config(session->fabric)) * sizeof(u64) ?
		       0 : -EINVAL;
	default:
		return -EOPNOTSUPP;
	}
}

int fabric_session_io(struct fabric_session *session, struct kohaku_fabric_io *io, void *bytes,
		      bool write)
{
	struct fabric *fabric = session->fabric;

	if (io->space == KOHAKU_FABRIC_REGISTER)
		return write ? fabric_register_write(fabric, io->address, bytes, io->width) :
			       fabric_register_read(fabric, io->address, bytes, &io->width);
	return write ? fabric_write(fabric, io->address, bytes, io->length) :
		       fabric_read(fabric, io->address, bytes, io->length);
}

#define INSN_FLAGS (KOHAKU_TRANSFER_STORE | KOHAKU_TRANSFER_WAIT | KOHAKU_TRANSFER_MASKED | \
		    KOHAKU_TRANSFER_DISJOINT)

/* Is everything known, and zero what is not used? */
static bool insn_understood(const struct kohaku_transfer_insn *insn)
{
	if (insn->flags & ~INSN_FLAGS || insn->__reserved || insn->__reserved1)
		return false;
	if (insn->mode > KOHAKU_TRANSFER_INDEX)
		return false;
	if (insn->mode != KOHAKU_TRANSFER_INDEX && (insn->index || insn->index_width))
		return false;
	if (insn->mode != KOHAKU_TRANSFER_STRIDE && insn->stride)
		return false;
	if (!(insn->flags & KOHAKU_TRANSFER_MASKED) && insn->mask)
		return false;
	return insn->flags & KOHAKU_TRANSFER_DISJOINT || !insn->writeset;
}

int fabric_session_insn(const struct fabric_session *session,
			const struct kohaku_transfer_insn *insn, struct fabric_op *op)
{
	if (!insn_understood(insn))
		return -EOPNOTSUPP;
	*op = (struct fabric_op) {
		.store = insn->flags & KOHAKU_TRANSFER_STORE,
		.wait = insn->flags & KOHAKU_TRANSFER_WAIT,
		.mode = insn->mode,
		.width = insn->width,
		.index_width = insn->index_width,
		.group = insn->group,
		.reg = insn->reg,
		.index = insn->mode == KOHAKU_TRANSFER_INDEX ? insn->index : FABRIC_NONE,
		.mask = insn->flags & KOHAKU_TRANSFER_MASKED ? insn->mask : FABRIC_NONE,
		.writeset = insn->flags & KOHAKU_TRANSFER_DISJOINT ? insn->writeset : FABRIC_NONE,
		.count = insn->count,
		.first = insn->first,
		.base = insn->base,
		.stride = insn->stride,
	};
	return fabric_check(session->fabric, op);
}

int fabric_session_start(struct fabric_session *session, const struct fabric_op *ops, u32 count,
			 u64 job, u32 index)
{
	u32 bad;
	int err = fabric_submit(session->fabric, ops, count, &bad);

	if (err)
		return err;
	session->running = true;
	session->ended = false;
	session->job = job;
	session->index = index;
	session->count = count;
	return 0;
}

/* The first instruction that faulted; count when none did. */
static u32 first_fault(const struct fabric_session *session)
{
	const struct fabric_result *results = fabric_results(session->fabric);
	u32 i;

	for (i = 0; i < session->count && results[i].fault == FABRIC_OK; i++)
		continue;
	return i;
}

int fabric_session_step(struct fabric_session *session, u32 *fault)
{
	int err = fabric_run(session->fabric, FABRIC_SESSION_STEP);

	if (err)
		return err == -EINPROGRESS ? err : -ETIMEDOUT;
	session->running = false;
	session->ended = true;
	*fault = first_fault(session) < session->count ? KOHAKU_FAULT_PAGE : KOHAKU_FAULT_NONE;
	return 0;
}

void fabric_session_stop(struct fabric_session *session)
{
	fabric_abort(session->fabric);
	session->running = false;
}

int fabric_session_results(const struct fabric_session *session,
			   struct kohaku_fabric_results *results)
{
	u32 room = results->count;

	if (results->stride < sizeof(struct kohaku_transfer_result))
		return -EINVAL;
	if (session->running)
		return -EBUSY;
	if (!session->ended)
		return -ENOENT;
	results->count = session->count;
	results->out_job = session->job;
	results->out_index = session->index;
	return room < session->count ? -EMSGSIZE : 0;
}

void fabric_session_result(const struct fabric_session *session, u32 insn,
			   struct kohaku_transfer_result *result)
{
	const struct fabric_result *from = &fabric_results(session->fabric)[insn];

	*result = (struct kohaku_transfer_result) {
		.fault = from->fault,
		.element = from->element,
		.element_address = from->element_address,
		.address = from->address,
		.start = from->start,
		.end = from->end,
	};
}

void fabric_session_fault(const struct fabric_session *session, const struct fabric_op *ops,
			  struct kohaku_fault_read *record)
{
	const struct fabric_result *result = fabric_results(session->fabric);
	u32 insn = first_fault(session);

	record->out_element = KOHAKU_ELEMENT_UNKNOWN;
	if (!session->ended || insn == session->count)
		return;
	result += insn;
	record->out_element = result->element;
	record->out_indices[0] = insn;
	if (ops[insn].store)
		record->out_dst_offset = result->address;
	else
		record->out_src_offset = result->address;
}

static struct kohaku_fabric_party party(const struct fabric_party *from)
{
	return (struct kohaku_fabric_party) { from->unit, from->kamlet, from->x, from->y };
}

static void keep_event(void *ctx, const struct fabric_event *event)
{
	struct fabric_session *session = ctx;
	u32 at = (session->first + session->kept) % FABRIC_SESSION_EVENTS;

	if (session->kept == FABRIC_SESSION_EVENTS) {
		session->lost++;
		return;
	}
	session->kept++;
	session->events[at] = (struct kohaku_fabric_event) {
		.tick = event->tick,
		.arrival = event->arrival,
		.kind = event->kind,
		.type = event->type,
		.ident = event->ident,
		.state = event->state,
		.source = event->source,
		.target = event->target,
		.bytes = event->size,
		.from = party(&event->from),
		.to = party(&event->to),
		.insn = event->op,
		.line = event->line,
	};
}

int fabric_session_trace_check(const struct kohaku_fabric_trace *trace)
{
	if (trace->flags == (KOHAKU_FABRIC_TRACE_START | KOHAKU_FABRIC_TRACE_STOP))
		return -EINVAL;
	if (trace->count && trace->stride < sizeof(struct kohaku_fabric_event))
		return -EINVAL;
	return trace->stride > KOHAKU_MAX_STRIDE ? -E2BIG : 0;
}

int fabric_session_trace_start(struct fabric_session *session)
{
	if (!session->events)
		session->events = env_alloc(FABRIC_SESSION_EVENTS * sizeof(*session->events));
	if (!session->events)
		return -ENOMEM;
	session->first = 0;
	session->kept = 0;
	session->lost = 0;
	fabric_trace(session->fabric, keep_event, session);
	return 0;
}

void fabric_session_trace_stop(struct fabric_session *session)
{
	fabric_trace(session->fabric, NULL, NULL);
	env_free(session->events);
	session->events = NULL;
	session->kept = 0;
}

u32 fabric_session_trace_take(struct fabric_session *session, struct kohaku_fabric_event *events,
			      u32 max)
{
	u32 count = min(max, session->kept), i;

	for (i = 0; i < count; i++)
		events[i] = session->events[(session->first + i) % FABRIC_SESSION_EVENTS];
	session->first = (session->first + count) % FABRIC_SESSION_EVENTS;
	session->kept -= count;
	return count;
}
