#!/usr/bin/env python3
"""Every operation of minterm-cli that saves, with each open, write, fsync, rename, truncation and close of its files failing once, and with a
kill at each of them: an error is told, the files are the old ones or the new ones (model and record together), and nothing
is left over after the next start.

  check-saves.py MINTERM-CLI PRELOADED [--all]     --all: every errno, and every operation to the end"""
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile

cli, preloaded = sys.argv[1:3]
thorough = "--all" in sys.argv
CODES = {"open": [errno.EACCES, errno.ENOSPC, errno.EIO], "write": [errno.ENOSPC, errno.EIO, errno.EINTR], "fsync": [errno.EIO, errno.ENOSPC],
         "rename": [errno.EIO, errno.EACCES], "truncate": [errno.EIO],
         "close": [errno.EIO, errno.ENOSPC, errno.EINTR]}
MOST = 400 if thorough else 14      # calls of one kind in one operation
counts = {"tried": 0, "told": 0, "unharmed": 0, "killed": 0}
problems = []


def rows(seed):
    lines = ["x,k,y"]
    for r in range(80):
        x = (r * 37 + seed * 11) % 101
        lines.append("%d,%s,%s" % (x, "ab"[(r + seed) % 2], "yes" if x > 50 or r % (13 + seed) == 4 else "no"))
    return "\n".join(lines) + "\n"


def run(args, env=None):
    env = dict(env or os.environ, SOURCE_DATE_EPOCH="1000000000")      # a PDF says when it was made
    return subprocess.run([cli] + args, capture_output=True, text=True, env=env, timeout=120)


def content(folder):
    found = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            found[name] = f.read()
    return found


def visible(files):
    return {name: data for name, data in files.items() if not name.startswith(".") and not name.endswith("-journal")}


class Operation:
    def __init__(self, name, args, files, next_start, is_project=False):
        self.name, self.args, self.files, self.next_start, self.is_project = name, args, files, next_start, is_project


def check_files(operation, what, folder, old, new, failed):
    got = visible(content(folder))
    if operation.is_project:
        path = os.path.join(folder, operation.files[0])
        if not os.path.exists(path):
            return
        done = subprocess.run([sys.executable, "-c", "import sqlite3,sys; print(sqlite3.connect('file:%s?mode=rw' % sys.argv[1], uri=True)"
                               ".execute('pragma integrity_check').fetchone()[0])", path], capture_output=True, text=True)
        if done.stdout.strip() != "ok":
            problems.append("%s: the project is damaged: %s" % (what, done.stdout + done.stderr[-200:]))
        return
    if got not in (visible(old), visible(new)):
        problems.append("%s: the files are neither the old nor the new ones: %s" % (
            what, [name for name in set(got) | set(new) if got.get(name) not in (old.get(name), new.get(name))] or "mixed"))
    elif not failed and got != visible(new):
        problems.append("%s: said to be saved, and is not" % what)


