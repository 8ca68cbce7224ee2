"""The page of results, its pictures, and the CSV files, from the answers of bench/peers/peers.py."""
import csv
import os
import subprocess

from accuracy import PAPER, error, mean, row, score, signed
from peers_plot import plot

MOST = 120          # literals of a model that people can still read through
MINTERM, LARGER = "minterm", "minterm-larger"

# The paper's own figures of TabM, its black box, on its own splits.
PAPER_TABM = {
    "diabetes": .7957, "heart": .9236, "creditg": .7329, "compas": .7311, "income": .9230, "electricity": .9666,
    "credit_card_default": .7883, "calhousing": .9667, "covertype": .9801, "iris": .9963, "wine": 1.0, "penguins": .9998,
    "satimage": .9925, "yeast": .8564, "abalone": .5494, "boston": .9042, "california": .8432, "crime": .6513, "wine_reg": .3629,
}

# What a method that wins has and Minterm lacks, for the note below the losses.
HAS = {
    "linear": "no search: with few rows and mostly linear effects, fewer decisions on the training rows",
    "rulefit": "rules from many trees on random subsets of rows, all weighted at once",
    "figs": "several trees that grow side by side, so that a deep interaction costs few splits to find",
    "boosted-rules": "many thresholds of one column, each with a small weight of its own",
    "gosdt": "the provably best tree of its size",
    "streed": "the provably best tree of its depth",
    "fasterrisk": "the exact number of conditions with whole-number points, found by a wide beam search",
    "glrm": "column generation: new conjunctions are priced by the fitted model in each round",
    "rulelist": "an order of rules, each of which holds only where no earlier one does",
    "ebm": "smooth curves: the mean over 14 bags of small steps, hundreds of thresholds per column",
    "ebm-pairs": "smooth curves and surfaces: the mean over 14 bags of small steps",
}


class Summary:
    """One method on one data set: the chosen point of each split."""

    def __init__(self, name, title, kind, chosen, seconds):
        self.name, self.title, self.kind, self.chosen, self.seconds = name, title, kind, chosen, seconds

    def tests(self, states=None):
        return [p["test"] for s, p in sorted(self.chosen.items()) if states is None or s in states]

    def literals(self):
        found = [p["literals"] for p in self.chosen.values() if p["literals"] is not None]
        return mean(found) if found else None


def good_points(answer):
    return [p for p in answer["points"] if "error" not in p and p["test"] == p["test"]]


def choose(points, kind):
    """By the held-out fifth of the training rows, or the folds: never by the test rows."""
    if kind == "short":
        points = [p for p in points if p["literals"] <= MOST]
    return max(points, key=lambda p: (p.get("validation", 0), -(p["literals"] or 0))) if points else None


def summaries(entry, peers, results):
    def of(name):
        return {s: a for (d, s, n), a in results.items() if d == entry["dataset"] and n == name}
    own = {s: good_points(a) for s, a in of(MINTERM).items() if good_points(a)}
    seconds = [a["seconds"] for a in of(MINTERM).values() if good_points(a)]
    found = []
    if own:
        found.append(Summary(LARGER, "Minterm, at most %d literals" % MOST, "ours", {s: choose(p, "short") for s, p in own.items()}, seconds))
        found.append(Summary(MINTERM, "Minterm, recommended", "ours",
                             {s: next(q for q in p if q["recommended"]) for s, p in own.items()}, seconds))
    for peer in peers:
        answers = {s: a for s, a in of(peer.name).items()}
        chosen = {s: choose(good_points(a), peer.kind) for s, a in answers.items()}
        chosen = {s: p for s, p in chosen.items() if p}
        if chosen:
            found.append(Summary(peer.name, peer.title, peer.kind, chosen, [answers[s]["seconds"] for s in chosen]))
    return found


def problems(entry, peers, results, states):
    """What was stopped, failed, or was not run, in words."""
    said = []
    for peer in peers:
        if entry["task"] not in peer.tasks:
            continue
        answers = {s: results[k] for s in states for k in [(entry["dataset"], s, peer.name)] if k in results}
        missing = [str(s) for s in states if s not in answers]
        if missing:
            said.append("%s: not run on %s" % (peer.title, "any split" if len(missing) == len(states) else ", ".join(missing)))
        reasons = {}
        for state, answer in answers.items():
            if answer.get("absent"):
                continue
            for point in answer["points"]:
                if "error" in point:
                    reasons.setdefault("%s: `%s`" % (point["setting"], point["error"].replace("`", "'")), []).append(state)
            if answer["stopped"]:
                reasons.setdefault("%s, with %d of %d sizes done" % (answer["stopped"], len(good_points(answer)), len(peer.settings)),
                                   []).append(state)
            if good_points(answer) and peer.kind == "short" and not choose(good_points(answer), "short"):
                reasons.setdefault("no model of at most %d literals" % MOST, []).append(state)
        for reason, where in reasons.items():
            said.append("%s (%s): %s" % (peer.title, ", ".join(map(str, where)), reason))
    return said


