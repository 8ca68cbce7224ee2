#!/usr/bin/env python3
"""What ./run, ./check and others say and do on other machines: tools/dependencies.sh with made-up apt-get, sudo, meson
and ninja. Installs and builds nothing. Prints TAP.

check-scripts.py SOURCE"""
import os
import pathlib
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1])
count = failed = 0
# What the scripts use of a minimal Debian.
TOOLS = ("bash", "sh", "env", "sed", "mktemp", "tail", "rm", "cat", "mkdir", "printf", "awk")
PLAN = "0 upgraded, 325 newly installed, 0 to remove and 0 not upgraded.\\nNeed to get 10 B/213 MB of archives.\\n"
APT = f"""echo "apt-get $*" >> "$CALLS"
case "$1 $*" in
  update*) exit ${{UPDATE:-0}} ;;
  *--assume-no*) printf '{PLAN}'; exit 1 ;;
esac
printf 'dlstatus:1:40.5:Retrieving\\npmstatus:meson:70.1:Unpacking\\n' >&3
echo 'E: no room' >&2
exit ${{INSTALL:-0}}"""


def report(name, problem=None):
    global count, failed
    count += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line)


class Machine:
    """A folder of programs that is all of PATH."""

    def __init__(self, folder, **programs):
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=folder))
        self.calls = self.folder / "calls"
        self.calls.write_text("")
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for name in TOOLS:
            for place in ("/bin", "/usr/bin"):
                if os.path.exists(f"{place}/{name}") and not (self.bin / name).exists():
                    (self.bin / name).symlink_to(f"{place}/{name}")
        for name, script in programs.items():
            self.add(name.replace("_", "-"), script)

    def add(self, name, script):
        program = self.bin / name
        program.write_text("#!/bin/bash\n" + script + "\n")
        program.chmod(0o755)

    def run(self, command, **environment):
        """Exit code, what was said, and the calls of made-up programs."""
        done = subprocess.run(["bash", "-c", f"set -euo pipefail; top='{source}'; . '{source}/tools/dependencies.sh'; {command}"],
                              env={"PATH": str(self.bin), "CALLS": str(self.calls), "HOME": str(self.folder),
                                   "TMPDIR": str(self.folder), "TERM": "dumb", **environment},
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout, self.calls.read_text()


def expect(name, got, code, said=(), calls=(), never=()):
    problems = [] if (got[0] == 0) == (code == 0) else [f"exit {got[0]}"]
    problems += [f"not said: {words}" for words in said if words not in got[1]]
    problems += [f"not called: {words}" for words in calls if words not in got[2]]
    problems += [f"called or said: {words}" for words in never if words in got[1] + got[2]]
    report(name, "\n".join([*problems, got[1], got[2]]) if problems else None)


def check_packages(folder):
    root, user = "echo 0", "echo 1000"
    everything = 'for name in "$@"; do printf "installed=%s " "$name"; done'
    nothing = "exit 1"
    plain = 'echo "sudo $*" >> "$CALLS"; while [ "${1#-}" != "$1" ]; do [ "$1" = -v ] && exit 0; shift; done; exec "$@"'

    expect("what is installed is left alone", Machine(folder, id=root, dpkg_query=everything, apt_get=APT).run("need build run"),
           0, never=["apt-get"])
    machine = Machine(folder, id=root, dpkg_query=nothing, apt_get=APT)
    expect("as root, what is missing is installed", machine.run("need build run"), 0,
           said=["Installing 325 Debian packages (213 MB)", "Downloading: 40%", "Installing: 60%"],
           calls=["libgtk-4-dev", "adwaita-icon-theme"], never=["xvfb", "no room"])
    expect("tests need more", machine.run("need test"), 0, calls=["xvfb"])
    expect("a package list that cannot be read stops nothing", machine.run("need build", UPDATE="100"), 0,
           said=["Some package lists could not be read"], calls=["install -y"])
    expect("a failed installation shows why, and what to type", machine.run("need build", INSTALL="100"), 1,
           said=["apt-get failed", "E: no room", "apt-get install --no-install-recommends gcc"])
    expect("a user installs with sudo", Machine(folder, id=user, dpkg_query=nothing, apt_get=APT, sudo=plain).run("need build"), 0,
           said=["Installing: 60%"], calls=["sudo apt-get update", "sudo env"])
    expect("a user without sudo is told what root can do",
           Machine(folder, id=user, dpkg_query=nothing, apt_get=APT).run("need build"), 1,
           said=["no sudo", "apt-get install --no-install-recommends gcc"], never=["install -y"])
    expect("a user who may not use sudo, too",
           Machine(folder, id=user, dpkg_query=nothing, apt_get=APT, sudo="exit 1").run("need build"), 1,
           said=["ask an administrator", "apt-get install"], never=["install -y"])
    tools = {name: "exit 0" for name in ("cc", "meson", "ninja", "pkg-config", "msgfmt", "xmllint", "glib-compile-resources")}
    other = Machine(folder, id=user)
    expect("without apt-get, what is missing is named", other.run("need build"), 1, said=['"cc" is missing', "libgtk-4-dev"])
    for name, script in tools.items():
        other.add(name, script)
    expect("without apt-get, what is installed is used", other.run("need build && echo goes on"), 0, said=["goes on"])


def check_building(folder):
    meson = """[ -n "${REFUSE:-}" ] && { echo 'meson.build:1: ERROR: no such thing'; exit 1; }
mkdir -p "$2"; echo > "$2/build.ninja"
echo 'Message: Minterm is built without its CUDA module: nvcc 10.2 is too old.'; echo 'Program cc found: YES'"""
    ninja = """printf '@1/4@Compiling a\\n@2/4@Compiling b\\nb.c:3: warning: odd\\n@4/4@Linking\\n'; exit ${STATUS:-0}"""
    machine = Machine(folder, meson=meson, ninja=ninja)
    build = machine.folder / "build"
    expect("a failed configuration shows why", machine.run(f"configure {build}", REFUSE="yes"), 1, said=["ERROR: no such thing"])
    expect("a configuration says what is left out and little else", machine.run(f"configure {build}"), 0,
           said=["Minterm is built without its CUDA module: nvcc 10.2 is too old."], never=["Program cc"])
    expect("a configuration is made once", machine.run(f"configure {build}", REFUSE="yes"), 0, never=["Configuring"])
    expect("a build shows progress and warnings", machine.run(f"build {build} all"), 0,
           said=["Building: 20%", "Building: 100%", "b.c:3: warning: odd"], never=["Compiling"])
    expect("a failed build is a failure", machine.run(f"build {build} all", STATUS="1"), 1)


with tempfile.TemporaryDirectory() as folder:
    check_packages(folder)
    check_building(folder)
print(f"1..{count}")
sys.exit(1 if failed else 0)
