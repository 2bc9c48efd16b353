#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The card in a machine, healthy and not: what the driver says, that nothing hangs,
# and what works afterwards.  Arguments are passed on to tools/vm/run.

set -u
cd "$(dirname "$0")/../.." || exit
number=0

# expect NAME CASE [--iommu] [CARD-OPTION]...
expect()
{
	local name=$1 case=$2 options=() said

	shift 2
	for option; do
		case $option in
		--iommu)	options+=("$option") ;;
		*)		options+=(--card "$option") ;;
		esac
	done
	number=$((number + 1))
	if said=$(tools/vm/run --timeout 240 "${given[@]}" --pci "${options[@]}" --add tools/vm/card \
			-- sh tools/vm/card "$case" 2>&1); then
		echo "ok $number - $name"
	else
		echo "# ${said//$'\n'/$'\n'# }"
		echo "not ok $number - $name"
	fi
}

given=("$@")
echo 1..19
expect "memory and mover" works
expect "four meshes" works --meshes=4
# F10
expect "memory that answers errors until it is written" works --inject=ecc
# C05
expect "interrupts that are lost" works --inject=lost-interrupt
expect "interrupts that come early and often" works --inject=spurious-interrupt
expect "no interrupts" works --inject=no-msix
expect "an IOMMU that lets through what is mapped" works --iommu
expect "slow registers" works --inject=slow=200
expect "a control port that ignores strobes" refused --inject=pre-strobe
expect "an error of the memory" error --inject=engine-error=40
expect "an engine that hangs, and a reset" resets --inject=engine-hang=40
expect "an engine that hangs for good" wedges --inject=engine-hang=40 --inject=no-reset
expect "a move that hangs" recovers --inject=mover-hang=40
expect "a move that hangs for good" hangs --inject=mover-hang=40 --inject=no-reset
# F12
expect "a card that is pulled out" gone --inject=gone=8000
# QEMU 11.1 does not survive the removal of a vfio-user device with MSI-X.
expect "a card that is taken out under load" unplugged --inject=no-msix
# D04
expect "a driver that is unbound under load" bound
# D11
expect "a machine that is suspended under load" suspended
expect "errors on the bus under load" errors
