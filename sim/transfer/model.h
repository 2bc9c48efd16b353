/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The fabric's tables and the calls between its units.  Private to sim/transfer/.
 */
#ifndef SIM_TRANSFER_MODEL_H
#define SIM_TRANSFER_MODEL_H

#include "sim/env.h"
#include "layout.h"
#include "sync.h"

/* Widths of the fields that the hardware stores. */
enum {
	TF_IDENT_BITS = 7, TF_WRITESET_BITS = 5, TF_COORD_BITS = 8, TF_SLOT_BITS = 10,
	TF_MODE_BITS = 3, TF_REG_BITS = 6, TF_WIDTH_BITS = 2, TF_PARAM_BITS = 4,
	TF_JAMLET_BITS = 4, TF_OFFSET_BITS = 3, TF_STATE_BITS = 3,
};

/* What a kinstruction does; 24 bits of a row, the rest lies in a parameter store. */
struct tf_details {
	u32 mode : TF_MODE_BITS;	/* enum fabric_mode, bit 2: a store */
	u32 data : TF_REG_BITS;
	u32 index : TF_REG_BITS;
	u32 masked : 1;
	u32 width : TF_WIDTH_BITS;	/* log2 of the element's bytes */
	u32 index_width : TF_WIDTH_BITS;
	u32 param : TF_PARAM_BITS;
};

static_assert(TF_MODE_BITS + 2 * TF_REG_BITS + 1 + 2 * TF_WIDTH_BITS + TF_PARAM_BITS == 24,
	      "details of a kinstruction");
static_assert(FABRIC_MODES <= 4, "mode");
static_assert(FABRIC_REGISTERS <= 1 << TF_REG_BITS, "registers");
static_assert(FABRIC_ROWS_MAX == 1 << TF_PARAM_BITS, "one parameter slot a row");

#define TF_MODE_STORE 4

/* A row of the kamlet transfer engine: 62 bits. */
struct tf_kte_row {
	u64 ident : TF_IDENT_BITS;
	u64 writeset : TF_WRITESET_BITS;	/* bit 4: valid */
	u64 x : TF_COORD_BITS, y : TF_COORD_BITS;
	u64 slot : TF_SLOT_BITS;
	struct tf_details details;
};

static_assert(TF_IDENT_BITS + TF_WRITESET_BITS + 2 * TF_COORD_BITS + TF_SLOT_BITS + 24 == 62,
	      "row of the kamlet transfer engine");
static_assert(FABRIC_IDENTS_MAX == 1 << TF_IDENT_BITS, "idents");

/* A row of the kamlet cache engine: 51 bits, and what a parked read needs. */
struct tf_kce_row {
	u64 ident : TF_IDENT_BITS;
	u64 writeset : TF_WRITESET_BITS;
	u64 x : TF_COORD_BITS, y : TF_COORD_BITS;
	u64 slot : TF_SLOT_BITS;
	u64 jamlet : TF_JAMLET_BITS;
	u64 source : TF_OFFSET_BITS;
	u64 offset : TF_OFFSET_BITS;
	u64 width : TF_OFFSET_BITS;		/* 0 is 8 bytes */
	/* Not among the 51 bits, but a parked request cannot do without. */
	u64 write : 1;
	u64 word : 3;
};

static_assert(TF_IDENT_BITS + TF_WRITESET_BITS + 2 * TF_COORD_BITS + TF_SLOT_BITS +
	      TF_JAMLET_BITS + 3 * TF_OFFSET_BITS == 51, "row of the kamlet cache engine");
static_assert(FABRIC_SLOTS_MAX <= 1 << TF_SLOT_BITS, "slots");
static_assert(FABRIC_JAMLETS_MAX <= 1 << TF_JAMLET_BITS, "jamlets");
static_assert(8 * TF_STATE_BITS == 24, "row of the jamlet transfer engine");

#define TF_WRITESET_VALID	16
#define TF_LAMLET_Y		0xff		/* the lamlet sits at (0, -1) */
#define TF_NO_ROW		0xff
#define TF_NO_SLOT		((1U << TF_SLOT_BITS) - 1)
#define TF_NO_LINE		U32_MAX

/* Ticks that things take. */
#define TF_KAMLET_MESH_TICKS	4
#define TF_MEMLET_HOPS		2
#define TF_MEMLET_TICKS		32
#define TF_MEMLET_UNITS		2		/* accesses to DRAM at once */
#define TF_GATHERS		4
#define TF_SCALAR_TICKS		8
#define TF_RETRY_TICKS		8

