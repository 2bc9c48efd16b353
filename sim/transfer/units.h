/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The calls between the units of a fabric, unit by unit.
 */
#ifndef SIM_TRANSFER_UNITS_H
#define SIM_TRANSFER_UNITS_H

#include "model.h"

/* tick.c: the wheel and the networks */

/*
 * Give a unit a turn
 * @tick: when, at most TF_WHEEL - 1 ticks ahead; one whose turn in the current
 *	tick is over gets the next
 */
void tf_wake(struct fabric *fabric, u32 unit, u64 tick);
/* A message to fill and send; its counters are kept here */
struct tf_message *tf_message_new(struct fabric *fabric, enum fabric_message type);
/* From jamlet or lamlet to jamlet or lamlet; leaves after @delay ticks */
void tf_send(struct fabric *fabric, struct tf_message *message, u32 delay);
/* On a jamlet's path to or from the memlet of its kamlet */
void tf_send_memlet(struct fabric *fabric, struct tf_message *message, u32 fifo);
/* On the mesh between kamlet @k, its memlet and the lamlet */
void tf_send_kamlet(struct fabric *fabric, struct tf_message *message, u32 fifo, u32 k);
/* The next message of a FIFO that has arrived, NULL for none */
struct tf_message *tf_take(struct fabric *fabric, u32 fifo);
void tf_message_free(struct fabric *fabric, struct tf_message *message);
/* When the head of a FIFO arrives, U64_MAX for none */
u64 tf_fifo_next(const struct fabric *fabric, u32 fifo);

/* page.c: memory */

struct tf_spot {
	u32 jamlet;
	u32 line, word;
	u32 byte;
};

/* The page of an address, NULL when absent */
struct tf_page *tf_page_at(struct fabric *fabric, u64 address);
/* Bytes from an address to the end of its page */
u32 tf_page_left(const struct fabric *fabric, u64 address);
/* &enum fabric_fault of an access to one byte */
u32 tf_fault_at(struct fabric *fabric, u64 address, bool store);
/* Where a byte of a vector page lives */
struct tf_spot tf_page_spot(const struct fabric *fabric, const struct tf_page *page, u32 offset);
/* The line of a byte of a page */
u32 tf_line_number(const struct fabric *fabric, const struct tf_page *page, u32 offset);
/* A word of a line as the memlet of the jamlet's kamlet keeps it */
u64 *tf_dram_word(struct fabric *fabric, u32 jamlet, u32 line, u32 word);
/* Lay a stripe out anew, wherever its bytes are */
void tf_stripe_convert(struct fabric *fabric, struct tf_page *page, u32 stripe, u32 size,
		       u32 order);

static inline u64 *tf_sram_word(struct fabric *fabric, u32 jamlet, u32 slot, u32 word)
{
	return &fabric->sram[(jamlet * fabric->config.slots + slot) * fabric->config.line_words +
			     word];
}

static inline u64 tf_byte_mask(u32 byte, u32 size)
{
	return ~0ULL >> (64 - 8 * size) << (8 * byte);
}

static inline u64 tf_merge(u64 word, u64 bytes, u32 byte, u32 size)
{
	u64 mask = tf_byte_mask(byte, size);

	return (word & ~mask) | (bytes & mask);
}

/* Moves bytes from one place in a word to another. */
static inline u64 tf_shift(u64 word, u32 from, u32 to)
{
	return word >> (8 * from) << (8 * to);
}

/* kinstr.c: what a kinstruction means to a lane */

/* Group byte that a lane keeps at @byte; false: not moved */
bool tf_register_byte(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 lane,
		      u32 byte, u32 *group_byte);
/*
 * Group byte that belongs to @byte of a lane's memory word
 * @offset: where in the page it lies; false: not moved
 */
bool tf_memory_byte(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 lane,
		    u32 byte, u32 *group_byte, u32 *offset);
/* Is an element enabled by the mask? */
bool tf_active(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element);
/* Where an element lies in memory */
u64 tf_address(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 element);
/* Does a kamlet hold memory that the kinstruction moves? */
bool tf_kamlet_holds(const struct fabric *fabric, const struct tf_kinstr *kinstr, u32 k);

static inline u32 tf_size(const struct tf_kinstr *kinstr)
{
	return 1U << kinstr->details.width;
}

static inline bool tf_is_store(const struct tf_kinstr *kinstr)
{
	return kinstr->details.mode & TF_MODE_STORE;
}

/* crack.c, lamlet.c: the lamlet */

/* The next kinstruction of the program; false: has to wait, or none */
bool tf_crack_next(struct fabric *fabric, struct tf_kinstr *kinstr);
/* The kinstruction was issued */
void tf_crack_commit(struct fabric *fabric, const struct tf_kinstr *kinstr);
void tf_lamlet_run(struct fabric *fabric);
/* The lamlet has the result of a synchronisation */
void tf_lamlet_synced(struct fabric *fabric, const struct tf_sync *sync);
/* One more kamlet is through with a kinstruction */
void tf_lamlet_freed(struct fabric *fabric, struct tf_kinstr *kinstr);
/* Record what a fault reduction found */
void tf_crack_fault(struct fabric *fabric, const struct tf_kinstr *kinstr,
		    const struct tf_fault *fault);
