#!/usr/bin/env bash
# tools/coverage.sh [FILE-PATTERN [TEST...]]: branch coverage of src/core, a line a file, by the
# suites core, cli and data or by the tests named.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$top/tools/dependencies.sh"

need build run test coverage
build="$top/build-coverage"
configure "$build" -Db_coverage=true -Dbuildtype=debug
ninja -C "$build" --quiet
find "$build" -name '*.gcda' -delete
tests=(--suite core --suite cli --suite data)
[ $# -lt 2 ] || tests=("${@:2}")
meson test -C "$build" --no-rebuild --timeout-multiplier 10 "${tests[@]}" >&2
gcovr -r "$top" "$build" --branches --exclude-throw-branches --exclude-unreachable-branches \
  --gcov-ignore-parse-errors --filter "$top/src/${1:-core/}"
