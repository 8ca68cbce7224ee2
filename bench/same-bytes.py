#!/usr/bin/env python3
"""The same models from minterm-cli as several compilers build it. Builds it four times (gcc and clang, -O0 and -O2), trains on generated tables
with each, and compares the files.

  bench/same-bytes.py FOLDER       where the builds go; an hour of processor time from nothing, seconds from then on"""
import hashlib
import os
import pathlib
import random
import subprocess
import sys

BUILDS = [("gcc-O2", "gcc", "2"), ("gcc-O0", "gcc", "0"), ("clang-O2", "clang", "2"), ("clang-O0", "clang", "0")]
top = pathlib.Path(__file__).resolve().parent.parent
folder = pathlib.Path(sys.argv[1]).resolve()


def build(name, compiler, level):
    to = folder / name
    if not (to / "build.ninja").exists():
        subprocess.run(["meson", "setup", to, top, "-Doptimization=" + level, "-Ddebug=false"], check=True, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, CC=compiler))
    subprocess.run(["ninja", "-C", to, "src/cli/minterm-cli"], check=True, stdout=subprocess.DEVNULL)
    return to / "src/cli/minterm-cli"


def write_table(path, task, seed):
    numbers = random.Random(seed)
    with open(path, "w") as f:
        f.write("x1,x2,x3,kind,when,y\n")
        for r in range(200):
            a, b, c, kind = numbers.gauss(0, 2), numbers.expovariate(.3), numbers.randint(0, 9), numbers.choice("abcd")
            score = a - .4 * b + (1.3 if kind == "b" and c > 4 else 0) + numbers.gauss(0, .8)
            y = {"binary": "yes" if score > 0 else "no", "multiclass": "low" if score < -1 else "high" if score > 1 else "middle",
                 "regression": "%.3f" % score}[task]
            f.write("%.4f,%.4f,%d,%s,20%02d-%02d-11,%s\n" % (a, b, c, kind, r % 24, r % 12 + 1, y))


def main():
    clis = [(name, build(name, compiler, level)) for name, compiler, level in BUILDS]
    tried = same = 0
    data, model = folder / "data.csv", folder / "model.json"
    for task in ("binary", "multiclass", "regression"):
        for seed in (1, 2, 3):
            for more in ([], ["--method", "search"]):
                write_table(data, task, seed)
                sums = {}
                for name, cli in clis:
                    subprocess.run([cli, "train", data, "--target", "y", "--folds", "3", "--threads", "1", "-o", model] + more, check=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    sums[name] = hashlib.sha256(model.read_bytes()).hexdigest()
                    model.unlink()
                    model.with_suffix(".record.json").unlink(missing_ok=True)
                for name in sums:
                    if name != BUILDS[0][0]:
                        tried += 1
                        same += sums[name] == sums[BUILDS[0][0]]
                        if sums[name] != sums[BUILDS[0][0]]:
                            print("%s, seed %d%s: %s is not what %s gives" % (task, seed, " " + " ".join(more) if more else "", name, BUILDS[0][0]))
    print("%d of %d models have the same bytes as from %s" % (same, tried, BUILDS[0][0]))
    return 0 if tried == same else 1


sys.exit(main())
