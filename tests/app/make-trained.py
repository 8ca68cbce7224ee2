"""Trains the projects that the tests of the window open instead of training themselves, once per build.

make-trained.py MINTERM-CLI FOLDER STAMP. For each target a folder with small.csv and small.minterm, trained by the settings
that a new file has in the window.
"""
import os
import pathlib
import subprocess
import sys


def small_rows(target):
    n_rows = 180 if target == "letter" else 400     # nine outputs take their time
    for i in range(n_rows):
        a, b, kind = i * 37 % 101, i * 53 % 89, i % 3
        odd = (a >= 50) != (kind == 1)
        if target == "amount":
            yield f"{a},{b},k{kind},{(40 if odd else 10) + b % 7}.5"
        elif target == "letter":
            yield f"{a},{b % 3},k{kind % 2},{chr(ord('A') + a // 12)}"
        elif target == "level":
            yield f"{a},{b},k{kind},{'high' if odd else 'middle' if b > 60 else 'low'}"
        else:
            yield f"{a},{b},k{kind},{'yes' if odd != (i % 19 == 0) else 'no'}"


def make(cli, folder, target):
    folder.mkdir(parents=True, exist_ok=True)
    table, project = folder / "small.csv", folder / "small.minterm"
    table.write_text("\n".join([f"a,b,kind,{target}", *small_rows(target), ""]))
    project.unlink(missing_ok=True)
    subprocess.run([cli, "sweep", table, "--target", target, "--test-fraction", "0.2", "--restarts", "auto",
                    "--repeats", "0", "-o", project],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, "MINTERM_CUDA_MODULE": "none"})


cli, top = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
for target in ("answer", "yes", "level", "amount", "letter"):
    make(cli, top / target, target)
pathlib.Path(sys.argv[3]).touch()
