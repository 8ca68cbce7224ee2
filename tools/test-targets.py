"""Prints what ninja must build for the tests of some suites.

test-targets.py BUILD-FOLDER SUITE...
"""
import json
import pathlib
import sys

build, suites = pathlib.Path(sys.argv[1]).resolve(), set(sys.argv[2:])
about = build / "meson-info"
tests = json.loads((about / "intro-tests.json").read_text())
known = {suite.split(":")[-1] for test in tests for suite in test["suite"]}
if not suites <= known:
    sys.exit(f"There is no suite {', '.join(sorted(suites - known))}. Suites: {', '.join(sorted(known))}")

needed = {name for test in tests for name in test["depends"]
          if suites & {suite.split(":")[-1] for suite in test["suite"]}}
for target in json.loads((about / "intro-targets.json").read_text()):
    # A custom target is small, and tests read some of them by their place alone: settings, samples, a locale.
    if target["id"] in needed or (target["type"] == "custom" and target["build_by_default"]):
        for path in target["filename"]:
            print(pathlib.Path(path).relative_to(build))
