#!/usr/bin/env bash
# Runs ./run and ./check as the first command on a fresh Debian 12 with git and nothing else.
#
#   tools/fresh.sh              the steps run and check, as continuous integration does
#   tools/fresh.sh STEP...      some of:
#     run     as root: ./run without a display, then ./run with one (a virtual one), until the window is there
#     check   as a user with sudo: ./check core cli
#     deb     tools/deb.sh; then, on another fresh system, installs the package and starts it
#
# The system is a folder made by debootstrap, from the package source that apt uses here. It gets a clone of
# what is committed. The folder and the packages are kept in $XDG_CACHE_HOME/minterm-fresh for the next time.
# Exit: 0 passed, 1 failed, 77 no such system can be made here, which is said in capital letters.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$top/tools/dependencies.sh"

suite=bookworm
cache=${MINTERM_FRESH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/minterm-fresh}
base=$cache/base
work=$cache/work

cannot() {
  {
    echo
    echo "=========================================================================="
    echo "NOT CHECKED ON A FRESH MACHINE: $*"
    echo "=========================================================================="
  } >&2
  exit 77
}

# --- outside: what is needed, and a name space that ends with us and takes its mounts along ---

outside() {
  local inner status=0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || cannot "this needs root, and there is no sudo."
    exec sudo MINTERM_FRESH_CACHE="$cache" "$0" "$@"
  fi
  need fresh || cannot "debootstrap cannot be installed."
  unshare --mount --pid --fork true 2>/dev/null || cannot "mounts are not allowed here (unshare --mount fails)."
  git -c safe.directory='*' -C "$top" rev-parse -q --verify HEAD >/dev/null || cannot "this folder is not a git clone."
  mkdir -p "$cache/debs" "$cache/bootstrap-debs"
  exec 9> "$cache/lock"
  flock -n 9 || { say "Another tools/fresh.sh is running. Waiting for it."; flock 9; }
  clear_work
  mkdir -p "$work"
  find "$base" -maxdepth 0 -mtime +30 -exec rm -rf --one-file-system {} + 2>/dev/null || true

  # In the background, so that a signal is answered at once. Killing unshare ends all that it started.
  unshare --mount --pid --fork --kill-child --propagation private \
    env --default-signal=INT,QUIT "$0" --inside "$@" 9>&- &
  inner=$!
  trap 'kill -KILL $inner 2>/dev/null; wait $inner 2>/dev/null; clear_work; exit 130' INT TERM HUP
  wait $inner || status=$?
  clear_work
  exit $status
}

# What was killed may still write for a moment.
clear_work() {
  local try
  for try in 1 2 3 4 5; do
    rm -rf --one-file-system "$work" 2>/dev/null && return
    sleep 1
  done
  say "$work could not be removed."
}

# --- inside ---

# The package sources of Debian 12 that apt uses here: URI, suite and component per line.
sources() {
  local format='$(REPO_URI) $(CODENAME) $(COMPONENT)' found
  if [ -n "${MINTERM_FRESH_MIRROR:-}" ]; then
    echo "$MINTERM_FRESH_MIRROR $suite main"
    return
  fi
  found=$(apt-get indextargets --format "$format" 'Identifier: Packages' 'Origin: Debian' | sort -u)
  if [ -z "$found" ]; then
    apt-get update -qq >&2 || true
    found=$(apt-get indextargets --format "$format" 'Identifier: Packages' 'Origin: Debian' | sort -u)
  fi
  grep -E " ($suite|$suite-updates|$suite-security) main\$" <<< "$found"
}

# How apt reaches them: proxies and the like.
settings() {
  apt-config dump | grep -E '^Acquire::(http|https|ForceIPv[46]|Retries|Check-Valid-Until)(::| )' || true
  [ -n "${http_proxy:-}" ] && echo "Acquire::http::Proxy \"$http_proxy\";"
  [ -n "${https_proxy:-}" ] && echo "Acquire::https::Proxy \"$https_proxy\";"
  return 0
}

