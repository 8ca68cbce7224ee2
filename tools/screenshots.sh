#!/usr/bin/env bash
# tools/screenshots.sh [GROUP]: takes pictures of every page and state of the window, without a screen:
# light, dark, narrow and with high contrast. They go to BUILD/screenshots, for looking at. Those that
# README, docs or metainfo show are then made small (pngquant and optipng, Debian packages of these
# names) and put into docs/images; no other picture belongs there (tests/check-docs.py).
#
# A group is pages, sizes, recovery, train, frontier, rules, report, states, errors or loading; or, taken only when
# asked for: forms (the form of every edit), mirrored (right-to-left), and tables (drawings as tables).
# "publish" takes none and only does the last step. BUILD=DIR names another build folder than build-check.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-$top/build-check}
out=$build/screenshots
group=${1:-}

# Pictures that some page shows, by name.
shown() {
  grep -rhoE '[a-z0-9-]+\.png' "$top/README.md" "$top"/docs --include='*.md' "$top"/data/*.metainfo.xml.in.in | sort -u
}

# Small copies of these in docs/images: 256 colors where that is as good as not to be seen, then the best packing.
publish() {
  local name
  for tool in pngquant optipng; do
    command -v $tool >/dev/null || { echo "tools/screenshots.sh: install $tool: apt-get install $tool" >&2; exit 1; }
  done
  for name in $(shown); do
    [ -f "$out/$name" ] || continue
    pngquant --quality=80-98 --speed 1 --strip --skip-if-larger --force -o "$top/docs/images/$name" "$out/$name" ||
      cp "$out/$name" "$top/docs/images/$name"
    optipng -quiet -o5 -strip all "$top/docs/images/$name"
  done
  echo "$(ls "$top/docs/images" | wc -l) pictures in docs/images, $(du -ch "$top"/docs/images/*.png | tail -n 1 | cut -f 1)" >&2
}

if [ "$group" = publish ]; then
  publish
  exit
fi
ninja -C "$build" --quiet tests/app/app-screenshots{,-report,-rules,-states} >&2
mkdir -p "$out"
export GSK_RENDERER=cairo GDK_BACKEND=x11 GDK_DEBUG=gl-disable GTK_A11Y=none
export GSETTINGS_BACKEND=memory GSETTINGS_SCHEMA_DIR="$build/data" MINTERM_SAMPLES="$build/data/samples"
export MINTERM_PATIENCE=${MINTERM_PATIENCE:-600}   # a busy machine takes longer, and gives the same pictures
failed=0
on_screen() {
  xvfb-run -a -s "-screen 0 2560x1600x24 -noreset" "$@" ||
    { echo "tools/screenshots.sh: not all pictures: ${*##*/}" >&2; failed=1; }   # the others are taken all the same
}

case $group in
rules | report | forms | states) ;;
*) on_screen "$build/tests/app/app-screenshots" "$out" ${group:+"$group"} ;;
esac
if [ -z "$group" ] || [ "$group" = frontier ]; then
  ADW_DEBUG_HIGH_CONTRAST=1 on_screen "$build/tests/app/app-screenshots" "$out" contrast
fi
if [ -z "$group" ] || [ "$group" = rules ]; then
  on_screen "$build/tests/app/app-screenshots-rules" "$out" rules "$build/data/samples/loan-approval.csv" approved
  on_screen "$build/tests/app/app-screenshots-rules" "$out" rules "$build/data/samples/loan-approval.csv" approved edit
fi
if [ "$group" = forms ]; then
  on_screen "$build/tests/app/app-screenshots-rules" "$out" rules "$build/data/samples/loan-approval.csv" approved forms
fi
if [ -z "$group" ] || [ "$group" = report ]; then
  on_screen "$build/tests/app/app-screenshots-report" "$out" report "$build/data/samples/loan-approval.csv" approved
fi
if [ -z "$group" ] || [ "$group" = states ]; then
  on_screen "$build/tests/app/app-screenshots-states" "$out"
  on_screen "$build/tests/app/app-screenshots-report" "$out" report "$build/data/samples/loan-approval.csv" approved states
fi
publish
exit $failed
