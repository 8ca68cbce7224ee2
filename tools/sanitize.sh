#!/usr/bin/env bash
# tools/sanitize.sh address|thread [SUITE...]: the tests under ASan+UBSan or TSan; core, cli and data unless named.
# tools/sanitize.sh address app: the window's, which print nothing and leak nothing (tests/support/lsan.supp: but libraries).
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$top/tools/dependencies.sh"

kind=${1:?address or thread}; shift
case "$kind" in
  address) sanitize=address,undefined ;;
  thread) sanitize=thread ;;
  *) echo "usage: tools/sanitize.sh address|thread [SUITE...]" >&2; exit 2 ;;
esac
need build run test
build="$top/build-$kind"
configure "$build" --werror -Ddevelopment=true -Db_sanitize=$sanitize -Db_lundef=false
ninja -C "$build" --quiet
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(core cli data)
export MINTERM_PATIENCE=${MINTERM_PATIENCE:-400}
export ASAN_OPTIONS=abort_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export TSAN_OPTIONS="halt_on_error=1:suppressions=$top/tests/support/tsan.supp"
meson test -C "$build" --no-rebuild --print-errorlogs --timeout-multiplier 10 \
  $(printf -- '--suite %s ' "${suites[@]}")
