/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The transfer fabric: vector loads and stores carried between lanes.
 *
 * A fabric is a grid of kamlets, each a grid of jamlets (lanes) with one memlet
 * (its DRAM port) and one synchronizer, and a lamlet in front that turns vector
 * instructions into kinstructions.  See Documentation/hardware/transfer.rst.
 *
 * A program of operations is submitted whole and advanced by fabric_run(), a
 * bounded amount of work a call, so whoever waits also pays for the work.  It is
 * deterministic: the same calls give the same bytes, counters and ticks.
 * Locking is the caller's.
 */
#ifndef SIM_TRANSFER_H
#define SIM_TRANSFER_H

#include "hw/types.h"

struct fabric;

#define FABRIC_KAMLETS_MAX	16
#define FABRIC_JAMLETS_MAX	16	/* of one kamlet */
#define FABRIC_LANES_MAX	(FABRIC_KAMLETS_MAX * FABRIC_JAMLETS_MAX)
#define FABRIC_ROWS_MAX		16
#define FABRIC_WAITS_MAX	32
#define FABRIC_SLOTS_MAX	64
#define FABRIC_IDENTS_MAX	128
#define FABRIC_SYNCS_MAX	8
#define FABRIC_REGISTERS	32
#define FABRIC_PAGES_MAX	64
#define FABRIC_PAGE_BYTES_MAX	(1U << 20)
#define FABRIC_PROGRAM_MAX	1024
#define FABRIC_WRITESETS	8	/* a client's own: 0..7 */

/* How lanes lie on the grid. */
enum fabric_order {
	FABRIC_ORDER_MOORE = 0,		/* square power-of-two grids only */
	FABRIC_ORDER_ROW = 2,
	FABRIC_ORDER_ROW_TORUS = 3,
	FABRIC_ORDER_COLUMN = 4,
	FABRIC_ORDER_COLUMN_TORUS = 5,
	FABRIC_ORDERS,
};

/**
 * struct fabric_config - geometry and depths of a fabric, fixed for its life
 * @kamlet_columns: 1..4
 * @kamlet_rows: 1..4
 * @jamlet_columns: columns of jamlets in a kamlet, 1..4
 * @jamlet_rows: 1..4
 * @line_words: 8-byte words of a cache line in one jamlet: 1, 2, 4, 8
 * @slots: cache lines of a kamlet, 4..64
 * @page_bytes: a multiple of line_words * 8 bytes * lanes, at most 1 MiB
 * @rows: kinstructions a kamlet tracks, 1..16
 * @waits: missed requests a kamlet parks, 1..32
 * @idents: names for kinstructions, 2..128; one is always left unused
 * @syncs: synchronisations under way at once, 2..8
 * @order: lane order of the registers, &enum fabric_order
 * @push_ack: receivers acknowledge pushed segments
 * @tick_limit: ticks after which a program counts as hung, 0 for 1000000
 */
struct fabric_config {
	u32 kamlet_columns, kamlet_rows;
	u32 jamlet_columns, jamlet_rows;
	u32 line_words;
	u32 slots;
	u32 page_bytes;
	u32 rows;
	u32 waits;
	u32 idents;
	u32 syncs;
	u32 order;
	bool push_ack;
	u64 tick_limit;
};

/**
 * fabric_config_default() - 2x2 kamlets of 2x2 jamlets, tables at full depth
 * @config: to be filled
 */
void fabric_config_default(struct fabric_config *config);
/**
 * fabric_config_valid() - is every field in its range?
 * @config: to be checked
 *
 * Return: whether they are.
 */
bool fabric_config_valid(const struct fabric_config *config);
/**
 * fabric_create() - make a cold fabric without pages, registers all zero
 * @config: copied
 *
 * Return: NULL when the configuration is not valid or there is no memory.
 */
struct fabric *fabric_create(const struct fabric_config *config);
void fabric_destroy(struct fabric *fabric);
const struct fabric_config *fabric_config(const struct fabric *fabric);

