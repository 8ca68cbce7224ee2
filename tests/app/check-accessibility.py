#!/usr/bin/env python3
"""An outsider's view: another process, which knows only what the accessibility bus tells it, goes
from a sample to a trained frontier and reads the frontier's table. Prints TAP.

check-accessibility.py MINTERM    (inside xvfb-run and dbus-run-session)"""
import sys
import tempfile

from outsider import Program, find, finish, open_sample, read_frontier, report, shown, train, wait, walk


def odd_names(top):
    """Buttons on show without a name, with a mnemonic in it, or that say their label twice."""
    names = [node.get_name() or "" for node in walk(top) if node.get_role_name() == "push button" and shown(node)]
    halves = [(name[:len(name) // 2], name[len(name) // 2 + 1:]) for name in names]
    return [name for name, (one, two) in zip(names, halves)
            if not name or name.startswith("Gtk") or one and one == two or "_" in name and not name.startswith("Role and type of ")]


def main(program):
    home = tempfile.TemporaryDirectory()
    app = Program([program], home.name)
    try:
        top = wait(app.find, "the window is on the bus")
        report("the window is on the bus")
        # The three clicks: a sample, Train, the page. It fills when training has ended.
        report("buttons say their words", odd_names(top) or None)
        open_sample(top, "Loan approval", "loan-approval")
        train(top)
        rows = read_frontier(top)
        report("buttons of the frontier say their words", odd_names(top) or None)
        literals = [int(row[0]) for row in rows]
        report("literals ascend", None if literals == sorted(literals) else f"{literals}")
        qualities = [float(row[1].split(" ")[0]) for row in rows]
        report("each row has its quality", None if all(0 <= value <= 1 for value in qualities) else f"{qualities}")
        report("one row is recommended",
               None if sum("Recommended" in row for row in rows) == 1 else f"{rows}")
        plot = find(top, "image", "Plot of quality against model size")
        report("the drawing has a name", None if plot else "no image with that name")
        report("the drawing is summed up in words",
               None if "models" in (plot.get_description() or "") else f"{plot.get_description()!r}")
    finally:
        app.end()
    report("nothing is complained about", "\n# ".join(app.complaints()) or None)
    finish()


main(sys.argv[1])
