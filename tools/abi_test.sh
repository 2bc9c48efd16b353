#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Are the tables in selftests/abi complete, and does the header keep to them?  No
# struct has padding (B03), and machines of 32 bits see the same ones (B05).

set -u
cd "$(dirname "$0")/.." || exit 1
header=include/uapi/linux/kohaku.h
abi=selftests/abi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0

# check NAME COMMAND...: passes when the command is silent and succeeds.
check()
{
	local name=$1 status=0

	shift
	number=$((number + 1))
	"$@" > "$work/said" 2>&1 || status=1
	[ ! -s "$work/said" ] || status=1
	sed 's/^/# /' "$work/said"
	[ $status = 0 ] || printf 'not '
	echo "ok $number - $name"
}

facts()
{
	grep -hv '^/\*' "$@"
}

# Frozen facts, later ones in place of earlier ones, against those of a header.
compare()
{
	tools/abi "$1" > "$work/now" || return 1
	shift
	facts "$@" | awk -F '[(,)]' '
		function key() { return $1 " " $2 ($1 == "FIELD" ? "." $3 : "") }
		FILENAME == "-" {
			if (key() in frozen && $1 != "SIZE")
				print $0 ": stands twice, or changed"
			if (key() in frozen && $3 + 0 <= frozen_size[key()])
				print $0 ": a struct only grows"
			frozen[key()] = $0
			frozen_size[key()] = $3 + 0
			next
		}
		!(key() in frozen) { print $0 ": in the header, but in no table" }
		key() in frozen && frozen[key()] != $0 { print $0 ": was " frozen[key()] }
		{ now[key()] }
		END {
			for (fact in frozen)
				if (!(fact in now))
					print frozen[fact] ": gone from the header"
		}' - "$work/now"
}

# Says what the comparison makes of a header that sed has changed.
mutant()
{
	sed "$1" $header > "$work/mutant.h"
	cmp -s $header "$work/mutant.h" && echo "$1 changes nothing"
	compare "$work/mutant.h" $abi/v1/layout $abi/added > "$work/found" 2>&1
	grep -q "$2" "$work/found" || { echo "not found: $2"; cat "$work/found"; }
}

# As abi_layout has it, for a machine of another word size.
build_32()
{
	{
		echo "#include <stddef.h>"
		echo "#include <linux/kohaku.h>"
		echo "#define SIZE(t, n) _Static_assert(sizeof(struct t) >= n, #t);"
		echo "#define FIELD(t, m, o, n) _Static_assert(offsetof(struct t, m) == o, #t);"
		echo "#define VALUE(name, n) _Static_assert((long long)(name) == n, #name);"
		facts $abi/v1/layout $abi/added
	} > "$work/build_32.c"
	cc -m32 -Iinclude/uapi -fsyntax-only "$work/build_32.c"
}

echo 1..8
check "the header keeps to the tables, and they have all of it" \
	compare $header $abi/v1/layout $abi/added
check "the frozen header is what the frozen table says" \
	compare $abi/v1/linux/kohaku.h $abi/v1/layout
check "a new member is found" \
	mutant '/out_max_timeout_ns;/a __aligned_u64 out_new;' 'out_new.*in no table'
check "a new value is found" mutant '/KOHAKU_CAP_MMAP/a #define KOHAKU_CAP_NEW 1' 'CAP_NEW.*in no table'
check "a changed value is found" mutant 's/KOHAKU_TIER_STAGING = 2/KOHAKU_TIER_STAGING = 3/' 'STAGING, 3.*was'
check "a member that moved is found" \
	mutant '/__aligned_u64 cookie;/i __aligned_u64 new;' 'cookie, 24, 8.*was'
check "a member that is gone is found" mutant '/__u32 fault_index;/d' 'do not cover'
if echo 'int main(void) { return 0; }' | cc -m32 -xc - -o /dev/null 2> /dev/null; then
	check "32-bit programs see the same" build_32
else
	echo "ok 8 - 32-bit programs see the same # SKIP no 32-bit compiler"
fi
