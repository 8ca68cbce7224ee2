"""Checks that every room of src/core and src/app uses only the rooms before it, and who uses src/lab.

check-rooms.py SOURCE-FOLDER. Reads the order of the rooms from src/core/meson.build and src/app/meson.build,
and the #include lines of every source. Then it plants forbidden includes in a copy and wants each to be found.
"""
import pathlib
import re
import shutil
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
TOOLKIT = re.compile(r"^(gtk|gdk|gsk|graphene|adwaita)")
PAGES = ("data", "train", "frontier", "rules", "performance", "report", "predict")     # of the window; they do not use each other
WITHOUT_TOOLKIT = ("document", "study", "session")           # rooms of the window that need no screen


def rooms_of(part):
    text = (part / "meson.build").read_text()
    names = re.search(part.name + r"_rooms = \[(.*?)\]", text, re.S)[1]
    return re.findall(r"'([^']+)'", names)


def sources_of(folder):
    return sorted(path for path in folder.rglob("*.[ch]") if "runtime" not in path.parts)


def problems(top):
    """One line for each include that the rules forbid."""
    core, app = top / "src" / "core", top / "src" / "app"
    orders = {core: rooms_of(core), app: rooms_of(app)}
    includes = {}     # of a file: its own headers as paths, those of the system as names
    found = []

    for part, order in orders.items():
        for path in sources_of(part):
            say = str(path.relative_to(top))
            here = path.relative_to(part).parts[0]
            if here not in order and path != core / "mt-core.h":
                found.append(f"{say} lies in no room")
                continue
            includes[path] = []
            for kind, name in INCLUDE.findall(path.read_text()):
                header = next((p for p in (path.parent / name, part / name) if kind == '"' and p.is_file()), None)
                includes[path].append(header or name)
                if header is None:
                    if part == app and (core / name).is_file() and name != "mt-core.h":
                        found.append(f"{say} includes {name}: of core only mt-core.h")
                    if part == core and TOOLKIT.match(name):
                        found.append(f"{say} includes {name}: core knows no GTK")
                    continue
                there = header.relative_to(part).parts[0]
                if path == core / "mt-core.h" or there == here:
                    continue
                if order.index(there) > order.index(here):
                    found.append(f"{say} includes {name} of a later room")
                if name.endswith("-private.h"):
                    found.append(f"{say} includes {name}, which is private to {there}")
                if part == app and here in PAGES and there in PAGES:
                    found.append(f"{say} includes {name} of another page")

    def reaches_toolkit(path, seen):
        if isinstance(path, str) or path in seen:
            return isinstance(path, str) and TOOLKIT.match(path)
        seen.add(path)
        return any(reaches_toolkit(header, seen) for header in includes.get(path, ()))

    for path in includes:
        if path.parent.parent == app and path.parent.name in WITHOUT_TOOLKIT and reaches_toolkit(path, set()):
            found.append(f"{path.relative_to(top)} reaches GTK")
    for path in sources_of(top / "src" / "cli") + sources_of(top / "tests" / "cli"):
        for kind, name in INCLUDE.findall(path.read_text()):
            if kind == '"' and name != "mt-core.h" and (core / name).is_file():
                found.append(f"{path.relative_to(top)} includes {name}: of core only mt-core.h")
    lab = top / "src" / "lab"                # core through mt-core.h; used by one command
    for folder in ("core", "gpu", "app", "cli", "lab"):
        for path in sources_of(top / "src" / folder):
            for kind, name in INCLUDE.findall(path.read_text()):
                say = path.relative_to(top)
                if name.startswith("lab/") and path.name != "mt-cli-reproduce.c":
                    found.append(f"{say} includes {name}: only the command reproduce uses the lab")
                if folder == "lab" and kind == '"' and name not in ("config.h", "mt-core.h") and not (lab / name).is_file():
                    found.append(f"{say} includes {name}: the lab uses core through mt-core.h")
                if folder == "lab" and TOOLKIT.match(name):
                    found.append(f"{say} includes {name}: the lab knows no GTK")
    return found


top = pathlib.Path(sys.argv[1])
found = problems(top)
planted = (("core/base/mt-error.h", '"report/mt-report.h"', "later room"), ("core/draw/mt-axis.h", "<gtk/gtk.h>", "no GTK"),
           ("core/model/mt-model.h", '"logic/mt-qmc-private.h"', "private"), ("cli/mt-cli.h", '"base/mt-json.h"', "only mt-core"),
           ("app/data/mt-data-page.h", '"train/mt-train-page.h"', "another page"), ("app/util/mt-format.h", '"base/mt-json.h"', "only"),
           ("app/util/mt-format.h", '"window/mt-window.h"', "later room"), ("app/util/mt-format.h", "<adwaita.h>", "reaches GTK"),
           ("core/report/mt-report.h", '"lab/mt-lab.h"', "only the command"), ("cli/mt-cli-train.c", '"lab/mt-lab.h"', "only the command"),
           ("lab/mt-lab.h", '"base/mt-json.h"', "through mt-core"))
missed = []
with tempfile.TemporaryDirectory() as folder:
    for part in ("src", "tests"):
        shutil.copytree(top / part, pathlib.Path(folder) / part, ignore=lambda d, names: [n for n in names if n[-2:] in (".o", "cu")])
    for name, what, why in planted:
        path = pathlib.Path(folder) / "src" / name
        text = path.read_text()
        path.write_text(text + f"#include {what}\n")
        missed += [] if any(why in line for line in problems(pathlib.Path(folder))) else [f"{name}: {what}"]
        path.write_text(text)
for line in found + ["not found when planted in " + line for line in missed]:
    print("#", line)
print(f"1..2\n{'not ' if found else ''}ok 1 rooms\n{'not ' if missed else ''}ok 2 planted includes")
sys.exit(bool(found or missed))
