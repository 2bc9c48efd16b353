/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * The transform slot, seen by the driver: who is in it, and the table that an
 * occupant keeps.
 */
#ifndef KOHAKU_HW_SLOT_H
#define KOHAKU_HW_SLOT_H

#include "exec.h"

/* An occupant as its bank reports it. */
struct kohaku_occupant {
	u32 in_words;		/* source words of an entry */
	u32 out_words;		/* destination words of an entry */
	u32 table_size;		/* 16-bit values of its table, 0: it has none */
};

/* Does the node have a slot whose registers can be reached? */
bool kohaku_slot_present(const struct kohaku_bus *bus);

/* -EOPNOTSUPP: no slot in reach; -ENOENT: no occupant of that id. */
int kohaku_slot_query(const struct kohaku_bus *bus, u32 mesh, u32 id,
		      struct kohaku_occupant *occupant);

/* The bank's sticky fault, 0 where there is no slot. */
u32 kohaku_slot_fault(const struct kohaku_bus *bus, u32 mesh);

/* The whole table of the palette, KOHAKU_PALETTE_SIZE values. */
void kohaku_palette_read(const struct kohaku_bus *bus, u32 mesh, u16 *values);
void kohaku_palette_write(const struct kohaku_bus *bus, u32 mesh, const u16 *values);

/* A short name of an occupant for people, never NULL. */
const char *kohaku_occupant_name(u32 id);

#endif
