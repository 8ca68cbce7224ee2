#!/usr/bin/env python3
"""Memory and threads that the system refuses: every command ends, with success or with a sentence, never by a signal, and an old file stays
or the new one is whole. Memory in steps from 26 MB, where the program hardly starts, to 1 GB; threads refused from the first, second … on.

  check-limits.py MINTERM-CLI PRELOADED-FAULTS"""
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

cli, preloaded = sys.argv[1:3]
MEGABYTES = [26, 28, 30, 32, 34, 36, 40, 45, 50, 60, 70, 80, 130, 180, 220, 270, 320, 370, 420, 470, 520, 570, 610, 660, 710, 760, 810, 860, 910, 1000]
counts = {"finished": 0, "told": 0, "not started": 0}


def write_table(path):
    numbers = random.Random(5)
    with open(path, "w") as f:
        f.write("x1,x2,x3,kind,y\n")
        for _ in range(600):
            x = [numbers.gauss(0, 1) for _ in range(3)]
            kind = numbers.choice("abc")
            f.write("%.4f,%.4f,%.4f,%s,%s\n" % (*x, kind, "yes" if x[0] + x[1] * x[2] + (kind == "b") > .4 else "no"))


def attempt(args, output, limit=None, env=None):
    if output:
        with open(output, "w") as f:
            f.write("old")
    done = subprocess.run([cli] + args, capture_output=True, text=True, errors="replace", timeout=120, env=dict(os.environ, **(env or {})),
                          preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None)
    if done.returncode == 127 and "error while loading shared libraries" in done.stderr:
        counts["not started"] += 1      # the system says so, before the program
        return None
    content = open(output).read() if output else ""
    if done.returncode == 0:
        counts["finished"] += 1
        if output and output.endswith(".json"):
            json.loads(content)
        return None
    if done.returncode != 1 or not done.stderr.startswith("minterm-cli: ") or "ERROR" in done.stderr:
        return "ended with %d: %r" % (done.returncode, done.stderr[-200:])
    if output and content != "old":
        return "failed, and the file is not the old one"
    counts["told"] += 1
    return None


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        data, model, old = (os.path.join(folder, name) for name in ("data.csv", "m.json", "out.json"))
        write_table(data)
        train = ["train", data, "--target", "y", "--folds", "2", "--max-literals", "6", "--threads", "4"]
        subprocess.run([cli] + train + ["-o", model], check=True, capture_output=True)
        operations = {"train": (train + ["-o", old], old), "inspect": (["inspect", data], None),
                      "predict": (["predict", model, data, "-o", old + ".csv"], old + ".csv"),
                      "export": (["export", model, "--format", "python", "-o", old + ".py"], old + ".py")}
        cases = [(name, "%d MB" % m, {"limit": m * 1000 * 1000}) for name in operations for m in MEGABYTES]
        cases += [(name, "threads from %d" % n, {"env": {"LD_PRELOAD": preloaded, "MT_FAULT_THREADS": str(n)}})
                  for name in operations for n in (1, 2, 3, 4, 6)]
        for name in operations:
            problems = []
            for case, what, how in cases:
                if case == name:
                    problem = attempt(*operations[name], **how)
                    if problem:
                        problems.append("%s: %s" % (what, problem))
            failed += bool(problems)
            print("%s - %s" % ("not ok" if problems else "ok", name), flush=True)
            for problem in problems:
                print("# " + problem)
        print("# %(finished)d finished, %(told)d told what is lacking, %(not started)d were not started by the system" % counts)
    print("1..%d" % len(operations))
    return failed > 0


sys.exit(main())
