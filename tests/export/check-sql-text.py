#!/usr/bin/env python3
"""The dialects duckdb and spark on tables as these engines read a CSV themselves: every column text, or of the type that the
engine sees in it. What predict reads, they read; what predict refuses, they refuse, with the column and the cell. Prints TAP.

check-sql-text.py MINTERM-CLI    (duckdb and spark-submit in PATH; tools/engines.sh)"""
import csv
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

cli = os.path.abspath(sys.argv[1])
count = failed = 0
# A level that Spark would replace by a setting, one that ends a string, and one that is a number.
LEVELS = ["red", "it's; -- \\", "${spark.app.name}", "1"]
ODD_NUMBERS = ["1e2", "-.5", "+7", "007", " 12 ", "3.", "1E-3", "", "NA", "inf", "-Infinity", "1e999", "4.9e-324", "49.99999999999999",
               "\t5\t"]
ODD_DATES = ["2024-02-29", "1969-12-31", "", "NA", "2023-12-31 23:59:59", "2024-03-01T06:30:00"]
ODD_TEXTS = ["red", "green", "Red", " red", "", "NA", "0", "0.0", "00", "1", "ß", "a\tb", *LEVELS]
BAD = [("n", "12a"), ("n", "1d"), ("n", "0x10"), ("n", "1 2"), ("n", "--1"), ("n", "5\n"), ("day", "2024-02-30"), ("day", "2024"),
       ("day", "yesterday"), ("day", "now")]


def report(name, problem=None):
    global count, failed
    count += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    for line in str(problem or "").splitlines()[:20]:
        print("# " + line[:300])


def run(*words, **how):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=900, **how)


def write(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["n", "day", "kind", "other"])
        writer.writerows(rows)


def train(folder):
    chance = random.Random(5)
    with open(folder / "train.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["n", "day", "kind", "other", "y"])
        for _ in range(900):
            n, month, kind = round(chance.uniform(-20, 120), 2), chance.randrange(1, 13), chance.choice(LEVELS)
            y = (n > 50 if month > 6 else kind in LEVELS[:2]) != (chance.random() < .05)
            gap = chance.random() < .1
            writer.writerow(["" if gap else n, f"2024-{month:02d}-{chance.randrange(1, 29):02d}",
                             "0" if chance.random() < .1 else kind, chance.randrange(100), "yes" if y else "no"])
    done = run(cli, "train", folder / "train.csv", "--target", "y", "--folds", "2", "--method", "search", "--threads", "1",
               "--type", "kind=category", "--type", "day=date", "--role", "day=feature", "--type", "n=number", "--missing-in", "kind=0", "--max-literals", "0",
               "-o", folder / "model.json")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    rules = run(cli, "rules", folder / "model.json", check=True).stdout
    report("the model reads all three columns", None if all(f"{name} " in rules for name in ("n", "day", "kind")) else rules)
    for dialect in ("duckdb", "spark"):
        run(cli, "export", folder / "model.json", "--format", "sql", "--dialect", dialect, "-o", folder / f"{dialect}.sql", check=True)


def predict(folder, name):
    done = run(cli, "predict", folder / "model.json", folder / name, "--decimal", "point", "--type", "n=number", "--type", "day=date")
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return list(csv.reader(io.StringIO(done.stdout)))


def differs(expected, found):
    if len(found) != len(expected):
        return f"{len(found)} lines, expected {len(expected)}"
    for i, (a, b) in enumerate(zip(expected, found)):
        if i == 0 and a == b:
            continue
        if len(b) != 3 or a[0] != b[0] or any(not abs(float(x) - float(y)) <= 1e-9 for x, y in zip(a[1:], b[1:])):
            return f"line {i + 1}: expected {a}, found {b}"
    return None


def duckdb(folder, name, types):
    script = f"CREATE TABLE data AS SELECT * FROM read_csv('{folder / name}', {types});\n" + (folder / "duckdb.sql").read_text()
    done = run("duckdb", "-batch", "-bail", "-csv", "-init", "/dev/null", ":memory:", input=script, cwd=folder)
    return done.returncode, list(csv.reader(io.StringIO(done.stdout))), done.stderr


SPARK = '''
import csv, json, sys
from pyspark.sql import SparkSession
session = SparkSession.builder.getOrCreate()
select = open("spark.sql", encoding="utf-8").read().rstrip().rstrip(";")
answers = []
for name, options in json.load(open("jobs.json")):
    table = session.read.options(header=True, multiLine=True, quote='"', escape='"', ignoreLeadingWhiteSpace=False,
                                 ignoreTrailingWhiteSpace=False, **options).csv(name)
    table.createOrReplaceTempView("data")
    try:
        found = session.sql(select)
        answers.append([found.columns] + [[row[0]] + [repr(x) for x in row[1:]] for row in found.collect()])
    except Exception as problem:
        answers.append(str(problem))
json.dump(answers, open("answers.json", "w"))
'''


def spark(folder, jobs):
    (folder / "jobs.json").write_text(json.dumps(jobs))
    (folder / "many.py").write_text(SPARK)
    done = run("spark-submit", "--master", "local[1]", "--conf", "spark.ui.enabled=false", "--conf",
               "spark.sql.catalogImplementation=in-memory", "--conf", "spark.driver.bindAddress=127.0.0.1", "--conf",
               "spark.driver.host=127.0.0.1", "many.py", cwd=folder, env={**os.environ, "HOME": str(folder)})
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-3000:])
    return json.loads((folder / "answers.json").read_text())


