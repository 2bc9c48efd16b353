// SPDX-License-Identifier: GPL-2.0
/*
 * The module: device numbers, the class, and the backends.
 */
#include <linux/idr.h>
#include <linux/module.h>

#include "core.h"
#include "pci/pci.h"
#include "sim/sim.h"

#define KOHAKU_MINORS 256

static dev_t kohaku_first;

static char *kohaku_devnode(kohaku_class_dev *dev, umode_t *mode)
{
	if (mode)
		*mode = 0660;
	return NULL;
}

struct class kohaku_class = {
	.name = "kohaku",
	.dev_groups = kohaku_node_groups,
	.devnode = kohaku_devnode,
};

/* The device number of node index; -ENOSPC past the last. */
int kohaku_devt(int index, dev_t *devt)
{
	if (index >= KOHAKU_MINORS)
		return -ENOSPC;
	*devt = MKDEV(MAJOR(kohaku_first), index);
	return 0;
}

static int __init kohaku_init(void)
{
	int ret;

	ret = alloc_chrdev_region(&kohaku_first, 0, KOHAKU_MINORS, "kohaku");
	if (ret)
		return ret;
	ret = class_register(&kohaku_class);
	if (ret)
		goto err_region;
	ret = kohaku_map_init();
	if (ret)
		goto err_class;
	kohaku_debugfs_init();
	ret = kohaku_sim_init();
	if (ret)
		goto err_map;
	ret = kohaku_pci_init();
	if (ret)
		goto err_sim;
	return 0;

err_sim:
	kohaku_sim_exit();
err_map:
	kohaku_debugfs_exit();
	kohaku_map_exit();
err_class:
	class_unregister(&kohaku_class);
err_region:
	unregister_chrdev_region(kohaku_first, KOHAKU_MINORS);
	return ret;
}

static void __exit kohaku_exit(void)
{
	kohaku_pci_exit();
	kohaku_sim_exit();
	kohaku_debugfs_exit();
	kohaku_map_exit();
	class_unregister(&kohaku_class);
	unregister_chrdev_region(kohaku_first, KOHAKU_MINORS);
}

module_init(kohaku_init);
module_exit(kohaku_exit);

MODULE_DESCRIPTION("Kohaku system node");
MODULE_LICENSE("GPL");
