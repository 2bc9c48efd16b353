/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/* Running a program of the vector core: internal to sim/vector. */
#ifndef SIM_VECTOR_PROGRAM_H
#define SIM_VECTOR_PROGRAM_H

#include "vector.h"

/* Runs from pc to VHALT or a fault, which it returns; adds to result. */
u32 program_run(struct sim_vector *core, u32 pc, struct sim_vector_result *result);

/* Memory to L1 and back, as many words as the descriptor walks. */
u32 traffic_fill(struct sim_vector *core, u32 instruction, struct sim_vector_result *result);
u32 traffic_drain(struct sim_vector *core, u32 instruction, struct sim_vector_result *result);

/* Element i of a walk, in the descriptor's units; past its end the last one. */
s64 traffic_offset(const struct sim_vector_descriptor *descriptor, u32 i);

#endif
