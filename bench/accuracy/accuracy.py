#!/usr/bin/env python3
"""Accuracy of the default settings on public datasets, next to an older build and to the paper's figures.

  bench/accuracy/accuracy.py --cli build/src/cli/minterm-cli --data ../shared/data \\
      [--older OTHER/minterm-cli --older-name 21400b7] [--first-state 400] [--splits 5] \\
      [--datasets heart,iris] [--jobs 2] [--work FOLDER] [--out docs/benchmarks-accuracy.md] [--cached]

Needs numpy, pandas and scikit-learn, for the splits only: train_test_split with test_size=.2 and
random_state=FIRST, FIRST + 1, ..., stratified for classes, written as CSV files with every cell as it was.
Each run has one thread. Its answer and processor time are kept in the work folder and not run again, so an
interrupted bench continues where it stopped; delete the folder to start over. Small datasets come first.
--cached writes the page from the runs that are there. The test rows choose nothing.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import threading

AT = (10, 20, 30, 50, 120)
FEWER_SPLITS = {"covertype": 2, "road_safety": 2}

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


splitting = threading.Lock()


def split_files(args, entry, state):
    """The training and test rows of one random state, as files."""
    stem = os.path.join(args.work, "%s-%d" % (entry["dataset"], state))
    train, test = stem + "-train.csv", stem + "-test.csv"
    with splitting:
        if not os.path.exists(test):
            import pandas
            from sklearn.model_selection import train_test_split
            table = pandas.read_csv(os.path.join(args.data, entry["file"]), dtype=str, keep_default_na=False)
            strata = table[entry["target"]] if entry["task"] != "regression" else None
            for part, path in zip(train_test_split(table, test_size=.2, random_state=state, stratify=strata), (train, test)):
                part.to_csv(path + ".part", index=False)
                os.rename(path + ".part", path)
    return train, test


def answer_path(args, entry, state, kind):
    return os.path.join(args.work, "%s-%d-%s.json" % (entry["dataset"], state, kind))


def run(args, entry, state, kind):
    """Trains once: kind is "now", "older", or "single" for rules of one condition each."""
    path = answer_path(args, entry, state, kind)
    if os.path.exists(path):
        return
    train, test = split_files(args, entry, state)
    command = [args.older if kind == "older" else args.cli, "train", train, "--target", entry["target"], "--test", test,
               "--evaluate-frontier", "--json", "--threads", "1"]
    if entry["task"] == "regression":
        command += ["--task", "regression"]
    if kind == "single":
        command += ["--fan-in", "1"]
    print(" ".join(command[1:]), file=sys.stderr)
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit("exit %d: %s" % (child.returncode, " ".join(command)))
        out.seek(0)
        answer = json.load(out)
    kept = {"selected": {k: answer["selected"][k] for k in ("literals", "test")},
            "frontier": [{k: p[k] for k in ("literals", "test")} for p in answer["frontier"]],
            "seconds": used.ru_utime + used.ru_stime}
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(kept, file)
    os.rename(path + ".part", path)


def answers(args, entry, kind):
    """The answers there are, by random state."""
    found = {}
    for state in states(args, entry):
        path = answer_path(args, entry, state, kind)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[state] = json.load(file)
    return found


def states(args, entry):
    return range(args.first_state, args.first_state + min(args.splits, FEWER_SPLITS.get(entry["dataset"], args.splits)))


def test_at(answer, literals):
    """Test metric of the frontier's last point of at most so many literals."""
    return [p for p in answer["frontier"] if p["literals"] <= literals][-1]["test"]


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def error(values):
    """Standard error of the mean; of one value there is none."""
    m, n = mean(values), len(values)
    return (sum((v - m) ** 2 for v in values) / (n - 1) / n) ** .5 if n > 1 else None


def score(value):
    return "%.4f" % value


def signed(values):
    e = error(values)
    return "%+.4f" % mean(values) + (" ± %.4f" % e if e is not None else "")


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def scores_table(args, entries):
    text = row(["data", "splits", "recommended: literals", "test", "target met", "paper"] + [str(c) for c in AT] + ["s"])
    text += "|---" * 12 + "|\n"
    for entry in entries:
        name, found = entry["dataset"], list(answers(args, entry, "now").values())
        if not found:
            continue
        literals, test = (mean(a["selected"][k] for a in found) for k in ("literals", "test"))
        goal, paper = TARGETS.get(name), PAPER.get(name)
        met = "–" if goal is None else "%s (≥ %s, ≤ %d)" % (
            "yes" if test >= goal[0] and literals <= goal[1] else "**no**", ("%.3f" % goal[0]).rstrip("0"), goal[1])
        text += row([name, str(len(found)), "%.1f" % literals, score(test), met,
                     "%d → %.4f" % paper if paper else "–"] +
                    [score(mean(test_at(a, c) for a in found)) for c in AT] + ["%.1f" % mean(a["seconds"] for a in found)])
        single = list(answers(args, entry, "single").values())
        if single:
            text += row(["", str(len(single)), "", "", "", "*single conditions*"] +
                        [score(mean(test_at(a, c) for a in single)) for c in AT] + ["%.1f" % mean(a["seconds"] for a in single)])
    return text


