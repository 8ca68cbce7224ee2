#!/usr/bin/env python3
"""What minterm-cli asks of the system, as strace sees it, for train, predict, evaluate, each export, report and sweep:

- no network: nothing is connected to and no socket is made, but of the session's own daemons (AF_UNIX)
- nothing is written outside the folder that was named, whatever the names in the data are; no file is opened to be cut off
- the order of a save: writes, fsync of the new file, rename, fsync of the folder

  check-calls.py MINTERM-CLI"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

cli = sys.argv[1]
CALLS = "openat,open,creat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat," \
        "symlink,symlinkat,socket,connect,bind,sendto,sendmsg,truncate,ftruncate,chmod,fchmodat,execve,close"
NASTY = "../../../escaped"
count = 0


def report(name, problem=None):
    global count
    count += 1
    print("%s %d - %s" % ("not ok" if problem else "ok", count, name), flush=True)
    for line in (problem or [])[:10]:
        print("# " + line)
    return not problem


def rows():
    lines = ["x,../../../escaped,/tmp/name,y"]
    for r in range(80):
        x = (r * 37) % 101
        lines.append("%d,%s,%d,%s" % (x, (NASTY, "/etc/passwd")[r % 2], r % 7, "../yes" if x > 50 or r % 13 == 4 else "no|`touch escaped`"))
    return "\n".join(lines) + "\n"


def trace(args, folder, work):
    """The calls in order, each as (name, text), with the paths of descriptors (-y)."""
    log = os.path.join(work, "trace")
    done = subprocess.run(["strace", "-f", "-y", "-s", "256", "-e", "trace=" + CALLS, "-o", log, cli] + args, capture_output=True,
                          text=True, cwd=folder, timeout=300)
    calls, waiting = [], {}
    with open(log, encoding="utf-8", errors="replace") as f:
        for line in f:
            pid, _, text = line.rstrip("\n").partition(" ")
            text = text.strip()
            if text.endswith("<unfinished ...>"):
                waiting[pid] = text[:-len("<unfinished ...>")]
                continue
            resumed = re.match(r"<\.\.\. \w+ resumed>(.*)", text)
            if resumed:
                text = waiting.pop(pid, "") + resumed.group(1)
            found = re.match(r"(\w+)\((.*)", text)
            if found:
                calls.append((found.group(1), found.group(2)))
    return done, calls


def failed(text):
    return re.search(r"\) += -1 ", text) is not None


def network(calls):
    return [name + "(" + text for name, text in calls if name in ("socket", "connect", "bind", "sendto", "sendmsg")
            and not re.search(r"AF_UNIX|<socket:|<UNIX", text)]


def outside(calls, folder):
    wrong = []
    for name, text in calls:
        if failed(text):
            continue
        if name in ("openat", "open", "creat"):
            if name != "creat" and not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", text):
                continue
            opened = re.search(r"= \d+<([^>]*)>", text)
            place = opened.group(1) if opened else text
            if place.startswith(folder + "/"):
                if "O_TRUNC" in text:
                    wrong.append("cuts off: %s(%s" % (name, text))
            elif not place.startswith(("/dev/null", "/dev/tty", "/proc/self/", "/dev/shm/", "/memfd:")):
                wrong.append("%s(%s" % (name, text))
        elif name in ("rename", "renameat", "renameat2", "unlink", "unlinkat", "mkdir", "mkdirat", "link", "linkat", "symlink", "symlinkat",
                      "truncate", "chmod", "fchmodat"):
            for place in re.findall(r'"([^"]*)"', text):
                if not os.path.normpath(os.path.join(folder, place)).startswith(folder):
                    wrong.append("%s(%s" % (name, text))
        elif name == "execve" and not text.startswith(('"%s"' % cli,)):
            wrong.append("starts a program: %s" % text)
    return wrong


def order(calls, folder, target):
    """The last save of the target: everything written, synced, renamed, folder synced."""
    path = os.path.join(folder, target)
    renames = [i for i, (name, text) in enumerate(calls) if name.startswith("rename") and not failed(text) and '"%s"' % path in text]
    if not renames:
        return ["%s is never renamed into place" % target]
    at = renames[-1]
    temp = re.findall(r'"([^"]*)"', calls[at][1])[0]

    def on(i, names, place):
        return calls[i][0] in names and ("<%s>" % place) in calls[i][1] and not failed(calls[i][1])

    writes = [i for i in range(len(calls)) if on(i, ("write", "pwrite64", "writev"), temp)]
    syncs = [i for i in range(at) if on(i, ("fsync", "fdatasync"), temp)]
    folder_syncs = [i for i in range(at + 1, len(calls)) if on(i, ("fsync", "fdatasync"), folder)]
    wrong = []
    if not writes:
        wrong.append("nothing is written to %s" % temp)
    if not syncs or (writes and syncs[-1] < writes[-1]):
        wrong.append("%s is not synced after its last write and before the rename" % temp)
    if not folder_syncs:
        wrong.append("the folder is not synced after the rename")
    return wrong


def main():
    if shutil.which("strace") is None or subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True).returncode != 0:
        print("1..0 # SKIP strace is not here, or may not trace")
        return 0
    ok = True
    with tempfile.TemporaryDirectory() as work:
        work = os.path.realpath(work)
        folder = os.path.join(work, "a", "b", "c", "chosen")
        os.makedirs(folder)
        data = os.path.join(work, "data.csv")
        with open(data, "w") as f:
            f.write(rows())
        before = set(os.listdir(work))
        base = ["--target", "y", "--restarts", "0"]
        steps = [("inspect", ["inspect", data], None),
                 ("train", ["train", data] + base + ["-o", folder + "/m.json"], "m.json"),
                 ("train again", ["train", data] + base + ["--seed", "3", "-o", folder + "/m.json"], "m.json"),
                 ("predict", ["predict", folder + "/m.json", data, "-o", folder + "/p.csv"], "p.csv"),
                 ("evaluate", ["evaluate", folder + "/m.json", data], None),
                 ("sweep", ["sweep", data] + base + ["--bits", "3,5", "-o", folder + "/s.minterm"], None)]
        for kind in ("json", "sql", "python", "r", "javascript", "c", "pmml", "dmn", "ods", "latex", "html", "pdf"):
            more = ["--data", data] if kind in ("html", "pdf") else []
            steps.append(("export " + kind, ["export", folder + "/m.json", "-f", kind, "-o", folder + "/e." + kind] + more, "e." + kind))
        for name, args, target in steps:
            done, calls = trace(args, folder, work)
            wrong = [] if done.returncode == 0 else ["ended with %d: %s" % (done.returncode, done.stderr[-300:])]
            if not any(call == "execve" for call, _ in calls):
                wrong.append("nothing was traced")
            wrong += network(calls) + outside(calls, folder) + (order(calls, folder, target) if target else [])
            ok = report("%s: %d calls" % (name, len(calls)), wrong) and ok
        left = set(os.listdir(work)) - before - {"trace"}
        ok = report("nothing appeared beside the folder", ["appeared: %s" % sorted(left)] if left else None) and ok
        # The judges can fail.
        planted = [("openat", 'AT_FDCWD, "/etc/x", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</etc/x>'),
                   ("connect", "3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(443)}, 16) = 0"),
                   ("write", '4<%s/.t>, "x", 1) = 1' % folder), ("renameat2", 'AT_FDCWD, "%s/.t", AT_FDCWD, "%s/m", 0) = 0' % (folder, folder)),
                   ("fsync", "4<%s/.t>) = 0" % folder)]
        seen = len(network(planted)), len(outside(planted, folder)), len(order(planted, folder, "m"))
        ok = report("planted calls are found", None if seen == (1, 1, 2) else ["%r" % (seen,)]) and ok
    print("1..%d" % count)
    return 0 if ok else 1


sys.exit(main())