make_base() {
  local found mirror with=git proxy
  if [ -e "$base/made" ]; then
    say "Fresh Debian 12 from the cache: $base"
    return
  fi
  found=$(sources) || cannot "apt here knows no source of Debian 12 ($suite). MINTERM_FRESH_MIRROR can name one."
  mirror=$(sed -n "s/ $suite main\$//p" <<< "$found" | head -n 1)
  [ -n "$mirror" ] || cannot "apt here knows no source of Debian 12 ($suite). MINTERM_FRESH_MIRROR can name one."
  case $mirror in https:*) with+=,ca-certificates ;; esac
  proxy=$(settings | sed -n 's/^Acquire::http::Proxy "\(.*\)";$/\1/p' | tail -n 1)
  [ -n "$proxy" ] && export http_proxy=$proxy
  say "Making a fresh Debian 12 by debootstrap: git and what it needs."
  rm -rf --one-file-system "$base"
  mkdir -p "$base"
  if ! debootstrap --variant=minbase --include="$with" --cache-dir="$cache/bootstrap-debs" "$suite" "$base/root" "$mirror" \
         > "$cache/debootstrap.log" 2>&1; then
    tail -n 15 "$cache/debootstrap.log" >&2
    cannot "debootstrap failed. Its last lines are above, all of them in $cache/debootstrap.log."
  fi
  sed 's/^/deb /' <<< "$found" > "$base/root/etc/apt/sources.list"
  touch "$base/made"
}

# make_root NAME: the fresh system, for one use, with what a running one has. Sets root.
make_root() {
  root=$work/$1
  mkdir -p "$root" "$work/$1.changes" "$work/$1.work"
  local layers="lowerdir=$base/root,upperdir=$work/$1.changes,workdir=$work/$1.work"
  mount -t overlay overlay -o "$layers,volatile" "$root" 2>/dev/null ||
    mount -t overlay overlay -o "$layers" "$root" 2>/dev/null ||
    cp -a --reflink=auto "$base/root/." "$root"
  echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/90host"     # it need not survive a power failure
  settings > "$root/etc/apt/apt.conf.d/90host"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  echo "127.0.0.1 localhost $(hostname)" > "$root/etc/hosts"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/run"
  mkdir -p "$root/run/lock"
  mount --bind "$cache/debs" "$root/var/cache/apt/archives"
}

# put_clone HOME: what is committed, and the shared folder beside it where there is one.
put_clone() {
  local folder=$root$1/minterm
  mkdir -p "$folder"
  git -c safe.directory='*' clone -q --no-local --depth 1 "file://$top" "$folder/main" 2>/dev/null
  if [ -d "$top/../shared" ]; then
    mkdir "$folder/shared"
    mount --bind "$(readlink -f "$top/../shared")" "$folder/shared"
    mount -o remount,bind,ro "$folder/shared"
  fi
}

# in_root COMMAND...: with the environment of a login on a console.
in_root() {
  env -i HOME=/root USER=root LOGNAME=root SHELL=/bin/bash TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" "$@" < /dev/null
}

# Sets worked to the seconds of processor time of all that has ended. In a subshell "times" would begin at 0.
set_worked() {
  times > "$work/times"
  worked=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * $1 + $2 + 60 * $3 + $4 }' "$work/times")
}

# attempt NAME COMMAND...: says what is done, how long it took, and remembers what failed.
results=()
attempt() {
  local name=$1 begun=$SECONDS worked before status=0 took; shift
  set_worked
  before=$worked
  say "" "--- $name"
  "$@" || status=$?
  set_worked
  took="$(((SECONDS - begun) / 60)) min $(((SECONDS - begun) % 60)) s, $((worked - before)) s of processor time"
  if [ $status -eq 0 ]; then
    results+=("passed  $name, $took")
  else
    results+=("FAILED  $name, $took")
    failed=yes
  fi
}

step_run() {
  make_root run
  put_clone /root
  put_until_window
  attempt "./run as the first command, as root, without a display" run_headless
  attempt "./run again: nothing to install, nothing to build" run_again
  attempt "./run with a display" run_window
}

run_headless() {
  in_root bash -c 'cd ~/minterm/main && ./run > /tmp/out.txt && cat /tmp/out.txt' && rules_shown "$root/tmp/out.txt" &&
    [ -s "$root/root/minterm/main/build/sample/report.html" ]
}

rules_shown() {
  [ "$(LC_ALL=C.UTF-8 grep -cE '^ *[-+−][0-9.]+ ' "$1")" -ge 2 ] || { say "No rules were printed."; return 1; }
}