def check(folder):
    train(folder)
    chance = random.Random(9)
    odd = [[chance.choice(ODD_NUMBERS), chance.choice(ODD_DATES), chance.choice(ODD_TEXTS), chance.randrange(100)] for _ in range(400)]
    # What every engine takes for numbers and categories by itself; no 0 in front, no blank around.
    plain = [[chance.choice(["", "49.5", "50", "51.25"]), "2024-07-01", chance.choice(["1", "2", ""]), 1] for _ in range(100)]
    write(folder / "odd.csv", odd)
    write(folder / "plain.csv", plain)
    for i, (column, cell) in enumerate(BAD):
        row = {"n": "1", "day": "2024-01-01", "kind": "red", "other": "1"}
        row[column] = cell
        write(folder / f"bad{i}.csv", [list(row.values())] * 3)
    expected = {name: predict(folder, name) for name in ("odd.csv", "plain.csv")}
    report("the model decides both ways on these rows",
           None if len({line[0] for line in expected["odd.csv"][1:]}) == 2 else expected["odd.csv"][:5])
    text = expected["odd.csv"][1]
    report("a difference is noticed", None if differs([[], text], [[], ["no" if text[0] == "yes" else "yes", *text[1:]]]) else "it was not")

    if shutil.which("duckdb") is None:
        report("duckdb # SKIP it is not in PATH (tools/engines.sh)")
    else:
        for name, types in (("odd.csv", "header=true, all_varchar=true"), ("plain.csv", "header=true"),
                            ("plain.csv", "header=true, types={'kind': 'DOUBLE'}")):
            code, found, said = duckdb(folder, name, types)
            report(f"duckdb, {name}, {types}", said if code != 0 else differs(expected[name], found))
        for i, (column, cell) in enumerate(BAD):
            code, found, said = duckdb(folder, f"bad{i}.csv", "header=true, all_varchar=true")
            report(f"duckdb refuses {cell!r} in {column}", None if code != 0 and f"column {column}: '{cell}'" in said else (found, said))

    if shutil.which("spark-submit") is None:
        report("spark # SKIP it is not in PATH (tools/engines.sh)")
        return
    jobs = [("odd.csv", {"nullValue": "\x01"}), ("plain.csv", {"inferSchema": "true"})]
    jobs += [(f"bad{i}.csv", {}) for i in range(len(BAD))]
    answers = spark(folder, jobs)
    for (name, options), found in zip(jobs[:2], answers):
        report(f"spark, {name}, {options}", found if isinstance(found, str) else differs(expected[name], found))
    for (column, cell), found in zip(BAD, answers[2:]):
        report(f"spark refuses {cell!r} in {column}", None if isinstance(found, str) and f"column {column}: '{cell}'" in found else found)


if shutil.which("duckdb") is None and shutil.which("spark-submit") is None:
    print("1..0 # SKIP neither duckdb nor spark-submit is in PATH (tools/engines.sh)")
    sys.exit(0)
with tempfile.TemporaryDirectory() as place:
    check(pathlib.Path(place))
print(f"1..{count}")
sys.exit(1 if failed else 0)
