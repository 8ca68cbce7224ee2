#!/usr/bin/env python3
"""The program in poor surroundings: no home, no bus, nowhere to write, spoilt settings, no screen. It opens its
window or says in one line why not, complains about nothing else, and goes when it is told to. Prints TAP.

check-start.py MINTERM SAMPLE.csv    (inside xvfb-run)"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from screen import Screen

PATIENCE = 60  # seconds; a busy machine is no failure
COMPLAINTS = ("CRITICAL", "WARNING", "Pango", "runtime error", "Sanitizer")
KEPT = ("DISPLAY", "XAUTHORITY", "PATH", "LANG", "GSETTINGS_SCHEMA_DIR", "MINTERM_SAMPLES", "GSK_RENDERER", "GDK_BACKEND",
        "GDK_DEBUG", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")

count = 0
failed = 0
temporary = None


def report(name, problem=None):
    global count, failed
    count += 1
    failed += problem is not None
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    if problem:
        print("# " + str(problem).replace("\n", "\n# "))


def start(program, arguments, environment, **how):
    base = {key: os.environ[key] for key in KEPT if key in os.environ}
    base.update(environment)
    base["TMPDIR"] = temporary
    errors = tempfile.TemporaryFile()
    process = subprocess.Popen([program] + arguments, env={k: v for k, v in base.items() if v is not None},
                               stderr=errors, stdout=subprocess.DEVNULL, **({"stdin": subprocess.DEVNULL} | how))
    process.errors = errors
    return process


def said(process):
    process.errors.seek(0)
    return process.errors.read().decode(errors="replace")


def wait(condition):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


def judge(process, screen, title):
    """What is wrong with a start that should open a window; the program is ended."""
    try:
        if not wait(lambda: process.poll() is not None or any(title in each for each in screen.titles())):
            return f"no window: {screen.titles()}"
        if process.poll() is not None:
            return f"it ended with {process.returncode}: {said(process)}"
        time.sleep(0.3)  # what it complains about a little later
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return "it does not go when it is told to"
        if process.returncode != 0:
            return f"told to go it ended with {process.returncode}: {said(process)}"
        if any(word in said(process) for word in COMPLAINTS):
            return said(process)
        return None
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        wait(lambda: not screen.titles())


def main(program, sample):
    global temporary
    screen = Screen()
    with tempfile.TemporaryDirectory() as folder:
        temporary = folder
        home = str(pathlib.Path(folder) / "home")
        pathlib.Path(home).mkdir()
        plain = {"HOME": home}
        nowhere = {"HOME": home} | {f"XDG_{name}": "/proc/none" for name in
                                    ("CONFIG_HOME", "DATA_HOME", "CACHE_HOME", "STATE_HOME", "RUNTIME_DIR")}
        cases = [("without a bus", plain, []), ("without a home", {}, []), ("with a home that is not there",
                 {"HOME": "/proc/none/home"}, []), ("with nowhere to write", nowhere, []),
                 ("with an unknown time zone", plain | {"TZ": "Nowhere/Land"}, []),
                 ("with an unknown language", plain | {"LC_ALL": "xx_YY.UTF-8"}, []),
                 ("with a file", plain, [sample]), ("with a file that is not there", plain, [folder + "/none.csv"])]
        for name, environment, arguments in cases:
            title = pathlib.Path(arguments[0]).name if arguments else "Minterm"
            report(f"it starts {name}", judge(start(program, arguments, environment), screen, title))
        report("it starts with stdin closed", judge(start(program, [], plain, stdin=None, preexec_fn=lambda: os.close(0)),
                                                    screen, "Minterm"))
        nameless = "import ctypes, sys; ctypes.CDLL(None).execv(sys.argv[1].encode(), (ctypes.c_char_p * 1)(None))"
        report("it starts without a name of its own",
               judge(start(sys.executable, ["-c", nameless, program], plain), screen, "Minterm"))

        settings = pathlib.Path(home) / ".config" / "glib-2.0" / "settings" / "keyfile"
        for name, content in (("garbage", b"garbage\0\1[[["), ("nothing", b"")):
            settings.parent.mkdir(parents=True, exist_ok=True)
            settings.write_bytes(content)
            process = start(program, [], plain | {"GSETTINGS_BACKEND": "keyfile"})
            report(f"it starts with {name} for settings", judge(process, screen, "Minterm"))
            aside = settings.with_name("keyfile.bak")
            report(f"the settings of {name} are kept", None if aside.exists() and aside.read_bytes() == content
                   else f"{list(settings.parent.iterdir())}")

        process = start(program, [], plain | {"DISPLAY": ":9999"})
        process.wait(PATIENCE)
        text = said(process)
        report("without a screen it says so in one line",
               None if process.returncode == 1 and text.count("\n") == 1 and ":9999" in text else
               f"{process.returncode}: {text}")
    print(f"1..{count}")
    return 1 if failed else 0


sys.exit(main(*sys.argv[1:]))
