#!/usr/bin/env python3
"""How good the default settings are: minterm-cli train on the public datasets, beside the paper.

  bench/accuracy/accuracy.py --cli build/src/cli/minterm-cli --data ../shared/data \\
      [--prototype ../shared/prototype/results.tsv] [--datasets heart,iris] [--splits 5] \\
      [--threads 1] [--work /tmp/minterm-accuracy] [--out docs/benchmarks-accuracy.md] [--cached]

Needs numpy, pandas and scikit-learn, for the splits only: train_test_split (test_size=.2,
random_state=100+split, stratified for classes), written as CSVs with every cell as it was.
Each run's JSON is kept in the work directory and not run again, so an interrupted bench goes
on where it stopped; delete the directory to start over. Small datasets come first, and --cached
writes the note from the runs there are. The test rows of a split are used by the chosen model,
and by the frontier columns of the table, which choose nothing.
"""
import argparse
import json
import os
import subprocess
import sys

AT = (10, 20, 30, 50, 120)
ONE_SPLIT = ("covertype", "road_safety")

# The paper's own rows: literals, metric.
PAPER = {
    "diabetes": (14, .8208), "heart": (11, .9308), "creditg": (54, .7919), "compas": (9, .7301),
    "income": (152, .9147), "electricity": (99, .8823), "credit_card_default": (128, .7915),
    "calhousing": (62, .9307), "covertype": (194, .8554), "road_safety": None, "iris": (26, .9993),
    "wine": (7, 1.0), "penguins": (6, 1.0), "satimage": (157, .9802), "yeast": (77, .8457),
    "abalone": (43, .5328), "boston": (77, .8566), "california": (135, .7102), "crime": (3003, .3647),
    "wine_reg": (111, .3121),
}

# What the chosen model is asked for: metric at least, literals at most.
TARGETS = {
    "heart": (.920, 50), "diabetes": (.825, 50), "creditg": (.785, 50), "compas": (.725, 50),
    "boston": (.82, 50), "abalone": (.540, 50), "california": (.735, 50), "calhousing": (.932, 50),
    "electricity": (.888, 50), "crime": (.68, 50), "wine_reg": (.33, 50), "iris": (.995, 8),
    "wine": (.995, 8), "penguins": (.995, 8), "satimage": (.980, 100), "yeast": (.85, 100),
    "income": (.910, 100), "credit_card_default": (.778, 100),
}


def read_manifest(data):
    with open(os.path.join(data, "manifest.tsv"), encoding="utf-8") as file:
        lines = file.read().splitlines()
    names = lines[0].split("\t")
    return [dict(zip(names, line.split("\t"))) for line in lines[1:]]


def write_split(data, entry, split, train, test):
    import pandas
    from sklearn.model_selection import train_test_split

    table = pandas.read_csv(os.path.join(data, entry["file"]), dtype=str, keep_default_na=False)
    strata = table[entry["target"]] if entry["task"] != "regression" else None
    parts = train_test_split(table, test_size=.2, random_state=100 + split, stratify=strata)
    for part, path in zip(parts, (train, test)):
        part.to_csv(path, index=False)


def run(args, entry, split, baseline):
    """The answer of one training; fan-in 1 is the baseline: unary terms and thresholds only."""
    stem = os.path.join(args.work, "%s-%d" % (entry["dataset"], split))
    answer = stem + ("-baseline" if baseline else "") + ".json"
    if not os.path.exists(answer):
        if args.cached:
            return None
        train, test = stem + "-train.csv", stem + "-test.csv"
        if not os.path.exists(test):
            write_split(args.data, entry, split, train, test)
        command = [args.cli, "train", train, "--target", entry["target"], "--test", test,
                   "--evaluate-frontier", "--json"]
        if entry["task"] == "regression":
            command += ["--task", "regression"]
        if baseline:
            command += ["--fan-in", "1"]
        if args.threads:
            command += ["--threads", str(args.threads)]
        print(" ".join(command[1:]), file=sys.stderr)
        out = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
        with open(answer + ".part", "wb") as file:
            file.write(out)
        os.rename(answer + ".part", answer)
    with open(answer, encoding="utf-8") as file:
        return json.load(file)


def test_at(answer, literals):
    """Test metric of the frontier's last point of at most so many literals."""
    points = [p for p in answer["frontier"] if p["literals"] <= literals]
    return points[-1]["test"]


def mean(values):
    return sum(values) / len(values)


def runs(args, entry, splits, baseline):
    return [a for a in (run(args, entry, s, baseline) for s in splits) if a is not None]


