/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * Many short rows of a move in one go.
 */
#ifndef SIM_ROWS_H
#define SIM_ROWS_H

#include "sim/env.h"

struct sim_mesh;

/**
 * sim_rows_run - move the rows ahead when they are all alike
 * @mesh: the mesh, with COPY, GATHER or FILL in flight
 * @words: how many words it may move
 *
 * Does what going stretch by stretch does, but only where nobody looks on, no
 * error is asked for and all memory is there.
 *
 * Return: the words that were moved; 0: there is nothing to be had this way.
 */
u64 sim_rows_run(struct sim_mesh *mesh, u64 words);

#endif
