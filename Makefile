# SPDX-License-Identifier: GPL-2.0
#
# Everything but the module is built here; the module has Kbuild.  All results
# are under build/.  Source lists stand in the folders (objs.mk), shared with
# Kbuild; tools and tests are found by their place and name.

VERSION   := 0.1.0
SOVERSION := 0
KERNEL    ?= 6.1
KDIR      ?= /lib/modules/$(shell uname -r)/build
PREFIX    ?= /usr/local
CFLAGS    ?= -O2 -g

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
MAKEFLAGS += --no-builtin-rules --no-print-directory

include $(wildcard sim/objs.mk sim/pcie/objs.mk drivers/kohaku/hw/objs.mk lib/objs.mk)

flags := -std=gnu11 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes \
	 -I. -Ilib -Idrivers/kohaku -Iinclude/uapi -D_GNU_SOURCE -pthread \
	 -DKOHAKU_VERSION='"$(VERSION)"'
san   := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
	 -fno-sanitize-recover=all

library-objs := $(addprefix lib/,$(lib-objs)) \
		$(addprefix drivers/kohaku/hw/,$(hw-objs)) \
		$(addprefix sim/,$(sim-objs))
card-objs    := $(addprefix sim/pcie/,$(pcie-objs))

# Sources of the tool in folder $(1), and what it links beside the library.
tool-src = $(filter-out %_test.c,$(wildcard tools/$(1)/*.c))
tool-obj = $(patsubst %.c,build/$(2)/%.o,$(call tool-src,$(1)))
libs-kohaku := -ljson-c -lkmod
libs-bench := -luring
tools := $(foreach t,kohaku replay bench,$(if $(call tool-src,$(t)),$(t)))
programs := $(patsubst build/kohaku-kohaku,build/kohaku,$(tools:%=build/kohaku-%)) \
	    build/kohaku-pcie-server

unit-tests := $(patsubst %.c,build/san/%,$(wildcard sim/*_test.c sim/*/*_test.c \
	drivers/kohaku/hw/*_test.c lib/*_test.c tools/*/*_test.c))
