#!/usr/bin/env python3
"""check-dmn.py MODEL.dmn GOLDEN.csv: no DMN engine is packaged, so this evaluates what an export
uses of DMN (decision tables with UNIQUE hits, literal expressions in a little FEEL) and compares
with the answers in the golden file."""
import csv
import datetime
import math
import re
import sys
import xml.etree.ElementTree as xml

NS = "{https://www.omg.org/spec/DMN/20191111/MODEL/}"
MISSING = {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null", "?"}


def unescape(string):
    return re.sub(r'\\(u([0-9a-f]{4})|U([0-9a-f]{6})|.)',
                  lambda m: chr(int(m.group(2) or m.group(3), 16)) if m.group(2) or m.group(3) else m.group(1), string)


def translate(feel):
    """FEEL to Python; strings are set aside first, so that none is taken for a word of the language."""
    strings = []

    def put_aside(match):
        strings.append(unescape(match.group(1)))
        return "STRING%d" % (len(strings) - 1)

    text = re.sub(r'"((?:[^"\\]|\\.)*)"', put_aside, feel)
    text = text.replace("list contains(", "list_contains(").replace("null", "None")
    text = re.sub(r"(?<![!<>=])=(?!=)", "==", text)
    while re.search(r"\bIF ", text := re.sub(r"\bif (?!\()", "IF ", text)):      # the last one is innermost
        head, _, rest = text.rpartition("IF ")
        condition, rest = rest.split(" then ", 1)
        yes, no = rest.split(" else ", 1)
        text = "%s((%s) if (%s) else (%s))" % (head, yes, condition, no)
    names = {"STRING%d" % i: string for i, string in enumerate(strings)}
    return compile(text, feel, "eval"), names


class Decision:
    def __init__(self, element):
        self.name = element.get("name")
        self.needs = [r.get("href")[1:] for r in element.iter() if r.tag in (NS + "requiredInput", NS + "requiredDecision")]
        expression = element.find(NS + "literalExpression")
        table = element.find(NS + "decisionTable")
        if expression is not None:
            self.formula, self.rules = translate(expression.find(NS + "text").text), None
            return
        assert table.get("hitPolicy") == "UNIQUE"
        self.inputs = [translate(i.find(NS + "inputExpression/" + NS + "text").text) for i in table.findall(NS + "input")]
        self.rules = [([e.find(NS + "text").text for e in r.findall(NS + "inputEntry")],
                       float(r.find(NS + "outputEntry/" + NS + "text").text)) for r in table.findall(NS + "rule")]

    def value(self, known):
        known = {name: known[name] for name in self.needs}      # nothing that was not asked for
        functions = {"exp": lambda x: math.exp(min(x, 700)), "list_contains": lambda l, x: x in l}

        def run(compiled):
            return eval(compiled[0], {"__builtins__": {}}, {**known, **functions, **compiled[1]})

        if self.rules is None:
            return run(self.formula)
        answers = [str(bool(run(i))).lower() for i in self.inputs]
        hits = [out for entries, out in self.rules if all(e in ("-", a) for e, a in zip(entries, answers))]
        assert len(hits) == 1, "%d rules of %s answer" % (len(hits), self.name)
        return hits[0]


def read_cell(text, kind, is_date):
    if text.strip(" \t") in MISSING:
        return None
    if kind == "string":
        return text
    if not is_date:
        return float(text)
    moment = datetime.datetime.fromisoformat(text) - datetime.datetime(1970, 1, 1)
    return moment.days + moment.seconds / 86400


def main():
    root = xml.parse(sys.argv[1]).getroot()
    suffix = ", days since 1970-01-01"
    inputs = [(i.get("name"), i.get("label"), i.find(NS + "variable").get("typeRef")) for i in root.findall(NS + "inputData")]
    decisions = [Decision(d) for d in root.findall(NS + "decision")]
    outputs = {d.get("label"): d.get("name") for d in root.findall(NS + "decision") if d.get("name") != "prediction"}
    worst, n_rows = 0.0, 0
    for row in csv.DictReader(open(sys.argv[2], encoding="utf-8", newline="")):
        known = {}
        for name, label, kind in inputs:
            is_date = label.endswith(suffix)
            known[name] = read_cell(row[label[:-len(suffix)] if is_date else label], kind, is_date)
        for decision in decisions:      # each stands behind what it needs
            known[decision.name] = decision.value(known)
        wanted = row["prediction"]
        if isinstance(known["prediction"], str):
            assert known["prediction"] == wanted.lstrip("'"), (row, known)
            for column in row:
                if column.startswith("p_"):
                    worst = max(worst, abs(float(row[column]) - known[outputs[column]]))
        else:
            worst = max(worst, abs(float(wanted) - known["prediction"]) / max(abs(float(wanted)), 1))
        n_rows += 1
    assert worst <= 1e-9, worst
    print("%d rows, difference %g" % (n_rows, worst))
    return 0 if n_rows > 50 else 1


sys.exit(main())
