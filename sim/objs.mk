# SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
sim-objs := \
	burst.o \
	gather.o \
	map.o \
	memory.o \
	mover.o \
	node.o \
	philox.o \
	registers.o \
	stream.o \
	vector/core.o \
	vector/program.o \
	vector/traffic.o \
	walk.o \
	window.o
