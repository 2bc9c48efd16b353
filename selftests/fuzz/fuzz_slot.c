// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: occupants of the transform slot on any entry, each against
 * another way to say what it does, and the slot's registers against a model.
 */
#include "fuzz.h"

#include "lib/kohaku_mxfp7.h"
#include "sim/env.h"
#include "sim/occupant/mxfp7.h"

#define ENTRIES 4
#define IN_MAX (ENTRIES * SIM_ENTRY_BEATS_MAX * KOHAKU_WORD)
#define PALETTE 5
#define PAL_INDEX 0x08
#define PAL_DATA 0x0C

/* What the registers should say. */
struct model {
	u16 colours[256];
	u32 index;
	bool fault, held;
};

static struct sim_bank bank;

static const u32 beats[16] = { 4, 8, 4, 2, 4, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4 };

static void begin(struct model *model)
{
	u32 c;

	sim_bank_reset(&bank);
	*model = (struct model){ 0 };
	for (c = 0; c < 256; c++) {
		sim_bank_store(&bank, PALETTE, PAL_INDEX, c);
		model->colours[c] = sim_bank_register(&bank, PALETTE, PAL_DATA);
		/* Brighter is larger, and white is 1. */
		REQUIRE(c == 0 || model->colours[c] > model->colours[c - 1]);
	}
	REQUIRE(model->colours[0] == 0 && model->colours[255] == 0x3C00);
	sim_bank_store(&bank, PALETTE, PAL_INDEX, 0);
}

static u32 expected_register(const struct model *model, u32 id, u32 offset)
{
	if (offset == SIM_BANK_FAULT)
		return model->fault;
	if (offset == SIM_BANK_GEOMETRY)
		return id <= PALETTE ? 4 << 16 | beats[id] * 256 : 0;
	if (id == PALETTE && offset == PAL_INDEX)
		return model->index;
	if (id == PALETTE && offset == PAL_DATA)
		return model->colours[model->index];
	return 0;
}

static void write_register(struct model *model, u32 id, u32 offset, u32 value)
{
	sim_bank_store(&bank, id, offset, value);
	if (model->held)
		return;
	if (offset == SIM_BANK_FAULT) {
		model->fault = false;
	} else if (id == PALETTE && offset == PAL_INDEX) {
		model->index = value % 256;
	} else if (id == PALETTE && offset == PAL_DATA) {
		model->colours[model->index] = value;
		model->index = (model->index + 1) % 256;
	}
}

static void use_registers(struct model *model)
{
	u32 steps = random_below(24), id, offset;

	for (; steps; steps--) {
		id = random_once_in(2) ? PALETTE : random_below(16);
		offset = random_once_in(8) ? random_below(256) : 4 * random_below(5);
		if (random_once_in(8)) {
			model->held = !model->held;
			sim_bank_ask(&bank, SIM_REQUESTER_HOST, model->held);
		} else {
			write_register(model, id, offset, random_bits());
		}
		REQUIRE(sim_bank_register(&bank, id, offset) ==
			expected_register(model, id, offset));
	}
}

static void check_quantise(u32 mode, const u8 *in, const u8 *out, u32 entries)
{
	static u8 other[ENTRIES * SIM_ENTRY_BYTES];
	static u16 values[IN_MAX / 2];

	mxfp7_quantise_scalar(mode, in, other, entries);
	REQUIRE(!memcmp(out, other, entries * SIM_ENTRY_BYTES));
	if (env_vector_begin()) {
		mxfp7_quantise_avx2(mode, in, other, entries);
		env_vector_end();
		REQUIRE(!memcmp(out, other, entries * SIM_ENTRY_BYTES));
	}
	memcpy(values, in, entries * 256);
	kohaku_mxfp7_encode(mode & 1, values, other, entries);
	REQUIRE(!memcmp(out, other, entries * SIM_ENTRY_BYTES));
}

