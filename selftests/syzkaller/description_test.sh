#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Is dev_kohaku.txt, with its .const, true to <linux/kohaku.h>?  Needs a compiler,
# no syzkaller: descriptions become C structs of the same fields, and both are
# compared.  "description_test.sh --const" writes the .const anew.

set -uo pipefail
cd "$(dirname "$0")" || exit
text=dev_kohaku.txt
top=../..
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compile()
{
	gcc -std=gnu11 -D_GNU_SOURCE -I"$top/include/uapi" "$@"
}

includes()
{
	printf '#include <%s>\n' stddef.h fcntl.h sys/mman.h sys/syscall.h linux/kohaku.h
	sed -n 's/^define[[:space:]]\+\([A-Z_]*\)[[:space:]]\+/#define \1 /p' "$text"
}

# Names of constants that the description uses, and the calls.
used()
{
	{
		grep -v '^#\|^include' "$text" | grep -oE '\b(KOHAKU|O|MAP|AT)_[A-Z0-9_]+\b'
		grep -oE '^[a-z_]+\$' "$text" | grep -v '^syz_' | sed 's/^/__NR_/; s/\$$//'
	} | sort -u
}

write_const()
{
	{
		includes
		echo '#include <stdio.h>'
		echo 'int main(void) {'
		used | sed 's/.*/printf("%s = %lld\\n", "&", (long long)(&));/'
		echo 'return 0; }'
	} > "$work/const.c"
	compile -o "$work/const" "$work/const.c" || exit
	{
		echo '# SPDX-License-Identifier: GPL-2.0'
		echo 'arches = amd64'
		"$work/const" | LC_ALL=C sort
	} > "$text.const"
}

# The structs as C, each followed by what must hold of it.
layouts()
{
	awk '
	function c_type(type,  base) {
		if (match(type, /^int(8|16|32|64)/))
			return "__u" substr(type, 4, RLENGTH - 3)
		if (match(type, /^(const|flags|len|bytesize)\[.*, int(8|16|32|64)\]$/)) {
			base = type
			sub(/^.*, int/, "", base)
			sub(/\]$/, "", base)
			return "__u" base
		}
		if (type ~ /^ptr64\[/)
			return "__u64"
		if (type in resource)
			return c_type(resource[type])
		if (type == "fd" || type == "fd_event")
			return "__s32"
		return "struct syz_" type
	}
	function end_struct(  i, real) {
		real = name ~ /^kohaku_op_/ ? "kohaku_op" : name
		print "};"
		for (i = 0; i < fields; i++) {
			if (kind != "{")
				continue
			printf "_Static_assert(offsetof(struct syz_%s, %s) == offsetof(struct %s, %s)", name, field[i], real, field[i]
			printf ", \"offset of %s.%s\");\n", name, field[i]
			printf "_Static_assert(sizeof(((struct syz_%s *)0)->%s) == sizeof(((struct %s *)0)->%s)", name, field[i], real, field[i]
			printf ", \"size of %s.%s\");\n", name, field[i]
		}
		if (real == name)
			printf "_Static_assert(sizeof(struct syz_%s) == sizeof(struct %s), \"size of %s\");\n", name, name, name
		name = ""
	}
	/^resource / {
		base = $2
		sub(/\].*/, "", base)
		split(base, part, "[")
		resource[part[1]] = part[2]
	}
	/^[a-z_]+ [[{]$/ {
		name = $1
		kind = $2
		fields = 0
		printf kind == "[" ? "struct syz_%s { union {\n" : "struct syz_%s {\n", name
		next
	}
	/^\]$/ { print "};"; end_struct(); next }
	/^}$/ { end_struct(); next }
	name != "" {
		field[fields++] = $1
		type = $0
		sub(/^[[:space:]]*[a-z_0-9]+[[:space:]]+/, "", type)
		sub(/[[:space:]]*\((in|out|inout)\)$/, "", type)
		count = ""
		if (type ~ /^array\[.*, [A-Z0-9_]+\]$/) {
			count = type
			sub(/^.*, /, "[", count)
			sub(/^array\[/, "", type)
			sub(/, [A-Z0-9_]+\]$/, "", type)
		}
		printf "\t%s %s%s;\n", c_type(type), $1, count
	}
	' "$text"
}

# check NUMBER NAME: stdin is what is wrong; nothing is good.
check()
{
	if grep . > "$work/wrong"; then
		sed 's/^/# /' "$work/wrong"
		echo "not ok $1 - $2"
	else
		echo "ok $1 - $2"
	fi
}

if [ "${1-}" = --const ]; then
	write_const
	exit
fi

echo 1..4
diff <(used) <(sed -n 's/ = .*//p' "$text.const" | grep -v '^arches' | sort -u) |
	check 1 "the .const lists what the description uses"
{
	includes
	sed -n '/^arches/d; s/^\([A-Z_a-z0-9]*\) = \(.*\)$/_Static_assert((long long)(\1) == \2, "\1");/p' "$text.const"
} > "$work/values.c"
compile -fsyntax-only "$work/values.c" 2>&1 | grep 'error:' | check 2 "constants have the values of the header"
{ includes; layouts; } > "$work/layouts.c"
{
	compile -fsyntax-only "$work/layouts.c" 2>&1 | grep 'error:'
	# As many as there are in the header: nothing was left out on the way.
	diff <(grep -o '^struct kohaku_[a-z_]* {' "$top/include/uapi/linux/kohaku.h" | sort) \
		<(grep -o '"size of kohaku_[a-z_]*"' "$work/layouts.c" |
			sed 's/"size of /struct /; s/"$/ {/' | sort)
} | check 3 "structs have the layout of the header"
comm -3 <(sed -n 's/^\tKOHAKU_NR_\([A-Z_]*\).*/\1/p' "$top/include/uapi/linux/kohaku.h" | sort) \
	<(sed -n 's/^ioctl\$KOHAKU_\([A-Z_]*\)(.*const\[KOHAKU_\1\], arg ptr\[[a-z]*, kohaku_.*/\1/p' "$text" | sort) |
	check 4 "every command is described"
