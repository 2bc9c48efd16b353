# SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
sim-objs := \
	burst.o \
	cost.o \
	gather.o \
	map.o \
	memory.o \
	mover.o \
	node.o \
	occupant/bypass.o \
	occupant/dequantise.o \
	occupant/gt4.o \
	occupant/palette.o \
	occupant/quantise.o \
	occupant/quantise_avx2.o \
	occupant/swizzle.o \
	philox.o \
	registers.o \
	slot.o \
	stream.o \
	transform.o \
	vector/core.o \
	vector/program.o \
	vector/traffic.o \
	walk.o \
	window.o
