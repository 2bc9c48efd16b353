/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of the mover's replay.
 */
#ifndef REPLAY_MOVER_H
#define REPLAY_MOVER_H

#include "replay.h"

/* Tables of single results; a row is a case.  Return: 0 or a negative errno. */
int replay_prng_table(const char *path, struct tally *tally);
int replay_quant_table(const char *path, struct tally *tally);

#endif
