#!/usr/bin/env python3
"""check-pmml.py MODEL.pmml GOLDEN.csv: weka is not everywhere, so this evaluates what an export uses of PMML
(a RegressionModel over derived fields) and compares with the answers in the golden file. Cells are raw but
for what everybody takes for missing."""
import csv
import datetime
import math
import sys
import xml.etree.ElementTree as xml

NS = "{http://www.dmg.org/PMML-4_1}"
MISSING = {"", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NAN", "null", "NULL", "Null", "?"}
FUNCTIONS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "threshold": lambda a, b: float(a > b), "min": min, "max": max,
}


def value(element, cells):
    tag = element.tag[len(NS):]
    if tag == "Apply":
        return FUNCTIONS[element.get("function")](*[value(child, cells) for child in element])
    if tag == "Constant":
        return float(element.text)
    if tag == "FieldRef":
        return cells[element.get("field")]
    assert tag == "NormDiscrete", tag
    return float(cells[element.get("field")] == element.get("value"))


def read_cell(text, field):
    if field.get("dataType") == "string" or not field.get("displayName"):
        return text if field.get("dataType") == "string" else float(text)
    moment = datetime.datetime.fromisoformat(text) - datetime.datetime(1970, 1, 1)
    return moment.days + moment.seconds / 86400


def main():
    root = xml.parse(sys.argv[1]).getroot()
    fields = {field.get("name"): field for field in root.iter(NS + "DataField")}
    model = root.find(NS + "RegressionModel")
    inputs = {f.get("name"): f.get("missingValueReplacement") for f in model.iter(NS + "MiningField")
              if f.get("usageType") == "active"}
    tables = model.findall(NS + "RegressionTable")
    worst, n_rows = 0.0, 0
    for row in csv.DictReader(open(sys.argv[2], encoding="utf-8", newline="")):
        cells = {}
        for name, replacement in inputs.items():
            text = replacement if row[name].strip(" \t") in MISSING else row[name]
            is_missing = text is replacement
            kind = fields[name].get("dataType")
            cells[name] = float(text) if is_missing and kind == "double" else text if is_missing else read_cell(text, fields[name])
        terms = {d.get("name"): value(d[0], cells) for d in model.iter(NS + "DerivedField")}
        scores = {t.get("targetCategory"): float(t.get("intercept")) +
                  sum(float(p.get("coefficient")) * terms[p.get("name")] for p in t) for t in tables}
        if None in scores:
            wanted = float(row["prediction"])
            worst = max(worst, abs(scores[None] - wanted) / max(abs(wanted), 1))
        else:
            top = max(scores.values())
            total = sum(math.exp(s - top) for s in scores.values())
            for category, s in scores.items():
                worst = max(worst, abs(math.exp(s - top) / total - float(row[next(
                    c for c in row if c.lstrip("'") == "p_" + category)])))
        n_rows += 1
    assert worst <= 1e-9, worst
    print("%d rows, difference %g" % (n_rows, worst))
    return 0 if n_rows > 50 else 1


sys.exit(main())