def read_prototype(path):
    rows = {}
    if path:
        with open(path, encoding="utf-8") as file:
            for line in file:
                cells = line.rstrip("\n").split("\t")
                if not line.startswith("#") and cells[0] != "dataset":
                    rows.setdefault((cells[0], int(cells[2])), []).append(float(cells[4]))
    return {key: mean(values) for key, values in rows.items()}


def number(value):
    return "–" if value is None else "%.4f" % value


def table_row(entry, answers, baselines, prototype):
    name = entry["dataset"]
    literals = mean([a["selected"]["literals"] for a in answers])
    test = mean([a["selected"]["test"] for a in answers])
    seconds = mean([a["seconds"]["total"] for a in answers])
    cells = [name, str(len(answers)), "%.1f" % literals, number(test)]
    target = TARGETS.get(name)
    if target is None:
        cells.append("–")
    else:
        met = test >= target[0] and literals <= target[1]
        cells.append("%s (≥ %s, ≤ %d)" % ("yes" if met else "**no**", ("%.3f" % target[0]).rstrip("0"), target[1]))
    cells.append("%d → %.4f" % PAPER[name] if PAPER.get(name) else "–")
    cells += [number(mean([test_at(a, c) for a in answers])) for c in AT]
    cells.append("%.1f" % seconds)
    lines = ["| " + " | ".join(cells) + " |"]
    if baselines:
        # Beside fewer splits than the model's own: the number stands there, and only those compare.
        base = ["", str(len(baselines)), "", "", "", "*single conditions*"]
        base += [number(mean([test_at(a, c) for a in baselines])) for c in AT]
        lines.append("| " + " | ".join(base + [""]) + " |")
    if any((name, c) in prototype for c in AT):
        proto = ["", "", "", "", "", "*prototype*"] + [number(prototype.get((name, c))) for c in AT]
        lines.append("| " + " | ".join(proto + [""]) + " |")
    return lines


def read_note(path):
    """Rows of an earlier note by dataset: the dataset's own, and those below it by what they are."""
    rows, name = {}, None
    if path:
        with open(path, encoding="utf-8") as file:
            for line in file:
                if line.startswith("- ") and line[2:].split(",")[0] in rows:
                    rows[line[2:].split(",")[0]]["below"] = line.rstrip("\n")
                cells = [c.strip() for c in line.strip().strip("|").split("|")]
                if len(cells) != 12 or cells[0] in ("data", "---"):
                    continue
                name = cells[0].rstrip(" †") or name
                rows.setdefault(name, {})[cells[5] if not cells[0] else ""] = line.rstrip("\n")
    return rows


def below(name, answers, baselines):
    """Where the baseline is better at equal literals, by .002 or more on the splits that both have."""
    n = min(len(answers), len(baselines))
    gaps = []
    for c in AT if n else ():
        each = [test_at(b, c) - test_at(a, c) for a, b in zip(answers[:n], baselines[:n])]
        gap = mean(each)
        if gap >= .002:
            error = (sum((e - gap) ** 2 for e in each) / (n - 1) / n) ** .5 if n > 1 else None
            gaps.append("%d (by %.4f%s)" % (c, gap, " ± %.4f" % error if n > 1 else ""))
    return below_line(name, n, gaps)


def below_kept(name, answers, row):
    """The same beside a baseline's row of an earlier note, if it is of as many splits."""
    cells = [c.strip() for c in row.strip().strip("|").split("|")]
    if int(cells[1]) != len(answers):
        return None
    gaps = [(c, float(cell) - mean([test_at(a, c) for a in answers])) for c, cell in zip(AT, cells[6:11])]
    return below_line(name, len(answers), ["%d (by %.3f)" % gap for gap in gaps if gap[1] >= .002])


def below_line(name, n, gaps):
    return "- %s, %d split%s: at %s" % (name, n, "" if n == 1 else "s", ", ".join(gaps)) if gaps else None


HEAD = """# Accuracy of the default settings

Written by `bench/accuracy/accuracy.py`; do not edit. Every run is `minterm-cli train` with default
settings on 80 % of the rows (`train_test_split`, random states 100, 101, …, stratified for classes),
tested on the other 20 %. AUC (mean over classes, each against the rest) or R², mean over the splits.

*Chosen* is the recommended model, found without the test rows. The columns at 10 … 120 literals are
the models of the frontier with at most that many literals. *Single conditions* is the same program with
`--fan-in 1`: logistic (or linear) regression on the numeric columns, levels and thresholds, simplified and
scored in the same way.

Defaults were tuned on other splits ([experiments](method-experiments.md)). Exception: results on these test rows
prompted five investigations: which difference counts as none (iris), the ridge for many columns (crime, three times), the
second path (iris and abalone were below the baseline), by how much conjunctions must be better (boston,
abalone and wine_reg), and where thresholds are placed (credit_card_default, which did not gain by it). Other splits then decided the
values. When the ridge of crime was changed for the third time, its first new value was seen here, .6760, before other splits decided
the one that is used.

Five splits are planned, one for covertype and road_safety. If the second column says fewer, the others have not been
run, and a data set or baseline that is absent has not been run at all. The paper's figures are from its own splits. The
prototype trained on 64 % of at most 20,640 rows, which it drew first: its test rows are not these. Seconds are wall time of one run{machine}.
{older}
| data | splits | chosen: literals | test | target met | paper | 10 | 20 | 30 | 50 | 120 | s |
|---|---|---|---|---|---|---|---|---|---|---|---|
"""

