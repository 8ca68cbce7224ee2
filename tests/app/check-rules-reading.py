#!/usr/bin/env python3
"""The Rules page as an outsider has it: another process, which knows only what the accessibility bus tells it,
opens a model file whose first term is a numeric column, reads the rules and that column's page, selects some
rules by keyboard alone, and reads the words that stand for the last one's formula and diagram. Prints TAP.

check-rules-reading.py MINTERM MODEL.json    (inside xvfb-run and dbus-run-session)"""
import sys
import tempfile

from outsider import DOWN, TAB, Program, find, find_list, finish, focused, list_rows, press, report, texts, wait, walk

LINES = ("table row", "list item", "row")


def read_rules(page):
    table = wait(lambda: find_list(page, "Rules of the model"), "the rules have a table")
    rows = wait(lambda: [texts(row) for row in list_rows(table) if texts(row)], "its lines can be read")
    report("the rules have a table", None if any("Intercept" in " ".join(row) for row in rows) else f"{rows}")
    report("every line has more than a weight", None if all(len(row) > 1 for row in rows) else f"{rows}")
    return table


def read_rule(page):
    formula = wait(lambda: next((node for node in walk(page) if node.get_name() == "Formula of the rule"), None),
                   "the formula has a name")
    report("the formula is told in words", None if formula.get_description() else "nothing is said of it")
    for words, told in (("free combinations", "shorter"), ("σ(", "probability"), ("Disjunctive", "at least one"),
                        ("Conjunctive", "all of these"), ("r", "where it applies")):
        nodes = [node for node in walk(page) if words in (node.get_name() or "")]
        report(f"“{words}” is explained",
               None if any(told in (node.get_description() or "") for node in nodes)
               else f"{[(node.get_name(), node.get_description()) for node in nodes][:5]}")
    diagram = find(page, "image", "Decision diagram of the rule")
    report("the diagram is told in words", None if diagram and diagram.get_description() else "nothing is said of it")


def tab_to(top, is_it, what):
    """Tab by Tab, as somebody without a pointer."""
    here = None
    for _ in range(40):
        here = focused(top)
        if here is not None and is_it(here):
            report(what)
            return
        press(TAB)
    report(what, f"Tab did not lead there; the last was {here.get_role_name() if here else None}")


def read_column(top):
    """The page of a numeric column: its drawing, in words, and the table with the same."""
    drawing = wait(lambda: find(top, "image", "over its range"), "the column's drawing has a name")
    told = drawing.get_description() or ""
    report("the drawing is told in words", None if "above its mean" in told else f"{told!r}")
    words = texts(top)
    missing = [word for word in ("Values", "smallest", "mean", "largest", "adds") if word not in words]
    report("the same stands in a table", f"no {missing}" if missing else None)


def title_of(top):
    """Of the inspector, which comes after the list that names all of them: "Rule 4"."""
    names = [node.get_name() for node in walk(top)
             if node.get_role_name() == "label" and (node.get_name() or "").startswith("Rule ")]
    return names[-1] if names else None


def select_rules(top, table):
    """By keyboard, one after another; the first lines may be numeric columns, which have no formula."""
    tab_to(top, lambda node: node.get_role_name() in LINES and any(node == row for row in list_rows(table)),
           "the keyboard reaches the rules")
    seen = set()
    for _ in range(12):
        press(DOWN)
        seen.add(title_of(top))
        if len(seen - {None}) > 1:
            break
    report("Down selects one rule after another", None if len(seen - {None}) > 1 else f"{seen}")


def main(program, model):
    home = tempfile.TemporaryDirectory()
    app = Program([program, model], home.name)
    try:
        top = wait(app.find, "the window is on the bus")
        report("the window is on the bus")
        table = read_rules(top)
        read_column(top)
        select_rules(top, table)
        read_rule(top)
    finally:
        app.end()
    report("nothing is complained about", "\n# ".join(app.complaints()) or None)
    finish()


main(*sys.argv[1:])
