/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * State of the host control window that is no state of what lies behind it.
 */
#ifndef SIM_WINDOW_H
#define SIM_WINDOW_H

#include "hw/types.h"

struct sim_window {
	u64 irq_stat, irq_en;	/* plain storage: there is no interrupt */
	/* Partial writes of one AUX_CFG register gather here. */
	u32 shadow_offset;
	u64 shadow;
};

#endif
