# SPDX-License-Identifier: LGPL-2.1-or-later
# The library, relative to lib/.
lib-objs := \
	affine.o \
	buffer.o \
	bursts.o \
	cost.o \
	dead.o \
	device.o \
	embedded.o \
	embedded_buffer.o \
	embedded_event.o \
	embedded_fabric.o \
	embedded_relayout.o \
	embedded_run.o \
	embedded_slot.o \
	embedded_submit.o \
	event.o \
	explain.o \
	explain_submit.o \
	fault.o \
	info.o \
	job.o \
	layout.o \
	layout_fit.o \
	layout_pack.o \
	mxfp7.o \
	mxfp7_error.o \
	open.o \
	perm.o \
	perm_image.o \
	perm_loops.o \
	placement.o \
	plan.o \
	reason.o \
	relayout.o \
	route.o \
	route_move.o \
	sim_options.o \
	transfer.o \
	walker.o