enum fabric_memory {
	FABRIC_VECTOR,			/* spread over the lanes, cached */
	FABRIC_SCALAR,			/* the lamlet's, idempotent */
	FABRIC_SCALAR_ONCE,		/* not idempotent: an access has effects */
	FABRIC_MEMORIES,
};

/**
 * struct fabric_page - one page of the fabric's memory
 * @address: virtual address, a multiple of the page size
 * @memory: &enum fabric_memory
 * @readable: loads do not fault
 * @writable: stores do not fault
 */
struct fabric_page {
	u64 address;
	u32 memory;
	bool readable, writable;
};

/**
 * fabric_map() - make a page of zeros accessible
 * @fabric: the fabric
 * @page: where and what it is
 * @widths: element width of each stripe (8, 16, 32, 64 bits), NULL for 64
 * @orders: lane order of each stripe, NULL for that of the registers
 *
 * Return: 0; -EINVAL: misaligned address, unknown kind, width or order; -EEXIST:
 * mapped already; -ENOSPC: FABRIC_PAGES_MAX pages; -ENOMEM; -EBUSY: a program runs.
 */
int fabric_map(struct fabric *fabric, const struct fabric_page *page, const u8 *widths,
	       const u8 *orders);
/**
 * fabric_unmap() - forget a page and its bytes
 * @fabric: the fabric
 * @address: where it was mapped
 *
 * Return: 0; -ENOENT: no page there; -EBUSY: a program runs.
 */
int fabric_unmap(struct fabric *fabric, u64 address);
/**
 * fabric_stripe() - what a stripe of a vector page is laid out as
 * @fabric: the fabric
 * @address: any byte of the stripe
 * @width: element width, bits
 * @order: lane order
 *
 * Return: 0; -ENOENT: no vector page there.
 */
int fabric_stripe(const struct fabric *fabric, u64 address, u32 *width, u32 *order);

/**
 * fabric_read() - bytes as a load would see them, cached or not
 * @fabric: the fabric
 * @address: virtual address of the first
 * @bytes: receives them
 * @size: how many
 *
 * Changes no state and ignores the page's permissions.
 *
 * Return: 0; -ENOENT: some byte is not mapped (nothing is copied); -EBUSY: a
 * program runs.
 */
int fabric_read(struct fabric *fabric, u64 address, void *bytes, u32 size);
/**
 * fabric_write() - the counterpart of fabric_read()
 * @fabric: the fabric
 * @address: virtual address of the first byte
 * @bytes: to be written
 * @size: how many
 *
 * Return: as fabric_read() does.
 */
int fabric_write(struct fabric *fabric, u64 address, const void *bytes, u32 size);
/**
 * fabric_flush() - write every modified line back and empty the caches
 * @fabric: the fabric
 *
 * Return: 0; -EBUSY: a program runs.
 */
int fabric_flush(struct fabric *fabric);

/**
 * fabric_register_read() - the words of a register, one a lane
 * @fabric: the fabric
 * @reg: register 0..31
 * @words: as many as there are lanes
 * @width: width of the elements last loaded into it, bits; 1 is a mask
 *
 * Element e of a register of width w lies in lane e % lanes from bit
 * e / lanes * w on.  The width is a label: an operation takes the register as
 * laid out in its own width.
 *
 * Return: 0; -EINVAL: no such register; -EBUSY: a program runs.
 */
int fabric_register_read(struct fabric *fabric, u32 reg, u64 *words, u32 *width);
/**
 * fabric_register_write() - the counterpart of fabric_register_read()
 * @fabric: the fabric
 * @reg: register 0..31
 * @words: as many as there are lanes
 * @width: 1, 8, 16, 32 or 64 bits
 *
 * Return: 0; -EINVAL: no such register or width; -EBUSY: a program runs.
 */
int fabric_register_write(struct fabric *fabric, u32 reg, const u64 *words, u32 width);

enum fabric_mode {
	FABRIC_UNIT,			/* element e at base + e * width */
	FABRIC_STRIDE,			/* element e at base + e * stride */
	FABRIC_INDEX,			/* element e at base + index[e] */
	FABRIC_MODES,
};

#define FABRIC_NONE (-1)