def paired(a, b):
    """Differences on the splits that both have."""
    both = sorted(set(a.chosen) & set(b.chosen))
    return [a.chosen[s]["test"] - b.chosen[s]["test"] for s in both]


def short_ones(found, states):
    return [s for s in found if s.kind in ("short", "ours") and set(s.chosen) >= states]


def best_black(found, states):
    boxes = [s for s in found if s.kind == "black" and set(s.chosen) >= states]
    return max(boxes, key=lambda s: mean(s.tests(states))) if boxes else None


def table(found):
    """The methods on one data set, on the splits of Minterm; those with fewer splits say so."""
    states = set(next(s for s in found if s.name == LARGER).chosen)
    black = best_black(found, states)
    short = short_ones(found, states)
    best = max(short, key=lambda s: round(mean(s.tests(states)), 4)) if short else None
    text = row(["method", "splits", "literals", "test", "to the best black box", "processor s"]) + "|---" * 6 + "|\n"
    order = {"ours": 0, "short": 0, "long": 1, "black": 2}
    for s in sorted(found, key=lambda s: (order[s.kind], -mean(s.tests()))):
        name = "**%s**" % s.title if s is best else s.title
        text += row([name, str(len(s.chosen)), "–" if s.literals() is None else "%.1f" % s.literals() if s.literals() < 1000
                     else "{:,.0f}".format(s.literals()),
                     ("**%s**" if s is best else "%s") % score(mean(s.tests())) +
                     (" ± %.4f" % error(s.tests()) if len(s.chosen) > 1 else ""),
                     "–" if black is None or s is black or not paired(s, black) else signed(paired(s, black)),
                     "%.1f" % mean(s.seconds)])
    return text


def losses(entries, all_found):
    """(data set, peer, differences) where a short or long peer is above Minterm at most 120 literals."""
    lost = []
    for entry in entries:
        found = all_found.get(entry["dataset"], [])
        ours = next((s for s in found if s.name == LARGER), None)
        if ours is None:
            continue
        for s in found:
            if s.kind in ("short", "long") and paired(s, ours) and mean(paired(s, ours)) >= .00005:
                lost.append((entry["dataset"], s, paired(s, ours)))
    return sorted(lost, key=lambda t: -mean(t[2]))


def ranks(entries, all_found):
    """Mean rank of each method over the data sets, among the methods with all splits that Minterm has there."""
    got = {}
    for entry in entries:
        found = all_found.get(entry["dataset"], [])
        ours = next((s for s in found if s.name == LARGER), None)
        if ours is None:
            continue
        states = set(ours.chosen)
        complete = [s for s in found if s.name != MINTERM and set(s.chosen) >= states]
        for group, kinds in (("short", ("short", "ours")), ("all", ("short", "ours", "long", "black"))):
            these = [s for s in complete if s.kind in kinds]
            value = {s.name: round(mean(s.tests(states)), 4) for s in these}
            for s in these:
                better = sum(v > value[s.name] for v in value.values())
                same = sum(v == value[s.name] for v in value.values())
                got.setdefault((s.name, s.title), {}).setdefault(group, []).append((better + (same + 1) / 2, len(these)))
    text = row(["method", "data sets", "mean rank among the short", "among all"]) + "|---" * 4 + "|\n"

    def cell(values):
        return "%.1f of %.1f" % (mean(r for r, _ in values), mean(n for _, n in values)) if values else "–"
    for (name, title), groups in sorted(got.items(), key=lambda t: mean(r / n for r, n in t[1]["all"])):
        text += row([title, str(len(groups["all"])), cell(groups.get("short")), cell(groups["all"])])
    return text


