#!/usr/bin/env python3
"""Checks README.md and docs/ against the files and the program: check-docs.py SOURCE MINTERM_CLI

  - every relative link and picture exists, and so does the heading that a link names;
  - every picture in docs/images is shown by some page or the metainfo, and every page is linked from docs/README.md;
  - the help of the window has the pages that the guide leads to, and the pictures of all pages it has;
  - the comparison in README.md has the figures of docs/benchmarks-accuracy.md;
  - every option of `minterm-cli COMMAND` in a fenced console or sh block is in `minterm-cli COMMAND --help`;
  - statements that were false once, and words that are not plain English, are in no page and in no .ui file.
Prints TAP. The last check plants a fault for each of the others in a copy and expects it to be found.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from xml.etree import ElementTree

source, cli = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
docs = source / "docs"
pages = [source / "README.md", source / "CONTRIBUTING.md", *sorted(docs.rglob("*.md"))]
fence = re.compile(r"^```([a-z]*)\n(.*?)^```$", re.S | re.M)
link = re.compile(r"(!?)\[[^\]]*\]\(([^)\s]+)\)")
number = 0
failed = False


def report(name, problems):
    global number, failed
    number += 1
    failed |= bool(problems)
    print(f"{'not ok' if problems else 'ok'} {number} {name}")
    for problem in problems:
        print(f"# {problem}")


def prose(page):
    """The page without code, in which brackets mean other things."""
    return re.sub(r"`[^`\n]+`", "", fence.sub("", page.read_text()))


def links(page):
    """(is a picture, target) of each relative link."""
    return [(bool(mark), target) for mark, target in link.findall(prose(page)) if "://" not in target]


@cache
def anchors(page):
    heads = re.findall(r"^#+ +(.*)$", fence.sub("", page.read_text()), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower().strip()).replace(" ", "-") for head in heads}


def path_of(page, target):
    bare = target.partition("#")[0]
    return (page.parent / bare).resolve() if bare else page


def check_links():
    problems = []
    for page in pages:
        for _, target in links(page):
            path, anchor = path_of(page, target), target.partition("#")[2]
            if not path.exists():
                problems.append(f"{page.relative_to(source)}: {target} is not there")
            elif anchor and path.suffix == ".md" and anchor not in anchors(path):
                problems.append(f"{page.relative_to(source)}: {target} has no such heading")
    report("every link leads somewhere", problems)


def check_pictures():
    shown = {path_of(page, target) for page in pages for is_picture, target in links(page) if is_picture}
    metainfo = "".join(path.read_text() for path in source.glob("data/*.metainfo.xml.in.in"))
    shown |= {docs / "images" / name for name in re.findall(r"/images/([\w-]+\.png)", metainfo)}
    problems = [f"{path.relative_to(source)} is shown nowhere" for path in (docs / "images").iterdir() if path not in shown]
    problems += [f"{path.relative_to(source)} is not there" for path in shown if not path.exists()]
    report("every picture is shown, and every one shown is there", problems)


def check_index():
    index = docs / "README.md"
    listed = {path_of(index, target) for _, target in links(index)}
    report("the index has every page", [f"docs/README.md does not link {page.relative_to(source)}" for page in docs.rglob("*.md")
                                        if page not in listed and page != index])


def check_help():
    tree = ElementTree.parse(source / "data/minterm.gresource.xml")
    inside = {(source / "data" / element.text).resolve() for element in tree.iter("file")}
    inside = {path for path in inside if docs in path.parents}
    problems = [] if docs / "guide.md" in inside else ["no guide.md"]
    for page in sorted(path for path in inside if path.suffix == ".md"):
        for is_picture, target in links(page):
            path = path_of(page, target)
            if path not in inside and (is_picture or (page.name == "guide.md" and path.suffix == ".md")):
                problems.append(f"{page.relative_to(source)} needs {path.relative_to(source)} in data/minterm.gresource.xml")
    report("help has the pages that the guide leads to, and their pictures", problems)


@cache
def options_of(command):
    done = subprocess.run([cli, *command.split(), "--help"], capture_output=True, text=True, check=False)
    return set(re.findall(r"(?<![\w-])(--?[A-Za-z][\w-]*)", done.stdout)) if done.returncode == 0 else None


def commands(text):
    """minterm-cli lines of a block, continued ones joined, without comments, quotes and what follows a pipe."""
    text = re.sub(r"\\\n", " ", text)
    for line in text.splitlines():
        line = re.sub(r'"[^"]*"|\'[^\']*\'', "x", line)
        for part in re.split(r"[|;&>]|\s#", line):
            words = part.replace("$ ", "", 1).split()
            if words and words[0].rsplit("/", 1)[-1] == "minterm-cli":
                yield words[1:]


def check_options():
    problems, n = [], 0
    for page in pages:
        for kind, text in fence.findall(page.read_text()):
            if kind not in ("console", "sh"):
                continue
            for words in commands(text):
                command = " ".join(words[:2] if words[:1] == ["bench"] else words[:1])
                known = options_of(command)
                n += 1
                if known is None:
                    problems.append(f"{page.relative_to(source)}: minterm-cli {command} is no command")
                    continue
                problems += [f"{page.relative_to(source)}: minterm-cli {command} has no {word}" for word in words[1:]
                             if word.startswith("-") and word != "-" and not word[1:2].isdigit() and
                             word.partition("=")[0] not in known]
    report("every option shown is known", problems if n > 0 else ["no command was found"])


def check_figures():
    """README: | data (metric) | literals → score | score at size | literals → score |, rounded."""
    table, data, problems = {}, None, []
    for line in (docs / "benchmarks-accuracy.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 12 or not cells[6].startswith("0."):
            continue
        data = cells[0] or data
        table[data, "single" if "single" in cells[5] else "" if cells[0] else "other"] = cells
    rows = re.findall(r"^\| ([\w-]+) \([A-Z²]+\) \| (\d+) → (\.\d+) \| (\.\d+) at (\d+) \| (\d+) → (\.\d+) \|$",
                      (source / "README.md").read_text(), re.M)
    for name, size, score, single, at, paper_size, paper in rows:
        own, plain = table.get((name.replace("-", ""), "")), table.get((name.replace("-", ""), "single"))
        if own is None or plain is None:
            problems.append(f"{name} is not in docs/benchmarks-accuracy.md")
            continue
        theirs = re.match(r"(\d+) → ([\d.]+)", own[5])
        found = (own[2], own[3], plain[{"10": 6, "20": 7, "30": 8, "50": 9}[at]], theirs[1], theirs[2])
        shown = (size, score, single, paper_size, paper)
        if any(abs(float(a) - float(b)) > (0.5 if float(b) >= 1 and "." not in b else 0.00051) for a, b in zip(found, shown)):
            problems.append(f"{name}: README has {shown}, the page {found}")
    report("the comparison has the figures of the accuracy page", problems if len(rows) >= 3 else ["too few rows"])


# Statements about Minterm that were not true, and why; and odd words. Small letters, any white space.
NOT_TRUE = {
    r"signed report": "nothing is signed",
    r"never silently a number": "a linear term counts a missing value as the mean",
    r"the test rows were used once": "Minterm cannot know that",
    r"rules are (learnt|learned) by a (sparse )?network": "the search finds rules; training may change them",
    r"\bgroup column is only reported": "it also keeps rows together in splits",
    r"\b(heeds?|anew|nobody|whoever|learnt|mend(ed|s)?)\b(?!\*)": "an odd word (the user *nobody* is not)",
    r"\bbesides?\b": "say next to, or in addition to",
}


def check_statements():
    texts = {path: path.read_text() for path in [*pages, source / "NEWS", *sorted((source / "data/ui").glob("*.ui"))] if path.exists()}
    problems = []
    for path, text in texts.items():
        for pattern, why in NOT_TRUE.items():
            found = re.search(re.sub(" ", r"\\s+", pattern), text, re.I)
            if found:
                problems.append(f"{path.relative_to(source)}: “{found[0]}”: {why}")
    report("nothing that was false once is said again", problems)


def check_faults():
    """Each of the checks above, run on a copy with one fault for it, must fail."""
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name in ("README.md", "CONTRIBUTING.md", "LICENSE", "CITATION.cff", "dependencies.txt"):
            shutil.copy(source / name, copy)
        for name in ("docs", "data", "flatpak"):
            shutil.copytree(source / name, copy / name)
        for name, text in (("docs/report.md", "A Signed\nReport."), ("README.md", "[x](docs/method.md#no-such-heading)\n\n| iris (AUC) | 3 → .900 | .996 at 10 | 26 → .999 |"), ("docs/cli.md", "```sh\nminterm-cli train --no-such\n```")):
            with open(copy / name, "a") as page:
                page.write(f"\n{text}\n")
        (copy / "docs/images/shown-nowhere.png").touch()
        (copy / "docs/unlisted.md").write_text("# Unlisted\n")
        resources = copy / "data/minterm.gresource.xml"
        resources.write_text(re.sub(r".*images/rules\.png.*\n", "", resources.read_text()))
        done = subprocess.run([sys.executable, "-B", __file__, copy, cli, "--planted"], capture_output=True, text=True, check=False)
        found = set(re.findall(r"^not ok (\d)", done.stdout, re.M))
        report("a planted fault is found by each", [f"not by {n}" for n in "1234567" if n not in found] +
               ([] if done.returncode == 1 else ["exit status"]))


planted = "--planted" in sys.argv
print("1..7" if planted else "1..8")
check_links()
check_pictures()
check_index()
check_help()
check_options()
check_figures()
check_statements()
if not planted:
    check_faults()
sys.exit(failed)
