#!/usr/bin/env python3
"""Runs the commands that the documentation shows and puts their real output into the pages.

  tools/docs-output.py [--check] [--build DIR] [PAGE...]

A fenced block of kind `console` that follows the line `<!-- run -->` is executed: every line that
begins with `$ ` is one command (a line that ends in a backslash continues), and what stands below
it is replaced by what it prints. All blocks of a page run in one empty folder that holds the three
sample files, with minterm-cli of the build on PATH. --check changes nothing and fails where a page
is not up to date; times ("1.7 s") may differ.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

top = pathlib.Path(__file__).resolve().parent.parent
block = re.compile(r"(<!-- run -->\n+```console\n)(.*?)(```\n)", re.S)
seconds = re.compile(r"\b[0-9]+(\.[0-9]+)? s\b")


def pages():
    return [top / "README.md", *sorted((top / "docs").rglob("*.md"))]


def commands(text):
    """The commands of a block, continued lines joined."""
    found, lines = [], text.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("$ "):
            command = [lines[at][2:]]
            while command[-1].endswith("\\"):
                at += 1
                command.append(lines[at])
            found.append("\n".join(command))
        at += 1
    return found


def execute(text, folder, environment):
    out = []
    for command in commands(text):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment, timeout=600,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        # A reader that ends early (head) is no failure of the writer.
        if done.returncode not in (0, 141):
            sys.exit(f"{command}\n{done.stdout}\nfailed with {done.returncode}")
        out.append(f"$ {command}\n{done.stdout}" + ("" if done.stdout.endswith("\n") or not done.stdout else "\n"))
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=top / "build-check")
    parser.add_argument("page", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    build = options.build.resolve()
    environment = dict(os.environ, PATH=f"{build / 'src/cli'}:{os.environ['PATH']}", LC_ALL="C.UTF-8", COLUMNS="80",
                       SOURCE_DATE_EPOCH="1795000000")
    stale = 0
    for page in [path.resolve() for path in options.page] or pages():
        text = page.read_text()
        if not block.search(text):
            continue
        with tempfile.TemporaryDirectory() as folder:
            for sample in (build / "data/samples").glob("*.csv"):
                shutil.copy(sample, folder)
            new = block.sub(lambda found: found[1] + execute(found[2], folder, environment) + found[3], text)
        if seconds.sub("", new) == seconds.sub("", text):
            continue
        stale += 1
        print(page.relative_to(top))
        if not options.check:
            page.write_text(new)
    return 1 if options.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