def median(values):
    values = sorted(values)
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def count_sentences(entries, all_found):
    wins, close, behind, n, ebms = 0, 0, [], 0, 0
    distances, published = [], []
    for entry in entries:
        found = all_found.get(entry["dataset"], [])
        ours = next((s for s in found if s.name == LARGER), None)
        if ours is None:
            continue
        states = set(ours.chosen)
        n += 1
        short = [s for s in short_ones(found, states) if s.kind == "short"]
        if all(round(mean(ours.tests(states)), 4) >= round(mean(s.tests(states)), 4) for s in short):
            wins += 1
        else:
            behind.append(entry["dataset"])
        ebm = [s for s in found if s.name in ("ebm", "ebm-pairs") and paired(ours, s)]
        if ebm:
            ebms += 1
            close += all(mean(paired(ours, s)) >= -.01 for s in ebm)
        black = best_black(found, states)
        if black is not None:
            distances.append(max(0, -mean(paired(ours, black))))
            if PAPER.get(entry["dataset"]) and entry["dataset"] in PAPER_TABM:
                published.append(max(0, PAPER_TABM[entry["dataset"]] - PAPER[entry["dataset"]][1]))
    text = ("- Minterm at most %d literals is the best of the short methods, or level with it, on %d of %d data sets (target: 18 of 20)%s.\n" %
            (MOST, wins, n, "; not on " + ", ".join(behind) if behind else ""))
    if ebms:
        text += "- It is not below an EBM by more than .01 on %d of the %d data sets where one ran (target: 16 of 20).\n" % (close, ebms)
    if distances:
        text += "- Its median distance to the best black box is %.4f, over %d data sets.\n" % (median(distances), len(distances))
    if published:
        text += ("  TT-Sparse as published is %.4f below TabM in the median of the %d of them that the paper has, on the paper's own splits\n"
                 "  (target: at most half of that).\n" % (median(published), len(published)))
    return text


def frontier_lines(entry, peers, results):
    """Mean literals and score of each size of each method, with the standard error: (name, title, kind, points)."""
    lines = []
    for name, title, kind in [(MINTERM, "Minterm", "ours")] + [(p.name, p.title, p.kind) for p in peers]:
        answers = [a for (d, s, n), a in sorted(results.items()) if d == entry["dataset"] and n == name and good_points(a)]
        if not answers:
            continue
        if name == MINTERM:
            # The frontiers of several splits have different sizes: each is read at the same ones.
            at = [c for c in (2, 3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40, 50, 65, 80, 100, 120)]
            groups = [[[p for p in good_points(a) if p["literals"] <= c][-1] for a in answers] for c in at
                      if all(good_points(a)[0]["literals"] <= c for a in answers)]
        else:
            keys = []
            for a in answers:
                keys += [p["setting"] for p in good_points(a) if p["setting"] not in keys]
            groups = [[p for a in answers for p in good_points(a) if p["setting"] == key] for key in keys]
        points = []
        for group in groups:
            literals = None if group[0]["literals"] is None else mean(p["literals"] for p in group)
            tests = [p["test"] for p in group]
            if not points or points[-1][:2] != (literals, mean(tests)):
                points.append((literals, mean(tests), error(tests), len(tests)))
        lines.append((name, title, kind, points))
    return lines


