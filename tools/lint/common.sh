# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Which files there are, and which of them a check has yet to read.

sources()
{
	local file

	git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done
}

# What the module is made of; hw/ and sim/ are compiled in user space as well.
module_files()
{
	sources 'drivers/kohaku/*.c' 'sim/*.c' | grep -v -e '_test\.c$' -e '^sim/pcie/'
}

user_files()
{
	sources 'sim/*.c' 'drivers/kohaku/hw/*.c' 'lib/*.c' 'tools/*.c' 'selftests/fuzz/*.c'
}

# One word for the contents of files, and for further words.
digest()
{
	(cat -- "$@"; echo "$*") | sha256sum | cut -c 1-64
}

# The same for all headers of the tree.
headers()
{
	sources '*.h' | xargs cat | sha256sum | cut -c 1-64
}

# each CHECK BATCH SALT COMMAND: reads names of files; runs the command, in which "$@"
# stands for them, on those that have not passed it with this content, BATCH at a
# time, on all processors.  SALT is one word for whatever else the outcome hangs on.
# What has passed is noted at once, so that a run that is stopped was not for nothing.
each()
{
	local passed=build/lint/$1.passed batch=$2 command=$4 salt

	salt=$(echo "$3 $command" | sha256sum | cut -c 1-16)
	touch "$passed"
	xargs -r sha256sum | sed "s/^/$salt /" | sort | comm -23 - <(sort "$passed") |
		cut -d ' ' -f 4- | passed=$passed command=$command salt=$salt \
		nice -n 5 xargs -r -P "$(nproc)" -n "$batch" sh -c '
			said=$(eval "$command" 2>&1)
			status=$?
			[ -z "$said" ] || printf "%s\n" "$said"
			[ $status != 0 ] || sha256sum "$@" | sed "s/^/$salt /" >> "$passed"
			exit $status' sh
}