OLDER = """
† Kept from an earlier note: run before the latest change of the program.
"""

MISSED = """
Where a target is missed:

- **iris**: a split has 30 test rows, ten per class; one pair in the wrong order costs .0017 on that split, and the target
  is missed by .0003. On other splits (random states 0 to 9) the same program chooses 3.0 literals and reaches
  .9983. Tried: differences of 0, ¼, ½ and 1 row that count as none; choosing between conjunctions and
  single conditions by 0, ½ and 1 standard errors ([experiments](method-experiments.md)).
- **credit_card_default**: no model of the frontier reaches .778. Boosted trees (150 of 15 leaves, rate .05) have .7792 on these splits, logistic regression
  on the raw columns .7227. Tried, on other splits: nodes of networks among the candidates, .7773 instead of .7761; other
  quantiles and finer thresholds; a higher and a lower minimum gain of conjunctions; twice the ridge; more dropped terms that can
  return; more rounds of the search and longer conjunctions; conjunctions from boosted trees, .7813 instead of .7766 at 50 literals
  on three other splits, which are not built ([experiments](method-experiments.md)). These rows are hard: on random state 200 the prototype,
  trained on 64 % of the rows, has .7735, .7746 and .7730 at 20, 30 and 50 literals, this program .7808, .7827 and .7819.

**crime** meets its target with `state`, the number of one of 46 states, read as a number. A finding says that
it is named like a code; with `--type state=category`, which that finding offers, the chosen models have 50.0 literals and
.7034 on these splits.
"""

BELOW = """
Where the two differ, the folds preferred the one with conjunctions by more than a
standard error, and these test rows the other; or, on road_safety, there are too many rows for a second path. On eight other splits of boston, heart, wine_reg, abalone, iris, diabetes
and creditg ([experiments](method-experiments.md)) nothing is below.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--prototype")
    parser.add_argument("--datasets", help="comma-separated; default: all in the manifest")
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0, help="of one run; default: all")
    parser.add_argument("--no-baseline", action="store_true")
    parser.add_argument("--cached", action="store_true", help="run nothing: write the note from the runs there are")
    parser.add_argument("--work", default="/tmp/minterm-accuracy")
    parser.add_argument("--machine", default="", help="a word about the machine, for the note")
    parser.add_argument("--keep", metavar="NOTE", help="an earlier note: what has not been run keeps its rows there")
    parser.add_argument("--out", help="write the note here; default: standard output")
    args = parser.parse_args()
    wanted = args.datasets.split(",") if args.datasets else None
    prototype = read_prototype(args.prototype)
    kept = read_note(args.keep)
    os.makedirs(args.work, exist_ok=True)
    lines, worse, has_older = [], [], False
    for entry in sorted(read_manifest(args.data), key=lambda e: int(e["rows"])):
        if wanted and entry["dataset"] not in wanted:
            continue
        splits = range(1 if entry["dataset"] in ONE_SPLIT else args.splits)
        answers = runs(args, entry, splits, False)
        baselines = [] if args.no_baseline else runs(args, entry, splits, True)
        old = kept.get(entry["dataset"], {})
        if answers:
            rows = table_row(entry, answers, baselines, prototype)
            if not baselines and "*single conditions*" in old:
                rows.insert(1, old["*single conditions*"])
                worse.append(below_kept(entry["dataset"], answers, old["*single conditions*"]))
            lines += rows
            worse.append(below(entry["dataset"], answers, baselines))
        elif old:
            has_older = True
            lines += [old[""].replace("| %s |" % entry["dataset"], "| %s † |" % entry["dataset"], 1)]
            lines += [row for what, row in old.items() if what.startswith("*")]
            worse.append(old.get("below"))
    text = HEAD.format(machine=", " + args.machine if args.machine else "", older=OLDER if has_older else "") + "\n".join(lines) + "\n"
    worse = [line for line in worse if line]
    text += MISSED
    text += "\nAt equal literals the baseline is better by .002 or more, on the splits that both have, " + (
        "here (± is the standard error of the paired difference over splits):\n\n" + "\n".join(worse) + "\n" + BELOW
        if worse else "nowhere.\n")
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
