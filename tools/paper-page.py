#!/usr/bin/env python3
"""Puts the output of `minterm-cli reproduce` into docs/paper.md, below the comment, which is written by hand.

  tools/paper-page.py OUT [--pictures F1-diabetes,F2-heart]

OUT is the folder of reproduce. Everything of docs/paper.md above the line with MARK stays. Of the pictures, those named are copied to
docs/images as paper-NAME.svg, without the trailing spaces of the painter; the others are left out of the page.
"""
import argparse
import pathlib
import re

MARK = "<!-- below: written by tools/paper-page.py -->"
LONG = 24      # lines of a table
DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--pictures", default="", help="comma-separated names without .svg")
    args = parser.parse_args()
    pictures = [name for name in args.pictures.split(",") if name]
    page = DOCS / "paper.md"
    above, mark, _ = page.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        raise SystemExit("%s has no line %s" % (page, MARK))
    body = (args.out / "paper.md").read_text(encoding="utf-8").partition("\n")[2].strip()

    def place(match):
        name = match.group(1)
        return "![%s](images/paper-%s.svg)\n\n" % (name, name) if name in pictures else ""
    body = re.sub(r"!\[([^]]*)\]\([^)]*\.svg\)\n\n?", place, body + "\n")
    for name in pictures:
        text = (args.out / (name + ".svg")).read_text(encoding="utf-8")
        (DOCS / "images" / ("paper-%s.svg" % name)).write_text(re.sub(r"[ \t]+$", "", text, flags=re.M), encoding="utf-8")
    # Long tables are folded: they are the record, not what is read.
    body = re.sub(r"(?:^\|.*\n){%d,}" % LONG, lambda m: "<details><summary>%d rows</summary>\n\n%s\n</details>\n" %
                  (m.group(0).count("\n") - 2, m.group(0)), body, flags=re.M)
    page.write_text(above + MARK + "\n\n" + re.sub(r"^## ", "### ", body, flags=re.M).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
