#!/usr/bin/env python3
"""The program is told to end (SIGTERM, or by a session's manager, as at a logout) while it reads a large file, while it
trains and while it shows what it found. It ends cleanly each time, and what was found and has no name yet is offered
afterwards. The manager, which asks first, hears what speaks against it. Prints TAP.

check-ending.py MINTERM [ROUNDS]    (inside xvfb-run and dbus-run-session)"""
import pathlib
import random
import sys
import tempfile
import time

from gi.repository import Gio, GLib

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


class Session:
    """As much of GNOME's session manager as a program talks to."""

    NAME, PATH = "org.gnome.SessionManager", "/org/gnome/SessionManager"
    LOGOUT = 1   # of the flags of an objection
    XML = """<node>
      <interface name="org.gnome.SessionManager">
        <method name="RegisterClient"><arg type="s" direction="in"/><arg type="s" direction="in"/>
          <arg type="o" direction="out"/></method>
        <method name="UnregisterClient"><arg type="o" direction="in"/></method>
        <method name="Inhibit"><arg type="s" direction="in"/><arg type="u" direction="in"/>
          <arg type="s" direction="in"/><arg type="u" direction="in"/><arg type="u" direction="out"/></method>
        <method name="Uninhibit"><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.gnome.SessionManager.ClientPrivate">
        <method name="EndSessionResponse"><arg type="b" direction="in"/><arg type="s" direction="in"/></method>
        <signal name="QueryEndSession"><arg type="u"/></signal>
        <signal name="EndSession"><arg type="u"/></signal>
      </interface>
    </node>"""

    def __init__(self):
        self.client = None       # its path and its name on the bus
        self.objections = {}     # reasons against a logout, by cookie
        self.n_clients = self.n_cookies = self.n_answers = 0
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        self.interfaces = Gio.DBusNodeInfo.new_for_xml(self.XML).interfaces
        self.bus.register_object(self.PATH, self.interfaces[0], self.called, None, None)
        self.bus.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                           GLib.Variant("(su)", (self.NAME, 4)), None, 0, -1, None)

    def called(self, bus, sender, path, interface, method, arguments, call):
        answer = None
        if method == "RegisterClient":
            self.n_clients += 1
            self.client = f"{self.PATH}/Client{self.n_clients}", sender
            bus.register_object(self.client[0], self.interfaces[1], self.called, None, None)
            answer = GLib.Variant("(o)", (self.client[0],))
        elif method == "Inhibit":
            self.n_cookies += 1
            if arguments[3] & self.LOGOUT:
                self.objections[self.n_cookies] = arguments[2]
            answer = GLib.Variant("(u)", (self.n_cookies,))
        elif method == "Uninhibit":
            self.objections.pop(arguments[0], None)
        elif method == "EndSessionResponse":
            self.n_answers += 1
        call.return_value(answer)

    def tell(self, signal):
        path, name = self.client
        self.bus.emit_signal(name, path, "org.gnome.SessionManager.ClientPrivate", signal, GLib.Variant("(u)", (0,)))

    def ask(self):
        """If the session may end: the reasons against it."""
        before = self.n_answers
        self.tell("QueryEndSession")
        wait(lambda: self.n_answers > before, "the session is answered")
        return sorted(self.objections.values())

    def forget(self):
        self.client = None
        self.objections.clear()


def wait_gone(app):
    """Its exit code; the bus goes on meanwhile."""
    end = time.monotonic() + PATIENCE
    while app.process.poll() is None and time.monotonic() < end:
        pump(0.01)
    return app.process.wait(0)


def told_to_end(app, what, session=None):
    global worst
    begun = time.monotonic()
    if session is None:
        app.process.terminate()
    else:
        session.tell("EndSession")
    try:
        code = wait_gone(app)
    except Exception as error:  # still there: the test must not leave it behind
        app.process.kill()
        report(what, error)
    worst = max(worst, time.monotonic() - begun)
    report(what, f"it ended with {code}" if code != 0 else "\n# ".join(app.complaints()) or None)


def log_out(program, rounds, folder, large, draw):
    session = Session()

    def start(arguments=()):
        session.forget()
        app = Program([program, *arguments], tempfile.mkdtemp(dir=folder))
        top = wait(app.find, "the window is on the bus")
        wait(lambda: session.client, "the session knows of it")
        return app, top

    def refuse(objections, expected, what):
        report(what, None if objections == expected else f"the session hears {objections}, not {expected}")

    for i in range(rounds):
        app, top = start([str(large)])
        pump(draw.random() * 1.5)
        told_to_end(app, f"a session ends while it reads, {i + 1}", session)
    for i in range(rounds):
        app, top = start()
        open_sample(top, "Loan approval", "loan-approval")
        train(top)
        pump(draw.random() * 2.5)
        told_to_end(app, f"a session ends while it trains, {i + 1}", session)
    app, top = start()
    refuse(session.ask(), [], "nothing speaks against the end of a session")
    open_sample(top, "Loan approval", "loan-approval")
    train(top)
    wait(lambda: session.objections, "training is known to the session")
    refuse(session.ask(), ["Training in progress"], "a session that would end is told of the training")
    read_frontier(top)
    refuse(session.ask(), ["Results not saved yet"], "a session that would end is told of the results")
    told_to_end(app, "a session ends with results that have no name", session)
    again = Program([program], app.home)
    top = wait(again.find, "the window is on the bus again")
    wait(lambda: find(top, "label", "Minterm closed before your work on"), "the results are offered")
    report("the results are offered after the session")
    told_to_end(again, "it ends with an offer of the session")


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
        wait(lambda: find(top, "label", "Minterm closed before your work on"), "the results are offered")
        report("the results are offered")
        told_to_end(app, "it ends with an offer")
        log_out(program, rounds, folder, large, draw)
    print(f"# at most {worst:.2f} s from being told to the end")
    finish()


main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2)
