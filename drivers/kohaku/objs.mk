# SPDX-License-Identifier: GPL-2.0
driver-objs := \
	bringup.o \
	buffer.o \
	carry.o \
	completion.o \
	debugfs.o \
	fabric.o \
	fabric_show.o \
	fault.o \
	file.o \
	info.o \
	inject.o \
	io.o \
	ioctl.o \
	job.o \
	main.o \
	map.o \
	node.o \
	operation.o \
	queue.o \
	relayout.o \
	reset.o \
	sim/configfs.o \
	sim/main.o \
	sim/node.o \
	slot.o \
	submit.o \
	sysfs.o \
	trace.o \
	transfer.o \
	uring.o \
	user.o

ifdef CONFIG_PCI
driver-objs += \
	pci/engine.o \
	pci/node.o \
	pci/probe.o
endif
