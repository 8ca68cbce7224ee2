#!/usr/bin/env python3
"""The program is told to end (SIGTERM, as a session does) while it reads a large file, while it trains and while
it shows what it found. It ends cleanly each time, and what was found and has no name yet is offered afterwards.
Prints TAP.

check-ending.py MINTERM [ROUNDS]    (inside xvfb-run and dbus-run-session)"""
import pathlib
import random
import sys
import tempfile
import time

from outsider import PATIENCE, Program, find, finish, open_sample, pump, read_frontier, report, train, wait

worst = 0.0


def write_large(path):
    draw = random.Random(3)
    lines = [f"{i},{draw.random():.6f},{draw.randrange(1000)},{'abcde'[i % 5]},{draw.choice(['yes', 'no'])}"
             for i in range(20000)]
    with path.open("w") as file:
        file.write("id,share,count,kind,answer\n")
        for _ in range(40):
            file.write("\n".join(lines) + "\n")


def told_to_end(app, what):
    global worst
    begun = time.monotonic()
    app.process.terminate()
    try:
        code = app.process.wait(PATIENCE)
    except Exception as error:  # still there: the test must not leave it behind
        app.process.kill()
        report(what, error)
    worst = max(worst, time.monotonic() - begun)
    report(what, f"it ended with {code}" if code != 0 else "\n# ".join(app.complaints()) or None)


def main(program, rounds):
    draw = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        large = pathlib.Path(folder) / "large.csv"
        write_large(large)
        for i in range(rounds):
            home = tempfile.TemporaryDirectory(dir=folder)
            app = Program([program, str(large)], home.name)
            wait(app.find, "the window is on the bus")
            pump(draw.random() * 1.5)
            told_to_end(app, f"it ends while it reads, {i + 1}")
        for i in range(rounds):
            home = tempfile.TemporaryDirectory(dir=folder)
            app = Program([program], home.name)
            top = wait(app.find, "the window is on the bus")
            open_sample(top, "Loan approval", "loan-approval")
            train(top)
            pump(draw.random() * 2.5)
            told_to_end(app, f"it ends while it trains, {i + 1}")

        home = tempfile.TemporaryDirectory(dir=folder)
        app = Program([program], home.name)
        top = wait(app.find, "the window is on the bus")
        open_sample(top, "Loan approval", "loan-approval")
        train(top)
        read_frontier(top)
        told_to_end(app, "it ends with results that have no name")
        app = Program([program], home.name)
        top = wait(app.find, "the window is on the bus again")
        wait(lambda: find(top, "label", "Minterm was closed before the work on"), "the results are offered")
        report("the results are offered")
        told_to_end(app, "it ends with an offer")
    print(f"# at most {worst:.2f} s from being told to the end")
    finish()


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2)
