#!/bin/sh
# Run by "meson install", not by a package's build: updates what the desktop reads.
# after-install.sh DATADIR, relative to the prefix or absolute.
set -u
case $1 in
  /*) share=$1 ;;
  *) share=$MESON_INSTALL_PREFIX/$1 ;;
esac

# meson swallows what a script prints, unless it fails: print where meson prints.
if [ -n "${MESONINTROSPECT:-}" ] && [ -z "${MESON_INSTALL_QUIET:-}" ] && (: >> "/proc/$PPID/fd/1") 2>/dev/null; then
  exec >> "/proc/$PPID/fd/1"
fi

update() {     # update LOSS COMMAND...: without the command, says what is lost and goes on
  loss=$1
  shift
  if ! command -v "$1" >/dev/null; then
    echo "$1 is not installed: $loss."
  elif ! "$@"; then
    echo "\"$*\" failed: $loss."
  fi
}

schemas=glib-compile-schemas
command -v "$schemas" >/dev/null || schemas=$(pkg-config --variable=glib_compile_schemas gio-2.0 2>/dev/null)
if ! "${schemas:-glib-compile-schemas}" "$share/glib-2.0/schemas"; then
  echo "The settings in $share/glib-2.0/schemas could not be compiled. The window does not start without them." >&2
  exit 1
fi

# Only these two change what a menu or file manager shows. An icon cache is refreshed where there is one.
update "file managers may not offer Minterm for CSV files" update-desktop-database -q "$share/applications"
update "file managers may not know .minterm files" update-mime-database "$share/mime"
icons=$share/icons/hicolor
if [ -f "$icons/icon-theme.cache" ]; then
  for cache in gtk4-update-icon-cache gtk-update-icon-cache; do
    command -v "$cache" >/dev/null && "$cache" -q -t -f "$icons" && break
  done || echo "The icon cache in $icons could not be updated: menus may show no icon for Minterm."
fi

case ":${XDG_DATA_DIRS:-/usr/local/share:/usr/share}:${XDG_DATA_HOME:-$HOME/.local/share}:" in
  *":$share:"* | *":$share/:"*) ;;
  *) echo "To see Minterm in the menu, put $share into XDG_DATA_DIRS." ;;
esac
exit 0
