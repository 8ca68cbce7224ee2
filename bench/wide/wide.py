#!/usr/bin/env python3
"""More columns than rows: time and memory of minterm-cli train, and its models next to the lasso.

  bench/wide/wide.py build-check/src/cli/minterm-cli [--quick] [--lasso]

Tables of random numbers of which three columns matter. Time is processor time (user and system) of one thread, which other work on
the machine does not change; memory is the most that the process held. --lasso compares the area under the ROC curve on 1,000 new
rows, for three truths and --seeds tables each; needs numpy and scikit-learn (any virtual environment). Goals are those of the
wide data's issue: 60 × 100 in 1 s, 60 × 20,000 in 10 s, 200 × 99,999 in 60 s (a file has 100,000 columns, the target included).
Ends with 1 if a goal is missed."""
import argparse
import csv
import os
import random
import subprocess
import sys
import tempfile

SIZES = [(60, 100, 1.0), (60, 200, None), (60, 500, None), (60, 2000, None), (60, 20000, 10.0), (200, 99999, 60.0)]


def truth(kind, x):
    if kind == "linear":
        return 1.2 * x[0] - x[1] + .8 * x[2]
    if kind == "steps":
        return 1.5 * (x[0] > .3) - 1.5 * (x[1] > -.2) + 1.2 * (x[2] > .5) - .2
    return 2.4 * ((x[0] > 0) == (x[1] > 0)) - 1.2 + .8 * x[2]


def write_table(path, rows, columns, kind, seed):
    numbers = random.Random(seed)
    with open(path, "w") as f:
        f.write(",".join("x%d" % c for c in range(columns)) + ",y\n")
        for _ in range(rows):
            x = [numbers.gauss(0, 1) for _ in range(columns)]
            f.write(",".join("%.4f" % v for v in x) + "," + ("yes" if truth(kind, x) + numbers.gauss(0, .5) > 0 else "no") + "\n")


def train(cli, data, model):
    """Processor seconds and peak kilobytes."""
    done = subprocess.Popen([cli, "train", data, "--target", "y", "--threads", "1", "-o", model], stdout=subprocess.DEVNULL,
                            stderr=subprocess.PIPE)
    errors = done.stderr.read()
    _, status, usage = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode != 0:
        raise SystemExit("train ended with %d: %s" % (done.returncode, errors.decode()[-300:]))
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss


def area(scores, labels):
    ranked = sorted(range(len(scores)), key=lambda i: scores[i])
    total, at = 0.0, 0
    while at < len(ranked):
        end = at
        while end < len(ranked) and scores[ranked[end]] == scores[ranked[at]]:
            end += 1
        total += sum(labels[i] for i in ranked[at:end]) * (at + 1 + end) / 2
        at = end
    n = sum(labels)
    return (total - n * (n + 1) / 2) / (n * (len(labels) - n))


def minterm_scores(cli, model, data):
    done = subprocess.run([cli, "predict", model, data], capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(done.stdout.splitlines()))
    name = next(column for column in rows[0] if "yes" in column)
    return [float(row[name]) for row in rows]


def lasso_scores(data, new):
    import warnings
    import numpy as np
    from sklearn.linear_model import LogisticRegressionCV
    from sklearn.preprocessing import StandardScaler
    warnings.filterwarnings("ignore")

    def load(path):
        with open(path) as f:
            rows = list(csv.reader(f))[1:]
        return np.array([[float(v) for v in row[:-1]] for row in rows]), np.array([row[-1] == "yes" for row in rows])

    x, y = load(data)
    scale = StandardScaler().fit(x)
    lasso = LogisticRegressionCV(penalty="l1", solver="liblinear", Cs=20, cv=5, scoring="neg_log_loss").fit(scale.transform(x), y)
    return list(lasso.decision_function(scale.transform(load(new)[0]))), int((lasso.coef_ != 0).sum())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--quick", action="store_true", help="without the largest table")
    parser.add_argument("--lasso", action="store_true", help="compare instead of measuring")
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        data, new, model = (os.path.join(folder, name) for name in ("data.csv", "new.csv", "model.json"))
        if not args.lasso:
            print("| rows × columns | CPU seconds | peak MB | goal |\n|---|---|---|---|")
            for rows, columns, goal in SIZES[:-1] if args.quick else SIZES:
                write_table(data, rows, columns, "linear", 500)
                seconds, kilobytes = train(args.cli, data, model)
                missed += goal is not None and seconds > goal
                print("| %d × %s | %.2f | %.0f | %s |" % (rows, format(columns, ","), seconds, kilobytes / 1024,
                                                       "" if goal is None else "%g s" % goal), flush=True)
        else:
            print("| truth | Minterm | lasso | tables where Minterm is better |\n|---|---|---|---|")
            for kind in ("linear", "steps", "pair"):
                ours, theirs = [], []
                for seed in range(500, 500 + args.seeds):
                    write_table(data, 100, 500, kind, seed)
                    write_table(new, 1000, 500, kind, seed + 100)
                    train(args.cli, data, model)
                    with open(new) as f:
                        labels = [line.rstrip().endswith(",yes") for line in f.readlines()[1:]]
                    ours.append(area(minterm_scores(args.cli, model, new), labels))
                    theirs.append(area(lasso_scores(data, new)[0], labels))
                print("| %s | %.3f | %.3f | %d of %d |" % (kind, sum(ours) / len(ours), sum(theirs) / len(theirs),
                                                         sum(a > b for a, b in zip(ours, theirs)), len(ours)), flush=True)
    return 1 if missed else 0


sys.exit(main())
