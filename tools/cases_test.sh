#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does every case in the table of selftests/README.rst name tests that exist, and
# does each of them say which case it is for, in its body or the comment above it?

set -u
cd "$(dirname "$0")/.." || exit 1
table=selftests/README.rst
cases=(A{01..11} B{01..11} C{01..13} D{01..14} E{01..10} F{01..12} G{01..08})

# Where the tests called program.* stand.
source_of()
{
	case $1 in
	hw/*)	echo "drivers/kohaku/$1_test.c" ;;
	*/*)	echo "$1_test.c" ;;
	*)	echo "selftests/$1.c" ;;
	esac
}

# Prints the comment above a test, and the test.
text_of()
{
	awk -v test="$2" '
		/^\/\*/ { comment = "" }
		{ comment = comment $0 "\n" }
		$0 ~ "^TEST[A-Z_]*\\(([a-z0-9_]+, )?" test "[,)]" ||
		$0 ~ "^static void " test "\\(" { printf "%s", comment; found = 1; next }
		found
		/^}/ { if (found) exit; comment = "" }
		/^$/ && !found { comment = "" }' "$1"
}

# Says what is wrong with one entry of a row.
check()
{
	local id=$1 entry=$2 file text

	case $entry in
	*/*.sh | *Makefile | *.h)
		grep -qsw "$id" "$entry" || echo "$entry does not say $id"
		return ;;
	esac
	file=$(source_of "${entry%.*}")
	[ -f "$file" ] || { echo "there is no $file"; return; }
	text=$(text_of "$file" "${entry##*.}")
	if [ -z "$text" ]; then
		echo "$file has no test ${entry##*.}"
	elif ! grep -qw "$id" <<< "$text"; then
		echo "${entry##*.} in $file does not say $id"
	fi
}

number=0
echo "1..${#cases[@]}"
for id in "${cases[@]}"; do
	number=$((number + 1))
	entries=$(sed -n "s/^$id   .\{53\} //p" "$table")
	wrong=
	if [ -z "$entries" ]; then
		wrong="no row in $table"
	elif [[ $entries != none:* ]]; then
		while read -r entry; do
			wrong+=$(check "$id" "$entry")
		done <<< "${entries//, /$'\n'}"
	fi
	[ -z "$wrong" ] || printf '# %s\nnot ' "$wrong"
	echo "ok $number - $id"
done
