#!/usr/bin/env bash
# tools/screenshots.sh [FOLDER [GROUP]]: takes the pictures of the window in docs/images (or in the
# folder given), without a screen: every page and state, light, dark, narrow and with high contrast.
# A group is pages, sizes, recovery, train, frontier, rules, report, states, errors or loading; or, taken only when
# asked for, forms, the form of every edit, mirrored, the pages as one who reads from the right has them, and tables,
# what is drawn as the tables beside it.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-$top/build-check}
out=${1:-$top/docs/images}
group=${2:-}
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
exit $failed