shell-tests := $(filter-out tools/vm/% tools/lint/%,$(wildcard tools/*_test.sh \
	tools/*/*_test.sh selftests/*/*_test.sh))
fuzzers := $(patsubst selftests/fuzz/fuzz_%.c,%,$(wildcard selftests/fuzz/fuzz_*.c))
golden := $(filter-out %.md,$(wildcard selftests/golden/mover selftests/golden/relayout \
	selftests/golden/transfer))

## all          libkohaku and the tools
.PHONY: all
all: lib $(programs)

## lib          libkohaku, shared and static
.PHONY: lib
lib: build/libkohaku.a $(if $(wildcard lib/libkohaku.map),build/libkohaku.so)

## run          boot a VM with the module and show the node at work
.PHONY: run
run: setup-vm all module-$(KERNEL)
	@tools/vm/run --kernel $(KERNEL) --add selftests/data --add tools/vm/demo -- sh tools/vm/demo

## check        every test, and lint; ends with "N passed, N failed, N skipped"
## check-user   unit tests and golden records, without a VM
## check-vm     kselftests in a VM; KERNEL=6.1
## check-debug  kselftests, fault sweeps and KUnit on a kernel with every checker
.PHONY: check check-user check-vm check-debug
check check-user check-vm check-debug:
	@tools/tally start
	@+$(if $(filter check check-user,$@),$(MAKE) -k user-parts || tools/tally run build false)
	@+$(if $(filter check check-vm,$@),$(MAKE) -k vm-parts || tools/tally run build-vm false)
	@+$(if $(filter check check-debug,$@),$(MAKE) -k debug-parts || tools/tally run build-debug false)
	@+$(if $(filter check,$@),$(MAKE) -k lint-parts || tools/tally run build-lint false)
	@tools/tally sum

## check-matrix  kselftests on every kernel, on a simulated node and on a card
.PHONY: check-matrix
check-matrix:
	@tools/tally start
	@+$(MAKE) -k $(matrix) || tools/tally run build-matrix false
	@tools/tally sum

## check-storm  kills, reloads and nodes by the thousand, in a VM and on the debug kernel
.PHONY: check-storm storm-parts
check-storm:
	@tools/tally start
	@+$(MAKE) -k storm-parts || tools/tally run build-storm false
	@tools/tally sum

storms := lifetime walker reload
storm  := KOHAKU_KILLS=1000 KOHAKU_RELOADS=500 KOHAKU_NODES=1000
storm-parts: setup-vm setup-debug all module-$(KERNEL) selftests
	@export $(storm); for name in $(storms); do \
		tools/tally run storm-$(KERNEL)/$$name tools/vm/run --kernel $(KERNEL) \
			--timeout 3600 --add build/selftests/$$name -- build/selftests/$$name; \
		tools/tally run storm-debug/$$name tools/debug/run \
			--timeout 3600 --add build/selftests/$$name -- build/selftests/$$name; \
	done
	@tools/tally run storm-debug/interrupted tools/debug/run --timeout 3600 $(in-rain)

## modules      kohaku.ko for the running kernel, or for the headers at KDIR=
.PHONY: modules
modules:
	@+echo "$$(tools/setup/module $(KDIR))/kohaku.ko"

## module-V     kohaku.ko for Debian's kernel V (6.1), in build/modules/V
.PHONY: module-%
module-%: setup-vm
	@+tools/setup/module $* > /dev/null

## selftests    the kselftest programs, in build/selftests
.PHONY: selftests
selftests: setup-test setup-build
	@mkdir -p build/selftests
	@+dir=$$(tools/setup/kselftest) && $(MAKE) -C selftests \
		KSELFTEST_DIR=$$dir/tools/testing/selftests OUTPUT=$(CURDIR)/build/selftests

## fuzz-transfer  random programs on the transfer fabric; PROGRAMS=100000 SEED=1
PROGRAMS ?= 100000
SEED     ?= 1
.PHONY: fuzz-transfer
fuzz-transfer: build/fuzz-transfer
	KOHAKU_FUZZ_PROGRAMS=$(PROGRAMS) KOHAKU_FUZZ_SEED=$(SEED) $<

build/fuzz-transfer: build/obj/sim/transfer/random_test.o build/libkohaku.a | build/setup/test
	$(call quiet,LD)$(CC) -pthread $(LDFLAGS) -o $@ $^ -lcmocka

## fuzz         each fuzz target for FUZZ_SECONDS=60, or one of them: FUZZ=move
FUZZ         ?= $(fuzzers)
FUZZ_SECONDS ?= 60
.PHONY: fuzz
fuzz: $(FUZZ:%=build/fuzz/fuzz_%)
	@tools/tally start
	@$(foreach f,$(FUZZ),tools/tally run fuzz/$(f) tools/fuzz $(f) $(FUZZ_SECONDS) \
		build/fuzz/corpus/$(f);) tools/tally sum

## bench-dma    DMA to a card in a VM against memcpy(); KERNEL=6.1
#  TCG emulates the string instruction that memcpy() would use byte by byte.
.PHONY: bench-dma
bench-dma: setup-vm all module-$(KERNEL)
	@tools/vm/run --kernel $(KERNEL) --card --statistics --mem 768 --timeout 900 \
		--add build/kohaku-bench -- \
		env GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=0x40000000 \
		build/kohaku-bench dma

## lint         everything that reads the sources: sparse, checkpatch, cppcheck, ...
lint-needs := setup-lint setup-vm setup-test setup-build
.PHONY: lint lint-parts
lint: $(lint-needs)
	@tools/lint/run

lint-parts: $(lint-needs)
	@tools/tally run lint/run_test tools/lint/run_test.sh
	@tools/tally run lint/run tools/lint/run

## clean        remove build/; what other clones share in ~/.cache/kohaku stays
.PHONY: clean
clean:
	rm -rf build

.PHONY: help
help:
	@sed -n 's/^##  /        /p; s/^## /  make /p' $(MAKEFILE_LIST)

# Set-up says what it installs; when all is there it is a file that exists.
.PHONY: setup-%
setup-%: build/setup/% ;

build/setup/%: tools/setup/packages
	@tools/setup/packages $*
	@mkdir -p $(@D) && touch $@

# V=1 shows whole commands.
quiet = $(if $(V),,@printf '  %-8s%s\n' $(1) $(patsubst build/%,%,$@);)

# Release objects go into both libraries.
build/obj/%.o: %.c | build/setup/build
	@mkdir -p $(@D)
	$(call quiet,CC)$(CC) $(flags) $(CFLAGS) -fPIC -MMD -MP -c $< -o $@

build/libkohaku.a: $(library-objs:%=build/obj/%) | build/setup/build
	$(call quiet,AR)rm -f $@ && $(AR) rcs $@ $^

build/libkohaku.so: $(library-objs:%=build/obj/%) lib/libkohaku.map
	$(call quiet,LD)$(CC) -shared -pthread -Wl,-soname,libkohaku.so.$(SOVERSION) -Wl,-z,defs \
		-Wl,--version-script=lib/libkohaku.map $(LDFLAGS) -o $@ $(filter %.o,$^)

build/kohaku: $(call tool-obj,kohaku,obj) build/libkohaku.a
	$(call quiet,LD)$(CC) -pthread $(LDFLAGS) -o $@ $^ $(libs-kohaku)

build/kohaku-pcie-server: $(patsubst %,build/obj/%,$(card-objs) sim/pcie/server.o) build/libkohaku.a
	$(call quiet,LD)$(CC) -pthread $(LDFLAGS) -o $@ $^

build/kohaku-%: $$(call tool-obj,$$*,obj) build/libkohaku.a
	$(call quiet,LD)$(CC) -pthread $(LDFLAGS) -o $@ $^ $(libs-$*)

# The tests of the library's API as programs of their own, for a VM.
api-tests := $(patsubst lib/%_test.c,build/api-tests/%,$(wildcard lib/api_*_test.c))
$(api-tests:build/api-tests/%=build/obj/lib/%_test.o): | build/setup/test
build/api-tests/%: build/obj/lib/%_test.o build/libkohaku.a
	@mkdir -p $(@D)
	$(call quiet,LD)$(CC) -pthread $(LDFLAGS) -o $@ $^ -lcmocka

# Unit tests: all of sim, hw and lib at hand, everything in one of two flavours:
# under the sanitisers, or counting which lines run.
flavour-san  := $(san)
flavour-gcov := -O1 -g --coverage -fprofile-update=atomic

# A test in tools/NAME sees the sources of that tool, without its main().
tool-of = $(word 2,$(subst /, ,$(filter tools/%,$(1))))
tested-obj = $(filter-out %/main.o,$(call tool-obj,$(call tool-of,$(1)),$(2)))

define flavour
build/$(1)/%.o: %.c | build/setup/build build/setup/test
	@mkdir -p $$(@D)
	$$(call quiet,CC)$$(CC) $$(flags) $$(flavour-$(1)) -MMD -MP -c $$< -o $$@

build/$(1)/libkohaku.a: $(patsubst %,build/$(1)/%,$(library-objs) $(card-objs))
	$$(call quiet,AR)rm -f $$@ && $$(AR) rcs $$@ $$^

build/$(1)/%_test: build/$(1)/%_test.o $$$$(call tested-obj,$$$$*,$(1)) build/$(1)/libkohaku.a
	$$(call quiet,LD)$$(CC) $$(flavour-$(1)) -pthread $$(LDFLAGS) -o $$@ $$^ \
		$$(libs-$$(call tool-of,$$*)) -lcmocka
endef
$(foreach f,san gcov,$(eval $(call flavour,$(f))))

# Their allocations fail when the test says so.
comma := ,
%/nomem_test: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,malloc calloc reallocarray strdup mmap)

# Fuzz targets: what they test is instrumented, by the only compiler that can.
fuzz-san := -fsanitize=address,undefined
fuzz-objs := $(library-objs) $(card-objs) \
	$(patsubst %.c,%.o,$(filter-out %/main.c,$(call tool-src,kohaku)))
build/fuzz/obj/%.o: %.c | build/setup/build build/setup/test build/setup/fuzz
	@mkdir -p $(@D)
	$(call quiet,CLANG)clang $(flags) -O1 -g -fno-omit-frame-pointer $(fuzz-san) \
		-fno-sanitize-recover=all -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

build/fuzz/libkohaku.a: $(fuzz-objs:%=build/fuzz/obj/%)
	$(call quiet,AR)rm -f $@ && $(AR) rcs $@ $^

build/fuzz/fuzz_%: build/fuzz/obj/selftests/fuzz/fuzz_%.o build/fuzz/libkohaku.a
	$(call quiet,LD)clang -fsanitize=fuzzer $(fuzz-san) -pthread -o $@ $^ $(libs-kohaku) -lcmocka

user-runs := $(addprefix run-,$(unit-tests) $(shell-tests) $(golden) $(fuzzers:%=fuzz/%))
.PHONY: user-parts $(user-runs)
user-parts: $(user-runs)

$(unit-tests:%=run-%): run-%: %
	@tools/tally run unit/$(patsubst build/san/%,%,$<) \
		timeout 600 env CMOCKA_MESSAGE_OUTPUT=TAP $<

$(shell-tests:%=run-%): run-%: all
	@tools/tally run unit/$(*:.sh=) timeout 600 $*

$(golden:%=run-%): run-%: build/kohaku-replay
	@tools/tally run golden/$(notdir $*) timeout 600 $< $(notdir $*) $(wildcard $*/*.txt)

# For a few seconds: the corpus, and a little further.
$(fuzzers:%=run-fuzz/%): run-fuzz/%: build/fuzz/fuzz_%
	@tools/tally run fuzz/$* tools/fuzz $* 3

.PHONY: vm-parts
vm-parts: setup-vm all module-$(KERNEL) selftests $(api-tests)
	@tools/tally run vm-$(KERNEL)/run_test tools/vm/run_test.sh --kernel $(KERNEL)
	@tools/tally run vm-$(KERNEL)/selftests tools/vm/run --kernel $(KERNEL) --timeout 900 \
		$(in-vm)
	@tools/tally run vm-$(KERNEL)/interrupted tools/vm/run --kernel $(KERNEL) --timeout 900 \
		$(in-rain)

# In the debug kernel: the programs of check-vm, the KUnit tests, and what only a
# kernel with fault injection can run.
.PHONY: debug-parts
debug-parts: setup-debug all selftests $(api-tests)
	@tools/tally run debug/selftests tools/debug/run --timeout 1500 $(in-debug)

## check-debug-x86  the same with several processors and preemption, on a simulated
##                  node and on a card; takes half an hour and is in no other target
.PHONY: check-debug-x86
check-debug-x86:
	@tools/tally start
	@+$(MAKE) -k debug-x86-sim debug-x86-card || tools/tally run build-debug-x86 false
	@tools/tally sum

# That machine is some thirty times slower than this one.
.PHONY: debug-x86-sim debug-x86-card
debug-x86-card: with-card := --pci
debug-x86-sim debug-x86-card: setup-vm setup-debug all module-debug selftests $(api-tests)
	@tools/tally run $@/selftests env KOHAKU_PATIENCE=10 KOHAKU_STRESS_SECONDS=20 \
		KOHAKU_WALKER_CALLS=2000 KOHAKU_RELOADS=3 KOHAKU_FAIL_STRIDE=50 \
		tools/vm/run --kernel debug --mem 1024 --timeout 7200 $(with-card) \
		--add build/modules/debug/kohaku_kunit.ko $(in-debug)

## coverage     which lines run: of sim/, hw/, lib/ and the tool in unit tests and
##              golden records, of the driver in the kselftests
## coverage-user, coverage-driver  one of the two
.PHONY: coverage coverage-user coverage-driver
coverage: coverage-user coverage-driver

gcov-tests := $(unit-tests:build/san/%=build/gcov/%)
coverage-user: setup-coverage $(gcov-tests) build/gcov/kohaku-replay
	@tools/coverage $(gcov-tests) $(golden:selftests/%=%)

build/gcov/kohaku-replay: $(call tool-obj,replay,gcov) build/gcov/libkohaku.a
	$(call quiet,LD)$(CC) $(flavour-gcov) -pthread $(LDFLAGS) -o $@ $^

coverage-driver: setup-debug all selftests $(api-tests)
	@tools/debug/coverage --timeout 3000 $(in-debug)

# Kernels with a simulated node and, where a QEMU can plug it in, with a card.  G03
matrix := sim-6.1 sim-6.12 sim-7.3 card-6.12 card-7.3
in-guest = --add build/selftests --add build/api-tests --add build/kohaku-replay \
	--add selftests/golden --add selftests/data --add tools/vm/selftests
in-rain = --add build/selftests --add tools/vm/interrupted -- sh tools/vm/interrupted
in-vm = $(in-guest) -- sh tools/vm/selftests
in-debug = $(in-guest) --add tools/debug/selftests -- sh tools/debug/selftests
.PHONY: $(matrix)
$(filter sim-%,$(matrix)): sim-%: setup-vm all module-% selftests $(api-tests)
	@tools/tally run sim-$*/selftests tools/vm/run --kernel $* --timeout 900 $(in-vm)

$(filter card-%,$(matrix)): card-%: setup-vm all module-% selftests $(api-tests)
	@tools/tally run card-$*/selftests tools/vm/run --kernel $* --pci --timeout 1800 $(in-vm)
	@tools/tally run card-$*/card_test tools/vm/card_test.sh --kernel $*

## install      library, tools, manuals and, given its headers, the module;
##              honours DESTDIR and PREFIX
lib-dir := $(DESTDIR)$(PREFIX)/lib
.PHONY: install
install: all
	install -d $(lib-dir)/pkgconfig $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/include/linux
	install -m 644 build/libkohaku.a $(lib-dir)
	install build/libkohaku.so $(lib-dir)/libkohaku.so.$(VERSION)
	ln -sf libkohaku.so.$(VERSION) $(lib-dir)/libkohaku.so.$(SOVERSION)
	ln -sf libkohaku.so.$(SOVERSION) $(lib-dir)/libkohaku.so
	sed 's,@PREFIX@,$(PREFIX),; s,@VERSION@,$(VERSION),' lib/kohaku.pc.in \
		> $(lib-dir)/pkgconfig/kohaku.pc
	install -m 644 lib/kohaku.h lib/kohaku_relayout.h lib/kohaku_transfer.h \
		lib/kohaku_mxfp7.h $(DESTDIR)$(PREFIX)/include
	install -m 644 include/uapi/linux/kohaku.h $(DESTDIR)$(PREFIX)/include/linux
	install build/kohaku $(DESTDIR)$(PREFIX)/bin
	install -Dm 644 tools/kohaku/completion.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/kohaku
	for page in $(wildcard Documentation/man/*.[1-8]); do \
		install -Dm 644 -t $(DESTDIR)$(PREFIX)/share/man/man$${page##*.} $$page; \
	done
	@if [ -e $(KDIR) ]; then $(MAKE) modules_install; \
	else echo "no headers at $(KDIR): the module is not installed"; fi

.PHONY: modules_install
modules_install:
	+farm=$$(tools/setup/module $(KDIR)) && \
		$(MAKE) -C $(KDIR) M=$$farm $(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install

-include $(shell find build/obj build/san build/gcov build/fuzz/obj -name '*.d' 2> /dev/null)
