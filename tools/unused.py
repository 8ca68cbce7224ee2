#!/usr/bin/env python3
"""Functions of src that nothing in src calls: those that only tests call, and those that nobody calls.

  tools/unused.py            the lists
  tools/unused.py --check    fails if a function is called by nobody, or by tests only and not in tools/unused-kept.txt

A function is one whose name begins a line, as the code style has it. A call is its name anywhere else in a .c, .cpp, .cu or .ui file, and
g_autoptr () of its type where it frees that."""
import collections
import pathlib
import re
import sys

top = pathlib.Path(__file__).resolve().parent.parent
NAME = re.compile(r"\b_?mt_\w+")
DEFINED = re.compile(r"^(?P<before>.*)\n(?P<name>_?mt_\w+) \((?P<rest>[^;{]*)\)\s*\n\{", re.MULTILINE)
CLEANUP = re.compile(r"G_DEFINE_(?:AUTOPTR|AUTO)_CLEANUP(?:_CLEAR)?_FUNC \((\w+), (\w+)")


def read(folder, suffixes):
    return {path: re.sub(r'("(?:[^"\\\n]|\\.)*")|/\*.*?\*/', lambda found: found.group(1) or " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
            for path in sorted((top / folder).rglob("*")) if path.suffix in suffixes and path.is_file()}


def main():
    sources = read("src", (".c", ".cpp", ".cu", ".h"))
    sources.update(read("data", (".ui",)))
    tests = read("tests", (".c", ".cpp", ".h"))
    tests.update(read("bench", (".c",)))
    defined, ours, theirs = {}, collections.Counter(), collections.Counter()
    for path, text in sources.items():
        if path.suffix == ".c":
            for found in DEFINED.finditer(text):
                if not found.group("before").startswith("static"):
                    defined[found.group("name")] = path
    cleanups = {function: type for text in sources.values() for type, function in CLEANUP.findall(text)}
    for path, text in sources.items():
        # A header only declares, but for its macros and inline functions.
        body = text if path.suffix != ".h" else "\n".join(re.findall(r"#\s*define(?:[^\\\n]|\\.)*|static inline.*?\n\}", text, re.DOTALL))
        ours.update(NAME.findall(body))
    for text in tests.values():
        theirs.update(NAME.findall(text))
    everything = {"src": "\n".join(t for p, t in sources.items() if p.suffix != ".h"), "tests": "\n".join(tests.values())}
    kept = {line.split()[0] for line in (top / "tools/unused-kept.txt").read_text(encoding="utf-8").splitlines() if line and line[0] != "#"}
    by_tests, by_none = [], []
    for name, path in sorted(defined.items()):
        if name.endswith("_get_type"):
            continue
        auto = re.compile(r"g_auto(?:ptr)? \(%s\)" % cleanups[name]) if name in cleanups else None
        here = ours[name] - 1 + (len(auto.findall(everything["src"])) if auto else 0)
        if here > 0:
            continue
        there = theirs[name] + (len(auto.findall(everything["tests"])) if auto else 0)
        (by_tests if there else by_none).append((name, path.relative_to(top)))
    wrong = [(name, path) for name, path in by_none] + [(name, path) for name, path in by_tests if name not in kept]
    gone = sorted(kept - {name for name, _ in by_tests})
    if "--check" not in sys.argv:
        for title, found in (("nobody calls", by_none), ("only tests call", by_tests)):
            print("%s: %d" % (title, len(found)))
            for name, path in found:
                print("  %-48s %s%s" % (name, path, "  (kept)" if name in kept else ""))
        return 0
    print("1..1\n%s 1 - %d functions, %d that only tests call" % ("ok" if not wrong and not gone else "not ok", len(defined), len(by_tests)))
    for name, path in wrong:
        print("# nothing in src calls %s (%s): delete it, make it static, or give the reason in tools/unused-kept.txt" % (name, path))
    for name in gone:
        print("# tools/unused-kept.txt names %s, which is gone or is called" % name)
    return 1 if wrong or gone else 0


sys.exit(main())
