"""Closes a test run with one line: every case that ran, was skipped or failed.

count-tests.py MESON-LOGS-FOLDER [NAME...]. Programs that are named ran again, alone: what counts is again.junit.xml. Cases are counted from the JUnit file; a program that died or
ran too long without a failing case of its own counts as one failure. Cases of the window that take more than ten
seconds are named: by the clock and of processor time, for a busy machine is no reason.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

logs = pathlib.Path(sys.argv[1])
again = sys.argv[2:]
passed = failed = skipped = 0
suites = [suite for suite in ET.parse(logs / "testlog.junit.xml").getroot().iter("testsuite") if suite.get("name").split(" / ")[-1] not in again]
if again:
    suites += ET.parse(logs / "again.junit.xml").getroot().iter("testsuite")
suite_of = {case: suite for suite in suites for case in suite.iter("testcase")}
for case in suite_of:
    # A program that died without a word is one case, of no suite of its own.
    if suite_of[case].get("name") == "minterm" and case.get("name").split(" / ")[-1] in again:
        continue
    if case.find("failure") is not None or case.find("error") is not None:
        failed += 1
    elif case.find("skipped") is not None:
        skipped += 1
        print("skipped:", case.get("classname"), case.get("name"))
    else:
        passed += 1

LONG = 10  # seconds
for suite in suites:
    said = suite.findtext("system-out") or ""
    for clock, work, name in re.findall(r"^# took ([\d.]+) s, ([\d.]+) s of work: (\S+)", said, re.M):
        if min(float(clock), float(work)) > LONG and "slow" not in suite.get("name"):
            print(f"long: {name} takes {clock} s, {work} s of work; split it")

programs = []
for name in ["testlog"] + ["again"] * bool(again):
    with open(logs / (name + ".json")) as lines:
        programs += [p for p in map(json.loads, lines) if name == "again" or p["name"].split(" / ")[-1] not in again]
broken = [p["name"] for p in programs if p["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
for name in broken:
    print("failed:", name)
failed = max(failed, len(broken))
print(f"{passed} passed, {failed} failed, {skipped} skipped")
