#!/usr/bin/env python3
"""Time of a whole default run, against an older commit, in the same run.

    bench/speed/speed.py [--data DIR] [--only heart,boston] [--baseline COMMIT] [--repeat 3]

Builds the working tree and the older commit (21400b7 unless told otherwise) with the same options into
build-bench/, then trains each data set by `minterm-cli train` with default settings, the two in turn,
and prints the least wall time and processor time of each and their ratio as a Markdown table. Nothing else should
run meanwhile: the load before each data set is printed at its end when it is above 0.5.

DIR holds manifest.tsv (columns dataset, file, target, task) and the CSV files.
"""

import argparse
import csv
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def build(source, where):
    """Builds minterm-cli of a source tree; returns its path."""
    options = ["--buildtype=debugoptimized", "-Dcuda=disabled"]
    if not (where / "build.ninja").exists():
        subprocess.run(["meson", "setup", where, source, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", where, "src/cli/minterm-cli"], check=True, stdout=subprocess.DEVNULL)
    return where / "src/cli/minterm-cli"


def checked_out(commit, where):
    """A work tree of the commit; one that is there already is used."""
    if not where.exists():
        subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", where, commit], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return where


def times(program, entry, folder):
    """Wall and processor seconds of one run."""
    command = [program, "train", entry["path"], "--target", entry["target"], "-o", os.path.join(folder, "model.json")]
    if entry["task"] == "regression":
        command += ["--task", "regression"]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--only", help="data sets, separated by commas")
    parser.add_argument("--baseline", default="21400b7")
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()

    with open(arguments.data / "manifest.tsv", newline="", encoding="utf-8") as file:
        entries = list(csv.DictReader(file, delimiter="\t"))
    if arguments.only:
        names = arguments.only.split(",")
        unknown = set(names) - {entry["dataset"] for entry in entries}
        if unknown:
            sys.exit(f"speed.py: no such data set: {', '.join(sorted(unknown))}")
        entries = [entry for entry in entries if entry["dataset"] in names]

    bench = ROOT / "build-bench"
    bench.mkdir(exist_ok=True)
    programs = [build(checked_out(arguments.baseline, bench / "baseline"), bench / "baseline-build"),
                build(ROOT, bench / "now")]

    print(f"| data | {arguments.baseline}: wall, processor s | now: wall, processor s | ratio of processor time |")
    print("|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries:
            entry["path"] = arguments.data / entry["file"]
            load = os.getloadavg()[0]
            runs = [[], []]
            for _ in range(arguments.repeat):
                for which, program in enumerate(programs):
                    runs[which].append(times(program, entry, folder))
            least = [(min(wall for wall, _ in of), min(cpu for _, cpu in of)) for of in runs]
            note = f" (load {load:.1f})" if load > .5 else ""
            print(f"| {entry['dataset']} | {least[0][0]:.2f}, {least[0][1]:.2f} | {least[1][0]:.2f}, {least[1][1]:.2f} | "
                  f"{least[1][1] / least[0][1]:.2f}{note} |", flush=True)


if __name__ == "__main__":
    main()
