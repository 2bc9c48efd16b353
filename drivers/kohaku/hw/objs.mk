# SPDX-License-Identifier: GPL-2.0 OR LGPL-2.1-or-later
hw-objs := \
	arena.o \
	argument.o \
	axis.o \
	box.o \
	check.o \
	command.o \
	count.o \
	dispatch.o \
	encode.o \
	exec.o \
	fields.o \
	flit.o \
	misaligned.o \
	op.o \
	refusal.o \
	relayout.o \
	slot.o \
	span.o \
	vector_check.o \
	vector_emit.o \
	vector_image.o \
	walk.o
