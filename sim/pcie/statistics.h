/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What the DMA engines have done, and how fast next to a plain copy.
 */
#ifndef SIM_PCIE_STATISTICS_H
#define SIM_PCIE_STATISTICS_H

#include <stdio.h>

#include "hw/types.h"

struct pcie_endpoint;

/* Of one direction, over all resets. */
struct pcie_statistics {
	u64 chains;
	u64 descriptors;
	u64 bytes;
	u64 busy_ns;		/* between the start of a chain and its end */
	u64 since;		/* when the chain that runs was started */
};

void pcie_statistics_start(struct pcie_statistics *statistics);
void pcie_statistics_stop(struct pcie_statistics *statistics);

/* Prints all, and what memcpy() makes in this process: what there is to reach. */
void pcie_statistics_print(const struct pcie_endpoint *endpoint, FILE *to);

#endif
