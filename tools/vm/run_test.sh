#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does tools/vm/run tell the truth about what happened in the machine?
# Needs no module.  Arguments are passed on, such as --kernel.

set -u
cd "$(dirname "$0")/../.." || exit
mkdir -p build
work=$(mktemp -d build/run_test.XXXXXX)
trap 'rm -rf "$work"' EXIT
number=0
vm=(tools/vm/run --unloaded "$@")

report()
{
	number=$((number + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $number - $1"
	else
		echo "# expected: $2"
		echo "# got:      $3"
		echo "not ok $number - $1"
	fi
}

# expect NAME STATUS OPTION... -- COMMAND
expect()
{
	local name=$1 want=$2

	shift 2
	"${vm[@]}" "$@" > "$work/out" 2> "$work/err"
	report "$name" "$want" "$?"
}

echo 1..8
echo "given" > "$work/in"
head -c 300000 /dev/urandom > "$work/random"
expect "the status of the command" 3 --add "$work/in" --add "$work/random" --get "$work/back" -- \
	sh -c 'cat "$1"/in; cp "$1"/random "$1"/back; exit 3' sh "$work"
report "its output and nothing else" "given" "$(cat "$work/out")"
report "a file taken in and out again" "" "$(cmp "$work/random" "$work/back" 2>&1)"
expect "a crashed kernel" 125 -- sh -c 'echo c > /proc/sysrq-trigger'
report "the crash is shown" yes "$(grep -q 'Kernel panic' "$work/err" && echo yes)"
expect "a bad line in the log" 125 -- \
	sh -c 'echo "<4>WARNING: CPU: 0 PID: 1 at x.c:1" > /dev/kmsg'
expect "time is up" 124 --timeout 5 -- sleep 100
expect "a command that is not there" 127 -- no-such-command
