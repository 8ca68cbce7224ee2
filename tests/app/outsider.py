"""What the tests share that look at the real program from outside: another process, which knows only
what the accessibility bus tells it. Prints TAP; run inside xvfb-run and dbus-run-session."""
import os
import pathlib
import subprocess
import sys
import time

PATIENCE = int(os.environ.get("MINTERM_PATIENCE", 90))  # seconds; a busy machine is no failure


def skip(why):
    print(f"1..0 # SKIP {why}")
    sys.exit(0)


try:
    import gi
    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi, GLib
except (ImportError, ValueError) as error:
    skip(f"the accessibility bus cannot be read: {error}")
if "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
    skip("there is no session bus")
Atspi.set_timeout(PATIENCE * 1000, PATIENCE * 1000)  # of one question; the library's own is 0.8 s

count = 0


def report(name, problem=None):
    global count
    count += 1
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    if problem:
        print(f"# {problem}")
        print(f"1..{count}")
        sys.exit(1)


def finish():
    print(f"1..{count}")


def pump(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        GLib.MainContext.default().iteration(False)
        time.sleep(0.01)


def wait(find, what):
    """What find() gives once it gives something; what it finds may change under its feet."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            found = find()
        except GLib.Error:
            found = None
        if found:
            return found
        pump(0.15)
    report(what, f"not within {PATIENCE} s")


def walk(node):
    node.clear_cache()
    yield node
    for i in range(node.get_child_count()):
        child = node.get_child_at_index(i)
        if child is not None:
            yield from walk(child)


def usable(node):
    states = node.get_state_set()
    return states.contains(Atspi.StateType.VISIBLE) and states.contains(Atspi.StateType.SENSITIVE)


def shown(node):
    """Has a place on the screen; GTK 4.8 sets no state for it."""
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    return box.width > 0 and box.height > 0


def find(top, role, name):
    for node in walk(top):
        if node.get_role_name() == role and name in (node.get_name() or "") and usable(node):
            return node
    return None


def find_button(top, name):
    """By its whole name, so that none says more than its label."""
    for node in walk(top):
        if node.get_role_name() == "push button" and node.get_name() == name and usable(node):
            return node
    return None


def click(node):
    return Atspi.Action.do_action(node, 0)


def point_and_click(node):
    """For what has no action of its own. Without a window manager the window is at the screen's corner."""
    box = Atspi.Component.get_extents(node, Atspi.CoordType.WINDOW)
    Atspi.generate_mouse_event(box.x + box.width // 2, box.y + box.height // 2, "b1c")


TAB, DOWN = 0xff09, 0xff54   # keysyms


def press(key):
    Atspi.generate_keyboard_event(key, None, Atspi.KeySynthType.SYM)
    pump(0.3)


def focused(top):
    """What has the keyboard, as far as the bus tells."""
    for node in walk(top):
        if node.get_state_set().contains(Atspi.StateType.FOCUSED):
            return node
    return None


def texts(node):
    """The words of a row, cell by cell."""
    words = [item.get_name() for item in walk(node) if item.get_role_name() == "label"]
    return [word for word in words if word]


class Program:
    """The program, with a home of its own; what it complains about is kept."""

    def __init__(self, arguments, home):
        self.home = pathlib.Path(home)
        self.errors = self.home / "errors"
        environment = dict(os.environ, HOME=home, XDG_DATA_HOME=home, XDG_CONFIG_HOME=home, XDG_CACHE_HOME=home,
                           XDG_STATE_HOME=home)
        with self.errors.open("a") as stream:
            self.process = subprocess.Popen(arguments, env=environment, stderr=stream)

    def find(self):
        """It on the bus; None: not yet there."""
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child is not None and child.get_process_id() == self.process.pid and child.get_child_count() > 0:
                return child
        return None

    def end(self):
        self.process.terminate()
        self.process.wait(20)

    def complaints(self):
        return [line for line in self.errors.read_text().splitlines()
                if "CRITICAL" in line or "WARNING" in line and "fontconfig" not in line.lower()]


def open_sample(top, title, name):
    """Clicks until it is open: the first clicks may come before the row is where it says."""
    sample = wait(lambda: find(top, "list item", title), "the sample is offered")

    def opened():
        if find(top, "frame", name):
            return True
        point_and_click(sample)
        pump(1)
        return find(top, "frame", name)

    wait(opened, "a sample opens")
    report("a sample opens")


def train(top):
    def pressed():
        button = find_button(top, "Train")
        return button is not None and click(button)

    wait(pressed, "Train can be pressed")
    report("Train can be pressed")


def find_list(top, name):
    return find(top, "table", name) or find(top, "list", name) or find(top, "tree table", name)


def list_rows(node):
    return [item for item in walk(node) if item.get_role_name() in ("table row", "list item", "row")]


def read_frontier(top):
    """Its rows, once training has ended and the page was chosen."""
    wait(lambda: (tab := find(top, "page tab", "Frontier")) and click(tab), "the Frontier page can be chosen")
    table = wait(lambda: find_list(top, "Models of the frontier"), "the frontier has a table")
    report("the frontier has a table")

    def read_rows():
        rows = [texts(node) for node in list_rows(table)]
        rows = [row for row in rows if row and row[0].isdigit()]
        return rows if len(rows) > 2 and any("Recommended" in row for row in rows) else None

    rows = wait(read_rows, "its rows can be read")
    report("its rows can be read")
    return rows
