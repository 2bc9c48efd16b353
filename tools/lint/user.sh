# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What compilers and analysers say of code in user space.

includes=(-I. -Ilib -Idrivers/kohaku -Iinclude/uapi)
flags=(-std=gnu11 -O2 -Wall -Wextra -Wmissing-prototypes -Wstrict-prototypes -Werror
	"${includes[@]}" -D_GNU_SOURCE '-DKOHAKU_VERSION=\"lint\"')

# Everything that user space compiles, with both compilers.
check_compilers()
{
	local compiler status=0

	for compiler in gcc clang; do
		user_files | each "$compiler" 1 "$(headers)" \
			"$compiler ${flags[*]} -c -o /dev/null"' "$@"' || status=1
	done
	return $status
}

# Public headers stand alone, in strict C and in C++.
check_header()
{
	local header

	for header in include/uapi/linux/kohaku.h $(sources 'lib/kohaku*.h'); do
		echo "#include \"$header\"" | gcc -std=c11 -pedantic -Wall -Wextra -Werror \
			-Iinclude/uapi -Ilib -I. -fsyntax-only -xc - || return 1
		echo "#include \"$header\"" | g++ -std=c++11 -Wall -Wextra -Werror \
			-Iinclude/uapi -Ilib -I. -fsyntax-only -xc++ - || return 1
	done
}

# No struct of the contract has a hole or padding, and all are laid out alike for
# programs of 32 and of 64 bits.
check_uapi()
{
	local bits

	for bits in 32 64; do
		echo '#include <linux/kohaku.h>' | gcc -m$bits -g -Iinclude/uapi \
			-fno-eliminate-unused-debug-types -xc -c -o build/lint/uapi-$bits.o - || return 1
		pahole --sizes build/lint/uapi-$bits.o | grep '^kohaku_' | sort > build/lint/uapi-$bits.sizes
		pahole build/lint/uapi-$bits.o > build/lint/uapi-$bits.structs
		[ -s build/lint/uapi-$bits.sizes ] || { echo "pahole sees no struct"; return 1; }
		! grep -B 20 -E 'XXX|padding: |holes: ' build/lint/uapi-$bits.structs || return 1
	done
	diff build/lint/uapi-32.structs build/lint/uapi-64.structs
}

# cppcheck keeps what it knows in a folder of its own, by the preprocessed source.
# It does not see that a test's fail() ends it, so it does not read tests.  Left out,
# as wrong wherever they were reported here:
#   ctuuninitvar, uninitvar: take the address of what is to be filled for a use
#   internalAstError: macros of headers that it was not given
#   invalidPrintfArgType_uint: a positive constant for %u
#   leakReturnValNotUsed: takes a function that calls malloc() for one that returns it
#   overlappingWriteUnion: a compound literal is whole before it is assigned
check_cppcheck()
{
	mkdir -p build/lint/cppcheck
	user_files | grep -vE '_test\.c$|^selftests/' | nice -n 5 cppcheck --quiet --error-exitcode=1 \
		--inline-suppr --std=c11 -j "$(nproc)" --cppcheck-build-dir=build/lint/cppcheck \
		--enable=warning,performance,portability --suppress=missingIncludeSystem \
		--suppress={ctuuninitvar,uninitvar,internalAstError,invalidPrintfArgType_uint} \
		--suppress={leakReturnValNotUsed,overlappingWriteUnion} \
		--template=gcc -I. -Idrivers/kohaku -Iinclude/uapi --file-list=-
}

# What is checked stands in .clang-tidy.  It takes seconds a file, so it reads what is
# of user space alone, and not the tests.
check_clang_tidy()
{
	sources 'lib/*.c' 'tools/*.c' 'sim/pcie/*.c' | grep -v '_test\.c$' |
		each clang_tidy 4 "$(digest .clang-tidy)-$(headers)" \
			'clang-tidy --quiet "$@" -- '"${flags[*]} 2> /dev/null"
}
