/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Simulated nodes: the backend over the model (node.c) and where they come from,
 * module parameters (main.c) and configfs (configfs.c).
 */
#ifndef KOHAKU_SIM_H
#define KOHAKU_SIM_H

#include "sim/node.h"
#include "sim/transfer/transfer.h"

struct kohaku_sim;

/* main.c */
int kohaku_sim_init(void);
void kohaku_sim_exit(void);

/* configfs.c */
int kohaku_sim_configfs_init(void);
void kohaku_sim_configfs_exit(void);

/* node.c */
struct kohaku_sim *kohaku_sim_create(const struct sim_config *config,
				     const struct fabric_config *fabric);
void kohaku_sim_destroy(struct kohaku_sim *sim);
const char *kohaku_sim_name(const struct kohaku_sim *sim);

#endif