/**
 * struct fabric_op - one vector load or store
 * @store: a store, else a load
 * @wait: do not start what follows before this has ended
 * @mode: &enum fabric_mode
 * @width: bits of a data element: 8, 16, 32, 64
 * @index_width: bits of an index, FABRIC_INDEX only, else 0
 * @group: registers that hold the data: 1, 2, 4, 8
 * @reg: first of them
 * @index: first register of the indexes, or FABRIC_NONE
 * @mask: register whose bit e enables element e, or FABRIC_NONE
 * @writeset: 0..7: operations that name the same one promise to touch disjoint
 *	bytes, and are not ordered; or FABRIC_NONE
 * @count: elements are @first .. @count - 1; none is not an error
 * @first: first element
 * @base: virtual address
 * @stride: bytes, FABRIC_STRIDE only, else 0
 */
struct fabric_op {
	bool store, wait;
	u32 mode;
	u32 width, index_width;
	u32 group;
	s32 reg, index, mask;
	s32 writeset;
	u32 count, first;
	u64 base;
	s64 stride;
};

enum fabric_fault {
	FABRIC_OK = 0,
	FABRIC_NO_PAGE = 1,
	FABRIC_NOT_READABLE = 2,
	FABRIC_NOT_WRITABLE = 3,
};

/**
 * struct fabric_result - what became of an operation
 * @fault: &enum fabric_fault
 * @element: the least element that faulted; those before it are done
 * @element_address: where it begins
 * @address: its lowest byte that faulted
 * @start: tick at which the lamlet took the operation up
 * @end: tick at which it saw the end
 */
struct fabric_result {
	u32 fault;
	u32 element;
	u64 element_address, address;
	u64 start, end;
};

/**
 * fabric_check() - is an operation well formed?
 * @fabric: the fabric
 * @op: to be checked
 *
 * Return: 0 or -EINVAL.
 */
int fabric_check(const struct fabric *fabric, const struct fabric_op *op);
/**
 * fabric_submit() - take a program of up to FABRIC_PROGRAM_MAX operations
 * @fabric: the fabric
 * @ops: copied
 * @count: how many; 0 is a program
 * @bad: index of the operation that was refused
 *
 * All operations are checked first; nothing runs before fabric_run().
 *
 * Return: 0; -EINVAL: an operation is refused; -E2BIG: too long; -EBUSY: a program
 * runs.
 */
int fabric_submit(struct fabric *fabric, const struct fabric_op *ops, u32 count, u32 *bad);
/**
 * fabric_run() - advance the program
 * @fabric: the fabric
 * @ticks: how many ticks in which something happens to work through at most
 *
 * Return: 0: ended; -EINPROGRESS: call again; -ETIMEDOUT: the program exceeded the tick
 * limit; -EDEADLK: nothing can happen any more.  After the last two only
 * fabric_abort() and fabric_destroy() help.
 */
int fabric_run(struct fabric *fabric, u64 ticks);
/**
 * fabric_abort() - drop the program
 * @fabric: the fabric
 *
 * Memory keeps what was stored; registers that the program was loading hold a
 * mix of old and new elements.
 */
void fabric_abort(struct fabric *fabric);
/* One per operation of the last program. */
const struct fabric_result *fabric_results(const struct fabric *fabric);

/* Message types; channels and payloads in Documentation/hardware/transfer.rst. */
enum fabric_message {
	FABRIC_PUSH, FABRIC_PUSH_ACK, FABRIC_PUSH_DROP,
	FABRIC_RD_REQ, FABRIC_RD_RESP, FABRIC_RD_DROP,
	FABRIC_WR_REQ, FABRIC_WR_RESP, FABRIC_WR_DROP, FABRIC_WR_RETRY,
	FABRIC_LINE_FETCH, FABRIC_LINE_SWAP, FABRIC_LINE_DROP,
	FABRIC_LINE_OUT, FABRIC_LINE_OUT_DROP, FABRIC_LINE_IN,
	FABRIC_KINSTR,
	FABRIC_MESSAGES,
};

const char *fabric_message_name(u32 type);

