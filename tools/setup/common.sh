# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the set-up scripts and the VM runner.

set -euo pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/kohaku

say()
{
	echo "kohaku: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

as_root()
{
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo > /dev/null; then
		sudo "$@"
	else
		die "needs root: $*"
	fi
}

# Only one set-up at a time fills the cache; clones share it.  One that takes long
# has a lock of its own.
lock_cache()
{
	mkdir -p "$cache"
	exec 9> "$cache/${1-lock}"
	flock 9
}

# An empty folder on the cache's file system, removed when the script ends.
# Finished artefacts are renamed out of it, so nobody sees half of one.
make_scratch()
{
	scratch=$(mktemp -d "$cache/tmp.XXXXXX")
	chmod 755 "$scratch"
	trap 'rm -rf "$scratch"' EXIT
}

# Puts a finished folder in its place and points the short name at it.
publish()
{
	local from=$1 name=$2 alias=$3

	rm -rf "${cache:?}/$name"
	mv "$from" "$cache/$name"
	ln -sfn "$name" "$cache/$alias"
}

# Whose packages are looked up: this machine's, or those of the Debian in a folder.
apt_of=()

use_packages_of()
{
	apt_of=(-o "Dir=$1" -o "Dir::State::status=$1/var/lib/dpkg/status")
}

# The version that would be installed of a package, if any.
candidate()
{
	apt-cache "${apt_of[@]}" policy "$1" 2> /dev/null |
		awk '$1 == "Candidate:" && $2 != "(none)" { print $2 }'
}

# The package lists are empty on a machine that was never updated.
refresh_lists()
{
	[ -n "$(candidate "$1")" ] || as_root apt-get -qq update >&2
	[ -n "$(candidate "$1")" ] || die "no package named $1 here: is this Debian 12?"
}

# The first dependency of a package whose name matches a pattern.
depends_on()
{
	apt-cache "${apt_of[@]}" depends "$1" |
		awk -v want="$2" '$1 == "Depends:" && $2 ~ want { print $2; exit }'
}

# Downloads packages, without installing them, into a folder.
fetch_debs()
{
	local folder=$1 sandbox=()

	shift
	mkdir -p "$folder"
	[ "$(id -u)" != 0 ] || sandbox=(-o APT::Sandbox::User=root)
	say "downloading $*"
	(cd "$folder" && apt-get -qq "${apt_of[@]}" "${sandbox[@]}" download "$@") >&2
}
