#!/usr/bin/env python3
"""The program is killed with work in it that was never saved, started again, and offers that work.
Then the same once more, and the work is thrown away. Prints TAP.

check-recovery.py MINTERM    (inside xvfb-run and dbus-run-session)"""
import pathlib
import sys
import tempfile

from outsider import Program, click, find, find_button, finish, open_sample, read_frontier, report, train, wait


def kept(home):
    return sorted(pathlib.Path(home).glob("minterm/recovery/*.minterm"))


def offer(top):
    return find(top, "label", "Minterm closed before your work on")


def press(top, name):
    wait(lambda: (button := find_button(top, name)) and click(button), f"{name} can be pressed")


def main(program):
    home = tempfile.TemporaryDirectory()
    app = Program([program], home.name)
    try:
        top = wait(app.find, "the window is on the bus")
        report("nothing is offered when nothing was lost", "an offer" if offer(top) else None)
        open_sample(top, "Loan approval", "loan-approval")
        train(top)
        before = read_frontier(top)
        report("the work is kept meanwhile", None if len(kept(home.name)) == 1 else f"{kept(home.name)}")
        app.process.kill()
        app.process.wait(20)
        report("it is still there after the kill", None if len(kept(home.name)) == 1 else f"{kept(home.name)}")

        app = Program([program], home.name)
        top = wait(app.find, "the window is on the bus again")
        label = wait(lambda: offer(top), "the work is offered")
        report("the work is offered with its name",
               None if "loan-approval" in label.get_name() and "1 run" in label.get_name() else label.get_name())
        press(top, "Reopen")
        after = read_frontier(top)
        report("every point of the frontier is back", None if before == after else f"{before}\n# {after}")
        wait(lambda: not offer(top), "the offer is gone")
        report("the offer is gone")
        app.process.kill()
        app.process.wait(20)

        app = Program([program], home.name)
        top = wait(app.find, "the window is on the bus a third time")
        wait(lambda: offer(top), "what was reopened and lost again is offered again")
        press(top, "Discard…")
        press(top, "Discard")
        wait(lambda: not kept(home.name), "what is discarded is gone")
        wait(lambda: not offer(top), "the offer goes with it")
        report("what is discarded is gone")
    finally:
        app.end()
    report("nothing is complained about", "\n# ".join(app.complaints()) or None)
    finish()


main(sys.argv[1])