def measures(answer):
    return [test_at(answer, c) for c in AT] + [answer["selected"]["test"]]


def differences_table(args, entries, kind):
    """Test metric now less that of the other, on the splits that both have; and what the table adds up to."""
    names = ["at %d" % c for c in AT] + ["recommended"]
    text = row(["data", "splits"] + names + ["literals", "processor time"]) + "|---" * (4 + len(names)) + "|\n"
    means, worse = [], [[] for _ in names]
    for entry in entries:
        now, other = answers(args, entry, "now"), answers(args, entry, kind)
        both = sorted(set(now) & set(other))
        if not both:
            continue
        each = [[a - b for a, b in zip(measures(now[s]), measures(other[s]))] for s in both]
        columns = list(zip(*each))
        for values, list_of_worse in zip(columns, worse):
            e = error(values)
            if e is not None and mean(values) < 0 and -mean(values) > e:
                list_of_worse.append(entry["dataset"])
        means.append([mean(values) for values in columns])
        text += row([entry["dataset"], str(len(both))] + [signed(values) for values in columns] +
                    ["%.1f → %.1f" % tuple(mean(d[s]["selected"]["literals"] for s in both) for d in (other, now)),
                     "× %.2f" % (sum(now[s]["seconds"] for s in both) / sum(other[s]["seconds"] for s in both))])
    if not means:
        return None
    text += row(["**mean**", "%d data sets" % len(means)] + [signed(values) for values in zip(*means)] + ["", ""])
    text += "\nWorse by more than the standard error of the difference: "
    text += "; ".join("%s: %s" % (n, ", ".join(w) if w else "none") for n, w in zip(names, worse)) + ".\n"
    return text


def page(args, entries):
    version = subprocess.run([args.cli, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    planned = {e["dataset"]: len(states(args, e)) for e in entries}
    missing = [n for e in entries for n in [e["dataset"]] if len(answers(args, e, "now")) < planned[n]]
    last = args.first_state + args.splits - 1
    text = "# Accuracy of the default settings\n\n"
    text += ("Written by `bench/accuracy/accuracy.py`; do not edit. Program: %s%s.\n\n" %
             (version, ", commit %s" % args.commit if args.commit else ""))
    text += ("Each run is `minterm-cli train` with default settings on 80 % of the rows (scikit-learn's\n"
             "`train_test_split`, random states %d to %d, stratified for classes), tested on the other 20 %. The score is AUC\n"
             "(for more than two classes the mean of each class against the rest) or R², mean over the splits.\n\n"
             "*Recommended* is the model that Minterm recommends, which is chosen without the test rows. The columns 10 to 120 are\n"
             "the models of the frontier with at most that many literals. *Single conditions* is the same program with\n"
             "`--fan-in 1`: regression on numeric columns, levels and thresholds. The target is what the\n"
             "recommended model should reach, and with how many literals at most. The paper's figures are from its own splits, so compare\n"
             "them loosely. The last column is processor time of one run with one thread, on a machine with other work%s.\n\n"
             .replace("80 %", "80 %%").replace("20 %.", "20 %%.") % (args.first_state, last, ", " + args.machine if args.machine else ""))
    if missing:
        text += "Fewer splits than planned, or none, were run of: %s.\n\n" % ", ".join(missing)
    text += scores_table(args, entries)
    table = differences_table(args, entries, "older") if args.older_name else None
    if table:
        text += ("\n## Against %s\n\nTest score now less that of %s on the same splits, mean ± standard error over the splits;\n"
                 "the last line is the mean over the data sets, and its standard error over them. Then the literals of the recommended\n"
                 "model, before → now, and the ratio of processor time.\n\n" % (args.older_name, args.older_name)) + table
    table = differences_table(args, entries, "single")
    if table:
        text += ("\n## Against single conditions\n\nThe same, against the present program with `--fan-in 1`.\n\n") + table
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--older", help="minterm-cli of an older commit, run on the same splits")
    parser.add_argument("--older-name", help="what to call it")
    parser.add_argument("--commit", help="the commit of --cli, for the page")
    parser.add_argument("--datasets", help="comma-separated; default: all in the manifest")
    parser.add_argument("--first-state", type=int, default=400)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    parser.add_argument("--kinds", default="now,older,single", help="what to run")
    parser.add_argument("--cached", action="store_true", help="run nothing: write the page from the runs there are")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "minterm-accuracy"))
    parser.add_argument("--machine", default="", help="a word about the machine, for the page")
    parser.add_argument("--out", help="write the page here; default: standard output")
    args = parser.parse_args()
    wanted = args.datasets.split(",") if args.datasets else None
    os.makedirs(args.work, exist_ok=True)
    entries = [e for e in sorted(read_manifest(args.data), key=lambda e: int(e["rows"])) if not wanted or e["dataset"] in wanted]
    kinds = [k for k in args.kinds.split(",") if k != "older" or args.older]
    if not args.cached:
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for done in [pool.submit(run, args, e, s, k) for e in entries for s in states(args, e) for k in kinds]:
                done.result()
    text = page(args, entries)
    if args.out:
        with open(args.out, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
