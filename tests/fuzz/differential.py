#!/usr/bin/env python3
"""Random nasty tables: train on one, then give fresh files to predict and to every exported program, and compare.

  tests/fuzz/differential.py build-check/src/cli/minterm-cli --seconds 10 --seed 1

For each model there are files of new rows with missing cells, unseen levels, odd numbers and odd shapes. What predict answers, every
engine must answer: the same decisions, numbers within 1e-9. What predict refuses, every engine must refuse, without a line of
output. A file that only predict can read (a decimal comma, another encoding or quote: docs/exports.md) an engine may refuse,
but not answer differently. A crash of anything is a finding. Findings are kept in --keep with the command that repeats them."""
import argparse
import ast
import csv
import io
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

LISTS = [["number:"], ["level"], ["date"], ["number:%"], ["number:$"], ["number: kg"], ["number:()"]]
MISSING = ["", "NA", "?", "null", "NaN", " ", "n/a", "-"]
ODD_NUMBERS = ["5O", "0.5abc", "5e", "5%", "$5", "5-", "(5)", "5 kg", "0x5", "5 5", "--5", "+-5", "5..", "..5", "5.5.5", "e5", "+", ".",
               "1_000", "٥", "5\u00a0", "½", "1e", "1e+", "0b1", "True", "five", "=5", "'5", "5;", "#5", "5f", "1d5", "0x1p3",
               "5\u200b", "５", "infinite", "nanx", "--", "1/2", "5!"]
GOOD_NUMBERS = ["+5", " 5", "5 ", "5.", ".5", "5e0", "5E+1", "-0", "-0.0", "00005", "1e-400", "4.9e-324", "9007199254740993",
                "123456789012345678901234567890", "1e300", "0.1", "1E2", "\t7"]
WITH_UNIT = ["5u", "5 u", "-5u", "(5u)", "(5 u)", "u5", "-u5", "u-5", "(u5)", "-(5u)", "(5)u", "5u-", "u5-", "5-u", "5uu", "u", "uu5", "(u)", "+5u",
             "+u5", "5\tu", "1e2u", ".5u", "5.u", "u 5", "- u5", "infu", "u5u", "1e999u"]
ONLY_PREDICT = ["5\u00a0"]
SIGNED = ["5-", "(5)", "( 5 )", "(-5)", "(5-)", "-5-", "(5)-", "((5))", "()", "(", "-", "--5", "(5", "5)", "5 -", "- 5", "(inf)", "-inf-",
          "--inf", "+-inf", "(1e999)", "(NA)", "5--"]
INFINITE = ["inf", "-inf", "Infinity", "+INF", "1e999", "-1e400"]
ODD_DATES = ["2020-02-30", "2021-02-29", "2020-13-01", "2020-00-10", "0000-01-01", "2020-1-1x", "now", "2459000", "12:00", "2020-01",
             "2020/01/01/01", "yesterday", "2020-01-01T25:00", "2020-01-01 10:61"]
LEVELS = ["red", "green", "Blue", "blue", "a,b", 'say "hi"', "ünïcode", "日本", "x y", "0", "00", "1", "1.0", "=1+1", "@x", "-", "é",
          "e\u0301", "a'b", "a\\b", "<b>", "&amp;", "%s", "${x}", "line\nbreak", "tab\there", "TRUE", "null2", "\ufeffbom", "x" * 300]
NAMES = ["age", "x y", "Größe", 'q"uote', "a,b", "1st", "select", "a'b", "日本", "x;y", "a.b", "p_yes", "A", "tab\tname", "%d", "\\n",
         "very " * 12 + "long", "group", "c1", "prediction"]


