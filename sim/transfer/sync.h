/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The synchronizer: a barrier over all kamlets and the lamlet that also reduces
 * a value.
 */
#ifndef SIM_TRANSFER_SYNC_H
#define SIM_TRANSFER_SYNC_H

#include "transfer.h"

enum tf_reduction { TF_MINU, TF_MAXU, TF_MIN, TF_MAX, TF_AND, TF_OR };

/* A faulting element, what the fault reduction carries: 22 + 2 + 64 bits. */
struct tf_fault {
	u32 element;			/* U32_MAX: none */
	u32 code;
	u64 address;			/* lowest byte that faulted */
	/* Not in the packet: software can tell it from the element and its registers. */
	u64 element_address;
};

#define TF_FAULT_BITS (22 + 2 + 64)
#define TF_NO_FAULT ((struct tf_fault) { .element = U32_MAX })

#define TF_NODES (FABRIC_KAMLETS_MAX + 1)
#define TF_NODE_LAMLET FABRIC_KAMLETS_MAX

/* One synchronisation under way. */
struct tf_sync {
	bool used, fault;		/* the fault reduction, else a barrier */
	u64 seq;			/* of the kinstruction */
	u32 seen, done;			/* nodes: contributed, have the result */
	u64 at[TF_NODES], due[TF_NODES];
	struct tf_fault value;
};

/* Combine two values of @bits bits */
u64 tf_reduce(enum tf_reduction op, u32 bits, u64 a, u64 b);
/* Words of a packet that carries @bits bits; 0: a bare barrier */
u32 tf_sync_words(u32 bits);
/*
 * Links from one node to another
 * @columns: of kamlets; nodes are numbered row by row, TF_NODE_LAMLET
 */
u32 tf_sync_distance(u32 columns, u32 from, u32 to);
/* When @node is done: contributions @at of @nodes, packets of @words */
u64 tf_sync_due(u32 columns, u32 kamlets, const u64 *at, u32 node, u32 words);
/* Directed links, each carries one packet a synchronisation */
u32 tf_sync_links(u32 columns, u32 rows);

struct fabric;

/* Take a synchronisation for kinstruction @seq; one must be free */
u8 tf_sync_start(struct fabric *fabric, u64 seq, bool fault);
/* @node contributes; @value NULL for nothing */
void tf_sync_event(struct fabric *fabric, u32 id, u32 node, const struct tf_fault *value);
/* Hand out the results that are due */
void tf_sync_run(struct fabric *fabric);

#endif
