#!/usr/bin/env python3
"""What is exported is what its format says, also from data with hostile names: HTML through xmllint, JSON against the schema, SQL in
sqlite3, PDF through pdftotext; and the same bytes again.

  check-valid.py MINTERM-CLI SCHEMA.json"""
import html.parser
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

cli, schema = sys.argv[1:3]
NAMES = ["age", "<b>bold</b>", "a&b", "x\"y'z", "Größe in m²", "]]>", "--", "javascript:alert(1)", "Ελλάδα"]
FORMATS = {"json": [], "sql": [], "python": [], "r": [], "javascript": [], "c": [], "pmml": [], "dmn": [], "ods": [], "latex": [],
           "html": ["--data"], "pdf": ["--data"]}
count = bad = 0


def report(name, problem=None):
    global count, bad
    count += 1
    bad += problem is not None
    print("%s %d - %s" % ("ok" if problem is None else "not ok", count, name), flush=True)
    if problem is not None:
        print("# " + str(problem)[:600].replace("\n", "\n# "))


def quoted(cell):
    return '"%s"' % cell.replace('"', '""')


def write_data(path, task):
    with open(path, "w", encoding="utf-8") as f:
        f.write(",".join(map(quoted, NAMES + ["target"])) + "\n")
        for r in range(240):
            numbers = [(r * (37 + 6 * i) + i * 11) % (101 + i) for i in range(len(NAMES))]
            score = numbers[0] + numbers[1] / 2 + (r % 13)
            target = {"binary": "<yes>" if score > 80 else "no & never", "multiclass": ["<a>", "b&", "c\"'"][min(2, int(score // 45))],
                      "regression": "%.3f" % (score / 7)}[task]
            cells = ["%d" % n for n in numbers]
            cells[2] = ["<script>alert(1)</script>", "&amp;", "plain"][numbers[2] % 3]
            f.write(",".join(map(quoted, cells + [target])) + "\n")


class Page(html.parser.HTMLParser):
    """Which elements and addresses a page has."""

    def __init__(self):
        super().__init__()
        self.wrong = []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "link", "base", "form"):
            self.wrong.append("<%s>" % tag)
        for name, value in attributes:
            if name.startswith("on") or re.match(r"\s*(javascript|https?|data):", value or "") and name in ("href", "src", "xlink:href"):
                self.wrong.append("<%s %s=%r>" % (tag, name, value))


def judge_html(path):
    done = subprocess.run(["xmllint", "--html", "--noout", path], capture_output=True, text=True)
    # libxml2 knows the elements of HTML 4 only.
    errors = [line for line in done.stderr.splitlines() if "parser error" in line and not re.search(r"Tag \w+ invalid", line)]
    page = Page()
    with open(path, encoding="utf-8") as f:
        page.feed(f.read())
    return "\n".join(errors + page.wrong) or None


def judge_json(path):
    import jsonschema
    with open(path, encoding="utf-8") as f, open(schema, encoding="utf-8") as rules:
        try:
            jsonschema.validate(json.load(f), json.load(rules))
        except (ValueError, jsonschema.ValidationError) as error:
            return error
    return None


def judge_sql(path):
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (%s)" % ", ".join(quoted(name) + " TEXT" for name in NAMES))
    base.execute("INSERT INTO data VALUES (%s)" % ", ".join("?" * len(NAMES)), ["5"] * len(NAMES))
    try:
        with open(path, encoding="utf-8") as f:
            return None if len(base.execute(f.read()).fetchall()) == 1 else "no line for a row"
    except sqlite3.Error as error:
        return error


def judge_xml(path):
    done = subprocess.run(["xmllint", "--noout", path], capture_output=True, text=True)
    return done.stderr or None


def judge_pdf(path, used):
    done = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, text=True)
    text = re.sub(r"\s", "", done.stdout)
    missing = [name for name in used if re.sub(r"\s", "", name) not in text]
    return "not on any page: %s" % missing if missing else None


def main():
    env = dict(os.environ, SOURCE_DATE_EPOCH="1000000000")
    with tempfile.TemporaryDirectory() as folder:
        for task in ("binary", "multiclass", "regression"):
            data, model = folder + "/%s.csv" % task, folder + "/%s.json" % task
            write_data(data, task)
            done = subprocess.run([cli, "train", data, "--target", "target", "--restarts", "0", "-o", model], capture_output=True, text=True)
            if done.returncode != 0:
                report("%s: train" % task, done.stderr)
                continue
            for kind, more in FORMATS.items():
                if kind in ("html", "json", "pmml", "dmn") and shutil.which("xmllint") is None:
                    continue
                paths = [folder + "/%d.%s" % (i, kind) for i in range(2)]
                for path in paths:
                    done = subprocess.run([cli, "export", model, "-f", kind, "-o", path] + [w for m in more for w in (m, data)],
                                          capture_output=True, text=True, env=env)
                problem = None
                if done.returncode != 0:
                    # DMN has no regression with several rules, for one: docs/exports.md.
                    problem = None if kind == "dmn" and done.stderr.strip() else done.stderr
                elif open(paths[0], "rb").read() != open(paths[1], "rb").read():
                    problem = "written twice it differs"
                elif kind in ("html", "json", "sql", "pdf"):
                    judge = {"html": judge_html, "json": judge_json, "sql": judge_sql}.get(kind)
                    problem = judge(paths[0]) if judge else judge_pdf(paths[0], NAMES)
                elif kind in ("pmml", "dmn"):
                    problem = judge_xml(paths[0])
                report("%s: %s" % (task, kind), problem)
        # The judge of pages can fail.
        for i, spoilt in enumerate(("<p><b>x</p></b></i>", "<p class=\"x>y</p>", "<script>1</script>", '<a href="javascript:1">x</a>', "<p onclick='x'>y</p>")):
            path = folder + "/spoilt.html"
            with open(path, "w") as f:
                f.write("<!DOCTYPE html><html><body>%s</body></html>" % spoilt)
            report("a spoilt page %d is found" % (i + 1), None if judge_html(path) else spoilt)
    print("1..%d" % count)
    return 1 if bad else 0


sys.exit(main())
