"""Closes a test run with one line: every case that ran, was skipped or failed."""
import sys
import xml.etree.ElementTree as ET

passed = failed = skipped = 0
for case in ET.parse(sys.argv[1]).getroot().iter("testcase"):
    if case.find("failure") is not None or case.find("error") is not None:
        failed += 1
    elif case.find("skipped") is not None:
        skipped += 1
        print("skipped:", case.get("classname"), case.get("name"))
    else:
        passed += 1
print(f"{passed} passed, {failed} failed, {skipped} skipped")