/* Two entries make a block; the slot gives the first 16 values of each lane first. */
static void check_dequantise(u32 mode, const u8 *in, const u8 *out, u32 entries)
{
	u16 values[KOHAKU_MXFP7_VALUES], half;
	u32 block, lane, k;

	for (block = 0; block + 1 < entries; block += 2) {
		kohaku_mxfp7_decode(mode & 1, in + block * 64, values, 1);
		for (lane = 0; lane < 4; lane++) {
			for (k = 0; k < 32; k++) {
				u32 at = (block + k / 16) * 64 + lane * 16 + k % 16;

				memcpy(&half, out + 2 * at, 2);
				REQUIRE(half == values[lane * 32 + k]);
			}
		}
	}
}

static void check_gt4(const u8 *in, const u8 *out, u32 entries)
{
	u32 i;

	for (i = 0; i < entries * SIM_ENTRY_BYTES; i++) {
		u32 entry = i / 128, word = i / 32 % 4, granule = i / 8 % 4;

		REQUIRE(out[i] == in[entry * 128 + granule * 32 + word * 8 + i % 8]);
	}
}

/* Pixel x of row y lies in tile x / 4, and there at 4 * y + x % 4. */
static void check_swizzle(u32 mode, const u8 *in, const u8 *out, u32 entries)
{
	u32 entry, y, x;

	for (entry = 0; entry < entries; entry++) {
		for (y = 0; y < 4; y++) {
			for (x = 0; x < 8; x++) {
				u32 line = entry * 128 + (y * 8 + x) * 4;
				u32 tile = entry * 128 + (x / 4 * 16 + y * 4 + x % 4) * 4;

				REQUIRE(!memcmp(out + (mode & 1 ? line : tile),
						in + (mode & 1 ? tile : line), 4));
			}
		}
	}
}

static void check_palette(const struct model *model, u32 mode, const u8 *in, const u8 *out,
			  u32 entries)
{
	u32 i;

	for (i = 0; i < entries * 64; i++) {
		u16 half = out[2 * i] | out[2 * i + 1] << 8;

		if (!(mode & 1))
			REQUIRE(half == model->colours[in[i]]);
		else if (!in[i])
			REQUIRE(!half);
		else
			REQUIRE((1024U | (half & 1023U)) == in[i] * 1024U >> ((half >> 10) - 15));
	}
}

/* All words of a block have the same scales. */
static void share_scales(u8 *in, u32 length)
{
	u32 at;

	for (at = 0; at < length; at += KOHAKU_WORD)
		memcpy(in + at, in + at / 128 * 128, 4);
}

static void convert(struct model *model, u32 id, u32 mode, const u8 *in, u32 entries)
{
	u8 *out = malloc(entries * SIM_ENTRY_BYTES);

	REQUIRE(out);
	REQUIRE(sim_bank_beats(id) == beats[id]);
	sim_bank_convert(&bank, id, mode, in, out, entries);
	model->fault |= id > PALETTE;
	REQUIRE(sim_bank_register(&bank, id, SIM_BANK_FAULT) == model->fault);
	switch (id) {
	case 1:
		check_quantise(mode, in, out, entries);
		break;
	case 2:
		check_gt4(in, out, entries);
		break;
	case 3:
		check_dequantise(mode, in, out, entries);
		break;
	case 4:
		check_swizzle(mode, in, out, entries);
		break;
	case 5:
		check_palette(model, mode, in, out, entries);
		break;
	default:
		REQUIRE(!memcmp(in, out, entries * SIM_ENTRY_BYTES));
	}
	free(out);
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	struct model model;
	u32 id, mode, entries, length, i;
	u8 *in;

	testing_feed(bytes, size);
	begin(&model);
	id = random_below(16);
	mode = random_once_in(4) ? random_bits() : random_below(2);
	entries = random_between(1, ENTRIES);
	length = entries * beats[id] * KOHAKU_WORD;
	use_registers(&model);
	/* Of exactly its size, so that a step too far is seen. */
	in = malloc(length);
	REQUIRE(in);
	for (i = 0; i < length; i++)
		in[i] = random_below(256);
	if (id == 3)
		share_scales(in, length);
	convert(&model, id, mode, in, entries);
	free(in);
	return 0;
}
