# Sourced by ./run, ./check and others in tools/: installs the packages of dependencies.txt that are missing.
# The caller sets top, the folder of the clone.
. "$top/tools/progress.sh"

# need KIND...: the packages of these kinds, such as build or test
need() {
  local kinds=" $* " package kind installed wanted=() missing=()
  while read -r package kind _; do
    case "$package" in ''|'#'*) continue ;; esac
    case "$kinds" in *" $kind "*) wanted+=("$package") ;; esac
  done < "$top/dependencies.txt"
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    need_without_apt "${wanted[@]}"
    return
  fi
  # One question for all: asking for each takes longer than a build that has nothing to do.
  installed=" $(dpkg-query -W -f='${db:Status-Status}=${Package} ' "${wanted[@]}" 2>/dev/null || true) "
  for package in "${wanted[@]}"; do
    case "$installed" in *" installed=$package "*) ;; *) missing+=("$package") ;; esac
  done
  [ ${#missing[@]} -eq 0 ] || install_packages "${missing[@]}"
}

# Elsewhere packages have other names. What is installed may do; meson says what is not there.
need_without_apt() {
  local tool
  for tool in cc meson ninja pkg-config msgfmt xmllint glib-compile-resources; do
    command -v "$tool" >/dev/null && continue
    say "\"$tool\" is missing, and this system has no apt-get. Install what these Debian packages provide:"
    printf '  %s\n' "$@" | column -c 100 2>/dev/null >&2 || printf '  %s\n' "$@" >&2
    return 1
  done
}

# install_packages PACKAGE...: with progress. What apt-get prints is shown only if it fails.
install_packages() {
  local as_root=() log plan count size
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Packages are missing, and this user cannot install them: there is no sudo. As root, run:"
      say "  apt-get install --no-install-recommends $*"
      return 1
    fi
    as_root=(sudo)
    if ! sudo -n true 2>/dev/null; then
      say "Packages are missing. sudo asks for your password to install them."
      if ! sudo -v; then
        say "Without sudo, ask an administrator to run:"
        say "  apt-get install --no-install-recommends $*"
        return 1
      fi
    fi
  fi
  log=$(mktemp "${TMPDIR:-/tmp}/minterm-packages-XXXXXX.log")
  say "Reading the package lists."
  # A source that has nothing to do with us may be out of order.
  "${as_root[@]}" apt-get update -qq >> "$log" 2>&1 || say "Some package lists could not be read. Going on."
  plan=$("${as_root[@]}" env LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2>/dev/null < /dev/null) ||
    true
  count=$(sed -n 's/^.* upgraded, \([0-9]*\) newly installed.*$/\1/p' <<< "$plan")
  size=$(sed -n 's/^Need to get \(.*\/\)\?\(.*\) of archives.*$/\2/p' <<< "$plan")
  say "Installing ${count:-$#} Debian packages${size:+ ($size)}. This happens once."
  # 3 is opened after sudo, which closes it, and is not 1, which dpkg would close for the scripts of packages.
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C sh -c 'exec apt-get "$@" 2>&1 3>&1' apt-get \
         install -y --no-install-recommends -o APT::Status-Fd=3 -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" \
         < /dev/null | apt_progress "$log"; then
    say "apt-get failed. Its last lines:"
    tail -n 5 "$log" >&2
    say "All of them are in $log. To try it yourself:"
    say "  ${as_root[*]:+sudo }apt-get install --no-install-recommends $*"
    return 1
  fi
  rm -f "$log"
}

# apt_progress LOG: status lines, such as "pmstatus:git:45.2:Unpacking git", become progress; the rest goes to LOG.
apt_progress() {
  local line kind package percent
  while IFS= read -r line; do
    IFS=: read -r kind package percent _ <<< "$line"
    case $kind in
      dlstatus) progress Downloading "${percent%%.*}" "" ;;
      pmstatus) progress Installing "${percent%%.*}" "$package" ;;
      *) printf '%s\n' "$line" >> "$1" ;;
    esac
  done
  progress_end
}

# configure BUILD_DIR [meson options...]: once; after that ninja does it when a meson.build changes.
configure() {
  local dir=$1 words; shift
  [ -d /usr/local/cuda/bin ] && PATH=$PATH:/usr/local/cuda/bin
  [ -f "$dir/build.ninja" ] && return 0
  say "Configuring the build in ${dir##*/}/."
  rm -rf "$dir/meson-private"     # of a configuration that was interrupted
  if ! words=$(meson setup "$dir" "$top" "$@" 2>&1); then
    printf '%s\n' "$words" | tail -n 25 >&2
    return 1
  fi
  # Such as that there is no CUDA module, and why.
  printf '%s\n' "$words" | sed -n 's/^Message: \(Minterm .*\)$/\1/p' >&2
}

# build BUILD_DIR TARGET...: by ninja, with progress; warnings and errors are shown.
build() {
  local dir=$1; shift
  NINJA_STATUS='@%f/%t@' ninja -C "$dir" "$@" 2>&1 | build_progress
}

# build_progress [LOG]: what is not progress is shown, or goes to LOG.
build_progress() {
  local line steps
  while IFS= read -r line; do
    case $line in
      @*/1@*) ;;     # nothing to wait for
      @*/*@*)
        steps=${line#@}
        steps=${steps%%@*}
        progress Building $((100 * ${steps%/*} / ${steps#*/})) "${steps%/*} of ${steps#*/}" ;;
      'ninja: Entering directory'*|'ninja: no work to do.') ;;
      *)
        if [ $# -gt 0 ]; then
          printf '%s\n' "$line" >> "$1"
        else
          progress_end
          printf '%s\n' "$line" >&2
        fi ;;
    esac
  done
  progress_end
}
