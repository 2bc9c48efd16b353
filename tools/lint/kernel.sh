# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What the kernel's own checkers say.  They come from Debian's kernel source.

# The module at W=1 and with make's further arguments.  The tree stays, so that only
# what has changed is compiled and read again; after a finding it goes, so that the
# next run finds it again.
module()
{
	local version=$1 farm=build/lint/$1 log=build/lint/$1.log

	shift
	if [ ! -e "$cache/kernel-$version/image" ] && [ "$version" != 6.1 ]; then
		skip="no such kernel at hand: make module-$version"
		return 0
	fi
	if ! nice -n 5 tools/setup/module --into "$farm" "$version" W=1 "$@" > "$log" 2>&1; then
		tail -n 30 "$log"
	elif ! grep -E 'warning:|error:|WARNING:' "$log"; then
		return 0
	fi
	rm -rf "$farm"
	return 1
}

check_module_6.1()
{
	module 6.1 C=1
}

check_module_6.12()
{
	module 6.12 C=1
}

# Without sparse: Debian's does not know a keyword in the headers of this kernel.
check_module_7.3()
{
	module 7.3
}

# The lines that are no comments, between commas.
ignored()
{
	sed 's/#.*//; /^[ \t]*$/d' | tr -d ' \t' | paste -sd ,
}

# Besides what .checkpatch.conf leaves out everywhere.
kernel_ignores=$(ignored << 'TXT'
	STATIC_CONST_CHAR_ARRAY		# an environment is char *[] for kobject_uevent_env()
TXT
)

# A tracepoint has a parenthesis on a line of its own, as in the kernel.
trace_ignores=PARENTHESIS_ALIGNMENT

# In the contract a #define follows the struct that it is about.
uapi_ignores=LINE_SPACING

# Portable code has neither the kernel's macros nor its type names.
user_ignores=$(ignored << 'TXT'
	ARRAY_SIZE			# the macro is the kernel's
	ASSIGN_IN_IF			# reason = first() || reason = second()
	AVOID_EXTERNS			# what it sees are declarations of structs
	CAMELCASE			# names of libraries, SI units
	COMPLEX_MACRO			# rows of tables
	EMBEDDED_FUNCTION_NAME		# usage() begins with "usage:"
	MACRO_ARG_PRECEDENCE		# offsetof() takes no parentheses
	MACRO_WITH_FLOW_CONTROL		# SKIP() of the harness takes a return
	MINMAX				# the macros are the kernel's
	NAKED_SSCANF			# of digits that are known to be such
	NEW_TYPEDEFS			# vectors of the compiler have no other name
	PREFER_DEFINED_ATTRIBUTE_MACRO	# the macros are the kernel's
	PREFER_KERNEL_TYPES		# the types are the kernel's
	QUOTED_WHITESPACE_BEFORE_NEWLINE # what strtok() parts at
	SPACING				# left to clang-format, which knows more of types
	SPLIT_STRING			# texts of many lines
	STATIC_CONST_CHAR_ARRAY		# also of arrays that are not constant
	TRAILING_STATEMENTS		# tables of "case 1: return this();"
	USE_NEGATIVE_ERRNO		# the selftests' helpers return errno as it is
	VOLATILE			# memory that a device changes
TXT
)

# The harness's FIXTURE_DATA() is not known as a type, and ENOSYS is what tests see of
# a kernel that was built without a call.
selftest_ignores=$user_ignores,LINE_SPACING,ENOSYS

checkpatch()
{
	local script

	script=$(tools/setup/kselftest)/scripts/checkpatch.pl
	each checkpatch 10 "$(digest .checkpatch.conf "$script")" \
		"perl $script --quiet --ignore $1 -f"' "$@"'
}

check_checkpatch()
{
	local status=0

	sources 'drivers/kohaku/*.[ch]' | grep -v -e /hw/ -e 'trace\.h' |
		checkpatch "$kernel_ignores" || status=1
	echo drivers/kohaku/trace.h | checkpatch "$trace_ignores" || status=1
	sources 'include/*.h' | checkpatch "$uapi_ignores" || status=1
	sources 'sim/*.[ch]' 'drivers/kohaku/hw/*.[ch]' 'lib/*.[ch]' 'tools/*.[ch]' |
		checkpatch "$user_ignores" || status=1
	sources 'selftests/*.[ch]' | checkpatch "$selftest_ignores" || status=1
	return $status
}

# Every public function says what it returns, too: that it tells only when it is
# told to be verbose.
check_kernel_doc()
{
	local scripts

	scripts=$(tools/setup/kselftest)/scripts
	! sources '*.[ch]' | xargs perl "$scripts/kernel-doc" -v -none 2>&1 | grep -v ': info: '
}

# Coccinelle's scripts of the kernel, on what the kernel compiles.
check_coccinelle()
{
	local scripts

	scripts=$(tools/setup/kselftest)/scripts/coccinelle
	{ module_files; sources 'drivers/kohaku/*.h' 'sim/*.h'; } |
		each coccinelle 80 "$(digest tools/lint/coccinelle)" "tools/lint/coccinelle $scripts"' "$@"'
}