run_again() {
  in_root bash -c 'cd ~/minterm/main && time ./run > /tmp/out.txt 2> /tmp/err.txt' && rules_shown "$root/tmp/out.txt" &&
    ! grep -E 'Installing|Configuring|Building' "$root/tmp/err.txt"
}

run_window() {
  in_root apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils > /dev/null 2>&1 || return 1
  in_root bash -c 'cd ~/minterm/main && exec xvfb-run -a -s "-screen 0 1280x1024x24" /tmp/until-window ./run'
}

# Puts a script there. until-window COMMAND...: starts it and ends it once its window is there; fails if it ends before.
put_until_window() {
  cat > "$root/tmp/until-window" <<'END'
#!/bin/bash
setsid "$@" &
program=$!
trap 'kill -- -$program 2>/dev/null' EXIT
while kill -0 $program 2>/dev/null; do
  if xwininfo -root -tree | grep -iE '\("[^"]*minterm.*\) +[0-9]{3,4}x[0-9]{3,4}\+'; then
    sleep 2
    kill -0 $program
    exit
  fi
  sleep 1
done
wait $program
echo "It ended without a window: $?"
exit 1
END
  chmod +x "$root/tmp/until-window"
}

step_check() {
  make_root check
  in_root bash -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends sudo' > /dev/null 2>&1
  in_root useradd --create-home --shell /bin/bash ada
  echo 'ada ALL=(ALL) NOPASSWD: ALL' > "$root/etc/sudoers.d/ada"
  put_clone /home/ada
  in_root chown -R ada: /home/ada/minterm/main
  attempt "./check core cli as the first command, as a user with sudo" \
    in_root su - ada -c 'cd minterm/main && ./check core cli'
}

step_deb() {
  make_root deb
  put_clone /root
  attempt "tools/deb.sh as the first command, and lintian" in_root bash -c 'cd ~/minterm/main && tools/deb.sh'
  built=("$root"/root/minterm/main/build-deb/minterm_*.deb)
  make_root installed
  put_until_window
  cp "${built[0]}" "$root/tmp/minterm.deb" 2>/dev/null || return 0     # said above
  attempt "apt install of the package" \
    in_root bash -c 'apt-get update -qq && apt-get install -y -qq /tmp/minterm.deb > /tmp/out.txt 2>&1 || { cat /tmp/out.txt; exit 1; }'
  attempt "the installed minterm-cli" deb_cli
  attempt "the installed window" deb_window
}

deb_cli() {
  in_root bash -c 'cd /tmp && minterm-cli --version &&
    minterm-cli train /usr/share/minterm/samples/loan-approval.csv --target approved -o model.json > /dev/null &&
    minterm-cli rules model.json | tee out.txt' && rules_shown "$root/tmp/out.txt"
}

# As a menu starts it: by the desktop entry, with the settings and file types that are installed.
deb_window() {
  in_root apt-get install -y -qq --no-install-recommends xvfb xauth x11-utils libglib2.0-bin shared-mime-info > /dev/null 2>&1 &&
    in_root bash -c 'echo x > /tmp/a.minterm && gio info -a standard::content-type /tmp/a.minterm | grep application/x-minterm' &&
    in_root xvfb-run -a -s "-screen 0 1280x1024x24" /tmp/until-window bash -c \
      'gio launch /usr/share/applications/io.github.minterm.Minterm.desktop && sleep 60'
}

inside() {
  local step failed=no steps=("$@") root line
  trap 'exit 130' INT TERM HUP
  [ ${#steps[@]} -gt 0 ] || steps=(run check)
  if [ -n "$(git -c safe.directory='*' -C "$top" status --porcelain)" ]; then
    say "Uncommitted changes are not checked."
  fi
  make_base
  for step in "${steps[@]}"; do
    case $step in
      run|check|deb) "step_$step" ;;
      *) say "There is no step \"$step\": run, check or deb."; exit 1 ;;
    esac
  done
  in_root apt-get autoclean -qq || true     # packages that have a newer version
  say "" "--- On a fresh Debian 12"
  for line in "${results[@]}"; do say "$line"; done
  [ "$failed" = no ]
}

# All of it is read before it runs: the file may be edited meanwhile.
{
  if [ "${1:-}" = --inside ]; then
    shift
    inside "$@"
  else
    outside "$@"
  fi
  exit
}