def write_csv(args, entries, peers, results):
    os.makedirs(args.csv, exist_ok=True)
    for entry in entries:
        lines = frontier_lines(entry, peers, results)
        if not lines:
            continue
        with open(os.path.join(args.csv, entry["dataset"] + ".csv"), "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(["method", "literals", "score", "error"])
            for _, title, _, points in lines:
                for literals, value, deviation, _ in points:
                    # A tree of one leaf has none; Minterm counts the intercept, and so does the file.
                    out.writerow([title, "" if literals is None else "%g" % max(1, round(literals, 1)), repr(value),
                                  "" if deviation is None else repr(deviation)])


def write_page(args, entries, peers, results):
    version = subprocess.run([args.cli, "--version"], stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
    pictures = args.pictures or os.path.join(os.path.dirname(os.path.abspath(args.out)), "images")
    os.makedirs(pictures, exist_ok=True)
    states = range(args.first_state, args.first_state + args.splits)
    all_found = {e["dataset"]: summaries(e, peers, results) for e in entries}
    all_found = {d: f for d, f in all_found.items() if any(s.name == LARGER for s in f)}
    text = "# Minterm next to its peers\n\n"
    text += ("Written by `bench/peers/peers.py`; do not edit. Program: %s%s%s.\n\n" %
             (version, ", commit %s" % args.commit if args.commit else "", ", on " + args.machine if args.machine else ""))
    text += ("All methods learn from the same 80 %% of the rows and are tested on the same other 20 %% (scikit-learn's `train_test_split`,\n"
             "random state%s, stratified for classes). The score is AUC, for more than two classes the mean of each class\n"
             "against the rest, or R². Methods with several sizes choose one by a fifth of the training rows, then learn from all of them;\n"
             "short methods choose among their models of at most %d literals. Minterm chooses by its own folds. The test rows choose nothing.\n"
             "No method is tuned beyond that: each has its own defaults and the sizes of `peers_methods.py`. One thread; a run, which is\n"
             "one method on one split with all its sizes, is stopped after %g processor seconds.\n\n" % (" %d" % states[0] if len(states) == 1 else "s %d to %d" % (states[0], states[-1]), MOST, args.limit))
    lost = losses(entries, all_found)
    text += "## Where a peer wins\n\n"
    if lost:
        text += "Test score of the peer less that of Minterm at most %d literals, on the splits that both have, mean ± standard error.\n\n" % MOST
        text += row(["data", "peer", "difference", "splits", "its literals", "more than twice the standard error"]) + "|---" * 6 + "|\n"
        for dataset, s, differences in lost:
            e = error(differences)
            text += row([dataset, s.title, signed(differences), str(len(differences)), "{:,.0f}".format(s.literals()),
                         "one split" if e is None else "**yes**" if mean(differences) > 2 * e else "no"])
        names = []
        for _, s, _ in lost:
            names += [s.name] if s.name not in names else []
        text += "\nWhat these methods do that Minterm does not:\n\n"
        text += "".join("- %s: %s.\n" % (next(p.title for p in peers if p.name == n), HAS[n]) for n in names if n in HAS)
    else:
        text += "On no data set that ran is an interpretable peer above Minterm at most %d literals.\n" % MOST
    text += "\n## In short\n\n" + count_sentences(entries, all_found)
    text += ("\n## Ranks\n\nRank 1 is best. \"1.5 of 8.0\": the mean rank, and how many methods were ranked in the mean. A method is ranked where it\n"
             "ran on all splits that Minterm ran on.\n\n") + ranks(entries, all_found)
    text += "\n## How literals are counted\n\n" + row(["method", "package", "kind", "tasks", "literals"]) + "|---" * 5 + "|\n"
    kinds = {"short": "short", "long": "additive, long", "black": "black box"}
    text += "".join(row([p.title, p.package, kinds[p.kind], "all" if len(p.tasks) == 3 else ", ".join(p.tasks), p.counted]) for p in peers)
    text += "\nMinterm's are [its own](literals.md): the conditions of all rules, one per linear term, and one for the intercept.\n"
    absent = {}
    for (_, _, name), answer in results.items():
        if answer.get("absent"):
            absent[name] = answer["stopped"]
    text += "\n## What was not run\n\n"
    text += "".join("- **%s** could not be installed or imported: `%s`\n" % (p.title, absent[p.name].replace("`", "'"))
                    for p in peers if p.name in absent)
    for p in peers:
        wanted = [e for e in entries if e["task"] in p.tasks and e["dataset"] in all_found]
        ran = [e for e in wanted if any(s.name == p.name for s in all_found[e["dataset"]])]
        if p.name not in absent and len(ran) < len(wanted):
            text += "- **%s** has results on %d of the %d data sets that it is for, below.\n" % (p.title, len(ran), len(wanted))
    nothing = [e["dataset"] for e in entries if e["dataset"] not in all_found]
    if nothing:
        text += "- Data sets that no method ran on: %s.\n" % ", ".join(nothing)
    for entry in entries:
        found = all_found.get(entry["dataset"])
        if not found:
            continue
        metric = "R²" if entry["task"] == "regression" else "AUC"
        text += "\n## %s\n\n%s rows, %s.\n\n" % (entry["dataset"], entry["rows"], entry["task"])
        lines = frontier_lines(entry, peers, results)
        name = "peers-%s.svg" % entry["dataset"]
        if args.plots is None or entry["dataset"] in args.plots.split(","):
            with open(os.path.join(pictures, name), "w", encoding="utf-8") as file:
                file.write(plot([(t, [(n, s) for n, s, _, _ in p]) for _, t, k, p in lines if p[0][0] is not None],
                                [(t, p[0][1]) for _, t, k, p in lines if p[0][0] is None], metric))
            where = os.path.relpath(pictures, os.path.dirname(os.path.abspath(args.out)))
            text += "![%s against literals on %s](%s)\n\n" % (metric, entry["dataset"], os.path.join(where, name))
        text += table(found)
        said = problems(entry, [p for p in peers if p.name not in absent], results, states)
        if said:
            text += "\nNot complete:\n\n" + "".join("- %s\n" % line for line in said)
    with open(args.out, "w", encoding="utf-8") as file:
        file.write(text)
