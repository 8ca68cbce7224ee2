#!/usr/bin/env python3
"""Checks what makes the program a citizen of the desktop: desktop entry, metainfo, settings
schema, MIME type, resources, translations, Flatpak manifest. Prints TAP.

check-integration.py SOURCE BUILD APP_ID"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

source, build, app_id = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
count = 0


def report(name, problem):
    """One TAP line; problem is None, or what is wrong."""
    global count
    count += 1
    print(f"{'not ok' if problem else 'ok'} {count} {name}")
    for line in str(problem or "").splitlines():
        print("# " + line)


def skip(name, why):
    global count
    count += 1
    print(f"ok {count} {name} # SKIP {why}")


def run(name, *command):
    if shutil.which(command[0]) is None:
        return skip(name, f"{command[0]} is not installed")
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    report(name, None if done.returncode == 0 else done.stdout)


def translatable_files():
    """Every file with a string that should be translated."""
    found = set()
    for path in sorted([*source.glob("src/app/**/*.c"), *source.glob("src/core/**/*.c")]):
        if re.search(r"\b(_|N_|C_|NC_|ngettext) ?\(\"", re.sub(r"\s+", " ", path.read_text())):
            found.add(path)
    for path in source.glob("data/ui/*.ui"):
        if 'translatable="yes"' in path.read_text():
            found.add(path)
    found.update(source.glob("data/*.in.in"))
    found.update(source.glob("data/*.gschema.xml"))
    return {str(path.relative_to(source)) for path in found}


def check_potfiles():
    listed = (source / "po/POTFILES.in").read_text().split()
    missing = sorted(translatable_files() - set(listed))
    gone = [name for name in listed if not (source / name).exists()]
    report("POTFILES.in is complete", f"not listed: {missing}" if missing else None)
    report("POTFILES.in names files that exist", f"gone: {gone}" if gone else None)
    report("POTFILES.in is sorted", None if listed == sorted(listed) else "sort it")


def check_plurals():
    """What the window says of a number of things that can be one has a form for one; a rate has none."""
    call = r'(?<!\w)_\s*\(((?:\s*"(?:[^"\\]|\\.)*")+)\)'
    counted = r"%(?:\d\$)?(?:u|zu|s) (?:rows|columns|runs|folds|epochs|models|literals|levels|rules|threads|networks)\b(?!/)"
    wrong = []
    for path in sorted(source.glob("src/app/**/*.c")):
        for match in re.finditer(call, path.read_text()):
            text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', match.group(1)))
            if re.search(counted, text):
                wrong.append(f"{path.name}: {text}")
    report("numbers of things have plural forms", "\n".join(wrong) or None)


def check_translations():
    languages = (source / "po/LINGUAS").read_text().split()
    report("there is a translation", None if languages else "LINGUAS is empty")
    if shutil.which("xgettext") is None:
        return skip("translations are complete", "gettext is not installed")
    with tempfile.TemporaryDirectory() as folder:
        pot = pathlib.Path(folder) / "minterm.pot"
        done = subprocess.run(["xgettext", "--files-from=po/POTFILES.in", f"--output={pot}", "--from-code=UTF-8",
                               "--add-comments", "--keyword=_", "--keyword=N_", "--keyword=C_:1c,2", "--keyword=NC_:1c,2"],
                              cwd=source, capture_output=True, text=True)
        if done.returncode != 0:
            return report("strings can be extracted", done.stderr)
        for language in languages:
            po = source / "po" / f"{language}.po"
            merged = pathlib.Path(folder) / f"{language}.po"
            subprocess.run(["msgmerge", "--quiet", "--no-fuzzy-matching", f"--output-file={merged}", str(po),
                            str(pot)], check=True)
            done = subprocess.run(["msgfmt", "--check", "--statistics", "--output-file=/dev/null", str(merged)],
                                  capture_output=True, text=True, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
            wrong = done.returncode != 0 or re.search(r"untranslated|fuzzy", done.stderr)
            if wrong:
                missing = subprocess.run(["msgattrib", "--untranslated", "--no-wrap", str(merged)],
                                         capture_output=True, text=True).stdout
                report(f"{language} is complete", done.stderr + missing)
            else:
                report(f"{language} is complete", None)


def check_resources():
    tree = ElementTree.parse(source / "data/minterm.gresource.xml")
    listed = {element.text for element in tree.iter("file")}
    ui = {str(path.relative_to(source / "data")) for path in source.glob("data/ui/*.ui")}
    icons = {str(path.relative_to(source / "data")) for path in source.glob("data/icons/actions/*.svg")}
    missing = sorted((ui | icons) - listed)
    report("resources hold every ui file and icon", f"not listed: {missing}" if missing else None)
    text = "".join(path.read_text() for path in [*source.glob("src/app/**/*.c"), *source.glob("data/ui/*.ui")])
    used = set(re.findall(r"minterm-[a-z-]+-symbolic", text))
    lost = sorted(name for name in used if f"icons/actions/{name}.svg" not in listed)
    report("every icon of our own exists", f"missing: {lost}" if lost else None)


def check_desktop():
    text = (build / f"data/{app_id}.desktop").read_text()
    kinds = re.search(r"^MimeType=(.*)$", text, re.M).group(1).split(";")
    wanted = {"text/csv", "application/x-minterm"} - set(kinds)
    report("the desktop entry opens CSV files and projects", f"missing: {wanted}" if wanted else None)
    report("the desktop entry is translated", None if "Comment[de]=" in text else "no Comment[de]")
    mime = ElementTree.parse(source / "data/io.github.minterm.Minterm.mime.xml")
    globs = [element.get("pattern") for element in mime.iter() if element.tag.endswith("glob")]
    report("the MIME type knows its files", None if globs == ["*.minterm"] else f"{globs}")


def check_pictures():
    tree = ElementTree.parse(build / f"data/{app_id}.metainfo.xml")
    names = [element.text.rsplit("/", 1)[1] for element in tree.iter("image")]
    names += re.findall(r"docs/images/([a-z-]+\.png)", (source / "README.md").read_text())
    missing = sorted({name for name in names if not (source / "docs/images" / name).exists()})
    report("every picture that is named exists", f"missing in docs/images: {missing}" if missing else None)


def check_flatpak():
    manifest = json.loads((source / "flatpak/io.github.minterm.Minterm.json").read_text())
    problems = []
    if manifest.get("id") != "io.github.minterm.Minterm" or manifest.get("command") != "minterm":
        problems.append("id or command")
    if manifest.get("runtime") != "org.gnome.Platform" or manifest.get("sdk") != "org.gnome.Sdk":
        problems.append("runtime or sdk")
    if not re.fullmatch(r"[0-9]+", manifest.get("runtime-version", "")) or int(manifest["runtime-version"]) < 51:
        problems.append("runtime-version")
    if any(re.match(r"--(share=network|filesystem|talk-name)", arg) for arg in manifest["finish-args"]):
        problems.append("asks for more than a display and the graphics device")
    if "--device=dri" not in manifest["finish-args"]:
        problems.append("no graphics device")
    for module in manifest["modules"]:
        for part in module["sources"]:
            if "url" in part or part["type"] not in ("dir", "archive") or not part.get("path"):
                problems.append(f"{module['name']}: {part}")
    if [module["name"] for module in manifest["modules"]][-1] != "minterm":
        problems.append("the program is not the last module")
    report("the Flatpak manifest is sound", "\n".join(problems) or None)


run("the desktop entry is valid", "desktop-file-validate", str(build / f"data/{app_id}.desktop"))
run("the metainfo is valid", "appstreamcli", "validate", "--no-net", "--pedantic",
    str(build / f"data/{app_id}.metainfo.xml"))
run("the settings schema is valid", "glib-compile-schemas", "--strict", "--dry-run", str(source / "data"))
check_desktop()
check_resources()
check_potfiles()
check_plurals()
check_translations()
check_pictures()
check_flatpak()
print(f"1..{count}")
