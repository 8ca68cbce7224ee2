#!/usr/bin/env bash
# Builds a Debian package of what is committed, and has lintian look at it.
#
#   tools/deb.sh                      build-deb/minterm_VERSION_ARCHITECTURE.deb
#   tools/deb.sh -Dcuda=enabled       more options for meson: here, with the CUDA module
#
# To install it: sudo apt install ./build-deb/minterm_*.deb
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$top/tools/dependencies.sh"

need build deb
out=$top/build-deb
rm -rf "$out"
mkdir -p "$out/source"
cd "$out/source"
git -C "$top" archive HEAD | tar -x
[ -z "$(git -C "$top" status --porcelain)" ] || say "Uncommitted changes are not in the package."
cp -r tools/debian debian

# A version before the next release's, unless this commit is the release.
version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" meson.build)
moment=$(git -C "$top" log -1 --format=%ct)
if ! git -C "$top" describe --exact-match --tags --match "v$version" HEAD >/dev/null 2>&1; then
  version+="~git$(date -u -d "@$moment" +%Y%m%d).$(git -C "$top" rev-parse --short=7 HEAD)"
fi
cat > debian/changelog <<END
minterm ($version-1) bookworm; urgency=medium

  * See /usr/share/doc/minterm/NEWS.gz.

 -- The Minterm developers <minterm@users.noreply.github.com>  $(date -uR -d "@$moment")
END
echo NEWS > debian/docs

# One list for all: dependencies.txt. Compilers come with build-essential.
packages=$(awk '$2 == "build" && $1 !~ /^(gcc|g\+\+|libc6-dev)$/ { print $1 }' dependencies.txt | sort)
sed "s/@build_depends@/debhelper-compat (= 13), $(paste -sd, <<< "$packages" | sed 's/,/, /g')/" debian/control.in > debian/control
rm debian/control.in

say "Building the package $version."
export DEB_BUILD_OPTIONS="noautodbgsym terse parallel=$(nproc) ${DEB_BUILD_OPTIONS:-}" MINTERM_MESON_OPTIONS="$*"
export NINJA_STATUS='@%f/%t@'
if ! dpkg-buildpackage --build=binary --no-sign 2>&1 | build_progress "$out/build.log"; then
  tail -n 25 "$out/build.log" >&2
  say "The build failed. All that it said is in $out/build.log."
  exit 1
fi
cd "$out"
say "Checking it with lintian."
lintian --fail-on error --allow-root --no-cfg minterm_*.changes
rm -rf source
say "Done. To install it:" "  sudo apt install ./build-deb/$(ls minterm_*.deb)"
