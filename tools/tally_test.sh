#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does tools/tally count what programs really print?  Works in a folder of its own.

set -u
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tools" && cp "$here/tally" "$work/tools/"
number=0

# expect NAME "SUM LINE" SCRIPT: runs the script as one part.
expect()
{
	local got

	number=$((number + 1))
	"$work/tools/tally" start
	"$work/tools/tally" run part bash -c "$3" > /dev/null 2>&1
	got=$("$work/tools/tally" sum)
	got+=" $?"
	if [ "$got" = "$2" ]; then
		echo "ok $number - $1"
	else
		echo "# expected: $2"
		echo "# got:      $got"
		echo "not ok $number - $1"
	fi
}

# shown NAME TEXT SCRIPT: what is said of a part that failed has this text in it.
shown()
{
	number=$((number + 1))
	if "$work/tools/tally" run part bash -c "$3" 2>&1 | grep -q "$2"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
	fi
}

echo 1..14
expect "TAP with a skip" "1 passed, 0 failed, 1 skipped 0" \
	'echo 1..2; echo ok 1 - a; echo "ok 2 # SKIP no card"'
expect "a skip that says not ok" "1 passed, 0 failed, 1 skipped 0" \
	'echo 1..2; echo ok 1 - a; echo "not ok 2 # SKIP a"'
expect "a failed test" "1 passed, 1 failed, 0 skipped 1" \
	'echo 1..2; echo ok 1 - a; echo not ok 2 - b; exit 1'
expect "two plans in one program" "3 passed, 0 failed, 0 skipped 0" \
	'echo 1..2; echo ok 1 - a; echo ok 2 - b; echo 1..1; echo ok 1 - c'
expect "a plan at the end" "2 passed, 0 failed, 0 skipped 0" \
	'echo TAP version 13; echo ok 1 - a; echo ok 2 - b; echo 1..2'
expect "a program that dies before its plan is done" "1 passed, 2 failed, 0 skipped 1" \
	'echo 1..3; echo ok 1 - a; kill -SEGV $$'
expect "a plan cut short with status 0" "1 passed, 1 failed, 0 skipped 1" \
	'echo 1..2; echo ok 1 - a'
expect "a bad status with all tests good" "1 passed, 1 failed, 0 skipped 1" \
	'echo 1..1; echo ok 1 - a; exit 3'
expect "a program without a test" "0 passed, 1 failed, 0 skipped 1" \
	'echo hello'
expect "a closing line of counts" "12 passed, 0 failed, 3 skipped 0" \
	'echo case x; echo 12 passed, 0 failed, 3 skipped'
expect "nothing but skips" "0 passed, 0 failed, 2 skipped 1" \
	'echo 0 passed, 0 failed, 2 skipped'
shown "the kernel's first words, beside a failed test" "BUG: first words" \
	'echo not ok 1 - a; seq 10; echo "went down; the kernel said:"; echo BUG: first words
	seq 60; exit 125'
shown "the failed test, beside the kernel's words" "not ok 1 - a" \
	'echo not ok 1 - a; echo x; echo "went down; the kernel said:"; echo BUG; exit 125'
shown "how it ended, if nothing else is known" "last words" \
	'echo 1..2; echo ok 1 - a; echo last words; exit 1'
