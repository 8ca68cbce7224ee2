#!/usr/bin/env python3
"""Installs the program into an empty folder and starts it as a menu does, by its desktop entry. Prints TAP.

check-install.py SOURCE BUILD APP_ID PREFIX    (inside xvfb-run)"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from screen import Screen

PATIENCE = 60  # seconds; a busy machine is no failure
source, build, app_id, prefix = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
count = failed = 0


def report(name, problem=None):
    global count, failed
    count += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line)


def wait(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def running(program):
    found = []
    for link in pathlib.Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(link) == str(program):
                found.append(int(link.parent.name))
        except OSError:
            pass
    return found


def check_window(name, command, environment, program, screen):
    with tempfile.TemporaryFile() as words:
        starter = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=words, stderr=words)
        seen = wait(lambda: "Minterm" in screen.titles())
        for process in running(program):
            os.kill(process, signal.SIGTERM)
        gone = wait(lambda: not running(program))
        starter.wait(PATIENCE)
        words.seek(0)
        said = words.read().decode(errors="replace")
    report(f"the window opens {name}", None if seen else f"no window\n{said}")
    report(f"and nothing is complained about {name}",
           None if gone and not re.search("CRITICAL|WARNING", said) else f"gone: {gone}\n{said}")
    wait(lambda: not screen.titles())


with tempfile.TemporaryDirectory() as folder:
    done = subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", folder],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    report("it can be installed", done.stdout if done.returncode else None)
    top = pathlib.Path(folder).resolve() / prefix.lstrip("/")
    share = top / "share"
    done = subprocess.run([source / "tools/after-install.sh", "share"], text=True,
                          env={**os.environ, "MESON_INSTALL_PREFIX": str(top)}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    report("the desktop's files are brought up to date", done.stdout if done.returncode else None)

    home = pathlib.Path(folder) / "home"
    home.mkdir()
    environment = {key: value for key, value in os.environ.items()
                   if key in ("DISPLAY", "XAUTHORITY", "LANG", "GSK_RENDERER", "GDK_BACKEND", "GDK_DEBUG")}
    session = {**environment, "HOME": str(home), "PATH": f"{top / 'bin'}:/usr/bin:/bin",
               "XDG_DATA_DIRS": f"{share}:/usr/local/share:/usr/share"}

    entry = share / "applications" / f"{app_id}.desktop"
    text = entry.read_text()
    program = re.search(r"^TryExec=(.*)$", text, re.M).group(1)
    found = shutil.which(program, path=session["PATH"])
    report("the desktop entry names a program", None if found else f"{program} is not found")
    icon = re.search(r"^Icon=(.*)$", text, re.M).group(1)
    report("its icon is there", None if (share / f"icons/hicolor/scalable/apps/{icon}.svg").exists() else icon)
    if shutil.which("update-mime-database"):
        globs = (share / "mime" / "globs2").read_text()
        report("its files have a type", None if "application/x-minterm:*.minterm" in globs else globs)
        cache = (share / "applications" / "mimeinfo.cache").read_text()
        report("CSV files can be opened with it", None if f"text/csv={app_id}.desktop" in cache else cache)
    for name in ("loan-approval.csv", "triage.csv", "energy-use.csv"):
        report(f"{name} is there", None if (share / "minterm" / "samples" / name).exists() else "missing")

    screen = Screen()
    check_window("from the menu", ["gio", "launch", str(entry)], session, str(top / "bin" / "minterm"), screen)
    # A prefix that the session knows nothing of.
    check_window("by its path", [str(top / "bin" / "minterm")],
                 {**environment, "HOME": str(home), "PATH": "/usr/bin:/bin"}, str(top / "bin" / "minterm"), screen)
print(f"1..{count}")
sys.exit(1 if failed else 0)
