// SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later

#include "slot.h"

static u32 slot_address(u32 id, u32 offset)
{
	return KOHAKU_RV32_NODE | (u32)KOHAKU_RV32_SLOT | (u32)KOHAKU_PUT(KOHAKU_SLOT_ID, id) |
	       offset;
}

static u32 slot_load(const struct kohaku_bus *bus, u32 mesh, u32 id, u32 offset)
{
	return bus->load32(bus->ctx, mesh, slot_address(id, offset));
}

static void slot_store(const struct kohaku_bus *bus, u32 mesh, u32 id, u32 offset, u32 value)
{
	bus->store32(bus->ctx, mesh, slot_address(id, offset), value);
}

bool kohaku_slot_present(const struct kohaku_bus *bus)
{
	return bus->load32 && bus->store32;
}

int kohaku_slot_query(const struct kohaku_bus *bus, u32 mesh, u32 id,
		      struct kohaku_occupant *occupant)
{
	u32 geometry;

	if (!kohaku_slot_present(bus))
		return -EOPNOTSUPP;
	if (id >= KOHAKU_SLOT_IDS)
		return -ENOENT;
	geometry = slot_load(bus, mesh, id, KOHAKU_SLOT_GEOMETRY);
	*occupant = (struct kohaku_occupant){
		.in_words = (u32)KOHAKU_GET(KOHAKU_SLOT_IN_BITS, geometry) / (8 * KOHAKU_WORD),
		.out_words = (u32)KOHAKU_GET(KOHAKU_SLOT_OUT_WORDS, geometry),
		.table_size = id == KOHAKU_OCCUPANT_PALETTE ? KOHAKU_PALETTE_SIZE : 0,
	};
	return occupant->in_words ? 0 : -ENOENT;
}

u32 kohaku_slot_fault(const struct kohaku_bus *bus, u32 mesh)
{
	return kohaku_slot_present(bus) ? slot_load(bus, mesh, 0, KOHAKU_SLOT_FAULT) : 0;
}

void kohaku_palette_read(const struct kohaku_bus *bus, u32 mesh, u16 *values)
{
	u32 i;

	for (i = 0; i < KOHAKU_PALETTE_SIZE; i++) {
		slot_store(bus, mesh, KOHAKU_OCCUPANT_PALETTE, KOHAKU_PALETTE_INDEX, i);
		values[i] = (u16)slot_load(bus, mesh, KOHAKU_OCCUPANT_PALETTE,
					   KOHAKU_PALETTE_DATA);
	}
	slot_store(bus, mesh, KOHAKU_OCCUPANT_PALETTE, KOHAKU_PALETTE_INDEX, 0);
}

void kohaku_palette_write(const struct kohaku_bus *bus, u32 mesh, const u16 *values)
{
	u32 i;

	slot_store(bus, mesh, KOHAKU_OCCUPANT_PALETTE, KOHAKU_PALETTE_INDEX, 0);
	for (i = 0; i < KOHAKU_PALETTE_SIZE; i++)
		slot_store(bus, mesh, KOHAKU_OCCUPANT_PALETTE, KOHAKU_PALETTE_DATA, values[i]);
}

const char *kohaku_occupant_name(u32 id)
{
	static const char *const names[] = {
		[KOHAKU_OCCUPANT_BYPASS] = "bypass",
		[KOHAKU_OCCUPANT_QUANTISE] = "quantise",
		[KOHAKU_OCCUPANT_GT4] = "gt4",
		[KOHAKU_OCCUPANT_DEQUANTISE] = "dequantise",
		[KOHAKU_OCCUPANT_SWIZZLE] = "swizzle",
		[KOHAKU_OCCUPANT_PALETTE] = "palette",
	};

	return id < ARRAY_SIZE(names) ? names[id] : "unknown";
}