enum tf_kind {
	TF_LOCAL,			/* every jamlet copies its own bytes */
	TF_PUSH,			/* holders of memory send to holders of registers */
	TF_REQUEST,			/* holders of registers ask holders of memory */
	TF_RELAYOUT,			/* all kamlets halt for the conversion of a stripe */
};

enum tf_footprint { TF_KNOWN, TF_UNKNOWN };

/*
 * A kinstruction moves bytes begin .. end - 1 of its register group, at most one
 * register's worth.  Byte r belongs to element r / width.
 */
struct tf_kinstr {
	struct tf_details details;
	enum tf_kind kind;
	u32 op;
	u64 seq;
	u64 arrival;			/* tick at which the kamlets have it */
	u32 begin, end;
	s32 mask;
	u64 base;			/* address of element 0 */
	s64 stride;
	u32 writeset;
	enum tf_footprint footprint;
	u32 first_line, last_line;	/* TF_KNOWN */
	u32 page, offset;		/* where begin lies, TF_KNOWN */
	bool vector;			/* memory behind a TF_KNOWN one */
	u32 mem_size, mem_order;	/* its layout; RELAYOUT: the new one */
	u32 reads, writes;		/* registers, a bit each */
	bool faults;			/* takes part in a fault reduction */
	bool chained;			/* its reduction goes on from the one before */
	u8 done_sync, fault_sync;
	u32 entered;			/* kamlets that have it in their table */
	u32 freed;			/* kamlets that are through with it */
	u32 completed;			/* kamlets that reported it complete */
	bool released;			/* the lamlet has seen its end */
	bool retired;
	struct tf_fault fault;		/* result of its fault reduction */
	bool fault_known;
};

enum tf_fault_phase { TF_FAULT_NONE, TF_FAULT_COLLECT, TF_FAULT_WAIT, TF_FAULT_DONE };

struct tf_row {
	struct tf_kte_row stored;
	const struct tf_kinstr *kinstr;	/* the parameter store */
	enum fabric_row_state state;
	enum tf_fault_phase phase;
	u32 open;			/* byte states that are not final */
	u32 fresh;			/* byte states that are INIT */
	struct tf_fault fault;
};

/* A row of a jamlet transfer engine: eight states, and when each may be sent. */
struct tf_jte_row {
	u32 states;
	u8 sent;			/* segments that went out before, by first byte */
	u64 due[8];
};

struct tf_slot {
	u32 line;
	u32 victim;			/* modified line that has to leave first */
	enum fabric_line_state state;
	u64 allocated;
	u32 pins;			/* rows of the transfer table */
	u32 waits;			/* rows of the cache engine */
	u32 arrived;			/* jamlets that have their part */
	u32 to_send;			/* jamlets whose part of the victim must go out */
	bool ask;			/* the address message must go out */
	u64 ask_due, send_due;
	bool used;
};

enum tf_wait_state { TF_WAIT_FREE, TF_WAIT_FETCHING, TF_WAIT_READY, TF_WAIT_RETRY_SENT };

struct tf_wait {
	struct tf_kce_row stored;
	enum tf_wait_state state;
	u64 seq;
};

struct tf_gather {
	bool used;
	u32 slot, victim, line;
	u32 got;			/* jamlets whose part is here */
};

struct tf_access {			/* of a memlet to its DRAM */
	u32 slot, line;
	u32 gather;			/* of a swap, else TF_GATHERS */
	u64 done;
};

struct tf_memlet {
	struct tf_gather gathers[TF_GATHERS];
	struct tf_access queue[FABRIC_SLOTS_MAX];
	u32 queue_head, queue_count;
	struct tf_access running[TF_MEMLET_UNITS];
	u32 running_count, units;
};

struct tf_kamlet {
	u64 next;			/* sequence number of the FIFO's head */
	struct tf_row rows[FABRIC_ROWS_MAX];
	u8 age[FABRIC_ROWS_MAX];	/* rows in use, oldest first */
	u32 live;
	u8 row_of[FABRIC_IDENTS_MAX];
	bool head_wants_slot;
	struct tf_slot slots[FABRIC_SLOTS_MAX];
	u64 allocations;
	struct tf_wait waits[FABRIC_WAITS_MAX];
	u32 waiting;
	u64 wait_seq;
	struct tf_memlet memlet;
};

struct tf_page {
	bool used;
	struct fabric_page page;
	u8 *bytes;			/* vector: by kamlet line, see page.c */
	struct tf_stripe {
		u8 size, order;		/* as the kamlets see it now */
		u8 next_size, next_order;	/* after all that was cracked */
	} *stripes;
};

