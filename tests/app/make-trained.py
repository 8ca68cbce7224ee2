"""Trains the projects that the tests of the window open instead of training themselves, once per build.

make-trained.py MINTERM-CLI SAMPLES FOLDER STAMP. For each project a folder with small.csv and small.minterm, trained by the
settings that a new file has in the window. "loan" is the loan sample.
"""
import os
import pathlib
import subprocess
import sys


def rows_of_rules(target):
    """For the Rules page: an exclusive or, with some noise."""
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


def rows_of_frontier(target):
    for i in range(120):
        a, b, kind = i * 37 % 101, i * 53 % 89, i % 3
        if target == "amount":
            yield f"{a},{b},k{kind},{a * 2 + kind * 11 + b % 7}.5"
        else:
            yield f"{a},{b},k{kind},{'high' if a > 50 and kind == 1 else 'middle' if b > 60 or i % 17 == 0 else 'low'}"


def rows_of_report(target):
    for i in range(120):
        a, b, kind = i * 37 % 101, i * 53 % 89, i % 3
        yield f"{a},{b},k{kind},{'high' if (a > 50 and kind == 1) != (i % 19 == 0) else 'low'}"


def small_table(target, rows):
    return "\n".join([f"a,b,kind,{target}", *rows(target), ""])


def make(cli, folder, target, text):
    folder.mkdir(parents=True, exist_ok=True)
    table, project = folder / "small.csv", folder / "small.minterm"
    table.write_text(text, encoding="utf-8")
    project.unlink(missing_ok=True)
    subprocess.run([cli, "sweep", table, "--target", target, "--test-fraction", "0.2", "--restarts", "auto",
                    "--repeats", "0", "-o", project],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, "MINTERM_CUDA_MODULE": "none"})


cli, samples, top = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).absolute()
for name in ("answer", "yes", "level", "amount", "letter"):
    make(cli, top / name, name, small_table(name, rows_of_rules))
for name in ("level", "amount"):
    make(cli, top / f"frontier-{name}", name, small_table(name, rows_of_frontier))
make(cli, top / "report", "level", small_table("level", rows_of_report))
make(cli, top / "loan", "approved", (samples / "loan-approval.csv").read_text(encoding="utf-8"))
pathlib.Path(sys.argv[4]).touch()
