"""Closes a test run with one line: every case that ran, was skipped or failed.

count-tests.py MESON-LOGS-FOLDER. Cases are counted from the JUnit file; a program that died or
ran too long without a failing case of its own counts as one failure. Cases of the window that take more than ten
seconds are named: by the clock and of processor time, for a busy machine is no reason.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ET

logs = pathlib.Path(sys.argv[1])
passed = failed = skipped = 0
for case in ET.parse(logs / "testlog.junit.xml").getroot().iter("testcase"):
    if case.find("failure") is not None or case.find("error") is not None:
        failed += 1
    elif case.find("skipped") is not None:
        skipped += 1
        print("skipped:", case.get("classname"), case.get("name"))
    else:
        passed += 1

LONG = 10  # seconds
for suite in ET.parse(logs / "testlog.junit.xml").getroot().iter("testsuite"):
    said = suite.findtext("system-out") or ""
    for clock, work, name in re.findall(r"^# took ([\d.]+) s, ([\d.]+) s of work: (\S+)", said, re.M):
        if min(float(clock), float(work)) > LONG and "slow" not in suite.get("name"):
            print(f"long: {name} takes {clock} s, {work} s of work; split it")

with open(logs / "testlog.json") as lines:
    programs = [json.loads(line) for line in lines]
broken = [p["name"] for p in programs if p["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
for name in broken:
    print("failed:", name)
failed = max(failed, len(broken))
print(f"{passed} passed, {failed} failed, {skipped} skipped")
