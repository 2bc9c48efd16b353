// SPDX-License-Identifier: GPL-2.0
/*
 * The simulated nodes that are there as soon as the module is.
 */
#include <linux/err.h>
#include <linux/module.h>

#include "sim.h"

#define KOHAKU_SIM_DEFAULT_MAX 16

static unsigned int nodes = 1;
module_param(nodes, uint, 0444);
MODULE_PARM_DESC(nodes, "simulated nodes to make at load, 0..16 (default 1)");

static unsigned int meshes = 1;
module_param(meshes, uint, 0444);
MODULE_PARM_DESC(meshes, "meshes of each of them, 1..4 (default 1)");

static struct kohaku_sim *kohaku_sims[KOHAKU_SIM_DEFAULT_MAX];

static void kohaku_sims_destroy(void)
{
	unsigned int i;

	for (i = 0; i < nodes; i++) {
		if (kohaku_sims[i])
			kohaku_sim_destroy(kohaku_sims[i]);
		kohaku_sims[i] = NULL;
	}
}

static int kohaku_sims_create(void)
{
	struct fabric_config fabric;
	struct sim_config config;
	unsigned int i;

	sim_config_default(&config);
	config.meshes = meshes;
	fabric_config_default(&fabric);
	if (nodes > KOHAKU_SIM_DEFAULT_MAX || !sim_config_valid(&config))
		return -EINVAL;
	for (i = 0; i < nodes; i++) {
		struct kohaku_sim *sim = kohaku_sim_create(&config, &fabric);

		if (IS_ERR(sim)) {
			kohaku_sims_destroy();
			return PTR_ERR(sim);
		}
		kohaku_sims[i] = sim;
	}
	return 0;
}

int kohaku_sim_init(void)
{
	int ret = kohaku_sims_create();

	if (ret)
		return ret;
	ret = kohaku_sim_configfs_init();
	if (ret)
		kohaku_sims_destroy();
	return ret;
}

void kohaku_sim_exit(void)
{
	kohaku_sim_configfs_exit();
	kohaku_sims_destroy();
}