/* An operation ends with its last kinstruction */
void tf_op_check_end(struct fabric *fabric, u32 op);

static inline struct tf_kinstr *tf_kinstr_at(struct fabric *fabric, u64 seq)
{
	return &fabric->kinstrs[seq % fabric->config.idents];
}

static inline u32 tf_ident(const struct fabric *fabric, const struct tf_kinstr *kinstr)
{
	return kinstr - fabric->kinstrs;
}

/* kamlet.c: kamlet transfer engine */

void tf_kte_run(struct fabric *fabric, u32 k);
void tf_kte_fault_known(struct fabric *fabric, u32 k, const struct tf_sync *sync);
void tf_kte_barrier_done(struct fabric *fabric, u32 k, const struct tf_sync *sync);
/* A relayout is over */
void tf_kte_release(struct fabric *fabric, u32 k, const struct tf_kinstr *kinstr);

/* The row of a kinstruction in a kamlet, NULL when it is not started there. */
static inline struct tf_row *tf_row_of(struct fabric *fabric, u32 k, u32 ident)
{
	struct tf_kamlet *kamlet = &fabric->kamlets[k];
	u32 row = kamlet->row_of[ident];

	return row == TF_NO_ROW ? NULL : &kamlet->rows[row];
}

/* jamlet.c: byte states of a jamlet's rows */

/* The byte states of a new row in all jamlets */
void tf_jte_start(struct fabric *fabric, u32 k, struct tf_row *row);
u32 tf_jte_get(struct fabric *fabric, u32 g, const struct tf_row *row, u32 byte);
void tf_jte_set(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 state);
struct tf_jte_row *tf_jte(struct fabric *fabric, u32 g, const struct tf_row *row);
/* Let a byte's segment be sent (again) @ticks from now */
void tf_jte_resend(struct fabric *fabric, u32 g, struct tf_row *row, u32 byte, u32 ticks);

static inline u32 tf_push_code(u32 send, u32 expect)
{
	return send + 3 * expect;
}

/* requester.c, server.c */

void tf_requester_run(struct fabric *fabric, u32 g);
void tf_input_run(struct fabric *fabric, u32 g);
/* A message of channel 0 */
void tf_receive(struct fabric *fabric, u32 g, const struct tf_message *message);
/* A pushed segment */
void tf_receive_push(struct fabric *fabric, u32 g, const struct tf_message *message);
/* Answer a request from where it arrived */
struct tf_message *tf_reply(struct fabric *fabric, const struct tf_message *request,
			    enum fabric_message type);

/* cache.c: kamlet and jamlet cache engines; slots are TF_NO_SLOT when there is none */

void tf_kce_run(struct fabric *fabric, u32 k);
/* Slot of a line, arrived or on its way */
u32 tf_kce_find(const struct fabric *fabric, u32 k, u32 line);
bool tf_kce_present(const struct tf_slot *slot);
/* Is a line being written back? */
bool tf_kce_leaving(const struct fabric *fabric, u32 k, u32 line);
/* Slot of a line, which is fetched if it is not there */
u32 tf_kce_claim(struct fabric *fabric, u32 k, u32 line, bool parked);
void tf_kce_pin(struct fabric *fabric, u32 k, u32 slot);
void tf_kce_unpin(struct fabric *fabric, u32 k, u32 slot);
void tf_kce_modified(struct fabric *fabric, u32 k, u32 slot);
/* A jamlet's part of a line came */
void tf_kce_part_in(struct fabric *fabric, u32 g, const struct tf_message *message);
/* A jamlet's part of a victim has to go out again */
void tf_kce_part_dropped(struct fabric *fabric, u32 g, const struct tf_message *message);
/* Keep a request that missed; false: it has to be dropped */
bool tf_kce_park(struct fabric *fabric, u32 g, const struct tf_message *request,
		 enum fabric_drop *why);
/* The parked row that a request repeats, NULL for none */
struct tf_wait *tf_kce_match(struct fabric *fabric, u32 g, const struct tf_message *request);
/* The oldest parked request of a jamlet whose line came */
struct tf_wait *tf_kce_ready(struct fabric *fabric, u32 g);
void tf_kce_wait_free(struct fabric *fabric, u32 k, struct tf_wait *wait);
void tf_kce_write_back(struct fabric *fabric);

/* memlet.c */

void tf_memlet_run(struct fabric *fabric, u32 k);

/* trace.c */

void tf_trace_message(struct fabric *fabric, u32 kind, const struct tf_message *message);
/* The lamlet broadcasts a kinstruction */
void tf_trace_kinstr(struct fabric *fabric, const struct tf_kinstr *kinstr);
void tf_trace_row(struct fabric *fabric, u32 k, const struct tf_row *row);
void tf_trace_byte(struct fabric *fabric, u32 g, const struct tf_row *row, u32 byte, u32 state);
void tf_trace_line(struct fabric *fabric, u32 k, const struct tf_slot *slot);
void tf_trace_sync(struct fabric *fabric, u32 kind, const struct tf_sync *sync, u32 node,
		   const struct tf_fault *value);

#endif
