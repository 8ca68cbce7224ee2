#!/usr/bin/env python3
"""The same model bytes on any processor: training with the C library's versions for older processors, with each kind of kernels that runs here,
with another number of threads, and, where qemu is installed, on a processor without AVX and FMA.

  check-processors.py MINTERM-CLI"""
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile

cli = sys.argv[1]
OLD_C = "glibc.cpu.hwcaps=-FMA,-AVX2,-FMA_Usable,-AVX2_Usable,-AVX512F"


def table(task):
    numbers = random.Random(7)
    lines = ["x1,x2,kind,y"]
    for _ in range(160):
        a, b, kind = numbers.gauss(0, 2), numbers.expovariate(.3), numbers.choice("abc")
        score = a - .4 * b + (1.3 if kind == "b" else 0) + numbers.gauss(0, .8)
        y = {"binary": "yes" if score > 0 else "no", "multiclass": "low" if score < -1 else "high" if score > 1 else "middle",
             "regression": "%.3f" % score}[task]
        lines.append("%.4f,%.4f,%s,%s" % (a, b, kind, y))
    return "\n".join(lines) + "\n"


def train(path, model, extra, env=None, before=()):
    for old in (model, model.replace(".json", ".record.json")):
        if os.path.exists(old):
            os.unlink(old)
    done = subprocess.run([*before, cli, "train", path, "--target", "y", "--folds", "3", "-o", model] + extra, capture_output=True, text=True,
                          env=dict(os.environ, **(env or {})), timeout=900)
    if done.returncode != 0:
        return "ended with %d: %s" % (done.returncode, done.stderr[-200:])
    with open(model, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()


def main():
    ways = [("an older C library's functions", {"GLIBC_TUNABLES": OLD_C}, []), ("three threads", {}, ["--threads", "3"])]
    with open("/proc/cpuinfo") as f:
        flags = f.read()
    ways += [("kernels: " + kind, {"MINTERM_KERNELS": kind}, []) for kind in ("avx512", "avx2", "scalar")
             if kind == "scalar" or kind.replace("avx512", "avx512f") in flags]
    qemu = shutil.which("qemu-x86_64")
    planned = [(task, way) for task in ("binary", "multiclass", "regression") for way in ways]
    failed = number = 0
    print("1..%d" % (len(planned) + 1))
    with tempfile.TemporaryDirectory() as folder:
        path, model = os.path.join(folder, "data.csv"), os.path.join(folder, "m.json")
        expected = {}
        for task, (name, env, extra) in planned:
            if task not in expected:
                with open(path, "w") as f:
                    f.write(table(task))
                expected[task] = train(path, model, ["--threads", "1"])
            got = train(path, model, extra or ["--threads", "1"], env)
            number += 1
            same = got == expected[task] and len(got) == 64
            failed += not same
            print("%s %d %s, %s" % ("ok" if same else "not ok", number, task, name), flush=True)
            if not same:
                print("# %s after %s" % (got, expected[task]))
        number += 1
        if qemu is None:
            print("ok %d Nehalem # SKIP qemu-user is not installed" % number)
        else:
            with open(path, "w") as f:
                f.write(table("multiclass"))
            small = ["--threads", "1", "--max-literals", "8", "--bits", "3", "--restarts", "0", "--folds", "2"]
            here = train(path, model, small)
            there = train(path, model, small, before=[qemu, "-cpu", "Nehalem"])
            same = here == there and len(here) == 64
            failed += not same
            print("%s %d Nehalem" % ("ok" if same else "not ok", number))
            if not same:
                print("# %s after %s" % (there, here))
    return failed > 0


sys.exit(main())