class Column:
    def __init__(self, rng, name, kind, unit=None):
        self.name, self.kind = name, kind
        self.gaps = rng.choice([0, 0, 0.05, 0.3])
        self.levels = rng.sample(LEVELS, rng.randint(2, 6))
        self.scale = rng.choice([1, 1, 0.01, 1e6, 1e-7])
        self.whole = rng.random() < 0.5
        self.unit = unit if unit is not None else rng.choice(["", "", "", "%", " kg", "€", "()"]) if kind == "number" else ""
        self.time = rng.random() < 0.3

    def value(self, rng):
        if self.kind == "number":
            x = rng.gauss(0, 10) if not self.whole else rng.randint(-20, 20)
            return x * self.scale
        if self.kind == "date":
            return rng.randint(-3000, 20000) + (rng.randint(0, 86399) / 86400 if self.time else 0)
        return rng.choice(self.levels)

    def text(self, value):
        if self.kind == "number":
            text = "%d" % value if self.whole and self.scale == 1 else repr(float(value))
            if self.unit == "()":       # accountants' brackets instead of a minus
                return "(%s)" % text[1:] if text.startswith("-") else text
            return self.unit + text if self.unit == "$" else text + self.unit
        if self.kind == "date":
            days = int(value // 1)
            date = time.strftime("%Y-%m-%d", time.gmtime(days * 86400))
            seconds = int(round((value - days) * 86400)) % 86400
            return date + ("T%02d:%02d:%02d" % (seconds // 3600, seconds // 60 % 60, seconds % 60) if self.time else "")
        return value

    def score(self, value):
        if value is None:
            return 0.3
        if self.kind == "number":
            return value / self.scale / 8
        if self.kind == "date":
            return (value - 8000) / 8000
        return (self.levels.index(value) % 3 - 1) * 1.2


def write_csv(rows, delimiter=",", end="\n"):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerows(rows)
    return out.getvalue()


def new_rows(rng, columns, n):
    rows = []
    for _ in range(n):
        row = []
        for column in columns:
            if rng.random() < max(column.gaps, 0.03):
                row.append(rng.choice(MISSING[:4]))
            else:
                row.append(column.text(column.value(rng)))
        rows.append(row)
    return rows


def make_training(rng, kinds):
    kinds = kinds or rng.choices(["number", "number", "level", "date"], k=rng.randint(2, 5))
    names = rng.sample(NAMES, len(kinds))
    columns = [Column(rng, name, *kind.split(":")) for name, kind in zip(names, kinds)]
    task = rng.choice(["binary", "binary", "multiclass", "regression"])
    classes = rng.sample(["yes", "no", "=cmd", 'a"b', "ü", "0", "1", "x,y"], 2 if task == "binary" else 3)
    table = [names + ["target!"]]
    for _ in range(rng.choice([60, 150, 300])):
        values = [None if rng.random() < column.gaps else column.value(rng) for column in columns]
        score = sum(column.score(value) for column, value in zip(columns, values)) + rng.gauss(0, 0.3)
        target = "%.6g" % score if task == "regression" else classes[0 if score < -0.3 else 1 if score < 0.6 else len(classes) - 1]
        table.append(["NA" if value is None else column.text(value) for column, value in zip(columns, values)] + [target])
    return columns, table


def fresh_files(rng, columns, used, thorough):
    """(what, text, rows or None, is_plain): rows for sqlite where every cell has its place."""
    header = [column.name for column in columns]
    rows = new_rows(rng, columns, rng.choice([1, 2, 5, 40]))
    place = rng.randrange(len(rows))
    column = columns[0] if thorough else rng.choice([c for c in columns if c.name in used] or columns)
    at = header.index(column.name)

    def some(texts, n):
        return texts if thorough else rng.sample(texts, n)

    def with_cell(text):
        changed = [list(row) for row in rows]
        changed[place][at] = text
        return changed

    def whole(what, changed, plain=True, **how):
        return what, write_csv([header] + changed, **how), changed, plain

    yield whole("plain", rows)
    yield whole("crlf", rows, end="\r\n")
    if len(columns) > 1:
        yield whole("semicolons", rows, delimiter=";")
    order = list(range(len(columns)))
    rng.shuffle(order)
    yield ("other order", write_csv([[header[i] for i in order] + ["more"]] + [[row[i] for i in order] + ["z"] for row in rows]),
           rows, True)
    if column.kind == "number":
        odd = ODD_NUMBERS + SIGNED + [form.replace("u", column.unit.strip()) for form in WITH_UNIT if column.unit not in ("", "()")]
        for text in some(odd, 5):
            yield whole("odd number %r" % text, with_cell(text), plain=text not in ONLY_PREDICT)
        for text in some(GOOD_NUMBERS, 3) + some(INFINITE, 1):
            yield whole("number %r" % text, with_cell(text))
    elif column.kind == "date":
        for text in some(ODD_DATES, 3):
            yield whole("odd date %r" % text, with_cell(text))
    else:
        for text in some(LEVELS, 3) + ["never seen", " " + column.levels[0], column.levels[0] + " ", column.levels[0].upper()]:
            yield whole("level %r" % text, with_cell(text))
    for text in some(MISSING, 2):
        yield whole("missing %r" % text, with_cell(text))
    text = write_csv([header] + rows)
    lines = text.split("\n")
    yield "blank lines", text.replace("\n", "\n\n") if not any("\n" in cell for row in [header] + rows for cell in row) else text, rows, True
    yield "no end", text[:-1], rows, True
    yield "bom", "\ufeff" + text, rows, True
    yield "no rows", write_csv([header]), None, True
    yield "empty", "", None, True
    yield "nul", text.replace(text[-2], "\0", 1) if rng.random() < 0.5 else text[:-1] + "\0\n", None, True
    yield "doubled name", write_csv([header + [column.name]] + [row + [rng.choice(row)] for row in rows]), None, True
    yield "name of other case", write_csv([header + [column.name.swapcase()]] + [row + ["1"] for row in rows]), None, True
    yield "absent column", write_csv([header[:at] + header[at + 1:]] + [row[:at] + row[at + 1:] for row in rows]), None, True
    many = new_rows(rng, columns, 45)
    short = [list(row) for row in many]
    for row in rng.sample(range(45), rng.choice([1, 2, 3, 10])):
        short[row] = short[row][:max(1, len(header) - 1)]
    if len(header) > 1 and all(any(cell.strip(" \t") for cell in row) for row in short):
        yield "short records", write_csv([header] + short), None, True
    yield "long record", write_csv([header] + [row + ["extra"] if i == place else row for i, row in enumerate(rows)]), None, True
    yield "empty extra fields", write_csv([header] + [row + ["", ""] if i == place else row for i, row in enumerate(rows)]), None, True
    yield "open quote", text + '"x', None, True
    yield "stray quote", write_csv([header]) + write_csv(many).replace("\n", '"\n', 1), None, True
    yield "quote and more", write_csv([header]) + '"a"b' + "," * (len(header) - 1) + "\n" + write_csv(many), None, True
    yield "bad utf-8", None, b"".join([text.encode(), b"\xff\xfe\n"]), False
    yield "latin-1", None, write_csv([header] + rows).encode("latin-1", "replace"), False
    if column.kind == "number" and not column.unit:
        comma = [list(row) for row in rows]
        for row in comma:
            row[at] = row[at].replace(".", ",")
        yield whole("decimal comma", comma, plain=False)
    assert lines


def bad_output(what, returncode, out, err, allowed=(0, 1)):
    if returncode not in allowed:
        return "%s ended with %d: %s" % (what, returncode, err[-300:])
    if returncode != 0 and out:
        return "%s failed but wrote %r" % (what, out[:80])
    if returncode != 0 and not err.strip():
        return "%s failed without a word" % what
    if re.search("CRITICAL|WARNING \\*\\*|runtime error|Sanitizer|Traceback|assert", err):
        return "%s wrote %r" % (what, err[-400:])
    return None


def parse(out):
    return list(csv.reader(io.StringIO(out, newline="")))


def compare(expected, got):
    """None, or what differs. Numbers within 1e-9, relative above 1."""
    if len(expected) != len(got):
        return "%d lines instead of %d" % (len(got), len(expected))
    for r, (a, b) in enumerate(zip(expected, got)):
        if len(a) != len(b):
            return "line %d: %r instead of %r" % (r + 1, b, a)
        for x, y in zip(a, b):
            if x == y:
                continue
            try:
                x, y = float(x), float(y)
            except ValueError:
                return "line %d: %r instead of %r" % (r + 1, b, a)
            if not abs(x - y) <= 1e-9 * max(1, abs(x)):
                return "line %d: %r instead of %r" % (r + 1, b, a)
    return None


class Engines:
    """The exports of one model, ready to run."""

    def __init__(self, cli, folder, model, wanted):
        self.folder, self.commands = folder, {}
        made = {"python": ("model.py", ["python3", "-I"]), "javascript": ("model.js", ["node"]), "c": ("model.c", None),
                "r": ("model.R", ["Rscript"])}
        for format, (name, command) in made.items():
            tool = "gcc" if command is None else command[0]
            if (wanted and format not in wanted) or shutil.which(tool) is None:
                continue
            path = os.path.join(folder, name)
            subprocess.run([cli, "export", model, "--format", format, "-o", path], check=True, capture_output=True)
            if command is None:
                program = os.path.join(folder, "model")
                subprocess.run(["gcc", "-O0", "-w", "-fsanitize=undefined,address", "-DMINTERM_MAIN", "-o", program, path, "-lm"],
                               check=True)
                self.commands[format] = [program]
            else:
                self.commands[format] = command + [path]
        path = os.path.join(folder, "names.py")
        subprocess.run([cli, "export", model, "--format", "python", "-o", path], check=True, capture_output=True)
        with open(path, encoding="utf-8") as f:
            self.names = ast.literal_eval(re.search(r"^NAMES = (\[.*\])$", f.read(), re.MULTILINE).group(1))
        self.sql = None
        if not wanted or "sqlite" in wanted:
            path = os.path.join(folder, "model.sql")
            subprocess.run([cli, "export", model, "--format", "sql", "--dialect", "sqlite", "-o", path], check=True,
                           capture_output=True)
            self.sql = open(path, encoding="utf-8").read()

    def run(self, engine, data):
        done = subprocess.run(self.commands[engine], input=data, capture_output=True, timeout=60)
        return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")

    def run_sql(self, header, rows):
        quoted = ['"%s"' % name.replace('"', '""') for name in header]
        with sqlite3.connect(":memory:") as base:
            base.execute("CREATE TABLE data (%s)" % ", ".join(name + " TEXT" for name in quoted))
            base.executemany("INSERT INTO data VALUES (%s)" % ", ".join("?" * len(header)), rows)
            try:
                cursor = base.execute(self.sql)
                found = cursor.fetchall()
            except sqlite3.Error as error:
                return 1, [], str(error)
        lines = [[item[0] for item in cursor.description]]
        for row in found:
            lines.append([repr(cell) if isinstance(cell, float) else str(cell) for cell in row])
        return 0, lines, ""


def formula(text):
    """predict puts an apostrophe before what a spreadsheet would take for a formula; SQL does not."""
    return text[1:] if text[:1] == "'" and text[1:2] in "=+-@" else text


def one_model(cli, rng, folder, wanted, counts, report, kinds=None):
    """kinds: of columns, of which the first is tried with all texts instead of some."""
    columns, table = make_training(rng, kinds)
    data, model = os.path.join(folder, "train.csv"), os.path.join(folder, "model.json")
    with open(data, "w", encoding="utf-8", newline="") as f:
        f.write(write_csv(table))
    types = [word for column in columns for word in
             ("--type", "%s=%s" % (column.name, {"number": "number", "level": "category", "date": "date"}[column.kind]))]
    done = subprocess.run([cli, "train", data, "--target", "target!", "--restarts", "0", "-o", model] + types,
                          capture_output=True, text=True, timeout=120)
    wrong = bad_output("train", done.returncode, "", done.stderr)
    if wrong:
        report("train", wrong)
    if done.returncode != 0:
        counts["untrained"] += 1
        return
    counts["models"] += 1
    engines = Engines(cli, folder, model, wanted)
    used = engines.names
    if not used:
        return                        # an intercept: every file has the same answer
    header = [column.name for column in columns]
    for what, text, rows, plain in fresh_files(rng, columns, used, kinds is not None):
        raw = rows if text is None else text.encode("utf-8", "surrogatepass")
        rows = None if text is None else rows
        path = os.path.join(folder, "fresh.csv")
        with open(path, "wb") as f:
            f.write(raw)
        done = subprocess.run([cli, "predict", model, path], capture_output=True, timeout=60)
        out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
        counts["files"] += 1
        counts["refused by predict"] += done.returncode != 0
        wrong = bad_output("predict", done.returncode, out, err)
        if wrong:
            report(what, wrong)
            continue
        expected = parse(out)
        for engine in engines.commands:
            code, got, message = engines.run(engine, raw)
            counts["comparisons"] += 1
            wrong = bad_output(engine, code, got, message)
            if not wrong and code == 0:
                wrong = ("answered what predict refuses: %s" % err.strip() if done.returncode != 0
                         else compare(expected, parse(got)))
            elif not wrong and done.returncode == 0 and plain:
                wrong = "refused what predict answers: %s" % message.strip()
            if wrong:
                report(what, "%s: %s" % (engine, wrong))
        if engines.sql is not None and rows is not None and rows is not raw:
            code, got, message = engines.run_sql(header, rows)
            counts["comparisons"] += 1
            wrong = None
            if code == 0:
                wrong = ("answered what predict refuses: %s" % err.strip() if done.returncode != 0
                         else compare([[formula(cell) for cell in line] for line in expected], got))
            elif done.returncode == 0 and plain:
                wrong = "refused what predict answers: %s" % message
            if wrong:
                report(what, "sqlite: %s" % wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--models", type=int, default=0, help="stop after so many instead")
    parser.add_argument("--lists", action="store_true", help="instead: numbers with each kind of unit, a category and a date, each with every odd text")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engines", default="", help="comma-separated: python,javascript,c,r,sqlite; all that are here")
    parser.add_argument("--keep", default="differential-findings")
    args = parser.parse_args()
    counts = dict.fromkeys(["models", "untrained", "files", "refused by predict", "comparisons"], 0)
    findings, started, seed = [], time.monotonic(), args.seed
    lists = LISTS if args.lists else [None] * args.models
    while seed - args.seed < len(lists) if lists else time.monotonic() - started < args.seconds:
        with tempfile.TemporaryDirectory() as folder:
            def report(what, wrong):
                findings.append((seed, what, wrong))
                kept = os.path.join(args.keep, "%d-%d" % (seed, len(findings)))
                os.makedirs(kept, exist_ok=True)
                for name in ("train.csv", "model.json", "fresh.csv"):
                    if os.path.exists(os.path.join(folder, name)):
                        shutil.copy(os.path.join(folder, name), kept)
                print("# seed %d, %s: %s" % (seed, what, wrong), flush=True)

            one_model(args.cli, random.Random(seed), folder, set(filter(None, args.engines.split(","))), counts, report,
                      lists[seed - args.seed] if lists else None)
        seed += 1
    print("1..1\n%s 1 - %s; %d findings" % ("ok" if not findings else "not ok",
                                            ", ".join("%d %s" % (n, name) for name, n in counts.items()), len(findings)))
    if findings:
        print("# repeat with --seed SEED --models 1; files in %s" % args.keep)
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
