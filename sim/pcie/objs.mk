# SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
#
# The card as a process, in user space only; server.o has its main().
pcie-objs := \
	config.o \
	endpoint.o \
	engine.o \
	guest.o \
	inject.o \
	statistics.o \
	vfio_user.o \
	xdma.o
