#!/usr/bin/env bash
# Takes the pictures of the window in docs/images (or in the folder given), without a screen.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${BUILD:-$top/build-check}
out=${1:-$top/docs/images}
ninja -C "$build" --quiet tests/app-screenshots tests/app-screenshots-rules >&2
mkdir -p "$out"
export GSK_RENDERER=cairo GDK_BACKEND=x11 GDK_DEBUG=gl-disable GTK_A11Y=none
export GSETTINGS_BACKEND=memory GSETTINGS_SCHEMA_DIR="$build/data" MINTERM_SAMPLES="$build/data/samples"
shoot() { xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" "$build/tests/app-screenshots" "$out" "$@"; }
shoot "${@:2}"
if [ $# -lt 2 ] || [ "$2" = frontier ]; then
  ADW_DEBUG_HIGH_CONTRAST=1 shoot contrast
fi
# The Rules page, light and dark, wide and narrow.
if [ $# -lt 2 ] || [ "$2" = rules ]; then
  xvfb-run -a -s "-screen 0 1920x1200x24 -noreset" "$build/tests/app-screenshots-rules" "$out" rules \
    "$build/data/samples/loan-approval.csv" approved
fi
