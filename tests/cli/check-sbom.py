#!/usr/bin/env python3
"""Is the list of libraries that the build makes valid SPDX, complete and repeatable? TAP.

  check-sbom.py TOOL LIST PROGRAM"""
import json
import os
import subprocess
import sys
import tempfile

tool, path, program = sys.argv[1:]
with open(path) as f:
    document = json.load(f)
packages = {entry["SPDXID"]: entry for entry in document["packages"]}
loaded = [line.split()[0] for line in subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout.splitlines()
          if "=> /" in line]
listed = " ".join(entry.get("comment", "") for entry in packages.values()).replace(",", " ").split()
with tempfile.TemporaryDirectory() as folder:
    again = [os.path.join(folder, name) for name in "ab"]
    for output in again:
        subprocess.run([sys.executable, tool, "1.0", output, program], check=True, env=dict(os.environ, SOURCE_DATE_EPOCH="1000000000"))
    contents = [open(output, "rb").read() for output in again]
checks = [
    ("it is SPDX 2.3", document["spdxVersion"] == "SPDX-2.3" and document["dataLicense"] == "CC0-1.0" and document["creationInfo"]["creators"]),
    ("names are unique", len(packages) == len(document["packages"])),
    ("every relation is between things of the list",
     all(r["relatedSpdxElement"] in packages and (r["spdxElementId"] in packages or r["spdxElementId"] == document["SPDXID"])
         for r in document["relationships"])),
    ("every library that the program loads is in it", loaded and all(name in listed for name in loaded)),
    ("every library has a version", all("versionInfo" in entry for entry in packages.values())),
    ("the same build gives the same bytes", contents[0] == contents[1] and b"2001-09-09" in contents[0]),
]
print("1..%d" % len(checks))
for number, (what, holds) in enumerate(checks, 1):
    print("%s %d %s" % ("ok" if holds else "not ok", number, what))
sys.exit(not all(holds for _, holds in checks))
