/* SPDX-License-Identifier: GPL-2.0 */
/* Recordings about the transfer fabric, one function a kind of record. */
#ifndef TRANSFER_H
#define TRANSFER_H

#include "recording.h"

enum outcome transfer_lane(struct recording *recording);
enum outcome transfer_map(struct recording *recording);
enum outcome transfer_register(struct recording *recording);
enum outcome transfer_segments(struct recording *recording);
enum outcome transfer_sync(struct recording *recording);
enum outcome transfer_program(struct recording *recording);
enum outcome transfer_scenario(struct recording *recording);

/* Node that programs run on, by its name; NULL: the model itself. */
extern const char *transfer_node;

/* Run programs with many table depths, not only with the recorded ones. */
extern bool transfer_every_setting;

#endif
