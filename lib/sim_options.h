/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The options of "sim:".
 */
#ifndef KOHAKU_LIB_SIM_OPTIONS_H
#define KOHAKU_LIB_SIM_OPTIONS_H

#include "sim/node.h"
#include "sim/transfer/transfer.h"

struct sim_options {
	struct sim_config config;
	struct sim_knobs knobs;		/* of every mesh */
	struct fabric_config fabric;	/* kamlet_columns 0: none */
};

/*
 * Reads what follows "sim:", as in "meshes=4,quirks=gather".  -EINVAL: says in
 * reason, of size bytes, which option is wrong and what would be right.
 */
int sim_options_parse(const char *text, struct sim_options *options, char *reason, size_t size);

#endif
