# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What can be said of the sources as text.

check_codespell()
{
	sources | grep -vE '^selftests/(golden|data|fuzz/corpus)/' |
		xargs codespell --ignore-words-list=filp,inout,iput
}

check_shellcheck()
{
	sources | xargs grep -lE '^#!/bin/(ba)?sh' |
		each shellcheck 4 "$(sources '*.sh' | xargs cat | sha256sum)" 'shellcheck -x -S warning "$@"'
}

check_format()
{
	sources '*.[ch]' | each format 20 "$(digest .clang-format tools/lint/spacing)" \
		'tools/lint/spacing "$@"'
}
