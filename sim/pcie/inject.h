/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * What a card may be asked to do wrong, for tests.
 */
#ifndef SIM_PCIE_INJECT_H
#define SIM_PCIE_INJECT_H

#include "hw/types.h"

/* All 0: a healthy card.  A number says which event goes wrong, from 1 on. */
struct pcie_inject {
	u32 pre_strobe;		/* a register write becomes four, of the aligned 32 bytes */
	u32 lost_interrupt;	/* every n-th interrupt never arrives */
	u32 spurious_interrupt;	/* every n-th one arrives three times, once too early */
	u32 engine_error;	/* the n-th descriptor meets an error of the card's bus */
	u32 engine_hang;	/* the n-th descriptor never ends, until a reset */
	u32 mover_hang;		/* the n-th move never ends, until a reset */
	u32 gone;		/* from the n-th register access on the card is not there */
	u32 ecc;		/* never-written DRAM is an error; it wedges the engine */
	u32 slow;		/* microseconds that a register read takes */
	u32 no_reset;		/* no reset gets through to it */
	u32 no_msix;		/* no interrupts at all */
};

/**
 * pcie_inject_set - set one by "name" or "name=number"; a name alone means 1
 * @inject: to change
 * @text: what to set
 *
 * Return: 0 or -EINVAL.
 */
int pcie_inject_set(struct pcie_inject *inject, const char *text);

/* Name and meaning of the i-th; NULL past the last. */
const char *pcie_inject_name(u32 i, const char **help);

#endif
