// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer target: the options of "sim:" and the fabrics in them against regular
 * expressions; what was understood is printed and must read the same.
 */
#include "fuzz.h"

#include <regex.h>

#include "lib/sim_options.h"
#include "sim/transfer/text.h"

#define NUMBER "[0-9]+"
#define GRID NUMBER "x" NUMBER

static const char option_grammar[] =
	"^(meshes=0*[1-4]|complex=(none|rv32|rv64)|quirks=(none|gather)|slot_depth=0*[12]|"
	"hang=?|no_motion=?|ecc=?|error_at_beat=" NUMBER "|fabric=.*)$";
static const char fabric_grammar[] =
	"^(none|" GRID ":" GRID "(/(line|slots|page|rows|waits|idents|syncs)=" NUMBER
	"|/order=(moore|row|row-torus|column|column-torus)|/push_ack)*)$";

static regex_t option, fabric;

static void print_fabric(const struct fabric_config *config, char *text, size_t size)
{
	static const char *const orders[] = {
		[FABRIC_ORDER_MOORE] = "moore",
		[FABRIC_ORDER_ROW] = "row",
		[FABRIC_ORDER_ROW_TORUS] = "row-torus",
		[FABRIC_ORDER_COLUMN] = "column",
		[FABRIC_ORDER_COLUMN_TORUS] = "column-torus",
	};

	if (!config->kamlet_columns) {
		snprintf(text, size, "none");
		return;
	}
	REQUIRE(config->order < ARRAY_SIZE(orders) && orders[config->order]);
	snprintf(text, size,
		 "%ux%u:%ux%u/line=%u/slots=%u/page=%u/rows=%u/waits=%u/idents=%u/syncs=%u/order=%s%s",
		 config->kamlet_columns, config->kamlet_rows, config->jamlet_columns,
		 config->jamlet_rows, config->line_words, config->slots, config->page_bytes,
		 config->rows, config->waits, config->idents, config->syncs,
		 orders[config->order], config->push_ack ? "/push_ack" : "");
}

static bool check_fabric(const char *text)
{
	struct fabric_config config, again;
	char printed[256], twice[256];
	int err = fabric_config_parse(text, strlen(text), &config);

	if (err) {
		REQUIRE(err == -EINVAL);
		return false;
	}
	REQUIRE(!regexec(&fabric, text, 0, NULL, 0));
	REQUIRE(!config.kamlet_columns || fabric_config_valid(&config));
	print_fabric(&config, printed, sizeof(printed));
	/* Nothing prints longer than what may be read. */
	REQUIRE(strlen(printed) < FABRIC_TEXT_SIZE);
	REQUIRE(!fabric_config_parse(printed, strlen(printed), &again));
	print_fabric(&again, twice, sizeof(twice));
	REQUIRE(!strcmp(printed, twice));
	return true;
}

/* Is a list of options one that we would accept, fabrics aside? */
static bool lawful(const char *text)
{
	char *copy = fuzz_text((const u8 *)text, strlen(text)), *rest = copy, *piece;
	bool good = true;

	while (good && (piece = strsep(&rest, ","))) {
		/* The list may end in a comma. */
		if (!rest && !*piece)
			break;
		errno = 0;
		good = !regexec(&option, piece, 0, NULL, 0);
		if (good && !strncmp(piece, "fabric=", 7))
			good = check_fabric(piece + 7);
		else if (good && !strncmp(piece, "error_at_beat=", 14))
			good = strtoull(piece + 14, NULL, 10) != U64_MAX || !errno;
	}
	free(copy);
	return good;
}

static void print_options(const struct sim_options *options, char *text, size_t size)
{
	static const char *const complexes[] = { "none", "rv32", "rv64" };
	char printed[FABRIC_TEXT_SIZE];

	print_fabric(&options->fabric, printed, sizeof(printed));
	snprintf(text, size, "meshes=%u,complex=%s,quirks=%s,slot_depth=%u,fabric=%s%s%s%s,error_at_beat=%llu",
		 options->config.meshes, complexes[options->config.complex],
		 options->config.quirks ? "gather" : "none", options->config.slot_depth, printed,
		 options->knobs.hang ? ",hang" : "", options->knobs.no_motion ? ",no_motion" : "",
		 options->knobs.ecc ? ",ecc" : "", options->knobs.error_at_beat);
}

static void check_options(const char *text)
{
	struct sim_options options, again;
	char reason[80] = "", printed[512], twice[512];
	int err = sim_options_parse(text, &options, reason, sizeof(reason));

	REQUIRE(!err == lawful(text));
	if (err) {
		REQUIRE(err == -EINVAL && *reason && strlen(reason) < sizeof(reason));
		return;
	}
	REQUIRE(!*reason && sim_config_valid(&options.config));
	print_options(&options, printed, sizeof(printed));
	REQUIRE(!sim_options_parse(printed, &again, reason, sizeof(reason)));
	print_options(&again, twice, sizeof(twice));
	REQUIRE(!strcmp(printed, twice));
}

int LLVMFuzzerTestOneInput(const u8 *bytes, size_t size)
{
	char *text = fuzz_text(bytes, size);

	if (!option.re_nsub) {
		REQUIRE(!regcomp(&option, option_grammar, REG_EXTENDED));
		REQUIRE(!regcomp(&fabric, fabric_grammar, REG_EXTENDED));
	}
	check_options(text);
	check_fabric(text);
	free(text);
	return 0;
}
