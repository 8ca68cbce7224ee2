# Sourced: what the scripts say to people, on stderr. A terminal gets a bar that moves, a log a line now and then.
progress_last=
progress_task=

# say LINE...: one line per argument
say() {
  progress_end
  printf '%s\n' "$@" >&2
}

# progress TASK PERCENT DETAIL
progress() {
  local width=24 filled bar step
  [ "$progress_task" = "$1" ] || progress_end
  if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    [ "$progress_last" = "$1$2$3" ] && return 0
    filled=$((width * $2 / 100))
    printf -v bar '%*s' "$filled" ''
    bar=${bar// /#}
    printf '\r\033[K%-12s [%-*s] %3d%%  %.36s' "$1" "$width" "$bar" "$2" "$3" >&2
    progress_last=$1$2$3
  else
    step=$(($2 / 20 * 20))
    [ "$progress_last" = "$1$step" ] && return 0
    printf '%s: %d%%\n' "$1" "$step" >&2
    progress_last=$1$step
  fi
  progress_task=$1
}

# Leaves the bar where it is and goes to a new line.
progress_end() {
  [ -n "$progress_task" ] && [ -t 2 ] && [ "${TERM:-dumb}" != dumb ] && printf '\n' >&2
  progress_task=
  return 0
}
