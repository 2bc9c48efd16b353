#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does each check find a mistake of its kind?  Works on a small tree of its own, in
# which all is well but for one file.  How the module is built, and
# Coccinelle, which takes long, are not tested here.

set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
number=0

new_tree()
{
	mkdir -p "$work/include/uapi/linux" "$work/lib" "$work/drivers/kohaku"
	cp -r "$here/tools" "$here/.clang-format" "$here/.clang-tidy" "$here/.checkpatch.conf" "$work/"
	find "$work/tools" -name '*.[ch]' -delete
	cp "$here/include/uapi/linux/kohaku.h" "$work/include/uapi/linux/"
	git -C "$work" init -q
}

# good_file FILE, for one that no check has anything to say of.
good_file()
{
	printf '// SPDX-License-Identifier: GPL-2.0\n\nint answer = 42;\n' > "$work/$1"
}

report()
{
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		sed 's/^/# /' "$work/out"
		echo "not ok $number - $2"
	fi
}

# finds CHECK FILE WORDS: with what comes on stdin added to the file, which is put
# back afterwards, the check fails and says the words; before that it passes, and
# so it does again afterwards.
finds()
{
	local check=$1 file=$2 words=$3 ok=1

	touch "$work/$file"
	cp "$work/$file" "$work.good"
	if "$work/tools/lint/run" "$check" > "$work/out" 2>&1; then
		cat >> "$work/$file"
		if ! "$work/tools/lint/run" "$check" > "$work/out" 2>&1 &&
				grep -q "^not ok 1 - $check" "$work/out" && grep -q "$words" "$work/out"; then
			mv "$work.good" "$work/$file"
			"$work/tools/lint/run" "$check" > "$work/out" 2>&1
			ok=$?
		fi
	fi
	rm -f "$work.good"
	report $ok "$check finds: $words"
}

new_tree
good_file lib/part.c
good_file drivers/kohaku/part.c
echo '/* SPDX-License-Identifier: GPL-2.0 */' > "$work/drivers/kohaku/trace.h"
echo 1..10

finds codespell lib/part.c '==> receive' <<< "/* rec""ieve */"
finds shellcheck tools/vm/run SC2154 <<< 'echo $nobody_sets_this'
finds format lib/part.c 'no blank' <<< 'int sum(int a){return a+1;}'
finds kernel_doc lib/part.c "'b' not described" << 'C'
/**
 * product() - multiply
 * @a: one factor
 *
 * Return: the product.
 */
int product(int a, int b);
C
finds header include/uapi/linux/kohaku.h 'uint33_t' <<< 'struct kohaku_extra { uint33_t word; };'
finds uapi include/uapi/linux/kohaku.h XXX <<< 'struct kohaku_holed { __u8 a; __u32 b; };'
finds checkpatch drivers/kohaku/part.c LONG_LINE <<< "/* $(printf '%0120d' 0) */"
finds compilers lib/part.c unused <<< 'static int nobody(void) { return 1; }'
finds cppcheck lib/part.c nullPointer << 'C'
int peek(void);
int peek(void)
{
	int *nowhere = 0;

	return *nowhere;
}
C
finds clang_tidy lib/part.c 'identical then and else' << 'C'
int choose(int first);
int choose(int first)
{
	if (first)
		return 1;
	else
		return 1;
}
C
