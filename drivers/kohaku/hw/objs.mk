# SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
hw-objs := \
	command.o
