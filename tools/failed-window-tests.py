"""Names the programs of the suite app that failed, if nothing else failed and they are at most three.

failed-window-tests.py MESON-LOGS-FOLDER. They show a real window next to other tests; on a busy machine a frame may come later than they
wait for it. ./check runs them once more, alone; what fails then has failed.
"""
import json
import pathlib
import sys

with open(pathlib.Path(sys.argv[1]) / "testlog.json") as lines:
    broken = [p["name"] for p in map(json.loads, lines) if p["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
if len(broken) <= 3 and all(":app / " in name for name in broken):
    print(*(name.split(" / ")[-1] for name in broken))