/* Why a request was refused. */
enum fabric_drop {
	FABRIC_DROP_NOT_STARTED,	/* its kinstruction has no row there yet */
	FABRIC_DROP_NO_WAIT,		/* it missed and cannot be parked */
	FABRIC_DROP_NO_SLOT,		/* nor its line be fetched */
	FABRIC_DROPS,
};

/**
 * struct fabric_counters - what happened, since creation or the last clearing
 * @messages: sent, by type
 * @segments: first sends: [0] to vector memory, [1] to scalar memory
 * @masked: segments that unit-stride loads from scalar memory left out for the mask
 * @resends: further sends of a segment
 * @retries: parked writes asked to send their data again
 * @drops: requests refused, by cause
 * @hits: requests and lines that were there
 * @misses: requests parked, and lines waited for
 * @fetches: lines fetched
 * @evictions: modified lines written back
 * @relayouts: stripes converted to another width or lane order
 * @local: kinstructions that move nothing between lanes
 * @nonlocal: the others
 * @fault_syncs: fault reductions
 * @done_syncs: completion barriers
 * @sync_packets: packets on the synchronizer's links
 * @once: accesses of elements to non-idempotent memory
 * @protocol_errors: answers that nobody waited for; 0 in a sound fabric
 * @cycles: ticks of all programs
 * @rows: most kinstructions tracked at once in one kamlet
 * @waits: most requests parked at once in one kamlet
 * @pinned: most cache lines held at once in one kamlet
 * @idents: most kinstructions alive at once
 * @syncs: most synchronisations under way at once
 * @in_flight: most messages under way at once
 */
struct fabric_counters {
	u64 messages[FABRIC_MESSAGES];
	u64 segments[2];
	u64 masked;
	u64 resends, retries;
	u64 drops[FABRIC_DROPS];
	u64 hits, misses, fetches, evictions;
	u64 relayouts;
	u64 local, nonlocal;
	u64 fault_syncs, done_syncs, sync_packets;
	u64 once;
	u64 protocol_errors;
	u64 cycles;
	u32 rows, waits, pinned, idents, syncs, in_flight;
};

const struct fabric_counters *fabric_counters(const struct fabric *fabric);
void fabric_counters_clear(struct fabric *fabric);
u64 fabric_tick(const struct fabric *fabric);

enum fabric_event_kind {
	FABRIC_EVENT_SEND,		/* a message leaves */
	FABRIC_EVENT_TAKE,		/* its receiver handles it */
	FABRIC_EVENT_ROW,		/* a row of a kamlet changes state */
	FABRIC_EVENT_BYTE,		/* a byte of a jamlet's row does */
	FABRIC_EVENT_LINE,		/* a cache line does */
	FABRIC_EVENT_SYNC,		/* a node contributes to a synchronisation */
	FABRIC_EVENT_SYNC_DONE,		/* a node has its result */
};

/* Who: a jamlet by its lane coordinates, or a unit of its own. */
enum fabric_unit { FABRIC_JAMLET, FABRIC_KAMLET, FABRIC_MEMLET, FABRIC_LAMLET };

struct fabric_party {
	u8 unit;			/* enum fabric_unit */
	u8 kamlet;
	u8 x, y;			/* of a jamlet */
};

/**
 * struct fabric_event - one entry of the trace
 * @tick: when
 * @arrival: SEND: when the message arrives
 * @kind: &enum fabric_event_kind
 * @type: &enum fabric_message; ROW: 0; SYNC*: 1 for the fault reduction
 * @ident: the kinstruction
 * @op: operation of the program it belongs to
 * @from: sender, or whose state it is
 * @to: receiver
 * @source: byte of the requester's word; BYTE: the byte
 * @target: byte of the word at the other side
 * @size: bytes of the segment
 * @state: ROW, BYTE, LINE: new state
 * @line: line of the physical memory; SYNC*: the element, or U32_MAX for none
 */
struct fabric_event {
	u64 tick, arrival;
	u32 kind, type;
	u32 ident, op;
	struct fabric_party from, to;
	u32 source, target, size;
	u32 state;
	u32 line;
};

