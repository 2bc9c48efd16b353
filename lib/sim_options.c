// SPDX-License-Identifier: LGPL-2.1-or-later

#include "sim_options.h"
#include "sim/transfer/text.h"

#include <stdio.h>
#include <stdlib.h>

/* A piece of text: not terminated. */
struct piece {
	const char *start;
	size_t length;
};

static bool piece_is(struct piece piece, const char *text)
{
	return strlen(text) == piece.length && !memcmp(piece.start, text, piece.length);
}

/* Decimal digits only, as in the sysfs and configfs of the driver. */
static bool piece_number(struct piece piece, u64 *value)
{
	size_t i;

	*value = 0;
	for (i = 0; i < piece.length; i++) {
		char c = piece.start[i];

		if (c < '0' || c > '9' || __builtin_mul_overflow(*value, 10, value) ||
		    __builtin_add_overflow(*value, (u64)(c - '0'), value))
			return false;
	}
	return piece.length;
}

static bool piece_range(struct piece piece, u32 lo, u32 hi, u32 *value)
{
	u64 number;

	if (!piece_number(piece, &number) || number < lo || number > hi)
		return false;
	*value = (u32)number;
	return true;
}

static bool piece_named(struct piece piece, const char *const *names, u32 count, u32 *value)
{
	u32 i;

	for (i = 0; i < count; i++) {
		if (piece_is(piece, names[i])) {
			*value = i;
			return true;
		}
	}
	return false;
}

static bool set_meshes(struct sim_options *options, struct piece value)
{
	return piece_range(value, 1, KOHAKU_MESHES_MAX, &options->config.meshes);
}

static bool set_complex(struct sim_options *options, struct piece value)
{
	u32 complex;

	if (!piece_named(value, sim_complex_names, ARRAY_SIZE(sim_complex_names), &complex))
		return false;
	options->config.complex = complex;
	return true;
}

static bool set_quirks(struct sim_options *options, struct piece value)
{
	return piece_named(value, sim_quirk_names, ARRAY_SIZE(sim_quirk_names),
			   &options->config.quirks);
}

static bool set_slot_depth(struct sim_options *options, struct piece value)
{
	return piece_range(value, 1, 2, &options->config.slot_depth);
}

static bool set_fabric(struct sim_options *options, struct piece value)
{
	return !fabric_config_parse(value.start, value.length, &options->fabric);
}

static bool set_hang(struct sim_options *options, struct piece value)
{
	options->knobs.hang = true;
	return !value.length;
}

static bool set_no_motion(struct sim_options *options, struct piece value)
{
	options->knobs.no_motion = true;
	return !value.length;
}

static bool set_ecc(struct sim_options *options, struct piece value)
{
	options->knobs.ecc = true;
	return !value.length;
}

static bool set_error_at_beat(struct sim_options *options, struct piece value)
{
	return piece_number(value, &options->knobs.error_at_beat);
}

static const struct {
	const char *name;
	bool (*set)(struct sim_options *options, struct piece value);
	const char *takes;
} known[] = {
	{ "meshes", set_meshes, "meshes=1..4" },
	{ "complex", set_complex, "complex=none, rv32 or rv64" },
	{ "quirks", set_quirks, "quirks=none or gather" },
	{ "slot_depth", set_slot_depth, "slot_depth=1 or 2" },
	{ "fabric", set_fabric, "fabric=none, or kamlets and their jamlets as in 2x2:2x2" },
	{ "hang", set_hang, "hang without a value" },
	{ "no_motion", set_no_motion, "no_motion without a value" },
	{ "ecc", set_ecc, "ecc without a value" },
	{ "error_at_beat", set_error_at_beat, "error_at_beat=N" },
};

static int refuse(struct piece option, const char *takes, char *reason, size_t size)
{
	snprintf(reason, size, "option '%.*s' is not understood; use %s",
		 (int)min_t(size_t, option.length, 40), option.start, takes);
	return -EINVAL;
}

static int apply(struct sim_options *options, struct piece option, char *reason, size_t size)
{
	const char *equals = memchr(option.start, '=', option.length);
	struct piece name = option, value = { option.start + option.length, 0 };
	size_t i;

	if (equals) {
		name.length = (size_t)(equals - option.start);
		value.start = equals + 1;
		value.length = option.length - name.length - 1;
	}
	for (i = 0; i < ARRAY_SIZE(known); i++) {
		if (!piece_is(name, known[i].name))
			continue;
		if (known[i].set(options, value))
			return 0;
		return refuse(option, known[i].takes, reason, size);
	}
	return refuse(option,
		      "meshes, complex, quirks, slot_depth, fabric, hang, no_motion, ecc or error_at_beat",
		      reason, size);
}

int sim_options_parse(const char *text, struct sim_options *options, char *reason, size_t size)
{
	*options = (struct sim_options){ 0 };
	sim_config_default(&options->config);
	fabric_config_default(&options->fabric);
	while (*text) {
		struct piece option = { text, strcspn(text, ",") };
		int err = apply(options, option, reason, size);

		if (err)
			return err;
		text += option.length;
		if (*text == ',')
			text++;
	}
	return 0;
}
