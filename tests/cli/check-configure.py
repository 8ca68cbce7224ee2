#!/usr/bin/env python3
"""Configures the build as other machines would: without the desktop's tools, and with an nvcc that does not work.
Installs what the desktop reads into an empty prefix. Builds nothing. Prints TAP.

check-configure.py SOURCE"""
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1])
OPTIONAL = {"update-desktop-database", "update-mime-database", "gtk4-update-icon-cache", "gtk-update-icon-cache",
            "desktop-file-validate", "appstreamcli", "xvfb-run", "dbus-run-session", "nvcc"}
NVCC = {
    "does-not-fit": """case "$*" in *--version*) echo "Cuda compilation tools, release 12.4, V12.4.1"; exit 0 ;; esac
echo "host_config.h: #error -- unsupported GNU version" >&2
exit 1""",
    "too-old": 'echo "Cuda compilation tools, release 10.2, V10.2.89"',
    "does-not-run": 'echo "libnvcc.so: cannot open shared object file" >&2\nexit 127',
}
count = failed = 0


def report(name, problem=None):
    global count, failed
    count += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    for line in str(problem or "").splitlines():
        print("# " + line)


def lean_path(folder):
    """A folder with a link to each program of PATH but the optional ones."""
    folder.mkdir()
    for place in os.environ["PATH"].split(":"):
        if pathlib.Path(place).name == "ccache":     # its compilers look for the real ones in PATH
            continue
        for program in pathlib.Path(place).glob("*"):
            link = folder / program.name
            if program.name not in OPTIONAL and not link.is_symlink():
                link.symlink_to(program)
    return str(folder)


def fake_nvcc(folder, script):
    folder.mkdir()
    program = folder / "nvcc"
    program.write_text("#!/bin/sh\n" + script + "\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return f"{folder}:{os.environ['PATH']}"


def configure(build, path, *options):
    """Whether it worked, and what was said."""
    done = subprocess.run(["meson", "setup", str(build), str(source), *options], env={**os.environ, "PATH": path},
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def lacking(text, *wanted):
    missing = [words for words in wanted if words not in text]
    return f"not said: {missing}\n{text}" if missing else None


def check_configure(folder):
    path = lean_path(folder / "lean")
    fine, said = configure(folder / "without-tools", path, "-Dcuda=disabled")
    report("nothing optional is needed", None if fine else said)
    # The names in the summary are as wide as the longest of them.
    report("the summary says why there is no CUDA module",
           None if re.search(r"CUDA module *: no \(switched off\)", said) else said)

    sentences = {
        "does-not-fit": ["nvcc 12.4 cannot compile a trial", "unsupported GNU version"],
        "too-old": ["nvcc 10.2 is too old"],
        "does-not-run": ["does not run", "cannot open shared object file"],
    }
    for name, script in NVCC.items():
        path = fake_nvcc(folder / name, script)
        # One of them with the tests, which ask for nvcc, too.
        tests = f"-Dtests={str(name == 'does-not-fit').lower()}"
        fine, said = configure(folder / f"{name}-auto", path, "-Dcuda=auto", tests)
        report(f"cuda=auto goes on with an nvcc that {name}", None if fine else said)
        report(f"cuda=auto says that nvcc {name}",
               lacking(said, "Minterm is built without its CUDA module", *sentences[name]))
        module = "minterm-cuda.so:" in (folder / f"{name}-auto" / "build.ninja").read_text() if fine else True
        report(f"nothing is built with an nvcc that {name}", "minterm-cuda.so is a target" if module else None)
    for name in ("does-not-fit", "too-old"):
        fine, said = configure(folder / f"{name}-enabled", f"{folder / name}:{os.environ['PATH']}", "-Dcuda=enabled",
                               "-Dtests=false")
        report(f"cuda=enabled stops at an nvcc that {name}", said if fine else None)
        report(f"cuda=enabled says that nvcc {name}", lacking(said, "ERROR", *sentences[name]))


def check_after_install(folder):
    """The install script where only what the build needs is installed, and where the tools are."""
    for name, path in (("without", str(folder / "lean")), ("with", os.environ["PATH"])):
        share = folder / f"prefix {name}" / "share"
        schemas = share / "glib-2.0" / "schemas"
        for place in (schemas, share / "applications", share / "mime" / "packages"):
            place.mkdir(parents=True)
        shutil.copy(source / "data/io.github.minterm.Minterm.gschema.xml", schemas)
        shutil.copy(source / "data/io.github.minterm.Minterm.mime.xml", share / "mime" / "packages")
        done = subprocess.run([str(source / "tools/after-install.sh"), "share"], text=True,
                              env={**os.environ, "PATH": path, "MESON_INSTALL_PREFIX": str(share.parent)},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        report(f"the install script works {name} the tools", done.stdout if done.returncode else None)
        report(f"settings are compiled {name} the tools",
               None if (schemas / "gschemas.compiled").exists() else "no gschemas.compiled")
        if name == "without":
            report("it says what is missing", lacking(done.stdout, "update-desktop-database is not installed",
                                                      "update-mime-database is not installed"))
        report("it says when a menu does not look there", lacking(done.stdout, "XDG_DATA_DIRS"))
    # A failure that matters is one.
    done = subprocess.run([str(source / "tools/after-install.sh"), "share"], capture_output=True, text=True,
                          env={**os.environ, "MESON_INSTALL_PREFIX": str(folder / "nowhere")})
    report("without its settings the installation fails", None if done.returncode else "exit 0")


with tempfile.TemporaryDirectory() as folder:
    check_configure(pathlib.Path(folder))
    check_after_install(pathlib.Path(folder))
print(f"1..{count}")
sys.exit(1 if failed else 0)
