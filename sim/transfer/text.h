/* SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later */
/*
 * A fabric in one line of text, as configfs and the options of "sim:" take it.
 */
#ifndef SIM_TRANSFER_TEXT_H
#define SIM_TRANSFER_TEXT_H

#include "transfer.h"

/* Room for the longest text that is accepted, its end included. */
#define FABRIC_TEXT_SIZE 128

/**
 * fabric_config_parse() - read a configuration
 * @text: "none", or kamlets and jamlets of a kamlet as in "2x2:2x2", followed by any
 *	of /line=, /slots=, /page=, /rows=, /waits=, /idents=, /syncs= with a number
 *	as in &struct fabric_config, /order=moore, row, row-torus, column or
 *	column-torus, and /push_ack
 * @length: characters of it
 * @config: receives it; kamlet_columns is 0 for "none"
 *
 * What is not named is as in fabric_config_default(); a page then is as many cache
 * lines as reach its 512 bytes.
 *
 * Return: 0 or -EINVAL.
 */
int fabric_config_parse(const char *text, size_t length, struct fabric_config *config);

#endif