def try_operation(operation, base):
    def fresh(start):
        folder = os.path.join(base, "work")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, folder)
        return folder

    start = os.path.join(base, "start")
    old = content(start)
    folder = fresh(start)
    done = run([word.replace("@", folder) for word in operation.args])
    assert done.returncode == 0, (operation.name, done.stderr)
    new = content(folder)
    hit = os.path.join(base, "hit")
    for call, codes in CODES.items():
        for code in (codes if thorough else codes[:1]) + [0]:
            for n in range(1, MOST + 1):
                folder = fresh(start)
                if os.path.exists(hit):
                    os.unlink(hit)
                env = dict(os.environ, LD_PRELOAD=preloaded, MT_FAULT_SAVE="%d:%s:%d" % (n, call, code), MT_FAULT_FOLDER=folder,
                           MT_FAULT_HIT=hit)
                done = run([word.replace("@", folder) for word in operation.args], env)
                if not os.path.exists(hit):
                    break
                what = "%s, %s %d: %s" % (operation.name, call, n, errno.errorcode.get(code, "killed"))
                counts["tried"] += 1
                if code == 0:
                    counts["killed"] += 1
                    if done.returncode != -9:
                        problems.append("%s: ended with %d" % (what, done.returncode))
                elif done.returncode == 0:
                    counts["unharmed"] += 1
                    with open(hit) as f:
                        confirmed = "confirmed" in f.read()     # the folder was synced after all
                    if call == "fsync" and not confirmed:
                        problems.append("%s: a failed fsync was no failure" % what)
                elif done.returncode < 0 or not done.stderr.strip() or re.search("CRITICAL|WARNING \\*\\*", done.stderr):
                    problems.append("%s: ended with %d and %r" % (what, done.returncode, done.stderr[-200:]))
                else:
                    counts["told"] += 1
                if done.returncode != 0 and operation.next_start:
                    run([word.replace("@", folder) for word in operation.next_start])
                check_files(operation, what, folder, old, new, done.returncode != 0)
                again = run([word.replace("@", folder) for word in operation.args])
                if again.returncode != 0:
                    problems.append("%s: a second attempt fails: %s" % (what, again.stderr[-200:]))
                left = set(content(folder)) - set(new)
                if left:
                    problems.append("%s: left over: %s" % (what, sorted(left)))


def main():
    with tempfile.TemporaryDirectory() as base:
        start = os.path.join(base, "start")
        os.mkdir(start)
        train = os.path.join(base, "old.csv"), os.path.join(base, "new.csv")
        for i, path in enumerate(train):
            with open(path, "w") as f:
                f.write(rows(i))
        assert run(["train", train[0], "--target", "y", "--restarts", "0", "-o", start + "/m.json"]).returncode == 0
        os.chmod(start + "/m.json", 0o600)
        for args in (["predict", start + "/m.json", train[0], "-o", start + "/p.csv"],
                     ["export", start + "/m.json", "--format", "python", "-o", start + "/m.py"]):
            done = run(args)
            assert done.returncode == 0, done.stderr
        operations = [
            Operation("train", ["train", train[1], "--target", "y", "--restarts", "0", "-o", "@/m.json"], ["m.json", "m.record.json"],
                      ["export", "@/m.json", "--format", "json", "-o", "/dev/null"]),
            Operation("predict", ["predict", "@/m.json", train[1], "-o", "@/p.csv"], ["p.csv"], None),
            Operation("export", ["export", "@/m.json", "--format", "javascript", "-o", "@/m.py"], ["m.py"], None),
            Operation("report", ["export", "@/m.json", "--format", "html", "-o", "@/m.html"], ["m.html"], None),
            Operation("pdf", ["export", "@/m.json", "--format", "pdf", "--data", train[0], "-o", "@/m.pdf"], ["m.pdf"], None),
            Operation("reasons", ["reasons", "@/m.json", "--set", "1=x is large", "-o", "@/m.json"], ["m.json", "m.record.json"],
                      ["export", "@/m.json", "--format", "json", "-o", "/dev/null"]),
            Operation("cutoff", ["cutoff", "@/m.json", train[0], "--rate", "0.6", "-o", "@/c.json"], ["c.json"], None),
            Operation("sweep", ["sweep", train[0], "--target", "y", "--bits", "3,5", "--restarts", "0", "-o", "@/s.minterm"],
                      ["s.minterm"], None, is_project=True),
        ]
        print("1..%d" % len(operations))
        for i, operation in enumerate(operations):
            before = dict(counts)
            problems.clear()
            try_operation(operation, base)
            if counts["tried"] == before["tried"]:
                problems.append("no fault was met: is %s the right library?" % preloaded)
            print("%s %d - %s: %d faults, %d told, %d without effect, %d killed, %d problems" % (
                "ok" if not problems else "not ok", i + 1, operation.name, counts["tried"] - before["tried"], counts["told"] - before["told"],
                counts["unharmed"] - before["unharmed"], counts["killed"] - before["killed"], len(problems)), flush=True)
            for problem in problems[:20]:
                print("# " + problem, flush=True)


main()
