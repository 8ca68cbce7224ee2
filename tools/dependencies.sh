# Sourced by ./run and ./check: installs what dependencies.txt names and is missing.
# Usage: need build run test

need() {
  local kinds=" $* " package kind installed wanted=() missing=()
  while read -r package kind _; do
    case "$package" in ''|'#'*) continue ;; esac
    case "$kinds" in *" $kind "*) wanted+=("$package") ;; esac
  done < "$top/dependencies.txt"
  # One question for all: asking for each takes longer than a build that has nothing to do.
  installed=" $(dpkg-query -W -f='${db:Status-Status}=${Package} ' "${wanted[@]}" 2>/dev/null || true) "
  for package in "${wanted[@]}"; do
    case "$installed" in *" installed=$package "*) ;; *) missing+=("$package") ;; esac
  done
  [ ${#missing[@]} -eq 0 ] && return 0

  if ! command -v apt-get >/dev/null; then
    echo "Minterm needs these packages (Debian names), and this system has no apt-get:" >&2
    printf '  %s\n' "${missing[@]}" >&2
    return 1
  fi
  echo "Installing: ${missing[*]}" >&2
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Run as root, or install sudo: apt-get install ${missing[*]}" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq >&2 &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# configure BUILD_DIR [meson options...]: sets up once, then leaves it to ninja.
configure() {
  local dir=$1; shift
  [ -d /usr/local/cuda/bin ] && PATH=$PATH:/usr/local/cuda/bin
  if [ ! -f "$dir/build.ninja" ]; then
    meson setup "$dir" "$top" "$@" >&2
  fi
}