struct tf_message {
	u32 next;
	u32 type;
	u64 due;
	u32 from, to;			/* jamlets; the lamlet is TF_LAMLET */
	u8 ident, source, target, size;
	u32 line, word, slot;
	u32 page, offset;
	u64 data[8];			/* one word, or a jamlet's part of a line */
};

#define TF_LAMLET FABRIC_LANES_MAX
#define TF_NIL U32_MAX

struct tf_fifo {
	u32 head, tail;
	u64 last;			/* when the newest message is due */
};

/*
 * Units that may have something to do in a tick, in the order of their turns.
 */
enum {
	TF_UNIT_MEMLET = 0,
	TF_UNIT_KCE = TF_UNIT_MEMLET + FABRIC_KAMLETS_MAX,
	TF_UNIT_INPUT = TF_UNIT_KCE + FABRIC_KAMLETS_MAX,
	TF_UNIT_REQUESTER = TF_UNIT_INPUT + FABRIC_LANES_MAX,
	TF_UNIT_KTE = TF_UNIT_REQUESTER + FABRIC_LANES_MAX,
	TF_UNIT_SYNC = TF_UNIT_KTE + FABRIC_KAMLETS_MAX,
	TF_UNIT_LAMLET,
	TF_UNITS,
};

#define TF_WHEEL 64			/* no event lies further ahead */
#define TF_UNIT_WORDS ((TF_UNITS + 63) / 64)

/* FIFOs, one a destination and channel. */
#define TF_FIFO_JAMLET(g, channel)	(2 * (g) + (channel))
#define TF_FIFO_LINES(k)		(2 * FABRIC_LANES_MAX + 3 * (k))
#define TF_FIFO_PARTS(k)		(TF_FIFO_LINES(k) + 1)
#define TF_FIFO_KCE(k)			(TF_FIFO_LINES(k) + 2)
#define TF_FIFO_LAMLET			TF_FIFO_LINES(FABRIC_KAMLETS_MAX)
#define TF_FIFOS			(TF_FIFO_LAMLET + 1)

/* How far the lamlet got with turning operations into kinstructions. */
enum tf_stage { TF_STAGE_BEGIN, TF_STAGE_RELAYOUT, TF_STAGE_PIECES };

struct tf_crack {
	u32 op;
	enum tf_stage stage;
	u32 cursor, end;		/* bytes of the register group */
	u32 writeset;
};

struct tf_op {
	struct fabric_op op;
	u32 shift;			/* log2 of the element's bytes */
	u32 index_shift;
	u32 cracked, retired;		/* kinstructions */
	bool complete;			/* all are cracked */
	u32 writeset;
};

struct fabric {
	struct fabric_config config;
	struct tf_layout layout;
	u64 now, started;
	bool running;
	int error;

	u64 wheel[TF_WHEEL][TF_UNIT_WORDS];
	u64 occupied;			/* entries of the wheel that are not empty */
	u32 turn;			/* unit whose turn it is; TF_UNITS between ticks */

	struct tf_message *messages;
	u32 message_count, free_message, in_flight;
	struct tf_fifo fifos[TF_FIFOS];

	struct tf_kamlet *kamlets;
	struct tf_jte_row *jte;		/* by kamlet, row, jamlet */
	u64 (*regs)[FABRIC_REGISTERS];	/* by jamlet */
	u8 reg_width[FABRIC_REGISTERS];
	u64 *sram;			/* by jamlet, slot, word */
	u64 *gathered;			/* by kamlet, gather, jamlet, word */
	u8 *scratch;			/* one stripe */

	struct tf_page pages[FABRIC_PAGES_MAX];
	u32 page_count;
	struct tf_page *last_page;	/* found by the last look-up */

	struct tf_op *ops;
	struct fabric_result *results;
	u32 op_count;
	struct tf_crack crack;
	struct tf_kinstr kinstrs[FABRIC_IDENTS_MAX];
	u64 issued, oldest;		/* sequence numbers: next, and first alive */
	u32 private_sets;		/* private writesets in use, a bit each */
	u32 relayouts;			/* kinstructions of that kind alive */
	u64 last_end;

	struct tf_sync syncs[FABRIC_SYNCS_MAX];
	u32 sync_live;

	struct fabric_counters counters;
	void (*hook)(void *ctx, const struct fabric_event *event);
	void *hook_ctx;
};

#endif