/* Of a row in a kamlet's transfer table. */
enum fabric_row_state {
	FABRIC_ROW_FREE, FABRIC_ROW_CACHE_WAIT, FABRIC_ROW_ACTIVE, FABRIC_ROW_SYNC_NEEDED,
	FABRIC_ROW_SYNC_WAIT, FABRIC_ROW_CLEANUP,
};

/* Of a byte in a jamlet's row: the codes that the hardware stores. */
enum fabric_byte_state {
	FABRIC_BYTE_INIT,		/* not looked at yet */
	FABRIC_BYTE_RESEND,		/* to be sent (again) */
	FABRIC_BYTE_FAULT_WAIT,		/* waits for the fault reduction */
	FABRIC_BYTE_REQ,		/* sent, no answer yet */
	FABRIC_BYTE_DONE,
	FABRIC_BYTE_TLB_WAIT,		/* the model's page table always answers */
	FABRIC_BYTE_TLB_EARLY,
	FABRIC_BYTE_SKIP,		/* nothing to do for this byte */
};

/* Of a cache slot. */
enum fabric_line_state {
	FABRIC_LINE_INVALID, FABRIC_LINE_CLEAN, FABRIC_LINE_DIRTY, FABRIC_LINE_RESERVED,
	FABRIC_LINE_FETCHING, FABRIC_LINE_SWAPPING,
};

const char *fabric_row_state_name(u32 state);
const char *fabric_byte_state_name(u32 state);
const char *fabric_line_state_name(u32 state);

/**
 * fabric_trace() - watch a fabric
 * @fabric: the fabric
 * @hook: called for every event; NULL for none
 * @ctx: passed to it
 */
void fabric_trace(struct fabric *fabric, void (*hook)(void *ctx, const struct fabric_event *event),
		  void *ctx);

/**
 * struct fabric_row_view - a live row of a kamlet's transfer table
 * @ident: its kinstruction
 * @op: operation of the program
 * @row: index in the table
 * @state: &enum fabric_row_state
 * @writeset: 0..15, or FABRIC_NONE
 * @slot: pinned cache slot, or FABRIC_NONE
 * @push: byte states are codes of a push: sends + 3 * expects
 * @open: bytes of all jamlets that are not final
 * @bytes: state of the eight bytes of each jamlet, 3 bits each, byte 0 lowest
 */
struct fabric_row_view {
	u32 ident, op, row, state;
	s32 writeset, slot;
	bool push;
	u32 open;
	u32 bytes[FABRIC_JAMLETS_MAX];
};

/**
 * struct fabric_slot_view - a cache slot in use
 * @slot: index
 * @state: &enum fabric_line_state
 * @line: line that it holds or waits for, counted through all pages
 * @pins: rows of the transfer table that hold it
 * @waits: parked requests that do
 */
struct fabric_slot_view {
	u32 slot, state;
	u32 line;
	u32 pins, waits;
};

/**
 * struct fabric_wait_view - a parked request
 * @ident: its kinstruction
 * @jamlet: of this kamlet, holds the word
 * @source: jamlet that asked
 * @source_byte: byte of its word
 * @byte: byte of the memory word
 * @size: bytes
 * @slot: cache slot that will have the line
 * @word: word of the line
 * @write: a write, whose data was not kept
 * @retried: the data was asked for again
 */
struct fabric_wait_view {
	u32 ident;
	u32 jamlet;
	struct fabric_party source;
	u32 source_byte, byte, size;
	u32 slot, word;
	bool write;
	bool retried;
};

/* Each fills up to max entries, oldest or lowest first; returns how many. */
u32 fabric_dump_rows(const struct fabric *fabric, u32 kamlet, struct fabric_row_view *rows,
		     u32 max);
u32 fabric_dump_slots(const struct fabric *fabric, u32 kamlet, struct fabric_slot_view *slots,
		      u32 max);
u32 fabric_dump_waits(const struct fabric *fabric, u32 kamlet, struct fabric_wait_view *waits,
		      u32 max);

#endif
